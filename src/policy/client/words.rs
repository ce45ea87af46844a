//! The words that clients add, as templates.
//!
//! A template is text with slots: `{name}` for a part of the output, a number of the cut or a
//! setting; `{name:form}` writes it in a form; `{name|words}` says what stands there where it is
//! empty. `{{` and `}}` are braces.

use std::borrow::Cow;

use serde::Deserialize;

use super::piece::{Form, Kept, Piece, push};

/// A template.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Words {
    parts: Vec<Part>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Literal(String),
    Slot {
        name: String,
        form: Option<SlotForm>,
        otherwise: Option<String>,
    },
}

/// How a slot is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SlotForm {
    /// `1,171,082`.
    Grouped,
    /// `37KB`, `68.4KB`, `1.1MB`: in kilobytes from the first byte, without a decimal of 0.
    Kilobytes,
    /// `9B`, `50.0KB`, `1.1MB`.
    Size,
    /// As a JSON string that HTML does not read.
    Json,
}

/// What a slot is filled with.
#[derive(Debug, Clone, PartialEq)]
pub enum Filling<'a> {
    /// Parts of the output.
    Parts(&'a [Piece]),
    /// A number.
    Number(u64),
    /// A word.
    Word(Cow<'a, str>),
}

/// A template that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WordsError {
    /// A brace that opens or closes nothing.
    #[error("a brace without its other half; write {{{{ or }}}} for a brace")]
    Brace,
    /// A form that does not exist.
    #[error("no form `{0}`; there are `,`, `kilobytes`, `size` and `json`")]
    Form(String),
}

impl TryFrom<String> for Words {
    type Error = WordsError;

    fn try_from(text: String) -> Result<Self, WordsError> {
        Self::parse(&text)
    }
}

impl Words {
    /// Reads a template.
    ///
    /// # Errors
    ///
    /// Where a brace stands alone or a form does not exist.
    pub fn parse(text: &str) -> Result<Self, WordsError> {
        let mut parts = Vec::new();
        let mut literal = String::new();
        let mut rest = text;
        while let Some(at) = rest.find(['{', '}']) {
            let (before, from) = rest.split_at(at);
            literal.push_str(before);
            if let Some(after) = from.strip_prefix("{{") {
                literal.push('{');
                rest = after;
            } else if let Some(after) = from.strip_prefix("}}") {
                literal.push('}');
                rest = after;
            } else {
                let inside = from.strip_prefix('{').ok_or(WordsError::Brace)?;
                let (slot, after) = inside.split_once('}').ok_or(WordsError::Brace)?;
                if !literal.is_empty() {
                    parts.push(Part::Literal(std::mem::take(&mut literal)));
                }
                parts.push(Part::slot(slot)?);
                rest = after;
            }
        }
        literal.push_str(rest);
        if !literal.is_empty() {
            parts.push(Part::Literal(literal));
        }
        Ok(Self { parts })
    }

    /// The names of its slots.
    pub fn slots(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().filter_map(|part| match part {
            Part::Slot { name, .. } => Some(name.as_str()),
            Part::Literal(_) => None,
        })
    }

    /// The template filled.
    pub fn fill<'f>(&self, filling: impl Fn(&str) -> Option<Filling<'f>>) -> Vec<Piece> {
        let mut pieces = Vec::new();
        for part in &self.parts {
            match part {
                Part::Literal(text) => push(&mut pieces, Piece::words(text.as_str())),
                Part::Slot {
                    name,
                    form,
                    otherwise,
                } => match filling(name) {
                    Some(Filling::Parts(parts)) => {
                        push_parts(&mut pieces, parts, *form, otherwise.as_deref());
                    }
                    Some(Filling::Number(number)) => {
                        push(&mut pieces, Piece::Words(written(number, *form)));
                    }
                    Some(Filling::Word(word)) => push(&mut pieces, Piece::words(word)),
                    None => push(
                        &mut pieces,
                        Piece::Words(otherwise.clone().unwrap_or_else(|| format!("{{{name}}}"))),
                    ),
                },
            }
        }
        pieces
    }
}

