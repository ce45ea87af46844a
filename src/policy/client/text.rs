//! Text as a client holds it.

use std::fmt::Write as _;

use serde::ser::Error as _;
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

/// A text that may hold an unpaired half of a surrogate pair.
///
/// Clients written in JavaScript cut between UTF-16 units and so tear characters. What they send is
/// then no Unicode text: as JSON the half is an escape of its own, anywhere else it is U+FFFD.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ClientText {
    /// The text with U+FFFD for every half.
    lossy: String,
    halves: Vec<Half>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Half {
    /// Where its U+FFFD stands.
    at: usize,
    unit: u16,
}

const REPLACEMENT: char = char::REPLACEMENT_CHARACTER;

impl ClientText {
    /// No text yet, with room for `bytes`.
    pub fn with_capacity(bytes: usize) -> Self {
        Self {
            lossy: String::with_capacity(bytes),
            halves: Vec::new(),
        }
    }

    /// Appends text.
    pub fn push_str(&mut self, text: &str) {
        self.lossy.push_str(text);
    }

    /// Appends half of a surrogate pair; the second half right after the first makes the pair whole.
    pub fn push_half(&mut self, unit: u16) {
        if let Some(first) = self.halves.last().copied()
            && first.at + REPLACEMENT.len_utf8() == self.lossy.len()
            && let Some(Ok(whole)) = char::decode_utf16([first.unit, unit]).next()
        {
            self.halves.pop();
            self.lossy.truncate(first.at);
            self.lossy.push(whole);
            return;
        }
        self.halves.push(Half {
            at: self.lossy.len(),
            unit,
        });
        self.lossy.push(REPLACEMENT);
    }

    /// The text, where it is one.
    pub fn as_str(&self) -> Option<&str> {
        self.halves.is_empty().then_some(self.lossy.as_str())
    }

    /// The text with U+FFFD for every unpaired half.
    pub fn to_str_lossy(&self) -> &str {
        &self.lossy
    }

    /// The text with U+FFFD for every unpaired half.
    pub fn into_string_lossy(self) -> String {
        self.lossy
    }

    /// Its JSON, with an escape `\udXXX` for every unpaired half.
    ///
    /// # Errors
    ///
    /// Never in practice: writing a string as JSON does not fail.
    pub fn to_json(&self) -> serde_json::Result<String> {
        let mut json = String::with_capacity(self.lossy.len() + 2);
        json.push('"');
        let mut from = 0;
        for half in &self.halves {
            push_json_inside(&mut json, self.lossy.get(from..half.at).unwrap_or_default())?;
            let _ = write!(json, "\\u{:04x}", half.unit);
            from = half.at + REPLACEMENT.len_utf8();
        }
        push_json_inside(&mut json, self.lossy.get(from..).unwrap_or_default())?;
        json.push('"');
        Ok(json)
    }
}

/// Appends what stands between the quotes of a string's JSON.
fn push_json_inside(json: &mut String, text: &str) -> serde_json::Result<()> {
    let quoted = serde_json::to_string(text)?;
    json.push_str(quoted.get(1..quoted.len() - 1).unwrap_or_default());
    Ok(())
}

impl From<&str> for ClientText {
    fn from(text: &str) -> Self {
        Self {
            lossy: text.to_owned(),
            halves: Vec::new(),
        }
    }
}

impl Serialize for ClientText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.as_str() {
            Some(text) => serializer.serialize_str(text),
            // serde_json writes no escape for a half, but takes one that is written already.
            None => RawValue::from_string(self.to_json().map_err(S::Error::custom)?)
                .map_err(S::Error::custom)?
                .serialize(serializer),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_half_is_an_escape_in_json_and_a_replacement_elsewhere() {
        let mut text = ClientText::from("a\"");
        text.push_half(0xd83d);
        text.push_str("\n");
        assert_eq!(text.to_str_lossy(), "a\"\u{fffd}\n");
        assert_eq!(text.as_str(), None);
        assert_eq!(serde_json::to_string(&text).unwrap(), r#""a\"\ud83d\n""#);
    }

    #[test]
    fn halves_that_meet_are_a_character_again() {
        let mut text = ClientText::default();
        text.push_half(0xd83d);
        text.push_half(0xde00);
        assert_eq!(text.as_str(), Some("😀"));
        text.push_half(0xde00);
        text.push_half(0xd83d);
        assert_eq!(text.to_json().unwrap(), r#""😀\ude00\ud83d""#);
    }
}
