//! Bytes of any length as rows, laid out where they are looked at.

use std::cell::RefCell;
use std::ops::Range;
use std::sync::Arc;

use crate::text::{self, Marks};

/// A run without a line feed is laid out in parts of at most this many bytes.
const LONGEST: usize = 1024;

/// How the bytes are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Form {
    /// As text, wrapped; what is no text is made visible.
    #[default]
    Text,
    /// Sixteen or eight at a time, in hexadecimal and as text.
    Hex,
}

/// Recorded bytes with their segments.
#[derive(Debug, Default)]
pub struct Bytes {
    bytes: Vec<u8>,
    /// Ends of the segments.
    ends: Vec<u32>,
}

/// What is drawn of a row.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Drawn {
    /// The text.
    pub text: String,
    /// The bytes that it shows.
    pub bytes: Range<usize>,
    /// Which bytes of the text stand for something that was made visible.
    pub controls: Vec<Range<usize>>,
    /// For what is drawn from each place of the text on, which byte it shows.
    places: Vec<(usize, usize)>,
}

impl Drawn {
    /// Which recorded byte is drawn at a place of the text; inside a mark, the one it stands for.
    fn source(&self, at: usize) -> usize {
        let after = self.places.partition_point(|(shown, _)| *shown <= at);
        match after.checked_sub(1).and_then(|last| self.places.get(last)) {
            Some((shown, source)) => {
                let is_mark = self.controls.binary_search_by_key(shown, |part| part.start);
                if is_mark.is_ok() {
                    *source
                } else {
                    (source + (at - shown)).min(self.bytes.end)
                }
            }
            None => self.bytes.start,
        }
    }

    /// Which bytes of the text show these recorded bytes.
    pub fn find(&self, wanted: &Range<usize>) -> Option<Range<usize>> {
        if wanted.end <= self.bytes.start || self.bytes.end <= wanted.start {
            return None;
        }
        let at = |byte: usize| {
            let after = self.places.partition_point(|(_, source)| *source <= byte);
            let next = self.places.get(after).map(|(shown, _)| *shown);
            match self.places.get(after.checked_sub(1)?) {
                Some((shown, source)) => {
                    let end = next.unwrap_or(self.text.len());
                    Some((shown + (byte - source)).min(end))
                }
                None => None,
            }
        };
        let from = at(wanted.start.max(self.bytes.start))?;
        let to = if wanted.end >= self.bytes.end {
            self.text.len()
        } else {
            at(wanted.end)?
        };
        let sound = self.text.is_char_boundary(from) && self.text.is_char_boundary(to);
        (from < to && sound).then_some(from..to)
    }
}

/// A segment at one width.
#[derive(Debug)]
pub struct Layout {
    segment: usize,
    width: usize,
    whole: Drawn,
    rows: Vec<Range<usize>>,
    /// The first byte that each row shows. A mark that is broken over rows belongs to the first.
    starts: Vec<usize>,
}

/// The segment that was laid out last; a view may fill it.
pub type LayoutCache = RefCell<Option<Arc<Layout>>>;

impl Layout {
    fn new(bytes: &Bytes, segment: usize, width: usize) -> Self {
        let range = bytes.segment(segment);
        let part = bytes.bytes.get(range.clone()).unwrap_or_default();
        let whole = shown(part, range.start);
        let mut rows: Vec<Range<usize>> = Vec::new();
        let mut starts: Vec<usize> = Vec::new();
        for row in text::wrap(&whole.text, width) {
            let start = whole.source(row.start);
            match rows.last_mut() {
                // A row that goes on with the mark of the row before has no byte of its own.
                Some(last) if starts.last() == Some(&start) => last.end = row.end,
                _ => {
                    rows.push(row);
                    starts.push(start);
                }
            }
        }
        Self {
            segment,
            width,
            whole,
            rows,
            starts,
        }
    }

    fn row_of(&self, byte: usize) -> usize {
        self.starts
            .partition_point(|start| *start <= byte)
            .saturating_sub(1)
    }

    fn draw(&self, place: usize) -> Drawn {
        let Some(row) = self.rows.get(place).cloned() else {
            return Drawn::default();
        };
        let start = self.starts.get(place).copied().unwrap_or_default();
        let end = self.starts.get(place + 1).copied();
        let controls = self
            .whole
            .controls
            .iter()
            .filter(|part| part.start < row.end && row.start < part.end)
            .map(|part| {
                let at = |byte: usize| byte.clamp(row.start, row.end) - row.start;
                at(part.start)..at(part.end)
            })
            .collect();
        let inside = self
            .whole
            .places
            .iter()
            .filter(|(shown, _)| row.start < *shown && *shown < row.end)
            .map(|(shown, source)| (shown - row.start, *source));
        Drawn {
            text: self
                .whole
                .text
                .get(row.clone())
                .unwrap_or_default()
                .to_owned(),
            bytes: start..end.unwrap_or(self.whole.bytes.end),
            controls,
            places: std::iter::once((0, start)).chain(inside).collect(),
        }
    }
}

