//! The native format: JSON Lines, a header and then one event a line, appended as it happens.
//!
//! One complete line of each kind:
//!
//! ```json
//! {"toolreel":1,"title":"Two pages read","started":"2026-03-23T10:00:00.000Z","result_cache":{"threshold_bytes":65536,"page_size":64}}
//! {"type":"message","time":"2026-03-23T10:00:00.000Z","role":"user","content":"Find the oldest open bug."}
//! {"type":"message","time":"2026-03-23T10:00:01.000Z","role":"assistant","content":[{"type":"text","text":"I'll ask the tracker."}]}
//! {"type":"thinking","time":"2026-03-23T10:00:01.100Z","text":"There may be many."}
//! {"type":"tool_call","time":"2026-03-23T10:00:01.200Z","id":"call_01","tool":"search_issues","arguments":{"q":"is:open"}}
//! {"type":"tool_output","time":"2026-03-23T10:00:03.000Z","id":"call_01","returned":{"value":[{"number":4612},{"number":4609}]},"sent":{"blocks":[{"type":"json","value":{"handle":"mcp-cache-0","total_items":2,"page_size":1,"first_page":[{"number":4612}],"truncated":true,"omitted_items":1,"page_token":"mcp-cache-0:offset:1"}}]}}
//! {"type":"tool_output","time":"2026-03-23T10:00:04.000Z","id":"call_02","returned":{"result":{"Text":"Permission denied"}},"is_error":true}
//! {"type":"cache","time":"2026-03-23T10:00:03.000Z","op":"store","handle":"mcp-cache-0","total_items":2}
//! {"type":"cache","time":"2026-03-23T10:00:05.000Z","op":"page","arguments":{"page_token":"mcp-cache-0:offset:1"},"answer":{"handle":"mcp-cache-0","offset":1,"limit":64,"total_items":2,"items":[{"number":4609}],"next_page_token":null}}
//! {"type":"cache","time":"2026-03-23T10:00:06.000Z","op":"release","arguments":{},"error":"invalid argument: missing `handle` string"}
//! {"type":"system","time":"2026-03-23T10:00:07.000Z","name":"api_error","text":"529 overloaded_error"}
//! {"type":"note","caption":"Here the session was resumed."}
//! {"type":"note","at":6,"tab":"pages","caption":"The token is handle and offset, nothing more."}
//! ```
//!
//! | key | where | meaning |
//! |---|---|---|
//! | `toolreel` | header | version of the format, 1 |
//! | `title`, `started`, `result_cache` | header | all optional; the settings under which the result cache ran |
//! | `type` | event | `message`, `thinking`, `tool_call`, `tool_output`, `cache`, `system`, `note` |
//! | `time` | event | RFC 3339 in UTC, or milliseconds since 1970; optional |
//! | `role`, `content` | message | `user`, `assistant` or `system`; a string or a list of blocks |
//! | `id`, `tool`, `arguments` | tool_call | the id pairs call and output; `arguments_text` holds arguments that are text on the wire, exactly |
//! | `id`, `tool`, `is_error` | tool_output | `is_error` is left out where it is false, `tool` where the call tells it |
//! | `returned`, `sent` | tool_output | what the tool returned, and what the model was sent instead; without `sent` it was sent what was returned. One key each: `value` (any JSON value), `blocks` (a list of blocks) or `result` (mixtape's `ToolResult`) |
//! | `tokens` | tool_output | tokens of what was sent, where somebody counted them |
//! | `op`, `handle`, `total_items`, `arguments`, `answer`, `error` | cache | `store`, `page` and `release` of the result cache with what they answered |
//! | `name`, `text` or `value` | system | an agent's own bookkeeping |
//! | `caption`, `at`, `tab` | note | a caption. With `at` it belongs to the event of that number, on that tab where one is named, and is no event of its own; without, it stands where it was written |
//!
//! Blocks are rig's (`text`, `json`, `image`) and, in the same manner, `document`, `audio`, `video`,
//! `resource`, `resource_link`, `envelope` (an envelope that some wire had made text of, with that
//! `text`) and `unknown`; see [`Block`]. Unknown keys are ignored; an unknown `type` is an event of kind
//! `unknown`.

use crate::json::View;
use crate::session::event::{EventKind, Evidence, Role, Side};
use crate::session::part::{CacheRule, Content, Lazy, LazyAnswer, LazyCache, LazyOutput, Part};
use crate::session::piece::Piece;
use crate::session::time;

use super::{Format, Place, blocks};

mod types;

pub use types::{Block, CacheSettings, Data, Header, Line, MediaFields, Operation, Payload, Time};

/// The version of the format that is written, and the latest that is read.
pub const VERSION: u32 = 1;

