//! What a reader should know of a block's fate, in plain words.

use serde_json::Value;

use crate::tool::rig::{DocumentSourceKind, Image, ImageDetail, ImageMediaType, ToolResultContent};

use super::Fate;
use super::adapt::{self, IMAGE_ATTACHED, NO_OUTPUT, NO_OUTPUT_ERROR};
use super::catalog::Behaviour;
use super::search::{Found, How, Located, Spot};
use super::subject::{Carried, Facts, Stand, Subject};

/// The note for a block; none where nothing is to be said.
pub(super) fn note(
    index: usize,
    fate: Fate,
    subject: &Subject,
    located: &Located<'_>,
    wire: &Value,
    behaviour: Option<&Behaviour>,
) -> Option<String> {
    let block = subject.blocks.get(index)?;
    let mut words = Vec::new();
    match located.blocks.get(index)? {
        Some(found) => {
            if let Some(Stand::Text { lost, .. } | Stand::Description { lost, .. }) = &block.stand
                && found.how != How::Media
            {
                words.push(lost.clone());
            }
            let is_json = block.stand.is_none() && matches!(block.facts, Facts::Json(_));
            match found.how {
                How::Value => words.extend(value_words(found, wire)),
                How::Whole if is_json => words.push("as its compact JSON, a string".to_owned()),
                How::Whole => {}
                How::Lines => {
                    if is_json {
                        words.push("as its compact JSON".to_owned());
                    }
                    words.extend(line_words(index, found, located, subject));
                }
                How::Escaped => {
                    words.push(
                        "inside JSON that is a string itself, beside the error flag".to_owned(),
                    );
                }
                How::Media => words.extend(media_words(block, fate, found, wire, behaviour)),
            }
        }
        None => words.extend(lost_words(
            block,
            located.notices.get(index)?.as_ref(),
            wire,
            behaviour,
        )),
    }
    (!words.is_empty()).then(|| words.join("; "))
}

/// A JSON value that is carried as one.
fn value_words(found: &Found<'_>, wire: &Value) -> Option<String> {
    if found.node.is_string() {
        return Some("a bare string: reads the same as text".to_owned());
    }
    let pointer = found.spot.pointer();
    let holder = pointer.strip_suffix("/result")?;
    // Gemini's `response` has the key always; elsewhere it is there for values that are no object.
    let only = wire
        .pointer(holder)
        .and_then(Value::as_object)
        .is_some_and(|fields| fields.len() == 1);
    (only && !holder.ends_with("/response"))
        .then(|| "inside {\"result\": …}: this field takes objects only".to_owned())
}

/// A text that is lines of a string which holds more.
fn line_words(
    index: usize,
    found: &Found<'_>,
    located: &Located<'_>,
    subject: &Subject,
) -> Vec<String> {
    let mut words = Vec::new();
    let label = adapt::label(&subject.tool, subject.is_error);
    if found
        .node
        .as_str()
        .is_some_and(|text| text.starts_with(&label))
    {
        words.push(format!(
            "in a text of the user that begins with \"{}\"",
            label.trim_end()
        ));
    }
    let here = &found.spot.path;
    let mut others = Vec::new();
    let places = located.blocks.iter().zip(&located.notices).enumerate();
    for (at, (other, notice)) in places.filter(|&(at, _)| at != index) {
        let block = at + 1;
        let moved = other.as_ref().and_then(|other| other.notice.as_ref());
        if moved
            .or(notice.as_ref().map(|(_, spot)| spot))
            .is_some_and(|spot| spot.path == *here)
        {
            others.push(format!("the notice for block {block}"));
        } else if other.as_ref().is_some_and(|other| other.spot.path == *here) {
            others.push(format!("block {block}"));
        }
    }
    if !others.is_empty() {
        words.push(format!(
            "joined with \"\\n\" into one string with {}",
            listed(&others)
        ));
    }
    words
}