impl Bytes {
    /// Bytes cut into segments: at line feeds, and where a line is long.
    pub fn new(bytes: Vec<u8>) -> Self {
        let mut ends = Vec::new();
        let mut start = 0;
        while start < bytes.len() {
            let limit = bytes.len().min(start + LONGEST);
            let window = bytes.get(start..limit).unwrap_or_default();
            let end = match memchr::memchr(b'\n', window) {
                Some(feed) => start + feed + 1,
                None if limit == bytes.len() => limit,
                None => start + whole_characters(window),
            };
            ends.push(end as u32);
            start = end;
        }
        if ends.is_empty() {
            ends.push(0);
        }
        Self { bytes, ends }
    }

    /// All of them.
    pub fn all(&self) -> &[u8] {
        &self.bytes
    }

    fn segment(&self, segment: usize) -> Range<usize> {
        let end = self.ends.get(segment).map_or(0, |end| *end as usize);
        let start = segment
            .checked_sub(1)
            .and_then(|before| self.ends.get(before))
            .map_or(0, |end| *end as usize);
        start..end
    }

    fn segment_of(&self, byte: usize) -> usize {
        self.ends
            .partition_point(|end| *end as usize <= byte)
            .min(self.ends.len().saturating_sub(1))
    }

    fn layout(&self, segment: usize, width: usize, cache: &LayoutCache) -> Arc<Layout> {
        if let Some(kept) = &*cache.borrow()
            && (kept.segment, kept.width) == (segment, width)
        {
            return Arc::clone(kept);
        }
        let layout = Arc::new(Layout::new(self, segment, width));
        *cache.borrow_mut() = Some(Arc::clone(&layout));
        layout
    }

    /// The first byte of the row that shows a byte.
    pub fn row_of(&self, byte: usize, form: Form, width: usize, cache: &LayoutCache) -> usize {
        let byte = byte.min(self.bytes.len().saturating_sub(1));
        match form {
            Form::Hex => byte - byte % per_row(width),
            Form::Text => {
                let layout = self.layout(self.segment_of(byte), width, cache);
                layout.starts.get(layout.row_of(byte)).copied().unwrap_or(0)
            }
        }
    }

    /// The first byte of the row after the one that begins with a byte.
    pub fn next(
        &self,
        start: usize,
        form: Form,
        width: usize,
        cache: &LayoutCache,
    ) -> Option<usize> {
        let next = match form {
            Form::Hex => start + per_row(width),
            Form::Text => {
                let segment = self.segment_of(start);
                let layout = self.layout(segment, width, cache);
                let after = layout.starts.get(layout.row_of(start) + 1).copied();
                after.unwrap_or(self.segment(segment).end)
            }
        };
        (next < self.bytes.len()).then_some(next)
    }

    /// The first byte of the row before the one that begins with a byte.
    pub fn previous(
        &self,
        start: usize,
        form: Form,
        width: usize,
        cache: &LayoutCache,
    ) -> Option<usize> {
        let before = start.checked_sub(1)?;
        Some(match form {
            Form::Hex => before - before % per_row(width),
            Form::Text => self.row_of(before, form, width, cache),
        })
    }

    /// The row that begins with a byte.
    pub fn draw(&self, start: usize, form: Form, width: usize, cache: &LayoutCache) -> Drawn {
        match form {
            Form::Hex => self.hex(start, width),
            Form::Text => {
                let layout = self.layout(self.segment_of(start), width, cache);
                layout.draw(layout.row_of(start))
            }
        }
    }

    fn hex(&self, start: usize, width: usize) -> Drawn {
        let per_row = per_row(width);
        let end = self.bytes.len().min(start + per_row);
        let part = self.bytes.get(start..end).unwrap_or_default();
        let mut text = String::with_capacity(per_row * 4 + 2);
        let mut places = Vec::with_capacity(per_row);
        for (place, byte) in part.iter().enumerate() {
            places.push((text.len(), start + place));
            text.extend([hex_digit(byte >> 4), hex_digit(byte & 15), ' ']);
        }
        text.extend(std::iter::repeat_n(' ', (per_row - part.len()) * 3 + 1));
        text.extend(part.iter().map(|byte| match byte {
            0x20..=0x7E => char::from(*byte),
            _ => '.',
        }));
        Drawn {
            text,
            bytes: start..end,
            controls: Vec::new(),
            places,
        }
    }
}

fn hex_digit(nibble: u8) -> char {
    char::from_digit(u32::from(nibble), 16).unwrap_or('?')
}

/// Bytes in a row of hexadecimal.
const fn per_row(width: usize) -> usize {
    if width > 16 * 4 { 16 } else { 8 }
}

