//! Gemini Interactions: a result is a step.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};

use crate::provider::adapt::{Content, Part};
use crate::tool::rig::{DocumentSourceKind, Image};

use super::{Encoded, mime, object, text_part, unsendable};

pub(super) fn encode(messages: Vec<Vec<Part<'_>>>) -> Result<Encoded, String> {
    let mut steps = Vec::new();
    for parts in messages {
        let mut content = Vec::new();
        for part in parts {
            match part {
                Part::Text(text) => content.push(text_part(&text)),
                Part::Image(picture) => content.push(image(&picture)?),
                Part::Result(result) => steps.push(object([
                    ("type", Some("function_result".into())),
                    ("name", Some(result.name.into())),
                    ("call_id", Some(result.call_id.into())),
                    ("result", Some(value(&result.content)?)),
                    ("is_error", result.is_error.then_some(true.into())),
                ])),
            }
        }
        if !content.is_empty() {
            steps.push(json!({"type": "user_input", "content": content}));
        }
    }
    Ok(Encoded {
        messages: steps,
        result: Some(&[]),
    })
}

/// One text bare, one JSON value as an object or string, anything else as a list.
fn value(content: &[Content<'_>]) -> Result<Value, String> {
    match content {
        [Content::Text(text)] => Ok(text.as_ref().into()),
        [Content::Json(value @ (Value::String(_) | Value::Object(_)), _)] => Ok((*value).clone()),
        [Content::Json(value, _)] => Ok(json!({"result": value})),
        several => several
            .iter()
            .map(|block| match block {
                Content::Text(text) => Ok(text_part(text)),
                Content::Json(_, compact) => Ok(text_part(compact)),
                Content::Image(picture) => image(picture),
            })
            .collect(),
    }
}

fn image(image: &Image) -> Result<Value, String> {
    let mime = mime(image).ok_or_else(|| unsendable("Gemini Interactions"))?;
    let (key, place) = match &image.data {
        DocumentSourceKind::Url(url) => ("uri", url.clone()),
        DocumentSourceKind::Base64(data) => ("data", data.clone()),
        DocumentSourceKind::String(text) => ("data", BASE64_STANDARD.encode(text)),
        _ => return Err(unsendable("Gemini Interactions")),
    };
    Ok(json!({"type": "image", key: place, "mime_type": mime}))
}
