//! The one pass over a recording: bytes to records, records to parts, parts to the index.

use std::io;
use std::time::{Duration, Instant};

use memchr::{memchr, memchr_iter};

use crate::json::{Record, Splitter, View};

use super::detect::{Detected, Layout};
use super::document::{self, Slot};
use super::event::{EventId, EventKind, EventRecord, NameId};
use super::format::native::{CacheSettings, Header};
use super::format::{Format, Place};
use super::index::{Builder, Index, Packed};
use super::names::Names;
use super::pairing::{Pair, Pairing};
use super::part::{Lazy, Part};
use super::source::Source;

/// How much is read at once.
const WINDOW: usize = 256 << 10;

/// How much of a document is read at once: elements that lie in two windows are read again.
const DOCUMENT_WINDOW: usize = 1 << 20;

/// A document that is one single value is not looked at beyond this length.
const LARGEST_CHECKED: u64 = 64 << 20;

/// A buffer that had to grow beyond this for one long record is given back.
const KEEP: usize = 8 << 20;

/// How far one step of the index may go.
#[derive(Debug, Clone, Copy)]
pub struct Budget {
    /// Bytes of the recording.
    pub bytes: u64,
    /// Time.
    pub time: Duration,
}

impl Budget {
    /// As far as it goes.
    pub const ALL: Self = Self {
        bytes: u64::MAX,
        time: Duration::MAX,
    };
}

/// A caption that belongs to an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caption {
    /// The event.
    pub at: EventId,
    /// The tab that it is written for.
    pub tab: Option<String>,
    /// What it says.
    pub text: String,
}

/// What the header of a native recording tells.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Head {
    /// What the recording shows.
    pub title: Option<String>,
    /// The settings under which the result cache ran.
    pub result_cache: Option<CacheSettings>,
}

/// What is counted while the index grows. Tools that a provider ran itself do not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Counts {
    pub(super) calls: u64,
    pub(super) outputs: u64,
    pub(super) unanswered_calls: u64,
    pub(super) orphan_outputs: u64,
    pub(super) bad_lines: u64,
}

#[derive(Debug)]
pub(super) struct Indexer {
    format: &'static dyn Format,
    layout: Layout,
    /// The next byte to be read: always the beginning of a record.
    at: u64,
    /// The line that begins there, from 1.
    line: u32,
    complete: bool,
    /// It grew after its end was reached once.
    followed: bool,
    /// The length of the source when its end was reached.
    seen: u64,
    tail: Tail,
    facts: Facts,
    scratch: Record,
    buffer: Vec<u8>,
    /// For documents.
    splitter: Option<Splitter<Slot>>,
    /// Up to where line ends of a document are counted.
    counted: u64,
}

/// A last line without its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tail {
    None,
    /// It is no whole JSON yet and not shown.
    Pending,
    /// It is shown as a bad line, the last event.
    Shown,
}

/// What has been found so far.
#[derive(Debug, Default)]
struct Facts {
    names: Names,
    pairing: Pairing,
    builder: Builder,
    counts: Counts,
    captions: Vec<Caption>,
    head: Head,
}

/// One record and where it stands.
struct Found<'a> {
    bytes: &'a [u8],
    /// The record's length, also where its bytes are not held.
    length: u64,
    offset: u64,
    line: u32,
    place: Place,
}

impl Indexer {
    pub(super) fn new(detected: &Detected) -> Self {
        Self {
            format: detected.reader(),
            layout: detected.layout,
            at: detected.start,
            line: 1,
            complete: false,
            followed: false,
            seen: 0,
            tail: Tail::None,
            facts: Facts::default(),
            scratch: Record::new(),
            buffer: Vec::new(),
            splitter: match detected.layout {
                Layout::Document { split } => Some(document::splitter(detected.start, split)),
                Layout::Lines | Layout::Text => None,
            },
            counted: detected.start,
        }
    }

    /// How far the bytes are indexed.
    pub(super) const fn at(&self) -> u64 {
        self.at
    }

    pub(super) const fn is_complete(&self) -> bool {
        self.complete
    }

    pub(super) fn len(&self) -> usize {
        self.facts.builder.len()
    }

    pub(super) const fn counts(&self) -> Counts {
        self.facts.counts
    }

    pub(super) fn captions(&self) -> Vec<Caption> {
        self.facts.captions.clone()
    }

    pub(super) fn head(&self) -> Head {
        self.facts.head.clone()
    }

    pub(super) fn publish(&self, generation: u64) -> Index {
        let facts = &self.facts;
        facts
            .builder
            .publish(facts.names.publish(), self.complete, generation)
    }

