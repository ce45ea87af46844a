//! The recording's blocks as the exact types of rig and mixtape, and what each loses on the way.
//!
//! A recording may hold ten kinds of blocks. rig's tools return text, images and JSON; mixtape's
//! return one payload of text, JSON, image or document. The rules, per kind:
//!
//! | block | rig | mixtape |
//! |---|---|---|
//! | text, JSON | itself | itself |
//! | image | itself; a `data:` address as its base64 | its bytes, where they are in the recording and png, jpeg, gif or webp |
//! | document of plain text | its text | its bytes |
//! | other document | a line that describes it | its bytes, where they are in the recording and of the nine formats |
//! | audio, video | a line that describes it | none |
//! | resource | as the text, image or document that it holds | the same |
//! | resource link, unknown | its JSON | its JSON |
//! | envelope | its JSON, or the text it was read from | the same |

mod payload;

use std::borrow::Cow;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::Value;

use crate::media::{self, Format};
use crate::provider::{Carried, Facts, Stand, Subject};
use crate::tool::mixtape::ToolResult;
use crate::tool::rig::{
    DocumentSourceKind, Image, ImageMediaType, ToolExecutionError, ToolOutput, ToolResultContent,
};

use super::block::{Block, Envelope, Media, MediaSource};
use super::event::{Call, Output};

/// A value of an exact type, and what of the recording it does not hold.
#[derive(Debug, Clone, PartialEq)]
pub struct Converted<T> {
    /// The value.
    pub value: T,
    /// What is lost, per block.
    pub losses: Vec<Loss>,
}

/// What one block loses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loss {
    /// Which block, from 1.
    pub block: usize,
    /// What is lost, in words.
    pub what: String,
}

/// Why blocks are no payload of mixtape's.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoPayload {
    /// Not one block.
    #[error("mixtape's ToolResult holds one payload, and this output has {0} blocks")]
    Blocks(usize),
    /// A block that mixtape has no payload for.
    #[error("mixtape's ToolResult cannot hold this: {0}")]
    Kind(String),
}

/// The blocks as rig's.
pub fn to_rig(blocks: &[Block]) -> Converted<Vec<ToolResultContent>> {
    let carried: Vec<Carried> = blocks.iter().map(carried).collect();
    let losses = carried
        .iter()
        .enumerate()
        .filter_map(|(index, block)| {
            let (Stand::Text { lost, .. } | Stand::Description { lost, .. }) =
                block.stand.as_ref()?;
            Some(Loss {
                block: index + 1,
                what: lost.clone(),
            })
        })
        .collect();
    Converted {
        value: carried.into_iter().map(|block| block.rig).collect(),
        losses,
    }
}

/// The blocks as a rig tool's output; rig refuses one without blocks.
pub fn to_tool_output(blocks: &[Block]) -> Result<Converted<ToolOutput>, ToolExecutionError> {
    let Converted { value, losses } = to_rig(blocks);
    Ok(Converted {
        value: ToolOutput::content(value)?,
        losses,
    })
}

/// The blocks as the one payload of a mixtape tool.
pub fn to_mixtape(blocks: &[Block]) -> Result<Converted<ToolResult>, NoPayload> {
    let [block] = blocks else {
        return Err(NoPayload::Blocks(blocks.len()));
    };
    let mut losses = Vec::new();
    let value = payload::payload(block, &mut losses)?;
    let losses = losses
        .into_iter()
        .map(|what| Loss { block: 1, what })
        .collect();
    Ok(Converted { value, losses })
}

/// An output with its call, ready to be rendered for providers: the blocks that the record itself
/// holds.
pub fn subject(call: Option<&Call>, output: &Output) -> Subject {
    let tool = call
        .map(|call| call.tool.as_str())
        .or(output.tool.as_deref());
    let id = output
        .call_id
        .as_deref()
        .or(call.and_then(|call| call.id.as_deref()));
    subject_of(tool, id, output.is_error, output.blocks())
}

/// Any blocks as the output of a call, ready to be rendered for providers.
pub fn subject_of(
    tool: Option<&str>,
    call_id: Option<&str>,
    is_error: bool,
    blocks: &[Block],
) -> Subject {
    Subject {
        tool: tool.unwrap_or("tool").to_owned(),
        call_id: call_id.map(str::to_owned),
        is_error,
        blocks: blocks.iter().map(carried).collect(),
        payload: to_mixtape(blocks)
            .map(|converted| converted.value)
            .map_err(|error| error.to_string()),
    }
}

