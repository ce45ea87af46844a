//! Codex: rollout files, their older form of bare items, and the stream of `codex exec --json`.
//!
//! A rollout tells one result twice: `function_call_output` is what the model was sent, and an
//! `event_msg` such as `exec_command_end` what the tool gave. The two are the two sides of one output.

use std::borrow::Cow;

use crate::json::View;
use crate::session::event::{Evidence, Role, Side};
use crate::session::part::{CacheRule, Companion, Content, Lazy, LazyOutput, Part, id_text};
use crate::session::piece::Piece;

use super::native::time_ms;
use super::{Format, Place, blocks, openai_responses};

/// The reader of Codex rollouts.
#[derive(Debug)]
pub(in crate::session) struct Codex;

impl Format for Codex {
    fn read<'a>(&self, record: View<'a>, _: Place, each: &mut dyn FnMut(Part<'a>)) {
        let [kind, payload, time, item] = record.fields(["type", "payload", "timestamp", "item"]);
        let time = time.and_then(time_ms);
        let mut emit = |mut part: Part<'a>| {
            part.time_ms = time;
            each(part);
        };
        let kind = kind.and_then(|kind| kind.text());
        match (kind.as_deref(), payload, item) {
            (Some("response_item"), Some(item), _) => read_item(item, &mut emit),
            (Some("event_msg"), Some(payload), _) => emit(event(record, payload)),
            (
                Some(
                    name @ ("session_meta"
                    | "turn_context"
                    | "compacted"
                    | "world_state"
                    | "inter_agent_communication_metadata"),
                ),
                Some(_),
                _,
            ) => emit(Part::system(record, name.to_owned())),
            (Some(_), Some(_), _) => emit(Part::unknown(record)),
            (Some("item.completed"), _, Some(item)) => executed(item, &mut emit),
            (Some(name), None, _) if name.contains('.') => {
                emit(Part::system(record, name.to_owned()));
            }
            (Some(_), None, _) => read_item(record, &mut emit),
            (None, ..) if record.get("role").is_some() => read_item(record, &mut emit),
            (None, ..) => emit(Part::system(record, "session_meta")),
        }
    }
}

/// An item as the model sees it: what an output holds is what was sent.
fn read_item<'a>(item: View<'a>, emit: &mut dyn FnMut(Part<'a>)) {
    let kind = item.get("type").and_then(|kind| kind.text());
    match kind.as_deref() {
        Some("tool_call") => {
            let [id, name, arguments, input] =
                item.fields(["call_id", "name", "arguments", "input"]);
            emit(Part::call(
                item,
                name,
                id.or(item.get("id")),
                arguments.or(input),
            ));
        }
        Some("tool_result") => {
            let [id, output, content] = item.fields(["call_id", "output", "content"]);
            let content = Content::Views {
                read: openai_responses::output_pieces,
                views: [output.or(content), None],
            };
            let output = LazyOutput::request(content, CacheRule::ReadText);
            emit(log(Part::output(item, id.or(item.get("id")), output)));
        }
        Some(name @ ("ghost_snapshot" | "agent_message")) => {
            emit(Part::system(item, name.to_owned()));
        }
        _ => openai_responses::read_item(item, &mut |part| emit(log(part))),
    }
}

