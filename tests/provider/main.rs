//! What each provider receives, against what the published crate sent.

mod fates;
mod fixtures;
mod mixtape;
mod places;
mod samples;

use std::path::Path;

use serde_json::Value;
use toolreel::provider::Subject;
use toolreel::session::block::{Block, Json, Media, MediaSource};
use toolreel::session::convert::subject_of;
use toolreel::tool::rig::{DocumentSourceKind, ToolResultContent};

/// Reads a file of `tests/data`.
fn data(name: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(name);
    let text = std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A block of rig's JSON as a recording holds it.
fn block(content: &ToolResultContent) -> Block {
    match content {
        ToolResultContent::Text(text) => Block::Text(text.text().to_owned()),
        ToolResultContent::Json { value } => Block::Json(Json {
            value: value.clone(),
            structured_content: false,
        }),
        ToolResultContent::Image(image) => {
            let word = |value: Value| value.as_str().map(str::to_owned);
            Block::Image(Media {
                declared: image
                    .media_type
                    .and_then(|kind| word(serde_json::json!(kind))),
                name: None,
                detail: image
                    .detail
                    .and_then(|detail| word(serde_json::json!(detail))),
                source: match image.data.clone() {
                    DocumentSourceKind::Url(url) => MediaSource::Url(url),
                    DocumentSourceKind::Base64(data) => MediaSource::Base64(data),
                    DocumentSourceKind::FileId(id) => MediaSource::FileId(id),
                    DocumentSourceKind::Raw(bytes) => MediaSource::Bytes(bytes),
                    DocumentSourceKind::String(text) => MediaSource::String(text),
                    DocumentSourceKind::Unknown => MediaSource::Absent,
                },
            })
        }
    }
}

/// The output of a call `lookup` with the id `call_1`.
fn lookup(blocks: &[Block], is_error: bool) -> Subject {
    subject_of(Some("lookup"), Some("call_1"), is_error, blocks)
}

/// A case of the fixtures.
fn case(name: &str) -> Subject {
    let cases = data("cases.json");
    let case = cases
        .as_array()
        .into_iter()
        .flatten()
        .find(|case| case["case"] == name)
        .unwrap_or_else(|| panic!("no case {name}"));
    subject(case)
}

fn subject(case: &Value) -> Subject {
    let content: Vec<ToolResultContent> =
        serde_json::from_value(case["content"].clone()).expect("rig's blocks");
    let blocks: Vec<Block> = content.iter().map(block).collect();
    lookup(&blocks, case["is_error"] == true)
}
