//! How large events and their blocks are, measured over the recorded bytes without parsing values.
//!
//! Bytes are UTF-8 bytes of text, of serde_json's compact form of JSON, and decoded bytes of media.
//! Tokens are estimated item by item, so that the tokens of an array are those of its items; media
//! count none.

use std::path::Path;

use serde::Serialize;

use crate::json::{Kind, View, decode, decoded_length};
use crate::tokens::{self, Tokens};

use super::block::{BlockKind, EnvelopeKind};
use super::envelope;
use super::event::{EventKind, Evidence, Side};
use super::part::{CacheRule, Content, Lazy, LazyOutput, Part, thinking_text};
use super::piece::{MediaPiece, Piece, PieceSource, data_url};

/// How large one block is.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BlockMeasure {
    /// The kind.
    pub kind: BlockKind,
    /// UTF-8 bytes of text, of the compact form of JSON, decoded bytes of media.
    pub bytes: u64,
    /// Estimated tokens.
    pub tokens: Tokens,
    /// How many items, where it is a JSON array.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub items: Option<u64>,
    /// The media type or format that the recording declares.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub media_type: Option<String>,
    /// The name, for documents and resources.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Which envelope.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub envelope: Option<EnvelopeKind>,
    /// The envelope stands in text that a wire made of it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub read_from_text: bool,
    /// It is MCP's `structuredContent`.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub structured_content: bool,
}

/// How large an event is.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Measures {
    /// The blocks of the record itself, in the order that `--block` counts.
    pub blocks: Vec<BlockMeasure>,
    /// What the tool returned, where known.
    pub returned_bytes: Option<u64>,
    /// What the model was sent, where known; later pages not counted.
    pub sent_bytes: Option<u64>,
    /// Items of the array that the result cache would see, or that an envelope tells of.
    pub items: Option<u64>,
    /// Tokens of the record's own blocks; none where an event says nothing to the model.
    pub tokens: Option<Tokens>,
    /// The recording tells the tokens; they are no estimate.
    pub tokens_recorded: bool,
    /// How the recording knows, for outputs.
    pub evidence: Option<Evidence>,
}

/// Measures an event. `kind` is what the index decided.
pub(super) fn measure(part: &Part<'_>, kind: EventKind, beside: Option<&Path>) -> Measures {
    let mut measures = Measures::default();
    match &part.lazy {
        Lazy::Output(output) if kind == EventKind::ToolOutput => {
            return measure_output(output, beside);
        }
        Lazy::Message(content) => {
            measures.blocks = blocks(content, false, beside).unwrap_or_default();
            measures.tokens = Some(measures.blocks.iter().map(|block| block.tokens).sum());
        }
        Lazy::Thinking(text) => {
            let text = text.map(thinking_text).unwrap_or_default();
            measures.tokens = Some(tokens::estimate(&text));
        }
        Lazy::Call { arguments, text } => {
            measures.tokens = Some(arguments.or(*text).map_or(Tokens::ZERO, any_tokens));
        }
        Lazy::System { value, .. } => measures.tokens = Some(any_tokens(*value)),
        _ => {}
    }
    measures
}

fn measure_output(output: &LazyOutput<'_>, beside: Option<&Path>) -> Measures {
    let stringified = output.rule != CacheRule::Value;
    let returned = output
        .returned
        .as_ref()
        .and_then(|content| content.pieces(beside));
    let sent = output
        .sent
        .as_ref()
        .and_then(|content| content.pieces(beside));
    let (own, other) = match output.wire {
        Side::Returned => (&returned, &sent),
        Side::Sent => (&sent, &returned),
    };
    let blocks: Option<Vec<_>> = own.as_ref().map(|pieces| {
        let blocks = pieces.iter().map(|piece| piece.measure(stringified));
        blocks.collect()
    });
    let own_bytes = blocks
        .as_ref()
        .map(|blocks| blocks.iter().map(|block| block.bytes).sum());
    let other_bytes = other
        .as_ref()
        .map(|pieces| pieces.iter().map(Piece::length).sum());
    let (returned_bytes, sent_bytes) = match output.wire {
        Side::Returned => (own_bytes, other_bytes),
        Side::Sent => (other_bytes, own_bytes),
    };
    let evidence = match (&returned, output.evidence) {
        (None, Evidence::Recorded) if sent.is_some() => Evidence::Log,
        (_, evidence) => evidence,
    };
    let items = returned
        .as_deref()
        .or(sent.as_deref())
        .and_then(|pieces| output.rule.items(pieces));
    let blocks = blocks.unwrap_or_default();
    let estimated = blocks.iter().map(|block| block.tokens).sum();
    Measures {
        returned_bytes,
        sent_bytes,
        items,
        tokens: Some(output.recorded_tokens.map_or(estimated, Tokens::from_count)),
        tokens_recorded: output.recorded_tokens.is_some(),
        evidence: Some(evidence),
        blocks,
    }
}

