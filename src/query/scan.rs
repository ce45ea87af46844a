//! Reading a recording in windows and handing its hits over in batches.

use std::io;
use std::ops::Range;
use std::time::{Duration, Instant};

use super::needle::{MARGIN, Needle};

/// Bytes of one window.
const WINDOW: usize = 1 << 20;

/// A batch is handed over when it holds this many hits, or after [`PATIENCE`].
const BATCH: usize = 256;

/// Nobody waits longer than this for hits that are already there: one frame.
const PATIENCE: Duration = Duration::from_millis(16);

/// Bytes that can be read from anywhere, as a recording's are.
pub trait ReadAt {
    /// Reads at `offset` into `buffer`, as many bytes as there are; 0 at the end.
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize>;

    /// How many bytes there are now.
    fn len_bytes(&self) -> u64;
}

impl ReadAt for [u8] {
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let rest = usize::try_from(offset)
            .ok()
            .and_then(|offset| self.get(offset..))
            .unwrap_or_default();
        let read = rest.len().min(buffer.len());
        if let (Some(to), Some(from)) = (buffer.get_mut(..read), rest.get(..read)) {
            to.copy_from_slice(from);
        }
        Ok(read)
    }

    fn len_bytes(&self) -> u64 {
        self.len() as u64
    }
}

/// Where the needle stands in the recording.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hit {
    /// First byte in the file.
    pub offset: u64,
    /// Bytes as recorded, escapes included.
    pub bytes: u32,
}

/// Hits that were found since the last batch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Batch {
    /// In the order of the file.
    pub hits: Vec<Hit>,
    /// How much has been searched by now, in bytes.
    pub searched: u64,
    /// How much there is to search, in bytes.
    pub total: u64,
}

/// How a search ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Everything was searched.
    Whole,
    /// Somebody asked to stop.
    Cancelled,
}

/// Searches the bytes from `from` to the end, then those before it.
///
/// `cancelled` is asked once per window, so a stale search ends within a millisecond or two. The
/// file may grow or shrink meanwhile: what is there when a window is read is searched.
pub fn scan<R: ReadAt + ?Sized>(
    source: &R,
    needle: &Needle,
    from: u64,
    cancelled: &dyn Fn() -> bool,
    found: &mut dyn FnMut(Batch),
) -> io::Result<Outcome> {
    let total = source.len_bytes();
    let from = from.min(total);
    let mut run = Run {
        pending: Vec::new(),
        handed: Instant::now(),
        searched: 0,
        total,
    };
    // A hit across `from` belongs to the first leg's beginning, so the second leg reads past it.
    for leg in [from..total, 0..from] {
        if run.leg(source, needle, leg, cancelled, found)? == Outcome::Cancelled {
            return Ok(Outcome::Cancelled);
        }
    }
    run.searched = total;
    run.hand_over(found);
    Ok(Outcome::Whole)
}

struct Run {
    pending: Vec<Hit>,
    handed: Instant,
    searched: u64,
    total: u64,
}

impl Run {
    /// Finds the hits that begin within `leg`.
    fn leg<R: ReadAt + ?Sized>(
        &mut self,
        source: &R,
        needle: &Needle,
        leg: Range<u64>,
        cancelled: &dyn Fn() -> bool,
        found: &mut dyn FnMut(Batch),
    ) -> io::Result<Outcome> {
        // Each window is read with what stands before and behind it: a hit is judged by its
        // surroundings, and may reach over the window's end.
        let before = MARGIN as u64;
        let behind = MARGIN + needle.longest();
        let window = (leg.end - leg.start).min(WINDOW as u64);
        let mut buffer = vec![0; MARGIN + window as usize + behind];
        let mut at = leg.start;
        let mut last_end = 0;
        while at < leg.end {
            if cancelled() {
                return Ok(Outcome::Cancelled);
            }
            let start = at.saturating_sub(before);
            let end = leg.end.min(at + window);
            let want = (end - start) as usize + behind;
            let read = fill(source, start, buffer.get_mut(..want).unwrap_or_default())?;
            for hit in needle.find_recorded(buffer.get(..read).unwrap_or_default()) {
                let offset = start + hit.start as u64;
                if offset >= at && offset < end && offset >= last_end {
                    last_end = start + hit.end as u64;
                    self.pending.push(Hit {
                        offset,
                        bytes: hit.len() as u32,
                    });
                }
            }
            self.searched += end - at;
            if self.pending.len() >= BATCH || self.handed.elapsed() >= PATIENCE {
                self.hand_over(found);
            }
            if (read as u64) < end - start {
                // The file is shorter than it was.
                break;
            }
            at = end;
        }
        Ok(Outcome::Whole)
    }

