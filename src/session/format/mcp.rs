//! MCP: JSON-RPC frames, bare or wrapped by a logger, and results of tool calls without a frame.
//!
//! What a server returned is known here and what a model was sent is not. Whether an answer belongs to a
//! tool call is told by its shape, and where the shape does not tell, by the call that it answers.

use crate::json::{Record, View};
use crate::session::event::{EventKind, Evidence, Role, Side};
use crate::session::part::{CacheRule, Content, Lazy, LazyOutput, Part};

use super::native::time_ms;
use super::{Format, Place, blocks};

/// The reader of MCP logs.
#[derive(Debug)]
pub(in crate::session) struct Mcp;

impl Format for Mcp {
    fn read<'a>(&self, record: View<'a>, _: Place, each: &mut dyn FnMut(Part<'a>)) {
        if is_block_list(record) {
            each(bare(record, Content::view(blocks::mcp, record)));
            return;
        }
        // Batches were part of one version of the protocol.
        if record.is_array() {
            for frame in record.items() {
                each(read_frame(frame));
            }
            return;
        }
        each(read_frame(record));
    }

    /// Log lines that end in a frame, and the lines of an event stream.
    fn read_text<'a>(&self, record: &'a [u8], each: &mut dyn FnMut(Part<'a>)) -> bool {
        let line = record.trim_ascii();
        if matches!(line.first(), Some(b'{') | None) {
            return false;
        }
        let open = memchr::memchr_iter(b'{', record).find(|open| {
            memchr::memmem::find(record.get(*open..).unwrap_or_default(), b"\"jsonrpc\"").is_some()
        });
        let frame = open.and_then(|open| first_value(record, open));
        match frame {
            Some(frame) => {
                let mut part = read_frame(frame);
                part.time_ms = part.time_ms.or_else(|| leading_time(line));
                each(part);
            }
            None if is_log_line(line) => {
                let lazy = Lazy::Log(line);
                let mut part = Part::new(EventKind::System, View::trusted(b"null"), lazy);
                part.time_ms = leading_time(line);
                part.span = 0..record.len();
                each(part);
            }
            None => return false,
        }
        true
    }
}

/// The whole JSON value that begins at `open`, whatever follows it.
fn first_value(record: &[u8], open: usize) -> Option<View<'_>> {
    Record::new().check_at(record, open).ok()
}

/// A line as loggers and event streams write it: a time, a level, or a field name first.
fn is_log_line(line: &[u8]) -> bool {
    leading_time(line).is_some()
        || line.starts_with(b"[")
        || [&b"event:"[..], b"data:", b"id:", b"retry:", b":"]
            .iter()
            .any(|field| line.starts_with(field))
}

fn leading_time(line: &[u8]) -> Option<i64> {
    let line = line.strip_prefix(b"[").unwrap_or(line);
    let end = line
        .iter()
        .position(|byte| matches!(byte, b' ' | b']' | b'\t'))
        .unwrap_or(line.len());
    let text = std::str::from_utf8(line.get(..end)?).ok()?;
    crate::session::time::parse(text)
}

/// A frame, wrapped or not, or a result without one.
fn read_frame(record: View<'_>) -> Part<'_> {
    let [version, message, frame, method, result, error] =
        record.fields(["jsonrpc", "message", "frame", "method", "result", "error"]);
    if version.is_none()
        && let Some(inner) = [message, frame]
            .into_iter()
            .flatten()
            .find(|inner| inner.is_object() && inner.get("jsonrpc").is_some())
    {
        let [timestamp, time, ts, t] = record.fields(["timestamp", "time", "ts", "t"]);
        let mut part = read_bare_frame(inner);
        part.time_ms = timestamp.or(time).or(ts).or(t).and_then(time_ms);
        return part;
    }
    if version.is_some() || method.is_some() && (result.is_some() || error.is_some()) {
        return read_bare_frame(record);
    }
    let [content, structured, kind] = record.fields(["content", "structuredContent", "type"]);
    if content.is_some() || structured.is_some() {
        let mut part = bare(record, result_content(record));
        part.is_error = is_error(record);
        return part;
    }
    // A content block alone is no answer to anything.
    if kind.is_some() {
        return Part::message(Role::User, record, Content::One(blocks::mcp_block(record)));
    }
    Part::unknown(record)
}

fn read_bare_frame(frame: View<'_>) -> Part<'_> {
    let [id, method, params, result, error] =
        frame.fields(["id", "method", "params", "result", "error"]);
    if let Some(method) = method.and_then(|method| method.text()) {
        if method == "tools/call"
            && let Some(params) = params
        {
            let [name, arguments] = params.fields(["name", "arguments"]);
            let mut part = Part::call(frame, name, id, arguments);
            part.quoted_id = reads_like_number(id);
            return part;
        }
        return Part::system(frame, method);
    }
    if let Some(error) = error.filter(View::is_object) {
        let [message, data] = error.fields(["message", "data"]);
        let content = Content::Views {
            read: blocks::mcp_error,
            views: [message, data],
        };
        let mut part = Part::output(frame, id, server(content));
        part.quoted_id = reads_like_number(id);
        part.is_error = true;
        part.unless_answering = Some(EventKind::System);
        return part;
    }
    let Some(result) = result else {
        return Part::unknown(frame);
    };
    let [content, structured, kind, legacy] =
        result.fields(["content", "structuredContent", "resultType", "toolResult"]);
    if kind.is_some_and(|kind| kind.is_text("input_required")) {
        return Part::system(frame, "input_required");
    }
    let by_shape = content.is_some_and(|content| content.is_array()) || structured.is_some();
    let content = match legacy {
        Some(legacy) if !by_shape => Content::view(blocks::value, legacy),
        _ if by_shape || !result.is_object() => result_content(result),
        _ => Content::view(blocks::value, result),
    };
    let mut part = Part::output(frame, id, server(content));
    part.quoted_id = reads_like_number(id);
    part.is_error = is_error(result);
    if !by_shape {
        part.unless_answering = Some(EventKind::System);
    }
    part
}

/// Whether an id is a string that a number would be shown like.
fn reads_like_number(id: Option<View<'_>>) -> bool {
    id.and_then(|id| id.inner())
        .and_then(<[u8]>::first)
        .is_some_and(|first| *first == b'-' || first.is_ascii_digit())
}

fn result_content(result: View<'_>) -> Content<'_> {
    Content::Views {
        read: blocks::mcp_result,
        views: result.fields(["content", "structuredContent"]),
    }
}

fn is_error(result: View<'_>) -> bool {
    result
        .get("isError")
        .and_then(|flag| flag.bool())
        .unwrap_or(false)
}

fn is_block_list(record: View<'_>) -> bool {
    record.is_array()
        && record
            .items()
            .next()
            .is_some_and(|first| first.get("type").is_some() && first.get("jsonrpc").is_none())
}

fn bare<'a>(record: View<'a>, content: Content<'a>) -> Part<'a> {
    Part::output(record, None, server(content))
}

const fn server(content: Content<'_>) -> LazyOutput<'_> {
    LazyOutput {
        returned: Some(content),
        sent: None,
        evidence: Evidence::Server,
        wire: Side::Returned,
        rule: CacheRule::Mcp,
        recorded_tokens: None,
    }
}
