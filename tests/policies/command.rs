//! `toolreel cut`, as a filter in a pipe and over a recording.

use assert_cmd::Command;
use serde_json::{Map, Value, json};
use toolreel::policy::client::Given;

use crate::vectors::{Input, entries, input, mismatch};

/// `toolreel cut -` with a policy, its settings and an input.
fn cut_command(id: &str, params: &Map<String, Value>, input: &Input) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_toolreel"));
    command.args(["cut", "-", "--policy", id]);
    for (name, value) in params {
        let value = value
            .as_str()
            .map_or_else(|| value.to_string(), str::to_owned);
        command.arg("--set").arg(format!("{name}={value}"));
    }
    match input {
        Input::Text(text) => command.write_stdin(text.as_str()),
        Input::Json(value) => command
            .args(["--as", "json"])
            .write_stdin(value.to_string()),
    };
    command
}

#[test]
fn every_vector_holds_through_the_command_line() {
    for entry in entries("policy_vectors.json") {
        for vector in &entry.vectors {
            let input = input(&vector.input);
            let assert = cut_command(&entry.id, &vector.params, &input)
                .assert()
                .success();
            let printed = String::from_utf8(assert.get_output().stdout.clone()).expect("UTF-8");
            let given = match &input {
                Input::Text(_) => Given::Text(printed.as_str().into()),
                Input::Json(_) => Given::Value(serde_json::from_str(&printed).expect("JSON")),
            };
            assert_eq!(mismatch(&given, vector), None, "{}", vector.name);
        }
    }
}

#[test]
fn the_row_of_a_cut_counts_in_the_policys_unit() {
    let row = |id: &str, params: Value, text: &str| -> Value {
        let params = params.as_object().expect("an object").clone();
        let input = Input::Text(text.to_owned());
        let assert = cut_command(id, &params, &input)
            .arg("--json")
            .assert()
            .success();
        serde_json::from_slice(&assert.get_output().stdout).expect("one row")
    };
    let cut = row("codex.bytes", json!({"limit": 4}), "aé漢字b");
    assert_eq!(
        cut.as_object()
            .expect("an object")
            .keys()
            .collect::<Vec<_>>(),
        [
            "policy", "changed", "text", "unit", "limit", "omitted", "recover"
        ]
    );
    // Two bytes of each end: `a` alone is kept at the start, `b` alone at the end.
    assert_eq!(cut["text"], "a…3 chars truncated…b");
    assert_eq!(cut["omitted"], 8);
    let cut = row("crush.bash", json!({"max_cells": 4}), "你好世界");
    assert_eq!((&cut["limit"], &cut["omitted"]), (&json!(4), &json!(4)));
    let cut = row("cline.v3.terminal", json!({"max_lines": 2}), "a\nb\nc\nd");
    assert_eq!(cut["omitted"], 2);
    let cut = row("codex.tokens", json!({}), "short");
    assert_eq!(
        (&cut["changed"], &cut["omitted"]),
        (&json!(false), &json!(0))
    );
}

#[test]
fn torn_pairs_are_escapes_in_json_and_replaced_elsewhere() {
    let params = json!({"max_chars": 2});
    let params = params.as_object().expect("an object");
    let input = Input::Text("a😀😀".to_owned());
    let command = || cut_command("opencode.bash.2025", params, &input);
    command()
        .assert()
        .success()
        .stdout("a\u{fffd}\n\n(Output was truncated due to length limit)");
    let json = command().arg("--json").assert().success();
    let json = String::from_utf8_lossy(&json.get_output().stdout).into_owned();
    assert!(json.contains(r#""text":"a\ud83d\n\n("#), "{json}");
}

#[test]
fn what_cannot_be_cut_says_why() {
    let fails = |arguments: &[&str], stdin: &str, words: &str| {
        let assert = Command::new(env!("CARGO_BIN_EXE_toolreel"))
            .args(arguments)
            .write_stdin(stdin.to_owned())
            .assert()
            .code(2)
            .stdout("");
        let stderr = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
        assert!(stderr.contains(words), "{stderr}");
    };
    fails(
        &["cut", "-", "--policy", "codex"],
        "x",
        "did you mean `codex.tokens`",
    );
    fails(
        &["cut", "-", "--policy", "none", "--set", "a=1"],
        "x",
        "no setting `a`",
    );
    fails(
        &["cut", "-", "--policy", "codex.tokens", "--set", "limit=few"],
        "x",
        "takes a whole number",
    );
    fails(
        &["cut", "-", "--policy", "cache", "--as", "json"],
        "[1,",
        "no JSON",
    );
    fails(
        &[
            "cut",
            "sessions/released-too-early.jsonl",
            "--policy",
            "none",
        ],
        "",
        "which output?",
    );
}

#[test]
fn a_recorded_output_is_cut_as_a_value_or_as_text() {
    let cut = |arguments: &[&str]| -> Value {
        let assert = Command::new(env!("CARGO_BIN_EXE_toolreel"))
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .args(["cut", "sessions/released-too-early.jsonl"])
            .args(arguments)
            .arg("--json")
            .assert()
            .success();
        serde_json::from_slice(&assert.get_output().stdout).expect("one row")
    };
    let envelope = cut(&["#6", "--policy", "cache", "--set", "threshold_bytes=100"]);
    assert!(envelope["value"]["handle"].is_string(), "{envelope}");
    let text = cut(&[
        "#6",
        "--policy",
        "chrome-devtools-mcp.body",
        "--set",
        "max_chars=9",
    ]);
    let text = text["text"].as_str().expect("text");
    assert!(
        text.starts_with('[') && text.ends_with("... <truncated>"),
        "{text}"
    );
}
