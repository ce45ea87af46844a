//! Claude Code's session files: one line a message or block, and its own bookkeeping between.
//!
//! What the model was sent is `message.content[].tool_result`; what the tool returned is
//! `toolUseResult` on the same line, whose shape depends on the tool. The client cuts long outputs:
//! what it cut lies in a side file, in `toolUseResult`, or nowhere.

use std::borrow::Cow;

use crate::json::View;
use crate::session::block::BlockKind;
use crate::session::event::{Evidence, Role, Side};
use crate::session::part::{CacheRule, Content, Lazy, LazyOutput, Part};
use crate::session::piece::{MediaPiece, Piece, PieceSource};

use super::native::time_ms;
use super::{Format, Place, anthropic, blocks};

/// The reader of Claude Code sessions.
#[derive(Debug)]
pub(in crate::session) struct ClaudeCode;

/// Line types that are the client's own bookkeeping. Others are shown as unknown.
const BOOKKEEPING: [&str; 24] = [
    "system",
    "summary",
    "attachment",
    "permission-mode",
    "mode",
    "progress",
    "queue-operation",
    "file-history-snapshot",
    "agent-name",
    "custom-title",
    "ai-title",
    "last-prompt",
    "frame-link",
    "pr-link",
    "started",
    "result",
    "relocated",
    "worktree-state",
    "bridge-session",
    "atis-latch",
    "agent-setting",
    "tag",
    "rate_limit_event",
    "stream_event",
];

impl Format for ClaudeCode {
    fn read<'a>(&self, record: View<'a>, _: Place, each: &mut dyn FnMut(Part<'a>)) {
        let [kind, message, time, subtype] =
            record.fields(["type", "message", "timestamp", "subtype"]);
        let time = time.and_then(time_ms);
        let mut emit = |mut part: Part<'a>| {
            part.time_ms = time;
            each(part);
        };
        let Some(kind) = kind.and_then(|kind| kind.text()) else {
            emit(Part::unknown(record));
            return;
        };
        let message = message.filter(View::is_object);
        match (kind.as_ref(), message) {
            ("user" | "assistant", Some(message)) => {
                read_message(record, message, kind == "assistant", &mut emit);
            }
            (known, _) if BOOKKEEPING.contains(&known) => {
                let name = subtype.and_then(|subtype| subtype.text()).unwrap_or(kind);
                emit(Part::system(record, name));
            }
            _ => emit(Part::unknown(record)),
        }
    }
}

fn read_message<'a>(
    record: View<'a>,
    message: View<'a>,
    assistant: bool,
    emit: &mut dyn FnMut(Part<'a>),
) {
    // Older lines leave the role to the line's type.
    let [role, content] = message.fields(["role", "content"]);
    let role = match role.and_then(|role| role.text()).as_deref() {
        Some("assistant") => Role::Assistant,
        Some("user") => Role::User,
        _ if assistant => Role::Assistant,
        _ => Role::User,
    };
    let Some(content) = content else {
        emit(Part::message(role, message, Content::empty()));
        return;
    };
    if !content.is_array() {
        emit(Part::message(
            role,
            message,
            Content::view(blocks::anthropic, content),
        ));
        return;
    }
    let results = content
        .items()
        .filter(|block| {
            block
                .get("type")
                .is_some_and(|kind| kind.is_text("tool_result"))
        })
        .take(2)
        .count();
    // Beside several results nobody can say whose it is.
    let [told, stream] = if results == 1 {
        record.fields(["toolUseResult", "tool_use_result"])
    } else {
        [None, None]
    };
    let told = told.or(stream).filter(|told| !told.is_null());
    let mut empty = true;
    for block in content.items() {
        empty = false;
        let mut part = anthropic::read_block(block, role, &sent);
        if let Lazy::Output(output) = &mut part.lazy
            && !part.server
        {
            output.returned = returned(block, told);
            if output.returned.is_some() {
                output.evidence = Evidence::Recorded;
            }
        }
        emit(part);
    }
    if empty {
        emit(Part::message(role, message, Content::empty()));
    }
}

