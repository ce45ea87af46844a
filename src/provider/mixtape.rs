//! mixtape-core 0.5: one payload per result, written by an adapter that looks at no model.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::tool::mixtape::{DocumentFormat, ImageFormat, ToolResult};

use super::catalog;
use super::subject::Subject;
use super::wire::Encoded;

/// mixtape's adapters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Adapter {
    /// Anthropic Messages.
    Anthropic,
    /// Bedrock Converse.
    BedrockConverse,
    /// Chat Completions on Bedrock.
    BedrockChat,
    /// Responses on Bedrock.
    BedrockResponses,
}

/// The adapter that a provider name means, and the provider's own name.
pub(super) fn adapter(name: &str) -> Option<(Adapter, &'static str)> {
    catalog::mixtape_target(name).map(|target| (target.adapter, target.name.as_str()))
}

/// The message that mixtape sends, or the error that it fails with.
pub(super) fn encode(subject: &Subject, adapter: Adapter) -> Result<Encoded, String> {
    let payload = subject.payload.as_ref().map_err(Clone::clone)?;
    let call_id = subject.call_id.as_deref().unwrap_or_default();
    match adapter {
        Adapter::Anthropic => Ok(anthropic(payload, call_id, subject.is_error)),
        Adapter::BedrockConverse => Ok(converse(payload, call_id, subject.is_error)),
        Adapter::BedrockChat => {
            if call_id.is_empty() {
                return Err(configuration("Tool results require a tool call ID"));
            }
            let refusal = "Image and document tool results are not supported by this Chat Completions adapter";
            let content =
                in_band(payload, subject.is_error).ok_or_else(|| configuration(refusal))?;
            let message = json!({"role": "tool", "tool_call_id": call_id, "content": content});
            Ok(Encoded {
                messages: vec![message],
                result: Some(&[]),
            })
        }
        Adapter::BedrockResponses => {
            if call_id.is_empty() {
                return Err(configuration("Responses tool results require a call ID"));
            }
            let refusal = "Binary tool results are not supported by this Responses adapter";
            let output =
                in_band(payload, subject.is_error).ok_or_else(|| configuration(refusal))?;
            let item =
                json!({"type": "function_call_output", "call_id": call_id, "output": output});
            Ok(Encoded {
                messages: vec![item],
                result: Some(&[]),
            })
        }
    }
}

fn configuration(reason: &str) -> String {
    format!("Invalid configuration: {reason}")
}

/// The text of a payload, which says itself that it is an error.
fn in_band(payload: &ToolResult, is_error: bool) -> Option<String> {
    let text = match payload {
        ToolResult::Text(text) => text.clone(),
        ToolResult::Json(value) => value.to_string(),
        ToolResult::Image { .. } | ToolResult::Document { .. } => return None,
    };
    Some(if is_error {
        json!({"content": text, "is_error": true}).to_string()
    } else {
        text
    })
}

fn anthropic(payload: &ToolResult, call_id: &str, is_error: bool) -> Encoded {
    let block = match payload {
        ToolResult::Text(text) => json!({"type": "text", "text": text}),
        ToolResult::Json(value) => json!({"type": "text", "text": value.to_string()}),
        ToolResult::Image { format, data } => json!({
            "type": "image",
            "source": {"type": "base64", "media_type": image_type(*format), "data": BASE64_STANDARD.encode(data)},
        }),
        ToolResult::Document { format, data, name } => {
            let source = json!({"type": "base64", "media_type": document_type(*format), "data": BASE64_STANDARD.encode(data)});
            match name {
                None => json!({"type": "document", "source": source}),
                Some(name) => json!({"type": "document", "source": source, "title": name}),
            }
        }
    };
    let result = json!({"type": "tool_result", "tool_use_id": call_id, "content": [block], "is_error": is_error});
    Encoded {
        messages: vec![json!({"role": "user", "content": [result]})],
        result: Some(&["content", "0"]),
    }
}

fn converse(payload: &ToolResult, call_id: &str, is_error: bool) -> Encoded {
    let block = match payload {
        ToolResult::Text(text) => json!({"text": text}),
        ToolResult::Json(value) => json!({"json": value}),
        ToolResult::Image { format, data } => {
            json!({"image": {"format": format, "source": {"bytes": BASE64_STANDARD.encode(data)}}})
        }
        ToolResult::Document { format, data, name } => json!({"document": {
            "format": format,
            "name": name.as_deref().unwrap_or("document"),
            "source": {"bytes": BASE64_STANDARD.encode(data)},
        }}),
    };
    let status = if is_error { "error" } else { "success" };
    let result = json!({"toolUseId": call_id, "content": [block], "status": status});
    let message: Value = json!({"role": "user", "content": [{"toolResult": result}]});
    Encoded {
        messages: vec![message],
        result: Some(&["content", "0", "toolResult"]),
    }
}

const fn image_type(format: ImageFormat) -> &'static str {
    match format {
        ImageFormat::Png => "image/png",
        ImageFormat::Jpeg => "image/jpeg",
        ImageFormat::Gif => "image/gif",
        ImageFormat::Webp => "image/webp",
    }
}

const fn document_type(format: DocumentFormat) -> &'static str {
    match format {
        DocumentFormat::Pdf => "application/pdf",
        DocumentFormat::Csv => "text/csv",
        DocumentFormat::Doc => "application/msword",
        DocumentFormat::Docx => {
            "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
        }
        DocumentFormat::Html => "text/html",
        DocumentFormat::Md => "text/markdown",
        DocumentFormat::Txt => "text/plain",
        DocumentFormat::Xls => "application/vnd.ms-excel",
        DocumentFormat::Xlsx => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    }
}
