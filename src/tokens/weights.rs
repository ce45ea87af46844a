//! The weights of the estimator, in thousandths of a token.
//!
//! Fitted by least squares with bounds to o200k_base over 2,146 texts: tool outputs of public
//! recordings, source code, configuration, listings of commands, prose in five scripts. On a third of
//! the texts that was held out, 93 of 100 came within 10 % and 98 of 100 within 15 %
//! (2026-11). A quarter of the bytes, the usual rule, is 0.4 to 1.3 of o200k_base over the same texts.

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
            // Signs and punctuation, emoji; kana, Han and Hangul; other scripts of the basic plane.
            0xE2 | 0xF0..=0xFF => 9,
            0xE3..=0xED => 10,
            0xE0..=0xEF => 11,
        };
        byte += 1;
    }
    classes
}

/// What a character costs whose class is another than the one before it: row by the class before,
/// column by its own.
pub(super) const CHANGE: [[u16; CLASSES]; CLASSES] = [
    [
        600, 813, 252, 383, 0, 1627, 859, 681, 324, 0, 1109, 634, 600,
    ],
    [
        396, 600, 532, 1256, 984, 595, 92, 386, 608, 0, 600, 626, 600,
    ],
    [
        2000, 636, 600, 0, 1063, 1080, 0, 1931, 628, 600, 603, 1018, 600,
    ],
    [
        472, 1376, 335, 600, 1022, 327, 650, 151, 1102, 887, 603, 915, 600,
    ],
    [
        0, 245, 757, 533, 600, 1322, 1231, 286, 643, 615, 603, 975, 600,
    ],
    [
        934, 1633, 679, 1828, 667, 600, 1225, 825, 526, 532, 600, 752, 600,
    ],
    [
        466, 0, 542, 671, 624, 1034, 600, 482, 829, 2000, 618, 746, 600,
    ],
    [
        401, 0, 1003, 1043, 219, 1419, 508, 600, 937, 1326, 665, 1116, 600,
    ],
    [
        395, 585, 621, 1119, 790, 629, 747, 733, 600, 600, 601, 702, 600,
    ],
    [
        966, 633, 600, 1051, 0, 600, 1008, 1239, 600, 600, 600, 1050, 600,
    ],
    [
        1077, 600, 605, 601, 602, 603, 619, 695, 600, 600, 600, 704, 600,
    ],
    [
        1086, 622, 1009, 954, 971, 739, 733, 1113, 705, 600, 705, 600, 600,
    ],
    [
        602, 582, 558, 1678, 781, 845, 1149, 788, 607, 600, 632, 600, 600,
    ],
];

/// What a character costs that goes on with the class before it: row by its class, column by how
/// many of the class came before it in one run. The first column is never used.
pub(super) const RUN: [[u16; RUN_LENGTHS]; CLASSES] = [
    [120, 300, 300, 0, 0, 2, 0, 23, 91, 138, 155, 113, 0, 0, 0, 0],
    [
        120, 50, 341, 98, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120,
    ],
    [120, 0, 658, 0, 0, 0, 0, 0, 0, 0, 0, 6, 17, 31, 45, 55],
    [
        120, 130, 0, 0, 0, 9, 300, 0, 17, 27, 0, 0, 128, 263, 343, 400,
    ],
    [
        120, 1076, 50, 139, 0, 0, 0, 0, 0, 0, 15, 17, 30, 57, 104, 176,
    ],
    [
        120, 1, 0, 700, 72, 99, 139, 170, 186, 208, 237, 262, 262, 221, 135, 9,
    ],
    [
        120, 22, 0, 1294, 921, 795, 750, 617, 503, 417, 353, 305, 270, 246, 231, 223,
    ],
    [
        120, 495, 593, 1859, 260, 217, 177, 141, 108, 81, 59, 40, 27, 14, 0, 0,
    ],
    [
        120, 172, 179, 175, 158, 156, 151, 141, 134, 130, 128, 126, 125, 124, 124, 123,
    ],
    [
        120, 2000, 1462, 2000, 1583, 1555, 1508, 1441, 1367, 1288, 1199, 1099, 982, 839, 662, 440,
    ],
    [
        120, 718, 566, 350, 348, 350, 356, 366, 382, 405, 435, 475, 529, 603, 702, 833,
    ],
    [
        120, 903, 467, 263, 143, 140, 136, 133, 130, 128, 126, 125, 124, 123, 123, 123,
    ],
    [
        120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120,
    ],
];