/// The bytes and items of the returned side of an output that another record tells.
pub(super) fn returned_side(
    content: &Content<'_>,
    beside: Option<&Path>,
) -> Option<(u64, Option<u64>)> {
    let pieces = content.pieces(beside)?;
    let bytes = pieces.iter().map(Piece::length).sum();
    Some((bytes, CacheRule::ReadText.items(&pieces)))
}

fn blocks(
    content: &Content<'_>,
    stringified: bool,
    beside: Option<&Path>,
) -> Option<Vec<BlockMeasure>> {
    let pieces = content.pieces(beside)?;
    Some(
        pieces
            .iter()
            .map(|piece| piece.measure(stringified))
            .collect(),
    )
}

impl CacheRule {
    /// Items of the array that the cache would see, or that an envelope in its place tells of.
    fn items(self, pieces: &[Piece<'_>]) -> Option<u64> {
        match self {
            Self::Value => match pieces {
                [Piece::Json(view) | Piece::Structured(view)] => value_items(*view),
                [Piece::ReadEnvelope { value, .. }] => value_items(*value),
                _ => None,
            },
            Self::ReadText => match pieces {
                [Piece::Json(view) | Piece::Structured(view)] => value_items(*view),
                [text] => text_items(text),
                _ => None,
            },
            Self::Mcp => {
                let structured = pieces.iter().find_map(|piece| match piece {
                    Piece::Structured(view) => Some(*view),
                    _ => None,
                });
                match structured {
                    Some(view) => value_items(view),
                    None => pieces
                        .iter()
                        .find(|piece| piece.shape() == BlockKind::Text)
                        .and_then(text_items),
                }
            }
        }
    }
}

/// Items of an array, or the `total_items` of a cached envelope.
fn value_items(view: View<'_>) -> Option<u64> {
    match view.kind() {
        Kind::Array => Some(view.items().count() as u64),
        Kind::Object if envelope::kind_of(view) == Some(EnvelopeKind::Cached) => {
            view.get("total_items")?.u64()
        }
        _ => None,
    }
}

fn text_items(piece: &Piece<'_>) -> Option<u64> {
    let text = piece.decoded()?;
    if !text.trim_start().starts_with(['[', '{']) {
        return None;
    }
    let (view, faults) = View::check(text.as_bytes()).ok()?;
    faults.is_empty().then(|| value_items(view))?
}

impl Piece<'_> {
    /// The text of a text block.
    pub(super) fn decoded(&self) -> Option<std::borrow::Cow<'_, str>> {
        match self {
            Self::Text(view) => view.text(),
            Self::Plain(text) => Some(std::borrow::Cow::Borrowed(text)),
            Self::ReadEnvelope { text, .. } => text.text(),
            _ => None,
        }
    }

    /// The block's bytes alone, as [`Piece::measure`] counts them.
    fn length(&self) -> u64 {
        let inner = |view: View<'_>| decoded_length(view.inner().unwrap_or_default());
        match self {
            Self::Text(view) | Self::ReadEnvelope { text: view, .. } => inner(*view),
            Self::Plain(text) => text.len() as u64,
            Self::Json(view)
            | Self::Structured(view)
            | Self::Unknown(view)
            | Self::Link { value: view, .. } => view.canonical_length(),
            Self::Media(media) | Self::Resource { media, .. } => media.length(),
        }
    }

    /// How large the block is.
    pub(super) fn measure(&self, stringified: bool) -> BlockMeasure {
        let mut measure = BlockMeasure {
            kind: self.shape(),
            bytes: 0,
            tokens: Tokens::ZERO,
            items: None,
            media_type: None,
            name: None,
            envelope: None,
            read_from_text: false,
            structured_content: matches!(self, Self::Structured(_)),
        };
        match self {
            Self::Text(_) | Self::Plain(_) => {
                let text = self.decoded().unwrap_or_default();
                measure.bytes = text.len() as u64;
                measure.tokens = tokens::estimate(&text);
                let value = stringified.then(|| envelope::in_text(&text)).flatten();
                if let Some(kind) = value.as_ref().and_then(envelope::kind) {
                    measure.kind = BlockKind::Envelope;
                    measure.envelope = Some(kind);
                    measure.read_from_text = true;
                }
            }
            Self::ReadEnvelope { value, text } => {
                let text = text.text().unwrap_or_default();
                measure.bytes = text.len() as u64;
                measure.tokens = tokens::estimate(&text);
                measure.envelope = envelope::kind_of(*value);
                measure.read_from_text = true;
                if measure.envelope.is_none() {
                    measure.kind = BlockKind::Text;
                }
            }
            Self::Json(view) | Self::Structured(view) => {
                measure.bytes = view.canonical_length();
                measure.tokens = any_tokens(*view);
                measure.envelope = envelope::kind_of(*view);
                if measure.envelope.is_some() {
                    measure.kind = BlockKind::Envelope;
                }
                if view.is_array() {
                    measure.items = Some(view.items().count() as u64);
                }
            }
            Self::Media(media) => media.measure(&mut measure),
            Self::Resource { uri, media } => {
                media.measure(&mut measure);
                measure.name = text(Some(*uri));
            }
            Self::Link { uri, value } => {
                measure.bytes = value.canonical_length();
                measure.tokens = any_tokens(*value);
                measure.name = text(Some(*uri));
            }
            Self::Unknown(view) => {
                measure.bytes = view.canonical_length();
                measure.tokens = any_tokens(*view);
            }
        }
        measure
    }
}