    fn hand_over(&mut self, found: &mut dyn FnMut(Batch)) {
        found(Batch {
            hits: std::mem::take(&mut self.pending),
            searched: self.searched,
            total: self.total,
        });
        self.handed = Instant::now();
    }
}

fn fill<R: ReadAt + ?Sized>(source: &R, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
    let mut read = 0;
    while let Some(rest) = buffer.get_mut(read..).filter(|rest| !rest.is_empty()) {
        match source.read_at(offset + read as u64, rest) {
            Ok(0) => break,
            Ok(more) => read += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(read)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::cell::Cell;
    use std::fmt::Write as _;

    use proptest::prelude::*;

    use super::*;

    fn all(bytes: &[u8], needle: &str, from: u64) -> Vec<u64> {
        let needle = Needle::new(needle).unwrap();
        let mut hits = Vec::new();
        let outcome = scan(bytes, &needle, from, &|| false, &mut |batch: Batch| {
            hits.extend(batch.hits.into_iter().map(|hit| hit.offset));
        });
        assert_eq!(outcome.unwrap(), Outcome::Whole);
        hits
    }

    #[test]
    fn hits_across_a_window_are_found_once() {
        for shift in 0..12 {
            let mut bytes = vec![b' '; WINDOW - shift];
            bytes.extend(b"needle and needle");
            let first = (WINDOW - shift) as u64;
            assert_eq!(all(&bytes, "needle", 0), [first, first + 11], "{shift}");
        }
    }

    #[test]
    fn the_search_begins_at_the_cursor_and_wraps() {
        let bytes = b"x.....x.....x.....x";
        assert_eq!(all(bytes, "x", 7), [12, 18, 0, 6]);
        assert_eq!(all(b"aaaa", "aa", 1), [2, 0]);
        assert_eq!(all(bytes, "x", 999), [0, 6, 12, 18]);
    }

    #[test]
    fn a_search_can_be_stopped() {
        let bytes = vec![b'x'; 3 * WINDOW];
        let asked = Cell::new(0);
        let needle = Needle::new("y").unwrap();
        let stop = || {
            asked.set(asked.get() + 1);
            asked.get() > 2
        };
        let outcome = scan(bytes.as_slice(), &needle, 0, &stop, &mut |_| {}).unwrap();
        assert_eq!(outcome, Outcome::Cancelled);
        assert_eq!(asked.get(), 3);
    }

    proptest! {
        /// A plain text holds exactly the hits that the standard library finds in it.
        #[test]
        fn finds_what_str_finds(text in "[abAB é/]{0,400}", needle in "[abé]{1,3}", from in 0_u64..500) {
            let wanted: Vec<u64> = text
                .to_lowercase()
                .match_indices(&needle)
                .map(|(at, _)| at as u64)
                .collect();
            let mut got = all(text.as_bytes(), &needle, 0);
            got.sort_unstable();
            prop_assert_eq!(got, wanted);
            // Beginning elsewhere may split a run of overlapping hits otherwise, but loses no first hit.
            let begun = all(text.as_bytes(), &needle, from);
            prop_assert_eq!(begun.is_empty(), !text.to_lowercase().contains(&needle));
        }

        /// Whatever spelling a writer picks, the needle is found at that place.
        #[test]
        fn any_spelling_is_found(text in "[a-c\"\\\\/\n\té😀]{1,12}", picks in prop::collection::vec(0_u8..3, 12)) {
            prop_assert!(is_found(&text, &picks), "{text:?} {picks:?}");
        }
    }

    /// Whether `text` is found where a writer spelled its characters as `picks` say: plainly, or
    /// escaped in lower or upper case.
    fn is_found(text: &str, picks: &[u8]) -> bool {
        let mut recorded = String::from("{\"k\":\"");
        for (char, pick) in text.chars().zip(picks) {
            let plain = serde_json::to_string(&char).unwrap();
            match pick {
                0 => recorded.push_str(&plain[1..plain.len() - 1]),
                1 => {
                    for unit in char.encode_utf16(&mut [0; 2]) {
                        write!(recorded, "\\u{unit:04x}").unwrap();
                    }
                }
                _ => {
                    for unit in char.encode_utf16(&mut [0; 2]) {
                        write!(recorded, "\\u{unit:04X}").unwrap();
                    }
                }
            }
        }
        recorded.push_str("\"}");
        all(recorded.as_bytes(), text, 0).contains(&6)
    }

    #[test]
    fn quotes_and_backslashes_alone_are_found() {
        for text in ["\"\"", "\"\\"] {
            assert!(is_found(text, &[0; 12]), "{text:?}");
        }
    }
}
