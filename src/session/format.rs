//! The formats, one file each behind one small trait.
//!
//! A format reads one record, a line or an element of a document, and tells its parts in order. It
//! looks up the few fields that the timeline needs and leaves the rest as views; nothing here parses a
//! value.

use serde::Serialize;

use crate::json::View;

use super::part::Part;

mod anthropic;
mod bedrock;
pub(super) mod blocks;
mod body;
mod claude_code;
mod codex;
mod gemini;
mod mcp;
mod mixtape;
pub mod native;
mod openai_chat;
mod openai_responses;
pub(super) mod other;
mod rig;

/// The name of a format, as `info` prints it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FormatName {
    /// toolreel's own JSON Lines.
    Native,
    /// Claude Code session JSONL.
    ClaudeCode,
    /// Codex rollout JSONL.
    CodexRollout,
    /// Anthropic Messages bodies.
    AnthropicMessages,
    /// OpenAI Chat Completions bodies, and bodies that content cannot tell from them.
    OpenaiChat,
    /// OpenAI Responses bodies.
    OpenaiResponses,
    /// Gemini generateContent bodies.
    GeminiGenerateContent,
    /// Bedrock Converse bodies.
    BedrockConverse,
    /// MCP JSON-RPC frames and bare tool results.
    Mcp,
    /// rig messages.
    Rig,
    /// mixtape messages.
    Mixtape,
    /// Any other JSON.
    Json,
    /// Text.
    Text,
    /// Neither.
    Unknown,
}

impl FormatName {
    /// The name as `info` prints it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Native => "native",
            Self::ClaudeCode => "claude-code",
            Self::CodexRollout => "codex-rollout",
            Self::AnthropicMessages => "anthropic-messages",
            Self::OpenaiChat => "openai-chat",
            Self::OpenaiResponses => "openai-responses",
            Self::GeminiGenerateContent => "gemini-generate-content",
            Self::BedrockConverse => "bedrock-converse",
            Self::Mcp => "mcp",
            Self::Rig => "rig",
            Self::Mixtape => "mixtape",
            Self::Json => "json",
            Self::Text => "text",
            Self::Unknown => "unknown",
        }
    }

    pub(super) fn format(self) -> &'static dyn Format {
        match self {
            Self::Native => &native::Native,
            Self::ClaudeCode => &claude_code::ClaudeCode,
            Self::CodexRollout => &codex::Codex,
            Self::AnthropicMessages => &anthropic::Anthropic,
            Self::OpenaiChat => &openai_chat::OpenaiChat,
            Self::OpenaiResponses => &openai_responses::OpenaiResponses,
            Self::GeminiGenerateContent => &gemini::Gemini,
            Self::BedrockConverse => &bedrock::Bedrock,
            Self::Mcp => &mcp::Mcp,
            Self::Rig => &rig::Rig,
            Self::Mixtape => &mixtape::Mixtape,
            Self::Text | Self::Unknown => &other::Text,
            Self::Json => &other::Json,
        }
    }
}

impl std::fmt::Display for FormatName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.as_str())
    }
}

/// Where a record was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// A line, an element, or a whole document.
    Record,
    /// Where a body keeps its system prompt.
    System,
}

/// What reads the records of one format.
pub(super) trait Format: Sync + std::fmt::Debug {
    /// Tells the parts of a record in order.
    fn read<'a>(&self, record: View<'a>, place: Place, each: &mut dyn FnMut(Part<'a>));

    /// Whether a record is a whole conversation, whose ids mean nothing to other records.
    fn is_conversation(&self, _record: View<'_>) -> bool {
        false
    }

    /// Tells the parts of a record that is no JSON, and whether it is one of the format's own.
    fn read_text<'a>(&self, _record: &'a [u8], _each: &mut dyn FnMut(Part<'a>)) -> bool {
        false
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::items_after_statements)]
mod tests;
