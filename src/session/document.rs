//! How one JSON document is taken apart into records while it streams by.
//!
//! A body keeps its conversation in one array (`messages`, `contents`, `input`, …), perhaps inside a
//! wrapper that holds request and response. Each element of that array is a record. A document without
//! such an array is one record.

use crate::json::{Level, Span, Splitter, Want};

use super::format::Place;

/// What a record is, by where it was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Slot {
    /// An element of the outermost array.
    Element,
    /// An element of `messages`.
    Messages,
    /// An element of Gemini's `contents`.
    Contents,
    /// An element of `input`, or a lone prompt there.
    Input,
    /// An element of `output`.
    Output,
    /// An element of `choices`.
    Choices,
    /// An element of `candidates`.
    Candidates,
    /// A system prompt.
    System,
    /// A response beside its request.
    Response,
    /// The whole document, or a wrapper without a conversation.
    Whole,
}

impl Slot {
    /// The place that a format is told.
    pub(super) const fn place(self) -> Place {
        match self {
            Self::System => Place::System,
            _ => Place::Record,
        }
    }
}

/// Splits a body's conversation.
fn conversation(levels: &[Level<Slot>], byte: u8) -> Want<Slot> {
    let Some(level) = levels.last() else {
        return if byte == b'[' {
            Want::Items(Slot::Element)
        } else {
            Want::Descend(Slot::Whole)
        };
    };
    let outer = levels
        .len()
        .checked_sub(2)
        .and_then(|place| levels.get(place))
        .and_then(Level::key);
    let Some(key) = level.key() else {
        return Want::Skip;
    };
    match (key, byte) {
        (b"messages", b'[') => Want::Items(Slot::Messages),
        (b"contents", b'[') => Want::Items(Slot::Contents),
        (b"input", b'[') => Want::Items(Slot::Input),
        (b"input", b'"') => Want::Part(Slot::Input),
        (b"output", b'[') => Want::Items(Slot::Output),
        (b"choices", b'[') => Want::Items(Slot::Choices),
        (b"candidates", b'[') => Want::Items(Slot::Candidates),
        (
            b"system"
            | b"instructions"
            | b"systemInstruction"
            | b"system_instruction"
            | b"system_prompt"
            | b"systemPrompt",
            b'"' | b'[' | b'{',
        ) => Want::Part(Slot::System),
        (b"response", b'{' | b'[') => Want::Part(Slot::Response),
        (b"message", b'{') if outer == Some(b"output") => Want::Part(Slot::Response),
        (
            b"request" | b"body" | b"input" | b"output" | b"inputBodyJson" | b"outputBodyJson"
            | b"requestBody" | b"responseBody" | b"request_body" | b"response_body" | b"json",
            b'{',
        ) => Want::Descend(Slot::Whole),
        _ => Want::Skip,
    }
}

/// Leaves a document whole.
fn whole(_: &[Level<Slot>], _: u8) -> Want<Slot> {
    Want::Part(Slot::Whole)
}

/// A splitter over a document that begins at `at`.
pub(super) fn splitter(at: u64, split: bool) -> Splitter<Slot> {
    Splitter::new(at, Slot::Whole, if split { conversation } else { whole })
}

/// A part of a document.
pub(super) type Part = Span<Slot>;

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> Vec<(&str, Slot)> {
        let mut spans = Vec::new();
        let mut splitter = splitter(0, true);
        splitter.feed(text.as_bytes(), &mut |span| spans.push(span));
        splitter.finish(&mut |span| spans.push(span));
        spans
            .into_iter()
            .map(|span: Part| {
                let range = span.start as usize..span.end as usize;
                (text.get(range).expect("in the text"), span.tag)
            })
            .collect()
    }

    #[test]
    fn bodies_and_wrappers_are_split() {
        use Slot::{Element, Input, Messages, Response, System, Whole};
        assert_eq!(
            parts(r#"{"system":"s","messages":[1,2],"tools":[3]}"#),
            [("\"s\"", System), ("1", Messages), ("2", Messages)]
        );
        assert_eq!(
            parts(r#"{"request":{"input":[1]},"response":{"output":[2]}}"#),
            [("1", Input), (r#"{"output":[2]}"#, Response)]
        );
        assert_eq!(
            parts(
                r#"{"input":{"inputBodyJson":{"messages":[1]}},"output":{"outputBodyJson":{"output":{"message":{}}}}}"#
            ),
            [("1", Messages), ("{}", Response)]
        );
        assert_eq!(parts("[1,{}]"), [("1", Element), ("{}", Element)]);
        assert_eq!(
            parts(r#"{"type":"message","content":[1]}"#),
            [(r#"{"type":"message","content":[1]}"#, Whole)]
        );
    }
}
