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

/// The content of an Anthropic message or result: a string, blocks, or nothing.
pub(in crate::session) fn anthropic<'a>(
    [content, _]: [Option<View<'a>>; 2],
    out: &mut Vec<Piece<'a>>,
) {
    match content {
        Some(content) if content.is_array() => out.extend(content.items().map(anthropic_block)),
        Some(content) if content.is_null() => {}
        Some(content) => out.push(Piece::text_or_json(content)),
        None => {}
    }
}

/// One of Anthropic's blocks, or of MCP's, which agents put in the same place.
pub(in crate::session) fn anthropic_block(block: View<'_>) -> Piece<'_> {
    let [kind, text, source, title] = block.fields(["type", "text", "source", "title"]);
    let kind = kind.and_then(|kind| kind.text());
    match (kind.as_deref(), text, source) {
        (Some("text"), Some(text), _) if text.is_string() => Piece::Text(text),
        (Some("image"), _, Some(source)) => anthropic_media(block, source, BlockKind::Image, None),
        (Some("document"), _, Some(source)) => {
            anthropic_media(block, source, BlockKind::Document, title)
        }
        (Some("image" | "audio" | "resource" | "resource_link"), ..) => mcp_block(block),
        (None, ..) if block.is_string() => Piece::Text(block),
        _ => Piece::Unknown(block),
    }
}

fn anthropic_media<'a>(
    block: View<'a>,
    source: View<'a>,
    kind: BlockKind,
    title: Option<View<'a>>,
) -> Piece<'a> {
    let [form, media_type, data, url, file] =
        source.fields(["type", "media_type", "data", "url", "file_id"]);
    let string = |view: Option<View<'a>>| view.filter(View::is_string);
    let form = form.and_then(|form| form.text());
    let source = match (form.as_deref(), string(data), string(url), string(file)) {
        (Some("text"), Some(data), ..) => PieceSource::Text(data),
        (_, Some(data), ..) => PieceSource::Base64(data),
        (_, _, Some(url), _) => PieceSource::Url(url),
        (_, _, _, Some(file)) => PieceSource::FileId(file),
        _ => return Piece::Unknown(block),
    };
    Piece::Media(
        MediaPiece::new(kind, source)
            .declared(string(media_type))
            .named(string(title)),
    )
}

/// The content of an OpenAI Chat message, and images that some clones keep beside it.
pub(in crate::session) fn openai<'a>(
    [content, images]: [Option<View<'a>>; 2],
    out: &mut Vec<Piece<'a>>,
) {
    match content {
        Some(content) if content.is_array() => out.extend(content.items().map(openai_block)),
        Some(content) if content.is_null() => {}
        Some(content) => out.push(Piece::text_or_json(content)),
        None => {}
    }
    for image in images.into_iter().flat_map(|images| images.items()) {
        out.push(if image.is_string() {
            let source = PieceSource::Base64(image);
            Piece::Media(MediaPiece::new(BlockKind::Image, source))
        } else {
            openai_block(image)
        });
    }
}