/// The reader of the native format.
#[derive(Debug)]
pub(in crate::session) struct Native;

impl Format for Native {
    fn read<'a>(&self, record: View<'a>, _: Place, each: &mut dyn FnMut(Part<'a>)) {
        let [kind, time, version] = record.fields(["type", "time", "toolreel"]);
        let mut part = match kind.and_then(|kind| kind.text()).as_deref() {
            Some("message") => message(record),
            Some("thinking") => Part::thinking(record, record.get("text")),
            Some("tool_call") => call(record),
            Some("tool_output") => output(record),
            Some("cache") => cache(record),
            Some("system") => system(record),
            Some("note") => note(record),
            None if version.is_some() => Part::new(EventKind::System, record, Lazy::Header(record)),
            _ => Part::unknown(record),
        };
        part.time_ms = time.and_then(time_ms);
        each(part);
    }
}

/// A time as text or as milliseconds.
pub(in crate::session) fn time_ms(view: View<'_>) -> Option<i64> {
    view.i64()
        .or_else(|| view.text().and_then(|text| time::parse(&text)))
}

fn message(record: View<'_>) -> Part<'_> {
    let [role, content] = record.fields(["role", "content"]);
    let content = content.unwrap_or(record);
    match role.and_then(|role| role.text()).as_deref() {
        Some("system") => {
            let mut part = Part::system(content, "system");
            part.span = record.span();
            part
        }
        role => {
            let role = match role {
                Some("assistant") => Role::Assistant,
                _ => Role::User,
            };
            Part::message(role, record, Content::view(blocks::rig, content))
        }
    }
}

fn call(record: View<'_>) -> Part<'_> {
    let [id, tool, arguments, text] = record.fields(["id", "tool", "arguments", "arguments_text"]);
    let mut part = Part::call(record, tool, id, arguments);
    part.lazy = Lazy::Call { arguments, text };
    part
}

fn output(record: View<'_>) -> Part<'_> {
    let [id, tool, returned, sent, is_error, tokens] =
        record.fields(["id", "tool", "returned", "sent", "is_error", "tokens"]);
    let returned = returned.and_then(payload);
    let sent = sent.and_then(payload);
    let wire = if returned.is_some() {
        Side::Returned
    } else {
        Side::Sent
    };
    let output = LazyOutput {
        sent: sent.or_else(|| returned.clone()),
        returned,
        evidence: Evidence::Recorded,
        wire,
        rule: CacheRule::Value,
        recorded_tokens: tokens.and_then(|tokens| tokens.u64()),
    };
    let mut part = Part::output(record, id, output);
    part.tool = tool.and_then(|tool| tool.text());
    part.is_error = is_error.and_then(|flag| flag.bool()).unwrap_or(false);
    part
}

/// One side of an output: a value, blocks, or mixtape's `ToolResult`.
fn payload(view: View<'_>) -> Option<Content<'_>> {
    let [value, list, result] = view.fields(["value", "blocks", "result"]);
    match (value, list, result) {
        (Some(value), ..) => Some(Content::One(Piece::Json(value))),
        (_, Some(list), _) => Some(Content::view(blocks::rig, list)),
        (.., Some(result)) => Some(Content::view(blocks::mixtape, result)),
        _ => None,
    }
}

fn cache(record: View<'_>) -> Part<'_> {
    let [op, handle, total] = record.fields(["op", "handle", "total_items"]);
    let [arguments, answer, error] = record.fields(["arguments", "answer", "error"]);
    let asked = LazyAnswer {
        arguments,
        answer,
        error: error.filter(View::is_string),
    };
    let failed = asked.error.is_some();
    let operation = match op.and_then(|op| op.text()).as_deref() {
        Some("store") => LazyCache::Store {
            handle,
            total_items: total.and_then(|total| total.u64()),
        },
        Some("page") => LazyCache::Page(asked),
        Some("release") => LazyCache::Release(asked),
        _ => return Part::unknown(record),
    };
    let mut part = Part::new(EventKind::Cache, record, Lazy::Cache(operation));
    part.is_error = failed;
    part
}

fn system(record: View<'_>) -> Part<'_> {
    let [name, text, value] = record.fields(["name", "text", "value"]);
    let name = name.and_then(|name| name.text());
    let value = text.or(value).unwrap_or(record);
    let mut part = Part::system(value, name.unwrap_or("system".into()));
    part.span = record.span();
    part
}

fn note(record: View<'_>) -> Part<'_> {
    let [at, tab, text] = record.fields(["at", "tab", "caption"]);
    let lazy = match at.and_then(|at| at.u64()) {
        Some(at) => Lazy::Caption { at, tab, text },
        None => Lazy::Note(text),
    };
    Part::new(EventKind::Note, record, lazy)
}
