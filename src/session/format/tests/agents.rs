//! Agents' own logs.

use super::*;

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