impl MediaPiece<'_> {
    fn measure(&self, measure: &mut BlockMeasure) {
        measure.bytes = self.length();
        measure.media_type = text(self.declared);
        measure.name = text(self.name);
        match self.source {
            PieceSource::Text(view) => measure.tokens = string_tokens(view),
            PieceSource::Url(view) if measure.media_type.is_none() => {
                let url = view.text().unwrap_or_default();
                measure.media_type = data_url(&url).map(|(media_type, _)| media_type.to_owned());
            }
            _ => {}
        }
    }

    /// Decoded bytes, where the recording holds them.
    fn length(&self) -> u64 {
        match self.source {
            PieceSource::Base64(view) => base64_length(view.inner().unwrap_or_default()),
            PieceSource::Bytes(view) => view.items().count() as u64,
            PieceSource::Text(view) => decoded_length(view.inner().unwrap_or_default()),
            PieceSource::Url(view) => {
                let inner = view.inner().unwrap_or_default();
                let scheme = inner.get(..5);
                if !scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case(b"data:")) {
                    return 0;
                }
                let url = decode(inner);
                data_url(&url).map_or(0, |(_, data)| base64_length(data.as_bytes()))
            }
            PieceSource::FileId(_) | PieceSource::String(_) | PieceSource::Absent => 0,
        }
    }
}

/// How many bytes base64 decodes to, by its length: padding, line ends and escaped slashes left out.
fn base64_length(text: &[u8]) -> u64 {
    let digits = text
        .iter()
        .filter(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'-' | b'_'))
        .count() as u64;
    // In a JSON string an escaped line end stands as `\n`.
    let escapes = memchr::memmem::find_iter(text, b"\\n").count() as u64;
    (digits - escapes) * 3 / 4
}

fn text(view: Option<View<'_>>) -> Option<String> {
    Some(view?.text()?.into_owned())
}

fn string_tokens(view: View<'_>) -> Tokens {
    tokens::estimate(&view.text().unwrap_or_default())
}

/// The tokens of a value: of an array those of its items, of a string those of its text.
fn any_tokens(view: View<'_>) -> Tokens {
    match view.kind() {
        Kind::String => string_tokens(view),
        Kind::Array => view
            .items()
            .map(|item| tokens::estimate_item(item.raw()))
            .sum(),
        _ => tokens::estimate_json_bytes(view.raw()),
    }
}