/// Media that is carried.
fn media_words(
    block: &Carried,
    fate: Fate,
    found: &Found<'_>,
    wire: &Value,
    behaviour: Option<&Behaviour>,
) -> Vec<String> {
    let mut words = Vec::new();
    if fate == Fate::Moved {
        let place = if behaviour.is_some_and(|behaviour| !behaviour.tools) {
            "beside the result's text, which holds"
        } else {
            "to the user's message after the result, which holds"
        };
        words.push(format!("{place} \"{IMAGE_ATTACHED}\""));
    }
    if let Some(mismatch) = &block.mismatch {
        words.push(mismatch.to_string());
    }
    if let ToolResultContent::Image(image) = &block.rig
        && let Some(detail) = image.detail
    {
        let pointer = found.spot.pointer();
        let holder = pointer
            .rsplit_once('/')
            .and_then(|(holder, _)| wire.pointer(holder));
        if holder.and_then(|holder| holder.get("detail")).is_none() {
            words.push(format!(
                "without its detail setting, {}",
                detail_name(detail)
            ));
        }
    }
    words
}

const fn detail_name(detail: ImageDetail) -> &'static str {
    match detail {
        ImageDetail::Low => "low",
        ImageDetail::High => "high",
        ImageDetail::Auto => "auto",
    }
}

/// A block that the wire does not hold.
fn lost_words(
    block: &Carried,
    notice: Option<&(&'static str, Spot<'_>)>,
    wire: &Value,
    behaviour: Option<&Behaviour>,
) -> Vec<String> {
    let mut words = Vec::new();
    if let (ToolResultContent::Image(image), Some(behaviour)) = (&block.rig, behaviour) {
        words.extend(image_words(image, behaviour));
    }
    if let Some((notice, _)) = notice {
        words.push(format!("in its place: \"{notice}\""));
    } else if let Facts::Text(text) = &block.facts
        && text.trim().is_empty()
    {
        let notice = [NO_OUTPUT_ERROR, NO_OUTPUT]
            .into_iter()
            .find(|notice| holds(wire, notice));
        words.push(match notice {
            Some(notice) => format!("blank; in its place: \"{notice}\""),
            None => "blank text is left out".to_owned(),
        });
    }
    words
}

/// Whether a string of the wire ends with the text. Asked of blank results only, whose wire is small.
fn holds(node: &Value, text: &str) -> bool {
    match node {
        Value::String(string) => string.ends_with(text),
        Value::Array(items) => items.iter().any(|item| holds(item, text)),
        Value::Object(fields) => fields.values().any(|value| holds(value, text)),
        _ => false,
    }
}

/// Why an image goes nowhere; none where its form and type are no reason. rig's notice says that the
/// model reads no images, whatever the reason.
fn image_words(image: &Image, behaviour: &Behaviour) -> Option<String> {
    // What the result takes, a user message takes too, and then some.
    let Some(forms) = behaviour.user.as_ref().or(behaviour.result.as_ref()) else {
        return Some("this model is taken to read no images".to_owned());
    };
    let (form, types) = match &image.data {
        DocumentSourceKind::Url(_) => ("at an address", &forms.url),
        DocumentSourceKind::FileId(_) => {
            return (!forms.file_id).then(|| "this wire takes no file ids".to_owned());
        }
        DocumentSourceKind::String(_) => ("from a string", &forms.string),
        DocumentSourceKind::Unknown => {
            return Some("the recording does not hold the image".to_owned());
        }
        DocumentSourceKind::Base64(_) => ("as data", &forms.base64),
        // Sent as base64, so never asked for.
        DocumentSourceKind::Raw(_) => ("as bytes", &forms.base64),
    };
    if types.is_empty() {
        return Some(format!("this wire takes no image {form}"));
    }
    if types.hold(image.media_type) {
        return None;
    }
    Some(match image.media_type {
        None => format!(
            "this wire takes an image {form} only with its type, which is not declared{}",
            unknown(image)
        ),
        Some(kind) => {
            let names: Vec<String> = types
                .listed
                .iter()
                .map(|kind| type_name(*kind).to_owned())
                .collect();
            format!(
                "this wire takes {}, and the block says {}",
                listed(&names),
                type_name(kind)
            )
        }
    })
}

fn unknown(image: &Image) -> &'static str {
    match image.data {
        DocumentSourceKind::Base64(_) | DocumentSourceKind::Raw(_) => {
            " and not plain from its first bytes"
        }
        _ => "",
    }
}

fn type_name(kind: ImageMediaType) -> &'static str {
    let name = kind.to_mime_type().trim_start_matches("image/");
    name.strip_suffix("+xml").unwrap_or(name)
}

/// `1, 2 and 3`.
fn listed(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}
