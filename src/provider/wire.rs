//! rig's second step: the provider's own JSON, one file per wire shape.

mod anthropic;
mod bedrock;
mod cohere;
mod gemini;
mod gemini_interactions;
mod ollama;
mod openai_chat;
mod openai_responses;

use serde_json::{Map, Value, json};

use super::adapt::adapt;
use super::catalog::{Shape, Target};
use super::subject::Subject;
use crate::tool::rig::{Image, ImageMediaType};

/// A request's messages that carry the output.
#[derive(Debug)]
pub(super) struct Encoded {
    /// The messages, in the provider's own shape.
    pub(super) messages: Vec<Value>,
    /// Where the tool result itself is, as the keys from the first message on; none where it is sent
    /// as a text of the user.
    pub(super) result: Option<&'static [&'static str]>,
}

/// The messages that rig sends, or the error that it fails with.
pub(super) fn encode(subject: &Subject, target: &Target) -> Result<Encoded, String> {
    let behaviour = target.behaviour();
    let messages = adapt(subject, behaviour);
    let mut encoded = match behaviour.shape {
        Shape::Anthropic => anthropic::encode(messages),
        Shape::OpenaiChat => openai_chat::encode(messages, behaviour),
        Shape::OpenaiResponses => openai_responses::encode(messages),
        Shape::Cohere => cohere::encode(messages),
        Shape::Ollama => ollama::encode(messages),
        Shape::Gemini => gemini::encode(messages, behaviour, gemini::Route::Rest),
        Shape::GeminiGrpc => gemini::encode(messages, behaviour, gemini::Route::Grpc),
        Shape::Vertex => gemini::encode(messages, behaviour, gemini::Route::Vertex),
        Shape::GeminiInteractions => gemini_interactions::encode(messages),
        Shape::Bedrock => bedrock::encode(messages, behaviour),
    }?;
    if !behaviour.tools {
        encoded.result = None;
    }
    Ok(encoded)
}

/// The fields that are there, in order.
fn object<const N: usize>(fields: [(&str, Option<Value>); N]) -> Value {
    let present = fields
        .into_iter()
        .filter_map(|(key, value)| Some((key.to_owned(), value?)));
    Value::Object(present.collect::<Map<_, _>>())
}

fn mime(image: &Image) -> Option<&'static str> {
    image.media_type.map(ImageMediaType::to_mime_type)
}

/// A text part as most shapes write it.
fn text_part(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

/// An image that the first step leaves in place although the shape has no form for it; the table of
/// what a wire carries and the shape disagree.
fn unsendable(shape: &str) -> String {
    format!("RequestError: {shape} cannot carry this image in its form")
}
