//! Text blocks.

use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

use super::block;
use super::citation::{self, Citations};
use super::native::{self, Native};

/// A text block.
#[derive(Default, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Text {
    /// The text.
    pub text: String,
    /// What the provider says supports the text; a tool's text has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub citations: Option<Citations>,
    /// The provider's item that the block was read from (0.44 and later); a tool's text has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub native: Option<Native>,
    /// Extra parameters of the block (0.42 and 0.43), never empty where it was read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub additional_params: Option<Map<String, Value>>,
}

impl Text {
    /// Plain text.
    pub fn new(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            ..Self::default()
        }
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Nothing but text: neither a provider's item nor extra parameters.
    pub const fn is_plain(&self) -> bool {
        self.native.is_none() && self.additional_params.is_none()
    }
}

/// As 0.44 writes it: parameters of the generation before are named only where there are some.
impl fmt::Debug for Text {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut fields = formatter.debug_struct("Text");
        fields
            .field("text", &self.text)
            .field("citations", &self.citations)
            .field("native", &self.native);
        if let Some(params) = &self.additional_params {
            fields.field("additional_params", params);
        }
        fields.finish()
    }
}

impl fmt::Display for Text {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.text)
    }
}

impl From<String> for Text {
    fn from(text: String) -> Self {
        Self::new(text)
    }
}

impl From<&String> for Text {
    fn from(text: &String) -> Self {
        Self::new(text)
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}

impl FromStr for Text {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(text.into())
    }
}

/// The block as an object holds it.
#[derive(Deserialize)]
struct Fields {
    text: String,
    #[serde(default, deserialize_with = "citation::lenient")]
    citations: Option<Citations>,
    #[serde(default, deserialize_with = "native::lenient")]
    native: Option<Native>,
    #[serde(default, deserialize_with = "block::additional_params")]
    additional_params: Option<Map<String, Value>>,
}

/// The block as a positional array holds it, called what the published error messages call it.
#[derive(Deserialize)]
struct TextRepr {
    text: String,
    #[serde(default, deserialize_with = "citation::lenient")]
    citations: Option<Citations>,
    #[serde(default, deserialize_with = "native::lenient")]
    native: Option<Native>,
}

impl From<TextRepr> for Fields {
    fn from(
        TextRepr {
            text,
            citations,
            native,
        }: TextRepr,
    ) -> Self {
        Self {
            text,
            citations,
            native,
            additional_params: None,
        }
    }
}

impl From<Fields> for Text {
    fn from(
        Fields {
            text,
            citations,
            native,
            additional_params,
        }: Fields,
    ) -> Self {
        let citations = citations.and_then(|citations| citations.fitting(&text));
        Self {
            text,
            citations,
            native,
            additional_params,
        }
    }
}

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        const FIELDS: &[&str] = &["text", "citations", "native", "additional_params"];
        block::fields_or_positions::<D, Fields, TextRepr>(deserializer, "TextRepr", FIELDS)
            .map(Self::from)
    }
}
