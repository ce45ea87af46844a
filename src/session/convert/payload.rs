//! A block as the one payload of a mixtape tool.

use std::borrow::Cow;

use crate::media::{self, Format};
use crate::session::block::{Block, Envelope, Media, MediaSource};
use crate::tool::mixtape::{DocumentFormat, ImageFormat, ToolResult};

use super::{NoPayload, bytes_of, document_text, format_of};

/// One block as mixtape's payload.
pub(super) fn payload(block: &Block, losses: &mut Vec<String>) -> Result<ToolResult, NoPayload> {
    let none = |what: &str| Err(NoPayload::Kind(what.to_owned()));
    match block {
        Block::Text(text)
        | Block::Envelope(Envelope {
            read_from_text: Some(text),
            ..
        }) => Ok(ToolResult::text(text.as_str())),
        Block::Json(json) => Ok(ToolResult::Json(json.value.clone())),
        Block::Envelope(envelope) => Ok(ToolResult::Json(envelope.value.clone())),
        Block::ResourceLink { value, .. } | Block::Unknown(value) => {
            Ok(ToolResult::Json(value.clone()))
        }
        Block::Image(media) => image_payload(media, losses),
        Block::Document(media) => document_payload(media, losses),
        Block::Resource { uri, media } => {
            losses.push(format!("the address {uri}"));
            let format = format_of(media);
            if format.is_some_and(|format| format.kind() == media::Kind::Image) {
                return image_payload(media, losses);
            }
            if let Some(text) = document_text(media, format) {
                return Ok(ToolResult::text(text.as_ref()));
            }
            document_payload(media, losses)
        }
        Block::Audio(_) => none("it has no audio"),
        Block::Video(_) => none("it has no video"),
    }
}

fn media_bytes(media: &Media) -> Result<Vec<u8>, NoPayload> {
    bytes_of(media).map(Cow::into_owned).ok_or_else(|| {
        NoPayload::Kind(
            match &media.source {
                MediaSource::Url(_) => "it holds bytes, and the recording has an address",
                MediaSource::FileId(_) => "it holds bytes, and the recording has a file id",
                MediaSource::Base64(_) => "the recorded base64 does not decode",
                _ => "the bytes are not in the recording",
            }
            .to_owned(),
        )
    })
}

fn image_payload(media: &Media, losses: &mut Vec<String>) -> Result<ToolResult, NoPayload> {
    let data = media_bytes(media)?;
    let declared = media.declared.as_deref().and_then(Format::from_declared);
    let format = declared.or_else(|| media::sniff(&data).map(|facts| facts.format));
    let format = match format {
        Some(Format::Png) => ImageFormat::Png,
        Some(Format::Jpeg) => ImageFormat::Jpeg,
        Some(Format::Gif) => ImageFormat::Gif,
        Some(Format::Webp) => ImageFormat::Webp,
        Some(other) => {
            return Err(NoPayload::Kind(format!(
                "its images are png, jpeg, gif and webp, not {}",
                other.name()
            )));
        }
        None => {
            return Err(NoPayload::Kind(
                "the format of the image is not known".to_owned(),
            ));
        }
    };
    if media.detail.is_some() {
        losses.push("the detail setting".to_owned());
    }
    Ok(ToolResult::image(format, data))
}

fn document_payload(media: &Media, losses: &mut Vec<String>) -> Result<ToolResult, NoPayload> {
    let data = media_bytes(media)?;
    let declared = media.declared.as_deref().and_then(Format::from_declared);
    let format = declared.or_else(|| media::sniff(&data).map(|facts| facts.format));
    let format = match format {
        Some(Format::Pdf) => DocumentFormat::Pdf,
        Some(Format::Csv) => DocumentFormat::Csv,
        Some(Format::Doc) => DocumentFormat::Doc,
        Some(Format::Docx) => DocumentFormat::Docx,
        Some(Format::Html) => DocumentFormat::Html,
        Some(Format::Markdown) => DocumentFormat::Md,
        Some(Format::Text) => DocumentFormat::Txt,
        Some(Format::Xls) => DocumentFormat::Xls,
        Some(Format::Xlsx) => DocumentFormat::Xlsx,
        Some(other) if other.is_plain_text() => {
            losses.push(format!(
                "that it is {}: mixtape knows it as txt",
                other.name()
            ));
            DocumentFormat::Txt
        }
        Some(other) => {
            return Err(NoPayload::Kind(format!(
                "it has no documents of the format {}",
                other.name()
            )));
        }
        None => {
            return Err(NoPayload::Kind(
                "the format of the document is not known".to_owned(),
            ));
        }
    };
    Ok(match &media.name {
        Some(name) => ToolResult::document_with_name(format, data, name.as_str()),
        None => ToolResult::document(format, data),
    })
}
