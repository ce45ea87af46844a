//! Real recordings of others, read and held against a plain count over their parsed JSON.
//!
//! The recordings are not part of this repository: they are looked for in `shared/` beside the checkout,
//! or where `TOOLREEL_SHARED` says.

#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};

use serde_json::Value;
use toolreel::session::event::EventKind;
use toolreel::session::{Input, Session};

fn shared() -> Option<PathBuf> {
    let folder = std::env::var_os("TOOLREEL_SHARED").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared"),
        PathBuf::from,
    );
    if folder.join("samples").is_dir() {
        return Some(folder);
    }
    println!("skipped: no shared folder beside the checkout");
    None
}

fn open(path: &Path) -> Session {
    let session = Session::open(Input::Path(path.to_owned())).unwrap();
    session.index_all().unwrap();
    session
}

/// Every JSON value of a file: the document, or its lines; what is no JSON is left out.
fn values(bytes: &[u8]) -> Vec<Value> {
    let text = String::from_utf8_lossy(bytes);
    let text = text.trim_start_matches('\u{feff}');
    match serde_json::from_str(text) {
        Ok(value) => vec![value],
        Err(_) => text
            .lines()
            .filter_map(|line| serde_json::from_str(line).ok())
            .collect(),
    }
}

/// Calls and outputs in a value, wherever they stand.
fn count(value: &Value, format: &str, found: &mut (u64, u64)) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| count(item, format, found)),
        Value::Object(map) => {
            let text = |key: &str| map.get(key).and_then(Value::as_str).unwrap_or_default();
            let has = |key: &str| map.contains_key(key);
            match format {
                "anthropic-messages" | "claude-code" | "mixtape" => match text("type") {
                    "tool_use" => found.0 += 1,
                    "tool_result" => found.1 += 1,
                    _ => {}
                },
                "rig" => match text("type") {
                    "toolcall" => found.0 += 1,
                    "toolresult" => found.1 += 1,
                    _ => {}
                },
                "openai-chat" => {
                    let calls = map.get("tool_calls").and_then(Value::as_array);
                    found.0 += calls.map_or(0, Vec::len) as u64;
                    if matches!(text("role"), "tool" | "function") {
                        found.1 += 1;
                    }
                }
                "openai-responses" => match text("type") {
                    "function_call" | "custom_tool_call" => found.0 += 1,
                    "function_call_output" | "custom_tool_call_output" => found.1 += 1,
                    _ => {}
                },
                "gemini-generate-content" => {
                    found.0 += u64::from(has("functionCall") || has("function_call"));
                    found.1 += u64::from(has("functionResponse") || has("function_response"));
                }
                "bedrock-converse" => {
                    found.0 += u64::from(has("toolUse"));
                    found.1 += u64::from(has("toolResult"));
                }
                "mcp" => {
                    found.0 += u64::from(text("method") == "tools/call");
                    let content = map.get("content").is_some_and(Value::is_array);
                    found.1 += u64::from(content || has("structuredContent"));
                }
                _ => {}
            }
            map.values().for_each(|value| count(value, format, found));
        }
        _ => {}
    }
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_file())
        .collect();
    files.sort();
    files
}

/// What must hold of every recording: index, detail, bytes and rows say the same.
fn consistent(path: &Path, session: &Session) {
    let bytes = std::fs::read(path).unwrap();
    let index = session.index();
    let mut reader = session.reader();
    for (id, record) in index.iter() {
        let range = record.offset as usize..(record.offset + record.bytes) as usize;
        assert_eq!(
            reader.raw(id).unwrap(),
            &bytes[range],
            "{path:?} #{}",
            id.index()
        );
        let event = reader.event(id).unwrap();
        let row = reader.row(id).unwrap();
        assert_eq!(row.kind, record.kind);
        use toolreel::session::event::Body;
        let (kind, blocks) = match &event.body {
            Body::Message { blocks, .. } => (EventKind::Message, Some(blocks.as_slice())),
            Body::Thinking { .. } => (EventKind::Thinking, None),
            Body::ToolCall(call) => {
                assert_eq!(
                    Some(&call.tool).filter(|tool| !tool.is_empty()),
                    row.tool.as_ref()
                );
                assert_eq!(call.id, row.call_id);
                (EventKind::ToolCall, None)
            }
            Body::ToolOutput(output) => {
                assert_eq!(output.call_id, row.call_id);
                assert_eq!(output.is_error, row.is_error);
                assert_eq!(Some(output.evidence), row.evidence);
                assert_eq!(output.returned.is_some(), row.returned_bytes.is_some());
                assert_eq!(output.sent.is_some(), row.sent_bytes.is_some());
                (EventKind::ToolOutput, Some(output.blocks()))
            }
            Body::Cache(_) => (EventKind::Cache, None),
            Body::Note { .. } => (EventKind::Note, None),
            Body::System { .. } => (EventKind::System, None),
            Body::Unknown { .. } => (EventKind::Unknown, None),
            Body::Bad { .. } => (EventKind::Bad, None),
        };
        assert_eq!(kind, record.kind);
        let kinds: Vec<_> = blocks
            .unwrap_or_default()
            .iter()
            .map(toolreel::session::block::Block::kind)
            .collect();
        let listed: Vec<_> = row.blocks.iter().map(|block| block.kind).collect();
        assert_eq!(kinds, listed);
        if let Some(pair) = record.pair {
            let other = index.record(pair).unwrap();
            assert_ne!(other.kind, record.kind);
            assert_eq!(other.call_id, record.call_id);
        }
    }
}

