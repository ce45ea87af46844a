//! rig's messages, 0.42 to 0.46 and older, and its bare `ToolOutput`.
//!
//! Three dialects of ids exist in three versions: `"call_1"`, `{"provider":{"call_id":"call_1"}}` and
//! `{"provider":"call_1"}` or `{"local":"…"}`.

use std::borrow::Cow;

use crate::json::View;
use crate::session::event::{Evidence, Role, Side};
use crate::session::part::{CacheRule, Content, Lazy, LazyOutput, Part, id_text};

use super::body::{self, Unit};
use super::{Format, Place, blocks};

/// The reader of rig messages.
#[derive(Debug)]
pub(in crate::session) struct Rig;

impl Format for Rig {
    fn read<'a>(&self, record: View<'a>, place: Place, each: &mut dyn FnMut(Part<'a>)) {
        if is_tool_output(record) {
            let output = LazyOutput {
                returned: Some(Content::view(blocks::rig, record)),
                sent: None,
                evidence: Evidence::Log,
                wire: Side::Returned,
                rule: CacheRule::Value,
                recorded_tokens: None,
            };
            each(Part::output(record, None, output));
            return;
        }
        body::walk(record, place, &mut |unit| match unit {
            Unit::System(prompt) => each(Part::system(prompt, "system")),
            Unit::Message(message) => read_message(message, each),
            Unit::Other(value) => each(read_item(value, Role::Assistant)),
        });
    }

    fn is_conversation(&self, record: View<'_>) -> bool {
        body::is_conversation(record)
    }
}

/// A list of blocks without a role is a `ToolOutput`.
fn is_tool_output(record: View<'_>) -> bool {
    let Some(first) = record.items().next() else {
        return false;
    };
    let [role, kind] = first.fields(["role", "type"]);
    role.is_none()
        && kind
            .and_then(|kind| kind.text())
            .is_some_and(|kind| matches!(kind.as_ref(), "text" | "json" | "image"))
}

fn read_message<'a>(message: View<'a>, each: &mut dyn FnMut(Part<'a>)) {
    let [role, content] = message.fields(["role", "content"]);
    let role = match role.and_then(|role| role.text()).as_deref() {
        Some("system") => {
            let mut part = Part::system(content.unwrap_or(message), "system");
            part.span = message.span();
            each(part);
            return;
        }
        Some("assistant") => Role::Assistant,
        Some(_) => Role::User,
        None => {
            each(read_item(message, Role::Assistant));
            return;
        }
    };
    match content {
        Some(content) if content.is_array() => {
            let mut empty = true;
            for item in content.items() {
                empty = false;
                each(read_item(item, role));
            }
            if empty {
                each(Part::message(role, message, Content::empty()));
            }
        }
        Some(content) => each(Part::message(
            role,
            message,
            Content::view(blocks::rig, content),
        )),
        None => each(Part::message(role, message, Content::empty())),
    }
}

/// One part of a message's content.
fn read_item(item: View<'_>, role: Role) -> Part<'_> {
    let [kind, function] = item.fields(["type", "function"]);
    let kind = kind.and_then(|kind| kind.text());
    match kind.as_deref() {
        Some("toolcall") => call(item, function),
        None if function.is_some_and(|function| function.is_object()) => call(item, function),
        Some("toolresult") => output(item),
        Some("reasoning") => {
            let [reasoning, content, text] = item.fields(["reasoning", "content", "text"]);
            Part::thinking(item, reasoning.or(content).or(text))
        }
        None if !item.is_string() => Part::unknown(item),
        _ => Part::message(role, item, Content::view(blocks::rig, item)),
    }
}

fn call<'a>(item: View<'a>, function: Option<View<'a>>) -> Part<'a> {
    let [name, arguments, invalid] =
        function
            .unwrap_or(item)
            .fields(["name", "arguments", "invalid_arguments"]);
    let mut part = Part::call(item, name, None, arguments);
    part.lazy = Lazy::Call {
        arguments,
        text: invalid,
    };
    part.call_id = item.get("id").and_then(id);
    part
}

fn output(item: View<'_>) -> Part<'_> {
    let [call, old_id, name, content, is_error] =
        item.fields(["call", "id", "name", "content", "is_error"]);
    let content = content.map_or_else(Content::empty, |content| {
        Content::view(blocks::rig, content)
    });
    let output = LazyOutput::request(content, CacheRule::Value);
    let mut part = Part::output(item, None, output);
    part.call_id = call.or(old_id).and_then(id);
    part.tool = name.and_then(|name| name.text());
    part.is_error = is_error.and_then(|flag| flag.bool()).unwrap_or(false);
    part
}

/// A call id in any of the dialects.
fn id(view: View<'_>) -> Option<Cow<'_, str>> {
    if !view.is_object() {
        return id_text(view);
    }
    let [provider, local, call_id] = view.fields(["provider", "local", "call_id"]);
    match provider {
        Some(provider) if provider.is_object() => provider.get("call_id").and_then(id_text),
        Some(provider) => id_text(provider),
        None => local.or(call_id).and_then(id_text),
    }
}
