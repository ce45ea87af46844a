//! Every format by the shapes that its own makers document or write.

use serde_json::{Value, json};

use crate::session::FormatName;
use crate::session::block::{Block, BlockKind, EnvelopeKind, MediaSource};
use crate::session::event::{Body, EventId, EventKind, Evidence, Output};
use crate::session::list::Row;
use crate::session::tests::{open, rows};
use crate::session::{Input, Session};

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
fn anthropic_bodies() {
    let session = document(
        &json!({"model": "m", "system": [{"type": "text", "text": "s"}], "messages": [
        {"role": "user", "content": "hi"},
        {"role": "assistant", "content": [
            {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {}},
            {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": {"type": "web_search_tool_result_error", "error_code": "x"}},
            {"type": "tool_use", "id": "a", "name": "t", "input": {"q": 1}},
            {"type": "tool_use", "id": "b", "name": "t", "input": {}}]},
        {"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": "b", "content": [
                {"type": "image", "source": {"type": "file", "file_id": "f"}},
                {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "é"}, "title": "d"},
                {"type": "search_result", "source": "s", "title": "t", "content": []}]},
            {"type": "tool_result", "tool_use_id": "a", "is_error": true},
            {"type": "text", "text": "and?"}]}]}),
    );
    assert_eq!(session.format(), FormatName::AnthropicMessages);
    assert_eq!(
        kinds(&session),
        [
            System, Message, ToolCall, ToolOutput, ToolCall, ToolCall, ToolOutput, ToolOutput,
            Message
        ]
    );
    let found = rows(&session);
    assert!(found[2].server && found[3].server && found[3].is_error);
    let info = session.info();
    assert_eq!((info.calls, info.outputs, info.orphan_outputs), (2, 2, 0));
    assert_eq!((found[6].pair, found[7].pair), (Some(6), Some(5)));
    assert_eq!(
        block_kinds(&found[6]),
        [BlockKind::Image, BlockKind::Document, BlockKind::Unknown]
    );
    assert_eq!(found[6].blocks[1].bytes, 2);
    assert!(found[7].is_error && found[7].blocks.is_empty());
    assert_eq!(
        (found[7].sent_bytes, found[7].returned_bytes),
        (Some(0), None)
    );

    let response = document(
        &json!({"id": "msg", "type": "message", "role": "assistant", "stop_reason": "tool_use",
        "content": [{"type": "text", "text": "x"}, {"type": "tool_use", "id": "c", "name": "t", "input": {}}]}),
    );
    assert_eq!(
        (response.format(), kinds(&response)),
        (FormatName::AnthropicMessages, vec![Message, ToolCall])
    );
    let both = document(
        &json!({"request": {"messages": [{"role": "user", "content": "q"}]},
        "response": {"type": "message", "role": "assistant", "stop_reason": "tool_use",
            "content": [{"type": "tool_use", "id": "c", "name": "t", "input": {}}]}}),
    );
    assert_eq!(
        (both.format(), kinds(&both)),
        (FormatName::AnthropicMessages, vec![Message, ToolCall])
    );
}

