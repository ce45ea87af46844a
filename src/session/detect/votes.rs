//! What the shape of one record says about the format of its recording.

use crate::json::{Kind, View};

use super::{FormatName, Slot};

/// How deep wrappers are looked into.
const DEEPEST: u32 = 5;

/// A vote that nothing else can mean.
const SURE: u32 = 20;

/// A vote that other formats could cast, too.
const LIKELY: u32 = 3;

/// A vote that only counts where no other is.
const DEFAULT: u32 = 1;

/// Messages of one body that vote.
const MESSAGES: usize = 64;

/// Votes by format.
#[derive(Debug, Default)]
pub(super) struct Tally {
    votes: Vec<(FormatName, u32)>,
    blocks: bool,
}

impl Tally {
    fn vote(&mut self, format: FormatName, weight: u32) {
        match self.votes.iter_mut().find(|(name, _)| *name == format) {
            Some((_, votes)) => *votes = votes.saturating_add(weight),
            None => self.votes.push((format, weight)),
        }
    }

    /// The format with most votes; the first to be voted for where two are even.
    pub(super) fn winner(&self) -> Option<FormatName> {
        let most = self.votes.iter().map(|(_, votes)| *votes).max()?;
        let winner = self.votes.iter().find(|(_, votes)| *votes == most)?;
        Some(winner.0).filter(|format| *format != FormatName::Json)
    }

    /// Whether the document is a bare list of blocks, which is one output.
    pub(super) const fn is_block_list(&self) -> bool {
        self.blocks
    }

    /// A line that is no JSON.
    pub(super) fn text(&mut self, line: &[u8]) {
        if memchr::memmem::find(line, b"\"jsonrpc\"").is_some() {
            self.vote(FormatName::Mcp, LIKELY);
        }
    }

    /// The outermost keys of a document, of which only a part may be there.
    pub(super) fn outline(&mut self, document: View<'_>) {
        let [system, tools, config, version] =
            document.fields(["system", "tools", "toolConfig", "anthropic_version"]);
        let messages = document.get("messages").is_some();
        if messages && config.is_some() {
            self.vote(FormatName::BedrockConverse, LIKELY);
        }
        if version.is_some() {
            self.vote(FormatName::AnthropicMessages, SURE);
        }
        if messages && system.is_some_and(|system| system.is_string() || system.is_array()) {
            self.vote(FormatName::AnthropicMessages, DEFAULT);
        }
        let tool = tools.and_then(|tools| tools.items().next());
        if let Some(tool) = tool.filter(|_| messages) {
            if tool.get("input_schema").is_some() {
                self.vote(FormatName::AnthropicMessages, LIKELY);
            } else if tool.get("function").is_some() {
                self.vote(FormatName::OpenaiChat, LIKELY);
            }
        }
        if document.is_array() {
            self.list(document);
        }
    }

    /// A list of blocks alone is a rig `ToolOutput`, or the content of an MCP result.
    fn list(&mut self, list: View<'_>) {
        let mut items = list.items().take(MESSAGES).peekable();
        if items.peek().is_none() {
            return;
        }
        let (mut rig, mut mcp) = (false, false);
        for item in items {
            let [kind, role, value, data, mime] =
                item.fields(["type", "role", "value", "data", "mimeType"]);
            let Some(kind) = kind.and_then(|kind| kind.text()).filter(|_| role.is_none()) else {
                return;
            };
            match kind.as_ref() {
                "text" => {}
                "json" if value.is_some() => rig = true,
                "image" if data.is_some_and(|data| data.is_object()) => rig = true,
                "image" | "audio" if mime.is_some() => mcp = true,
                "resource" | "resource_link" => mcp = true,
                _ => return,
            }
        }
        self.blocks = true;
        let format = if mcp && !rig {
            FormatName::Mcp
        } else {
            FormatName::Rig
        };
        self.vote(format, SURE);
    }