/// One block as rig carries it.
fn carried(block: &Block) -> Carried {
    match block {
        Block::Text(text)
        | Block::Envelope(Envelope {
            read_from_text: Some(text),
            ..
        }) => text_block(text),
        Block::Json(json) => json_block(&json.value),
        Block::Image(media) => image_block(media),
        Block::Document(media) => stand_in("Document", media),
        Block::Audio(media) => stand_in("Audio", media),
        Block::Video(media) => stand_in("Video", media),
        Block::Resource { uri, media } => resource_block(uri, media),
        Block::ResourceLink { value, .. } | Block::Unknown(value) => json_block(value),
        Block::Envelope(envelope) => json_block(&envelope.value),
    }
}

fn text_block(text: &str) -> Carried {
    Carried::new(
        Facts::Text(text.to_owned()),
        ToolResultContent::text(text),
        None,
    )
}

fn json_block(value: &Value) -> Carried {
    Carried::new(
        Facts::Json(value.clone()),
        ToolResultContent::json(value.clone()),
        None,
    )
}

fn image_block(media: &Media) -> Carried {
    let mut declared = media.declared.as_deref();
    let source = match &media.source {
        MediaSource::Base64(data) => DocumentSourceKind::base64(data.as_str()),
        MediaSource::Bytes(bytes) => DocumentSourceKind::Raw(bytes.clone()),
        MediaSource::Text(text) => DocumentSourceKind::Raw(text.clone().into_bytes()),
        MediaSource::Url(url) => match media::data_url(url) {
            Some((kind, data)) => {
                declared = declared.or(Some(kind));
                DocumentSourceKind::base64(data)
            }
            None => DocumentSourceKind::url(url.as_str()),
        },
        MediaSource::FileId(id) => DocumentSourceKind::file_id(id.as_str()),
        MediaSource::String(text) => DocumentSourceKind::string(text.as_str()),
        MediaSource::Absent => DocumentSourceKind::Unknown,
    };
    let image = Image {
        data: source,
        media_type: declared.and_then(rig_image_type),
        detail: media
            .detail
            .as_deref()
            .and_then(|detail| detail.parse().ok()),
        ..Image::default()
    };
    let mut block = Carried::new(
        Facts::Media(signs(media)),
        ToolResultContent::Image(image),
        None,
    );
    block.mismatch = sniffed(media).and_then(|actual| media::compare(declared, actual));
    block
}

/// A declared type as rig reads it: its own short name, or the exact MIME name. Anything else is no
/// type to rig.
fn rig_image_type(declared: &str) -> Option<ImageMediaType> {
    ImageMediaType::from_mime_type(declared)
        .or_else(|| serde_json::from_value(Value::from(declared)).ok())
}

/// A document, sound or film, which rig has no block for.
fn stand_in(kind: &str, media: &Media) -> Carried {
    let format = format_of(media);
    let stand = match document_text(media, format) {
        Some(text) if kind == "Document" => Stand::Text {
            text: text.into_owned(),
            lost: format!(
                "no document block here: only its text is sent{}",
                named_loss(media)
            ),
        },
        _ => Stand::Description {
            text: description(kind, media, format),
            lost: format!(
                "no {} block here: a line tells of it",
                kind.to_ascii_lowercase()
            ),
        },
    };
    let (Stand::Text { text, .. } | Stand::Description { text, .. }) = &stand;
    let rig = ToolResultContent::text(text.as_str());
    Carried::new(Facts::Media(signs(media)), rig, Some(stand))
}

fn named_loss(media: &Media) -> &'static str {
    if media.name.is_some() {
        ", without its name"
    } else {
        ""
    }
}

/// What an MCP resource holds, without its address.
fn resource_block(uri: &str, media: &Media) -> Carried {
    let format = format_of(media);
    if let Some(text) = document_text(media, format) {
        let lost = format!("no resource block here: only the text of {uri} is sent");
        let rig = ToolResultContent::text(text.as_ref());
        return Carried::new(
            Facts::Media(signs(media)),
            rig,
            Some(Stand::Text {
                text: text.into_owned(),
                lost,
            }),
        );
    }
    if format.is_some_and(|format| format.kind() == media::Kind::Image) {
        return image_block(media);
    }
    let media = Media {
        name: media.name.clone().or_else(|| Some(uri.to_owned())),
        ..media.clone()
    };
    stand_in("Resource", &media)
}

/// What the bytes are, where the recording holds them.
fn sniffed(media: &Media) -> Option<Format> {
    let facts = match &media.source {
        MediaSource::Base64(data) => media::base64_prefix(data, 64 * 1024)
            .ok()
            .and_then(|head| media::sniff(&head)),
        MediaSource::Bytes(bytes) => media::sniff(bytes),
        MediaSource::Url(url) => media::data_url(url)
            .and_then(|(_, data)| media::base64_prefix(data, 64 * 1024).ok())
            .and_then(|head| media::sniff(&head)),
        MediaSource::Text(text) => media::sniff(text.as_bytes()),
        MediaSource::FileId(_) | MediaSource::String(_) | MediaSource::Absent => None,
    };
    facts.map(|facts| facts.format)
}

