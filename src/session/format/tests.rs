//! Every format by the shapes that its own makers document or write.

use serde_json::{Value, json};

use crate::session::FormatName;
use crate::session::block::{Block, BlockKind, EnvelopeKind, MediaSource};
use crate::session::event::{Body, EventId, EventKind, Evidence, Output};
use crate::session::list::Row;
use crate::session::tests::{open, rows};
use crate::session::{Input, Session};

mod agents;
mod bodies;

use EventKind::{Message, System, Thinking, ToolCall, ToolOutput, Unknown};

fn lines(lines: &[Value]) -> Session {
    let lines: Vec<_> = lines.iter().map(|line| format!("{line}\n")).collect();
    open(lines.concat())
}

fn document(value: &Value) -> Session {
    open(value.to_string())
}

fn kinds(session: &Session) -> Vec<EventKind> {
    rows(session).iter().map(|row| row.kind).collect()
}

fn body(session: &Session, index: usize) -> Body {
    session
        .event(EventId::from_index(index).unwrap())
        .unwrap()
        .body
}

fn output(session: &Session, index: usize) -> Output {
    match body(session, index) {
        Body::ToolOutput(output) => output,
        other => panic!("#{index}: {other:?}"),
    }
}

fn block_kinds(row: &Row) -> Vec<BlockKind> {
    row.blocks.iter().map(|block| block.kind).collect()
}

fn text(block: &Block) -> &str {
    match block {
        Block::Text(text) => text,
        other => panic!("{other:?}"),
    }
}

/// The examples in the documentation of the native format are what they say.
#[test]
fn native_examples_are_read() {
    let source = include_str!("native.rs");
    let examples: Vec<_> = source
        .lines()
        .filter_map(|line| line.strip_prefix("//! "))
        .filter(|line| line.starts_with('{'))
        .collect();
    let session = open(examples.join("\n"));
    assert_eq!(session.format(), FormatName::Native);
    use EventKind::{Cache, Note};
    assert_eq!(
        kinds(&session),
        [
            Message, Message, Thinking, ToolCall, ToolOutput, ToolOutput, Cache, Cache, Cache,
            System, Note
        ]
    );
    assert_eq!(session.captions().len(), 1);
    assert_eq!(session.head().result_cache.unwrap().page_size, 64);
    let paged = output(&session, 5);
    assert_eq!(paged.evidence, Evidence::Recorded);
    assert_eq!(paged.returned.unwrap()[0].kind(), BlockKind::Json);
    assert_eq!(paged.sent.unwrap()[0].kind(), BlockKind::Envelope);
    assert_eq!(
        paged.cacheable.value(),
        Some(&json!([{"number": 4612}, {"number": 4609}]))
    );
    let failed = output(&session, 6);
    assert!(failed.is_error);
    assert_eq!(text(&failed.sent.unwrap()[0]), "Permission denied");
    // The writer's types read and write the same lines.
    for example in &examples[1..] {
        let line: super::native::Line = serde_json::from_str(example).unwrap();
        let again: Value = serde_json::to_value(&line).unwrap();
        let mut told: Value = serde_json::from_str(example).unwrap();
        // A string of content is written as the one block that it is.
        if let Some(content) = told["content"].as_str() {
            told["content"] = json!([{"type": "text", "text": content}]);
        }
        assert_eq!(again, told);
    }
}