/// How many of the bytes end with a whole character, if they can.
fn whole_characters(bytes: &[u8]) -> usize {
    let tail = bytes
        .iter()
        .rev()
        .take(4)
        .position(|byte| byte & 0xC0 != 0x80);
    match tail {
        Some(back) => {
            let at = bytes.len() - 1 - back;
            let first = bytes.get(at).copied().unwrap_or_default();
            let length = match first {
                0xF0..=0xF7 => 4,
                0xE0..=0xEF => 3,
                0xC0..=0xDF => 2,
                _ => 1,
            };
            if at + length > bytes.len() && at > 0 {
                at
            } else {
                bytes.len()
            }
        }
        None => bytes.len(),
    }
}

/// Bytes made visible, with the way back.
fn shown(bytes: &[u8], first: usize) -> Drawn {
    let mut drawn = Drawn {
        bytes: first..first + bytes.len(),
        ..Drawn::default()
    };
    let mut at = first;
    for chunk in bytes.utf8_chunks() {
        for piece in text::pieces(chunk.valid(), Marks::Unicode) {
            let start = drawn.text.len();
            drawn.places.push((start, at + piece.source.start));
            drawn.text.push_str(&piece.shown);
            if piece.kind == text::PieceKind::Mark {
                drawn.controls.push(start..drawn.text.len());
            }
        }
        at += chunk.valid().len();
        for byte in chunk.invalid() {
            let start = drawn.text.len();
            drawn.places.push((start, at));
            drawn.text.push_str(&text::visible_bytes(&[*byte]));
            drawn.controls.push(start..drawn.text.len());
            at += 1;
        }
    }
    drawn
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn starts(bytes: &Bytes, form: Form, width: usize) -> Vec<usize> {
        let cache = LayoutCache::default();
        std::iter::successors(Some(0), |start| bytes.next(*start, form, width, &cache)).collect()
    }

    #[test]
    fn bytes_that_are_no_text_are_told_one_by_one() {
        let bytes = Bytes::new(b"ok\x1b[31m\xff\xfe end".to_vec());
        let row = bytes.draw(0, Form::Text, 80, &LayoutCache::default());
        assert_eq!(row.text, "ok␛[31m⟨0xFF⟩⟨0xFE⟩ end");
        assert_eq!(
            row.find(&(10..13)).and_then(|at| row.text.get(at)),
            Some("end")
        );
        assert_eq!(row.find(&(2..3)).and_then(|at| row.text.get(at)), Some("␛"));
    }

    #[test]
    fn line_feeds_end_rows_and_stay_visible() {
        let bytes = Bytes::new(b"{\n \"a\": 1\n}\n".to_vec());
        let rows: Vec<String> = starts(&bytes, Form::Text, 40)
            .into_iter()
            .map(|start| {
                bytes
                    .draw(start, Form::Text, 40, &LayoutCache::default())
                    .text
            })
            .collect();
        assert_eq!(rows, ["{␊", " \"a\": 1␊", "}␊"]);
    }

    #[test]
    fn hexadecimal_has_sixteen_or_eight_in_a_row() {
        let bytes = Bytes::new((0..20).chain([b'A']).collect());
        let row = bytes.draw(16, Form::Hex, 80, &LayoutCache::default());
        assert_eq!(
            row.text.trim_end(),
            format!("{:<49}....A", "10 11 12 13 41")
        );
        assert_eq!(starts(&bytes, Form::Hex, 40), [0, 8, 16]);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        #[test]
        fn rows_cover_every_byte_and_back_is_forward(
            bytes in prop::collection::vec(any::<u8>(), 0..3000),
            text in "[a-z\u{4e2d}\n ]{0,3000}",
            as_text in any::<bool>(),
            hex in any::<bool>(),
            width in 1_usize..90,
        ) {
            let bytes = Bytes::new(if as_text { text.into_bytes() } else { bytes });
            let form = if hex { Form::Hex } else { Form::Text };
            let cache = LayoutCache::default();
            let forward = starts(&bytes, form, width);
            let mut end = 0;
            for start in &forward {
                let row = bytes.draw(*start, form, width, &cache);
                prop_assert_eq!(row.bytes.start, *start);
                prop_assert!(row.bytes.start >= end || row.bytes.start == 0);
                prop_assert!(!row.text.contains(char::is_control));
                end = row.bytes.end;
                prop_assert_eq!(bytes.row_of(*start, form, width, &cache), *start);
            }
            prop_assert_eq!(end, bytes.all().len());
            let last = bytes.row_of(bytes.all().len(), form, width, &cache);
            let mut back: Vec<usize> =
                std::iter::successors(Some(last), |start| bytes.previous(*start, form, width, &cache))
                    .collect();
            back.reverse();
            prop_assert_eq!(forward, back);
        }
    }
}
