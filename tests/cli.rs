//! The command line as a script sees it: rows, exit codes, and nothing else on standard output.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command as Process, Stdio};

use assert_cmd::Command;
use assert_cmd::assert::OutputAssertExt as _;
use serde_json::{Value, json};

const RELEASED: &str = "sessions/released-too-early.jsonl";

/// `toolreel` in the folder of the project, so that a test can name the demos by their paths.
fn toolreel(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_toolreel"));
    command.current_dir(env!("CARGO_MANIFEST_DIR"));
    command.args(arguments);
    command
}

/// What a command that succeeds prints.
fn printed(arguments: &[&str]) -> String {
    let assert = toolreel(arguments).assert().success().stderr("");
    String::from_utf8(assert.get_output().stdout.clone()).expect("UTF-8")
}

/// The rows of a `--json` command that succeeds.
fn rows(arguments: &[&str]) -> Vec<Value> {
    printed(arguments)
        .lines()
        .map(|line| serde_json::from_str(line).expect("one JSON value per line"))
        .collect()
}

/// The exit code and standard error of a command that fails without printing anything.
fn failed(arguments: &[&str]) -> (i32, String) {
    let assert = toolreel(arguments).assert().stdout("");
    let output = assert.get_output();
    let stderr = String::from_utf8(output.stderr.clone()).expect("UTF-8");
    (output.status.code().expect("an exit code"), stderr)
}

fn number(row: &Value, key: &str) -> u64 {
    row[key].as_u64().expect("a number")
}

fn keys(row: &Value) -> Vec<&str> {
    let object = row.as_object().expect("an object");
    object.keys().map(String::as_str).collect()
}

/// A file of its own for a test.
fn file(name: &str, bytes: &[u8]) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, bytes).expect("a temporary file can be written");
    path
}

fn as_text(path: &Path) -> &str {
    path.to_str().expect("a plain path")
}

#[test]
fn info_is_one_object() {
    let [info] = &rows(&["info", RELEASED, "--json"])[..] else {
        panic!("one object")
    };
    assert_eq!(
        keys(info),
        [
            "format",
            "events",
            "calls",
            "outputs",
            "unanswered_calls",
            "orphan_outputs",
            "bad_lines",
            "bytes"
        ]
    );
    let bytes = std::fs::metadata(RELEASED).expect("a demo").len();
    assert_eq!(
        *info,
        json!({"format": "native", "events": 29, "calls": 12, "outputs": 12,
            "unanswered_calls": 0, "orphan_outputs": 0, "bad_lines": 0, "bytes": bytes})
    );
    assert_eq!(
        printed(&["info", RELEASED]),
        format!(
            "{RELEASED}: native · 29 events · 12 calls · 12 outputs · {} B\n",
            grouped(bytes)
        )
    );
}

fn grouped(number: u64) -> String {
    toolreel::text::grouped(number)
}

#[test]
fn a_folder_gives_one_object_per_recording() {
    let rows = rows(&["info", "sessions", "--json"]);
    let paths: Vec<_> = rows.iter().map(|row| row["path"].as_str()).collect();
    assert_eq!(
        paths,
        [
            Some("sessions/bricked.jsonl"),
            Some("sessions/four-kinds.jsonl"),
            Some("sessions/hostile.jsonl"),
            Some("sessions/released-too-early.jsonl")
        ]
    );
}

#[test]
fn list_has_a_row_per_event_that_points_into_the_file() {
    for demo in ["released-too-early", "four-kinds", "bricked", "hostile"] {
        let path = format!("sessions/{demo}.jsonl");
        let file = std::fs::read(&path).expect("a demo");
        let rows = rows(&["list", &path, "--json"]);
        for (position, row) in rows.iter().enumerate() {
            assert_eq!(number(row, "index"), position as u64 + 1);
            let (offset, bytes) = (
                number(row, "offset") as usize,
                number(row, "bytes") as usize,
            );
            let line = number(row, "line") as usize;
            let recorded = &file[offset..offset + bytes];
            assert_eq!(file[offset + bytes], b'\n', "{demo}: a whole line");
            assert_eq!(
                memchr::memchr_iter(b'\n', &file[..offset]).count(),
                line - 1
            );
            if demo != "released-too-early" {
                let event = format!("#{}", position + 1);
                let raw = toolreel(&["show", &path, &event, "--as", "raw"])
                    .assert()
                    .success();
                assert_eq!(raw.get_output().stdout, recorded, "{demo} {event}");
            }
        }
    }
}