    /// A whole record.
    pub(super) fn record(&mut self, record: View<'_>, slot: Slot) {
        match slot {
            Slot::Contents | Slot::Candidates => {
                self.vote(FormatName::GeminiGenerateContent, SURE);
            }
            Slot::Choices => self.vote(FormatName::OpenaiChat, SURE),
            Slot::Input | Slot::Output => self.item(record),
            Slot::System => {}
            Slot::Messages | Slot::Element | Slot::Response | Slot::Whole => {
                self.value(record, 0);
            }
        }
    }

    /// An element of OpenAI Responses' `input` or `output`.
    fn item(&mut self, item: View<'_>) {
        let weight = match item.get("type").and_then(|kind| kind.text()).as_deref() {
            Some(kind) if kind.ends_with("_call") || kind.ends_with("_output") => SURE,
            Some("message" | "reasoning" | "item_reference") => LIKELY,
            _ if item.get("role").is_some() => LIKELY,
            _ => return,
        };
        self.vote(FormatName::OpenaiResponses, weight);
    }

    fn value(&mut self, record: View<'_>, depth: u32) {
        if depth > DEEPEST {
            return;
        }
        if record.is_array() {
            for item in record.items().take(MESSAGES) {
                self.value(item, depth + 1);
            }
            return;
        }
        if record.kind() != Kind::Object || self.log_line(record) || self.mcp(record) {
            return;
        }
        let [messages, contents, input, output] =
            record.fields(["messages", "contents", "input", "output"]);
        let [choices, candidates, role, content] =
            record.fields(["choices", "candidates", "role", "content"]);
        if role.is_some_and(|role| role.is_string()) {
            self.message(record);
        } else if let Some(messages) = messages.filter(View::is_array) {
            self.outline(record);
            for message in messages.items().take(MESSAGES) {
                self.message(message);
            }
        } else if contents.is_some_and(|contents| contents.is_array()) {
            self.vote(FormatName::GeminiGenerateContent, SURE);
        } else if choices.is_some_and(|choices| choices.is_array()) {
            self.vote(FormatName::OpenaiChat, SURE);
        } else if candidates.is_some_and(|candidates| candidates.is_array()) {
            self.vote(FormatName::GeminiGenerateContent, SURE);
        } else if let Some(items) = input.or(output).filter(View::is_array) {
            for item in items.items().take(MESSAGES) {
                self.item(item);
            }
            if record
                .get("object")
                .is_some_and(|kind| kind.is_text("response"))
            {
                self.vote(FormatName::OpenaiResponses, SURE);
            }
        } else if content.is_none() && record.get("type").is_none() {
            self.wrapper(record, depth);
        }
        if let Some(item) = record
            .get("type")
            .filter(|_| role.is_none() && depth == 0)
            .and_then(|kind| kind.text())
            && matches!(
                item.as_ref(),
                "function_call"
                    | "function_call_output"
                    | "custom_tool_call"
                    | "custom_tool_call_output"
            )
        {
            self.vote(FormatName::OpenaiResponses, SURE);
        }
        if record.get("parts").is_some_and(|parts| parts.is_array()) && role.is_none() {
            self.parts(record);
        }
    }

    fn wrapper(&mut self, record: View<'_>, depth: u32) {
        let [request, response, body, message, input] =
            record.fields(["request", "response", "body", "message", "input"]);
        let [output, input_body, output_body, stop] =
            record.fields(["output", "inputBodyJson", "outputBodyJson", "stopReason"]);
        if stop.is_some() && output.is_some_and(|output| output.get("message").is_some()) {
            self.vote(FormatName::BedrockConverse, SURE);
        }
        let inner = [
            request,
            response,
            body,
            message,
            input,
            output,
            input_body,
            output_body,
        ];
        for inner in inner.into_iter().flatten().filter(View::is_object) {
            self.value(inner, depth + 1);
        }
    }

