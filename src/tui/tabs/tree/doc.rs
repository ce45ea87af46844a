//! JSON text that is walked where it stands: nothing is parsed but what is unfolded.

use serde_json::Value;

use crate::json::{Kind, View};

/// Where a value stands in its document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    const fn new(start: usize, end: usize) -> Self {
        Self {
            start: start as u32,
            end: end as u32,
        }
    }

    /// How many bytes.
    pub const fn bytes(self) -> usize {
        (self.end - self.start) as usize
    }
}

/// An entry of an object or an item of an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Child {
    /// The key, for an entry of an object.
    pub key: Option<Span>,
    /// The value.
    pub value: Span,
}

/// A JSON text of at most four gigabytes whose structure was checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Doc {
    bytes: Vec<u8>,
}

impl Doc {
    /// The compact form of a value.
    pub fn of_value(value: &Value) -> Self {
        Self::of_compact(serde_json::to_vec(value).unwrap_or_else(|_| b"null".to_vec()))
    }

    /// Text that serde_json wrote.
    pub fn of_compact(bytes: Vec<u8>) -> Self {
        if u32::try_from(bytes.len()).is_ok() {
            Self { bytes }
        } else {
            Self {
                bytes: b"\"over 4 GB\"".to_vec(),
            }
        }
    }

    /// Text that may be JSON; only objects and arrays with something in them are worth unfolding.
    pub fn of_text(text: &str) -> Option<Self> {
        let inner = text.trim_ascii();
        let shaped = (inner.starts_with('{') && inner.ends_with('}'))
            || (inner.starts_with('[') && inner.ends_with(']'));
        if !shaped || inner.len() < 4 || u32::try_from(inner.len()).is_err() {
            return None;
        }
        let bytes = inner.as_bytes();
        View::check(bytes).ok()?;
        Some(Self {
            bytes: bytes.to_vec(),
        })
    }

    /// The whole text.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The value that the document is.
    pub fn root(&self) -> Span {
        let span = View::trusted(&self.bytes).span();
        Span::new(span.start, span.end)
    }

    /// The bytes of a value.
    pub fn raw(&self, span: Span) -> &[u8] {
        self.bytes
            .get(span.start as usize..span.end as usize)
            .unwrap_or_default()
    }

    /// A value to look at.
    pub fn view(&self, span: Span) -> View<'_> {
        View::trusted(self.raw(span))
    }

    /// The kind of a value.
    pub fn kind(&self, span: Span) -> Kind {
        self.view(span).kind()
    }

    /// What is directly inside a value, in order; one pass over it.
    pub fn children(&self, span: Span) -> Vec<Child> {
        let view = self.view(span);
        let base = span.start as usize;
        let at = |view: View<'_>| {
            let inside = view.span();
            Span::new(base + inside.start, base + inside.end)
        };
        match view.kind() {
            Kind::Object => view
                .entries()
                .map(|(key, value)| Child {
                    key: Some(at(key)),
                    value: at(value),
                })
                .collect(),
            Kind::Array => view
                .items()
                .map(|item| Child {
                    key: None,
                    value: at(item),
                })
                .collect(),
            _ => Vec::new(),
        }
    }

    /// The text of a string, escapes resolved.
    pub fn text(&self, span: Span) -> String {
        self.view(span)
            .text()
            .map(std::borrow::Cow::into_owned)
            .unwrap_or_default()
    }
}
