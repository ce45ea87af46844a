//! Each kind of block, to each of the exact types.

use serde_json::json;

use super::*;
use crate::session::block::{EnvelopeKind, Json};
use crate::tool::mixtape::{DocumentFormat, ImageFormat};

fn media(declared: Option<&str>, source: MediaSource) -> Media {
    Media {
        declared: declared.map(str::to_owned),
        name: None,
        source,
        detail: None,
    }
}

fn png() -> Block {
    Block::Image(media(
        Some("image/png"),
        MediaSource::Base64("iVBORw0KGgo=".to_owned()),
    ))
}

fn text(text: &str) -> Block {
    Block::Text(text.to_owned())
}

fn json_of(value: Value) -> Block {
    Block::Json(Json {
        value,
        structured_content: false,
    })
}

/// The renderings are those of the published crate.
#[test]
fn an_output_is_rendered_as_rig_renders_it() {
    let image = |declared: Option<&str>, source, detail: Option<&str>| {
        Block::Image(Media {
            detail: detail.map(str::to_owned),
            ..media(declared, source)
        })
    };
    let base64 = || MediaSource::Base64("QUJD".to_owned());
    for (blocks, rendered) in [
        (vec![text("hello")], "hello"),
        (vec![text("")], ""),
        (vec![text("{\"a\":1}")], "{\"a\":1}"),
        (
            vec![json_of(json!({"b": 1, "a": [1, 2]}))],
            "{\"b\":1,\"a\":[1,2]}",
        ),
        (vec![json_of(json!("hi"))], "\"hi\""),
        (vec![json_of(json!(null))], "null"),
        (
            vec![image(Some("image/png"), base64(), None)],
            "[{\"type\":\"image\",\"data\":{\"type\":\"base64\",\"value\":\"QUJD\"},\"media_type\":\"png\"}]",
        ),
        (
            vec![image(Some("jpeg"), base64(), Some("high"))],
            "[{\"type\":\"image\",\"data\":{\"type\":\"base64\",\"value\":\"QUJD\"},\"media_type\":\"jpeg\",\"detail\":\"high\"}]",
        ),
        (
            vec![image(
                None,
                MediaSource::Url("https://e.x/a.png".to_owned()),
                None,
            )],
            "[{\"type\":\"image\",\"data\":{\"type\":\"url\",\"value\":\"https://e.x/a.png\"}}]",
        ),
        (
            vec![image(None, MediaSource::Bytes(vec![1, 2, 255]), None)],
            "[{\"type\":\"image\",\"data\":{\"type\":\"raw\",\"value\":[1,2,255]}}]",
        ),
        (
            vec![image(
                None,
                MediaSource::Url("data:image/png;base64,QUJD".to_owned()),
                None,
            )],
            "[{\"type\":\"image\",\"data\":{\"type\":\"base64\",\"value\":\"QUJD\"},\"media_type\":\"png\"}]",
        ),
        (
            vec![text("a"), text("b")],
            "[{\"type\":\"text\",\"text\":\"a\"},{\"type\":\"text\",\"text\":\"b\"}]",
        ),
    ] {
        let output = to_tool_output(&blocks).expect("blocks").value;
        assert_eq!(output.render(), rendered);
    }
    assert_eq!(
        to_tool_output(&[]).expect_err("no blocks").to_string(),
        "tool output has no content blocks; return at least one block — an empty text block is valid"
    );
}

