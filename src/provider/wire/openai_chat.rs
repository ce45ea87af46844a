//! OpenAI Chat Completions and everything that speaks it.

use serde_json::{Value, json};

use crate::provider::adapt::{Content, Part, ResultPart};
use crate::provider::catalog::{Behaviour, Dialect};
use crate::tool::rig::{DocumentSourceKind, Image, ImageDetail};

use super::{Encoded, mime, object, text_part, unsendable};

pub(super) fn encode(
    messages: Vec<Vec<Part<'_>>>,
    behaviour: &Behaviour,
) -> Result<Encoded, String> {
    let mut out = Vec::new();
    for parts in messages {
        let mut content = Vec::new();
        for part in parts {
            match part {
                Part::Text(text) => content.push(text_part(&text)),
                Part::Image(picture) => {
                    let detail = picture.detail.unwrap_or_default();
                    content.push(image(&picture, Some(detail))?);
                }
                Part::Result(result) => {
                    out.push(tool_message(&result, behaviour.is(Dialect::Array))?);
                }
            }
        }
        // A lone text is sent as a string.
        match content.as_mut_slice() {
            [] => {}
            [only] if only["type"] == "text" => {
                out.push(json!({"role": "user", "content": only["text"].take()}));
            }
            _ => out.push(json!({"role": "user", "content": content})),
        }
    }
    Ok(Encoded {
        messages: out,
        result: Some(&[]),
    })
}

fn tool_message(result: &ResultPart<'_>, array: bool) -> Result<Value, String> {
    let has_images = result
        .content
        .iter()
        .any(|block| matches!(block, Content::Image(_)));
    let content = if array || has_images {
        let parts: Vec<Value> = result
            .content
            .iter()
            .map(|block| match block {
                Content::Text(text) => Ok(text_part(text)),
                Content::Json(_, compact) => Ok(text_part(compact)),
                // In a result the detail is sent only where one is set.
                Content::Image(picture) => image(picture, picture.detail),
            })
            .collect::<Result<_, _>>()?;
        Value::from(parts)
    } else {
        let texts: Vec<&str> = result.content.iter().filter_map(Content::as_text).collect();
        Value::from(texts.join("\n"))
    };
    Ok(json!({"role": "tool", "tool_call_id": result.call_id, "content": content}))
}

fn image(image: &Image, detail: Option<ImageDetail>) -> Result<Value, String> {
    let url = match (&image.data, mime(image)) {
        (DocumentSourceKind::Url(url), _) => url.clone(),
        (DocumentSourceKind::Base64(data), Some(mime)) => format!("data:{mime};base64,{data}"),
        _ => return Err(unsendable("Chat Completions")),
    };
    let url = object([
        ("url", Some(url.into())),
        ("detail", detail.map(|detail| json!(detail))),
    ]);
    Ok(json!({"type": "image_url", "image_url": url}))
}
