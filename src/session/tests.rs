use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;
use std::time::Duration;

use proptest::prelude::*;
use serde_json::json;

use super::block::{Block, BlockKind};
use super::event::{Body, EventKind};
use super::list::Row;
use super::*;

pub(in crate::session) fn open(text: impl Into<Vec<u8>>) -> Session {
    let session = Session::open(Input::Bytes {
        name: "test".to_owned(),
        bytes: text.into(),
    })
    .unwrap();
    session.index_all().unwrap();
    session
}

pub(in crate::session) fn rows(session: &Session) -> Vec<Row> {
    let mut reader = session.reader();
    let index = session.index();
    index
        .iter()
        .map(|(id, _)| reader.row(id).unwrap())
        .collect()
}

/// Kind, tool, call id and pair of every event, for comparing with what should be there.
fn outline(session: &Session) -> Vec<(EventKind, String, String, usize)> {
    rows(session)
        .into_iter()
        .map(|row| {
            let text = |text: Option<String>| text.unwrap_or_default();
            (
                row.kind,
                text(row.tool),
                text(row.call_id),
                row.pair.unwrap_or_default(),
            )
        })
        .collect()
}

#[test]
fn demos_are_read() {
    for (name, events, bad) in [
        ("released-too-early", 29, 0),
        ("four-kinds", 14, 0),
        ("bricked", 11, 0),
        ("hostile", 23, 3),
    ] {
        let path = format!("{}/sessions/{name}.jsonl", env!("CARGO_MANIFEST_DIR"));
        let session = Session::open(Input::Path(path.into())).unwrap();
        session.index_all().unwrap();
        let info = session.info();
        assert_eq!(info.format, FormatName::Native);
        assert_eq!((info.events, info.bad_lines), (events, bad), "{name}");
        assert!(!session.captions().is_empty());
        assert!(session.head().title.is_some());
        let mut reader = session.reader();
        for (id, record) in session.index().iter() {
            let event = reader.event(id).unwrap();
            assert_eq!(
                matches!(event.body, Body::Bad { .. }),
                record.kind == EventKind::Bad
            );
            assert_eq!(event.faults.is_empty(), !record.faulty);
        }
    }
}

#[test]
fn broken_lines_cost_only_themselves() {
    let deep = "[".repeat(600);
    let text = format!(
        "\u{feff}{{\"toolreel\":1}}\r\n\r\n{{\"type\":\"note\",\"caption\":\"a\"}}\r\n{{\"type\":\"no\n{deep}\nplain\n{{\"type\":\"note\",\"caption\":\"\\ud800\"}}\n{{\"type\":\"note\",\"caption\":\"b\"}}"
    );
    let session = open(text.clone());
    let rows = rows(&session);
    let kinds: Vec<_> = rows.iter().map(|row| row.kind).collect();
    assert_eq!(
        kinds,
        [
            EventKind::Note,
            EventKind::Bad,
            EventKind::Bad,
            EventKind::Bad,
            EventKind::Note,
            EventKind::Note
        ]
    );
    let told: Vec<_> = rows
        .iter()
        .filter_map(|row| row.bad.clone())
        .map(|fault| (fault.reason, fault.offset))
        .collect();
    let line = |number: usize| {
        text.split_inclusive('\n')
            .take(number)
            .map(str::len)
            .sum::<usize>() as u64
    };
    assert_eq!(
        told,
        [
            ("cut off".to_owned(), line(4) - 1),
            ("deeper than 512 levels".to_owned(), line(4) + 512),
            ("expected a value".to_owned(), line(5)),
        ]
    );
    assert_eq!(rows[0].line, 3);
    assert_eq!(rows[0].offset, line(2));
    assert_eq!(rows[0].bytes, 29);
    assert_eq!(rows[4].faults.len(), 1);
    assert_eq!(rows[4].faults[0].reason, "lone surrogate");
    assert_eq!(session.info().bad_lines, 3);
}

