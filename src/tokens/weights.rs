//! The weights of the estimator, in thousandths of a token.
//!
//! Fitted by least squares to o200k_base over tool outputs of public recordings, prose and code;
//! none is negative.

/// Classes of bytes. Bytes of characters outside ASCII are classed by the first of them.
pub(super) const CLASSES: usize = 13;

/// Before the first byte.
pub(super) const START: u8 = 12;

/// Bytes that continue a character and count with its first.
pub(super) const CONTINUATION: u8 = 13;

/// Longer runs of one class cost per character what the last length says.
pub(super) const RUN_LENGTHS: usize = 16;

/// The class of each byte.
pub(super) const CLASS: [u8; 256] = classes();

const fn classes() -> [u8; 256] {
    let mut classes = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = match byte as u8 {
            b' ' => 0,
            b'\n' | b'\r' => 1,
            0..=0x1F | 0x7F => 2,
            b'a'..=b'z' => 3,
            b'A'..=b'Z' => 4,
            b'0'..=b'9' => 5,
            b'"' | b',' | b':' | b'{' | b'}' | b'[' | b']' => 6,
            b'!'..=b'~' => 7,
            0x80..=0xBF => CONTINUATION,
            // Latin with accents, Greek, Cyrillic, Hebrew, Arabic.
            0xC0..=0xDF => 8,
            // Signs and punctuation; kana, Han and Hangul; other scripts of the basic plane.
            0xE2 => 9,
            0xE3..=0xED => 10,
            0xE0..=0xEF => 11,
            // Emoji and rare scripts.
            0xF0..=0xFF => 9,
        };
        byte += 1;
    }
    classes
}

/// What a character costs whose class is another than the one before it, by both classes.
pub(super) const CHANGE: [[u16; CLASSES]; CLASSES] = [[850; CLASSES]; CLASSES];

/// What a character costs that goes on with the class before it, by class and length so far.
pub(super) const RUN: [[u16; RUN_LENGTHS]; CLASSES] = [[100; RUN_LENGTHS]; CLASSES];
