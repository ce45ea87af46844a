//! The length of a value's compact JSON, without writing it.
//!
//! "Compact" is the form of `serde_json::to_string`: no blanks, non-ASCII kept as it is, keys in the
//! order of the map. It is what the result cache compares with its threshold and what the bound spends
//! its budget on, so it is measured often and on values of many megabytes.

use std::fmt::{self, Write};

use serde_json::{Number, Value};

/// The length in bytes of `value`'s compact JSON.
///
/// Recurses as deep as the value is nested, as dropping a [`Value`] does too.
pub fn length(value: &Value) -> usize {
    usize::MAX - spend(value, usize::MAX).unwrap_or(0)
}

/// The length in bytes of the compact JSON of `value` where it is at most `limit`.
///
/// Stops measuring as soon as the limit is passed, so that its cost is bounded by the limit and not by
/// the value.
pub fn length_within(value: &Value, limit: usize) -> Option<usize> {
    spend(value, limit).map(|left| limit - left)
}

/// The length in bytes of the compact JSON of the array of `items` where it is at most `limit`.
pub fn array_length_within(items: &[Value], limit: usize) -> Option<usize> {
    spend_array(items, limit).map(|left| limit - left)
}

/// The length in bytes of `text` as a JSON string, quotes included.
pub fn text_length(text: &str) -> usize {
    usize::MAX - spend_text(text, usize::MAX).unwrap_or(0)
}

/// The length in bytes of `character` inside a JSON string.
pub fn character_length(character: char) -> usize {
    character.len_utf8() + u8::try_from(character).map_or(0, |byte| usize::from(escape(byte)))
}

/// What is left of `budget` bytes after writing `value`; none where they do not suffice.
fn spend(value: &Value, budget: usize) -> Option<usize> {
    match value {
        Value::Null | Value::Bool(true) => budget.checked_sub(4),
        Value::Bool(false) => budget.checked_sub(5),
        Value::Number(number) => budget.checked_sub(number_length(number)),
        Value::String(text) => spend_text(text, budget),
        Value::Array(items) => spend_array(items, budget),
        Value::Object(fields) => {
            let mut left = budget.checked_sub(2 + fields.len().saturating_sub(1))?;
            for (key, value) in fields {
                left = spend_text(key, left)?.checked_sub(1)?;
                left = spend(value, left)?;
            }
            Some(left)
        }
    }
}

fn spend_array(items: &[Value], budget: usize) -> Option<usize> {
    let mut left = budget.checked_sub(2 + items.len().saturating_sub(1))?;
    for item in items {
        left = spend(item, left)?;
    }
    Some(left)
}

fn spend_text(text: &str, budget: usize) -> Option<usize> {
    let mut left = budget.checked_sub(text.len() + 2)?;
    let (chunks, rest) = text.as_bytes().as_chunks::<16>();
    for chunk in chunks {
        // At most 5 for each of 16 bytes: the sum fits one byte, which lets the compiler add many at once.
        let escapes = chunk
            .iter()
            .fold(0_u8, |sum, byte| sum.wrapping_add(escape(*byte)));
        left = left.checked_sub(usize::from(escapes))?;
    }
    let escapes: usize = rest
        .iter()
        .map(|byte| usize::from(ESCAPES[usize::from(*byte)]))
        .sum();
    left.checked_sub(escapes)
}

/// What [`escape`] gives for every byte: the quickest way for the few bytes of a key.
const ESCAPES: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < table.len() {
        table[byte] = escape(byte as u8);
        byte += 1;
    }
    table
};

/// How many bytes escaping adds to `byte`: `\"` and `\n` add one, `\u001b` five.
///
/// Arithmetic without branches, for the sake of vector instructions.
#[inline]
const fn escape(byte: u8) -> u8 {
    let control = (byte < 0x20) as u8;
    // \b \t \n \f \r have a short form; 0x0b, between them, has none.
    let short = (byte.wrapping_sub(8) < 6) as u8 - (byte == 0x0b) as u8;
    let quoted = (byte == b'"') as u8 + (byte == b'\\') as u8;
    control * 5 - short * 4 + quoted
}

fn number_length(number: &Number) -> usize {
    if let Some(value) = number.as_u64() {
        digits(value)
    } else if let Some(value) = number.as_i64() {
        1 + digits(value.unsigned_abs())
    } else {
        // Floats: only serde_json knows its shortest form.
        let mut counter = Counter(0);
        // A counter takes everything.
        let _ = write!(counter, "{number}");
        counter.0
    }
}

/// How many decimal digits `value` is written with.
pub fn digits(value: u64) -> usize {
    value.checked_ilog10().map_or(1, |log| log as usize + 1)
}

struct Counter(usize);

impl fmt::Write for Counter {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 += text.len();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{character_length, length, length_within, text_length};

    #[test]
    fn lengths_are_those_of_serde_json() {
        for text in [
            "null",
            "true",
            "false",
            "0",
            "-0",
            "-0.0",
            "1.10",
            "1e2",
            "1e-7",
            "1.0",
            "123456789012345678901",
            "18446744073709551615",
            "-9223372036854775808",
            "9",
            "10",
            "99",
            "100",
            "1e300",
            "\"\"",
            r#""\u00e9\/\"\\\b\f\n\r\t\u001b\u000b\u007f\ud83d\ude00""#,
            "[]",
            "{}",
            "[1]",
            "[1,2]",
            r#"{"a":1,"a":2,"b":[{"c":null}]}"#,
            r#"{"":""}"#,
        ] {
            let value: Value = serde_json::from_str(text).expect("test data");
            let written = value.to_string();
            assert_eq!(length(&value), written.len(), "{written}");
            assert_eq!(length_within(&value, written.len()), Some(written.len()));
            assert_eq!(length_within(&value, written.len() - 1), None);
        }
    }

    #[test]
    fn every_character_has_the_length_that_serde_json_writes() {
        for character in (0..0x300_u32)
            .filter_map(char::from_u32)
            .chain(['日', '😀'])
        {
            let text = character.to_string();
            let written = json!(text).to_string().len();
            assert_eq!(character_length(character) + 2, written, "{character:?}");
            assert_eq!(text_length(&text), written);
            assert_eq!(text_length(&text.repeat(100)), (written - 2) * 100 + 2);
        }
    }
}
