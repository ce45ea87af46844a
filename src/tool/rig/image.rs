//! Image blocks.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

use super::block;
use super::native::{self, Native};

/// An image block.
#[derive(Default, Clone, PartialEq, Serialize)]
pub struct Image {
    /// Where the image is.
    pub data: DocumentSourceKind,
    /// Its type, as the tool declared it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub media_type: Option<ImageMediaType>,
    /// How closely the model is to look at it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<ImageDetail>,
    /// The provider's item that the block was read from (0.44 and later); a tool's image has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub native: Option<Native>,
    /// Extra parameters of the block (0.42 and 0.43), never empty where it was read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub additional_params: Option<Map<String, Value>>,
}

/// As 0.44 writes it: parameters of the generation before are named only where there are some.
impl fmt::Debug for Image {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut fields = formatter.debug_struct("Image");
        fields
            .field("data", &self.data)
            .field("media_type", &self.media_type)
            .field("detail", &self.detail)
            .field("native", &self.native);
        if let Some(params) = &self.additional_params {
            fields.field("additional_params", params);
        }
        fields.finish()
    }
}

/// The block as an object holds it.
#[derive(Deserialize)]
struct Fields {
    data: DocumentSourceKind,
    media_type: Option<ImageMediaType>,
    detail: Option<ImageDetail>,
    #[serde(default, deserialize_with = "native::lenient")]
    native: Option<Native>,
    #[serde(default, deserialize_with = "block::additional_params")]
    additional_params: Option<Map<String, Value>>,
}

mod positions {
    use super::{Deserialize, DocumentSourceKind, ImageDetail, ImageMediaType, Native, native};

    /// The block as a positional array holds it, called what the published error messages call it.
    #[derive(Deserialize)]
    pub(super) struct Image {
        pub(super) data: DocumentSourceKind,
        pub(super) media_type: Option<ImageMediaType>,
        pub(super) detail: Option<ImageDetail>,
        #[serde(default, deserialize_with = "native::lenient")]
        pub(super) native: Option<Native>,
    }
}

impl From<positions::Image> for Fields {
    fn from(image: positions::Image) -> Self {
        let positions::Image {
            data,
            media_type,
            detail,
            native,
        } = image;
        Self {
            data,
            media_type,
            detail,
            native,
            additional_params: None,
        }
    }
}

impl<'de> Deserialize<'de> for Image {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        const FIELDS: &[&str] = &[
            "data",
            "media_type",
            "detail",
            "native",
            "additional_params",
        ];
        let Fields {
            data,
            media_type,
            detail,
            native,
            additional_params,
        } = block::fields_or_positions::<D, Fields, positions::Image>(
            deserializer,
            "Image",
            FIELDS,
        )?;
        Ok(Self {
            data,
            media_type,
            detail,
            native,
            additional_params,
        })
    }
}

/// Where an image is.
#[derive(Default, Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", content = "value", rename_all = "camelCase")]
pub enum DocumentSourceKind {
    /// At an address.
    Url(String),
    /// In base64, which is not checked when read.
    Base64(String),
    /// In a file that a provider keeps.
    FileId(String),
    /// In these bytes.
    Raw(Vec<u8>),
    /// In a text whose meaning is the provider's.
    String(String),
    /// Nowhere.
    #[default]
    Unknown,
}

impl DocumentSourceKind {
    /// At an address.
    pub fn url(url: impl Into<String>) -> Self {
        Self::Url(url.into())
    }

    /// In base64.
    pub fn base64(data: impl Into<String>) -> Self {
        Self::Base64(data.into())
    }

    /// In a file that a provider keeps.
    pub fn file_id(id: impl Into<String>) -> Self {
        Self::FileId(id.into())
    }

    /// In a text.
    pub fn string(text: impl Into<String>) -> Self {
        Self::String(text.into())
    }

    /// The address, base64 or file id.
    pub fn try_into_inner(self) -> Option<String> {
        match self {
            Self::Url(inner) | Self::Base64(inner) | Self::FileId(inner) => Some(inner),
            Self::Raw(_) | Self::String(_) | Self::Unknown => None,
        }
    }
}

impl fmt::Display for DocumentSourceKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Url(inner) | Self::Base64(inner) | Self::FileId(inner) | Self::String(inner) => {
                inner
            }
            Self::Raw(_) => "<binary data>",
            Self::Unknown => "<unknown>",
        })
    }
}

/// The image types that rig knows, in JSON `png` and not `image/png`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ImageMediaType {
    /// JPEG.
    JPEG,
    /// PNG.
    PNG,
    /// GIF.
    GIF,
    /// WebP.
    WEBP,
    /// HEIC.
    HEIC,
    /// HEIF.
    HEIF,
    /// SVG.
    SVG,
}

impl ImageMediaType {
    /// The type with this MIME name, exact to the letter: `image/jpg` and `IMAGE/PNG` are none.
    pub fn from_mime_type(mime_type: &str) -> Option<Self> {
        Some(match mime_type {
            "image/jpeg" => Self::JPEG,
            "image/png" => Self::PNG,
            "image/gif" => Self::GIF,
            "image/webp" => Self::WEBP,
            "image/heic" => Self::HEIC,
            "image/heif" => Self::HEIF,
            "image/svg+xml" => Self::SVG,
            _ => return None,
        })
    }

    /// The MIME name.
    pub const fn to_mime_type(self) -> &'static str {
        match self {
            Self::JPEG => "image/jpeg",
            Self::PNG => "image/png",
            Self::GIF => "image/gif",
            Self::WEBP => "image/webp",
            Self::HEIC => "image/heic",
            Self::HEIF => "image/heif",
            Self::SVG => "image/svg+xml",
        }
    }
}

/// How closely the model is to look at an image.
#[derive(Default, Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ImageDetail {
    /// From afar.
    Low,
    /// Closely.
    High,
    /// As the provider sees fit.
    #[default]
    Auto,
}

impl FromStr for ImageDetail {
    type Err = ();

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        match name.to_lowercase().as_str() {
            "low" => Ok(Self::Low),
            "high" => Ok(Self::High),
            "auto" => Ok(Self::Auto),
            _ => Err(()),
        }
    }
}