#[test]
fn rig_loses_what_it_has_no_block_for() {
    let envelope = json!({"handle": "h"});
    let blocks = [
        text("plain"),
        png(),
        Block::Document(Media {
            name: Some("a.csv".to_owned()),
            ..media(Some("text/csv"), MediaSource::Bytes(b"a,b\n1,2\n".to_vec()))
        }),
        Block::Document(media(
            Some("application/pdf"),
            MediaSource::Url("https://e.x/a.pdf".to_owned()),
        )),
        Block::Video(media(
            Some("video/mp4"),
            MediaSource::FileId("f".to_owned()),
        )),
        Block::Resource {
            uri: "ui://logo".to_owned(),
            media: media(
                Some("image/png"),
                MediaSource::Base64("iVBORw0KGgo=".to_owned()),
            ),
        },
        Block::Resource {
            uri: "file:///x.bin".to_owned(),
            media: media(None, MediaSource::Bytes(vec![0, 1, 2])),
        },
        Block::Envelope(Envelope {
            kind: EnvelopeKind::Cached,
            value: envelope.clone(),
            read_from_text: Some("{ \"handle\": \"h\" }".to_owned()),
        }),
        Block::Envelope(Envelope {
            kind: EnvelopeKind::Cached,
            value: envelope.clone(),
            read_from_text: None,
        }),
        Block::Unknown(json!({"type": "search_result"})),
    ];
    let Converted { value, losses } = to_rig(&blocks);
    let texts: Vec<Option<&str>> = value.iter().map(ToolResultContent::as_text).collect();
    assert_eq!(
        texts,
        [
            Some("plain"),
            None,
            Some("a,b\n1,2\n"),
            Some("[Document: Pdf, unnamed, at https://e.x/a.pdf]"),
            Some("[Video: Mp4, file f]"),
            None,
            Some("[Resource: unknown format, file:///x.bin, 3 bytes]"),
            Some("{ \"handle\": \"h\" }"),
            None,
            None,
        ]
    );
    assert_eq!(value[1].kind(), "image");
    assert_eq!(value[5].kind(), "image");
    assert_eq!(value[8].as_json(), Some(&envelope));
    let losses: Vec<(usize, &str)> = losses
        .iter()
        .map(|loss| (loss.block, loss.what.as_str()))
        .collect();
    assert_eq!(
        losses,
        [
            (
                3,
                "no document block here: only its text is sent, without its name"
            ),
            (4, "no document block here: a line tells of it"),
            (5, "no video block here: a line tells of it"),
            (7, "no resource block here: a line tells of it"),
        ]
    );
}

#[test]
fn mixtape_holds_one_payload_of_bytes_text_or_json() {
    let one = |block: Block| to_mixtape(&[block]).map(|converted| converted.value);
    let words = |block: Block| one(block).expect_err("no payload").to_string();
    assert!(matches!(one(text("t")), Ok(ToolResult::Text(text)) if text == "t"));
    assert!(matches!(one(json_of(json!([1]))), Ok(ToolResult::Json(value)) if value == json!([1])));
    assert!(
        matches!(one(png()), Ok(ToolResult::Image { format: ImageFormat::Png, data }) if data.len() == 8)
    );
    let document = |declared, bytes: &[u8]| {
        Block::Document(media(declared, MediaSource::Bytes(bytes.to_vec())))
    };
    assert!(matches!(
        one(document(None, b"%PDF-1.4")),
        Ok(ToolResult::Document {
            format: DocumentFormat::Pdf,
            name: None,
            ..
        })
    ));
    let toml = to_mixtape(&[document(Some("application/json"), b"{}")]).expect("a payload");
    assert!(matches!(
        toml.value,
        ToolResult::Document {
            format: DocumentFormat::Txt,
            ..
        }
    ));
    assert_eq!(
        toml.losses[0].what,
        "that it is json: mixtape knows it as txt"
    );
    assert_eq!(
        words(Block::Image(media(
            Some("image/svg+xml"),
            MediaSource::Bytes(b"<svg/>".to_vec())
        ))),
        "mixtape's ToolResult cannot hold this: its images are png, jpeg, gif and webp, not svg"
    );
    assert_eq!(
        words(Block::Image(media(
            None,
            MediaSource::Url("https://e.x".to_owned())
        ))),
        "mixtape's ToolResult cannot hold this: it holds bytes, and the recording has an address"
    );
    assert_eq!(
        words(Block::Image(media(
            None,
            MediaSource::Base64("%%%".to_owned())
        ))),
        "mixtape's ToolResult cannot hold this: the recorded base64 does not decode"
    );
    assert_eq!(
        to_mixtape(&[text("a"), text("b")])
            .expect_err("two")
            .to_string(),
        "mixtape's ToolResult holds one payload, and this output has 2 blocks"
    );
}
