//! The units that clients count in, and where a cut in such a unit falls.

use std::ops::Range;

use serde::Deserialize;
use unicode_width::UnicodeWidthChar;

use super::rows;

/// A unit that a client counts in.
///
/// The same limit is another place in a text for each of them, and in some of them a cut can fall
/// inside a character.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Count {
    /// UTF-8 bytes, cut back to the next character boundary.
    Bytes,
    /// UTF-8 bytes, cut wherever the number falls.
    RawBytes,
    /// Unicode scalar values.
    Chars,
    /// UTF-16 units, cut wherever the number falls: a surrogate pair may be torn.
    Utf16,
    /// Terminal cells: controls take none, wide characters two. Grapheme clusters are not joined.
    Cells,
    /// The parts between line feeds, the one after the last included.
    Rows,
    /// Lines as Rust counts them: a line feed at the end opens no further one.
    Lines,
}

/// What a cut inside a character leaves of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tear {
    /// Half of a surrogate pair.
    Surrogate,
    /// Bytes that are no UTF-8, which become U+FFFD.
    Bytes,
}

impl Count {
    /// How many of them `text` has.
    pub fn of(self, text: &str) -> usize {
        match self {
            Self::Bytes | Self::RawBytes => text.len(),
            Self::Chars => text.chars().count(),
            Self::Utf16 if text.is_ascii() => text.len(),
            Self::Utf16 => text.chars().map(char::len_utf16).sum(),
            Self::Cells => text.chars().map(cells).sum(),
            Self::Rows => rows::count(text),
            Self::Lines => text.lines().count(),
        }
    }

    /// How many of them the part of `text` within `range` has, whose ends may be inside a character.
    pub fn within(self, text: &str, range: &Range<usize>) -> usize {
        match self {
            Self::Bytes | Self::RawBytes => range.len(),
            _ if range.is_empty() => 0,
            _ => {
                let inner =
                    text.ceil_char_boundary(range.start)..text.floor_char_boundary(range.end);
                let torn =
                    usize::from(inner.start > range.start) + usize::from(range.end > inner.end);
                let whole = text.get(inner).map_or(0, |part| self.of(part));
                // Half a pair is one unit; of a torn character nothing else can be counted.
                if self == Self::Utf16 {
                    whole + torn
                } else {
                    whole
                }
            }
        }
    }

    /// Whether `text` has more than `number` of them, without counting further than needed where
    /// its bytes already decide.
    pub fn exceeds(self, text: &str, number: usize) -> bool {
        match self {
            Self::Rows | Self::Lines => self.of(text) > number,
            // No unit is finer than a byte.
            _ => text.len() > number && self.of(text) > number,
        }
    }

    /// Where the first `number` of them end.
    pub fn head_end(self, text: &str, number: usize) -> usize {
        match self {
            Self::Bytes => text.floor_char_boundary(number),
            Self::RawBytes => number.min(text.len()),
            Self::Rows | Self::Lines => rows::Rows::of(text).head(number).end,
            Self::Chars | Self::Utf16 if text.is_ascii() => number.min(text.len()),
            Self::Chars => text
                .char_indices()
                .nth(number)
                .map_or(text.len(), |(at, _)| at),
            Self::Utf16 => {
                let mut left = number;
                for (at, char) in text.char_indices() {
                    match char.len_utf16() {
                        _ if left == 0 => return at,
                        2 if left == 1 => return at + HALF,
                        units => left -= units,
                    }
                }
                text.len()
            }
            Self::Cells => {
                let mut used = 0;
                for (at, char) in text.char_indices() {
                    used += cells(char);
                    if used > number {
                        return at;
                    }
                }
                text.len()
            }
        }
    }

    /// Where the last `number` of them begin.
    pub fn tail_start(self, text: &str, number: usize) -> usize {
        match self {
            Self::Bytes => text.ceil_char_boundary(text.len().saturating_sub(number)),
            Self::RawBytes => text.len().saturating_sub(number),
            Self::Rows | Self::Lines => rows::Rows::of(text).tail(number).start,
            Self::Chars | Self::Utf16 if text.is_ascii() => text.len().saturating_sub(number),
            Self::Chars if number == 0 => text.len(),
            Self::Chars => text
                .char_indices()
                .nth_back(number - 1)
                .map_or(0, |(at, _)| at),
            Self::Utf16 => {
                let mut left = number;
                for (at, char) in text.char_indices().rev() {
                    match char.len_utf16() {
                        _ if left == 0 => return at + char.len_utf8(),
                        2 if left == 1 => return at + HALF,
                        units => left -= units,
                    }
                }
                0
            }
            // Skips cells from the front, so that a wide character across the edge is kept and
            // what takes no cell at the edge is not.
            Self::Cells => {
                let skip = self.of(text).saturating_sub(number);
                if skip == 0 {
                    return 0;
                }
                let mut used = 0;
                for (at, char) in text.char_indices() {
                    used += cells(char);
                    if used > skip {
                        return at;
                    }
                }
                text.len()
            }
        }
    }

    /// What a cut in this unit leaves of a character that it falls into.
    pub const fn tear(self) -> Tear {
        match self {
            Self::RawBytes => Tear::Bytes,
            _ => Tear::Surrogate,
        }
    }
}

/// A surrogate pair is four bytes of UTF-8; its halves are told apart by counting two to each.
pub const HALF: usize = 2;

/// Cells of one character.
fn cells(char: char) -> usize {
    char.width().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_falls_where_the_unit_says() {
        let text = "a😀é漢z";
        assert_eq!(Count::Bytes.head_end(text, 4), 1);
        assert_eq!(Count::RawBytes.head_end(text, 4), 4);
        assert_eq!(Count::Chars.head_end(text, 2), 5);
        assert_eq!(Count::Utf16.head_end(text, 2), 3, "inside the pair");
        assert_eq!(Count::Utf16.head_end(text, 3), 5);
        assert_eq!(Count::Cells.head_end(text, 2), 1);
        assert_eq!(Count::Cells.head_end(text, 3), 5);
        assert_eq!(Count::Bytes.tail_start(text, 3), 10);
        assert_eq!(Count::Chars.tail_start(text, 2), 7);
        assert_eq!(Count::Utf16.tail_start(text, 4), 3, "inside the pair");
        assert_eq!(Count::Utf16.tail_start(text, 0), text.len());
        assert_eq!(Count::Cells.tail_start(text, 3), 7);
        assert_eq!(
            Count::Cells.tail_start(text, 2),
            7,
            "a wide one at the edge is kept"
        );
    }

    #[test]
    fn halves_are_units_of_their_own() {
        let text = "😀😀";
        assert_eq!(Count::Utf16.within(text, &(2..6)), 2);
        assert_eq!(Count::Utf16.within(text, &(0..8)), 4);
        assert_eq!(Count::Chars.within(text, &(0..4)), 1);
    }
}
