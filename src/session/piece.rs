//! Blocks before they are parsed: what a format finds, as views of the record.
//!
//! The index never looks inside them; the detail turns them into [`Block`]s and the measures into
//! sizes, so that the three cannot disagree.

use std::borrow::Cow;

use serde_json::Value;

use crate::json::{Kind, View};

use super::block::{Block, BlockKind, Json, Media, MediaSource};
use super::envelope;

/// One block of an output or message, unparsed.
#[derive(Debug, Clone)]
pub(super) enum Piece<'a> {
    /// A JSON string that is text.
    Text(View<'a>),
    /// Text that stands in no JSON string of the record.
    Plain(Cow<'a, str>),
    /// A JSON value.
    Json(View<'a>),
    /// MCP's `structuredContent`.
    Structured(View<'a>),
    /// An envelope that a recorder wrote as such, with the text that it was read from.
    ReadEnvelope { value: View<'a>, text: View<'a> },
    /// An image, document, sound or film.
    Media(MediaPiece<'a>),
    /// An MCP resource with its contents.
    Resource {
        uri: View<'a>,
        media: MediaPiece<'a>,
    },
    /// An MCP link to a resource.
    Link { uri: View<'a>, value: View<'a> },
    /// Kept as its JSON.
    Unknown(View<'a>),
}

/// Media, unparsed.
#[derive(Debug, Clone)]
pub(super) struct MediaPiece<'a> {
    pub(super) kind: BlockKind,
    pub(super) declared: Option<View<'a>>,
    pub(super) name: Option<View<'a>>,
    pub(super) detail: Option<View<'a>>,
    pub(super) source: PieceSource<'a>,
}

/// Where the bytes of media are, unparsed.
#[derive(Debug, Clone)]
pub(super) enum PieceSource<'a> {
    /// A string of base64.
    Base64(View<'a>),
    /// An array of numbers.
    Bytes(View<'a>),
    /// A string of text.
    Text(View<'a>),
    /// An address; a `data:` address holds the bytes itself.
    Url(View<'a>),
    /// A provider's file.
    FileId(View<'a>),
    /// rig's `string` source.
    String(View<'a>),
    /// Not in the recording.
    Absent,
}

impl<'a> MediaPiece<'a> {
    /// Media of a kind and source, nothing else told.
    pub(super) const fn new(kind: BlockKind, source: PieceSource<'a>) -> Self {
        Self {
            kind,
            declared: None,
            name: None,
            detail: None,
            source,
        }
    }

    /// With the type that the recording declares.
    pub(super) const fn declared(mut self, declared: Option<View<'a>>) -> Self {
        self.declared = declared;
        self
    }

    /// With a name.
    pub(super) const fn named(mut self, name: Option<View<'a>>) -> Self {
        self.name = name;
        self
    }

    /// With a detail setting.
    pub(super) const fn detailed(mut self, detail: Option<View<'a>>) -> Self {
        self.detail = detail;
        self
    }

    fn media(&self) -> Media {
        let owned = |view: Option<View<'_>>| view.and_then(|view| Some(view.text()?.into_owned()));
        let mut declared = owned(self.declared);
        let source = match self.source {
            PieceSource::Base64(view) => MediaSource::Base64(text(view)),
            PieceSource::Bytes(view) => bytes(view).map_or(MediaSource::Absent, MediaSource::Bytes),
            PieceSource::Text(view) => MediaSource::Text(text(view)),
            PieceSource::FileId(view) => MediaSource::FileId(text(view)),
            PieceSource::String(view) => MediaSource::String(text(view)),
            PieceSource::Absent => MediaSource::Absent,
            PieceSource::Url(view) => {
                let url = text(view);
                match data_url(&url) {
                    Some((media_type, base64)) => {
                        declared = declared.or_else(|| Some(media_type.to_owned()));
                        MediaSource::Base64(base64.to_owned())
                    }
                    None => MediaSource::Url(url),
                }
            }
        };
        Media {
            declared,
            name: owned(self.name),
            source,
            detail: owned(self.detail),
        }
    }
}

/// The media type and the base64 of a `data:` address.
pub(super) fn data_url(url: &str) -> Option<(&str, &str)> {
    let rest = url
        .get(..5)
        .filter(|scheme| scheme.eq_ignore_ascii_case("data:"))
        .and_then(|_| url.get(5..))?;
    let (head, data) = rest.split_once(',')?;
    let media_type = head.strip_suffix(";base64")?;
    Some((media_type.split(';').next().unwrap_or_default(), data))
}

/// Bytes told as an array of numbers; none where one of them is no byte.
fn bytes(view: View<'_>) -> Option<Vec<u8>> {
    view.items()
        .map(|item| item.u64().and_then(|byte| u8::try_from(byte).ok()))
        .collect()
}

fn text(view: View<'_>) -> String {
    view.text().unwrap_or_default().into_owned()
}

impl<'a> Piece<'a> {
    /// A string as text, anything else as JSON.
    pub(super) fn text_or_json(view: View<'a>) -> Self {
        if view.is_string() {
            Self::Text(view)
        } else {
            Self::Json(view)
        }
    }

    /// The block's kind by its shape alone; an envelope shows only when the block is read.
    pub(super) const fn shape(&self) -> BlockKind {
        match self {
            Self::Text(_) | Self::Plain(_) => BlockKind::Text,
            Self::Json(_) | Self::Structured(_) => BlockKind::Json,
            Self::ReadEnvelope { .. } => BlockKind::Envelope,
            Self::Media(media) => media.kind,
            Self::Resource { .. } => BlockKind::Resource,
            Self::Link { .. } => BlockKind::ResourceLink,
            Self::Unknown(_) => BlockKind::Unknown,
        }
    }

    /// Parses the block. `stringified` says that the format's wire makes text of JSON, so that text
    /// which holds an envelope is one.
    pub(super) fn block(&self, stringified: bool) -> Block {
        match self {
            Self::Text(view) => text_block(text(*view), stringified),
            Self::Plain(text) => text_block(text.clone().into_owned(), stringified),
            Self::Json(view) => json_block(view.value(), false),
            Self::Structured(view) => json_block(view.value(), true),
            Self::ReadEnvelope { value, text: from } => {
                envelope::recognise(value.value(), Some(text(*from)))
                    .map_or_else(|_| Block::Text(text(*from)), Block::Envelope)
            }
            Self::Media(media) => match media.kind {
                BlockKind::Image => Block::Image(media.media()),
                BlockKind::Audio => Block::Audio(media.media()),
                BlockKind::Video => Block::Video(media.media()),
                _ => Block::Document(media.media()),
            },
            Self::Resource { uri, media } => Block::Resource {
                uri: text(*uri),
                media: media.media(),
            },
            Self::Link { uri, value } => Block::ResourceLink {
                uri: text(*uri),
                value: value.value(),
            },
            Self::Unknown(view) => Block::Unknown(view.value()),
        }
    }

    /// The JSON string that is shown as text, also that of a document in plain text.
    pub(super) fn text_view(&self) -> Option<View<'a>> {
        match self {
            Self::Text(view) | Self::ReadEnvelope { text: view, .. } => Some(*view),
            Self::Media(media) | Self::Resource { media, .. } => match media.source {
                PieceSource::Text(view) => Some(view),
                _ => None,
            },
            _ => None,
        }
    }

    /// Where the block stands in the record, as far as one view tells.
    pub(super) fn view(&self) -> Option<View<'a>> {
        match self {
            Self::Text(view) | Self::Json(view) | Self::Structured(view) | Self::Unknown(view) => {
                Some(*view)
            }
            Self::ReadEnvelope { text, .. } => Some(*text),
            Self::Link { value, .. } => Some(*value),
            Self::Media(media) | Self::Resource { media, .. } => match media.source {
                PieceSource::Base64(view)
                | PieceSource::Bytes(view)
                | PieceSource::Text(view)
                | PieceSource::Url(view)
                | PieceSource::FileId(view)
                | PieceSource::String(view) => Some(view),
                PieceSource::Absent => None,
            },
            Self::Plain(_) => None,
        }
    }
}

fn text_block(text: String, stringified: bool) -> Block {
    if stringified
        && let Some(value) = envelope::in_text(&text)
        && let Ok(envelope) = envelope::recognise(value, Some(text.clone()))
    {
        return Block::Envelope(envelope);
    }
    Block::Text(text)
}

fn json_block(value: Value, structured_content: bool) -> Block {
    match envelope::recognise(value, None) {
        Ok(envelope) => Block::Envelope(envelope),
        Err(value) => Block::Json(Json {
            value,
            structured_content,
        }),
    }
}

/// What a JSON value is as a block where a format allows any value: text, or JSON.
pub(super) fn whole_text(view: View<'_>) -> Option<Value> {
    let text = view.text()?;
    let (inner, faults) = View::check(text.as_bytes()).ok()?;
    (faults.is_empty() && inner.kind() != Kind::Null || inner.raw() == b"null")
        .then(|| inner.value())
}