#[test]
fn rig_messages_of_three_dialects() {
    let dialects = [
        (json!("call_1"), json!("call_1")),
        (
            json!({"provider": {"call_id": "call_1"}}),
            json!({"provider": {"call_id": "call_1", "item_id": "i"}}),
        ),
        (json!({"provider": "call_1"}), json!({"provider": "call_1"})),
        (json!({"local": "call_1"}), json!({"local": "call_1"})),
    ];
    for (id, call) in dialects {
        let session = document(&json!([
            {"role": "system", "content": "s"},
            {"role": "user", "content": [{"type": "text", "text": "hi"},
                {"type": "image", "data": {"type": "raw", "value": [1, 2]}, "media_type": "png"}]},
            {"role": "assistant", "content": [
                {"type": "reasoning", "reasoning": ["a", "b"]},
                {"type": "toolcall", "id": id, "function": {"name": "lookup", "arguments": {"z": 1}}}]},
            {"role": "user", "content": [{"type": "toolresult", "call": call, "name": "lookup", "is_error": true,
                "content": [{"type": "json", "value": [1, 2]}]}]},
        ]));
        assert_eq!(session.format(), FormatName::Rig);
        assert_eq!(
            kinds(&session),
            [System, Message, Message, Thinking, ToolCall, ToolOutput]
        );
        let rows = rows(&session);
        assert_eq!((rows[4].pair, rows[5].pair), (Some(6), Some(5)));
        assert_eq!(rows[5].call_id.as_deref(), Some("call_1"));
        assert!(rows[5].is_error);
        assert_eq!(
            (rows[5].returned_bytes, rows[5].sent_bytes),
            (None, Some(5))
        );
        assert_eq!(output(&session, 6).cacheable.value(), Some(&json!([1, 2])));
        assert_eq!(
            body(&session, 4),
            Body::Thinking {
                text: "a\nb".to_owned()
            }
        );
    }
}

#[test]
fn older_rig_results_and_bare_outputs() {
    let session = document(&json!([
        {"role": "assistant", "content": [{"type": "toolcall", "id": "c", "call_id": "c", "function": {"name": "t", "arguments": {}}}]},
        {"role": "user", "content": [{"type": "toolresult", "id": "c", "content": [{"type": "text", "text": "ok"}]}]},
    ]));
    assert_eq!(rows(&session)[1].pair, Some(1));
    assert_eq!(rows(&session)[1].tool.as_deref(), Some("t"));
    // A text that holds JSON stays text: rig never parses it again.
    let bare = document(
        &json!([{"type": "text", "text": "[1]"}, {"type": "json", "value": {"a": 1}},
        {"type": "image", "data": {"type": "url", "value": "https://e.x/a.png"}}]),
    );
    assert_eq!(bare.format(), FormatName::Rig);
    assert_eq!(kinds(&bare), [ToolOutput]);
    assert_eq!(
        block_kinds(&rows(&bare)[0]),
        [BlockKind::Text, BlockKind::Json, BlockKind::Image]
    );
    assert_eq!(output(&bare, 1).cacheable.value(), None);
}

#[test]
fn mixtape_messages_and_sessions() {
    let result = |content: Value, status: &str| {
        json!({"role": "user", "content": [
        {"type": "tool_result", "tool_use_id": "call_1", "content": content, "status": status}]})
    };
    let session = document(&json!([
        {"role": "assistant", "content": [{"type": "text", "text": "t"},
            {"type": "tool_use", "id": "call_1", "name": "lookup", "input": {"q": "x"}},
            {"type": "thinking", "thinking": "t", "signature": "s"},
            {"type": "redacted_thinking", "data": "ZA=="}]},
        result(json!({"Text": "Error: x"}), "error"),
        result(json!({"Json": [1, 2, 3]}), "success"),
        result(json!({"Image": {"format": "png", "data": [137, 80]}}), "success"),
        result(json!({"Document": {"format": "pdf", "data": [37], "name": null}}), "success"),
    ]));
    assert_eq!(session.format(), FormatName::Mixtape);
    let found = rows(&session);
    assert_eq!(found.iter().filter(|row| row.kind == ToolOutput).count(), 4);
    assert!(found[4].is_error && !found[5].is_error);
    assert_eq!(found[5].items, Some(3));
    assert_eq!(
        output(&session, 6).cacheable.value(),
        Some(&json!([1, 2, 3]))
    );
    assert_eq!(
        (block_kinds(&found[6]), found[6].sent_bytes),
        (vec![BlockKind::Image], Some(2))
    );
    assert_eq!(block_kinds(&found[7]), [BlockKind::Document]);

    let session = document(
        &json!({"id": "u", "created_at": "2026-11-29T21:33:00Z", "directory": "/p", "messages": [
        {"role": "User", "content": "go", "tool_calls": [], "tool_results": [], "timestamp": "2026-11-29T21:33:00Z"},
        {"role": "Assistant", "content": "done", "timestamp": "2026-11-29T21:33:01Z",
         "tool_calls": [{"id": "t1", "name": "t", "input": "{\"kind\":\"image\"}"}],
         "tool_results": [{"tool_use_id": "t1", "success": false, "content": "[Image: Png, 3 bytes]"}]}]}),
    );
    assert_eq!(session.format(), FormatName::Mixtape);
    assert_eq!(kinds(&session), [Message, ToolCall, ToolOutput, Message]);
    assert!(rows(&session)[2].is_error);
    let Body::ToolCall(call) = body(&session, 2) else {
        panic!()
    };
    assert_eq!(call.arguments, json!({"kind": "image"}));
    assert_eq!(call.arguments_text.as_deref(), Some("{\"kind\":\"image\"}"));
}