    /// The length of the source when its end was reached.
    pub(super) const fn seen_length(&self) -> u64 {
        self.seen
    }

    /// Says that the source has grown.
    pub(super) const fn resume(&mut self) {
        self.followed = true;
        self.complete = false;
    }

    /// Shows a last line that was waiting for its end. False when there is none.
    pub(super) fn show_tail(&mut self, source: &Source) -> io::Result<bool> {
        if self.tail != Tail::Pending {
            return Ok(false);
        }
        let bytes = source.read_range(self.at, u64::MAX)?;
        self.tail_line(&bytes, true);
        Ok(self.tail == Tail::Shown)
    }

    /// Reads on. The first pass shows a last line without its end even where it is no whole JSON; later
    /// somebody is writing, and it waits for [`Self::show_tail`].
    pub(super) fn advance(&mut self, source: &Source, budget: Budget) -> io::Result<()> {
        match self.layout {
            Layout::Lines => self.advance_lines(source, budget),
            Layout::Document { .. } => self.advance_document(source, budget),
            Layout::Text => self.text(source),
        }
    }

    /// The whole file as one record, none of which the index needs to see.
    fn text(&mut self, source: &Source) -> io::Result<()> {
        let length = source.len()?;
        if length > self.at && !self.complete {
            let format = self.format;
            let found = Found {
                bytes: &[],
                length: length - self.at,
                offset: self.at,
                line: 1,
                place: Place::Record,
            };
            let mut part = 0;
            let facts = &mut self.facts;
            let taken = format.read_text(&[], &mut |found_part| {
                facts.add(&found, &found_part, &mut part, false);
            });
            if !taken {
                facts.bad(&found);
            }
        }
        self.at = length;
        self.seen = length;
        self.complete = true;
        Ok(())
    }

    /// The records of a document, as far as the budget goes.
    fn advance_document(&mut self, source: &Source, budget: Budget) -> io::Result<()> {
        let started = Instant::now();
        let stop = self.at.saturating_add(budget.bytes);
        let mut buffer = std::mem::take(&mut self.buffer);
        let mut spans = Vec::new();
        while !self.complete {
            let size = room(source, self.at, DOCUMENT_WINDOW)?;
            buffer.resize(size, 0);
            let read = source.read_at(&mut buffer, self.at)?;
            let window = buffer.get(..read).unwrap_or_default();
            if let Some(splitter) = &mut self.splitter {
                splitter.feed(window, &mut |span| spans.push(span));
                if read < size {
                    splitter.finish(&mut |span| spans.push(span));
                    self.complete = true;
                }
            }
            let end = self.at + read as u64;
            for span in spans.drain(..) {
                self.span(source, window, span, end)?;
            }
            self.count_lines(source, window, end)?;
            self.at = end;
            self.seen = end;
            if self.splitter.as_ref().is_some_and(Splitter::is_broken) {
                self.at = source.len()?;
                self.seen = self.at;
                self.complete = true;
            }
            if self.at >= stop || started.elapsed() >= budget.time {
                break;
            }
        }
        self.buffer = buffer;
        Ok(())
    }

    /// One part of a document: from the window where it lies in it whole, else read again.
    fn span(
        &mut self,
        source: &Source,
        window: &[u8],
        span: document::Part,
        read: u64,
    ) -> io::Result<()> {
        let end = if span.end == u64::MAX {
            source.len()?
        } else {
            span.end
        };
        self.count_lines(source, window, span.start.min(read))?;
        let inside = span.start.checked_sub(self.at).and_then(|start| {
            let range =
                usize::try_from(start).ok()?..usize::try_from(end.checked_sub(self.at)?).ok()?;
            window.get(range)
        });
        let length = end.saturating_sub(span.start);
        let mut found = Found {
            bytes: inside.unwrap_or_default(),
            length,
            offset: span.start,
            line: self.line,
            place: span.tag.place(),
        };
        if span.broken {
            self.facts.bad(&found);
        } else if length > LARGEST_CHECKED && self.layout == (Layout::Document { split: false }) {
            self.unseen(&found);
        } else if inside.is_some() {
            self.take(&found);
        } else {
            let bytes = source.read_range(span.start, length)?;
            found.bytes = &bytes;
            self.take(&found);
        }
        Ok(())
    }

    /// A document too large to be looked at only for its kind: one output.
    fn unseen(&mut self, found: &Found<'_>) {
        let format = self.format;
        let facts = &mut self.facts;
        let mut part = 0;
        format.read(View::trusted(b"null"), found.place, &mut |found_part| {
            facts.add(found, &found_part, &mut part, false);
        });
    }

