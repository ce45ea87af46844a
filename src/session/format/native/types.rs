//! The lines of the native format as Rust values, for whatever writes them.
//!
//! The reader goes over the bytes instead, since it must also read lines with faults; a test holds the
//! two together.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use crate::session::block;
use crate::session::event::Role;
use crate::session::time;

use super::VERSION;

/// The first line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// Version of the format.
    pub toolreel: u32,
    /// What the recording shows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// When it began.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started: Option<Time>,
    /// The settings under which the result cache ran.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result_cache: Option<CacheSettings>,
}

impl Default for Header {
    fn default() -> Self {
        Self {
            toolreel: VERSION,
            title: None,
            started: None,
            result_cache: None,
        }
    }
}

/// The settings of a result cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct CacheSettings {
    /// Arrays whose compact JSON is longer than this are cached, in bytes.
    pub threshold_bytes: u64,
    /// Items in the envelope.
    pub page_size: u64,
}

/// A point in time: written as RFC 3339, read also from milliseconds since 1970.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Time {
    /// Milliseconds since the Unix epoch.
    pub millis: i64,
}

impl Time {
    /// The clock's time.
    pub fn now() -> Self {
        let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        Self {
            millis: since.map_or(0, |since| since.as_millis() as i64),
        }
    }
}

impl Serialize for Time {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&time::format(self.millis))
    }
}

impl<'de> Deserialize<'de> for Time {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let millis = match Value::deserialize(deserializer)? {
            Value::Number(number) => number.as_i64(),
            Value::String(text) => time::parse(&text),
            _ => None,
        };
        millis
            .map(|millis| Self { millis })
            .ok_or_else(|| serde::de::Error::custom("expected an RFC 3339 time or milliseconds"))
    }
}

/// One event.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Line {
    /// Something said.
    Message {
        /// When.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        time: Option<Time>,
        /// Who says it.
        role: Role,
        /// What is said; text alone may be a string.
        #[serde(deserialize_with = "text_or_blocks")]
        content: Vec<Block>,
    },
    /// Reasoning.
    Thinking {
        /// When.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        time: Option<Time>,
        /// The readable reasoning.
        text: String,
    },
    /// A call.
    ToolCall {
        /// When.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        time: Option<Time>,
        /// Pairs it with its output.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        id: Option<String>,
        /// The tool's name.
        tool: String,
        /// The arguments.
        #[serde(default, skip_serializing_if = "Value::is_null")]
        arguments: Value,
        /// The arguments as the wire had them, where it keeps them as text.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        arguments_text: Option<String>,
    },
    /// A tool's answer.
    ToolOutput {
        /// When.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        time: Option<Time>,
        /// The call that it answers.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        id: Option<String>,
        /// The tool, where no call tells it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tool: Option<String>,
        /// What the tool returned, where known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        returned: Option<Payload>,
        /// What the model was sent, where known and not the same.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        sent: Option<Payload>,
        /// Marked as an error.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        is_error: bool,
        /// Tokens of what was sent, where somebody counted them.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tokens: Option<u64>,
    },
    /// An operation of the result cache.
    Cache {
        /// When.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        time: Option<Time>,
        /// What was done.
        #[serde(flatten)]
        operation: Operation,
    },
    /// System prompt or bookkeeping.
    System {
        /// When.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        time: Option<Time>,
        /// What it is.
        name: String,
        /// What it says, where that is text.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        text: Option<String>,
        /// What it says otherwise.
        #[serde(default, skip_serializing_if = "Value::is_null")]
        value: Value,
    },
    /// A caption.
    Note {
        /// When.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        time: Option<Time>,
        /// The event that it belongs to, counted from 1; without, it stands where it was written.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        at: Option<u64>,
        /// The tab that it is written for.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tab: Option<String>,
        /// What it says.
        caption: String,
    },
}

fn text_or_blocks<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Block>, D::Error> {
    match Value::deserialize(deserializer)? {
        Value::String(text) => Ok(vec![Block::Text { text }]),
        other => serde_json::from_value(other).map_err(serde::de::Error::custom),
    }
}

/// One side of an output.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Payload {
    /// Any JSON value.
    Value(Value),
    /// Blocks.
    Blocks(Vec<Block>),
    /// mixtape's `ToolResult` as it serialises.
    Result(Value),
}

