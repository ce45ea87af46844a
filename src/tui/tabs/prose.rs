//! Text of any length, wrapped where it is looked at.
//!
//! A worker cuts the text once into segments: its lines, and parts of lines that are too long to be
//! wrapped at once. A row is a segment and a place in it, so that only the segments on the screen
//! are ever made visible and wrapped, and the rows of a segment are kept for the current width.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::line::{Ink, Piece, inked};
use super::mark::Mark;
use crate::text::{self, Marks};

/// A line longer than this many bytes is wrapped in parts.
const LONGEST: usize = 2048;

/// A segment may be this much shorter, to end after a blank.
const SLACK: usize = 128;

/// So many segments are remembered for the current width.
const REMEMBERED: usize = 4096;

static NEXT: AtomicU64 = AtomicU64::new(0);

/// Text cut into segments.
#[derive(Debug)]
pub struct Prose {
    id: u64,
    text: String,
    /// First bytes and ends of the segments, line feeds left out.
    segments: Vec<(u32, u32)>,
    /// What the model had, by the end of each run of bytes.
    marks: Vec<(usize, Mark)>,
    ink: Ink,
}

/// A row: a segment, and where in the segment's visible form the row begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Row {
    /// The segment.
    pub segment: u32,
    /// First byte of the row in what is drawn of the segment.
    pub at: u32,
}

/// The rows of segments at one width.
#[derive(Debug, Default)]
pub struct Wraps {
    width: usize,
    rows: HashMap<(u64, u32), Arc<[Range<usize>]>>,
}

/// Rows remembered while the width stays; a view may fill it.
pub type WrapCache = RefCell<Wraps>;

impl Prose {
    /// Text with one fate.
    pub fn new(text: String, mark: Mark) -> Self {
        let end = text.len();
        Self::marked(text, vec![(end, mark)])
    }

    /// Text whose runs of bytes had several fates: each run's end with its mark, in order.
    pub fn marked(text: String, marks: Vec<(usize, Mark)>) -> Self {
        let mut segments = Vec::new();
        let mut borders = marks.iter().map(|(end, _)| *end).peekable();
        for line in text::line_ranges(&text) {
            let mut start = line.start;
            while start < line.end {
                while borders.next_if(|border| *border <= start).is_some() {}
                let limit = borders
                    .peek()
                    .map_or(line.end, |border| line.end.min(*border));
                let end = segment_end(&text, start, limit);
                segments.push((start as u32, end as u32));
                start = end;
            }
            if line.is_empty() {
                segments.push((line.start as u32, line.end as u32));
            }
        }
        if segments.is_empty() {
            segments.push((0, 0));
        }
        Self {
            id: NEXT.fetch_add(1, Ordering::Relaxed),
            text,
            segments,
            marks,
            ink: Ink::Text,
        }
    }

    /// With another ink.
    #[must_use]
    pub const fn inked(mut self, ink: Ink) -> Self {
        self.ink = ink;
        self
    }