    /// Counts line ends up to `to`, which lies behind what was counted before.
    fn count_lines(&mut self, source: &Source, window: &[u8], to: u64) -> io::Result<()> {
        if to <= self.counted {
            return Ok(());
        }
        let in_window = |offset: u64| usize::try_from(offset.checked_sub(self.at)?).ok();
        let range = in_window(self.counted).zip(in_window(to));
        let bytes = range.and_then(|(from, to)| window.get(from..to));
        let lines = match bytes {
            Some(bytes) => memchr_iter(b'\n', bytes).count(),
            None => {
                let bytes = source.read_range(self.counted, to - self.counted)?;
                memchr_iter(b'\n', &bytes).count()
            }
        };
        self.line = self.line.saturating_add(lines as u32);
        self.counted = to;
        Ok(())
    }

    fn advance_lines(&mut self, source: &Source, budget: Budget) -> io::Result<()> {
        let at_rest = !self.followed;
        let started = Instant::now();
        let stop = self.at.saturating_add(budget.bytes);
        let mut buffer = std::mem::take(&mut self.buffer);
        if self.tail == Tail::Shown && !self.complete {
            self.withdraw_tail();
        }
        let mut window = WINDOW;
        while !self.complete {
            let size = room(source, self.at, window)?;
            buffer.resize(size, 0);
            let read = source.read_at(&mut buffer, self.at)?;
            let bytes = buffer.get(..read).unwrap_or_default();
            let ended = read < size;
            let used = self.lines(bytes);
            self.at += used as u64;
            if ended {
                let rest = bytes.get(used..).unwrap_or_default();
                self.seen = self.at + rest.len() as u64;
                self.tail_line(rest, at_rest);
                self.complete = true;
            } else if used == 0 {
                // One line is longer than the window.
                window *= 2;
                continue;
            }
            window = WINDOW;
            if self.at >= stop || started.elapsed() >= budget.time {
                break;
            }
        }
        if buffer.capacity() > KEEP {
            buffer = Vec::new();
        }
        self.buffer = buffer;
        Ok(())
    }

    /// Takes all whole lines of `bytes`, which begin at `self.at`, and says how many bytes they are.
    fn lines(&mut self, bytes: &[u8]) -> usize {
        let mut used = 0;
        while let Some(length) = bytes.get(used..).and_then(|rest| memchr(b'\n', rest)) {
            let line = bytes.get(used..used + length).unwrap_or_default();
            self.line_record(line, self.at + used as u64);
            self.line = self.line.saturating_add(1);
            used += length + 1;
        }
        used
    }

    fn line_record(&mut self, line: &[u8], offset: u64) {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.iter().all(u8::is_ascii_whitespace) {
            return;
        }
        self.take(&Found {
            bytes: line,
            length: line.len() as u64,
            offset,
            line: self.line,
            place: Place::Record,
        });
    }

    /// A last line without its end: an event where it is whole JSON, else waiting or bad.
    fn tail_line(&mut self, rest: &[u8], at_rest: bool) {
        self.tail = Tail::None;
        let trimmed = rest.trim_ascii_end();
        if trimmed.is_empty() {
            return;
        }
        if self.scratch.check(trimmed).is_ok() {
            self.line_record(trimmed, self.at);
            self.at += trimmed.len() as u64;
        } else if at_rest {
            self.line_record(rest, self.at);
            self.tail = Tail::Shown;
        } else {
            self.tail = Tail::Pending;
        }
    }

    fn withdraw_tail(&mut self) {
        self.facts.builder.pop();
        self.facts.counts.bad_lines = self.facts.counts.bad_lines.saturating_sub(1);
        self.tail = Tail::None;
    }

    fn take(&mut self, found: &Found<'_>) {
        let Self {
            format,
            facts,
            scratch,
            ..
        } = self;
        if scratch.check(found.bytes).is_err() {
            let mut part = 0;
            let taken = format.read_text(found.bytes, &mut |found_part| {
                facts.add(found, &found_part, &mut part, false);
            });
            if !taken {
                facts.bad(found);
            }
            return;
        }
        let view = scratch.view(found.bytes);
        if format.is_conversation(view) {
            facts.pairing.new_scope();
        }
        let faults = scratch.faults();
        let mut owners = Vec::new();
        if !faults.is_empty() {
            let mut parts = Vec::new();
            format.read(view, found.place, &mut |part| parts.push(part));
            owners.extend(faults.iter().map(|fault| owner(&parts, fault.offset)));
        }
        let mut part = 0;
        format.read(view, found.place, &mut |found_part| {
            let faulty = owners.contains(&part);
            facts.add(found, &found_part, &mut part, faulty);
        });
    }
}