impl Part {
    fn slot(text: &str) -> Result<Self, WordsError> {
        let (text, otherwise) = match text.split_once('|') {
            Some((text, otherwise)) => (text, Some(otherwise.to_owned())),
            None => (text, None),
        };
        let (name, form) = match text.split_once(':') {
            Some((name, form)) => (name, Some(SlotForm::read(form)?)),
            None => (text, None),
        };
        Ok(Self::Slot {
            name: name.to_owned(),
            form,
            otherwise,
        })
    }
}

impl SlotForm {
    fn read(form: &str) -> Result<Self, WordsError> {
        match form {
            "," => Ok(Self::Grouped),
            "kilobytes" => Ok(Self::Kilobytes),
            "size" => Ok(Self::Size),
            "json" => Ok(Self::Json),
            _ => Err(WordsError::Form(form.to_owned())),
        }
    }
}

fn push_parts(
    pieces: &mut Vec<Piece>,
    parts: &[Piece],
    form: Option<SlotForm>,
    otherwise: Option<&str>,
) {
    let is_empty = parts.iter().all(|part| match part {
        Piece::Kept(kept) => kept.range.is_empty(),
        Piece::Words(words) => words.is_empty(),
    });
    if form == Some(SlotForm::Json) {
        for part in parts {
            if let Piece::Kept(kept) = part {
                pieces.push(Piece::Kept(Kept {
                    form: Form::HtmlSafeJson,
                    ..kept.clone()
                }));
            }
        }
        return;
    }
    match otherwise {
        Some(words) if is_empty => push(pieces, Piece::words(words)),
        _ => {
            for part in parts {
                push(pieces, part.clone());
            }
        }
    }
}

fn written(number: u64, form: Option<SlotForm>) -> String {
    match form {
        Some(SlotForm::Grouped) => crate::text::grouped(number),
        Some(SlotForm::Kilobytes) => {
            let size = if number < MEGABYTE {
                format!("{}KB", tenths(number, KILOBYTE))
            } else {
                format!("{}MB", tenths(number, MEGABYTE))
            };
            size.replace(".0", "")
        }
        Some(SlotForm::Size) if number < KILOBYTE => format!("{number}B"),
        Some(SlotForm::Size) if number < MEGABYTE => format!("{}KB", tenths(number, KILOBYTE)),
        Some(SlotForm::Size) => format!("{}MB", tenths(number, MEGABYTE)),
        Some(SlotForm::Json) | None => number.to_string(),
    }
}

const KILOBYTE: u64 = 1024;
const MEGABYTE: u64 = 1024 * 1024;

/// `number / unit` with one decimal as JavaScript's `toFixed(1)` writes it: exact here, and half
/// way goes up.
fn tenths(number: u64, unit: u64) -> String {
    let tenths = (u128::from(number) * 10 + u128::from(unit) / 2) / u128::from(unit);
    format!("{}.{}", tenths / 10, tenths % 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(template: &str) -> String {
        let words = Words::parse(template).unwrap();
        let parts = [Piece::kept(1..3)];
        let pieces = words.fill(|name| match name {
            "head" => Some(Filling::Parts(&parts)),
            "nothing" => Some(Filling::Parts(&[])),
            "n" => Some(Filling::Number(1_171_082)),
            "small" => Some(Filling::Number(1_280)),
            "file" => Some(Filling::Word("{file}".into())),
            _ => None,
        });
        super::super::piece::render(&pieces, "abcd").into_string_lossy()
    }

    #[test]
    fn slots_are_filled() {
        assert_eq!(filled("<{head}>{file}"), "<bc>{file}");
        assert_eq!(
            filled("{n} {n:,} {n:kilobytes} {n:size}"),
            "1171082 1,171,082 1.1MB 1.1MB"
        );
        assert_eq!(filled("{small:kilobytes} {small:size}"), "1.3KB 1.3KB");
        assert_eq!(filled("{{\"a\": {head:json}}}"), "{\"a\": \"bc\"}");
        assert_eq!(filled("{nothing|(no output)}|{head|x}"), "(no output)|bc");
        assert_eq!(filled("{id}"), "{id}", "an unset placeholder stays");
    }

    #[test]
    fn a_broken_template_is_refused() {
        assert_eq!(Words::parse("a } b"), Err(WordsError::Brace));
        assert_eq!(Words::parse("a { b"), Err(WordsError::Brace));
        assert_eq!(Words::parse("{a:x}"), Err(WordsError::Form("x".to_owned())));
    }
}
