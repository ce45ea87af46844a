//! OpenAI Responses: every part of the user is an item of its own.

use serde_json::{Value, json};

use crate::provider::adapt::{Content, Part};
use crate::tool::rig::{DocumentSourceKind, Image};

use super::{Encoded, mime, unsendable};

pub(super) fn encode(messages: Vec<Vec<Part<'_>>>) -> Result<Encoded, String> {
    let mut items = Vec::new();
    for part in messages.into_iter().flatten() {
        items.push(match part {
            Part::Text(text) => user_item(&text_part(&text)),
            Part::Image(picture) => user_item(&image(&picture)?),
            Part::Result(result) => json!({
                "type": "function_call_output",
                "call_id": result.call_id,
                "output": output(&result.content)?,
                "status": "completed",
            }),
        });
    }
    Ok(Encoded {
        messages: items,
        result: Some(&[]),
    })
}

fn user_item(part: &Value) -> Value {
    json!({"type": "message", "role": "user", "content": [part]})
}

fn text_part(text: &str) -> Value {
    json!({"type": "input_text", "text": text})
}

/// One text as a string, anything else as parts.
fn output(content: &[Content<'_>]) -> Result<Value, String> {
    if let [only] = content
        && let Some(text) = only.as_text()
    {
        return Ok(text.into());
    }
    let parts: Vec<Value> = content
        .iter()
        .map(|block| match block {
            Content::Text(text) => Ok(text_part(text)),
            Content::Json(_, compact) => Ok(text_part(compact)),
            Content::Image(picture) => image(picture),
        })
        .collect::<Result<_, _>>()?;
    Ok(parts.into())
}

fn image(image: &Image) -> Result<Value, String> {
    let detail = image.detail.unwrap_or_default();
    let (key, place) = match (&image.data, mime(image)) {
        (DocumentSourceKind::Url(url), _) => ("image_url", url.clone()),
        (DocumentSourceKind::Base64(data), Some(mime)) => {
            ("image_url", format!("data:{mime};base64,{data}"))
        }
        (DocumentSourceKind::FileId(id), _) => ("file_id", id.clone()),
        _ => return Err(unsendable("the Responses API")),
    };
    Ok(json!({"type": "input_image", "detail": detail, key: place}))
}
