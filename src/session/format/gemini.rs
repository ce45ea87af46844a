//! Gemini generateContent: requests and responses, in camel and in snake case.
//!
//! Calls often have no id, so that answers are paired by order and name. The wire's own
//! `{"result": v}` around a value is taken off.

use crate::json::View;
use crate::session::block::BlockKind;
use crate::session::event::Role;
use crate::session::part::{CacheRule, Content, LazyOutput, Part};
use crate::session::piece::{MediaPiece, Piece, PieceSource};

use super::body::{self, Unit};
use super::{Format, Place};

/// The reader of Gemini bodies.
#[derive(Debug)]
pub(in crate::session) struct Gemini;

impl Format for Gemini {
    fn read<'a>(&self, record: View<'a>, place: Place, each: &mut dyn FnMut(Part<'a>)) {
        body::walk(record, place, &mut |unit| match unit {
            Unit::System(prompt) => each(Part::system(prompt, "system")),
            Unit::Message(content) => read_content(content, each),
            Unit::Other(value) => each(Part::unknown(value)),
        });
    }

    fn is_conversation(&self, record: View<'_>) -> bool {
        record.get("parts").is_none() && body::is_conversation(record)
    }
}

fn read_content<'a>(content: View<'a>, each: &mut dyn FnMut(Part<'a>)) {
    if content.is_string() {
        let piece = Content::One(Piece::Text(content));
        each(Part::message(Role::User, content, piece));
        return;
    }
    let [role, parts] = content.fields(["role", "parts"]);
    let role = match role.and_then(|role| role.text()).as_deref() {
        Some("model") => Role::Assistant,
        Some("system") => Role::System,
        _ => Role::User,
    };
    let mut empty = true;
    for part in parts.into_iter().flat_map(|parts| parts.items()) {
        empty = false;
        each(read_part(part, role));
    }
    if empty {
        each(Part::message(role, content, Content::empty()));
    }
}

fn read_part(part: View<'_>, role: Role) -> Part<'_> {
    let [call, snake_call, response, snake_response] = part.fields([
        "functionCall",
        "function_call",
        "functionResponse",
        "function_response",
    ]);
    if let Some(call) = call.or(snake_call).filter(View::is_object) {
        let [id, name, args] = call.fields(["id", "name", "args"]);
        return Part::call(part, name, id, args);
    }
    if let Some(response) = response.or(snake_response).filter(View::is_object) {
        return output(part, response);
    }
    let [text, thought, code, snake_code, result, snake_result] = part.fields([
        "text",
        "thought",
        "executableCode",
        "executable_code",
        "codeExecutionResult",
        "code_execution_result",
    ]);
    if let Some(code) = code.or(snake_code) {
        let mut call = Part::call(part, None, code.get("id"), Some(code));
        call.tool = Some("code_execution".into());
        call.server = true;
        return call;
    }
    if let Some(result) = result.or(snake_result) {
        let [output, outcome, id] = result.fields(["output", "outcome", "id"]);
        let content = Content::One(Piece::text_or_json(output.unwrap_or(result)));
        let mut answer = Part::output(part, id, LazyOutput::request(content, CacheRule::Value));
        answer.server = true;
        answer.tool = Some("code_execution".into());
        answer.is_error = outcome.is_some_and(|outcome| !outcome.is_text("OUTCOME_OK"));
        return answer;
    }
    if let Some(text) = text.filter(View::is_string) {
        if thought.and_then(|thought| thought.bool()) == Some(true) {
            return Part::thinking(part, Some(text));
        }
        return Part::message(role, part, Content::One(Piece::Text(text)));
    }
    Part::message(role, part, Content::One(media(part)))
}

fn output<'a>(part: View<'a>, answer: View<'a>) -> Part<'a> {
    let [id, name, response, parts] = answer.fields(["id", "name", "response", "parts"]);
    let content = Content::Views {
        read: response_pieces,
        views: [response, parts],
    };
    let mut output = Part::output(part, id, LazyOutput::request(content, CacheRule::Value));
    output.tool = name.and_then(|name| name.text());
    // An error is told by the key that stands for the result.
    output.is_error = response.is_some_and(|response| {
        let [error, result, output] = response.fields(["error", "result", "output"]);
        error.is_some_and(|error| !error.is_null()) && result.is_none() && output.is_none()
    });
    output
}

/// What was answered, and the media beside it.
fn response_pieces<'a>([response, parts]: [Option<View<'a>>; 2], out: &mut Vec<Piece<'a>>) {
    let mut media_parts = parts.into_iter().flat_map(|parts| parts.items()).peekable();
    if let Some(response) = response {
        let mut entries = response.entries();
        match (entries.next(), entries.next()) {
            (Some((key, value)), None) if key.is_text("result") => {
                out.push(Piece::text_or_json(value));
            }
            // Nothing was said beside the media.
            (None, _) if response.is_object() && media_parts.peek().is_some() => {}
            _ => out.push(Piece::text_or_json(response)),
        }
    }
    out.extend(media_parts.map(media));
}

/// Inline or linked media; anything else as it stands.
fn media(part: View<'_>) -> Piece<'_> {
    let [inline, snake_inline, file, snake_file] =
        part.fields(["inlineData", "inline_data", "fileData", "file_data"]);
    let (holder, source) = if let Some(inline) = inline.or(snake_inline) {
        let data = inline.get("data").filter(View::is_string);
        (inline, data.map(PieceSource::Base64))
    } else if let Some(file) = file.or(snake_file) {
        let [uri, snake_uri] = file.fields(["fileUri", "file_uri"]);
        let uri = uri.or(snake_uri).filter(View::is_string);
        (file, uri.map(PieceSource::Url))
    } else {
        return Piece::Unknown(part);
    };
    let Some(source) = source else {
        return Piece::Unknown(part);
    };
    let [mime, snake_mime, name, snake_name] =
        holder.fields(["mimeType", "mime_type", "displayName", "display_name"]);
    let declared = mime.or(snake_mime).filter(View::is_string);
    let kind = declared
        .and_then(|mime| mime.text())
        .map_or(BlockKind::Document, |mime| {
            match mime.split('/').next().unwrap_or_default() {
                "image" => BlockKind::Image,
                "audio" => BlockKind::Audio,
                "video" => BlockKind::Video,
                _ => BlockKind::Document,
            }
        });
    Piece::Media(
        MediaPiece::new(kind, source)
            .declared(declared)
            .named(name.or(snake_name).filter(View::is_string)),
    )
}
