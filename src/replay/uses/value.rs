//! The values that a call uses: what could have been taken from an earlier output.

use std::ops::Range;

use serde_json::Value;

/// The shortest string leaf that counts.
const SHORTEST_LEAF: usize = 3;

/// The shortest run inside a leaf, and the fewest digits of a number, that count.
const SHORTEST_RUN: usize = 4;

/// A value that a call uses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Used {
    pub text: String,
    /// Where in the arguments, as a JSON pointer.
    pub pointer: String,
    /// Which bytes of the string at that place; none for all of it.
    pub part: Option<Range<usize>>,
}

/// A character that a run is made of.
pub(super) const fn is_run_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

/// The maximal runs of a text, as bytes of it.
pub(super) fn runs(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at
            + bytes
                .get(at..)?
                .iter()
                .position(|byte| is_run_byte(*byte))?;
        let rest = bytes.get(start..)?;
        let length = rest
            .iter()
            .position(|byte| !is_run_byte(*byte))
            .unwrap_or(rest.len());
        at = start + length;
        Some(start..at)
    })
}

/// The values of a call's arguments: string leaves of three or more characters; inside them phrases
/// in quotes, as commands have them, and maximal runs of four or more; and numbers of four or more
/// digits. A value comes before its parts.
pub(super) fn of_arguments(arguments: &Value) -> Vec<Used> {
    let mut used = Vec::new();
    each_leaf(arguments, |leaf, pointer| match leaf {
        Value::String(text) => {
            let mut add = |part: Option<Range<usize>>| {
                let value = part
                    .clone()
                    .map_or(Some(text.as_str()), |part| text.get(part));
                used.push(Used {
                    text: value.unwrap_or_default().to_owned(),
                    pointer: pointer.to_owned(),
                    part,
                });
            };
            if text.chars().take(SHORTEST_LEAF).count() == SHORTEST_LEAF {
                add(None);
            }
            let inside = phrases(text)
                .chain(runs(text).filter(|run| run.len() >= SHORTEST_RUN))
                .filter(|part| part.len() < text.len());
            inside.for_each(|part| add(Some(part)));
        }
        Value::Number(number) => {
            let text = number.to_string();
            if text.bytes().filter(u8::is_ascii_digit).count() >= SHORTEST_RUN {
                used.push(Used {
                    text,
                    pointer: pointer.to_owned(),
                    part: None,
                });
            }
        }
        _ => {}
    });
    used
}

/// What stands in quotes in a text and is more than one run.
fn phrases(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let is_quote = |byte: &u8| matches!(byte, b'"' | b'\'' | b'`');
            let open = at + bytes.get(at..)?.iter().position(is_quote)?;
            let quote = *bytes.get(open)?;
            let rest = bytes.get(open + 1..)?;
            let Some(length) = memchr::memchr(quote, rest) else {
                at = open + 1;
                continue;
            };
            let phrase = open + 1..open + 1 + length;
            // A closing quote may open the next phrase: it's is no phrase.
            at = phrase.end;
            let is_more_than_a_run = rest.get(..length)?.iter().any(|byte| !is_run_byte(*byte));
            if length >= SHORTEST_RUN && is_more_than_a_run {
                at += 1;
                return Some(phrase);
            }
        }
    })
}

/// Visits every string, number and key of a value without recursion, in order.
pub(super) fn each_text(value: &Value, mut visit: impl FnMut(&str)) {
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        match value {
            Value::String(text) => visit(text),
            Value::Number(number) => visit(&number.to_string()),
            Value::Array(items) => open.extend(items.iter().rev()),
            Value::Object(fields) => {
                fields.keys().for_each(|key| visit(key));
                open.extend(fields.values().rev());
            }
            Value::Null | Value::Bool(_) => {}
        }
    }
}

/// Visits every leaf of a value with its pointer, in order.
fn each_leaf(value: &Value, mut visit: impl FnMut(&Value, &str)) {
    let mut open = vec![(String::new(), value)];
    while let Some((pointer, value)) = open.pop() {
        match value {
            Value::Array(items) => {
                let items = items.iter().enumerate().rev();
                open.extend(items.map(|(at, item)| (format!("{pointer}/{at}"), item)));
            }
            Value::Object(fields) => {
                let fields = fields.iter().rev();
                open.extend(fields.map(|(key, value)| {
                    let key = key.replace('~', "~0").replace('/', "~1");
                    (format!("{pointer}/{key}"), value)
                }));
            }
            leaf => visit(leaf, &pointer),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn leaves_runs_and_numbers_are_values() {
        let arguments = json!({
            "code": "VUT", "no": "ab", "n": 4296, "small": 999,
            "cmd": ["grep -n _make_transport a/base_events.py"],
            "quoted": "ls \"two words\" it's",
            "a/b": "日本語"
        });
        let used: Vec<_> = of_arguments(&arguments)
            .into_iter()
            .map(|used| (used.pointer, used.text, used.part.is_some()))
            .collect();
        let expected = [
            ("/code", "VUT", false),
            ("/n", "4296", false),
            ("/cmd/0", "grep -n _make_transport a/base_events.py", false),
            ("/cmd/0", "grep", true),
            ("/cmd/0", "_make_transport", true),
            ("/cmd/0", "base_events", true),
            ("/quoted", "ls \"two words\" it's", false),
            ("/quoted", "two words", true),
            ("/quoted", "words", true),
            ("/a~1b", "日本語", false),
        ];
        let expected = expected.map(|(pointer, text, part)| (pointer.into(), text.into(), part));
        assert_eq!(used, expected);
    }

    #[test]
    fn runs_are_maximal() {
        let found: Vec<_> = runs("é-a_b 12é").collect();
        assert_eq!(found, [2..6, 7..9]);
        assert_eq!(runs("").count(), 0);
    }
}