fn sent(block: View<'_>) -> LazyOutput<'_> {
    LazyOutput {
        returned: None,
        sent: Some(anthropic::result_content(block)),
        evidence: Evidence::Log,
        wire: Side::Sent,
        rule: CacheRule::ReadText,
        recorded_tokens: None,
    }
}

/// What the tool returned, as far as the line knows it whole.
fn returned<'a>(block: View<'a>, told: Option<View<'a>>) -> Option<Content<'a>> {
    let Some(told) = told else {
        return side_file(block);
    };
    if told.is_string() {
        return Some(Content::One(Piece::Text(told)));
    }
    if told.is_array() {
        let blocks = told
            .items()
            .next()
            .is_none_or(|first| first.get("type").is_some());
        return Some(if blocks {
            Content::view(blocks::anthropic, told)
        } else {
            Content::One(Piece::Json(told))
        });
    }
    let [stdout, stderr, image, path, size] = told.fields([
        "stdout",
        "stderr",
        "isImage",
        "persistedOutputPath",
        "persistedOutputSize",
    ]);
    if let Some(stdout) = stdout.filter(View::is_string) {
        if image.and_then(|flag| flag.bool()) == Some(true) {
            let source = PieceSource::Url(stdout);
            return Some(Content::One(Piece::Media(MediaPiece::new(
                BlockKind::Image,
                source,
            ))));
        }
        let kept = crate::json::decoded_length(stdout.inner().unwrap_or_default());
        if let Some(path) = path.and_then(|path| path.text())
            && size
                .and_then(|size| size.u64())
                .is_some_and(|size| size > kept)
        {
            // The client cut its own copy, too.
            return Some(Content::SideFile { path });
        }
        return Some(Content::Views {
            read: blocks::streams,
            views: [Some(stdout), stderr],
        });
    }
    let [file, content, mode, result, url] =
        told.fields(["file", "content", "mode", "result", "url"]);
    if let Some(file) = file.filter(View::is_object) {
        return Some(Content::Views {
            read: read_file,
            views: [Some(file), None],
        });
    }
    match content {
        Some(content)
            if content.is_array()
                && content
                    .items()
                    .next()
                    .is_some_and(|first| first.get("type").is_some()) =>
        {
            return Some(Content::view(blocks::anthropic, content));
        }
        Some(content)
            if content.is_string() && mode.is_some_and(|mode| mode.is_text("content")) =>
        {
            return Some(Content::One(Piece::Text(content)));
        }
        _ => {}
    }
    if let Some(result) = result.filter(View::is_string)
        && url.is_some()
    {
        return Some(Content::One(Piece::Text(result)));
    }
    Some(Content::One(Piece::Json(told)))
}

/// What the Read tool read.
fn read_file<'a>([file, _]: [Option<View<'a>>; 2], out: &mut Vec<Piece<'a>>) {
    let Some(file) = file else { return };
    let [content, base64, kind, path, cells] =
        file.fields(["content", "base64", "type", "filePath", "cells"]);
    let piece = match (content, base64) {
        (Some(content), _) if content.is_string() => Piece::Text(content),
        (_, Some(data)) if data.is_string() => {
            let declared = kind.filter(View::is_string);
            let image = declared
                .and_then(|kind| kind.text())
                .is_some_and(|kind| kind.starts_with("image/"));
            let kind = if image {
                BlockKind::Image
            } else {
                BlockKind::Document
            };
            Piece::Media(
                MediaPiece::new(kind, PieceSource::Base64(data))
                    .declared(declared)
                    .named(path.filter(|path| path.is_string() && !image)),
            )
        }
        _ => Piece::Json(cells.unwrap_or(file)),
    };
    out.push(piece);
}

/// The side file that the text of a result names, where the client put the output away.
fn side_file(block: View<'_>) -> Option<Content<'_>> {
    let content = block.get("content")?;
    let text = if content.is_array() {
        content.items().next()?.get("text")?
    } else {
        content
    };
    let inner = text.inner()?;
    let put_away =
        inner.starts_with(b"<persisted-output>") || inner.starts_with(b"Error: result (");
    if !put_away {
        return None;
    }
    let text = text.text()?;
    let path = ["Full output saved to: ", "Output has been saved to "]
        .iter()
        .find_map(|words| text.split_once(words))?
        .1;
    let path = path.lines().next()?.trim().trim_end_matches('.');
    Some(Content::SideFile {
        path: Cow::Owned(path.to_owned()),
    })
}