#[test]
fn calls_and_outputs_are_paired() {
    use EventKind::{ToolCall, ToolOutput};
    let call = |id: &str, tool: &str| json!({"type": "tool_call", "id": id, "tool": tool});
    let output = |id: &str| json!({"type": "tool_output", "id": id, "returned": {"value": 1}});
    let lines = [
        json!({"toolreel": 1}),
        output("early"),
        call("a", "x"),
        call("a", "y"),
        call("never", "z"),
        output("a"),
        output("a"),
        output("a"),
        call("early", "w"),
        output("orphan"),
        json!({"type": "tool_call", "tool": "p"}),
        json!({"type": "tool_call", "tool": "q"}),
        json!({"type": "tool_output", "tool": "q", "returned": {"value": 1}}),
        json!({"type": "tool_output", "returned": {"value": 1}}),
    ];
    let text: Vec<_> = lines.iter().map(|line| format!("{line}\n")).collect();
    let text = text.concat();
    let session = open(text);
    let row = |kind, tool: &str, id: &str, pair| (kind, tool.to_owned(), id.to_owned(), pair);
    assert_eq!(
        outline(&session),
        [
            row(ToolOutput, "", "early", 8),
            row(ToolCall, "x", "a", 5),
            row(ToolCall, "y", "a", 6),
            row(ToolCall, "z", "never", 0),
            row(ToolOutput, "x", "a", 2),
            row(ToolOutput, "y", "a", 3),
            row(ToolOutput, "x", "a", 2),
            row(ToolCall, "w", "early", 1),
            row(ToolOutput, "", "orphan", 0),
            row(ToolCall, "p", "", 13),
            row(ToolCall, "q", "", 12),
            row(ToolOutput, "q", "", 11),
            row(ToolOutput, "p", "", 10),
        ]
    );
    let info = session.info();
    assert_eq!((info.calls, info.outputs), (6, 7));
    assert_eq!((info.unanswered_calls, info.orphan_outputs), (1, 1));
    let find = |selector: &str| session.find(selector).map(EventId::index);
    assert_eq!(find("a"), Some(2));
    assert_eq!(find("orphan"), Some(9));
    assert_eq!(find("#13"), Some(13));
    assert_eq!((find("#14"), find("#0"), find("x")), (None, None, None));
}

#[test]
fn what_nobody_knows_opens_too() {
    let info = |text: &str| open(text).info();
    let format = |text: &str| info(text).format.as_str();
    assert_eq!((format(""), info("").events), ("unknown", 0));
    assert_eq!((format(" \n"), info(" \n").events), ("unknown", 0));
    assert_eq!(
        (format("hello\nworld"), info("hello\nworld").outputs),
        ("text", 1)
    );
    assert_eq!((format("[1,2,3]"), info("[1,2,3]").outputs), ("json", 1));
    assert_eq!(
        (format("{\"a\":\n1}"), info("{\"a\":\n1}").outputs),
        ("json", 1)
    );
    assert_eq!((format("7"), info("7").outputs), ("json", 1));
    let lines = "{\"a\":1}\n{\"a\":2}\n";
    assert_eq!(
        (format(lines), info(lines).events, info(lines).outputs),
        ("json", 2, 0)
    );
    assert_eq!(
        open("\0\u{1}\u{2}".as_bytes()).info().format.as_str(),
        "unknown"
    );
    let array = open("[1, 2.50,\n\"x\"]");
    let row = &rows(&array)[0];
    assert_eq!((row.returned_bytes, row.items), (Some(11), Some(3)));
    let text = open("a\u{1b}[0mé");
    let Body::ToolOutput(output) = text.event(EventId::from_position(0)).unwrap().body else {
        panic!("an output");
    };
    assert_eq!(
        output.returned,
        Some(vec![Block::Text("a\u{1b}[0mé".to_owned())])
    );
}

