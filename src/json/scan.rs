//! Moving over bytes: white space, strings, whole values. Nothing here allocates or recurses.

use memchr::memchr2;

/// Values at least this long are remembered by a checked record, shorter ones are scanned again.
pub(super) const LONG: usize = 64;

/// The first byte at or after `at` that is no JSON white space.
pub(super) fn skip_space(bytes: &[u8], mut at: usize) -> usize {
    while let Some(b' ' | b'\n' | b'\r' | b'\t') = bytes.get(at) {
        at += 1;
    }
    at
}

/// The first `"` or `\` at or after `at`, or the end.
///
/// Text of tools has an escape every few dozen bytes: near ones are found eight bytes at a time, which
/// costs less than beginning a vector search does; far ones by the vector search.
#[inline]
pub(super) fn next_quote(bytes: &[u8], mut at: usize) -> usize {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGHS: u64 = 0x8080_8080_8080_8080;
    const QUOTES: u64 = 0x2222_2222_2222_2222;
    const BACKSLASHES: u64 = 0x5C5C_5C5C_5C5C_5C5C;
    /// Marks the first byte that is zero; bytes behind it may be marked wrongly.
    const fn zeros(word: u64) -> u64 {
        word.wrapping_sub(ONES) & !word & HIGHS
    }
    let near = at + 96;
    while at < near {
        let Some(word) = bytes.get(at..at + 8).and_then(|word| word.try_into().ok()) else {
            break;
        };
        let word = u64::from_le_bytes(word);
        let found = zeros(word ^ QUOTES) | zeros(word ^ BACKSLASHES);
        if found != 0 {
            return at + found.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    bytes
        .get(at..)
        .and_then(|rest| memchr2(b'"', b'\\', rest))
        .map_or(bytes.len(), |found| at + found)
}

/// The byte after the closing quote of the string whose first inner byte is `at`.
///
/// None when the string does not end in `bytes`.
#[inline]
pub(super) fn string_end(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        let found = next_quote(bytes, at);
        match bytes.get(found)? {
            b'"' => return Some(found + 1),
            _ => at = found + 2,
        }
    }
}

/// The byte after the object or array that opens at `at`, looking at no more than `limit` bytes.
pub(super) fn container_end(bytes: &[u8], at: usize, limit: usize) -> Option<usize> {
    let bytes = bytes.get(..bytes.len().min(at.saturating_add(limit)))?;
    let mut depth = 0_usize;
    let mut at = at;
    loop {
        match bytes.get(at)? {
            b'"' => {
                at = string_end(bytes, at + 1)?;
                continue;
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
        at += 1;
    }
}

/// The byte after the number or literal that begins at `at`.
pub(super) fn scalar_end(bytes: &[u8], mut at: usize) -> usize {
    while let Some(byte) = bytes.get(at) {
        if matches!(
            byte,
            b',' | b']' | b'}' | b':' | b' ' | b'\n' | b'\r' | b'\t'
        ) {
            break;
        }
        at += 1;
    }
    at
}

/// The first `"`, `\` or control byte at or after `at`, or the end.
///
/// Looks at whole chunks, which the compiler turns into vector instructions.
pub(super) fn next_special(bytes: &[u8], mut at: usize) -> usize {
    const CHUNK: usize = 32;
    let special = |byte: u8| byte == b'"' || byte == b'\\' || byte < 0x20;
    while let Some(chunk) = bytes.get(at..at + CHUNK) {
        let found = chunk.iter().map(|&byte| u8::from(special(byte)));
        if found.fold(0, std::ops::BitOr::bitor) != 0 {
            break;
        }
        at += CHUNK;
    }
    while let Some(&byte) = bytes.get(at) {
        if special(byte) {
            break;
        }
        at += 1;
    }
    at
}

/// Whether any byte is a control byte; one pass that the compiler vectorises.
pub(super) fn has_control(bytes: &[u8]) -> bool {
    bytes.chunks(1024).any(|chunk| {
        let controls = chunk.iter().map(|&byte| u8::from(byte < 0x20));
        controls.fold(0, std::ops::BitOr::bitor) != 0
    })
}