#[test]
fn openai_chat_bodies_and_their_clones() {
    let session = document(&json!({"model": "m", "messages": [
        {"role": "developer", "content": "s"},
        {"role": "user", "content": [{"type": "text", "text": "hi"}, {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAEC", "detail": "low"}}]},
        {"role": "assistant", "reasoning_content": "hm", "content": "", "tool_calls": [
            {"id": "a", "type": "function", "function": {"name": "f", "arguments": "{\"x\":1}"}},
            {"id": "b", "type": "custom", "custom": {"name": "g", "input": "free text"}},
            {"id": "c", "type": "function", "function": {"name": "h", "arguments": "{not json"}},
            {"function": {"name": "o", "arguments": {"y": 2}}}]},
        {"role": "tool", "tool_call_id": "a", "content": "[1, 2]"},
        {"role": "tool", "tool_call_id": "b", "content": [{"type": "text", "text": "x"}, {"type": "text", "text": "y"}]},
        {"role": "tool", "tool_name": "o", "content": "z", "images": ["AAEC"]},
        {"role": "assistant", "content": null, "function_call": {"name": "old", "arguments": "{}"}},
        {"role": "function", "name": "old", "content": "{\"handle\":\"h\",\"total_items\":3,\"page_size\":1,\"first_page\":[1],\"truncated\":true,\"omitted_items\":2}"}]}));
    assert_eq!(session.format(), FormatName::OpenaiChat);
    assert_eq!(
        kinds(&session),
        [
            System, Message, Message, Thinking, ToolCall, ToolCall, ToolCall, ToolCall, ToolOutput,
            ToolOutput, ToolOutput, ToolCall, ToolOutput
        ]
    );
    let call = |index| match body(&session, index) {
        Body::ToolCall(call) => (call.arguments, call.arguments_text),
        other => panic!("{other:?}"),
    };
    assert_eq!(call(5), (json!({"x": 1}), Some("{\"x\":1}".to_owned())));
    assert_eq!(call(6), (json!("free text"), Some("free text".to_owned())));
    assert_eq!(call(7), (json!("{not json"), Some("{not json".to_owned())));
    assert_eq!(call(8), (json!({"y": 2}), None));
    let found = rows(&session);
    assert_eq!(found[8].items, Some(2));
    assert_eq!(output(&session, 9).cacheable.value(), Some(&json!([1, 2])));
    assert_eq!(output(&session, 10).cacheable.value(), None);
    assert_eq!(
        (found[10].pair, block_kinds(&found[10])),
        (Some(8), vec![BlockKind::Text, BlockKind::Image])
    );
    let Block::Envelope(envelope) = &output(&session, 13).sent.unwrap()[0] else {
        panic!()
    };
    assert_eq!(envelope.kind, EnvelopeKind::Cached);
    assert!(envelope.read_from_text.is_some());
    assert_eq!(
        (found[12].items, found[12].blocks[0].read_from_text),
        (Some(3), true)
    );
    assert_eq!(
        (
            found[2].blocks[0].bytes,
            found[2].blocks[0].media_type.as_deref()
        ),
        (3, Some("image/png"))
    );
}

#[test]
fn openai_chat_lines_are_conversations_of_their_own() {
    let line = |answer: &str| {
        json!({"messages": [
        {"role": "assistant", "content": null, "tool_calls": [{"id": "same", "type": "function", "function": {"name": "f", "arguments": "{}"}}]},
        {"role": "tool", "tool_call_id": "same", "content": answer}]})
    };
    let session = lines(&[line("1"), line("2"), line("3")]);
    assert_eq!(session.format(), FormatName::OpenaiChat);
    let pairs: Vec<_> = rows(&session).iter().map(|row| row.pair).collect();
    assert_eq!(
        pairs,
        [Some(2), Some(1), Some(4), Some(3), Some(6), Some(5)]
    );
}

#[test]
fn openai_responses_items() {
    let session = document(&json!({"model": "m", "instructions": "s", "input": [
        {"role": "user", "content": "hi"},
        {"type": "reasoning", "summary": [{"type": "summary_text", "text": "thought"}]},
        {"type": "function_call", "id": "fc_1", "call_id": "c1", "name": "f", "arguments": "{}"},
        {"type": "custom_tool_call", "call_id": "c2", "name": "g", "input": "raw"},
        {"type": "function_call_output", "call_id": "c1", "output": [{"type": "input_text", "text": "x"}, {"type": "input_image", "image_url": "https://e.x/i"}]},
        {"type": "custom_tool_call_output", "call_id": "c2", "output": "y"},
        {"type": "web_search_call", "id": "ws", "status": "completed", "action": {"query": "q"}},
        {"type": "mcp_call", "id": "m", "name": "t", "arguments": "{}", "output": "out", "error": null},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "z"}]},
        {"type": "brand_new"}]}));
    assert_eq!(session.format(), FormatName::OpenaiResponses);
    assert_eq!(
        kinds(&session),
        [
            System, Message, Thinking, ToolCall, ToolCall, ToolOutput, ToolOutput, ToolCall,
            ToolCall, ToolOutput, Message, Unknown
        ]
    );
    let info = session.info();
    assert_eq!((info.calls, info.outputs, info.unanswered_calls), (2, 2, 0));
    assert_eq!(
        body(&session, 3),
        Body::Thinking {
            text: "thought".to_owned()
        }
    );
    let found = rows(&session);
    assert_eq!(found[5].pair, Some(4));
    assert!(found[7].server && found[9].server);
    assert_eq!(found[9].pair, Some(9));
}

