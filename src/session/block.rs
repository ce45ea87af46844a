//! The blocks of an output or message, wider than any one published type.

use serde::Serialize;
use serde_json::Value;

/// The kind of a block, with the names of `list --json`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum BlockKind {
    /// Text.
    Text,
    /// A JSON value.
    Json,
    /// An image.
    Image,
    /// A document.
    Document,
    /// Sound.
    Audio,
    /// Moving pictures.
    Video,
    /// An MCP resource with its contents.
    Resource,
    /// An MCP link to a resource.
    ResourceLink,
    /// A cached envelope of rig-mcp or a bounded envelope of rig-compose.
    Envelope,
    /// Something that is kept and shown as its JSON.
    Unknown,
}

/// One block.
#[derive(Debug, Clone, PartialEq)]
pub enum Block {
    /// Text.
    Text(String),
    /// A JSON value.
    Json(Json),
    /// An image.
    Image(Media),
    /// A document.
    Document(Media),
    /// Sound.
    Audio(Media),
    /// Moving pictures.
    Video(Media),
    /// An MCP resource with its contents.
    Resource {
        /// Where it lives.
        uri: String,
        /// What it holds.
        media: Media,
    },
    /// An MCP link to a resource.
    ResourceLink {
        /// Where it lives.
        uri: String,
        /// The link as it stands.
        value: Value,
    },
    /// An envelope.
    Envelope(Envelope),
    /// Anything else, as its JSON.
    Unknown(Value),
}

/// A JSON block.
#[derive(Debug, Clone, PartialEq)]
pub struct Json {
    /// The value.
    pub value: Value,
    /// It is MCP's `structuredContent`, told after the content blocks.
    pub structured_content: bool,
}

/// Which published envelope a block holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum EnvelopeKind {
    /// rig-mcp's `CachedResultEnvelope`.
    Cached,
    /// rig-compose's `ToolResultEnvelope`.
    Bounded,
}

/// An envelope, recognised by its required keys.
#[derive(Debug, Clone, PartialEq)]
pub struct Envelope {
    /// Which of the two unrelated envelopes it is.
    pub kind: EnvelopeKind,
    /// The envelope as recorded, unknown keys included.
    pub value: Value,
    /// The text that it was read from, where a wire had made text of it.
    pub read_from_text: Option<String>,
}

/// Media: bytes or where they are.
#[derive(Debug, Clone, PartialEq)]
pub struct Media {
    /// The media type or format that the recording declares, as it writes it.
    pub declared: Option<String>,
    /// A name, for documents.
    pub name: Option<String>,
    /// Where the bytes are.
    pub source: MediaSource,
    /// The provider's detail setting (`low`, `high`, `auto`).
    pub detail: Option<String>,
}

/// Where the bytes of a media block are.
#[derive(Debug, Clone, PartialEq)]
pub enum MediaSource {
    /// Base64, as recorded: the alphabet and padding of the recording, checked only when decoded.
    Base64(String),
    /// The bytes themselves.
    Bytes(Vec<u8>),
    /// Plain text, for documents.
    Text(String),
    /// An address that is never fetched.
    Url(String),
    /// A file kept by a provider.
    FileId(String),
    /// rig's `string` source.
    String(String),
    /// Not in the recording.
    Absent,
}

impl Block {
    /// The kind.
    pub const fn kind(&self) -> BlockKind {
        match self {
            Self::Text(_) => BlockKind::Text,
            Self::Json(_) => BlockKind::Json,
            Self::Image(_) => BlockKind::Image,
            Self::Document(_) => BlockKind::Document,
            Self::Audio(_) => BlockKind::Audio,
            Self::Video(_) => BlockKind::Video,
            Self::Resource { .. } => BlockKind::Resource,
            Self::ResourceLink { .. } => BlockKind::ResourceLink,
            Self::Envelope(_) => BlockKind::Envelope,
            Self::Unknown(_) => BlockKind::Unknown,
        }
    }
}