#[test]
fn every_sample_is_named_and_counted() {
    let Some(shared) = shared() else { return };
    let mut failures = Vec::new();
    for (folder, format) in [
        ("claude-code", "claude-code"),
        ("anthropic-messages", "anthropic-messages"),
        ("openai-chat", "openai-chat"),
        ("groq", "openai-chat"),
        ("mistral", "openai-chat"),
        ("mcp", "mcp"),
        ("openai-responses", "openai-responses"),
        ("gemini-generate-content", "gemini-generate-content"),
        ("bedrock-converse", "bedrock-converse"),
    ] {
        for path in files(&shared.join("samples").join(folder)) {
            check(&path, format, &mut failures);
        }
    }
    for (file, format) in [
        ("a-rig-two-pages-read.json", "rig"),
        ("c-rig-page-size-20.json", "rig"),
        ("d0-rig-threshold-zero.json", "rig"),
        ("e-anthropic-messages.json", "anthropic-messages"),
        ("g-openai-responses.json", "openai-responses"),
        ("i-mcp-bare.jsonl", "mcp"),
        ("i2-mcp-wrapped-same-session.jsonl", "mcp"),
        ("k-claude-code.jsonl", "claude-code"),
    ] {
        let path = shared.join("samples/paged").join(file);
        check(&path, format, &mut failures);
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

fn check(path: &Path, format: &str, failures: &mut Vec<String>) {
    let session = open(path);
    let info = session.info();
    consistent(path, &session);
    let mut found = (0, 0);
    for value in values(&std::fs::read(path).unwrap()) {
        count(&value, format, &mut found);
    }
    let name = path.file_name().unwrap().to_string_lossy();
    println!("{name}: {info:?} counted {found:?}");
    if info.format.as_str() != format || (info.calls, info.outputs) != found || info.bad_lines > 0 {
        failures.push(format!("{name}: {info:?}, counted {found:?}"));
    }
}

fn open_bytes(bytes: Vec<u8>) -> Session {
    let session = Session::open(Input::Bytes {
        name: "record".to_owned(),
        bytes,
    })
    .unwrap();
    session.index_all().unwrap();
    session
}

/// The format of a corpus record, by the keys of its body.
fn body_format(provider: &str, request: &Value) -> &'static str {
    match provider {
        "anthropic" => "anthropic-messages",
        "bedrock" => "bedrock-converse",
        "gemini" => "gemini-generate-content",
        _ if request.get("input").is_some() => "openai-responses",
        _ => "openai-chat",
    }
}

#[test]
fn every_recorded_request_is_named_and_counted() {
    let Some(shared) = shared() else { return };
    let mut failures = Vec::new();
    let mut records = 0;
    for path in files(&shared.join("corpus")) {
        let provider = path.file_stem().unwrap().to_string_lossy().into_owned();
        let mut sum = (0, 0);
        for record in values(&std::fs::read(&path).unwrap()) {
            records += 1;
            let request = &record["request"];
            let format = body_format(&provider, request);
            let mut found = (0, 0);
            count(request, format, &mut found);
            sum = (sum.0 + found.0, sum.1 + found.1);
            // The body alone, compact and pretty, and the record that wraps it.
            for bytes in [
                serde_json::to_vec(request).unwrap(),
                serde_json::to_vec_pretty(request).unwrap(),
                serde_json::to_vec(&record).unwrap(),
            ] {
                let info = open_bytes(bytes).info();
                if info.format.as_str() != format
                    || (info.calls, info.outputs) != found
                    || info.bad_lines > 0
                {
                    failures.push(format!(
                        "{provider} {}: {info:?}, counted {found:?}",
                        record["id"]
                    ));
                }
            }
        }
        let session = open(&path);
        consistent(&path, &session);
        let info = session.info();
        println!("{provider}: {info:?} counted {sum:?}");
        if (info.calls, info.outputs) != sum {
            failures.push(format!("{provider}: {info:?}, counted {sum:?}"));
        }
    }
    assert!(records > 0);
    assert!(
        failures.is_empty(),
        "{} of {records}: {failures:#?}",
        failures.len()
    );
}
