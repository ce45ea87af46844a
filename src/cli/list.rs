//! `toolreel list`: one line per event.

use super::args::ListArguments;
use super::print::Out;
use super::{CliError, open};
use crate::media;
use crate::session::block::{Block, BlockKind, Media, MediaSource};
use crate::session::event::{Body, CacheOperation, EventKind, Role};
use crate::session::list::Row;
use crate::session::measure::BlockMeasure;
use crate::session::{ReadError, Reader, Session};
use crate::text;

/// Cells that the words of an event may take, so that a line stays a line.
const WORDS: usize = 72;

/// Runs the command.
pub fn run(arguments: &ListArguments) -> Result<(), CliError> {
    let session = open::whole(&arguments.path)?;
    let mut out = Out::new();
    if arguments.json {
        let mut reader = session.reader();
        for (id, _) in session.index().iter() {
            let row = reader
                .row(id)
                .map_err(|error| unreadable(&session, &error))?;
            out.json(&row)?;
        }
    } else {
        print(&session, &mut out)?;
    }
    out.finish()
}

fn unreadable(session: &Session, error: &ReadError) -> CliError {
    CliError::of(session.name(), error)
}

/// The lines for a person: number, kind, tool, size, and what it says.
pub fn print(session: &Session, out: &mut Out) -> Result<(), CliError> {
    let mut reader = session.reader();
    for (id, _) in session.index().iter() {
        let row = reader
            .row(id)
            .map_err(|error| unreadable(session, &error))?;
        let words = words(&mut reader, &row);
        out.line(&in_words(&row, &words))?;
    }
    Ok(())
}

fn in_words(row: &Row, words: &str) -> String {
    let kind = match (row.kind, row.role) {
        (EventKind::Message, Some(Role::User)) => "user",
        (EventKind::Message, Some(Role::Assistant)) => "assistant",
        (EventKind::Message, Some(Role::System)) => "system",
        (kind, _) => kind_name(kind),
    };
    let mark = if row.is_error { "✗" } else { " " };
    let mut parts = Vec::new();
    if let Some(tool) = &row.tool {
        parts.push(text::visible(tool).into_owned());
    }
    if !row.blocks.is_empty() && row.kind == EventKind::ToolOutput {
        let kinds: Vec<_> = row.blocks.iter().map(kind_of_block).collect();
        parts.push(kinds.join("+"));
    }
    if let Some(items) = row.items {
        parts.push(super::info::counted(items, "item"));
    }
    if row.kind == EventKind::ToolOutput {
        parts.push(sizes(row));
    }
    if !words.is_empty() {
        parts.push(text::fit(&text::visible(words), WORDS).into_owned());
    }
    if !row.faults.is_empty() {
        parts.push(super::info::counted(row.faults.len() as u64, "fault"));
    }
    format!("{:>6} {mark} {kind:<11}  {}", row.index, parts.join("  "))
}

/// What was returned and, where it is something else, what was sent.
fn sizes(row: &Row) -> String {
    let bytes = |bytes: u64| format!("{} B", text::grouped(bytes));
    match (row.returned_bytes, row.sent_bytes) {
        (Some(returned), Some(sent)) if returned != sent => {
            format!("{}, sent {}", bytes(returned), bytes(sent))
        }
        (Some(size), _) => bytes(size),
        (None, Some(sent)) => format!("sent {}", bytes(sent)),
        (None, None) => "size unknown".to_owned(),
    }
}

/// What an event says, as far as one line can tell.
fn words(reader: &mut Reader, row: &Row) -> String {
    if let Some(bad) = &row.bad {
        return format!("{} at byte {}", bad.reason, bad.offset);
    }
    let Some(id) = crate::session::event::EventId::from_index(row.index) else {
        return String::new();
    };
    match reader.event(id).map(|event| event.body) {
        Ok(Body::Message { blocks, .. }) => {
            let words: Vec<_> = blocks.iter().map(block_words).collect();
            words.join(" ")
        }
        Ok(Body::Thinking { text }) => text,
        Ok(Body::Note { caption }) => caption,
        Ok(Body::ToolCall(call)) => call.arguments.to_string(),
        Ok(Body::System { name, .. }) => name,
        Ok(Body::Cache(operation)) => match operation {
            CacheOperation::Store {
                handle,
                total_items,
            } => format!("store {handle}, {total_items} items"),
            CacheOperation::Page { arguments, .. } => format!("page {arguments}"),
            CacheOperation::Release { arguments, .. } => format!("release {arguments}"),
        },
        Ok(Body::Unknown { value }) => value.to_string(),
        Ok(Body::ToolOutput(_) | Body::Bad { .. }) | Err(_) => String::new(),
    }
}

/// A block in one line: text as it is, media by what they are.
pub fn block_words(block: &Block) -> String {
    let media = match block {
        Block::Text(text) => return text.clone(),
        Block::Json(json) => return json.value.to_string(),
        Block::Envelope(envelope) => return envelope.value.to_string(),
        Block::Unknown(value) | Block::ResourceLink { value, .. } => return value.to_string(),
        Block::Image(media)
        | Block::Document(media)
        | Block::Audio(media)
        | Block::Video(media)
        | Block::Resource { media, .. } => media,
    };
    let mut words = vec![block_name(block.kind()).to_owned()];
    words.extend(media.name.clone());
    words.extend(media.declared.clone());
    words.push(media_words(media));
    words.join(" ")
}

fn media_words(media: &Media) -> String {
    let size = |bytes: usize| format!("{} B", text::grouped(bytes as u64));
    match &media.source {
        MediaSource::Base64(base64) => match media::decode_base64(base64) {
            Ok(bytes) => size(bytes.len()),
            Err(error) => error.to_string(),
        },
        MediaSource::Bytes(bytes) => size(bytes.len()),
        MediaSource::Text(text) => size(text.len()),
        MediaSource::Url(url) => url.clone(),
        MediaSource::FileId(id) => id.clone(),
        MediaSource::String(_) => "as a string".to_owned(),
        MediaSource::Absent => "not in the recording".to_owned(),
    }
}

fn kind_of_block(block: &BlockMeasure) -> &'static str {
    block_name(block.kind)
}

/// The name that `list --json` has for it.
const fn kind_name(kind: EventKind) -> &'static str {
    match kind {
        EventKind::Message => "message",
        EventKind::Thinking => "thinking",
        EventKind::ToolCall => "tool_call",
        EventKind::ToolOutput => "tool_output",
        EventKind::Cache => "cache",
        EventKind::Note => "note",
        EventKind::System => "system",
        EventKind::Unknown => "unknown",
        EventKind::Bad => "bad",
    }
}

/// The name that `list --json` has for it.
const fn block_name(kind: BlockKind) -> &'static str {
    match kind {
        BlockKind::Text => "text",
        BlockKind::Json => "json",
        BlockKind::Image => "image",
        BlockKind::Document => "document",
        BlockKind::Audio => "audio",
        BlockKind::Video => "video",
        BlockKind::Resource => "resource",
        BlockKind::ResourceLink => "resource_link",
        BlockKind::Envelope => "envelope",
        BlockKind::Unknown => "unknown",
    }
}
