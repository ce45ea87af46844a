//! Finding the messages of a provider's body, whatever holds them.
//!
//! The same walk serves an element of a document, a line that is one message, a line that is a whole
//! body, a response, and a wrapper that holds request and response.

use crate::json::{Kind, View};

use super::Place;

/// How deep wrappers are looked into.
const DEEPEST: u32 = 6;

/// What a walk over a body finds.
#[derive(Debug, Clone, Copy)]
pub(in crate::session) enum Unit<'a> {
    /// A system prompt: text, blocks, or an object that holds them.
    System(View<'a>),
    /// A message or item of the conversation.
    Message(View<'a>),
    /// Neither a body nor a message.
    Other(View<'a>),
}

/// Walks over a record.
pub(in crate::session) fn walk<'a>(record: View<'a>, place: Place, each: &mut dyn FnMut(Unit<'a>)) {
    match place {
        Place::System => each(Unit::System(record)),
        Place::Record => walk_value(record, 0, each),
    }
}

/// Whether a record is a conversation of its own.
pub(in crate::session) fn is_conversation(record: View<'_>) -> bool {
    if record.is_array() {
        return true;
    }
    if record.get("role").is_some() {
        return false;
    }
    let [messages, contents, input, request, body] =
        record.fields(["messages", "contents", "input", "request", "body"]);
    [messages, contents, input]
        .into_iter()
        .flatten()
        .any(|list| list.is_array())
        || [request, body, input]
            .into_iter()
            .flatten()
            .any(|inner| inner.is_object())
}

fn walk_value<'a>(record: View<'a>, depth: u32, each: &mut dyn FnMut(Unit<'a>)) {
    match record.kind() {
        Kind::Array if depth < DEEPEST => {
            for item in record.items() {
                walk_value(item, depth + 1, each);
            }
        }
        Kind::Object => walk_object(record, depth, each),
        Kind::String => each(Unit::Message(record)),
        _ => each(Unit::Other(record)),
    }
}

fn walk_object<'a>(record: View<'a>, depth: u32, each: &mut dyn FnMut(Unit<'a>)) {
    let [
        role,
        parts,
        kind,
        messages,
        contents,
        input,
        output,
        choices,
    ] = record.fields([
        "role", "parts", "type", "messages", "contents", "input", "output", "choices",
    ]);
    let list = |view: Option<View<'a>>| view.filter(View::is_array);
    if role.is_some_and(|role| role.is_string()) || list(parts).is_some() {
        each(Unit::Message(record));
        return;
    }
    if kind.is_some_and(|kind| kind.is_string())
        && list(messages).is_none()
        && list(contents).is_none()
    {
        // An item without a role: a call, an output, reasoning.
        each(Unit::Message(record));
        return;
    }
    if depth >= DEEPEST {
        each(Unit::Other(record));
        return;
    }
    let mut found = false;
    let [system, instructions, camel, snake, prompt, camel_prompt] = record.fields([
        "system",
        "instructions",
        "systemInstruction",
        "system_instruction",
        "system_prompt",
        "systemPrompt",
    ]);
    let is_body = [messages, contents, input]
        .into_iter()
        .flatten()
        .any(|list| list.is_array() || list.is_string());
    if is_body {
        for system in [system, instructions, camel, snake, prompt, camel_prompt]
            .into_iter()
            .flatten()
            .filter(|system| !system.is_null())
        {
            each(Unit::System(system));
        }
    }
    for list in [messages, contents, input].into_iter().filter_map(list) {
        found = true;
        for message in list.items() {
            each(Unit::Message(message));
        }
    }
    if let Some(prompt) = input.filter(View::is_string) {
        found = true;
        each(Unit::Message(prompt));
    }
    let [candidates, request, response, body, message, content] = record.fields([
        "candidates",
        "request",
        "response",
        "body",
        "message",
        "content",
    ]);
    for list in [output, choices, candidates].into_iter().filter_map(list) {
        found = true;
        for item in list.items() {
            walk_value(item, depth + 1, each);
        }
    }
    let [input_body, output_body, request_body, response_body] = record.fields([
        "inputBodyJson",
        "outputBodyJson",
        "requestBody",
        "responseBody",
    ]);
    let [snake_request, snake_response, json] =
        record.fields(["request_body", "response_body", "json"]);
    let inner = [
        request,
        request_body,
        snake_request,
        input,
        input_body,
        body,
        json,
        message,
        content,
        response,
        response_body,
        snake_response,
        output,
        output_body,
    ];
    for inner in inner.into_iter().flatten().filter(View::is_object) {
        found = true;
        walk_value(inner, depth + 1, each);
    }
    if !found {
        each(Unit::Other(record));
    }
}
