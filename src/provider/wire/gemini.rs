//! Gemini generateContent: by REST, by gRPC and on Vertex AI.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};

use crate::provider::adapt::{Content, Part, ResultPart};
use crate::provider::catalog::{Behaviour, Dialect};
use crate::tool::rig::{DocumentSourceKind, Image};

use super::{Encoded, mime, object, unsendable};

/// Which client of rig writes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Route {
    Rest,
    Grpc,
    Vertex,
}

pub(super) fn encode(
    messages: Vec<Vec<Part<'_>>>,
    behaviour: &Behaviour,
    route: Route,
) -> Result<Encoded, String> {
    let with_ids = behaviour.is(Dialect::Ids);
    let messages = messages
        .into_iter()
        .map(|parts| {
            let parts: Vec<Value> = parts
                .into_iter()
                .map(|part| {
                    let body = match part {
                        Part::Text(text) => json!({"text": text}),
                        Part::Image(picture) => media(&picture, route)?,
                        Part::Result(result) => response(result, with_ids, route)?,
                    };
                    Ok(finished(body, route))
                })
                .collect::<Result<_, String>>()?;
            Ok(match route {
                Route::Vertex => json!({"role": "user", "parts": parts}),
                Route::Rest | Route::Grpc => json!({"parts": parts, "role": "user"}),
            })
        })
        .collect::<Result<_, String>>()?;
    Ok(Encoded {
        messages,
        result: Some(&["parts", "0", "functionResponse"]),
    })
}

/// REST says of every part that it is no thought.
fn finished(mut part: Value, route: Route) -> Value {
    if route == Route::Rest
        && let Some(fields) = part.as_object_mut()
    {
        fields.insert("thought".to_owned(), false.into());
    }
    part
}

fn response(result: ResultPart<'_>, with_ids: bool, route: Route) -> Result<Value, String> {
    let (mut values, mut parts) = (Vec::new(), Vec::new());
    for block in &result.content {
        match block {
            Content::Text(text) => values.push(Value::from(text.as_ref())),
            Content::Json(value, _) => values.push((*value).clone()),
            Content::Image(picture) => parts.push(media(picture, route)?),
        }
    }
    let key = if result.is_error { "error" } else { "result" };
    let mut response = match values.len() {
        0 => None,
        1 => values.pop().map(|only| json!({key: only})),
        _ => Some(json!({key: values})),
    };
    // Vertex needs a response, so it points to the images, which have names then.
    if route == Route::Vertex && response.is_none() {
        response = Some(named(&mut parts));
    }
    let name = Some(Value::from(result.name));
    let id = with_ids.then(|| Value::from(result.call_id));
    let parts = (!parts.is_empty()).then(|| Value::from(parts));
    let body = match route {
        Route::Rest => object([
            ("name", name),
            ("id", id),
            ("response", response),
            ("parts", parts),
        ]),
        Route::Grpc => object([
            ("name", name),
            ("response", response),
            ("id", id),
            ("parts", parts),
        ]),
        Route::Vertex => object([
            ("name", name),
            ("response", response),
            ("parts", parts),
            ("id", id),
        ]),
    };
    Ok(json!({"functionResponse": body}))
}

/// Gives each image a name and refers to it; one is referred to bare, several in a list.
fn named(parts: &mut [Value]) -> Value {
    let mut references = Vec::new();
    for (index, part) in parts.iter_mut().enumerate() {
        let name = format!("rig_tool_result_image_{index}");
        if let Some(data) = part
            .as_object_mut()
            .and_then(|part| part.values_mut().next())
            && let Some(fields) = data.as_object_mut()
        {
            fields.insert("displayName".to_owned(), name.clone().into());
        }
        references.push(json!({"$ref": name}));
    }
    if references.len() == 1 {
        json!({"output": references.pop()})
    } else {
        json!({"output": references})
    }
}

fn media(image: &Image, route: Route) -> Result<Value, String> {
    let mime = mime(image).ok_or_else(|| unsendable("Gemini"))?;
    match &image.data {
        DocumentSourceKind::Url(url) => Ok(json!({"fileData": {"mimeType": mime, "fileUri": url}})),
        // A text source is sent as if it were base64.
        DocumentSourceKind::Base64(data) | DocumentSourceKind::String(data) => {
            if route != Route::Rest {
                is_base64(data, route)?;
            }
            Ok(json!({"inlineData": {"mimeType": mime, "data": data}}))
        }
        _ => Err(unsendable("Gemini")),
    }
}

/// gRPC and Vertex send bytes, and fail over a text that is no base64.
fn is_base64(data: &str, route: Route) -> Result<(), String> {
    BASE64_STANDARD
        .decode(data)
        .map(drop)
        .map_err(|error| match route {
            Route::Grpc => {
                format!(
                    "RequestError: JSON is not a Gemini protobuf message: invalid base64: {error}"
                )
            }
            Route::Rest | Route::Vertex => format!("RequestError: {error}"),
        })
}
