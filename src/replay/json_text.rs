//! A JSON value of which a text was sent: the compact or the indented form of it, whole or in parts.

use std::ops::Range;

use serde_json::Value;

use super::coverage::Coverage;
use super::cut::{KeptBy, nothing_of_text};
use super::kept::{MAX_COMPARED, kept};
use super::ledger::Sum;
use super::side::of_text;

/// A form of a value, and which parts of it were sent.
pub(super) struct Written {
    text: String,
    kept: Vec<Range<usize>>,
    indented: bool,
}

/// The form of a value of which a sent text has parts; none where the sent text is another one.
pub(super) fn kept_of(value: &Value, sent: &str, pieces: &[Range<usize>]) -> Option<Written> {
    forms(value).find_map(|(text, indented)| {
        let kept = kept(&text, sent, pieces);
        let found: usize = kept.iter().map(Range::len).sum();
        let given: usize = pieces.iter().map(Range::len).sum();
        // Single lines and words are alike in texts that have nothing to do with each other.
        (found * 2 >= given && found > 0 || found == text.len()).then_some(Written {
            text,
            kept,
            indented,
        })
    })
}

/// Whether a sent text is the beginning of a form of the value.
pub(super) fn begins(value: &Value, sent: &str) -> bool {
    forms(value).any(|(text, _)| text.starts_with(sent))
}

/// The forms of a value as text: itself where it is a string, compact, and indented by two.
fn forms(value: &Value) -> impl Iterator<Item = (String, bool)> + '_ {
    let own = value.as_str().map(|text| (text.to_owned(), false));
    let compact = std::iter::once_with(|| (value.to_string(), false));
    let indented = std::iter::once_with(|| {
        let text = serde_json::to_string_pretty(value).unwrap_or_default();
        (text, true)
    });
    own.into_iter()
        .chain(compact)
        .chain(indented)
        .filter(|(text, _)| text.len() <= MAX_COMPARED)
}

impl Written {
    /// All of it was sent.
    pub fn is_whole(&self) -> bool {
        self.kept.first() == Some(&(0..self.text.len()))
    }

    /// What was sent of the text, and what was not.
    pub fn sums(&self) -> (Sum, Sum) {
        let (mut sent, mut missing) = (nothing_of_text(), nothing_of_text());
        let mut at = 0;
        let part = |range: Range<usize>| self.text.get(range).map(of_text).unwrap_or_default();
        for range in &self.kept {
            missing = missing.plus(part(at..range.start));
            sent = sent.plus(part(range.clone()));
            at = range.end;
        }
        (sent, missing.plus(part(at..self.text.len())))
    }
}

/// Items whose form stands whole in the parts that were sent.
pub(super) fn keep_items(items: &[Value], written: &Written, coverage: &mut Coverage<KeptBy>) {
    let mut ranges = written.kept.iter().peekable();
    let mut at = 1;
    for (position, item) in items.iter().enumerate() {
        if written.indented {
            // A line end and two blanks before each.
            at += 3;
        }
        let length = if written.indented {
            let text = serde_json::to_string_pretty(item).unwrap_or_default();
            text.len() + 2 * memchr::memchr_iter(b'\n', text.as_bytes()).count()
        } else {
            item.to_string().len()
        };
        let place = at..at + length;
        at = place.end + 1;
        while ranges.next_if(|range| range.end < place.end).is_some() {}
        if ranges
            .peek()
            .is_some_and(|range| range.start <= place.start)
        {
            let number = position as u64;
            coverage.take(number..number + 1, KeptBy::Sent);
        }
    }
}