    /// The ink of the text.
    pub const fn ink(&self) -> Ink {
        self.ink
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// How many segments there are; never none.
    const fn count(&self) -> usize {
        self.segments.len()
    }

    /// What the model had of a segment.
    pub fn mark(&self, segment: u32) -> Mark {
        let start = self.bytes(segment).start;
        let run = self.marks.partition_point(|(end, _)| *end <= start);
        self.marks
            .get(run)
            .or(self.marks.last())
            .map_or(Mark::Unknown, |(_, mark)| *mark)
    }

    /// The bytes of the text that a segment is.
    pub fn bytes(&self, segment: u32) -> Range<usize> {
        self.segments
            .get(segment as usize)
            .map_or(0..0, |(start, end)| *start as usize..*end as usize)
    }

    fn source(&self, segment: u32) -> &str {
        self.text.get(self.bytes(segment)).unwrap_or_default()
    }

    fn rows(&self, segment: u32, width: usize, cache: &WrapCache) -> Arc<[Range<usize>]> {
        let mut cache = cache.borrow_mut();
        if cache.width != width || cache.rows.len() > REMEMBERED {
            cache.rows.clear();
            cache.width = width;
        }
        let rows = cache.rows.entry((self.id, segment)).or_insert_with(|| {
            text::wrap(
                &text::shown(self.source(segment), Marks::Unicode).text,
                width,
            )
            .into()
        });
        Arc::clone(rows)
    }

    fn is_skipped(&self, segment: u32, only_seen: bool) -> bool {
        only_seen && self.mark(segment).is_hidden_from_model()
    }

    /// The first row.
    pub fn first(&self, only_seen: bool) -> Option<Row> {
        (0..self.count() as u32)
            .find(|segment| !self.is_skipped(*segment, only_seen))
            .map(|segment| Row { segment, at: 0 })
    }

    /// The last row.
    pub fn last(&self, width: usize, only_seen: bool, cache: &WrapCache) -> Option<Row> {
        let segment = (0..self.count() as u32)
            .rev()
            .find(|segment| !self.is_skipped(*segment, only_seen))?;
        Some(self.last_of(segment, width, cache))
    }

    fn last_of(&self, segment: u32, width: usize, cache: &WrapCache) -> Row {
        let rows = self.rows(segment, width, cache);
        Row {
            segment,
            at: rows.last().map_or(0, |row| row.start as u32),
        }
    }

    /// The row after one.
    pub fn next(&self, row: Row, width: usize, only_seen: bool, cache: &WrapCache) -> Option<Row> {
        let rows = self.rows(row.segment, width, cache);
        let here = position(&rows, row.at);
        if let Some(next) = rows.get(here + 1) {
            return Some(Row {
                segment: row.segment,
                at: next.start as u32,
            });
        }
        (row.segment + 1..self.count() as u32)
            .find(|segment| !self.is_skipped(*segment, only_seen))
            .map(|segment| Row { segment, at: 0 })
    }

    /// The row before one.
    pub fn previous(
        &self,
        row: Row,
        width: usize,
        only_seen: bool,
        cache: &WrapCache,
    ) -> Option<Row> {
        let rows = self.rows(row.segment, width, cache);
        let here = position(&rows, row.at);
        if let Some(before) = here.checked_sub(1).and_then(|before| rows.get(before)) {
            return Some(Row {
                segment: row.segment,
                at: before.start as u32,
            });
        }
        let segment = (0..row.segment)
            .rev()
            .find(|segment| !self.is_skipped(*segment, only_seen))?;
        Some(self.last_of(segment, width, cache))
    }

    /// The same place at another width, or the nearest that is shown.
    pub fn settle(
        &self,
        row: Row,
        width: usize,
        only_seen: bool,
        cache: &WrapCache,
    ) -> Option<Row> {
        let last = self.count() as u32 - 1;
        let segment = row.segment.min(last);
        if self.is_skipped(segment, only_seen) {
            let after = (segment..=last).find(|segment| !self.is_skipped(*segment, only_seen));
            return match after {
                Some(segment) => Some(Row { segment, at: 0 }),
                None => self.last(width, only_seen, cache),
            };
        }
        let rows = self.rows(segment, width, cache);
        Some(Row {
            segment,
            at: rows
                .get(position(&rows, row.at))
                .map_or(0, |row| row.start as u32),
        })
    }

    /// The row that shows a byte of the text.
    pub fn row_of(&self, byte: usize, width: usize, cache: &WrapCache) -> Row {
        let after = self
            .segments
            .partition_point(|(start, _)| *start as usize <= byte);
        let segment = after.saturating_sub(1) as u32;
        let inside = byte.saturating_sub(self.bytes(segment).start);
        let at = text::shown(self.source(segment), Marks::Unicode).shown_at(inside);
        let rows = self.rows(segment, width, cache);
        Row {
            segment,
            at: rows
                .get(position(&rows, at as u32))
                .map_or(0, |row| row.start as u32),
        }
    }

    /// What is drawn of a row.
    pub fn draw(
        &self,
        row: Row,
        width: usize,
        wanted: Option<&Range<usize>>,
        cache: &WrapCache,
    ) -> Drawn {
        let rows = self.rows(row.segment, width, cache);
        let Some(range) = rows.get(position(&rows, row.at)).cloned() else {
            return Drawn::default();
        };
        let shown = text::shown(self.source(row.segment), Marks::Unicode);
        let drawn = shown.text.get(range.clone()).unwrap_or_default().to_owned();
        let bytes = self.bytes(row.segment);
        let hit = wanted
            .filter(|wanted| wanted.start < bytes.end && bytes.start < wanted.end)
            .and_then(|wanted| {
                let place = |byte: usize| {
                    shown
                        .shown_at(byte.clamp(bytes.start, bytes.end) - bytes.start)
                        .clamp(range.start, range.end)
                        - range.start
                };
                let hit = place(wanted.start)..place(wanted.end);
                (!hit.is_empty()).then_some(hit)
            });
        let source = self.source(row.segment);
        let controls = shown
            .marks
            .iter()
            // Tabs and carriage returns are in so much text that they would shout.
            .filter(|(from, _)| !matches!(source.get(from.clone()), Some("\t" | "\r")))
            .map(|(_, place)| {
                let at = |byte: usize| byte.clamp(range.start, range.end) - range.start;
                at(place.start)..at(place.end)
            })
            .filter(|place| !place.is_empty())
            .collect();
        Drawn {
            text: drawn,
            hit,
            controls,
        }
    }
}

/// What is drawn of a row.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Drawn {
    /// Its text, made visible.
    pub text: String,
    /// Which bytes of that show what was wanted.
    pub hit: Option<Range<usize>>,
    /// Which bytes of it stand for characters that a terminal would obey or hide.
    pub controls: Vec<Range<usize>>,
}

