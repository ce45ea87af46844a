//! Which characters a terminal would obey, hide or reorder.

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// What drawing a character as it stands would do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// Draws itself in cells of its own.
    Plain,
    /// Draws onto the character before it, or belongs to it.
    Combining,
    /// Moves the cursor, changes order or state, or draws nothing: shown as a mark.
    Hazard,
}

/// Controls, format characters, line and paragraph separators, and everything that Unicode lets a
/// program leave undrawn; also the code points that are no characters.
///
/// Unicode 16 general categories Cc, Cf, Zl, Zp, the property `Default_Ignorable_Code_Point`, and
/// the noncharacters of the basic plane; those of the other planes are matched by their low bits.
/// A test compares the table with the regex crate's own.
const HAZARDS: &[(u32, u32)] = &[
    (0x0000, 0x001F),
    (0x007F, 0x009F),
    (0x00AD, 0x00AD),
    (0x034F, 0x034F),
    (0x0600, 0x0605),
    (0x061C, 0x061C),
    (0x06DD, 0x06DD),
    (0x070F, 0x070F),
    (0x0890, 0x0891),
    (0x08E2, 0x08E2),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x200B, 0x200F),
    (0x2028, 0x202E),
    (0x2060, 0x206F),
    (0x3164, 0x3164),
    (0xFDD0, 0xFDEF),
    (0xFE00, 0xFE0F),
    (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0),
    (0xFFF0, 0xFFFB),
    (0xFFFE, 0xFFFF),
    (0x110BD, 0x110BD),
    (0x110CD, 0x110CD),
    (0x13430, 0x1343F),
    (0x1BCA0, 0x1BCA3),
    (0x1D173, 0x1D17A),
    (0xE0000, 0xE0FFF),
];

/// Classifies one character.
pub(super) fn class(c: char) -> Class {
    let code = c as u32;
    if (0x20..0x7F).contains(&code) {
        return Class::Plain;
    }
    let hazard = HAZARDS
        .binary_search_by(|&(first, last)| {
            if last < code {
                std::cmp::Ordering::Less
            } else if first > code {
                std::cmp::Ordering::Greater
            } else {
                std::cmp::Ordering::Equal
            }
        })
        .is_ok();
    if hazard || code & 0xFFFE == 0xFFFE || is_regional_indicator(c) {
        return Class::Hazard;
    }
    match c.width() {
        None => Class::Hazard,
        Some(0) => Class::Combining,
        Some(_) if is_halfwidth_sound_mark(c) || extends(c) => Class::Combining,
        Some(_) => Class::Plain,
    }
}

/// Letters of which two make a flag. Terminals and multiplexers disagree whether a pair takes two
/// cells or four, and what follows it lands elsewhere than it was meant to.
pub(super) const fn is_regional_indicator(c: char) -> bool {
    matches!(c, '\u{1F1E6}'..='\u{1F1FF}')
}

/// The ASCII letter of a [regional indicator](is_regional_indicator); none for anything else.
pub(super) fn regional_letter(c: char) -> Option<char> {
    let place = (c as u32)
        .checked_sub(0x1_F1E6)
        .filter(|place| *place < 26)?;
    char::from_u32('A' as u32 + place)
}

/// Whether a character of some width still belongs to the grapheme before it: spacing vowel signs,
/// skin tones.
fn extends(c: char) -> bool {
    if !may_join(c) && !matches!(c, '\u{1F3FB}'..='\u{1F3FF}') {
        return false;
    }
    let mut buffer = [b'a'; 5];
    let length = 1 + c.encode_utf8(&mut buffer[1..]).len();
    std::str::from_utf8(&buffer[..length]).is_ok_and(|pair| pair.graphemes(true).count() == 1)
}

/// Scripts whose characters may join into one grapheme without a combining character between them,
/// without a bound: conjunct consonants, Hangul jamo, prefixed signs.
pub(super) const fn may_join(c: char) -> bool {
    matches!(c,
        '\u{0900}'..='\u{1CFF}'
        | '\u{302E}'..='\u{302F}'
        | '\u{A800}'..='\u{ABFF}'
        | '\u{D7B0}'..='\u{D7FF}'
        | '\u{11000}'..='\u{11FFF}'
        | '\u{16A00}'..='\u{16FFF}'
        | '\u{1D000}'..='\u{1D1FF}')
}

/// Halfwidth dakuten and handakuten: of width zero by their property, but one cell in terminals and
/// in ratatui's buffer.
pub(super) const fn is_halfwidth_sound_mark(c: char) -> bool {
    matches!(c, '\u{FF9E}' | '\u{FF9F}')
}

/// Whether a presentation selector (U+FE0E, U+FE0F) has a meaning after `base`.
///
/// There it only chooses between the coloured and the plain form of one sign. Terminals disagree
/// about the width of the result, so the sign is drawn without it; anywhere else a selector carries
/// something hidden and gets a mark.
pub(super) fn takes_presentation(base: char) -> bool {
    if base.is_ascii() {
        // Keycaps: 1, selector, U+20E3.
        return base.is_ascii_digit() || base == '#' || base == '*';
    }
    let mut buffer = [0; 8];
    let mut with = |selector: char| {
        let base_length = base.encode_utf8(&mut buffer).len();
        let rest = buffer.get_mut(base_length..).unwrap_or_default();
        let length = base_length + selector.encode_utf8(rest).len();
        std::str::from_utf8(buffer.get(..length).unwrap_or_default())
            .map_or(0, UnicodeWidthStr::width)
    };
    match base.width() {
        Some(1) => with('\u{FE0F}') == 2,
        Some(2) => with('\u{FE0E}') == 1,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> impl Iterator<Item = char> {
        (0..=0x0010_FFFF).filter_map(char::from_u32)
    }

    #[test]
    fn every_control_format_separator_and_ignorable_is_a_hazard() {
        let pattern =
            regex::Regex::new(r"[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]")
                .expect("a valid pattern");
        let mut buffer = [0; 4];
        for c in all() {
            let published = pattern.is_match(c.encode_utf8(&mut buffer));
            if published {
                assert_eq!(class(c), Class::Hazard, "U+{:04X}", c as u32);
            }
        }
    }

    #[test]
    fn letters_signs_and_marks_are_no_hazards() {
        let pattern = regex::Regex::new(
            r"[\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}&&\P{Default_Ignorable_Code_Point}]",
        )
        .expect("a valid pattern");
        let mut buffer = [0; 4];
        for c in all() {
            if pattern.is_match(c.encode_utf8(&mut buffer)) && !is_regional_indicator(c) {
                assert_ne!(class(c), Class::Hazard, "U+{:04X}", c as u32);
            }
        }
    }

    #[test]
    fn presentation_selectors_have_a_meaning_after_signs_only() {
        for base in ['⚠', 'ℹ', '❤', '✅', '⌚', '1', '#', '☀'] {
            assert!(takes_presentation(base), "{base}");
        }
        for base in ['a', ' ', '漢', 'é', '\u{301}'] {
            assert!(!takes_presentation(base), "{base}");
        }
    }
}
