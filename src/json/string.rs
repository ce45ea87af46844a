//! The text of JSON strings: decoded without refusing anything, or only measured.
//!
//! What is no Unicode becomes U+FFFD: a lone surrogate one, invalid UTF-8 as `String::from_utf8_lossy`
//! does it. An escape that JSON does not know stays as it is written.

use std::borrow::Cow;

use memchr::memchr;

use super::check::hex4;

/// One step over the inside of a string.
enum Step {
    /// A character told by an escape, and how many bytes the escape takes.
    Char(char, usize),
    /// A backslash that begins no escape: it stands for itself.
    Plain,
}

/// Reads the escape at `at`, where a backslash stands.
fn escape(inner: &[u8], at: usize) -> Step {
    let simple = |character| Step::Char(character, 2);
    match inner.get(at + 1) {
        Some(b'"') => simple('"'),
        Some(b'\\') => simple('\\'),
        Some(b'/') => simple('/'),
        Some(b'b') => simple('\u{8}'),
        Some(b'f') => simple('\u{c}'),
        Some(b'n') => simple('\n'),
        Some(b'r') => simple('\r'),
        Some(b't') => simple('\t'),
        Some(b'u') => match hex4(inner, at + 2) {
            None => Step::Plain,
            Some(high @ 0xD800..=0xDBFF) => {
                let low = match (inner.get(at + 6), inner.get(at + 7)) {
                    (Some(b'\\'), Some(b'u')) => hex4(inner, at + 8),
                    _ => None,
                };
                match low {
                    Some(low @ 0xDC00..=0xDFFF) => {
                        let scalar =
                            0x10000 + (u32::from(high) - 0xD800) * 0x400 + u32::from(low) - 0xDC00;
                        Step::Char(char::from_u32(scalar).unwrap_or('\u{FFFD}'), 12)
                    }
                    _ => Step::Char('\u{FFFD}', 6),
                }
            }
            Some(unit) => Step::Char(char::from_u32(u32::from(unit)).unwrap_or('\u{FFFD}'), 6),
        },
        _ => Step::Plain,
    }
}

/// Walks the inside of a string as pieces of plain bytes and single characters from escapes.
#[inline]
fn pieces<'a>(inner: &'a [u8], mut each: impl FnMut(Piece<'a>)) {
    let mut at = 0;
    // Where the plain piece begins that has not been given out.
    let mut from = 0;
    while let Some(found) = inner
        .get(at..)
        .and_then(|rest| memchr(b'\\', rest))
        .map(|found| at + found)
    {
        match escape(inner, found) {
            Step::Char(character, length) => {
                if found > from {
                    each(Piece::Plain(inner.get(from..found).unwrap_or_default()));
                }
                each(Piece::Char(character, length));
                at = found + length;
                from = at;
            }
            Step::Plain => at = found + 1,
        }
    }
    if let Some(rest) = inner.get(from..).filter(|rest| !rest.is_empty()) {
        each(Piece::Plain(rest));
    }
}

enum Piece<'a> {
    Plain(&'a [u8]),
    Char(char, usize),
}

/// The text between the quotes of a JSON string.
pub fn decode(inner: &[u8]) -> Cow<'_, str> {
    if memchr(b'\\', inner).is_none() {
        return String::from_utf8_lossy(inner);
    }
    let mut text = String::with_capacity(inner.len());
    // Checked once as a whole: escapes are ASCII, so what stands between them is whole characters.
    let whole = std::str::from_utf8(inner).ok();
    let mut at = 0;
    pieces(inner, |piece| match piece {
        Piece::Plain(bytes) => {
            match whole.and_then(|whole| whole.get(at..at + bytes.len())) {
                Some(plain) => text.push_str(plain),
                None => text.push_str(&String::from_utf8_lossy(bytes)),
            }
            at += bytes.len();
        }
        Piece::Char(character, length) => {
            text.push(character);
            at += length;
        }
    });
    Cow::Owned(text)
}

/// The UTF-8 length of the decoded text, without decoding it.
pub fn decoded_length(inner: &[u8]) -> u64 {
    let mut length = 0;
    pieces(inner, |piece| match piece {
        Piece::Plain(bytes) => length += utf8_length(bytes),
        Piece::Char(character, _) => length += character.len_utf8() as u64,
    });
    length
}

/// The length that serde_json writes for the decoded text, quotes included.
pub fn canonical_text_length(inner: &[u8]) -> u64 {
    let mut length = 2;
    pieces(inner, |piece| match piece {
        Piece::Plain(bytes) => length += utf8_length(bytes) + escaped_extra(bytes),
        Piece::Char(character, _) => {
            length += match character {
                '"' | '\\' | '\u{8}' | '\u{c}' | '\n' | '\r' | '\t' => 2,
                control if control < ' ' => 6,
                other => other.len_utf8() as u64,
            }
        }
    });
    length
}

fn utf8_length(bytes: &[u8]) -> u64 {
    let chunks = match std::str::from_utf8(bytes) {
        Ok(text) => return text.len() as u64,
        Err(_) => bytes.utf8_chunks(),
    };
    chunks
        .map(|chunk| {
            let replaced = if chunk.invalid().is_empty() { 0 } else { 3 };
            chunk.valid().len() as u64 + replaced
        })
        .sum()
}

/// What escaping adds to plain bytes: they hold no quote, but may hold backslashes and control bytes.
fn escaped_extra(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .map(|byte| match byte {
            b'\\' | 8 | 9 | 10 | 12 | 13 => 1,
            0..0x20 => 5,
            _ => 0,
        })
        .sum()
}

/// The character of the decoded text, counted from 0, in which the byte at `offset` of the string's
/// inside falls.
pub fn position_at(inner: &[u8], offset: usize) -> usize {
    let mut position = 0;
    let mut at = 0;
    let mut done = false;
    pieces(inner, |piece| {
        if done {
            return;
        }
        match piece {
            Piece::Plain(bytes) => {
                let end = at + bytes.len();
                let inside = offset.min(end) - at;
                let text = String::from_utf8_lossy(bytes.get(..inside).unwrap_or_default());
                position += text.chars().count();
                done = offset < end;
                at = end;
            }
            Piece::Char(_, length) => {
                done = offset < at + length;
                if !done {
                    position += 1;
                }
                at += length;
            }
        }
    });
    position
}