#[test]
fn gemini_contents_in_both_spellings() {
    let session = document(
        &json!({"systemInstruction": {"parts": [{"text": "s"}]}, "contents": [
        {"parts": [{"text": "hi"}]},
        {"role": "model", "parts": [{"text": "hm", "thought": true},
            {"functionCall": {"name": "a", "args": {"x": 1}}, "thoughtSignature": "s"},
            {"function_call": {"name": "b", "args": {}}}]},
        {"role": "user", "parts": [
            {"function_response": {"name": "b", "response": {"result": [1, 2]}}},
            {"functionResponse": {"name": "a", "response": {"result": "plain"}, "parts": [{"inline_data": {"mime_type": "image/jpeg", "data": "_9j_4A"}}]}},
            {"functionResponse": {"name": "late", "response": {"error": "no"}}}]}]}),
    );
    assert_eq!(session.format(), FormatName::GeminiGenerateContent);
    assert_eq!(
        kinds(&session),
        [
            System, Message, Thinking, ToolCall, ToolCall, ToolOutput, ToolOutput, ToolOutput
        ]
    );
    let found = rows(&session);
    assert_eq!(
        (found[5].pair, found[6].pair, found[7].pair),
        (Some(5), Some(4), None)
    );
    // The wire's own wrapper is no part of the value.
    assert_eq!((found[5].sent_bytes, found[5].items), (Some(5), Some(2)));
    assert_eq!(output(&session, 6).cacheable.value(), Some(&json!([1, 2])));
    assert_eq!(block_kinds(&found[6]), [BlockKind::Text, BlockKind::Image]);
    assert_eq!(found[6].sent_bytes, Some(5 + 4));
    assert!(found[7].is_error);
}

#[test]
fn bedrock_bodies_and_logs() {
    let request = json!({"messages": [
        {"role": "user", "content": [{"text": "hi"}, {"cachePoint": {"type": "default"}}]},
        {"role": "assistant", "content": [{"reasoningContent": {"reasoningText": {"text": "hm"}}},
            {"toolUse": {"toolUseId": "a", "name": "t", "input": {}}},
            {"toolUse": {"toolUseId": "b", "name": "nova_grounding", "input": {}, "type": "server_tool_use"}}]},
        {"role": "user", "content": [{"toolResult": {"toolUseId": "a", "status": "error", "content": [
            {"text": "x"}, {"json": {"result": [1]}}, {"json": {"b": 1, "a": 2}},
            {"document": {"format": "csv", "name": "n", "source": {"bytes": [1, 2, 3]}}},
            {"image": {"format": "png", "source": {"s3Location": {"uri": "s3://b/k"}}}}]}}]}]});
    for value in [
        request.clone(),
        json!({"schemaType": "ModelInvocationLog", "modelId": "m", "input": {"inputBodyJson": request}, "output": {"outputBodyJson": {}}}),
    ] {
        let session = document(&value);
        assert_eq!(session.format(), FormatName::BedrockConverse);
        let found = rows(&session);
        let kinds: Vec<_> = found.iter().map(|row| row.kind).take(6).collect();
        assert_eq!(
            kinds,
            [Message, System, Thinking, ToolCall, ToolCall, ToolOutput]
        );
        assert!(found[4].server && found[5].is_error);
        assert_eq!((session.info().calls, session.info().outputs), (2, 1));
        use BlockKind::{Document, Image, Json, Text};
        assert_eq!(block_kinds(&found[5]), [Text, Json, Json, Document, Image]);
        let sizes: Vec<_> = found[5].blocks.iter().map(|block| block.bytes).collect();
        assert_eq!(sizes, [1, 3, 13, 3, 0]);
    }
    let response = document(
        &json!({"output": {"message": {"role": "assistant", "content": [{"toolUse": {"toolUseId": "a", "name": "t", "input": {}}}]}}, "stopReason": "tool_use"}),
    );
    assert_eq!(
        (response.format(), kinds(&response)),
        (FormatName::BedrockConverse, vec![ToolCall])
    );
}

