//! Text blocks.

use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;

use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

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
    /// Extra parameters of the block (0.42 and 0.43).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub additional_params: Option<Value>,
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

/// The fields as an object holds them.
#[derive(Deserialize)]
struct Fields {
    text: String,
    #[serde(default, deserialize_with = "citation::lenient")]
    citations: Option<Citations>,
    #[serde(default, deserialize_with = "native::lenient")]
    native: Option<Native>,
    #[serde(default)]
    additional_params: Option<Value>,
}

/// The fields as a positional array holds them: only those of 0.44, which is the one that reads arrays
/// of this length. The name is the one in its error messages.
#[derive(Deserialize)]
#[serde(rename = "TextRepr")]
struct Positions {
    text: String,
    #[serde(default, deserialize_with = "citation::lenient")]
    citations: Option<Citations>,
    #[serde(default, deserialize_with = "native::lenient")]
    native: Option<Native>,
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
        struct Either;

        impl<'de> Visitor<'de> for Either {
            type Value = Fields;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("struct TextRepr")
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Fields, A::Error> {
                Fields::deserialize(MapAccessDeserializer::new(map))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Fields, A::Error> {
                let Positions {
                    text,
                    citations,
                    native,
                } = Positions::deserialize(SeqAccessDeserializer::new(seq))?;
                Ok(Fields {
                    text,
                    citations,
                    native,
                    additional_params: None,
                })
            }
        }

        deserializer
            .deserialize_struct(
                "TextRepr",
                &["text", "citations", "native", "additional_params"],
                Either,
            )
            .map(Self::from)
    }
}