impl Drawn {
    /// The pieces of the row, with what stands for control characters and what was searched inked.
    pub fn pieces(self, ink: Ink, hits: &[Range<usize>]) -> Vec<Piece> {
        let piece = Piece {
            text: self.text.into(),
            ink,
        };
        inked(
            inked(vec![piece], &self.controls, Ink::Control),
            hits,
            Ink::Hit,
        )
    }
}

/// Which of the rows holds a byte.
fn position(rows: &[Range<usize>], at: u32) -> usize {
    rows.partition_point(|row| row.start <= at as usize)
        .saturating_sub(1)
}

/// Where a segment that begins at `start` ends: after a blank if there is one near the limit.
fn segment_end(text: &str, start: usize, limit: usize) -> usize {
    if limit - start <= LONGEST {
        return limit;
    }
    let end = text.floor_char_boundary(start + LONGEST);
    let near = text.floor_char_boundary(end - SLACK);
    match text.get(near..end).and_then(|tail| tail.rfind(' ')) {
        Some(blank) => near + blank + 1,
        None => end,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn rows(prose: &Prose, width: usize) -> Vec<String> {
        let cache = WrapCache::default();
        let mut out = Vec::new();
        let mut row = prose.first(false);
        while let Some(here) = row {
            out.push(prose.draw(here, width, None, &cache).text);
            row = prose.next(here, width, false, &cache);
        }
        out
    }

    #[test]
    fn lines_wrap_and_empty_lines_stay() {
        let prose = Prose::new("one two three\n\nfour\n".to_owned(), Mark::Sent);
        assert_eq!(rows(&prose, 8), ["one two ", "three", "", "four"]);
    }

    #[test]
    fn a_long_line_is_wrapped_in_parts_after_blanks() {
        let prose = Prose::new("word ".repeat(4000), Mark::Sent);
        assert!(prose.count() > 8);
        assert_eq!(rows(&prose, 80).concat().matches("word").count(), 4000);
    }

    #[test]
    fn a_border_between_fates_begins_a_row() {
        let prose = Prose::marked(
            "keptcut".to_owned(),
            vec![(4, Mark::Sent), (7, Mark::Never)],
        );
        assert_eq!(rows(&prose, 80), ["kept", "cut"]);
        assert_eq!((prose.mark(0), prose.mark(1)), (Mark::Sent, Mark::Never));
        let cache = WrapCache::default();
        let only = prose.last(80, true, &cache);
        assert_eq!(only, Some(Row { segment: 0, at: 0 }));
    }

    #[test]
    fn a_byte_is_found_behind_marks() {
        let prose = Prose::new("\u{1b}[31mred\u{202e}x".to_owned(), Mark::Sent);
        let cache = WrapCache::default();
        let at = prose.text().find("red").unwrap();
        let row = prose.row_of(at, 80, &cache);
        let drawn = prose.draw(row, 80, Some(&(at..at + 3)), &cache);
        assert_eq!(drawn.text.get(drawn.hit.unwrap()), Some("red"));
        assert_eq!(drawn.controls.len(), 2);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        #[test]
        fn forward_and_back_are_the_same_rows(
            text in "([a-z ]{0,30}|\u{1b}|\n|\u{4e2d}{1,9}|\t){0,40}",
            width in 1_usize..40,
        ) {
            let prose = Prose::new(text, Mark::Sent);
            let cache = WrapCache::default();
            let mut forward = Vec::new();
            let mut row = prose.first(false);
            while let Some(here) = row {
                forward.push(here);
                prop_assert_eq!(prose.settle(here, width, false, &cache), Some(here));
                row = prose.next(here, width, false, &cache);
            }
            let mut back = Vec::new();
            let mut row = prose.last(width, false, &cache);
            while let Some(here) = row {
                back.push(here);
                row = prose.previous(here, width, false, &cache);
            }
            back.reverse();
            prop_assert_eq!(forward, back);
        }
    }
}