#[test]
fn list_tells_both_sides() {
    let rows = rows(&["list", RELEASED, "--json"]);
    assert_eq!(rows.len(), 29);
    let output = &rows[5];
    for key in [
        "index",
        "kind",
        "line",
        "offset",
        "bytes",
        "tool",
        "call_id",
        "pair",
        "is_error",
        "blocks",
        "items",
        "tokens",
        "returned_bytes",
        "sent_bytes",
        "evidence",
    ] {
        assert!(output.get(key).is_some(), "{key} is always there");
    }
    assert_eq!(output["kind"], "tool_output");
    assert_eq!(output["tool"], "search_issues");
    assert_eq!((number(output, "pair"), number(output, "items")), (5, 412));
    assert_eq!(number(output, "returned_bytes"), 147_787);
    assert_eq!(number(output, "sent_bytes"), 23_625);
    assert_eq!(output["evidence"], "recorded");
    assert_eq!(number(&rows[4], "pair"), 6);
    assert_eq!(rows[0]["pair"], Value::Null);
    // An image counts by its bytes and costs no tokens.
    let kinds: Vec<_> = rows[15]["blocks"]
        .as_array()
        .expect("blocks")
        .iter()
        .collect();
    assert_eq!(kinds[1]["kind"], "image");
    assert_eq!(
        (number(kinds[1], "bytes"), number(kinds[1], "tokens")),
        (47_429, 0)
    );
    assert_eq!(rows[21]["is_error"], true);
}

#[test]
fn a_recording_that_hurts_is_read_whole() {
    let rows = rows(&["list", "sessions/hostile.jsonl", "--json"]);
    let kinds: Vec<_> = rows
        .iter()
        .map(|row| row["kind"].as_str().expect("a kind"))
        .collect();
    assert_eq!(kinds.len(), 23);
    for (number, kind) in [
        (9, "bad"),
        (11, "tool_output"),
        (13, "tool_output"),
        (14, "bad"),
        (15, "bad"),
        (17, "tool_output"),
        (18, "unknown"),
    ] {
        assert_eq!(kinds[number - 1], kind, "#{number}");
    }
    for number in [11, 13] {
        let faults = rows[number - 1]["faults"].as_array().expect("faults");
        assert!(!faults.is_empty(), "#{number}");
        assert!(faults[0]["reason"].is_string() && faults[0]["offset"].is_u64());
    }
    assert_eq!(rows[20]["pair"], Value::Null, "an output without a call");
    // The words of a line are safe to look at, whatever they quote.
    let list = printed(&["list", "sessions/hostile.jsonl"]);
    assert_eq!(list.lines().count(), 23);
    assert!(list.chars().all(|char| char == '\n' || !char.is_control()));
    assert!(!list.contains(['\u{202e}', '\u{2066}', '\u{200b}', '\u{feff}']));
}

