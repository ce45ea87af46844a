//! What a reader should know of a block's fate, in plain words.

use serde_json::Value;

use crate::tool::rig::{DocumentSourceKind, Image, ToolResultContent};

use super::Fate;
use super::adapt::{IMAGE_ATTACHED, NO_OUTPUT, NO_OUTPUT_ERROR};
use super::catalog::{Behaviour, ImageForms, Types};
use super::search::{Found, How, Located};
use super::subject::{Facts, Stand, Subject};

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
            found_words(&block.facts, fate, found, index, located, wire, &mut words);
        }
        None => lost_words(index, subject, located, wire, behaviour, &mut words),
    }
    (!words.is_empty()).then(|| words.join("; "))
}

fn found_words(
    facts: &Facts,
    fate: Fate,
    found: &Found<'_>,
    index: usize,
    located: &Located<'_>,
    wire: &Value,
    words: &mut Vec<String>,
) {
    let is_json = matches!(facts, Facts::Json(_));
    match found.how {
        How::Value => match found.node {
            Value::String(_) => words.push("a bare string: reads the same as text".to_owned()),
            _ if found.spot.key() == Some("result") && is_wrapped(found, wire) => {
                words.push("inside {\"result\": …}: this field takes objects only".to_owned());
            }
            _ => {}
        },
        How::Whole if is_json => words.push("as its compact JSON, a string".to_owned()),
        How::Whole => {}
        How::Lines => {
            if is_json {
                words.push("as its compact JSON".to_owned());
            }
            words.push(joined_words(index, found, located));
        }
        How::Escaped => {
            words.push(
                "inside JSON that is a string itself, with the error flag beside it".to_owned(),
            );
        }
        How::Media if fate == Fate::Moved => {
            let place = match &found.notice {
                Some(_) => format!("; in its place: \"{IMAGE_ATTACHED}\""),
                None => String::new(),
            };
            words.push(format!("to the user's message after the result{place}"));
        }
        How::Media => {}
    }
}

/// The value is the only field of an object that is no field of the provider's own.
fn is_wrapped(found: &Found<'_>, wire: &Value) -> bool {
    let pointer = found.spot.pointer();
    let parent = pointer.strip_suffix("/result").unwrap_or_default();
    let (above, key) = parent.rsplit_once('/').unwrap_or_default();
    let only = wire
        .pointer(parent)
        .and_then(Value::as_object)
        .is_some_and(|fields| fields.len() == 1);
    only && (key == "json" || (key == "result" && wire.pointer(above).is_some()))
}

fn joined_words(index: usize, found: &Found<'_>, located: &Located<'_>) -> String {
    let same = |other: &Option<Found<'_>>| {
        other.as_ref().is_some_and(|other| {
            let spot = other.notice.as_ref().unwrap_or(&other.spot);
            spot.path == found.spot.path
        })
    };
    let others: Vec<String> = located
        .blocks
        .iter()
        .enumerate()
        .filter(|&(at, other)| at != index && same(other))
        .map(|(at, other)| match other {
            Some(Found {
                notice: Some(_), ..
            }) => format!("the notice for {}", at + 1),
            _ => (at + 1).to_string(),
        })
        .collect();
    if others.is_empty() {
        "in one string with a notice or label of the sender".to_owned()
    } else {
        format!(
            "joined with \"\\n\" into one string with {}",
            listed(&others)
        )
    }
}

fn lost_words(
    index: usize,
    subject: &Subject,
    located: &Located<'_>,
    wire: &Value,
    behaviour: Option<&Behaviour>,
    words: &mut Vec<String>,
) {
    let Some(block) = subject.blocks.get(index) else {
        return;
    };
    if let ToolResultContent::Image(image) = &block.rig
        && let Some(behaviour) = behaviour
    {
        words.push(image_words(image, behaviour));
    }
    if let Some(Some((notice, _))) = located.notices.get(index) {
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
}

fn holds(node: &Value, text: &str) -> bool {
    match node {
        Value::String(string) => string.ends_with(text),
        Value::Array(items) => items.iter().any(|item| holds(item, text)),
        Value::Object(fields) => fields.values().any(|value| holds(value, text)),
        _ => false,
    }
}

/// Why an image goes nowhere. The notice says that the model reads no images, whatever the reason.
fn image_words(image: &Image, behaviour: &Behaviour) -> String {
    let forms = match (&behaviour.result, &behaviour.user) {
        (Some(forms), _) | (None, Some(forms)) => forms,
        (None, None) => return "this model is taken to read no images".to_owned(),
    };
    if !behaviour.tools && behaviour.user.is_some() {
        return "sent as text, where the result cannot hold it".to_owned();
    }
    let (form, types) = match &image.data {
        DocumentSourceKind::Url(_) => ("an address", &forms.url),
        DocumentSourceKind::FileId(_) => return "this wire takes no file ids".to_owned(),
        DocumentSourceKind::String(_) => ("a string", &forms.string),
        DocumentSourceKind::Unknown => return "the recording does not hold the image".to_owned(),
        DocumentSourceKind::Base64(_) | DocumentSourceKind::Raw(_) => ("data", &forms.base64),
    };
    if types.is_empty() {
        return format!("this wire takes no image from {form}");
    }
    match image.media_type {
        None => format!(
            "this wire takes an image from {form} only with its type, which is not declared{}",
            sniffing(image)
        ),
        Some(kind) => format!(
            "this wire takes {} here, and the block says {}",
            takes(forms, types),
            kind.to_mime_type().trim_start_matches("image/")
        ),
    }
}

fn sniffing(image: &Image) -> &'static str {
    match image.data {
        DocumentSourceKind::Base64(_) | DocumentSourceKind::Raw(_) => {
            " and not known from its first bytes"
        }
        _ => "",
    }
}

fn takes(_forms: &ImageForms, types: &Types) -> String {
    let names: Vec<String> = types
        .listed
        .iter()
        .map(|kind| kind.to_mime_type().trim_start_matches("image/").to_owned())
        .collect();
    listed(&names)
}

/// `1, 2 and 3`.
fn listed(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}
