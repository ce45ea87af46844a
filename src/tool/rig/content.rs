//! The blocks of a tool's output.

use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::image::{DocumentSourceKind, Image, ImageDetail, ImageMediaType};
use super::text::Text;

/// One block of a tool's output: rig has these three kinds and no more.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum ToolResultContent {
    /// Text, never to be read as JSON.
    Text(Text),
    /// An image.
    Image(Image),
    /// A JSON value.
    Json {
        /// The value; `null` is one.
        value: Value,
    },
}

impl ToolResultContent {
    /// Text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(Text::new(text))
    }

    /// A JSON value.
    pub fn json(value: Value) -> Self {
        Self::Json { value }
    }

    /// An image as base64, which is not checked.
    pub fn image_base64(
        data: impl Into<String>,
        media_type: Option<ImageMediaType>,
        detail: Option<ImageDetail>,
    ) -> Self {
        Self::image(DocumentSourceKind::Base64(data.into()), media_type, detail)
    }

    /// An image as its bytes.
    pub fn image_raw(
        data: impl Into<Vec<u8>>,
        media_type: Option<ImageMediaType>,
        detail: Option<ImageDetail>,
    ) -> Self {
        Self::image(DocumentSourceKind::Raw(data.into()), media_type, detail)
    }

    /// An image at an address.
    pub fn image_url(
        data: impl Into<String>,
        media_type: Option<ImageMediaType>,
        detail: Option<ImageDetail>,
    ) -> Self {
        Self::image(DocumentSourceKind::Url(data.into()), media_type, detail)
    }

    fn image(
        data: DocumentSourceKind,
        media_type: Option<ImageMediaType>,
        detail: Option<ImageDetail>,
    ) -> Self {
        Self::Image(Image {
            data,
            media_type,
            detail,
            native: None,
            additional_params: None,
        })
    }

    /// The text of a text block, plain or not.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(&text.text),
            Self::Image(_) | Self::Json { .. } => None,
        }
    }

    /// The value of a JSON block.
    pub fn as_json(&self) -> Option<&Value> {
        match self {
            Self::Json { value } => Some(value),
            Self::Text(_) | Self::Image(_) => None,
        }
    }

    /// The kind, as the JSON's `type` says it.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Text(_) => "text",
            Self::Image(_) => "image",
            Self::Json { .. } => "json",
        }
    }

    /// Reads the block as a `T`: a JSON block's value, or a text block's text parsed, since the caller
    /// asks for it.
    ///
    /// # Errors
    ///
    /// Text that is not JSON, a value that is no `T`, an image.
    pub fn deserialize_json<T: DeserializeOwned>(&self) -> Result<T, serde_json::Error> {
        match self {
            Self::Json { value } => T::deserialize(value),
            Self::Text(text) => serde_json::from_str(&text.text),
            Self::Image(_) => Err(serde_json::Error::custom(
                "cannot decode image tool-result content as JSON",
            )),
        }
    }
}

impl From<String> for ToolResultContent {
    fn from(text: String) -> Self {
        Self::text(text)
    }
}
