//! Readers of block lists that several formats share.

use crate::json::View;
use crate::session::block::BlockKind;
use crate::session::piece::{MediaPiece, Piece, PieceSource};

/// rig's blocks, and the wider ones that the native format adds in the same manner.
pub(in crate::session) fn rig<'a>([view, _]: [Option<View<'a>>; 2], out: &mut Vec<Piece<'a>>) {
    let Some(view) = view else { return };
    if view.is_array() {
        out.extend(view.items().map(rig_block));
    } else if view.is_string() {
        out.push(Piece::Text(view));
    } else {
        out.push(rig_block(view));
    }
}

/// One block of rig's or the native format's.
pub(in crate::session) fn rig_block(block: View<'_>) -> Piece<'_> {
    let [kind, text, value, data] = block.fields(["type", "text", "value", "data"]);
    let Some(kind) = kind.and_then(|kind| kind.text()) else {
        return Piece::Unknown(block);
    };
    let media = |kind: BlockKind| {
        let [media_type, format, name, detail] =
            block.fields(["media_type", "format", "name", "detail"]);
        let source = data.map_or(PieceSource::Absent, rig_source);
        MediaPiece::new(kind, source)
            .declared(media_type.or(format).filter(View::is_string))
            .named(name.filter(View::is_string))
            .detailed(detail.filter(View::is_string))
    };
    match (kind.as_ref(), text, value) {
        ("text", Some(text), _) if text.is_string() => Piece::Text(text),
        ("json", _, Some(value)) => {
            if block.get("structured_content").and_then(|flag| flag.bool()) == Some(true) {
                Piece::Structured(value)
            } else {
                Piece::Json(value)
            }
        }
        ("envelope", Some(text), Some(value)) if text.is_string() => {
            Piece::ReadEnvelope { value, text }
        }
        ("envelope", None, Some(value)) => Piece::Json(value),
        ("image", ..) => Piece::Media(media(BlockKind::Image)),
        ("document", ..) => Piece::Media(media(BlockKind::Document)),
        ("audio", ..) => Piece::Media(media(BlockKind::Audio)),
        ("video", ..) => Piece::Media(media(BlockKind::Video)),
        ("resource", ..) => match block.get("uri").filter(View::is_string) {
            Some(uri) => Piece::Resource {
                uri,
                media: media(BlockKind::Resource),
            },
            None => Piece::Unknown(block),
        },
        ("resource_link", _, Some(value)) => match value.get("uri").filter(View::is_string) {
            Some(uri) => Piece::Link { uri, value },
            None => Piece::Unknown(block),
        },
        ("unknown", _, Some(value)) => Piece::Unknown(value),
        _ => Piece::Unknown(block),
    }
}

/// A source tagged by `type` with its `value` beside it.
fn rig_source(data: View<'_>) -> PieceSource<'_> {
    if data.is_string() {
        return PieceSource::Base64(data);
    }
    let [kind, value] = data.fields(["type", "value"]);
    let (Some(kind), Some(value)) = (kind.and_then(|kind| kind.text()), value) else {
        return PieceSource::Absent;
    };
    match kind.as_ref() {
        "base64" if value.is_string() => PieceSource::Base64(value),
        "url" if value.is_string() => PieceSource::Url(value),
        "fileId" | "file_id" | "fileid" if value.is_string() => PieceSource::FileId(value),
        "text" if value.is_string() => PieceSource::Text(value),
        "string" if value.is_string() => PieceSource::String(value),
        "raw" if value.is_array() => PieceSource::Bytes(value),
        _ => PieceSource::Absent,
    }
}

/// mixtape's `ToolResult`: exactly one payload, named by its only key.
pub(in crate::session) fn mixtape<'a>([view, _]: [Option<View<'a>>; 2], out: &mut Vec<Piece<'a>>) {
    let Some(view) = view else { return };
    let [text, json, image, document] = view.fields(["Text", "Json", "Image", "Document"]);
    let media = |view: View<'a>, kind: BlockKind| {
        let [format, data, name] = view.fields(["format", "data", "name"]);
        let source = match data {
            Some(data) if data.is_array() => PieceSource::Bytes(data),
            _ => PieceSource::Absent,
        };
        Piece::Media(
            MediaPiece::new(kind, source)
                .declared(format.filter(View::is_string))
                .named(name.filter(View::is_string)),
        )
    };
    out.push(match (text, json, image, document) {
        (Some(text), ..) if text.is_string() => Piece::Text(text),
        (_, Some(json), ..) => Piece::Json(json),
        (_, _, Some(image), _) => media(image, BlockKind::Image),
        (_, _, _, Some(document)) => media(document, BlockKind::Document),
        _ if view.is_string() => Piece::Text(view),
        _ => Piece::Unknown(view),
    });
}

/// A single JSON value.
pub(in crate::session) fn value<'a>([view, _]: [Option<View<'a>>; 2], out: &mut Vec<Piece<'a>>) {
    out.extend(view.map(Piece::Json));
}
