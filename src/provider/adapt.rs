//! rig's first step: the result shaped for what the model reads, before any JSON is written.

use std::borrow::Cow;

use base64::Engine as _;
use base64::prelude::{BASE64_STANDARD, BASE64_STANDARD_NO_PAD};
use serde_json::Value;

use crate::tool::rig::{DocumentSourceKind, Image, ImageMediaType, ToolResultContent};

use super::call_id;
use super::catalog::Behaviour;
use super::subject::{Carried, Subject};

/// What stands in a result for an image that goes nowhere.
pub(super) const IMAGE_OMITTED: &str = "(tool image omitted: model does not support images)";
/// What stands in a result for an image that goes in the message after it.
pub(super) const IMAGE_ATTACHED: &str = "(see attached image)";
/// The text over the images in the message after a result.
const ATTACHED_HEADING: &str = "Attached image(s) from tool result:";
/// What stands for a result that says nothing.
pub(super) const NO_OUTPUT: &str = "(no tool output)";
/// The same for a failed one.
pub(super) const NO_OUTPUT_ERROR: &str = "[tool error] (no tool output)";

/// One part of a user message.
#[derive(Debug)]
pub(super) enum Part<'s> {
    /// Text.
    Text(Cow<'s, str>),
    /// An image.
    Image(Cow<'s, Image>),
    /// The result of the call.
    Result(ResultPart<'s>),
}

/// A tool result on its way.
#[derive(Debug)]
pub(super) struct ResultPart<'s> {
    /// The call id as this wire spells it.
    pub(super) call_id: String,
    /// The tool's name.
    pub(super) name: &'s str,
    /// The blocks.
    pub(super) content: Vec<Content<'s>>,
    /// The tool failed.
    pub(super) is_error: bool,
}

/// One block of a result on its way.
#[derive(Debug, Clone)]
pub(super) enum Content<'s> {
    /// Text.
    Text(Cow<'s, str>),
    /// JSON, with its compact form.
    Json(&'s Value, &'s str),
    /// An image.
    Image(Cow<'s, Image>),
}

impl<'s> Content<'s> {
    fn of(block: &'s Carried) -> Self {
        match &block.rig {
            ToolResultContent::Text(text) => Self::Text(Cow::Borrowed(text.text())),
            ToolResultContent::Json { value } => Self::Json(value, block.compact()),
            ToolResultContent::Image(image) => Self::Image(sendable(image)),
        }
    }

    /// The text of a text block, the compact form of a JSON block.
    pub(super) fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Json(_, compact) => Some(compact),
            Self::Image(_) => None,
        }
    }
}

/// The user messages that carry the output: the result, and what had to leave it.
pub(super) fn adapt<'s>(subject: &'s Subject, behaviour: &Behaviour) -> Vec<Vec<Part<'s>>> {
    let mut attached = Vec::new();
    let content = place_images(subject, behaviour, &mut attached);
    let parts = behaviour.result.is_some() || behaviour.parts;
    let content = settle_texts(content, parts, subject.is_error);
    let result = ResultPart {
        call_id: call_id::spell(subject.call_id.as_deref(), behaviour.ids),
        name: &subject.tool,
        content,
        is_error: subject.is_error,
    };
    let attachment = (!attached.is_empty()).then(|| {
        let heading = Part::Text(Cow::Borrowed(ATTACHED_HEADING));
        std::iter::once(heading)
            .chain(attached.into_iter().map(Part::Image))
            .collect::<Vec<_>>()
    });
    if behaviour.tools {
        std::iter::once(vec![Part::Result(result)])
            .chain(attachment)
            .collect()
    } else {
        // Without tools the result is a text, and the messages of one role are one.
        let text = Part::Text(Cow::Owned(result_as_text(&result)));
        vec![
            std::iter::once(text)
                .chain(attachment.into_iter().flatten())
                .collect(),
        ]
    }
}