#[test]
fn mcp_frames_of_every_kind() {
    let call = |id: u64| json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": "t", "arguments": {"a": 1}}});
    let session = lines(&[
        json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {}}),
        json!({"jsonrpc": "2.0", "id": 0, "error": {"code": -1, "message": "no"}}),
        call(1),
        json!({"jsonrpc": "2.0", "id": 1, "error": {"code": -32602, "message": "Unknown tool", "data": {"x": 1}}}),
        call(2),
        json!({"jsonrpc": "2.0", "id": 2, "result": {}}),
        call(3),
        json!({"jsonrpc": "2.0", "id": 3, "result": {"resultType": "input_required", "inputRequests": []}}),
        call(4),
        json!({"jsonrpc": "2.0", "id": 4, "result": {"content": [
            {"type": "text", "text": "[1]"}, {"type": "audio", "data": "AAEC", "mimeType": "audio/wav"},
            {"type": "resource", "resource": {"uri": "f:///a", "mimeType": "text/plain", "text": "é"}},
            {"type": "resource", "resource": {"uri": "f:///b", "blob": "AA=="}},
            {"type": "resource_link", "uri": "f:///c", "name": "c"}, {"type": "new"}],
            "structuredContent": {"result": [1, 2]}}}),
        json!({"jsonrpc": "2.0", "id": 9, "result": {"role": "assistant", "content": {"type": "text", "text": "sampled"}, "model": "m"}}),
        json!([{"jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": {"name": "u"}},
               {"jsonrpc": "2.0", "id": 5, "result": {"content": [], "isError": true}}]),
    ]);
    assert_eq!(session.format(), FormatName::Mcp);
    assert_eq!(
        kinds(&session),
        [
            System, System, ToolCall, ToolOutput, ToolCall, ToolOutput, ToolCall, System, ToolCall,
            ToolOutput, System, ToolCall, ToolOutput
        ]
    );
    let found = rows(&session);
    assert!(found[3].is_error);
    assert_eq!(block_kinds(&found[3]), [BlockKind::Text, BlockKind::Json]);
    assert_eq!(found[5].tool.as_deref(), Some("t"));
    use BlockKind::{Audio, Json, Resource, ResourceLink, Text};
    assert_eq!(
        block_kinds(&found[9]),
        [
            Text,
            Audio,
            Resource,
            Resource,
            ResourceLink,
            BlockKind::Unknown,
            Json
        ]
    );
    assert_eq!((found[9].blocks[1].bytes, found[9].blocks[2].bytes), (3, 2));
    assert!(found[9].blocks[6].structured_content);
    // rig-mcp takes structured content before any text.
    let answer = output(&session, 10);
    assert_eq!(answer.cacheable.value(), Some(&json!({"result": [1, 2]})));
    assert_eq!((answer.sent, answer.evidence), (None, Evidence::Server));
    assert!(found[12].is_error && found[12].blocks.is_empty());
    assert_eq!(session.info().unanswered_calls, 1);
}