    /// Lines that only one agent or recorder writes.
    fn log_line(&mut self, record: View<'_>) -> bool {
        let [version, kind, uuid, parent, session, leaf] = record.fields([
            "toolreel",
            "type",
            "uuid",
            "parentUuid",
            "sessionId",
            "leafUuid",
        ]);
        if version.is_some_and(|version| version.u64().is_some()) {
            self.vote(FormatName::Native, 1000);
            return true;
        }
        let [instructions, id, item] = record.fields(["instructions", "id", "item"]);
        let [message, payload, timestamp] = record.fields(["message", "payload", "timestamp"]);
        let Some(kind) = kind.and_then(|kind| kind.text()) else {
            // The first line of an old rollout, whose others are bare items.
            let first = instructions.is_some() && id.is_some() && timestamp.is_some();
            if first && record.get("input").is_none() {
                self.vote(FormatName::CodexRollout, 1000);
            }
            return first;
        };
        if kind == "thread.started" || kind.starts_with("item.") && item.is_some() {
            self.vote(FormatName::CodexRollout, SURE);
            return true;
        }
        if payload.is_some_and(|payload| payload.is_object())
            && timestamp.is_some()
            && uuid.is_none()
        {
            self.vote(FormatName::CodexRollout, SURE);
            return true;
        }
        let speaks = matches!(kind.as_ref(), "user" | "assistant");
        let said = message.is_some_and(|message| message.get("content").is_some());
        if speaks && said && record.get("role").is_none() {
            self.vote(FormatName::ClaudeCode, SURE);
            return true;
        }
        if uuid.is_some() || parent.is_some() || leaf.is_some() || session.is_some() && !speaks {
            let messages = record.get("messages").is_some();
            if !messages {
                self.vote(FormatName::ClaudeCode, LIKELY);
                return true;
            }
        }
        false
    }

    /// JSON-RPC frames, bare or wrapped, and bare results of tool calls.
    fn mcp(&mut self, record: View<'_>) -> bool {
        let [version, message, frame, raw] = record.fields(["jsonrpc", "message", "frame", "raw"]);
        let framed = [message, frame]
            .into_iter()
            .flatten()
            .any(|inner| inner.get("jsonrpc").is_some());
        let raw = raw
            .and_then(|raw| raw.inner())
            .is_some_and(|raw| memchr::memmem::find(raw, b"jsonrpc").is_some());
        if version.is_some() || framed || raw {
            self.vote(FormatName::Mcp, SURE);
            return true;
        }
        let [content, structured, error, result_type] =
            record.fields(["content", "structuredContent", "isError", "resultType"]);
        if record.get("role").is_some() {
            return false;
        }
        if structured.is_some()
            || result_type.is_some()
            || content.is_some_and(|content| content.is_array()) && error.is_some()
        {
            self.vote(FormatName::Mcp, SURE);
            return true;
        }
        let [kind, mime, data] = record.fields(["type", "mimeType", "data"]);
        let kind = kind.and_then(|kind| kind.text());
        // One content block alone.
        if mime.is_some() && data.is_some() && matches!(kind.as_deref(), Some("image" | "audio")) {
            self.vote(FormatName::Mcp, SURE);
            return true;
        }
        // A result of an older server: content blocks and nothing beside.
        let bare = kind.is_none()
            && record.entries().count() == 1
            && content.is_some_and(|content| {
                content.is_array() && content.items().all(|block| block.get("type").is_some())
            });
        if bare {
            self.vote(FormatName::Mcp, LIKELY);
        }
        bare
    }