fn claude(content: &Value, result: Option<Value>) -> Value {
    let mut line = json!({"type": "user", "uuid": "u", "sessionId": "s", "timestamp": "2026-01-01T00:00:00Z",
        "message": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": content}]}});
    if let Some(result) = result {
        line["toolUseResult"] = result;
    }
    line
}

#[test]
fn claude_code_tells_what_tools_returned() {
    let cases = [
        (
            json!({"stdout": "out", "stderr": "err"}),
            vec![("out", BlockKind::Text), ("err", BlockKind::Text)],
        ),
        (
            json!({"stdout": "", "stderr": ""}),
            vec![("", BlockKind::Text)],
        ),
        (
            json!({"stdout": "", "stderr": "err"}),
            vec![("err", BlockKind::Text)],
        ),
        (json!("Error: no"), vec![("Error: no", BlockKind::Text)]),
        (
            json!([{"type": "text", "text": "mcp"}]),
            vec![("mcp", BlockKind::Text)],
        ),
        (
            json!({"type": "text", "file": {"filePath": "/a", "content": "file", "numLines": 1}}),
            vec![("file", BlockKind::Text)],
        ),
        (
            json!({"type": "image", "file": {"base64": "AAEC", "type": "image/png"}}),
            vec![("", BlockKind::Image)],
        ),
        (
            json!({"content": [{"type": "text", "text": "agent"}], "totalTokens": 5}),
            vec![("agent", BlockKind::Text)],
        ),
        (
            json!({"mode": "content", "content": "hits", "numFiles": 0}),
            vec![("hits", BlockKind::Text)],
        ),
        (
            json!({"url": "https://e.x", "result": "page", "bytes": 9}),
            vec![("page", BlockKind::Text)],
        ),
        (
            json!({"stdout": "data:image/png;base64,AAEC", "stderr": "", "isImage": true}),
            vec![("", BlockKind::Image)],
        ),
        (
            json!({"filenames": ["a"], "numFiles": 1}),
            vec![("", BlockKind::Json)],
        ),
    ];
    for (told, expected) in cases {
        let session = lines(&[claude(&json!("sent"), Some(told.clone()))]);
        assert_eq!(session.format(), FormatName::ClaudeCode);
        let output = output(&session, 1);
        assert_eq!(output.evidence, Evidence::Recorded);
        assert_eq!(text(&output.sent.unwrap()[0]), "sent");
        let found: Vec<_> = output
            .returned
            .unwrap()
            .iter()
            .map(|block| match block {
                Block::Text(text) => (text.clone(), BlockKind::Text),
                other => (String::new(), other.kind()),
            })
            .collect();
        let found: Vec<_> = found
            .iter()
            .map(|(text, kind)| (text.as_str(), *kind))
            .collect();
        assert_eq!(found, expected, "{told}");
    }
    let session = lines(&[claude(&json!([{"type": "text", "text": "sent"}]), None)]);
    let row = &rows(&session)[0];
    assert_eq!(
        (row.returned_bytes, row.sent_bytes, row.evidence),
        (None, Some(4), Some(Evidence::Log))
    );
}

#[test]
fn claude_code_side_files_are_read_only_beside_the_recording() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.jsonl");
    let sent = |path: &str| {
        format!(
            "<persisted-output>\nOutput too large (9KB). Full output saved to: {path}\n\nPreview (first 2KB):\nx\n...\n</persisted-output>"
        )
    };
    let secret = folder.path().parent().unwrap().join("toolreel-secret.txt");
    std::fs::write(&secret, "secret").unwrap();
    let recording = [
        claude(
            &json!(sent(
                "/home/dev/.claude/projects/p/session/tool-results/t.txt"
            )),
            None,
        ),
        claude(
            &json!("cut"),
            Some(
                json!({"stdout": "cut", "stderr": "", "persistedOutputPath": "/x/tool-results/t.txt", "persistedOutputSize": 9000}),
            ),
        ),
        claude(&json!(sent("/elsewhere/none.txt")), None),
        claude(&json!(sent(&secret.to_string_lossy())), None),
    ];
    let text: Vec<_> = recording.iter().map(|line| format!("{line}\n")).collect();
    let text = text.concat();
    std::fs::write(&path, text).unwrap();
    std::fs::create_dir_all(folder.path().join("session/tool-results")).unwrap();
    std::fs::write(
        folder.path().join("session/tool-results/t.txt"),
        "the whole",
    )
    .unwrap();
    let session = Session::open(Input::Path(path)).unwrap();
    session.index_all().unwrap();
    let returned: Vec<_> = rows(&session)
        .iter()
        .map(|row| (row.returned_bytes, row.evidence))
        .collect();
    let (here, gone) = (
        (Some(9), Some(Evidence::Recorded)),
        (None, Some(Evidence::Log)),
    );
    assert_eq!(returned, [here, here, gone, gone]);
    std::fs::remove_file(secret).unwrap();
}

#[test]
fn claude_code_keeps_unknown_lines() {
    let session = lines(&[
        json!({"type": "summary", "summary": "s", "leafUuid": "l"}),
        json!({"type": "system", "subtype": "compact_boundary", "uuid": "u", "sessionId": "s"}),
        json!({"type": "from-the-future", "sessionId": "s"}),
        json!({"type": "user", "uuid": "u", "message": {"content": "hi"}}),
        json!({"no": "type"}),
    ]);
    assert_eq!(session.format(), FormatName::ClaudeCode);
    assert_eq!(kinds(&session), [System, System, Unknown, Message, Unknown]);
    let Body::System { name, .. } = body(&session, 2) else {
        panic!()
    };
    assert_eq!(name, "compact_boundary");
}

#[test]
fn codex_joins_the_two_records_of_one_result() {
    let item = |payload: Value| json!({"timestamp": "2026-01-01T00:00:00Z", "type": "response_item", "payload": payload});
    let event = |payload: Value| json!({"timestamp": "2026-01-01T00:00:00Z", "type": "event_msg", "payload": payload});
    let session = lines(&[
        json!({"timestamp": "2026-01-01T00:00:00Z", "type": "session_meta", "payload": {"id": "s"}}),
        item(
            json!({"type": "function_call", "call_id": "a", "name": "shell", "arguments": "{\"command\":[\"ls\"]}"}),
        ),
        event(
            json!({"type": "exec_command_end", "call_id": "a", "stdout": "all of it", "stderr": "", "aggregated_output": "all of it", "exit_code": 0}),
        ),
        item(json!({"type": "function_call_output", "call_id": "a", "output": "a part"})),
        item(json!({"type": "function_call", "call_id": "b", "name": "m", "arguments": "{}"})),
        item(
            json!({"type": "function_call_output", "call_id": "b", "output": {"type": "input_text", "text": "[1]"}}),
        ),
        event(
            json!({"type": "mcp_tool_call_end", "call_id": "b", "result": {"Ok": {"content": [{"type": "text", "text": "[1, 2]"}]}}}),
        ),
        item(json!({"type": "function_call_output", "call_id": "c", "output": "alone"})),
    ]);
    assert_eq!(session.format(), FormatName::CodexRollout);
    assert_eq!(
        kinds(&session),
        [
            System, ToolCall, System, ToolOutput, ToolCall, ToolOutput, System, ToolOutput
        ]
    );
    let found = rows(&session);
    assert_eq!(
        (
            found[3].returned_bytes,
            found[3].sent_bytes,
            found[3].evidence
        ),
        (Some(9), Some(6), Some(Evidence::Recorded))
    );
    assert_eq!(
        (found[5].returned_bytes, found[5].sent_bytes, found[5].items),
        (Some(6), Some(3), Some(2))
    );
    assert_eq!(
        (found[7].returned_bytes, found[7].evidence),
        (None, Some(Evidence::Log))
    );
    let joined = output(&session, 6);
    assert_eq!(text(&joined.returned.unwrap()[0]), "[1, 2]");
    assert_eq!(joined.cacheable.value(), Some(&json!([1, 2])));
}

#[test]
fn codex_exec_and_old_rollouts() {
    let session = lines(&[
        json!({"type": "thread.started", "thread_id": "t"}),
        json!({"type": "item.started", "item": {"id": "i", "type": "command_execution", "command": "ls"}}),
        json!({"type": "item.completed", "item": {"id": "i", "type": "command_execution", "command": "ls", "aggregated_output": "x", "exit_code": 1}}),
        json!({"type": "item.completed", "item": {"id": "j", "type": "mcp_tool_call", "server": "s", "tool": "t", "arguments": {}, "result": {"content": [{"type": "text", "text": "y"}]}}}),
        json!({"type": "item.completed", "item": {"id": "k", "type": "agent_message", "text": "done"}}),
    ]);
    assert_eq!(session.format(), FormatName::CodexRollout);
    assert_eq!(
        kinds(&session),
        [
            System, System, ToolCall, ToolOutput, ToolCall, ToolOutput, Message
        ]
    );
    assert!(rows(&session)[3].is_error);
    let session = lines(&[
        json!({"id": "x", "timestamp": "2025-05-01T00:00:00Z", "instructions": null}),
        json!({"type": "message", "role": "user", "content": [{"type": "input_text", "text": "hi"}]}),
        json!({"record_type": "state"}),
        json!({"type": "function_call", "call_id": "a", "name": "shell", "arguments": "{}"}),
        json!({"type": "function_call_output", "call_id": "a", "output": "{\"output\":\"x\",\"metadata\":{\"exit_code\":0}}"}),
    ]);
    assert_eq!(session.format(), FormatName::CodexRollout);
    assert_eq!(
        kinds(&session),
        [System, Message, System, ToolCall, ToolOutput]
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
