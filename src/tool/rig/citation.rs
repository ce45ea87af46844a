//! What a provider says supports a text. A tool's text has no citations; they are here so that a block
//! which has them is read and written as rig does.

use std::ops::Range;

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use super::native::Fingerprint;

/// The citations of a text, with the fingerprint of the text that they were made for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Citations {
    /// Of the text that they were made for.
    pub fingerprint: Fingerprint,
    /// The citations.
    pub list: Vec<Citation>,
}

impl Citations {
    /// Those whose spans lie on character boundaries of `text`; none where there are none such.
    pub(super) fn fitting(mut self, text: &str) -> Option<Self> {
        self.list.retain(|citation| {
            citation
                .span
                .is_none_or(|span| text.get(span.start..span.end).is_some())
        });
        (!self.list.is_empty()).then_some(self)
    }
}

/// Reads stored citations; those that cannot be read are none, since the text stands without them.
pub(super) fn lenient<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Citations>, D::Error> {
    let value = Option::<Value>::deserialize(deserializer)?;
    Ok(value.and_then(|value| Citations::deserialize(value).ok()))
}

/// A claim in a text and the sources behind it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Citation {
    /// The bytes of the text it covers; none for the whole text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub span: Option<Span>,
    /// The sources.
    #[serde(default)]
    pub sources: Vec<Source>,
}

/// A range of bytes of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// The byte after the last.
    pub end: usize,
}

/// One source of a citation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Source {
    /// Where it is.
    pub location: SourceLocation,
    /// Its title.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The passage that the provider quoted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cited_text: Option<String>,
    /// The provider's confidence, from 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f32>,
}

/// Where a source is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum SourceLocation {
    /// A document of the request.
    Document {
        /// Its position in the request.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        index: Option<u32>,
        /// Its id.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        id: Option<String>,
        /// Which part of it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        within: Option<DocumentRange>,
    },
    /// A web page.
    Url {
        /// Its address.
        url: String,
    },
    /// A file kept by the provider.
    File {
        /// Its id.
        file_id: String,
        /// Its name.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        filename: Option<String>,
        /// The container that holds it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        container_id: Option<String>,
    },
    /// A search result of the request.
    SearchResult {
        /// Its position in the request.
        index: u32,
        /// Its source, as the request names it.
        source: String,
        /// Which of its blocks.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        blocks: Option<Range<u32>>,
    },
    /// A tool's output.
    ToolOutput {
        /// The id of the call or output.
        id: String,
    },
}

/// Which part of a document a citation covers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "unit", rename_all = "snake_case")]
pub enum DocumentRange {
    /// Characters of its text.
    Chars(Range<u64>),
    /// Pages, from 1, the end excluded.
    Pages(Range<u32>),
    /// Blocks.
    Blocks(Range<u32>),
}
