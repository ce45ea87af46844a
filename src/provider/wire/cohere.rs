//! Cohere Chat v2.

use serde_json::{Value, json};

use crate::provider::adapt::{Content, Part};
use crate::tool::rig::{DocumentSourceKind, Image};

use super::{Encoded, mime, text_part, unsendable};

pub(super) fn encode(messages: Vec<Vec<Part<'_>>>) -> Result<Encoded, String> {
    let mut out = Vec::new();
    for parts in messages {
        let mut content = Vec::new();
        for part in parts {
            match part {
                Part::Text(text) => content.push(text_part(&text)),
                Part::Image(picture) => content.push(image(&picture)?),
                Part::Result(result) => {
                    let parts: Vec<Value> = result
                        .content
                        .iter()
                        .filter_map(Content::as_text)
                        .map(text_part)
                        .collect();
                    out.push(
                        json!({"role": "tool", "tool_call_id": result.call_id, "content": parts}),
                    );
                }
            }
        }
        if !content.is_empty() {
            out.push(json!({"role": "user", "content": content}));
        }
    }
    Ok(Encoded {
        messages: out,
        result: Some(&[]),
    })
}

fn image(image: &Image) -> Result<Value, String> {
    let url = match (&image.data, mime(image)) {
        (DocumentSourceKind::Url(url), _) => url.clone(),
        (DocumentSourceKind::Base64(data), Some(mime)) => format!("data:{mime};base64,{data}"),
        _ => return Err(unsendable("Cohere chat")),
    };
    Ok(json!({"type": "image_url", "image_url": {"url": url}}))
}
