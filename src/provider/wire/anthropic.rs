//! Anthropic Messages.

use serde_json::{Value, json};

use crate::provider::adapt::{Content, Part};
use crate::tool::rig::{DocumentSourceKind, Image};

use super::{Encoded, mime, object, text_part, unsendable};

pub(super) fn encode(messages: Vec<Vec<Part<'_>>>) -> Result<Encoded, String> {
    let messages = messages
        .into_iter()
        .map(|parts| {
            let content: Vec<Value> = parts.into_iter().map(part).collect::<Result<_, _>>()?;
            Ok(json!({"role": "user", "content": content}))
        })
        .collect::<Result<_, String>>()?;
    Ok(Encoded {
        messages,
        result: Some(&["content", "0"]),
    })
}

fn part(part: Part<'_>) -> Result<Value, String> {
    match part {
        Part::Text(text) => Ok(text_part(&text)),
        Part::Image(picture) => image(&picture),
        Part::Result(result) => {
            let content: Vec<Value> = result
                .content
                .iter()
                .map(|block| match block {
                    Content::Text(text) => Ok(text_part(text)),
                    Content::Json(_, compact) => Ok(text_part(compact)),
                    Content::Image(picture) => image(picture),
                })
                .collect::<Result<_, _>>()?;
            Ok(object([
                ("type", Some("tool_result".into())),
                ("tool_use_id", Some(result.call_id.into())),
                ("content", Some(content.into())),
                ("is_error", result.is_error.then_some(true.into())),
            ]))
        }
    }
}

fn image(image: &Image) -> Result<Value, String> {
    let source = match (&image.data, mime(image)) {
        (DocumentSourceKind::Base64(data), Some(mime)) => {
            json!({"type": "base64", "media_type": mime, "data": data})
        }
        (DocumentSourceKind::Url(url), _) => json!({"type": "url", "url": url}),
        (DocumentSourceKind::FileId(id), _) => json!({"type": "file", "file_id": id}),
        _ => return Err(unsendable("Anthropic")),
    };
    Ok(json!({"type": "image", "source": source}))
}
