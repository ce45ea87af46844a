//! Anthropic Messages: requests, responses, and both in a wrapper.

use crate::json::View;
use crate::session::event::Role;
use crate::session::part::{CacheRule, Content, LazyOutput, Part};
use crate::session::piece::Piece;

use super::body::{self, Unit};
use super::{Format, Place, blocks};

/// The reader of Anthropic bodies.
#[derive(Debug)]
pub(in crate::session) struct Anthropic;

impl Format for Anthropic {
    fn read<'a>(&self, record: View<'a>, place: Place, each: &mut dyn FnMut(Part<'a>)) {
        body::walk(record, place, &mut |unit| match unit {
            Unit::System(prompt) => each(Part::system(prompt, "system")),
            Unit::Message(message) => read_message(message, &request, each),
            Unit::Other(value) => each(Part::unknown(value)),
        });
    }

    fn is_conversation(&self, record: View<'_>) -> bool {
        body::is_conversation(record)
    }
}

/// What an output is, told by its block.
pub(in crate::session) type OutputOf = dyn for<'a> Fn(View<'a>) -> LazyOutput<'a>;

/// The output of a request body: what stands there is what was sent.
fn request(block: View<'_>) -> LazyOutput<'_> {
    LazyOutput::request(result_content(block), CacheRule::ReadText)
}

/// The content of a `tool_result` block: a string, a list of blocks, or nothing.
pub(in crate::session) fn result_content(block: View<'_>) -> Content<'_> {
    Content::Views {
        read: blocks::anthropic,
        views: [block.get("content"), None],
    }
}

/// Tells the parts of one message.
pub(in crate::session) fn read_message<'a>(
    message: View<'a>,
    output: &OutputOf,
    each: &mut dyn FnMut(Part<'a>),
) {
    let [role, content] = message.fields(["role", "content"]);
    let role = match role.and_then(|role| role.text()).as_deref() {
        Some("assistant") => Role::Assistant,
        Some("system" | "developer") => {
            let mut part = Part::system(content.unwrap_or(message), "system");
            part.span = message.span();
            each(part);
            return;
        }
        None if message.get("type").is_some() => {
            each(read_block(message, Role::User, output));
            return;
        }
        _ => Role::User,
    };
    match content {
        Some(content) if content.is_array() => {
            let mut empty = true;
            for block in content.items() {
                empty = false;
                each(read_block(block, role, output));
            }
            if empty {
                each(Part::message(
                    role,
                    message,
                    Content::view(blocks::anthropic, content),
                ));
            }
        }
        Some(content) => {
            each(Part::message(
                role,
                message,
                Content::view(blocks::anthropic, content),
            ));
        }
        None => each(Part::message(role, message, Content::empty())),
    }
}

/// One block of a message's content.
pub(in crate::session) fn read_block<'a>(
    block: View<'a>,
    role: Role,
    output: &OutputOf,
) -> Part<'a> {
    let kind = block.get("type").and_then(|kind| kind.text());
    match kind.as_deref().unwrap_or_default() {
        "thinking" => Part::thinking(block, block.get("thinking")),
        "redacted_thinking" => Part::thinking(block, None),
        "tool_use" => call(block, false),
        "server_tool_use" | "mcp_tool_use" => call(block, true),
        "tool_result" => {
            // `status` is mixtape's way to say it.
            let [id, is_error, name, status] =
                block.fields(["tool_use_id", "is_error", "name", "status"]);
            let mut part = Part::output(block, id, output(block));
            part.is_error = is_error.and_then(|flag| flag.bool()).unwrap_or(false)
                || status.is_some_and(|status| status.is_text("error"));
            part.tool = name.and_then(|name| name.text());
            part
        }
        kind if kind.ends_with("_tool_result") => {
            let [id, is_error, content] = block.fields(["tool_use_id", "is_error", "content"]);
            let mut part = Part::output(block, id, output(block));
            let error = content
                .and_then(|content| content.get("type")?.text())
                .is_some_and(|kind| kind.ends_with("_error"));
            part.is_error = error || is_error.and_then(|flag| flag.bool()).unwrap_or(false);
            part.server = true;
            part
        }
        _ => {
            let piece = if block.is_string() {
                Piece::Text(block)
            } else {
                blocks::anthropic_block(block)
            };
            Part::message(role, block, Content::One(piece))
        }
    }
}

fn call(block: View<'_>, server: bool) -> Part<'_> {
    let [id, name, input] = block.fields(["id", "name", "input"]);
    let mut part = Part::call(block, name, id, input);
    part.server = server;
    part
}
