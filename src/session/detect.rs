//! Telling what a recording is by its content, never by its name.
//!
//! First the layout, lines or one document, then the format: records from the beginning vote, each by
//! its shape. A record that could be of several formats does not vote; where nothing tells a
//! conversation from OpenAI Chat, it is OpenAI Chat.

use std::io;

use crate::json::{Kind, Record, View};

use super::document::{self, Slot};
use super::format::{Format, FormatName, other};
use super::source::Source;

mod votes;

use votes::Tally;

/// How the records of a recording are laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Layout {
    /// One record a line.
    Lines,
    /// A JSON document, or several one after another; each is split where its conversation is, or left
    /// whole.
    Document { split: bool },
    /// Text, all of it one record.
    Text,
}

/// What was found out from the beginning of a recording.
#[derive(Debug, Clone, Copy)]
pub(super) struct Detected {
    pub(super) format: FormatName,
    pub(super) layout: Layout,
    /// The first byte behind a byte order mark.
    pub(super) start: u64,
    /// Too little was there to be sure: look again when it has grown.
    pub(super) unsure: bool,
}

impl Detected {
    /// Whether more bytes mean that everything must be read again.
    pub(super) fn is_rewritten_whole(&self) -> bool {
        self.unsure || self.layout != Layout::Lines
    }

    pub(super) fn reader(&self) -> &'static dyn Format {
        match (self.format, self.layout) {
            (FormatName::Json, Layout::Lines) => &other::JsonLines,
            (format, _) => format.format(),
        }
    }
}

/// The UTF-8 byte order mark.
const BOM: &[u8] = b"\xEF\xBB\xBF";

/// How much is looked at first.
const HEAD: u64 = 256 << 10;

/// How much is looked at where the first bytes do not tell.
const MORE: u64 = 16 << 20;

/// How much of a document is looked at for its outermost keys.
const OUTLINE: usize = 64 << 10;

/// Lines or elements that vote.
const VOTERS: usize = 64;

/// Looks at the beginning of a recording.
pub(super) fn detect(source: &Source) -> io::Result<Detected> {
    let length = source.len()?;
    let head = source.read_range(0, HEAD)?;
    let whole = head.len() as u64 >= length;
    let start = if head.starts_with(BOM) { BOM.len() } else { 0 };
    let bytes = head.get(start..).unwrap_or_default();
    let found = match long_line(source, bytes, length)? {
        Some(line) => lines_format(line.get(start..).unwrap_or_default(), true),
        None => look(bytes, whole).unwrap_or((FormatName::Unknown, Layout::Lines, true)),
    };
    let (format, layout, unsure) = match found {
        (FormatName::Json, Layout::Document { .. }, _) if !whole => {
            // The first part of the document does not tell: look further before giving up.
            let more = source.read_range(0, MORE)?;
            let whole = more.len() as u64 >= length;
            document_format(more.get(start..).unwrap_or_default(), whole)
        }
        found => found,
    };
    Ok(Detected {
        format,
        layout,
        start: start as u64,
        unsure,
    })
}

/// The first line where it is longer than the first look, whole JSON, and not all there is: then the
/// recording is lines. A document may also stand in one line.
fn long_line(source: &Source, head: &[u8], length: u64) -> io::Result<Option<Vec<u8>>> {
    let json = matches!(head.trim_ascii_start().first(), Some(b'{' | b'['));
    if head.len() as u64 >= length || !json || head.contains(&b'\n') {
        return Ok(None);
    }
    let mut at = 0;
    let mut window = vec![0; 1 << 20];
    while at < MORE {
        let read = source.read_at(&mut window, at)?;
        let bytes = window.get(..read).unwrap_or_default();
        if let Some(found) = memchr::memchr(b'\n', bytes) {
            let end = at + found as u64;
            let line = source.read_range(0, end)?;
            let is_last = end + 1 >= length;
            let text = line.strip_prefix(BOM).unwrap_or(&line);
            let is_line = !is_last && Record::new().check(text).is_ok();
            return Ok(is_line.then_some(line));
        }
        if read < window.len() {
            break;
        }
        at += read as u64;
    }
    Ok(None)
}

type Found = (FormatName, Layout, bool);

fn look(bytes: &[u8], whole: bool) -> Option<Found> {
    let first = *bytes.trim_ascii_start().first()?;
    if !matches!(first, b'{' | b'[') {
        return Some(text_or_lines(bytes, whole));
    }
    if is_lines(bytes, whole) {
        return Some(lines_format(bytes, whole));
    }
    Some(document_format(bytes, whole))
}

