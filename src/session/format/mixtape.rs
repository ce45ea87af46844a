//! mixtape's conversations: messages with one payload a result, and its session files.

use crate::json::View;
use crate::session::event::Role;
use crate::session::part::{CacheRule, Content, LazyOutput, Part};

use super::body::{self, Unit};
use super::native::time_ms;
use super::{Format, Place, anthropic, blocks};

/// The reader of mixtape messages and sessions.
#[derive(Debug)]
pub(in crate::session) struct Mixtape;

impl Format for Mixtape {
    fn read<'a>(&self, record: View<'a>, place: Place, each: &mut dyn FnMut(Part<'a>)) {
        body::walk(record, place, &mut |unit| match unit {
            Unit::System(prompt) => each(Part::system(prompt, "system")),
            Unit::Message(message) if is_session(message) => session_message(message, each),
            Unit::Message(message) => anthropic::read_message(message, &result, each),
            Unit::Other(value) => each(Part::unknown(value)),
        });
    }

    fn is_conversation(&self, record: View<'_>) -> bool {
        body::is_conversation(record)
    }
}

/// Sessions write roles with a capital.
fn is_session(message: View<'_>) -> bool {
    message
        .get("role")
        .and_then(|role| role.text())
        .is_some_and(|role| matches!(role.as_ref(), "User" | "Assistant" | "System"))
}

/// A result: exactly one payload.
fn result(block: View<'_>) -> LazyOutput<'_> {
    let content = match block.get("content") {
        Some(content) if content.is_array() => Content::view(blocks::anthropic, content),
        Some(content) => Content::view(blocks::mixtape, content),
        None => Content::empty(),
    };
    LazyOutput::request(content, CacheRule::Value)
}

/// A message of a session file, which keeps only the text of results.
fn session_message<'a>(message: View<'a>, each: &mut dyn FnMut(Part<'a>)) {
    let [role, content, calls, results, time] =
        message.fields(["role", "content", "tool_calls", "tool_results", "timestamp"]);
    let time = time.and_then(time_ms);
    let mut emit = |mut part: Part<'a>| {
        part.time_ms = time;
        each(part);
    };
    for call in calls.into_iter().flat_map(|calls| calls.items()) {
        let [id, name, input] = call.fields(["id", "name", "input"]);
        emit(Part::call(call, name, id, input));
    }
    for result in results.into_iter().flat_map(|results| results.items()) {
        let [id, success, content] = result.fields(["tool_use_id", "success", "content"]);
        let content = content.map_or_else(Content::empty, |content| {
            Content::view(blocks::mixtape, content)
        });
        let output = LazyOutput::request(content, CacheRule::Value);
        let mut part = Part::output(result, id, output);
        part.is_error = success.and_then(|flag| flag.bool()) == Some(false);
        emit(part);
    }
    let Some(content) = content else { return };
    if role.is_some_and(|role| role.is_text("System")) {
        emit(Part::system(content, "system"));
        return;
    }
    let role = match role.and_then(|role| role.text()).as_deref() {
        Some("Assistant") => Role::Assistant,
        _ => Role::User,
    };
    let mut part = Part::message(role, content, Content::view(blocks::anthropic, content));
    part.span = content.span();
    emit(part);
}
