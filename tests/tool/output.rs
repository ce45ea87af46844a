//! The outputs and blocks of rig, and the result of mixtape.

use serde_json::{Value, json};
use toolreel::tool::mixtape;
use toolreel::tool::rig::{IntoToolOutput, ToolOutput, ToolResultContent};

#[test]
fn the_canonical_outputs_are_read_and_written_back() {
    let cases = super::data("cases.json");
    let cases = cases.as_array().expect("cases");
    assert_eq!(cases.len(), 38);
    for case in cases {
        let blocks: Vec<ToolResultContent> = serde_json::from_value(case["content"].clone())
            .unwrap_or_else(|error| panic!("{case}: {error}"));
        assert_eq!(
            serde_json::to_value(&blocks).expect("blocks have a JSON form"),
            case["content"],
            "{case}"
        );
    }
}

/// What 0.42, the generation before the one that the types follow, makes of the same blocks.
#[test]
fn blocks_of_the_generation_before_read_the_same() {
    let vectors = super::data("rig-0.42.json");
    for row in vectors.as_array().expect("rows") {
        let blocks = row["blocks"].clone();
        let read: Result<ToolOutput, _> = serde_json::from_value(blocks.clone());
        match read {
            Ok(output) => {
                if row["error"] == "`additional_params` must be a JSON object (or null)" {
                    // Refused there, read over by 0.44 and here.
                    assert_eq!(output.as_text(), Some("x"));
                    continue;
                }
                assert_eq!(json!(output.as_text()), row["as_text"], "{blocks}");
                assert_eq!(json!(output.as_json()), row["as_json"], "{blocks}");
                assert_eq!(output.render(), row["render"], "{blocks}");
                assert_eq!(format!("{output:?}"), row["debug"], "{blocks}");
                assert_eq!(
                    serde_json::to_string(&output).expect("an output has a JSON form"),
                    row["written"]
                );
            }
            Err(error) => {
                let expected = row.get("error").or(row.get("refused"));
                assert_eq!(
                    Some(&Value::String(error.to_string())),
                    expected,
                    "{blocks}"
                );
            }
        }
    }
}

#[test]
fn a_provider_item_makes_text_more_than_plain() {
    let read = |json: Value| serde_json::from_value::<ToolOutput>(json).expect("an output");
    let native = json!([{"type": "text", "text": "x", "native": {"item": 1, "fingerprint": "00000000000000ff"}}]);
    assert_eq!(read(native.clone()).as_text(), None);
    assert_eq!(read(native.clone()).render(), native.to_string());
    // An item that cannot be read is none.
    assert_eq!(
        read(json!([{"type": "text", "text": "x", "native": {"item": 1}}])).as_text(),
        Some("x")
    );
}

#[test]
fn blocks_pass_through_and_strings_become_text() {
    let block = ToolResultContent::image_url("https://e.x/a.png", None, None);
    let output = |value: Result<ToolOutput, _>| value.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(
        output(block.clone().into_tool_output()),
        ToolOutput::one(block.clone())
    );
    assert_eq!(
        output(vec![block.clone()].into_tool_output()).as_content(),
        std::slice::from_ref(&block)
    );
    assert_eq!(
        output(ToolOutput::one(block.clone()).into_tool_output()),
        ToolOutput::one(block.clone())
    );
    assert_eq!(output("a".into_tool_output()), ToolOutput::text("a"));
    assert_eq!(
        output(json!("a").into_tool_output()),
        ToolOutput::json(json!("a"))
    );
    assert_eq!(
        output(Some(block).into_tool_output())
            .as_json()
            .map(|value| &value["type"]),
        Some(&json!("image"))
    );
    assert_eq!(output(().into_tool_output()), ToolOutput::json(Value::Null));
    let error = u128::MAX
        .into_tool_output()
        .expect_err("no JSON number is that large");
    assert_eq!(
        error.to_string(),
        "failed to serialize tool output: number out of range"
    );
    let error = Vec::<ToolResultContent>::new()
        .into_tool_output()
        .expect_err("an empty list");
    assert_eq!(
        error.model_feedback(),
        Some(
            "tool output has no content blocks; return at least one block — an empty text block is valid"
        )
    );
}

#[test]
fn the_bytes_of_a_mixtape_result_are_described_in_its_text() {
    use mixtape::{DocumentFormat, ImageFormat, ToolResult};
    for (result, text, written) in [
        (ToolResult::text("hello"), "hello", r#"{"Text":"hello"}"#),
        (
            ToolResult::Json(json!("str")),
            "\"str\"",
            r#"{"Json":"str"}"#,
        ),
        (
            ToolResult::image(ImageFormat::Png, vec![137, 80, 78, 71]),
            "[Image: Png, 4 bytes]",
            r#"{"Image":{"format":"png","data":[137,80,78,71]}}"#,
        ),
        (
            ToolResult::document(DocumentFormat::Pdf, vec![1]),
            "[Document: Pdf, unnamed, 1 bytes]",
            r#"{"Document":{"format":"pdf","data":[1],"name":null}}"#,
        ),
        (
            ToolResult::document_with_name(DocumentFormat::Csv, vec![], ""),
            "[Document: Csv, , 0 bytes]",
            r#"{"Document":{"format":"csv","data":[],"name":""}}"#,
        ),
    ] {
        assert_eq!(result.as_text(), text);
        assert_eq!(
            serde_json::to_string(&result).expect("a result has a JSON form"),
            written
        );
    }
}