#[test]
fn a_cut_document_keeps_its_messages() {
    let text = r#"{"model":"m","messages":[{"role":"user","content":"a"},
        {"role":"assistant","content":null,"tool_calls":[{"id":"c","function":{"name":"f","arguments":"{}"}}]},
        {"role":"tool","tool_call_id":"c","cont"#;
    let session = open(text);
    let rows = rows(&session);
    assert_eq!(session.format(), FormatName::OpenaiChat);
    let kinds: Vec<_> = rows.iter().map(|row| row.kind).collect();
    assert_eq!(
        kinds,
        [EventKind::Message, EventKind::ToolCall, EventKind::Bad]
    );
    assert_eq!(rows[2].bad.as_ref().unwrap().reason, "cut off");
    assert_eq!(
        rows.iter().map(|row| row.line).collect::<Vec<_>>(),
        [1, 2, 3]
    );
}

#[test]
fn a_document_may_have_one_broken_element() {
    let text = r#"{"messages":[{"role":"user","content":"a"},{"role":"user" "content":"b"},{"role":"tool","tool_call_id":"x","content":"c"}]}"#;
    let session = open(text);
    let info = session.info();
    assert_eq!((info.events, info.bad_lines, info.outputs), (3, 1, 1));
}

/// Some recordings with everything in them.
fn recordings() -> Vec<Vec<u8>> {
    let mut all: Vec<Vec<u8>> = ["released-too-early", "four-kinds", "bricked", "hostile"]
        .iter()
        .map(|name| {
            let path = format!("{}/sessions/{name}.jsonl", env!("CARGO_MANIFEST_DIR"));
            std::fs::read(path).unwrap()
        })
        .collect();
    let filler = "x\"\\é".repeat(12_000);
    let messages: Vec<_> = (0..20)
        .flat_map(|number| {
            let id = format!("call_{number}");
            [
                json!({"role": "assistant", "content": [{"type": "tool_use", "id": id, "name": "t", "input": {"n": number}}]}),
                json!({"role": "user", "content": [{"type": "tool_result", "tool_use_id": id, "content": filler}]}),
            ]
        })
        .collect();
    let body = json!({"model": "m", "system": "be brief", "messages": messages});
    all.push(serde_json::to_vec(&body).unwrap());
    all.push(serde_json::to_vec_pretty(&body).unwrap());
    all
}

#[test]
fn an_index_in_pieces_is_the_index_at_once() {
    for bytes in recordings() {
        let whole = open(bytes.clone());
        let pieces = Session::open(Input::Bytes {
            name: "test".to_owned(),
            bytes,
        })
        .unwrap();
        let budget = Budget {
            bytes: 1,
            time: Duration::ZERO,
        };
        let mut steps = 0;
        while !pieces.index_some(budget).unwrap().complete {
            steps += 1;
            assert!(pieces.index().len() <= whole.index().len());
        }
        assert!(steps > 0 || whole.len_bytes() < 300_000);
        assert_eq!(rows(&pieces), rows(&whole));
        assert_eq!(pieces.info(), whole.info());
    }
}

fn append(path: &Path, bytes: &[u8]) {
    let mut file = OpenOptions::new()
        .append(true)
        .create(true)
        .open(path)
        .unwrap();
    file.write_all(bytes).unwrap();
}

/// Lets a session see what happened to its file.
fn follow(session: &Session) -> Change {
    let change = session.refresh().unwrap();
    session.index_all().unwrap();
    change
}

#[test]
fn a_growing_file_costs_nothing_twice() {
    let folder = tempfile::tempdir().unwrap();
    for (number, bytes) in recordings().into_iter().enumerate() {
        let path = folder.path().join(number.to_string());
        append(&path, &bytes[..40]);
        let session = Session::open(Input::Path(path.clone())).unwrap();
        session.index_all().unwrap();
        let mut at = 40;
        let mut step = 1;
        while at < bytes.len() {
            step = (step * 7 + 13) % 40_000;
            // A document that grows is read again from its beginning: fewer steps of those.
            let factor = if session.format() == FormatName::Native {
                1
            } else {
                30
            };
            let next = (at + step * factor).min(bytes.len());
            append(&path, &bytes[at..next]);
            at = next;
            // Sometimes it rests in the middle of a line, which is then shown as it is.
            for _ in 0..step % 3 {
                follow(&session);
            }
        }
        while follow(&session) != Change::Unchanged {}
        let whole = open(bytes);
        assert_eq!(rows(&session), rows(&whole));
        assert_eq!(session.info(), whole.info());
    }
}

#[test]
fn half_a_line_waits_and_is_shown_when_nothing_comes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("r");
    append(
        &path,
        b"{\"toolreel\":1}\n{\"type\":\"note\",\"caption\":\"a\"}\n",
    );
    let session = Session::open(Input::Path(path.clone())).unwrap();
    session.index_all().unwrap();
    let generation = session.index().generation();
    append(&path, b"{\"type\":\"no");
    assert_eq!(follow(&session), Change::Grew);
    assert_eq!(session.index().len(), 1);
    assert_eq!(follow(&session), Change::Grew);
    assert_eq!(session.index().len(), 2);
    assert_eq!(session.info().bad_lines, 1);
    assert_eq!(follow(&session), Change::Unchanged);
    append(&path, b"te\",\"caption\":\"b\"}");
    assert_eq!(follow(&session), Change::Grew);
    assert_eq!((session.info().events, session.info().bad_lines), (2, 0));
    append(&path, b"\n");
    follow(&session);
    assert_eq!((session.info().events, session.info().bad_lines), (2, 0));
    assert_eq!(session.index().generation(), generation);
}

