//! The tool result of mixtape-core 0.5: one payload, of one of four kinds.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The image formats that mixtape knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ImageFormat {
    /// PNG.
    Png,
    /// JPEG; `jpg` is not read.
    Jpeg,
    /// GIF.
    Gif,
    /// WebP.
    Webp,
}

/// The document formats that mixtape knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DocumentFormat {
    /// PDF.
    Pdf,
    /// Comma-separated values.
    Csv,
    /// Word up to 2003.
    Doc,
    /// Word.
    Docx,
    /// HTML.
    Html,
    /// Markdown.
    Md,
    /// Plain text.
    Txt,
    /// Excel up to 2003.
    Xls,
    /// Excel.
    Xlsx,
}

/// What a mixtape tool returned: exactly one payload.
///
/// JSON is externally tagged: `{"Text":"hello"}`, `{"Image":{"format":"png","data":[137,80]}}`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum ToolResult {
    /// Text.
    Text(String),
    /// A JSON value.
    Json(Value),
    /// An image.
    Image {
        /// Its format, as the tool declared it.
        format: ImageFormat,
        /// Its bytes, not base64.
        data: Vec<u8>,
    },
    /// A document.
    Document {
        /// Its format, as the tool declared it.
        format: DocumentFormat,
        /// Its bytes, not base64.
        data: Vec<u8>,
        /// Its name; `null` in JSON where it has none.
        name: Option<String>,
    },
}

impl ToolResult {
    /// The JSON of any serialisable value.
    ///
    /// # Errors
    ///
    /// What serde_json says of a value that has no JSON form.
    pub fn json<T: Serialize>(value: T) -> Result<Self, serde_json::Error> {
        serde_json::to_value(value).map(Self::Json)
    }

    /// Text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// An image from its bytes.
    pub fn image(format: ImageFormat, data: Vec<u8>) -> Self {
        Self::Image { format, data }
    }

    /// A document without a name from its bytes.
    pub fn document(format: DocumentFormat, data: Vec<u8>) -> Self {
        Self::Document {
            format,
            data,
            name: None,
        }
    }

    /// A document with a name from its bytes.
    pub fn document_with_name(
        format: DocumentFormat,
        data: Vec<u8>,
        name: impl Into<String>,
    ) -> Self {
        Self::Document {
            format,
            data,
            name: Some(name.into()),
        }
    }

    /// The text; else the compact JSON; else a line that describes the bytes.
    pub fn as_text(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Json(value) => value.to_string(),
            Self::Image { format, data } => format!("[Image: {format:?}, {} bytes]", data.len()),
            Self::Document { format, data, name } => {
                let name = name.as_deref().unwrap_or("unnamed");
                format!("[Document: {format:?}, {name}, {} bytes]", data.len())
            }
        }
    }

    /// The text of a text result; none of any other.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Json(_) | Self::Image { .. } | Self::Document { .. } => None,
        }
    }
}

impl From<String> for ToolResult {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&str> for ToolResult {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}
