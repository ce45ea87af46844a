//! Reading one JSON document window by window: while one thread takes a window's parts apart, the next
//! window is read and split.

use std::io;

use memchr::memchr_iter;

use crate::json::{Record, Splitter};

use super::document::{self, Part, Slot};
use super::draft::{Drafts, Found};
use super::format::Format;
use super::lines::room;
use super::source::Source;

/// How much is read at once. A part that lies in two windows is read again.
const WINDOW: usize = 1 << 20;

/// A document that is one single value is not looked at beyond this length.
const LARGEST_CHECKED: u64 = 64 << 20;

/// Reads a document.
#[derive(Debug)]
pub(super) struct DocumentReader {
    splitter: Splitter<Slot>,
    split: bool,
    /// The next byte to be read.
    at: u64,
    /// The line of that byte, from 1.
    line: u32,
    /// The line on which the part begins that the last window ended in.
    open_line: u32,
    /// Read and split, not yet taken apart.
    next: Option<Window>,
    spare: Vec<u8>,
    scratch: Record,
    pub(super) drafts: Drafts,
}

/// A window with the parts that end in it.
#[derive(Debug)]
struct Window {
    at: u64,
    bytes: Vec<u8>,
    /// Each with the line on which it begins.
    parts: Vec<(Part, u32)>,
    last: bool,
}

impl DocumentReader {
    /// For a document that begins at `at`.
    pub(super) fn new(at: u64, split: bool) -> Self {
        Self {
            splitter: document::splitter(at, split),
            split,
            at,
            line: 1,
            open_line: 1,
            next: None,
            spare: Vec::new(),
            scratch: Record::new(),
            drafts: Drafts::default(),
        }
    }

    /// Reads the next window's parts into the drafts. Gives the byte behind it, and whether it was the
    /// last.
    pub(super) fn step(&mut self, source: &Source, format: &dyn Format) -> io::Result<(u64, bool)> {
        let window = match self.next.take() {
            Some(window) => window,
            None => self.read(source)?,
        };
        let mut scratch = std::mem::take(&mut self.scratch);
        let mut drafts = std::mem::take(&mut self.drafts);
        drafts.clear();
        let split = self.split;
        let taken = std::thread::scope(|scope| {
            let (window, scratch, drafts) = (&window, &mut scratch, &mut drafts);
            if window.last {
                return window.take(source, format, split, scratch, drafts);
            }
            let worker = scope.spawn(move || window.take(source, format, split, scratch, drafts));
            self.next = Some(self.read(source)?);
            worker.join().unwrap_or_else(|_| {
                Err(io::Error::other("a thread that reads the recording failed"))
            })
        });
        self.scratch = scratch;
        self.drafts = drafts;
        let end = window.at + window.bytes.len() as u64;
        self.spare = window.bytes;
        taken?;
        Ok((end, window.last))
    }

    /// Reads and splits a window.
    fn read(&mut self, source: &Source) -> io::Result<Window> {
        let mut bytes = std::mem::take(&mut self.spare);
        let size = room(source, self.at, WINDOW)?;
        bytes.resize(size, 0);
        let read = source.read_at(&mut bytes, self.at)?;
        bytes.truncate(read);
        let mut spans = Vec::new();
        self.splitter.feed(&bytes, &mut |span| spans.push(span));
        if read < size {
            self.splitter.finish(&mut |span| spans.push(span));
        }
        let parts = self.lines_of(&bytes, spans);
        self.at += read as u64;
        Ok(Window {
            at: self.at - read as u64,
            bytes,
            parts,
            last: read < size || self.splitter.is_broken(),
        })
    }

    /// Counts line ends up to the beginning of each part, and over the window.
    fn lines_of(&mut self, bytes: &[u8], spans: Vec<Part>) -> Vec<(Part, u32)> {
        let mut counted = 0;
        let mut line = self.line;
        let mut line_at = |offset: Option<u64>| {
            let to = offset.map_or(0, |offset| (offset as usize).clamp(counted, bytes.len()));
            let lines = bytes.get(counted..to).unwrap_or_default();
            line = line.saturating_add(memchr_iter(b'\n', lines).count() as u32);
            counted = counted.max(to);
            line
        };
        let open_line = self.open_line;
        let parts = spans
            .into_iter()
            .map(|span| match span.start.checked_sub(self.at) {
                Some(offset) => (span, line_at(Some(offset))),
                None => (span, open_line),
            })
            .collect();
        if let Some(open) = self
            .splitter
            .open_part()
            .and_then(|open| open.checked_sub(self.at))
        {
            self.open_line = line_at(Some(open));
        }
        self.line = line_at(Some(bytes.len() as u64));
        parts
    }
}

impl Window {
    fn take(
        &self,
        source: &Source,
        format: &dyn Format,
        split: bool,
        scratch: &mut Record,
        drafts: &mut Drafts,
    ) -> io::Result<()> {
        for (part, line) in &self.parts {
            let end = match part.end {
                u64::MAX => source.len()?,
                end => end,
            };
            let inside = |offset: u64| usize::try_from(offset.checked_sub(self.at)?).ok();
            let held = inside(part.start)
                .zip(inside(end))
                .and_then(|(start, end)| self.bytes.get(start..end));
            let length = end.saturating_sub(part.start);
            let mut found = Found {
                bytes: held.unwrap_or_default(),
                length,
                offset: part.start,
                line: *line,
                place: part.tag.place(),
            };
            if part.broken {
                drafts.take_bad(&found);
            } else if length > LARGEST_CHECKED && !split {
                drafts.take_unseen(format, &found);
            } else if held.is_some() {
                drafts.take(format, scratch, &found);
            } else {
                let bytes = source.read_range(part.start, length)?;
                found.bytes = &bytes;
                drafts.take(format, scratch, &found);
            }
        }
        Ok(())
    }
}
