//! Sizes of text in every unit that somebody counts in, and numbers as people read them.

use super::width::cells;

/// One text, measured in each unit.
///
/// 30,000 is a different place in a text for every one of these, and recordings hold limits in all
/// of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Units {
    /// UTF-8 bytes.
    pub bytes: usize,
    /// Unicode scalar values.
    pub chars: usize,
    /// UTF-16 code units.
    pub utf16: usize,
    /// Terminal cells of the text as it stands.
    pub cells: usize,
    /// Lines; a line feed at the end opens no further line.
    pub lines: usize,
}

impl Units {
    /// Measures `text`.
    pub fn of(text: &str) -> Self {
        Self {
            bytes: text.len(),
            chars: text.chars().count(),
            utf16: text.encode_utf16().count(),
            cells: cells(text),
            lines: text.lines().count(),
        }
    }
}

/// A number with its thousands set apart: `147,787`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A size in few cells, in thousands of bytes and up: `0.1k`, `3.1k`, `148k`, `4.8M`; `0` for none.
///
/// Never wider than four cells below a thousand gigabytes.
pub fn short_bytes(bytes: u64) -> String {
    if bytes == 0 {
        "0".to_owned()
    } else {
        scaled(bytes)
    }
}

/// A count in few cells: `51`, `9.8k`, `63k`, `1.2M`.
pub fn short_count(count: u64) -> String {
    if count < 1_000 {
        count.to_string()
    } else {
        scaled(count)
    }
}

fn scaled(number: u64) -> String {
    const STEPS: [(u64, char); 4] = [
        (1_000, 'k'),
        (1_000_000, 'M'),
        (1_000_000_000, 'G'),
        (1_000_000_000_000, 'T'),
    ];
    for (unit, letter) in STEPS {
        // In tenths of the unit, rounded half up, and never nothing for something.
        let tenths = (number.saturating_add(unit / 20) / (unit / 10)).max(1);
        if tenths < 100 {
            return format!("{}.{}{letter}", tenths / 10, tenths % 10);
        }
        let whole = number.saturating_add(unit / 2) / unit;
        if whole < 1_000 || letter == 'T' {
            return format!("{whole}{letter}");
        }
    }
    number.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_set_apart() {
        for (number, text) in [
            (0, "0"),
            (999, "999"),
            (1_000, "1,000"),
            (147_787, "147,787"),
            (1_234_567_890, "1,234,567,890"),
            (u64::MAX, "18,446,744,073,709,551,615"),
        ] {
            assert_eq!(grouped(number), text);
        }
    }

    #[test]
    fn short_sizes_are_those_of_the_timeline() {
        for (bytes, text) in [
            (0, "0"),
            (1, "0.1k"),
            (51, "0.1k"),
            (1_804, "1.8k"),
            (3_140, "3.1k"),
            (9_949, "9.9k"),
            (9_950, "10k"),
            (23_213, "23k"),
            (147_787, "148k"),
            (999_499, "999k"),
            (999_500, "1.0M"),
            (4_800_000, "4.8M"),
            (1_000_000_000, "1.0G"),
        ] {
            assert_eq!(short_bytes(bytes), text, "{bytes}");
        }
        assert_eq!(short_count(51), "51");
        assert_eq!(short_count(9_812), "9.8k");
        assert_eq!(short_bytes(u64::MAX), "18446744T");
    }

    #[test]
    fn one_text_in_every_unit() {
        let text = "a😀é\n漢\n";
        assert_eq!(
            Units::of(text),
            Units {
                bytes: 12,
                chars: 6,
                utf16: 7,
                cells: 8,
                lines: 2
            }
        );
    }
}
