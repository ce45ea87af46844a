//! OpenAI Responses: items of `input` and of `output`.

use crate::json::View;
use crate::session::block::BlockKind;
use crate::session::event::Role;
use crate::session::part::{CacheRule, Content, LazyOutput, Part};
use crate::session::piece::{MediaPiece, Piece, PieceSource};

use super::body::{self, Unit};
use super::{Format, Place, blocks};

/// The reader of Responses bodies.
#[derive(Debug)]
pub(in crate::session) struct OpenaiResponses;

impl Format for OpenaiResponses {
    fn read<'a>(&self, record: View<'a>, place: Place, each: &mut dyn FnMut(Part<'a>)) {
        body::walk(record, place, &mut |unit| match unit {
            Unit::System(prompt) => each(Part::system(prompt, "system")),
            Unit::Message(item) => read_item(item, each),
            Unit::Other(value) => each(Part::unknown(value)),
        });
    }

    fn is_conversation(&self, record: View<'_>) -> bool {
        record.get("type").is_none() && body::is_conversation(record)
    }
}

/// Tells the parts of one item.
pub(in crate::session) fn read_item<'a>(item: View<'a>, each: &mut dyn FnMut(Part<'a>)) {
    if item.is_string() {
        let piece = Content::One(Piece::Text(item));
        each(Part::message(Role::User, item, piece));
        return;
    }
    let [kind, role] = item.fields(["type", "role"]);
    let kind = kind.and_then(|kind| kind.text());
    match kind.as_deref() {
        Some("function_call" | "custom_tool_call") => each(call(item)),
        Some("computer_call" | "local_shell_call" | "shell_call" | "apply_patch_call") => {
            each(client_call(item, kind.as_deref().unwrap_or_default()));
        }
        Some(
            "function_call_output"
            | "custom_tool_call_output"
            | "computer_call_output"
            | "local_shell_call_output"
            | "shell_call_output"
            | "apply_patch_call_output",
        ) => each(output(item)),
        Some("reasoning") => {
            let [summary, content] = item.fields(["summary", "content"]);
            let full = |list: &View<'_>| list.items().next().is_some();
            let text = content.filter(full).or(summary);
            each(Part::thinking(item, text));
        }
        Some(
            "item_reference"
            | "compaction"
            | "mcp_list_tools"
            | "mcp_approval_request"
            | "mcp_approval_response",
        ) => each(Part::system(item, kind.unwrap_or_default())),
        Some(name) if name.ends_with("_call") || name.ends_with("_output") => {
            server_item(item, name, each);
        }
        Some("message") => read_message(item, role, each),
        None if role.is_some() => read_message(item, role, each),
        _ => each(Part::unknown(item)),
    }
}

fn read_message<'a>(item: View<'a>, role: Option<View<'a>>, each: &mut dyn FnMut(Part<'a>)) {
    let content = item.get("content");
    let role = match role.and_then(|role| role.text()).as_deref() {
        Some(name @ ("system" | "developer")) => {
            let mut part = Part::system(content.unwrap_or(item), name.to_owned());
            part.span = item.span();
            each(part);
            return;
        }
        Some("assistant") => Role::Assistant,
        _ => Role::User,
    };
    match content {
        Some(content) if content.is_array() => {
            let mut empty = true;
            for block in content.items() {
                empty = false;
                let piece = Content::One(blocks::openai_block(block));
                each(Part::message(role, block, piece));
            }
            if empty {
                each(Part::message(role, item, Content::empty()));
            }
        }
        Some(content) => each(Part::message(
            role,
            item,
            Content::view(blocks::openai, content),
        )),
        None => each(Part::message(role, item, Content::empty())),
    }
}

fn call(item: View<'_>) -> Part<'_> {
    let [id, name, arguments, input] = item.fields(["call_id", "name", "arguments", "input"]);
    Part::call(item, name, id.or(item.get("id")), arguments.or(input))
}

/// A call of a tool that the provider defines and the client runs.
fn client_call<'a>(item: View<'a>, kind: &str) -> Part<'a> {
    let [id, action, operation] = item.fields(["call_id", "action", "operation"]);
    let mut part = Part::call(item, None, id.or(item.get("id")), action.or(operation));
    part.tool = Some(kind.trim_end_matches("_call").to_owned().into());
    part
}

fn output(item: View<'_>) -> Part<'_> {
    let [id, output, name] = item.fields(["call_id", "output", "name"]);
    let content = Content::Views {
        read: output_pieces,
        views: [output, None],
    };
    let mut part = Part::output(item, id, LazyOutput::request(content, CacheRule::ReadText));
    part.tool = name.and_then(|name| name.text());
    part
}

/// An output: a string, a list of content, or one content object.
pub(in crate::session) fn output_pieces<'a>(
    [output, _]: [Option<View<'a>>; 2],
    out: &mut Vec<Piece<'a>>,
) {
    match output {
        Some(output) if output.is_object() && output.get("type").is_some() => {
            out.push(blocks::openai_block(output));
        }
        output => blocks::openai([output, None], out),
    }
}

/// A tool that the provider ran itself: the call, and what came of it where the item tells.
fn server_item<'a>(item: View<'a>, kind: &str, each: &mut dyn FnMut(Part<'a>)) {
    let [id, call_id, name, arguments, action] =
        item.fields(["id", "call_id", "name", "arguments", "action"]);
    let [result, output, results, outputs, error] =
        item.fields(["result", "output", "results", "outputs", "error"]);
    let id = call_id.or(id);
    let tool = name.and_then(|name| name.text()).unwrap_or_else(|| {
        kind.trim_end_matches("_output")
            .trim_end_matches("_call")
            .to_owned()
            .into()
    });
    if kind.ends_with("_call") {
        let arguments = arguments.or(action).or(Some(item));
        let mut call = Part::call(item, None, id, arguments);
        call.tool = Some(tool.clone());
        call.server = true;
        each(call);
    }
    let told = |view: Option<View<'a>>| view.filter(|view| !view.is_null());
    let error = told(error);
    let value = error
        .or(told(result))
        .or(told(output))
        .or(told(results))
        .or(told(outputs));
    let value = match value {
        Some(value) => value,
        None if kind.ends_with("_output") => item,
        None => return,
    };
    let content = if kind == "image_generation_call" && value.is_string() {
        let source = PieceSource::Base64(value);
        Content::One(Piece::Media(MediaPiece::new(BlockKind::Image, source)))
    } else {
        Content::One(Piece::text_or_json(value))
    };
    let mut answer = Part::output(value, id, LazyOutput::request(content, CacheRule::ReadText));
    answer.tool = Some(tool);
    answer.server = true;
    answer.is_error = error.is_some();
    each(answer);
}