/// One of OpenAI Chat's content parts, or of the clones'.
pub(in crate::session) fn openai_block(block: View<'_>) -> Piece<'_> {
    if block.is_string() {
        return Piece::Text(block);
    }
    let [kind, text, refusal] = block.fields(["type", "text", "refusal"]);
    let kind = kind.and_then(|kind| kind.text());
    let string = |view: Option<View<'_>>| view.is_some_and(|view| view.is_string());
    match kind.as_deref() {
        Some("text" | "input_text" | "output_text") if string(text) => {
            text.map_or(Piece::Unknown(block), Piece::Text)
        }
        Some("refusal") if string(refusal) => refusal.map_or(Piece::Unknown(block), Piece::Text),
        Some(kind @ ("image_url" | "video_url" | "audio_url" | "document_url")) => {
            let inner = block.get(kind);
            let (url, detail) = match inner {
                Some(inner) if inner.is_object() => {
                    let [url, detail] = inner.fields(["url", "detail"]);
                    (url, detail)
                }
                inner => (inner, block.get("detail")),
            };
            let Some(url) = url.filter(View::is_string) else {
                return Piece::Unknown(block);
            };
            let kind = match kind {
                "image_url" => BlockKind::Image,
                "video_url" => BlockKind::Video,
                "audio_url" => BlockKind::Audio,
                _ => BlockKind::Document,
            };
            let media = MediaPiece::new(kind, PieceSource::Url(url));
            Piece::Media(media.detailed(detail.filter(View::is_string)))
        }
        Some("input_audio") => {
            let [data, format] = block
                .get("input_audio")
                .unwrap_or(block)
                .fields(["data", "format"]);
            match data.filter(View::is_string) {
                Some(data) => Piece::Media(
                    MediaPiece::new(BlockKind::Audio, PieceSource::Base64(data))
                        .declared(format.filter(View::is_string)),
                ),
                None => Piece::Unknown(block),
            }
        }
        Some("file") => openai_file(block, block.get("file").unwrap_or(block)),
        Some("input_file") => openai_file(block, block),
        Some("input_image" | "computer_screenshot") => {
            let [url, file, detail] = block.fields(["image_url", "file_id", "detail"]);
            let source = match (url, file) {
                (Some(url), _) if url.is_string() => PieceSource::Url(url),
                (_, Some(file)) if file.is_string() => PieceSource::FileId(file),
                _ => return Piece::Unknown(block),
            };
            let media = MediaPiece::new(BlockKind::Image, source);
            Piece::Media(media.detailed(detail.filter(View::is_string)))
        }
        _ => anthropic_block(block),
    }
}

/// A file of OpenAI Chat or Responses.
fn openai_file<'a>(block: View<'a>, file: View<'a>) -> Piece<'a> {
    let [data, id, url, name] = file.fields(["file_data", "file_id", "file_url", "filename"]);
    let string = |view: Option<View<'a>>| view.filter(View::is_string);
    let source = match (string(data), string(id), string(url)) {
        // `data:` addresses as a rule; some senders put base64 alone.
        (Some(data), ..)
            if data.inner().is_some_and(|inner| {
                inner
                    .get(..5)
                    .is_some_and(|head| head.eq_ignore_ascii_case(b"data:"))
            }) =>
        {
            PieceSource::Url(data)
        }
        (Some(data), ..) => PieceSource::Base64(data),
        (_, Some(id), _) => PieceSource::FileId(id),
        (_, _, Some(url)) => PieceSource::Url(url),
        _ => return Piece::Unknown(block),
    };
    Piece::Media(MediaPiece::new(BlockKind::Document, source).named(string(name)))
}

/// An MCP result: its content blocks, then `structuredContent`.
pub(in crate::session) fn mcp_result<'a>(
    [content, structured]: [Option<View<'a>>; 2],
    out: &mut Vec<Piece<'a>>,
) {
    match content {
        Some(content) if content.is_array() => out.extend(content.items().map(mcp_block)),
        Some(content) if content.is_null() => {}
        Some(content) => out.push(Piece::text_or_json(content)),
        None => {}
    }
    out.extend(
        structured
            .filter(|structured| !structured.is_null())
            .map(Piece::Structured),
    );
}

/// A list of MCP's content blocks.
pub(in crate::session) fn mcp<'a>([content, _]: [Option<View<'a>>; 2], out: &mut Vec<Piece<'a>>) {
    mcp_result([content, None], out);
}

/// A JSON-RPC error: its message, and its data where there is some.
pub(in crate::session) fn mcp_error<'a>(
    [message, data]: [Option<View<'a>>; 2],
    out: &mut Vec<Piece<'a>>,
) {
    out.extend(message.map(Piece::text_or_json));
    out.extend(data.filter(|data| !data.is_null()).map(Piece::Json));
}

/// One of MCP's content blocks.
pub(in crate::session) fn mcp_block(block: View<'_>) -> Piece<'_> {
    let [kind, text, data, mime] = block.fields(["type", "text", "data", "mimeType"]);
    let string = |view: Option<View<'_>>| view.is_some_and(|view| view.is_string());
    let kind = kind.and_then(|kind| kind.text());
    let media = |kind: BlockKind| match data.filter(View::is_string) {
        Some(data) => Piece::Media(
            MediaPiece::new(kind, PieceSource::Base64(data)).declared(mime.filter(View::is_string)),
        ),
        None => Piece::Unknown(block),
    };
    match kind.as_deref() {
        Some("text") if string(text) => text.map_or(Piece::Unknown(block), Piece::Text),
        Some("image") => media(BlockKind::Image),
        Some("audio") => media(BlockKind::Audio),
        Some("resource_link") => match block.get("uri").filter(View::is_string) {
            Some(uri) => Piece::Link { uri, value: block },
            None => Piece::Unknown(block),
        },
        Some("resource") => {
            let [uri, mime, text, blob] = block
                .get("resource")
                .unwrap_or(block)
                .fields(["uri", "mimeType", "text", "blob"]);
            let source = match (text.filter(View::is_string), blob.filter(View::is_string)) {
                (Some(text), _) => PieceSource::Text(text),
                (_, Some(blob)) => PieceSource::Base64(blob),
                _ => PieceSource::Absent,
            };
            match uri.filter(View::is_string) {
                Some(uri) => Piece::Resource {
                    uri,
                    media: MediaPiece::new(BlockKind::Resource, source)
                        .declared(mime.filter(View::is_string)),
                },
                None => Piece::Unknown(block),
            }
        }
        _ => Piece::Unknown(block),
    }
}

/// A command's two streams; an empty one is no block unless both are.
pub(in crate::session) fn streams<'a>(
    [stdout, stderr]: [Option<View<'a>>; 2],
    out: &mut Vec<Piece<'a>>,
) {
    let full = |view: &View<'_>| view.inner().is_some_and(|inner| !inner.is_empty());
    let stderr = stderr.filter(full);
    let stdout = stdout.filter(|stdout| full(stdout) || stderr.is_none());
    out.extend([stdout, stderr].into_iter().flatten().map(Piece::Text));
}