/// Leaves each image in the result where the model reads it there; else moves it after the result;
/// else leaves it out.
fn place_images<'s>(
    subject: &'s Subject,
    behaviour: &Behaviour,
    attached: &mut Vec<Cow<'s, Image>>,
) -> Vec<Content<'s>> {
    let mut placed: Vec<Content<'s>> = Vec::with_capacity(subject.blocks.len());
    for block in &subject.blocks {
        let content = Content::of(block);
        let Content::Image(image) = content else {
            placed.push(content);
            continue;
        };
        let carries = |forms: &Option<_>| {
            forms
                .as_ref()
                .is_some_and(|forms: &super::catalog::ImageForms| forms.carry(&image))
        };
        if carries(&behaviour.result) {
            placed.push(Content::Image(image));
            continue;
        }
        let notice = if carries(&behaviour.user) {
            attached.push(image);
            IMAGE_ATTACHED
        } else {
            IMAGE_OMITTED
        };
        // One notice for several images in a row.
        let repeated = matches!(placed.last(), Some(Content::Text(text)) if text == notice);
        if !repeated {
            placed.push(Content::Text(Cow::Borrowed(notice)));
        }
    }
    placed
}

/// Says plainly that a result says nothing, and joins texts for a model that reads one.
fn settle_texts(content: Vec<Content<'_>>, parts: bool, is_error: bool) -> Vec<Content<'_>> {
    let blank = content
        .iter()
        .all(|block| matches!(block, Content::Text(text) if text.trim().is_empty()));
    if blank {
        let notice = if is_error { NO_OUTPUT_ERROR } else { NO_OUTPUT };
        return vec![Content::Text(Cow::Borrowed(notice))];
    }
    let texts: Vec<&str> = content.iter().filter_map(Content::as_text).collect();
    if parts || texts.len() < 2 {
        return content;
    }
    let joined = Content::Text(Cow::Owned(texts.join("\n")));
    let images = content
        .into_iter()
        .filter(|block| matches!(block, Content::Image(_)));
    std::iter::once(joined).chain(images).collect()
}

/// How a result reads as a text of the user; see [`label`].
fn result_as_text(result: &ResultPart<'_>) -> String {
    let texts: Vec<&str> = result
        .content
        .iter()
        .map(|block| block.as_text().unwrap_or(IMAGE_OMITTED))
        .collect();
    format!(
        "{}{}",
        label(result.name, result.is_error),
        texts.join("\n")
    )
}

/// What a result begins with where it is sent as a text.
pub(super) fn label(tool: &str, is_error: bool) -> String {
    format!(
        "[tool {tool} {}] ",
        if is_error { "error" } else { "result" }
    )
}

/// The image with raw bytes as base64, and with the type that its bytes begin with where it declares
/// none.
fn sendable(image: &Image) -> Cow<'_, Image> {
    let raw = matches!(image.data, DocumentSourceKind::Raw(_));
    let untyped = image.media_type.is_none();
    if !raw && !untyped {
        return Cow::Borrowed(image);
    }
    let mut image = image.clone();
    if let DocumentSourceKind::Raw(bytes) = &image.data {
        image.data = DocumentSourceKind::Base64(BASE64_STANDARD.encode(bytes));
    }
    if untyped && let DocumentSourceKind::Base64(data) = &image.data {
        image.media_type = begins_as(data);
    }
    Cow::Owned(image)
}

/// The type that base64 begins as. Only the standard alphabet is read, in 24 characters.
fn begins_as(data: &str) -> Option<ImageMediaType> {
    let head: String = data.chars().take(24).collect();
    let bytes = BASE64_STANDARD
        .decode(&head)
        .or_else(|_| BASE64_STANDARD_NO_PAD.decode(&head))
        .ok()?;
    match bytes.as_slice() {
        [0x89, b'P', b'N', b'G', ..] => Some(ImageMediaType::PNG),
        [0xFF, 0xD8, 0xFF, ..] => Some(ImageMediaType::JPEG),
        [b'G', b'I', b'F', b'8', ..] => Some(ImageMediaType::GIF),
        [
            b'R',
            b'I',
            b'F',
            b'F',
            _,
            _,
            _,
            _,
            b'W',
            b'E',
            b'B',
            b'P',
            ..,
        ] => Some(ImageMediaType::WEBP),
        _ => None,
    }
}