/// What the bytes are, else what the recording says they are.
fn format_of(media: &Media) -> Option<Format> {
    let declared = media.declared.as_deref().and_then(Format::from_declared);
    match (sniffed(media), declared) {
        // Bytes cannot tell one kind of text from another, and a few letters are no proof against
        // sound or film; the label can tell.
        (Some(sniffed), Some(declared))
            if declared.agrees_with(sniffed)
                || (sniffed.is_plain_text() && declared.kind() != media::Kind::Document) =>
        {
            Some(declared)
        }
        (sniffed, declared) => sniffed.or(declared),
    }
}

/// The text of a document that is plain text.
fn document_text(media: &Media, format: Option<Format>) -> Option<Cow<'_, str>> {
    if let MediaSource::Text(text) = &media.source {
        return Some(Cow::Borrowed(text));
    }
    let format =
        format.filter(|format| format.is_plain_text() && format.kind() == media::Kind::Document)?;
    media::plain_text(&bytes_of(media)?, format).map(Cow::Owned)
}

/// The bytes, where the recording holds them.
fn bytes_of(media: &Media) -> Option<Cow<'_, [u8]>> {
    match &media.source {
        MediaSource::Bytes(bytes) => Some(Cow::Borrowed(bytes)),
        MediaSource::Text(text) => Some(Cow::Borrowed(text.as_bytes())),
        MediaSource::Base64(data) => media::decode_base64(data).ok().map(Cow::Owned),
        MediaSource::Url(url) => media::data_url(url)
            .and_then(|(_, data)| media::decode_base64(data).ok())
            .map(Cow::Owned),
        MediaSource::FileId(_) | MediaSource::String(_) | MediaSource::Absent => None,
    }
}

/// A line in the form that mixtape has for them: `[Document: Pdf, report.pdf, 1204 bytes]`.
fn description(kind: &str, media: &Media, format: Option<Format>) -> String {
    let format = match (format, media.declared.as_deref()) {
        (Some(format), _) => capital(format.name()),
        (None, Some(declared)) => declared.to_owned(),
        (None, None) => "unknown format".to_owned(),
    };
    let size = match &media.source {
        MediaSource::Base64(data) => format!("{} bytes", media::base64_length(data)),
        MediaSource::Bytes(bytes) => format!("{} bytes", bytes.len()),
        MediaSource::Text(text) => format!("{} bytes", text.len()),
        MediaSource::Url(url) => match media::data_url(url) {
            Some((_, data)) => format!("{} bytes", media::base64_length(data)),
            None => format!("at {url}"),
        },
        MediaSource::FileId(id) => format!("file {id}"),
        MediaSource::String(_) | MediaSource::Absent => "not in the recording".to_owned(),
    };
    match &media.name {
        Some(name) => format!("[{kind}: {format}, {name}, {size}]"),
        None if kind == "Document" => format!("[{kind}: {format}, unnamed, {size}]"),
        None => format!("[{kind}: {format}, {size}]"),
    }
}

fn capital(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}

/// The strings that are the media itself on a wire.
fn signs(media: &Media) -> Vec<String> {
    let mut signs = Vec::new();
    match &media.source {
        MediaSource::Base64(data) => base64_signs(data, &mut signs),
        MediaSource::Bytes(bytes) => signs.push(BASE64_STANDARD.encode(bytes)),
        MediaSource::Text(text) => signs.push(BASE64_STANDARD.encode(text)),
        MediaSource::Url(url) => {
            signs.push(url.clone());
            if let Some((_, data)) = media::data_url(url) {
                base64_signs(data, &mut signs);
            }
        }
        MediaSource::FileId(id) => signs.push(id.clone()),
        MediaSource::String(text) => {
            signs.push(text.clone());
            signs.push(BASE64_STANDARD.encode(text));
        }
        MediaSource::Absent => {}
    }
    signs
}

/// The base64 as recorded, and in the one form that a sender writes of decoded bytes.
fn base64_signs(data: &str, signs: &mut Vec<String>) {
    signs.push(data.to_owned());
    let usual = data.len().is_multiple_of(4)
        && data
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'='));
    if !usual && let Ok(bytes) = media::decode_base64(data) {
        signs.push(BASE64_STANDARD.encode(bytes));
    }
}

#[cfg(test)]
mod tests;
