//! Bedrock Converse.

use serde_json::{Value, json};

use crate::provider::adapt::{Content, Part};
use crate::provider::catalog::{Behaviour, Dialect};
use crate::tool::rig::{DocumentSourceKind, Image, ImageMediaType};

use super::{Encoded, object};

pub(super) fn encode(
    messages: Vec<Vec<Part<'_>>>,
    behaviour: &Behaviour,
) -> Result<Encoded, String> {
    let messages = messages
        .into_iter()
        .map(|parts| {
            let content: Vec<Value> = parts
                .into_iter()
                .map(|part| block(part, behaviour))
                .collect::<Result<_, _>>()?;
            Ok(json!({"role": "user", "content": content}))
        })
        .collect::<Result<_, String>>()?;
    Ok(Encoded {
        messages,
        result: Some(&["content", "0", "toolResult"]),
    })
}

fn block(part: Part<'_>, behaviour: &Behaviour) -> Result<Value, String> {
    match part {
        Part::Text(text) => Ok(json!({"text": text})),
        Part::Image(picture) => image(&picture),
        Part::Result(result) => {
            let content: Vec<Value> = result
                .content
                .iter()
                // Converse refuses blank text.
                .filter(|block| !matches!(block, Content::Text(text) if text.trim().is_empty()))
                .map(|block| match block {
                    Content::Text(text) => Ok(json!({"text": text})),
                    Content::Json(value @ Value::Object(_), _) => Ok(json!({"json": value})),
                    Content::Json(value, _) => Ok(json!({"json": {"result": value}})),
                    Content::Image(picture) => image(picture),
                })
                .collect::<Result<_, _>>()?;
            let failed = result.is_error && behaviour.is(Dialect::Status);
            let result = object([
                ("toolUseId", Some(result.call_id.into())),
                ("content", Some(content.into())),
                ("status", failed.then(|| "error".into())),
            ]);
            Ok(json!({"toolResult": result}))
        }
    }
}

fn image(image: &Image) -> Result<Value, String> {
    let format = match image.media_type {
        Some(ImageMediaType::PNG) => "png",
        Some(ImageMediaType::JPEG) => "jpeg",
        Some(ImageMediaType::GIF) => "gif",
        Some(ImageMediaType::WEBP) => "webp",
        _ => return Err("RequestError: Converse takes no media in this format".to_owned()),
    };
    let source = match &image.data {
        DocumentSourceKind::Base64(data) => json!({"bytes": data}),
        DocumentSourceKind::Url(url) if url.starts_with("s3://") => {
            json!({"s3Location": {"uri": url}})
        }
        other => {
            return Err(format!(
                "RequestError: Converse takes base64 data or an s3:// URL, not {other}"
            ));
        }
    };
    Ok(json!({"image": {"format": format, "source": source}}))
}