/// What was done with the result cache, and what it answered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "snake_case")]
pub enum Operation {
    /// Items were stored.
    Store {
        /// The handle given out.
        handle: String,
        /// How many items.
        total_items: u64,
    },
    /// A page was asked for.
    Page {
        /// The arguments as given.
        arguments: Value,
        /// The answer.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        answer: Option<Value>,
        /// The error text instead.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        error: Option<String>,
    },
    /// A handle was released.
    Release {
        /// The arguments as given.
        arguments: Value,
        /// The answer.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        answer: Option<Value>,
        /// The error text instead.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        error: Option<String>,
    },
}

/// A block: rig's three, and wider ones in the same manner.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Block {
    /// Text.
    Text {
        /// The text.
        text: String,
    },
    /// A JSON value.
    Json {
        /// The value.
        value: Value,
        /// It was MCP's `structuredContent`.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        structured_content: bool,
    },
    /// An envelope, with the text that it was read from.
    Envelope {
        /// The envelope.
        value: Value,
        /// The text, where a wire had made text of it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        text: Option<String>,
    },
    /// An image.
    Image(MediaFields),
    /// A document.
    Document(MediaFields),
    /// Sound.
    Audio(MediaFields),
    /// Moving pictures.
    Video(MediaFields),
    /// An MCP resource with its contents.
    Resource {
        /// Where it lives.
        uri: String,
        /// What it holds.
        #[serde(flatten)]
        media: MediaFields,
    },
    /// An MCP link to a resource.
    ResourceLink {
        /// The link as it stands.
        value: Value,
    },
    /// Kept as its JSON.
    Unknown {
        /// The block as it stands.
        value: Value,
    },
}

/// The fields of media blocks.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct MediaFields {
    /// The declared type or format (`png`, `image/png`, `pdf`).
    #[serde(default, skip_serializing_if = "Option::is_none", alias = "format")]
    pub media_type: Option<String>,
    /// A name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The bytes, or where they are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<Data>,
    /// The provider's detail setting.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

/// The bytes of media, or where they are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", content = "value", rename_all = "camelCase")]
pub enum Data {
    /// Base64.
    Base64(String),
    /// The bytes as numbers.
    Raw(Vec<u8>),
    /// Plain text.
    Text(String),
    /// An address.
    Url(String),
    /// A file kept by a provider.
    FileId(String),
    /// rig's `string` source.
    String(String),
}

impl From<&block::Block> for Block {
    fn from(block: &block::Block) -> Self {
        match block {
            block::Block::Text(text) => Self::Text { text: text.clone() },
            block::Block::Json(json) => Self::Json {
                value: json.value.clone(),
                structured_content: json.structured_content,
            },
            block::Block::Envelope(envelope) => match &envelope.read_from_text {
                None => Self::Json {
                    value: envelope.value.clone(),
                    structured_content: false,
                },
                text => Self::Envelope {
                    value: envelope.value.clone(),
                    text: text.clone(),
                },
            },
            block::Block::Image(media) => Self::Image(media.into()),
            block::Block::Document(media) => Self::Document(media.into()),
            block::Block::Audio(media) => Self::Audio(media.into()),
            block::Block::Video(media) => Self::Video(media.into()),
            block::Block::Resource { uri, media } => Self::Resource {
                uri: uri.clone(),
                media: media.into(),
            },
            block::Block::ResourceLink { value, .. } => Self::ResourceLink {
                value: value.clone(),
            },
            block::Block::Unknown(value) => Self::Unknown {
                value: value.clone(),
            },
        }
    }
}

impl From<&block::Media> for MediaFields {
    fn from(media: &block::Media) -> Self {
        use block::MediaSource;
        Self {
            media_type: media.declared.clone(),
            name: media.name.clone(),
            detail: media.detail.clone(),
            data: match &media.source {
                MediaSource::Base64(text) => Some(Data::Base64(text.clone())),
                MediaSource::Bytes(bytes) => Some(Data::Raw(bytes.clone())),
                MediaSource::Text(text) => Some(Data::Text(text.clone())),
                MediaSource::Url(url) => Some(Data::Url(url.clone())),
                MediaSource::FileId(id) => Some(Data::FileId(id.clone())),
                MediaSource::String(text) => Some(Data::String(text.clone())),
                MediaSource::Absent => None,
            },
        }
    }
}