#[test]
fn mcp_ids_of_another_type_are_other_ids() {
    let call = |id: Value| json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": "t", "arguments": {}}});
    let answer = |id: Value| json!({"jsonrpc": "2.0", "id": id, "result": {"content": []}});
    let session = lines(&[
        call(json!(2)),
        call(json!("2")),
        answer(json!("2")),
        answer(json!(2)),
    ]);
    session.index_all().unwrap();
    let pair = |index| {
        let record = session
            .index()
            .record(EventId::from_index(index).unwrap())
            .unwrap();
        record.pair.map(EventId::index)
    };
    assert_eq!([1, 2, 3, 4].map(pair), [4, 3, 2, 1].map(Some));
    assert_eq!(output(&session, 3).call_id.as_deref(), Some("2"));
}

#[test]
fn lines_of_plain_values_are_outputs() {
    let session = open("[1]\n[2]\n".to_owned());
    assert_eq!(kinds(&session), [ToolOutput, ToolOutput]);
    assert_eq!(output(&session, 2).cacheable.value(), Some(&json!([2])));
}

#[test]
fn mcp_logs_of_other_shapes() {
    let frame = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "t"}});
    let answer = json!({"jsonrpc": "2.0", "id": 1, "result": {"content": [{"type": "text", "text": "[1,2]"}]}});
    let desktop = open(format!(
        "2026-01-01T00:00:00.000Z [fs] [info] Server started\n2026-01-01T00:00:01.000Z [fs] [info] Message from client: {frame} {{ metadata: undefined }}\n2026-01-01T00:00:02.500Z [fs] [info] Message from server: {answer} {{ metadata: undefined }}\n"
    ));
    assert_eq!(desktop.format(), FormatName::Mcp);
    assert_eq!(kinds(&desktop), [System, ToolCall, ToolOutput]);
    let found = rows(&desktop);
    assert_eq!(found[2].time.as_deref(), Some("2026-01-01T00:00:02.500Z"));
    assert_eq!(found[2].pair, Some(2));
    // The first text block is read as JSON where nothing is structured.
    let answered = output(&desktop, 3);
    assert_eq!(answered.cacheable.value(), Some(&json!([1, 2])));
    let stream = open(format!(
        "event: message\ndata: {frame}\n\nevent: message\ndata: {answer}\n\n"
    ));
    assert_eq!(kinds(&stream), [System, ToolCall, System, ToolOutput]);
    let wrapped = lines(&[
        json!({"direction": "in", "timestamp": "2026-01-01T00:00:00Z", "message": frame}),
        json!({"direction": "out", "timestamp": 5, "message": answer}),
    ]);
    assert_eq!(kinds(&wrapped), [ToolCall, ToolOutput]);
    assert_eq!(
        rows(&wrapped)[1].time.as_deref(),
        Some("1970-01-01T00:00:00.005Z")
    );
    let bare =
        document(&json!({"content": [{"type": "text", "text": "no JSON"}], "isError": false}));
    assert_eq!(
        (bare.format(), kinds(&bare)),
        (FormatName::Mcp, vec![ToolOutput])
    );
}

#[test]
fn media_of_every_source_keeps_it() {
    let session = open(format!(
        "{{\"toolreel\":1}}\n{}\n",
        json!({"type": "tool_output", "returned": {"blocks": [
            {"type": "image", "data": {"type": "base64", "value": "AA"}},
            {"type": "image", "data": {"type": "raw", "value": [1]}},
            {"type": "image", "data": {"type": "url", "value": "u"}},
            {"type": "image", "data": {"type": "fileId", "value": "f"}},
            {"type": "image", "data": {"type": "string", "value": "s"}},
            {"type": "document", "data": {"type": "text", "value": "t"}},
            {"type": "image"}]}})
    ));
    let sources: Vec<_> = output(&session, 1)
        .returned
        .unwrap()
        .into_iter()
        .map(|block| match block {
            Block::Image(media) | Block::Document(media) => media.source,
            other => panic!("{other:?}"),
        })
        .collect();
    let text = |text: &str| text.to_owned();
    assert_eq!(
        sources,
        [
            MediaSource::Base64(text("AA")),
            MediaSource::Bytes(vec![1]),
            MediaSource::Url(text("u")),
            MediaSource::FileId(text("f")),
            MediaSource::String(text("s")),
            MediaSource::Text(text("t")),
            MediaSource::Absent,
        ]
    );
}