/// The size of the next read: the window, or one byte more than there is.
fn room(source: &Source, at: u64, window: usize) -> io::Result<usize> {
    let rest = source.len()?.saturating_sub(at).saturating_add(1);
    Ok(usize::try_from(rest).map_or(window, |rest| rest.min(window)))
}

/// The number of the part that a fault at `offset` belongs to: the first where none covers it.
pub(super) fn owner(parts: &[Part<'_>], offset: usize) -> u32 {
    let events = parts.iter().filter(|part| part.is_event());
    let found = events.enumerate().find(|(_, part)| part.covers(offset));
    found.map_or(0, |(number, _)| number as u32)
}

impl Facts {
    fn bad(&mut self, found: &Found<'_>) {
        self.counts.bad_lines += 1;
        self.builder.push(Packed::new(
            &EventRecord {
                kind: EventKind::Bad,
                role: None,
                line: found.line,
                offset: found.offset,
                bytes: found.length,
                part: 0,
                tool: None,
                call_id: None,
                pair: None,
                is_error: false,
                server: false,
                faulty: false,
                time_ms: None,
            },
            false,
        ));
    }

    fn add(&mut self, found: &Found<'_>, part: &Part<'_>, number: &mut u32, faulty: bool) {
        match &part.lazy {
            Lazy::Header(header) => {
                let header: Option<Header> = serde_json::from_value(header.value()).ok();
                let Some(header) = header else { return };
                self.head = Head {
                    title: header.title,
                    result_cache: header.result_cache,
                };
                return;
            }
            Lazy::Caption { at, tab, text } => {
                let text_of = |view: &crate::json::View<'_>| Some(view.text()?.into_owned());
                let event = usize::try_from(*at).ok().and_then(EventId::from_index);
                self.captions.extend(event.map(|at| Caption {
                    at,
                    tab: tab.as_ref().and_then(text_of),
                    text: text.as_ref().and_then(text_of).unwrap_or_default(),
                }));
                return;
            }
            _ => {}
        }
        let call_id = part.call_id.as_deref().map(|id| self.names.intern(id));
        let mut tool = part.tool.as_deref().map(|tool| self.names.intern(tool));
        let kind = match (part.unless_answering, call_id) {
            (Some(otherwise), id) if !id.is_some_and(|id| self.pairing.knows(id)) => otherwise,
            _ => part.kind,
        };
        let id = EventId::from_position(self.builder.len());
        let counted = part.counted || !part.server;
        let pair = self.pair(id, kind, call_id, &mut tool, counted);
        let packed = Packed::new(
            &EventRecord {
                kind,
                role: part.role,
                line: found.line,
                offset: found.offset,
                bytes: found.length,
                part: *number,
                tool,
                call_id,
                pair: None,
                is_error: part.is_error,
                server: part.server,
                faulty,
                time_ms: part.time_ms,
            },
            found.place == Place::System,
        );
        self.builder.push(packed);
        match pair {
            Pair::Both(other) => {
                self.builder.set_pair(id, other);
                self.builder.set_pair(other, id);
            }
            Pair::Again(call) => self.builder.set_pair(id, call),
            Pair::None => {}
        }
        *number += 1;
    }

    fn pair(
        &mut self,
        id: EventId,
        kind: EventKind,
        call_id: Option<NameId>,
        tool: &mut Option<NameId>,
        counted: bool,
    ) -> Pair {
        let counted = u64::from(counted);
        match kind {
            EventKind::ToolCall => {
                self.counts.calls += counted;
                let pair = self.pairing.call(id, call_id, *tool);
                if pair == Pair::None {
                    self.counts.unanswered_calls += counted;
                } else {
                    self.counts.orphan_outputs -= counted.min(self.counts.orphan_outputs);
                }
                pair
            }
            EventKind::ToolOutput => {
                self.counts.outputs += counted;
                let pair = self.pairing.output(id, call_id, *tool);
                match pair {
                    Pair::Both(call) => {
                        self.counts.unanswered_calls -= counted.min(self.counts.unanswered_calls);
                        *tool = tool.or_else(|| self.builder.tool(call));
                    }
                    Pair::Again(call) => *tool = tool.or_else(|| self.builder.tool(call)),
                    Pair::None => self.counts.orphan_outputs += counted,
                }
                pair
            }
            _ => Pair::None,
        }
    }
}