#[test]
fn a_replaced_file_starts_anew() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("r");
    let note = |text: &str| format!("{{\"type\":\"note\",\"caption\":\"{text}\"}}\n");
    let header = "{\"toolreel\":1}\n";
    append(
        &path,
        format!("{header}{}{}", note("a"), note("b")).as_bytes(),
    );
    let session = Session::open(Input::Path(path.clone())).unwrap();
    session.index_all().unwrap();
    let read = |session: &Session| {
        rows(session)
            .iter()
            .map(|row| row.offset)
            .collect::<Vec<_>>()
    };
    let before = session.reader();
    assert_eq!(read(&session).len(), 2);
    // Truncated in place, while somebody still looks at what was there.
    std::fs::write(&path, format!("{header}{}", note("c"))).unwrap();
    let mut stale = before;
    assert!(stale.event(EventId::from_position(1)).is_err());
    assert_eq!(follow(&session), Change::Replaced);
    assert_eq!((read(&session).len(), session.index().generation()), (1, 1));
    // Another file under the name.
    let other = folder.path().join("other");
    std::fs::write(
        &other,
        format!("{header}{}{}{}", note("d"), note("e"), note("f")),
    )
    .unwrap();
    std::fs::rename(&other, &path).unwrap();
    assert_eq!(follow(&session), Change::Replaced);
    assert_eq!((read(&session).len(), session.index().generation()), (3, 2));
    // Rewritten with the same length.
    std::fs::write(
        &path,
        format!("{header}{}{}{}", note("g"), note("e"), note("f")),
    )
    .unwrap();
    assert_eq!(follow(&session), Change::Replaced);
    std::fs::remove_file(&path).unwrap();
    assert_eq!(follow(&session), Change::Gone);
    assert_eq!(rows(&session).len(), 3);
}

#[test]
fn an_empty_file_becomes_what_is_written_to_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("r");
    append(&path, b"");
    let session = Session::open(Input::Path(path.clone())).unwrap();
    session.index_all().unwrap();
    assert_eq!(session.format(), FormatName::Unknown);
    append(
        &path,
        b"{\"toolreel\":1}\n{\"type\":\"note\",\"caption\":\"a\"}\n",
    );
    follow(&session);
    assert_eq!(
        (session.format(), session.info().events),
        (FormatName::Native, 1)
    );
}

