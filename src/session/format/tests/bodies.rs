//! Bodies of providers.

use super::*;

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
