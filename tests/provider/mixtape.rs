//! mixtape 0.5: one payload per result.

use serde_json::{Value, json};
use toolreel::provider::{ErrorFlag, Fate, Lens, Rendering, render};
use toolreel::session::block::{Block, Json, Media, MediaSource};

use super::lookup;

fn mixtape(name: &str, block: Block, is_error: bool) -> Rendering {
    render(&lookup(&[block], is_error), name, Lens::Mixtape).expect("a known adapter")
}

fn text(text: &str) -> Block {
    Block::Text(text.to_owned())
}

fn json_block(value: Value) -> Block {
    Block::Json(Json {
        value,
        structured_content: false,
    })
}

fn image() -> Block {
    Block::Image(Media {
        declared: Some("image/png".to_owned()),
        name: None,
        source: MediaSource::Bytes(vec![137, 80, 78, 71]),
        detail: None,
    })
}

fn document(declared: &str, name: Option<&str>) -> Block {
    Block::Document(Media {
        declared: Some(declared.to_owned()),
        name: name.map(str::to_owned),
        source: MediaSource::Base64("JVBERg==".to_owned()),
        detail: None,
    })
}

fn content(name: &str, block: Block, pointer: &str) -> Value {
    let wire = mixtape(name, block, false).wire.expect("a wire");
    wire.pointer(pointer)
        .cloned()
        .unwrap_or_else(|| panic!("{pointer} in {wire}"))
}

#[test]
fn anthropic_has_one_block_and_always_the_flag() {
    let wire = mixtape("anthropic", text(""), false).wire;
    let result = json!({"type": "tool_result", "tool_use_id": "call_1", "content": [{"type": "text", "text": ""}], "is_error": false});
    assert_eq!(
        wire,
        Some(json!({"messages": [{"role": "user", "content": [result]}]}))
    );
    let block = |block| {
        content(
            "anthropic:claude-sonnet-4-6",
            block,
            "/messages/0/content/0/content/0",
        )
    };
    assert_eq!(
        block(json_block(json!([1, "x"]))),
        json!({"type": "text", "text": "[1,\"x\"]"})
    );
    assert_eq!(
        block(image()),
        json!({"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw=="}})
    );
    for (format, mime) in [
        ("pdf", "application/pdf"),
        ("csv", "text/csv"),
        ("doc", "application/msword"),
        (
            "docx",
            "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        ),
        ("html", "text/html"),
        ("md", "text/markdown"),
        ("txt", "text/plain"),
        ("xls", "application/vnd.ms-excel"),
        (
            "xlsx",
            "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        ),
    ] {
        assert_eq!(
            block(document(format, None)),
            json!({"type": "document", "source": {"type": "base64", "media_type": mime, "data": "JVBERg=="}})
        );
    }
    assert_eq!(block(document("pdf", Some("")))["title"], "");
    let failed = mixtape("anthropic", text("boom"), true);
    assert_eq!(failed.error_flag, Some(ErrorFlag::Kept));
    assert_eq!(failed.blocks[0].fate, Fate::Native);
}

#[test]
fn bedrock_takes_any_json_and_always_has_a_status() {
    for value in [
        json!({"a": 1}),
        json!([1]),
        json!("s"),
        json!(3.5),
        json!(null),
    ] {
        let rendering = mixtape("bedrock", json_block(value.clone()), false);
        let result =
            json!({"toolUseId": "call_1", "content": [{"json": value}], "status": "success"});
        assert_eq!(
            rendering.wire,
            Some(json!({"messages": [{"role": "user", "content": [{"toolResult": result}]}]}))
        );
        assert_eq!(rendering.blocks[0].fate, Fate::Native);
    }
    let block = |block| {
        content(
            "bedrock",
            block,
            "/messages/0/content/0/toolResult/content/0",
        )
    };
    assert_eq!(block(text("")), json!({"text": ""}));
    assert_eq!(
        block(image()),
        json!({"image": {"format": "png", "source": {"bytes": "iVBORw=="}}})
    );
    let named = |name| json!({"document": {"format": "pdf", "name": name, "source": {"bytes": "JVBERg=="}}});
    assert_eq!(block(document("pdf", None)), named("document"));
    assert_eq!(block(document("pdf", Some(""))), named(""));
    assert_eq!(block(document("application/pdf", Some("r"))), named("r"));
    assert_eq!(
        mixtape("bedrock", text("boom"), true).error_flag,
        Some(ErrorFlag::Kept)
    );
    assert_eq!(
        mixtape("bedrock", document("pdf", None), false).blocks[0].fate,
        Fate::Native
    );
}

#[test]
fn the_stringifying_adapters_tell_errors_in_the_text_and_refuse_bytes() {
    let chat = |block, is_error| mixtape("bedrock-chat", block, is_error);
    let sent = |rendering: Rendering| rendering.wire.expect("a wire")["messages"][0].clone();
    assert_eq!(
        sent(chat(json_block(json!({"a": [1]})), false)),
        json!({"role": "tool", "tool_call_id": "call_1", "content": "{\"a\":[1]}"})
    );
    let failed = chat(text("boom"), true);
    assert_eq!(failed.error_flag, Some(ErrorFlag::InText));
    assert_eq!(failed.blocks[0].fate, Fate::Converted);
    assert_eq!(failed.blocks[0].at.as_deref(), Some("/messages/0/content"));
    assert_eq!(
        sent(failed)["content"],
        "{\"content\":\"boom\",\"is_error\":true}"
    );
    assert_eq!(
        sent(chat(json_block(json!({"a": 1})), true))["content"],
        "{\"content\":\"{\\\"a\\\":1}\",\"is_error\":true}"
    );
    let refused = chat(image(), false);
    assert_eq!(
        refused.error.as_deref(),
        Some(
            "Invalid configuration: Image and document tool results are not supported by this Chat Completions adapter"
        )
    );
    assert_eq!(
        (refused.wire, refused.blocks[0].fate),
        (None, Fate::Refused)
    );
    let responses = |block, is_error| mixtape("bedrock-responses", block, is_error);
    assert_eq!(
        sent(responses(text("t"), false)),
        json!({"type": "function_call_output", "call_id": "call_1", "output": "t"})
    );
    assert_eq!(
        responses(document("pdf", None), false).error.as_deref(),
        Some(
            "Invalid configuration: Binary tool results are not supported by this Responses adapter"
        )
    );
}

#[test]
fn several_blocks_are_no_payload() {
    let rendering = render(
        &lookup(&[text("a"), image()], false),
        "anthropic",
        Lens::Mixtape,
    )
    .expect("known");
    assert_eq!(
        rendering.error.as_deref(),
        Some("mixtape's ToolResult holds one payload, and this output has 2 blocks")
    );
    assert!(
        rendering
            .blocks
            .iter()
            .all(|block| block.fate == Fate::Refused)
    );
    assert_eq!(
        render(&lookup(&[], false), "openai-chat", Lens::Mixtape)
            .expect_err("unknown")
            .to_string(),
        "unknown provider \"openai-chat\" for mixtape 0.5: one of anthropic, bedrock, bedrock-chat, bedrock-responses"
    );
}