/// Bytes that look a little like recordings.
fn almost_recordings() -> impl Strategy<Value = Vec<u8>> {
    let words: Vec<&'static str> = vec![
        "{",
        "}",
        "[",
        "]",
        "\"",
        ":",
        ",",
        "\n",
        "\\",
        "\\u",
        "d800",
        "null",
        "1",
        "é",
        "\0",
        "\"role\":",
        "\"user\"",
        "\"content\":",
        "\"messages\":[",
        "\"type\":",
        "\"tool_use\"",
        "\"tool_result\"",
        "\"toolcall\"",
        "\"id\":",
        "\"jsonrpc\":\"2.0\"",
        "\"result\":",
        "\"parts\":[",
        "\"functionCall\":",
        "\"input\":[",
        "\"toolUse\":",
        "{\"toolreel\":1}\n",
        "\"uuid\":\"u\"",
        "\"message\":{",
        "\"toolUseResult\":",
        "\"request\":{",
        "\"system\":",
        "\"tool_calls\":[",
        "\"choices\":[",
        "\"text\"",
        "data: {",
        "\u{feff}",
    ];
    prop::collection::vec(prop::sample::select(words), 0..60)
        .prop_map(|words| words.concat().into_bytes())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn nothing_is_refused(bytes in almost_recordings()) {
        let session = open(bytes.clone());
        let mut reader = session.reader();
        let index = session.index();
        let mut end = 0;
        for (id, record) in index.iter() {
            let range = record.offset as usize..(record.offset + record.bytes) as usize;
            prop_assert_eq!(reader.raw(id).unwrap(), &bytes[range]);
            prop_assert!(record.offset + record.bytes >= end);
            end = record.offset + record.bytes;
            let event = reader.event(id).unwrap();
            let row = reader.row(id).unwrap();
            if let Body::ToolOutput(output) = &event.body {
                let kinds: Vec<_> = output.blocks().iter().map(Block::kind).collect();
                let listed: Vec<_> = row.blocks.iter().map(|block| block.kind).collect();
                prop_assert_eq!(kinds, listed);
            }
        }
    }
}

#[test]
fn a_block_is_as_large_as_its_value() {
    let blocks = json!([
        {"type": "text", "text": "é\n\u{1f600}"},
        {"type": "json", "value": {"a": [1.10, 1e2, "\u{e9}/"]}},
        {"type": "image", "media_type": "png", "data": {"type": "base64", "value": "AAECAw=="}},
        {"type": "document", "format": "pdf", "name": "n", "data": {"type": "raw", "value": [1, 2, 3]}},
        {"type": "image", "data": {"type": "url", "value": "data:image/gif;base64,AAEC"}},
        {"type": "audio", "data": {"type": "url", "value": "https://e.x/a"}},
        {"type": "odd", "x": 1},
    ]);
    let line = json!({"type": "tool_output", "id": "a", "returned": {"blocks": blocks}});
    let session = open(format!("{{\"toolreel\":1}}\n{line}\n"));
    let row = &rows(&session)[0];
    let sizes: Vec<_> = row
        .blocks
        .iter()
        .map(|block| (block.kind, block.bytes))
        .collect();
    assert_eq!(
        sizes,
        [
            (BlockKind::Text, 7),
            (BlockKind::Json, 23),
            (BlockKind::Image, 4),
            (BlockKind::Document, 3),
            (BlockKind::Image, 3),
            (BlockKind::Audio, 0),
            (BlockKind::Unknown, 20),
        ]
    );
    assert_eq!(row.returned_bytes, Some(60));
    assert_eq!(row.sent_bytes, Some(60));
    assert_eq!(row.blocks[4].media_type.as_deref(), Some("image/gif"));
}
