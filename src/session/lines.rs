//! Reading a stretch of a file as one record a line.

use std::io;

use memchr::memchr;

use crate::json::Record;

use super::draft::{Drafts, Found};
use super::format::{Format, Place};
use super::source::Source;

/// How much is read at once.
const WINDOW: usize = 256 << 10;

/// A buffer that had to grow beyond this for one long line is given back.
const KEEP: usize = 8 << 20;

/// Reads lines; used again and again, so that a stretch allocates nothing.
#[derive(Debug, Default)]
pub(super) struct LineReader {
    buffer: Vec<u8>,
    scratch: Record,
    pub(super) drafts: Drafts,
}

/// How a stretch ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Stretch {
    /// Behind the last line end.
    pub(super) end: u64,
    /// The end of the file was reached; what stands behind the last line end.
    pub(super) rest: Option<Vec<u8>>,
}

impl LineReader {
    /// Reads all whole lines that begin in `start..stop` into the drafts. `start` is the beginning of a
    /// line, or some byte, whose line belongs to the stretch before.
    pub(super) fn read(
        &mut self,
        source: &Source,
        format: &dyn Format,
        start: u64,
        stop: u64,
        at_line: bool,
    ) -> io::Result<Stretch> {
        self.drafts.clear();
        let mut at = start;
        // The byte before tells whether a line begins at `start`.
        let mut skipping = !at_line;
        if skipping {
            at -= 1;
        }
        // How much of the buffer holds bytes from `at` on: a line that goes on in the next window.
        let mut held = 0;
        loop {
            // One line may be longer than any window.
            let room = room(source, at + held as u64, WINDOW.max(held))?;
            self.buffer.resize(held + room, 0);
            let fresh = self.buffer.get_mut(held..).unwrap_or_default();
            let read = source.read_at(fresh, at + held as u64)?;
            let end = held + read;
            let mut used = 0;
            let mut searched = held;
            while let Some(found) = self
                .buffer
                .get(searched..end)
                .and_then(|rest| memchr(b'\n', rest))
            {
                let line_end = searched + found;
                if skipping {
                    skipping = false;
                } else if at + used as u64 >= stop {
                    return Ok(self.finish(at + used as u64, None));
                } else {
                    let line = self.buffer.get(used..line_end).unwrap_or_default();
                    let number = self.drafts.lines + 1;
                    let (scratch, drafts) = (&mut self.scratch, &mut self.drafts);
                    take(format, scratch, drafts, line, at + used as u64, number);
                    self.drafts.lines += 1;
                }
                used = line_end + 1;
                searched = used;
            }
            at += used as u64;
            if read < room {
                let rest = if skipping || at >= stop {
                    None
                } else {
                    self.buffer.get(used..end).map(<[u8]>::to_vec)
                };
                return Ok(self.finish(at, rest));
            }
            if at >= stop && !skipping {
                return Ok(self.finish(at, None));
            }
            self.buffer.copy_within(used..end, 0);
            held = end - used;
            if skipping {
                // Nothing of a line that belongs to the stretch before is kept.
                at += held as u64;
                held = 0;
            }
        }
    }

    fn finish(&mut self, end: u64, rest: Option<Vec<u8>>) -> Stretch {
        if self.buffer.capacity() > KEEP {
            self.buffer = Vec::new();
        }
        Stretch { end, rest }
    }

    /// Reads one line, `number` from 1 among those of the drafts, which are forgotten first.
    pub(super) fn read_line(&mut self, format: &dyn Format, line: &[u8], offset: u64) {
        self.drafts.clear();
        let (scratch, drafts) = (&mut self.scratch, &mut self.drafts);
        take(format, scratch, drafts, line, offset, 1);
    }

    /// Whether bytes are whole JSON.
    pub(super) fn is_whole(&mut self, bytes: &[u8]) -> bool {
        self.scratch.check(bytes).is_ok()
    }
}

fn take(
    format: &dyn Format,
    scratch: &mut Record,
    drafts: &mut Drafts,
    line: &[u8],
    offset: u64,
    number: u32,
) {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    if line.iter().all(u8::is_ascii_whitespace) {
        return;
    }
    let found = Found {
        bytes: line,
        length: line.len() as u64,
        offset,
        line: number,
        place: Place::Record,
    };
    drafts.take(format, scratch, &found);
}

/// The size of the next read: the window, or one byte more than there is.
pub(super) fn room(source: &Source, at: u64, window: usize) -> io::Result<usize> {
    let rest = source.len()?.saturating_sub(at).saturating_add(1);
    Ok(usize::try_from(rest).map_or(window, |rest| rest.min(window)))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::session::format::other::JsonLines;

    fn records(reader: &LineReader, before: u32) -> Vec<(u64, u64, u32)> {
        let records = reader.drafts.records.iter();
        records
            .map(|record| (record.offset, record.length, record.line + before))
            .collect()
    }

    proptest! {
        #[test]
        fn stretches_cover_every_line_once(
            lines in prop::collection::vec("[\\[\\]1 ]{0,9}\r?", 0..30),
            ended in any::<bool>(),
            stretch in 1_u64..40,
        ) {
            let text = lines.join("\n") + if ended { "\n" } else { "" };
            let length = text.len() as u64;
            let source = Source::Bytes(text.into_bytes());
            let mut whole = LineReader::default();
            let all = whole.read(&source, &JsonLines, 0, u64::MAX, true).unwrap();
            let mut found = Vec::new();
            let (mut start, mut line, mut end) = (0, 0, None);
            while start <= length {
                let mut reader = LineReader::default();
                let stop = start + stretch;
                let stretch = reader.read(&source, &JsonLines, start, stop, start == 0).unwrap();
                found.extend(records(&reader, line));
                line += reader.drafts.lines;
                if stretch.rest.is_some() {
                    end = Some(stretch);
                }
                start = stop;
            }
            prop_assert_eq!(found, records(&whole, 0));
            if let Some(end) = end {
                prop_assert_eq!(end, all);
            }
        }
    }
}
