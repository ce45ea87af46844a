//! What a tool returned.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use super::content::ToolResultContent;
use super::error::ToolExecutionError;

/// What a tool returned: one or more blocks, in order.
///
/// JSON is the bare list of blocks. Text is never reparsed as JSON.
///
/// ```
/// use toolreel::tool::rig::ToolOutput;
///
/// assert_eq!(ToolOutput::text("[1,2]").as_text(), Some("[1,2]"));
/// assert_eq!(ToolOutput::text("[1,2]").as_json(), None);
/// ```
#[derive(Clone, PartialEq)]
pub struct ToolOutput {
    content: Vec<ToolResultContent>,
}

impl ToolOutput {
    /// One block of text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::one(ToolResultContent::text(text))
    }

    /// One JSON block. A JSON string stays JSON.
    pub fn json(value: Value) -> Self {
        Self::one(ToolResultContent::json(value))
    }

    /// These blocks.
    ///
    /// # Errors
    ///
    /// An empty list is refused; an empty text block is not.
    pub fn content(content: Vec<ToolResultContent>) -> Result<Self, ToolExecutionError> {
        if content.is_empty() {
            return Err(ToolExecutionError::other(
                "tool output has no content blocks; return at least one block — an empty text block is valid",
            ));
        }
        Ok(Self { content })
    }

    /// One block.
    pub fn one(content: ToolResultContent) -> Self {
        Self {
            content: vec![content],
        }
    }

    /// The text of an output that is exactly one block of plain text.
    pub fn as_text(&self) -> Option<&str> {
        match self.content.as_slice() {
            [ToolResultContent::Text(text)] if text.is_plain() => Some(&text.text),
            _ => None,
        }
    }

    /// The value of an output that is exactly one JSON block.
    pub fn as_json(&self) -> Option<&Value> {
        match self.content.as_slice() {
            [ToolResultContent::Json { value }] => Some(value),
            _ => None,
        }
    }

    /// The blocks.
    pub fn as_content(&self) -> &[ToolResultContent] {
        &self.content
    }

    /// The blocks, taken out.
    pub fn into_content(self) -> Vec<ToolResultContent> {
        self.content
    }

    /// The output as one text: plain text as it is, else the compact JSON of the one value, else that of
    /// the list of blocks.
    pub fn render(&self) -> String {
        if let Some(text) = self.as_text() {
            text.to_owned()
        } else if let Some(value) = self.as_json() {
            value.to_string()
        } else {
            serde_json::to_string(&self.content)
                .unwrap_or_else(|_| "<structured tool output>".to_owned())
        }
    }
}

/// Counts and kinds of the blocks, never what is in them: outputs end up in logs.
impl fmt::Debug for ToolOutput {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kinds: Vec<&str> = self.content.iter().map(ToolResultContent::kind).collect();
        formatter
            .debug_struct("ToolOutput")
            .field("content_count", &self.content.len())
            .field("content_kinds", &kinds)
            .finish()
    }
}

impl Serialize for ToolOutput {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.content.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for ToolOutput {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let content = Vec::deserialize(deserializer)?;
        Self::content(content).map_err(serde::de::Error::custom)
    }
}

impl From<String> for ToolOutput {
    fn from(text: String) -> Self {
        Self::text(text)
    }
}

impl From<&str> for ToolOutput {
    fn from(text: &str) -> Self {
        Self::text(text)
    }
}

impl From<Value> for ToolOutput {
    fn from(value: Value) -> Self {
        Self::json(value)
    }
}

impl From<ToolResultContent> for ToolOutput {
    fn from(content: ToolResultContent) -> Self {
        Self::one(content)
    }
}

impl TryFrom<Vec<ToolResultContent>> for ToolOutput {
    type Error = ToolExecutionError;

    fn try_from(content: Vec<ToolResultContent>) -> Result<Self, Self::Error> {
        Self::content(content)
    }
}