#[test]
fn show_prints_a_block_in_every_form() {
    let show =
        |arguments: &[&str]| printed(&[&["show", "sessions/four-kinds.jsonl"], arguments].concat());
    // A call id means the output that answers it.
    assert_eq!(show(&["call_01"]), show(&["#4"]));
    assert_eq!(
        show(&["#4", "--block", "1"]),
        "INV-2025-1207, Baltic Road, 1,528.94 EUR net. Four parts were asked for and follow."
    );
    let invoice: Value =
        serde_json::from_str(&show(&["#4", "--block", "2", "--as", "json"])).expect("JSON");
    assert_eq!(invoice["lines"][0]["unit_eur"], 46.5);
    assert!(show(&["#4", "--block", "3"]).starts_with("[image png "));
    assert!(show(&["#4", "--block", "4"]).starts_with("[document INV-2025-1207 pdf "));
    assert!(show(&["#8"]).starts_with("date,site,truck,"));
    assert_eq!(
        show(&["#3", "--as", "json"]).trim_end(),
        r#"{"file":"INV-2025-1207","parts":["summary","lines","chart","original"]}"#
    );
    // One text renders as itself, one value as its JSON, several blocks as rig's list.
    assert_eq!(show(&["#13", "--as", "render"]), "Draft saved.");
    assert!(show(&["#6", "--as", "render"]).starts_with(r#"{"lane":"PLGDY-ATLNZ","unit":"#));
    let rendered: Value = serde_json::from_str(&show(&["#4", "--as", "render"])).expect("JSON");
    assert_eq!(rendered[0]["type"], "text");
    assert_eq!(rendered[1]["type"], "json");
    assert_eq!(rendered[2]["media_type"], "png");
    // Both sides of an output.
    let side = |side: &str| printed(&["show", RELEASED, "#22", "--side", side]);
    assert_eq!(side("returned").len(), 31_204);
    assert_eq!(side("sent").len(), 4_000);
}

#[test]
fn a_text_with_more_than_text_is_rendered_as_rig_does() {
    let plain = r#"{"type":"text","text":"plain"}"#;
    let with_more = r#"{"type":"text","text":"hi","additional_params":{"a":1}}"#;
    let native =
        r#"{"type":"text","text":"hi","native":{"item":{"b":2},"fingerprint":"00000000000000ff"}}"#;
    let result = |id: &str, content: &str| {
        format!(
            r#"{{"role":"user","content":[{{"type":"toolresult","id":"{id}","content":[{content}]}}]}}"#
        )
    };
    let lines = [
        result("c1", with_more),
        result("c2", plain),
        result("c3", &format!("{plain},{native}")),
    ];
    let path = file("text-with-more.jsonl", lines.join("\n").as_bytes());
    let show = |arguments: &[&str]| printed(&[&["show", as_text(&path)], arguments].concat());
    assert_eq!(show(&["#1", "--as", "render"]), format!("[{with_more}]"));
    assert_eq!(show(&["#2", "--as", "render"]), "plain");
    assert_eq!(
        show(&["#3", "--as", "render"]),
        format!("[{plain},{native}]")
    );
    assert_eq!(
        show(&["#3", "--block", "2", "--as", "render"]),
        format!("[{native}]")
    );
    assert_eq!(
        show(&["#3", "--block", "1", "--side", "sent", "--as", "render"]),
        "plain"
    );
    assert_eq!(show(&["#1"]), "hi");

    let path = file("bare-with-more.json", format!("[{with_more}]").as_bytes());
    assert_eq!(
        printed(&["show", as_text(&path), "#1", "--as", "render"]),
        format!("[{with_more}]")
    );
}

#[test]
fn replay_rows_and_totals() {
    let rows = rows(&[
        "replay",
        RELEASED,
        "--threshold-bytes",
        "65536",
        "--page-size",
        "20",
        "--json",
    ]);
    let (totals, rows) = rows.split_last().expect("rows");
    assert_eq!(rows.len(), 12);
    let row = &rows[1];
    assert_eq!(
        *row,
        json!({"index": 6, "call_id": "call_02", "cached": true, "reason": null,
            "handle": "mcp-cache-0", "total_items": 412, "first_page_items": 20,
            "omitted_items": 392, "page_token": "mcp-cache-0:offset:20", "bytes_before": 147_787,
            "bytes_after": 7_600, "tokens_before": row["tokens_before"],
            "tokens_after": row["tokens_after"], "calls_to_read_all": 7, "recorded": "differs"})
    );
    let reasons: Vec<_> = rows
        .iter()
        .map(|row| row["reason"].as_str().unwrap_or("cached"))
        .collect();
    assert_eq!(
        reasons,
        [
            "under_threshold",
            "cached",
            "cache_answer",
            "cache_answer",
            "not_array",
            "not_array",
            "not_array",
            "not_array",
            "error",
            "not_array",
            "cache_answer",
            "error"
        ]
    );
    let totals = &totals["totals"];
    assert_eq!(
        (number(totals, "outputs"), number(totals, "cached")),
        (12, 1)
    );
    // As recorded: the envelope is the recorded one.
    let recorded = self::rows(&["replay", RELEASED, "--json"]);
    assert_eq!(recorded[1]["recorded"], "same");
    assert_eq!(number(&recorded[1], "bytes_after"), 23_625);
    assert_eq!(number(&recorded[1], "calls_to_read_all"), 6);
    // One byte below the small array's size it is cached first and takes the first handle.
    let low = self::rows(&["replay", RELEASED, "--threshold-bytes", "1804", "--json"]);
    assert_eq!(low[0]["handle"], "mcp-cache-0");
    assert_eq!(low[1]["handle"], "mcp-cache-1");
}

#[test]
fn page_answers_as_the_cache_does() {
    let page = |arguments: &[&str]| {
        let answer = printed(&[&["page", RELEASED], arguments].concat());
        serde_json::from_str::<Value>(&answer).expect("JSON")
    };
    // What the model was answered, byte for byte.
    for (call, output, at) in [("#8", "#9", "8"), ("#10", "#11", "10")] {
        let asked = printed(&["show", RELEASED, call]);
        let asked: Value = serde_json::from_str(&asked).expect("JSON");
        let token = asked["page_token"].as_str().expect("a token");
        let answer = printed(&[
            "page",
            RELEASED,
            "mcp-cache-0",
            "--page-token",
            token,
            "--at",
            at,
        ]);
        assert_eq!(answer.trim_end(), printed(&["show", RELEASED, output]));
    }
    let one = page(&[
        "mcp-cache-0",
        "--offset",
        "260",
        "--limit",
        "1",
        "--at",
        "12",
    ]);
    assert_eq!(one["items"][0]["number"], 3966);
    assert_eq!(one["next_page_token"], "mcp-cache-0:offset:261");
    assert_eq!(page(&["call_02", "--at", "12"])["limit"], 64);
    assert_eq!(
        page(&["#6", "--at", "12", "--offset", "500"])["items"],
        json!([])
    );
    // With settings of one's own the output is cached by them.
    let small = page(&[
        "call_01",
        "--threshold-bytes",
        "0",
        "--page-size",
        "3",
        "--offset",
        "24",
    ]);
    assert_eq!(small["items"].as_array().map(Vec::len), Some(1));
}

#[test]
fn page_refuses_in_the_words_of_the_cache() {
    let refused = |arguments: &[&str], words: &str| {
        let arguments = [&["page", RELEASED], arguments].concat();
        assert_eq!(
            failed(&arguments),
            (1, format!("{words}\n")),
            "{arguments:?}"
        );
    };
    let gone = "invalid argument: unknown cached result handle";
    refused(&["mcp-cache-0"], gone);
    refused(&["call_02", "--at", "end"], gone);
    refused(&["mcp-cache-9", "--at", "12"], gone);
    refused(
        &["mcp-cache-0", "--page-token", "nonsense"],
        "invalid argument: invalid `page_token`",
    );
    refused(
        &[
            "mcp-cache-0",
            "--page-token",
            "mcp-cache-0:offset:x",
            "--limit",
            "y",
        ],
        "invalid argument: invalid `page_token` offset",
    );
    refused(
        &["mcp-cache-0", "--offset", "-1", "--limit", "y"],
        "invalid argument: `offset` must be an integer",
    );
    refused(
        &["mcp-cache-0", "--limit", "1.0", "--at", "12"],
        "invalid argument: `limit` must be an integer",
    );
    // A call that is not cached is no question to the cache.
    let (code, words) = failed(&["page", RELEASED, "call_01"]);
    assert_eq!(code, 2);
    assert!(words.contains("call_01"), "{words}");
}

#[test]
fn render_has_a_row_per_provider() {
    let rows = rows(&["render", RELEASED, "#16", "--json"]);
    let names: Vec<_> = rows
        .iter()
        .map(|row| row["provider"].as_str().expect("a name"))
        .collect();
    assert_eq!(
        names,
        [
            "anthropic:claude-sonnet-4-6",
            "openai-chat:gpt-5.2",
            "openai-responses:gpt-5.2",
            "gemini:gemini-3-pro-preview",
            "bedrock:us.anthropic.claude-sonnet-4-6"
        ]
    );
    for row in &rows {
        assert_eq!(row["lens"], "rig");
        assert!(row["wire"]["messages"].is_array());
        assert_eq!(row["error"], Value::Null);
        let wire = serde_json::to_string(&row["wire"]).expect("JSON");
        assert_eq!(number(row, "bytes"), wire.len() as u64);
        let fates = row["blocks"].as_array().expect("blocks");
        assert_eq!(fates.len(), 3);
        assert_eq!(keys(&fates[0]), ["block", "fate", "at", "note"]);
    }
    assert_eq!(rows[1]["blocks"][1]["fate"], "moved");
    let mixtape = self::rows(&["render", RELEASED, "#18", "--lens", "mixtape", "--json"]);
    assert!(mixtape.iter().all(|row| row["lens"] == "mixtape") && !mixtape.is_empty());
    let (code, words) = failed(&["render", RELEASED, "#16", "--provider", "anthropic,nobody"]);
    assert_eq!(code, 2);
    assert!(words.contains("nobody"), "{words}");
}

#[test]
fn errors_name_the_file_and_the_reason() {
    for arguments in [
        &["info", "nowhere.jsonl"][..],
        &["list", "nowhere.jsonl"],
        &["show", "nowhere.jsonl", "#1"],
        &["replay", "nowhere.jsonl"],
        &["page", "nowhere.jsonl", "#1"],
        &["render", "nowhere.jsonl", "#1"],
        &["nowhere.jsonl"],
    ] {
        let (code, words) = failed(arguments);
        assert_eq!(code, 2, "{arguments:?}");
        assert!(words.contains("nowhere.jsonl"), "{words}");
        assert_eq!(words.lines().count(), 1, "{words}");
    }
    for call in ["#0", "#30", "nobody"] {
        let (code, words) = failed(&["show", RELEASED, call]);
        assert_eq!(code, 2);
        assert!(words.contains(call), "{words}");
    }
    for arguments in [
        &["list"][..],
        &["show", RELEASED],
        &["--nonsense"],
        &["demo", "nobody"],
        &["list", "sessions", "--json"],
    ] {
        assert_eq!(failed(arguments).0, 2, "{arguments:?}");
    }
    let (code, words) = failed(&["show", RELEASED, "#4", "--block", "2"]);
    assert_eq!(code, 2);
    assert!(words.contains("there are 1"), "{words}");
}

#[test]
fn empty_and_unknown_files_are_no_error() {
    let empty = file("empty.jsonl", b"");
    let [info] = &rows(&["info", as_text(&empty), "--json"])[..] else {
        panic!("one object")
    };
    assert_eq!((number(info, "events"), number(info, "bytes")), (0, 0));
    assert!(rows(&["list", as_text(&empty), "--json"]).is_empty());
    let totals = rows(&["replay", as_text(&empty), "--json"]);
    assert_eq!(totals.len(), 1);
    for (name, bytes) in [
        ("noise.bin", &b"\x00\xff\xfe\x80\x1b[2J"[..]),
        ("half.json", &b"{\"half\": [1, 2"[..]),
        ("deep.json", &vec![b'['; 100_000][..]),
        ("text.txt", &b"Just a text.\nTwo lines of it.\n"[..]),
        ("crlf.jsonl", &b"\xef\xbb\xbf{\"a\":1}\r\n{\"b\":2}\r\n"[..]),
    ] {
        let path = file(name, bytes);
        assert_eq!(rows(&["info", as_text(&path), "--json"]).len(), 1, "{name}");
        let listed = rows(&["list", as_text(&path), "--json"]);
        let known = [
            "message",
            "thinking",
            "tool_call",
            "tool_output",
            "cache",
            "note",
            "system",
            "unknown",
            "bad",
        ];
        assert!(
            listed
                .iter()
                .all(|row| known.contains(&row["kind"].as_str().expect("a kind"))),
            "{name}"
        );
    }
}

#[test]
fn standard_input_is_a_recording() {
    let recording = std::fs::read(RELEASED).expect("a demo");
    for command in [&["list", "-", "--json"][..], &["replay", "-", "--json"]] {
        let from_file: Vec<_> = command
            .iter()
            .map(|word| if *word == "-" { RELEASED } else { word })
            .collect();
        toolreel(command)
            .write_stdin(recording.clone())
            .assert()
            .success()
            .stdout(printed(&from_file));
    }
    // Large ones go through a file that nobody sees.
    let mut large = recording.clone();
    while large.len() < 9 << 20 {
        large.extend(
            &recording[recording
                .iter()
                .position(|byte| *byte == b'\n')
                .expect("lines")
                + 1..],
        );
    }
    let info = toolreel(&["info", "-", "--json"])
        .write_stdin(large.clone())
        .assert()
        .success();
    let info: Value = serde_json::from_slice(&info.get_output().stdout).expect("JSON");
    assert_eq!(number(&info, "bytes"), large.len() as u64);
}

#[test]
fn without_a_terminal_the_screen_is_a_list() {
    assert_eq!(printed(&[RELEASED]), printed(&["list", RELEASED]));
    assert_eq!(
        printed(&["demo", "released-too-early"]),
        printed(&["list", RELEASED])
    );
    assert_eq!(
        printed(&["list", "demo:released-too-early"]),
        printed(&["list", RELEASED])
    );
    let demos = printed(&[]);
    assert_eq!(demos, printed(&["demo"]));
    for (name, events) in [
        ("released-too-early", "29"),
        ("four-kinds", "14"),
        ("bricked", "11"),
        ("hostile", "23"),
    ] {
        assert!(
            demos
                .lines()
                .any(|line| line.starts_with(name) && line.ends_with(&format!("{events} events"))),
            "{demos}"
        );
    }
}

#[test]
fn a_reader_that_goes_away_ends_the_program_quietly() {
    let mut child = Process::new(env!("CARGO_BIN_EXE_toolreel"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(["show", RELEASED, "#6"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    // More is printed than a pipe holds, and nobody reads it.
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    output.assert().success().stderr("");
}

#[test]
fn help_names_examples_the_estimator_and_the_exit_codes() {
    let help = printed(&["--help"]);
    for words in [
        "Examples:",
        "o200k_base",
        "Exit codes",
        "released-too-early",
    ] {
        assert!(help.replace('\n', " ").contains(words), "{words}\n{help}");
    }
    for command in ["demo", "info", "list", "show", "replay", "page", "render"] {
        assert!(
            printed(&[command, "--help"]).contains("Usage: toolreel"),
            "{command}"
        );
        assert!(
            help.contains(&format!("\n  {command} ")),
            "{command}\n{help}"
        );
    }
    for command in ["list", "replay", "render"] {
        assert!(
            printed(&[command, "--help"])
                .replace('\n', " ")
                .contains("Tokens are estimates")
        );
    }
    assert!(printed(&["--version"]).starts_with("toolreel "));
}

#[test]
fn a_value_of_a_recording_reaches_a_terminal_only_through_show_and_made_visible() {
    // Into a pipe the bytes are exact; that a terminal gets them made visible is tested on one.
    let motd = printed(&["show", "sessions/hostile.jsonl", "#4"]);
    assert!(motd.contains("\u{1b}[31mred"));
    let mut stdin = toolreel(&["list", "-"]);
    let mut hostile = Vec::new();
    writeln!(hostile, "{}", json!({"toolreel": 1})).expect("memory");
    writeln!(hostile, "{}", json!({"type": "tool_call", "id": "\u{1b}]0;x\u{7}", "tool": "\u{202e}\u{1b}[2J", "arguments": {}})).expect("memory");
    let listed = stdin.write_stdin(hostile).assert().success();
    let listed = String::from_utf8_lossy(&listed.get_output().stdout).into_owned();
    assert!(
        !listed.contains(['\u{1b}', '\u{7}', '\u{202e}']),
        "{listed:?}"
    );
}
