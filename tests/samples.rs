//! Real recordings of others, read and held against a plain count over their parsed JSON.
//!
//! The recordings are not part of this repository: they are looked for in `shared/` beside the checkout,
//! or where `TOOLREEL_SHARED` says.

#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};

use serde_json::Value;
use toolreel::session::block::{Block, BlockKind, EnvelopeKind};
use toolreel::session::event::{Body, Call, EventId, EventKind, Evidence, Output};
use toolreel::session::list::Row;
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
                "openai-responses" | "codex-rollout" => match text("type") {
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
            "{} #{}",
            path.display(),
            id.index()
        );
        let event = reader.event(id).unwrap();
        let row = reader.row(id).unwrap();
        assert_eq!(row.kind, record.kind);
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
        let kinds: Vec<_> = blocks.unwrap_or_default().iter().map(Block::kind).collect();
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
        ("codex-rollout", "codex-rollout"),
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
            let mut forms = vec![serde_json::to_vec(&record).unwrap()];
            // The large ones hold nothing but more media.
            if forms[0].len() < 50_000 {
                forms.push(serde_json::to_vec(request).unwrap());
                forms.push(serde_json::to_vec_pretty(request).unwrap());
            }
            for bytes in forms {
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

fn truth(shared: &Path, name: &str) -> Value {
    let path = shared
        .join("samples/paged")
        .join(format!("{name}.truth.json"));
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

fn row(session: &Session, call_id: &str, kind: EventKind) -> Row {
    let index = session.index();
    let (id, _) = index
        .iter()
        .find(|(_, record)| {
            record.kind == kind && record.call_id.map(|name| index.name(name)) == Some(call_id)
        })
        .unwrap_or_else(|| panic!("{call_id} {kind:?}"));
    session.reader().row(id).unwrap()
}

fn output(session: &Session, row: &Row) -> Output {
    let id = EventId::from_index(row.index).unwrap();
    match session.event(id).unwrap().body {
        Body::ToolOutput(output) => output,
        other => panic!("{other:?}"),
    }
}

fn call(session: &Session, row: &Row) -> Call {
    let id = EventId::from_index(row.pair.unwrap()).unwrap();
    match session.event(id).unwrap().body {
        Body::ToolCall(call) => call,
        other => panic!("{other:?}"),
    }
}

/// The one value of an output, as JSON or read from its one text.
fn answer(output: &Output) -> Value {
    output
        .cacheable
        .value()
        .cloned()
        .unwrap_or_else(|| match output.blocks() {
            [Block::Text(text)] => Value::String(text.clone()),
            other => panic!("{other:?}"),
        })
}

/// What a request body itself knows of a paged session: envelopes, page answers, errors.
#[test]
fn requests_equal_their_truth() {
    let Some(shared) = shared() else { return };
    for (name, read_from_text) in [
        ("a-rig-two-pages-read", false),
        ("c-rig-page-size-20", false),
        ("d0-rig-threshold-zero", false),
        ("e-anthropic-messages", true),
        ("g-openai-responses", true),
    ] {
        let truth = truth(&shared, name);
        let session = open(&shared.join("samples/paged").join(format!("{name}.json")));
        for told in truth["outputs"].as_array().unwrap() {
            let row = row(
                &session,
                told["call_id"].as_str().unwrap(),
                EventKind::ToolOutput,
            );
            let output = output(&session, &row);
            assert_eq!(row.tool.as_deref(), told["tool"].as_str());
            assert_eq!(call(&session, &row).arguments, told["args"]);
            assert_eq!(row.returned_bytes, None);
            assert_eq!(row.evidence, Some(Evidence::Request));
            if told["cached"] == true {
                assert_eq!(row.sent_bytes, told["envelope_bytes"].as_u64());
                assert_eq!(row.items, told["returned_items"].as_u64());
                let [Block::Envelope(envelope)] = output.blocks() else {
                    panic!("no envelope");
                };
                assert_eq!(envelope.kind, EnvelopeKind::Cached);
                assert_eq!(envelope.read_from_text.is_some(), read_from_text);
                for (key, value) in told["envelope"].as_object().unwrap() {
                    if key == "first_page_items" {
                        let items = envelope.value["first_page"].as_array().unwrap().len();
                        assert_eq!(Some(items as u64), value.as_u64());
                    } else {
                        assert_eq!(&envelope.value[key], value, "{name} {key}");
                    }
                }
                assert_eq!(
                    envelope.value["first_page"].as_array().unwrap().len() as u64,
                    told["sent_items"].as_u64().unwrap()
                );
            } else {
                assert_eq!(row.sent_bytes, told["returned_bytes"].as_u64());
                assert_eq!(answer(&output).is_object(), told["value_kind"] == "object");
            }
        }
        let pages = truth["pages"].as_array().unwrap().iter();
        for told in pages.chain(truth["releases"].as_array().unwrap()) {
            let row = row(
                &session,
                told["call_id"].as_str().unwrap(),
                EventKind::ToolOutput,
            );
            let output = output(&session, &row);
            assert_eq!(call(&session, &row).arguments, told["request"]);
            assert_eq!(row.is_error, told["error"].is_string());
            let answer = answer(&output);
            if let Some(error) = told["error"].as_str() {
                assert_eq!(answer.as_str(), Some(error));
                continue;
            }
            for key in [
                "handle",
                "offset",
                "limit",
                "total_items",
                "next_page_token",
                "released",
            ] {
                if let Some(value) = told.get(key) {
                    assert_eq!(&answer[key], value);
                }
            }
            if let Some(bytes) = told.get("bytes") {
                assert_eq!(row.sent_bytes, bytes.as_u64());
                let items = answer["items"].as_array().unwrap().len();
                assert_eq!(Some(items as u64), told["items"].as_u64());
            }
        }
    }
}

#[test]
fn server_logs_equal_their_truth() {
    let Some(shared) = shared() else { return };
    for name in ["i-mcp-bare", "i2-mcp-wrapped-same-session"] {
        let truth = truth(&shared, name);
        let session = open(&shared.join("samples/paged").join(format!("{name}.jsonl")));
        let told = truth["outputs"].as_array().unwrap();
        assert_eq!(session.info().outputs, told.len() as u64);
        assert_eq!(session.info().events, truth["frames"].as_u64().unwrap());
        for told in told {
            let row = row(&session, &told["id"].to_string(), EventKind::ToolOutput);
            assert_eq!(u64::from(row.line), told["response_line"].as_u64().unwrap());
            assert_eq!(row.is_error, told["is_error"].as_bool().unwrap());
            assert_eq!(row.sent_bytes, None);
            assert_eq!(row.evidence, Some(Evidence::Server));
            let call_row = session
                .reader()
                .row(EventId::from_index(row.pair.unwrap()).unwrap())
                .unwrap();
            assert_eq!(
                u64::from(call_row.line),
                told["request_line"].as_u64().unwrap()
            );
            let call = call(&session, &row);
            assert_eq!(Some(call.tool.as_str()), told["tool"].as_str());
            assert_eq!(call.arguments, told["args"]);
            let structured = usize::from(!told["structured"].is_null());
            let content = told["content_blocks"].as_u64().unwrap() as usize;
            assert_eq!(row.blocks.len(), content + structured);
            let text: u64 = row
                .blocks
                .iter()
                .filter(|block| block.kind == BlockKind::Text)
                .map(|block| block.bytes)
                .sum();
            assert_eq!(Some(text), told["text_bytes"].as_u64());
            let output = output(&session, &row);
            let mut kinds: Vec<_> = output
                .blocks()
                .iter()
                .take(content)
                .map(|block| serde_json::to_value(block.kind()).unwrap())
                .collect();
            kinds.sort_by_key(Value::to_string);
            kinds.dedup();
            assert_eq!(Value::Array(kinds), told["block_types"]);
            if let Some(Block::Json(json)) = output.blocks().get(content) {
                assert!(json.structured_content);
            }
            // The array that the truth speaks of stands where it says.
            let rows = match told["rows_at"].as_str() {
                Some("/content/0/text (JSON text)") => output.cacheable.value().cloned(),
                Some(pointer) => {
                    let pointer = pointer.strip_prefix("/structuredContent").unwrap();
                    output
                        .cacheable
                        .value()
                        .and_then(|value| value.pointer(pointer))
                        .cloned()
                }
                None => None,
            };
            let bytes = rows.map(|rows| serde_json::to_string(&rows).unwrap().len() as u64);
            assert_eq!(bytes, told["returned_bytes"].as_u64());
        }
    }
}

#[test]
fn a_claude_code_log_holds_both_sides() {
    let Some(shared) = shared() else { return };
    let truth = truth(&shared, "k-claude-code");
    let session = open(&shared.join("samples/paged/k-claude-code.jsonl"));
    for told in truth["outputs"].as_array().unwrap() {
        let row = row(
            &session,
            told["call_id"].as_str().unwrap(),
            EventKind::ToolOutput,
        );
        let output = output(&session, &row);
        let chars = |blocks: Option<&[Block]>| {
            let texts = blocks.unwrap().iter().map(|block| match block {
                Block::Text(text) => text.chars().count() as u64,
                other => panic!("{other:?}"),
            });
            texts.sum::<u64>()
        };
        assert_eq!(
            Some(chars(output.returned.as_deref())),
            told["returned_chars"].as_u64()
        );
        assert_eq!(
            Some(chars(output.sent.as_deref())),
            told["sent_text_chars"].as_u64()
        );
        assert_eq!(row.evidence, Some(Evidence::Recorded));
    }
}

/// Recordings that are broken in one known way each: none is refused, and what is broken is only that.
#[test]
fn every_broken_recording_opens() {
    let Some(shared) = shared() else { return };
    for path in files(&shared.join("pain")) {
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let session = open(&path);
        consistent(&path, &session);
        let info = session.info();
        println!("{name}: {info:?}");
        let family = name.split_once('-').unwrap().1;
        let format = info.format.as_str();
        for (beginning, expected) in [
            ("anthropic", "anthropic-messages"),
            ("mcp-result", "mcp"),
            ("mcp-structured", "mcp"),
            ("mcp-error", "mcp"),
            ("gemini", "gemini-generate-content"),
            ("bedrock", "bedrock-converse"),
            ("openai-responses", "openai-responses"),
            ("ansi", "claude-code"),
        ] {
            if family.starts_with(beginning) {
                assert_eq!(format, expected, "{name}");
            }
        }
        assert_eq!(info.bad_lines, 0, "{name}");
        assert_ne!(format, "unknown");
        let mut found = (0, 0);
        for value in values(&std::fs::read(&path).unwrap()) {
            count(&value, format, &mut found);
        }
        // What only our reader can read: a lone surrogate.
        if !name.starts_with("14-") {
            assert_eq!((info.calls, info.outputs), found, "{name}");
        }
    }
}

/// Every file of every kind opens, also those whose format comes later.
#[test]
fn every_sample_opens() {
    let Some(shared) = shared() else { return };
    let mut folders = vec![shared.join("samples")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let session = open(&path);
            consistent(&path, &session);
            let info = session.info();
            println!(
                "{}: {info:?}",
                path.strip_prefix(&shared).unwrap().display()
            );
            assert!(info.events > 0, "{path:?}");
        }
    }
}
