//! OpenAI Chat Completions, and the many bodies that are written like it.
//!
//! Clones differ in small ways that are read along: `arguments` as an object, a tool's name on its
//! message, images beside the text, an error flag, reasoning under three names.

use crate::json::View;
use crate::session::event::Role;
use crate::session::part::{CacheRule, Content, LazyOutput, Part};

use super::body::{self, Unit};
use super::{Format, Place, blocks};

/// The reader of Chat Completions bodies.
#[derive(Debug)]
pub(in crate::session) struct OpenaiChat;

impl Format for OpenaiChat {
    fn read<'a>(&self, record: View<'a>, place: Place, each: &mut dyn FnMut(Part<'a>)) {
        body::walk(record, place, &mut |unit| match unit {
            Unit::System(prompt) => each(Part::system(prompt, "system")),
            Unit::Message(message) => read_message(message, each),
            Unit::Other(value) => each(Part::unknown(value)),
        });
    }

    fn is_conversation(&self, record: View<'_>) -> bool {
        body::is_conversation(record)
    }
}

fn read_message<'a>(message: View<'a>, each: &mut dyn FnMut(Part<'a>)) {
    let [role, content, images] = message.fields(["role", "content", "images"]);
    let role = role.and_then(|role| role.text());
    match role.as_deref() {
        Some(name @ ("system" | "developer")) => {
            let mut part = Part::system(content.unwrap_or(message), name.to_owned());
            part.span = message.span();
            each(part);
        }
        Some("tool" | "function") => each(output(message, content, images)),
        Some("assistant") => assistant(message, content, each),
        Some(_) => said(message, Role::User, content, images, each),
        None => each(Part::unknown(message)),
    }
}

/// The content of a message, one event a block.
fn said<'a>(
    message: View<'a>,
    role: Role,
    content: Option<View<'a>>,
    images: Option<View<'a>>,
    each: &mut dyn FnMut(Part<'a>),
) {
    match content {
        Some(content) if content.is_array() && images.is_none() => {
            let mut empty = true;
            for block in content.items() {
                empty = false;
                let piece = blocks::openai_block(block);
                each(Part::message(role, block, Content::One(piece)));
            }
            if empty {
                each(Part::message(role, message, Content::empty()));
            }
        }
        _ => {
            let content = Content::Views {
                read: blocks::openai,
                views: [content, images],
            };
            each(Part::message(role, message, content));
        }
    }
}

fn assistant<'a>(message: View<'a>, content: Option<View<'a>>, each: &mut dyn FnMut(Part<'a>)) {
    let [calls, legacy, refusal] = message.fields(["tool_calls", "function_call", "refusal"]);
    let [thought, reasoning, plan, thinking] =
        message.fields(["reasoning_content", "reasoning", "tool_plan", "thinking"]);
    let mut found = false;
    let text = |view: Option<View<'a>>| {
        view.filter(|view| view.inner().is_some_and(|inner| !inner.is_empty()))
    };
    for thought in [thought, reasoning, plan, thinking]
        .into_iter()
        .filter_map(text)
    {
        found = true;
        each(Part::thinking(thought, Some(thought)));
    }
    let calls = calls.filter(View::is_array);
    let legacy = legacy.filter(View::is_object);
    let calling = legacy.is_some() || calls.is_some_and(|calls| calls.items().next().is_some());
    match content {
        Some(content) if content.is_array() => {
            for block in content.items() {
                found = true;
                each(assistant_block(block));
            }
        }
        // Next to calls, empty text is how these wires write that there is none.
        Some(content) if content.is_null() || calling && text(Some(content)).is_none() => {}
        Some(content) => {
            found = true;
            let content = Content::view(blocks::openai, content);
            each(Part::message(Role::Assistant, message, content));
        }
        None => {}
    }
    if let Some(refusal) = text(refusal) {
        found = true;
        let content = Content::view(blocks::openai, refusal);
        each(Part::message(Role::Assistant, refusal, content));
    }
    for call in calls.into_iter().flat_map(|calls| calls.items()) {
        found = true;
        each(read_call(call));
    }
    if let Some(legacy) = legacy {
        found = true;
        let [name, arguments] = legacy.fields(["name", "arguments"]);
        each(Part::call(legacy, name, None, arguments));
    }
    if !found {
        each(Part::message(Role::Assistant, message, Content::empty()));
    }
}

fn assistant_block(block: View<'_>) -> Part<'_> {
    let kind = block.get("type").and_then(|kind| kind.text());
    if matches!(kind.as_deref(), Some("thinking" | "reasoning")) {
        let [thinking, text] = block.fields(["thinking", "text"]);
        return Part::thinking(block, thinking.or(text));
    }
    let piece = blocks::openai_block(block);
    Part::message(Role::Assistant, block, Content::One(piece))
}

fn read_call(call: View<'_>) -> Part<'_> {
    let [id, function, custom] = call.fields(["id", "function", "custom"]);
    let [name, arguments, input] =
        function
            .or(custom)
            .unwrap_or(call)
            .fields(["name", "arguments", "input"]);
    Part::call(call, name, id, arguments.or(input))
}

fn output<'a>(message: View<'a>, content: Option<View<'a>>, images: Option<View<'a>>) -> Part<'a> {
    let [id, name, tool_name, is_error] =
        message.fields(["tool_call_id", "name", "tool_name", "is_error"]);
    let content = Content::Views {
        read: blocks::openai,
        views: [content, images],
    };
    let output = LazyOutput::request(content, CacheRule::ReadText);
    let mut part = Part::output(message, id, output);
    part.tool = name.or(tool_name).and_then(|name| name.text());
    part.is_error = is_error.and_then(|flag| flag.bool()).unwrap_or(false);
    part
}