/// An agent's own account is no request body.
fn log(mut part: Part<'_>) -> Part<'_> {
    if let Lazy::Output(output) = &mut part.lazy {
        output.evidence = Evidence::Log;
    }
    part
}

/// What Codex tells beside the conversation; some of it is the other side of an output.
fn event<'a>(record: View<'a>, payload: View<'a>) -> Part<'a> {
    let [kind, id, camel_id] = payload.fields(["type", "call_id", "callId"]);
    let kind = kind
        .and_then(|kind| kind.text())
        .unwrap_or(Cow::Borrowed("event_msg"));
    let content = match kind.as_ref() {
        "exec_command_end" | "patch_apply_end" => streams(payload),
        "mcp_tool_call_end" => payload.get("result").map(|result| {
            let [ok, error] = result.fields(["Ok", "Err"]);
            match (ok, error) {
                (Some(ok), _) => Content::Views {
                    read: blocks::mcp_result,
                    views: ok.fields(["content", "structuredContent"]),
                },
                (None, Some(error)) => Content::One(Piece::text_or_json(error)),
                (None, None) => Content::One(Piece::text_or_json(result)),
            }
        }),
        "dynamic_tool_call_response" => payload
            .get("content_items")
            .map(|items| Content::view(dynamic_items, items)),
        _ => None,
    };
    let mut part = Part::system(record, kind);
    part.companion = id
        .or(camel_id)
        .and_then(id_text)
        .zip(content)
        .map(|(call_id, returned)| Companion { call_id, returned });
    part
}

/// What a command printed: both streams as they came, where Codex kept that.
fn streams(payload: View<'_>) -> Option<Content<'_>> {
    let [all, stdout, stderr] = payload.fields(["aggregated_output", "stdout", "stderr"]);
    let full = |view: &View<'_>| view.inner().is_some_and(|inner| !inner.is_empty());
    match all.filter(full) {
        Some(all) => Some(Content::One(Piece::Text(all))),
        None if stdout.or(stderr).is_none() => None,
        None => Some(Content::Views {
            read: blocks::streams,
            views: [stdout, stderr],
        }),
    }
}

fn dynamic_items<'a>([items, _]: [Option<View<'a>>; 2], out: &mut Vec<Piece<'a>>) {
    for item in items.into_iter().flat_map(|items| items.items()) {
        out.push(match item.get("text").filter(View::is_string) {
            Some(text) => Piece::Text(text),
            None => blocks::openai_block(item),
        });
    }
}

/// An item of `codex exec --json`, which tells call and result in one.
fn executed<'a>(item: View<'a>, emit: &mut dyn FnMut(Part<'a>)) {
    let [kind, id, text] = item.fields(["type", "id", "text"]);
    match kind.and_then(|kind| kind.text()).as_deref() {
        Some("command_execution") => {
            let [command, output, code] =
                item.fields(["command", "aggregated_output", "exit_code"]);
            let mut call = Part::call(item, None, id, command);
            call.tool = Some("command_execution".into());
            emit(call);
            if let Some(output) = output.filter(View::is_string) {
                let mut part = answer(item, id, Content::One(Piece::Text(output)));
                part.is_error = code
                    .and_then(|code| code.i64())
                    .is_some_and(|code| code != 0);
                emit(part);
            }
        }
        Some("mcp_tool_call") => {
            let [tool, arguments, result, error] =
                item.fields(["tool", "arguments", "result", "error"]);
            emit(Part::call(item, tool, id, arguments));
            let there = |view: Option<View<'a>>| view.filter(|view| !view.is_null());
            if let Some(error) = there(error) {
                let text = error.get("message").unwrap_or(error);
                let mut part = answer(item, id, Content::One(Piece::text_or_json(text)));
                part.is_error = true;
                emit(part);
            } else if let Some(result) = there(result) {
                let [content, structured, camel] =
                    result.fields(["content", "structured_content", "structuredContent"]);
                let content = Content::Views {
                    read: blocks::mcp_result,
                    views: [content, structured.or(camel)],
                };
                emit(answer(item, id, content));
            }
        }
        Some("agent_message") => {
            let content = text.map_or_else(Content::empty, |text| Content::One(Piece::Text(text)));
            emit(Part::message(Role::Assistant, item, content));
        }
        Some("reasoning") => emit(Part::thinking(item, text)),
        Some(name) => emit(Part::system(item, name.to_owned())),
        None => emit(Part::unknown(item)),
    }
}

fn answer<'a>(item: View<'a>, id: Option<View<'a>>, content: Content<'a>) -> Part<'a> {
    let output = LazyOutput {
        returned: Some(content),
        sent: None,
        evidence: Evidence::Log,
        wire: Side::Returned,
        rule: CacheRule::ReadText,
        recorded_tokens: None,
    };
    Part::output(item, id, output)
}