    fn message(&mut self, message: View<'_>) {
        let [role, content, parts, kind] = message.fields(["role", "content", "parts", "type"]);
        let [calls, call, call_id, function] =
            message.fields(["tool_calls", "function_call", "tool_call_id", "name"]);
        if parts.is_some_and(|parts| parts.is_array()) && content.is_none() {
            self.parts(message);
            return;
        }
        let role = role.and_then(|role| role.text());
        // mixtape's session files write roles with a capital.
        if matches!(role.as_deref(), Some("User" | "Assistant" | "System")) {
            if content.is_some_and(|content| content.is_string()) {
                self.vote(FormatName::Mixtape, SURE);
            }
            return;
        }
        let calls = calls.is_some_and(|calls| calls.is_array());
        if calls || call_id.is_some() || call.is_some_and(|call| call.is_object()) {
            self.vote(FormatName::OpenaiChat, SURE);
        }
        match role.as_deref() {
            Some("tool") => self.vote(FormatName::OpenaiChat, LIKELY),
            Some("function") if function.is_some() => self.vote(FormatName::OpenaiChat, LIKELY),
            None => return,
            _ => {}
        }
        if kind.is_some_and(|kind| kind.is_text("message")) && content.is_some() {
            let stop = message.get("stop_reason").is_some();
            self.vote(
                FormatName::AnthropicMessages,
                if stop { SURE } else { DEFAULT },
            );
        }
        match content {
            Some(content) if content.is_array() => {
                for block in content.items().take(MESSAGES) {
                    self.block(block);
                }
                self.vote(FormatName::OpenaiChat, DEFAULT);
            }
            Some(content) if content.is_string() || content.is_null() => {
                self.vote(FormatName::OpenaiChat, DEFAULT);
            }
            _ => {}
        }
    }

    /// Gemini's parts, which other formats' `parts` are not.
    fn parts(&mut self, message: View<'_>) {
        let parts = message.get("parts").map(|parts| parts.items());
        let gemini = parts
            .into_iter()
            .flatten()
            .take(MESSAGES)
            .all(|part| part.is_object() && part.get("type").is_none());
        if gemini {
            self.vote(FormatName::GeminiGenerateContent, SURE);
        } else {
            self.vote(FormatName::Json, LIKELY);
        }
    }

    /// A block of a message's content.
    fn block(&mut self, block: View<'_>) {
        let [kind, source, data, content, status] =
            block.fields(["type", "source", "data", "content", "status"]);
        let Some(kind) = kind.and_then(|kind| kind.text()) else {
            let [text, tool_use, result, image, document] =
                block.fields(["text", "toolUse", "toolResult", "image", "document"]);
            if tool_use.is_some() || result.is_some() {
                self.vote(FormatName::BedrockConverse, SURE);
            } else if text.is_some() || image.is_some() || document.is_some() {
                self.vote(FormatName::BedrockConverse, LIKELY);
            }
            return;
        };
        match kind.as_ref() {
            "toolcall" | "toolresult" => self.vote(FormatName::Rig, SURE),
            "tool_result" => {
                let payload = content.is_some_and(|content| {
                    content.is_object()
                        && content.entries().next().is_some_and(|(key, _)| {
                            ["Text", "Json", "Image", "Document"]
                                .iter()
                                .any(|name| key.is_text(name))
                        })
                });
                if payload {
                    self.vote(FormatName::Mixtape, SURE * 2);
                } else if status.is_some() {
                    self.vote(FormatName::AnthropicMessages, LIKELY);
                } else {
                    self.vote(FormatName::AnthropicMessages, SURE);
                }
            }
            "server_tool_use" => self.vote(FormatName::AnthropicMessages, SURE),
            "tool_use" | "thinking" | "redacted_thinking" => {
                self.vote(FormatName::AnthropicMessages, LIKELY);
            }
            "image" | "document" if source.is_some() => {
                self.vote(FormatName::AnthropicMessages, LIKELY);
            }
            "image" | "audio" | "video" | "document"
                if data.is_some_and(|data| data.get("value").is_some()) =>
            {
                self.vote(FormatName::Rig, SURE);
            }
            "image_url" | "input_audio" | "refusal" => self.vote(FormatName::OpenaiChat, LIKELY),
            "input_text" | "output_text" | "input_image" | "input_file" => {
                self.vote(FormatName::OpenaiResponses, LIKELY);
            }
            _ => {}
        }
    }
}