/// Whether what begins like JSON is one record a line.
fn is_lines(bytes: &[u8], whole: bool) -> bool {
    let bytes = bytes.trim_ascii_start();
    let end = memchr::memchr(b'\n', bytes);
    let (first, rest) = bytes.split_at(end.unwrap_or(bytes.len()));
    let more = !rest.trim_ascii().is_empty();
    let mut record = Record::new();
    if record.check(first.trim_ascii()).is_ok() {
        return more;
    }
    // Not whole in its first line. A document goes on in the next, lines do not.
    let newline_in_string = |record: &Record| {
        let mut faults = record.faults().iter();
        faults.any(|fault| bytes.get(fault.offset) == Some(&b'\n'))
    };
    match record.check(bytes) {
        Ok(()) if !newline_in_string(&record) => false,
        Err(broken) if broken.reason == "cut off" && !newline_in_string(&record) => {
            // Cut by our own look, or really; lines that are whole JSON decide.
            whole && broken.offset <= first.len() && other_lines_are_json(rest)
        }
        Err(broken) if broken.offset > first.len() && broken.reason.starts_with("something") => {
            // Documents one after another.
            false
        }
        _ => other_lines_are_json(rest),
    }
}

fn other_lines_are_json(rest: &[u8]) -> bool {
    voting_lines(rest, false).any(|line| {
        matches!(line.first(), Some(b'{' | b'[')) && line.len() > 2 && View::check(line).is_ok()
    })
}

/// The first lines that are there whole.
fn voting_lines(bytes: &[u8], whole: bool) -> impl Iterator<Item = &[u8]> {
    let end = if whole {
        bytes.len()
    } else {
        memchr::memrchr(b'\n', bytes).map_or(bytes.len(), |end| end + 1)
    };
    bytes
        .get(..end)
        .unwrap_or_default()
        .split(|byte| *byte == b'\n')
        .map(<[u8]>::trim_ascii)
        .filter(|line| !line.is_empty())
        .take(VOTERS)
}

fn lines_format(bytes: &[u8], whole: bool) -> Found {
    let mut tally = Tally::default();
    let mut record = Record::new();
    let mut seen = 0;
    for line in voting_lines(bytes, whole) {
        seen += 1;
        if record.check(line).is_ok() {
            tally.record(record.view(line), Slot::Whole);
        } else {
            tally.text(line);
        }
    }
    let format = tally.winner().unwrap_or(FormatName::Json);
    (
        format,
        Layout::Lines,
        format == FormatName::Json && seen < 8,
    )
}

fn document_format(bytes: &[u8], whole: bool) -> Found {
    let mut tally = Tally::default();
    tally.outline(View::trusted(bytes.get(..OUTLINE).unwrap_or(bytes)));
    let mut spans = Vec::new();
    let mut splitter = document::splitter(0, true);
    for window in bytes.chunks(64 << 10) {
        splitter.feed(window, &mut |span| spans.push(span));
        if spans.len() >= VOTERS * 4 {
            break;
        }
    }
    if whole && spans.len() < VOTERS * 4 {
        splitter.finish(&mut |span| spans.push(span));
    }
    let mut record = Record::new();
    for span in spans.iter().filter(|span| !span.broken) {
        let range = span.start as usize..span.end as usize;
        let Some(part) = bytes.get(range) else {
            continue;
        };
        if record.check(part).is_ok() {
            tally.record(record.view(part), span.tag);
        }
    }
    let Some(format) = tally.winner() else {
        let text = spans.is_empty() && whole || spans.first().is_some_and(|span| span.broken);
        return if text {
            text_found(bytes)
        } else {
            (FormatName::Json, Layout::Document { split: false }, true)
        };
    };
    let layout = match format {
        FormatName::Native | FormatName::ClaudeCode | FormatName::CodexRollout => Layout::Lines,
        _ => Layout::Document {
            split: !tally.is_block_list(),
        },
    };
    (format, layout, false)
}

/// What does not begin like JSON: lines of which some are JSON, one JSON scalar, or text.
fn text_or_lines(bytes: &[u8], whole: bool) -> Found {
    let container = |line: &[u8]| {
        let view = View::check(line).ok();
        view.is_some_and(|(view, _)| matches!(view.kind(), Kind::Object | Kind::Array))
    };
    if voting_lines(bytes, whole).any(container) {
        return lines_format(bytes, whole);
    }
    let mut tally = Tally::default();
    for line in voting_lines(bytes, whole) {
        tally.text(line);
    }
    if let Some(format) = tally.winner() {
        return (format, Layout::Lines, false);
    }
    if whole && View::check(bytes).is_ok() {
        return (FormatName::Json, Layout::Document { split: false }, true);
    }
    text_found(bytes)
}

fn text_found(bytes: &[u8]) -> Found {
    let cut = match std::str::from_utf8(bytes) {
        Ok(_) => true,
        // A character may be cut at the end of what was looked at.
        Err(error) => error.error_len().is_none(),
    };
    let format = if cut && !bytes.contains(&0) {
        FormatName::Text
    } else {
        FormatName::Unknown
    };
    (format, Layout::Text, true)
}
