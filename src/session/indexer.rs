//! The one pass over a recording: bytes to records, records to events, events to the index.

use std::io;
use std::time::{Duration, Instant};

use super::detect::{Detected, Layout};
use super::document_reader::DocumentReader;
use super::draft::{Drafts, Found};
use super::event::EventId;
use super::facts::{Counts, Facts};
use super::format::native::CacheSettings;
use super::format::{Format, Place};
use super::index::Index;
use super::lines::{LineReader, Stretch};
use super::source::Source;

/// How many bytes of lines one thread reads before what it found is merged.
const STRETCH: u64 = 2 << 20;

/// More threads than this do not make the reading of one file faster.
const MOST_THREADS: usize = 4;

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

#[derive(Debug)]
pub(super) struct Indexer {
    format: &'static dyn Format,
    layout: Layout,
    /// The next byte to be read: always the beginning of a record.
    at: u64,
    /// Line ends before it.
    line: u32,
    complete: bool,
    /// It grew after its end was reached once.
    followed: bool,
    /// The length of the source when its end was reached.
    seen: u64,
    tail: Tail,
    facts: Facts,
    /// One for each thread.
    readers: Vec<LineReader>,
    document: Option<DocumentReader>,
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

impl Indexer {
    pub(super) fn new(detected: &Detected) -> Self {
        Self {
            format: detected.reader(),
            layout: detected.layout,
            at: detected.start,
            line: 0,
            complete: false,
            followed: false,
            seen: 0,
            tail: Tail::None,
            facts: Facts::default(),
            readers: Vec::new(),
            document: match detected.layout {
                Layout::Document { split } => Some(DocumentReader::new(detected.start, split)),
                Layout::Lines | Layout::Text => None,
            },
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
        self.facts.len()
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
        self.facts.publish(self.complete, generation)
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
            let found = Found {
                bytes: &[],
                length: length - self.at,
                offset: self.at,
                line: 1,
                place: Place::Record,
            };
            let mut drafts = Drafts::default();
            drafts.take_text(self.format, &found);
            self.facts.merge(&drafts, 0);
        }
        self.at = length;
        self.seen = length;
        self.complete = true;
        Ok(())
    }

    fn advance_lines(&mut self, source: &Source, budget: Budget) -> io::Result<()> {
        let started = Instant::now();
        let stop = self.at.saturating_add(budget.bytes);
        if self.tail == Tail::Shown && !self.complete {
            self.facts.withdraw_bad();
            self.tail = Tail::None;
        }
        let threads = std::thread::available_parallelism()
            .map_or(1, |threads| threads.get().min(MOST_THREADS));
        self.readers.resize_with(threads, LineReader::default);
        while !self.complete {
            let wanted = source.len()?.min(stop).saturating_sub(self.at);
            // A stretch for each thread, one where there is little to do.
            let stretches = (wanted / STRETCH).clamp(1, threads as u64) as usize;
            let ends = self.read_stretches(source, stretches, wanted.clamp(1, STRETCH))?;
            for (reader, end) in self.readers.iter().zip(&ends) {
                self.facts.merge(&reader.drafts, self.line);
                self.line = self.line.saturating_add(reader.drafts.lines);
                self.at = self.at.max(end.end);
            }
            if let Some(rest) = ends.into_iter().find_map(|end| end.rest) {
                self.seen = self.at + rest.len() as u64;
                self.tail_line(&rest, !self.followed);
                self.complete = true;
            }
            if self.at >= stop || started.elapsed() >= budget.time {
                break;
            }
        }
        Ok(())
    }

    /// Reads the next stretches of lines, each on a thread of its own.
    fn read_stretches(
        &mut self,
        source: &Source,
        count: usize,
        length: u64,
    ) -> io::Result<Vec<Stretch>> {
        let (format, at) = (self.format, self.at);
        let stretch = |number: usize| {
            let start = at + number as u64 * length;
            (start, start + length)
        };
        let Some((first, others)) = self.readers.split_first_mut() else {
            return Ok(Vec::new());
        };
        std::thread::scope(|scope| {
            let others: Vec<_> = others
                .iter_mut()
                .take(count - 1)
                .enumerate()
                .map(|(number, reader)| {
                    let (start, stop) = stretch(number + 1);
                    scope.spawn(move || reader.read(source, format, start, stop, false))
                })
                .collect();
            let (start, stop) = stretch(0);
            let mut ends = vec![first.read(source, format, start, stop, true)];
            ends.extend(others.into_iter().map(|other| {
                other.join().unwrap_or_else(|_| {
                    Err(io::Error::other("a thread that reads the recording failed"))
                })
            }));
            ends.into_iter().collect()
        })
    }

    /// A last line without its end: an event where it is whole JSON, else waiting or bad.
    fn tail_line(&mut self, rest: &[u8], at_rest: bool) {
        self.tail = Tail::None;
        let trimmed = rest.trim_ascii_end();
        let Some(reader) = self.readers.first_mut().filter(|_| !trimmed.is_empty()) else {
            return;
        };
        if reader.is_whole(trimmed) {
            reader.read_line(self.format, trimmed, self.at);
            self.at += trimmed.len() as u64;
        } else if at_rest {
            reader.read_line(self.format, rest, self.at);
            self.tail = Tail::Shown;
        } else {
            self.tail = Tail::Pending;
            return;
        }
        self.facts.merge(&reader.drafts, self.line);
    }

    /// The records of a document, as far as the budget goes.
    fn advance_document(&mut self, source: &Source, budget: Budget) -> io::Result<()> {
        let started = Instant::now();
        let stop = self.at.saturating_add(budget.bytes);
        let Some(document) = &mut self.document else {
            return Ok(());
        };
        while !self.complete {
            let (end, last) = document.step(source, self.format)?;
            self.facts.merge(&document.drafts, 0);
            self.at = if last { source.len()?.max(end) } else { end };
            self.seen = self.at;
            self.complete = last;
            if self.at >= stop || started.elapsed() >= budget.time {
                break;
            }
        }
        Ok(())
    }
}
