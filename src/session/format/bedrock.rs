//! Bedrock Converse: requests, responses and invocation logs.
//!
//! Blocks are told by their only key. The wire's own `{"result": v}` around a JSON value that is no
//! object is taken off.

use crate::json::View;
use crate::session::block::BlockKind;
use crate::session::event::Role;
use crate::session::part::{CacheRule, Content, LazyOutput, Part};
use crate::session::piece::{MediaPiece, Piece, PieceSource};

use super::body::{self, Unit};
use super::{Format, Place};

/// The reader of Bedrock bodies.
#[derive(Debug)]
pub(in crate::session) struct Bedrock;

impl Format for Bedrock {
    fn read<'a>(&self, record: View<'a>, place: Place, each: &mut dyn FnMut(Part<'a>)) {
        body::walk(record, place, &mut |unit| match unit {
            Unit::System(prompt) => each(Part::system(prompt, "system")),
            Unit::Message(message) => read_message(message, each),
            Unit::Other(value) => each(Part::unknown(value)),
        });
    }

    fn is_conversation(&self, record: View<'_>) -> bool {
        body::is_conversation(record)
    }
}

fn read_message<'a>(message: View<'a>, each: &mut dyn FnMut(Part<'a>)) {
    let [role, content] = message.fields(["role", "content"]);
    let role = match role.and_then(|role| role.text()).as_deref() {
        Some("assistant") => Role::Assistant,
        _ => Role::User,
    };
    match content {
        Some(content) if content.is_array() => {
            let mut empty = true;
            for block in content.items() {
                empty = false;
                each(read_block(block, role));
            }
            if empty {
                each(Part::message(role, message, Content::empty()));
            }
        }
        Some(content) if content.is_string() => {
            each(Part::message(
                role,
                message,
                Content::One(Piece::Text(content)),
            ));
        }
        _ => each(Part::message(role, message, Content::empty())),
    }
}

fn read_block(block: View<'_>, role: Role) -> Part<'_> {
    let [call, result, reasoning, cache_point] =
        block.fields(["toolUse", "toolResult", "reasoningContent", "cachePoint"]);
    if let Some(call) = call {
        let [id, name, input, kind] = call.fields(["toolUseId", "name", "input", "type"]);
        let mut part = Part::call(block, name, id, input);
        part.server = kind.is_some();
        part.counted = true;
        return part;
    }
    if let Some(result) = result {
        let [id, content, status, kind] = result.fields(["toolUseId", "content", "status", "type"]);
        let content = Content::Views {
            read: result_pieces,
            views: [content, None],
        };
        let mut part = Part::output(block, id, LazyOutput::request(content, CacheRule::Value));
        part.is_error = status.is_some_and(|status| status.is_text("error"));
        part.server = kind.is_some();
        part.counted = true;
        return part;
    }
    if let Some(reasoning) = reasoning {
        let text = reasoning
            .get("reasoningText")
            .and_then(|text| text.get("text"));
        return Part::thinking(block, text);
    }
    if cache_point.is_some() {
        return Part::system(block, "cachePoint");
    }
    Part::message(role, block, Content::One(piece(block)))
}

fn result_pieces<'a>([content, _]: [Option<View<'a>>; 2], out: &mut Vec<Piece<'a>>) {
    let Some(content) = content else { return };
    if content.is_array() {
        out.extend(content.items().map(piece));
    } else if !content.is_null() {
        out.push(Piece::text_or_json(content));
    }
}

/// One block, told by its key.
fn piece(block: View<'_>) -> Piece<'_> {
    let [text, json, image, document, video, audio] =
        block.fields(["text", "json", "image", "document", "video", "audio"]);
    if let Some(text) = text.filter(View::is_string) {
        return Piece::Text(text);
    }
    if let Some(json) = json {
        let mut entries = json.entries();
        return match (entries.next(), entries.next()) {
            (Some((key, value)), None) if key.is_text("result") => Piece::Json(value),
            _ => Piece::Json(json),
        };
    }
    let media = [
        (image, BlockKind::Image),
        (document, BlockKind::Document),
        (video, BlockKind::Video),
        (audio, BlockKind::Audio),
    ];
    for (media, kind) in media {
        if let Some(media) = media.filter(View::is_object) {
            return read_media(block, media, kind);
        }
    }
    if block.is_string() {
        return Piece::Text(block);
    }
    Piece::Unknown(block)
}

fn read_media<'a>(block: View<'a>, media: View<'a>, kind: BlockKind) -> Piece<'a> {
    let [format, name, source] = media.fields(["format", "name", "source"]);
    let Some(source) = source else {
        return Piece::Unknown(block);
    };
    let [bytes, text, s3, uri] = source.fields(["bytes", "text", "s3Location", "uri"]);
    let source = match (bytes, text, s3.and_then(|s3| s3.get("uri")).or(uri)) {
        (Some(bytes), ..) if bytes.is_string() => PieceSource::Base64(bytes),
        (Some(bytes), ..) if bytes.is_array() => PieceSource::Bytes(bytes),
        (_, Some(text), _) if text.is_string() => PieceSource::Text(text),
        (.., Some(uri)) if uri.is_string() => PieceSource::Url(uri),
        _ => return Piece::Unknown(block),
    };
    Piece::Media(
        MediaPiece::new(kind, source)
            .declared(format.filter(View::is_string))
            .named(name.filter(View::is_string)),
    )
}
