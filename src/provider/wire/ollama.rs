//! Ollama's own chat: one string per message, images beside it as bare base64.

use serde_json::{Value, json};

use crate::provider::adapt::{Content, Part};
use crate::tool::rig::DocumentSourceKind;

use super::{Encoded, object, unsendable};

pub(super) fn encode(messages: Vec<Vec<Part<'_>>>) -> Result<Encoded, String> {
    let mut out = Vec::new();
    for parts in messages {
        let (mut texts, mut images) = (Vec::new(), Vec::<Value>::new());
        for part in parts {
            match part {
                Part::Text(text) => texts.push(text.into_owned()),
                Part::Image(picture) => match &picture.data {
                    DocumentSourceKind::Base64(data) => images.push(data.clone().into()),
                    _ => return Err(unsendable("Ollama chat")),
                },
                Part::Result(result) => {
                    let texts: Vec<&str> =
                        result.content.iter().filter_map(Content::as_text).collect();
                    out.push(json!({
                        "role": "tool",
                        "content": texts.join("\n"),
                        "tool_name": result.name,
                        "tool_call_id": result.call_id,
                    }));
                }
            }
        }
        if !texts.is_empty() || !images.is_empty() {
            out.push(object([
                ("role", Some("user".into())),
                ("content", Some(texts.join("\n").into())),
                ("images", (!images.is_empty()).then(|| images.into())),
            ]));
        }
    }
    Ok(Encoded {
        messages: out,
        result: Some(&[]),
    })
}
