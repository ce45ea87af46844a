//! Every client policy against vectors that others decided: the clients' own tests, their functions
//! while they ran, and recorded sessions.

use assert_cmd::Command;
use proptest::prelude::*;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use toolreel::policy::client::definition::Compare;
use toolreel::policy::client::piece::{kept, render};
use toolreel::policy::client::{Catalogue, ClientPolicy, Given, Piece, Setting};
use toolreel::policy::{Content, Subject};

/// The vectors of one policy, and what is known of it.
#[derive(Deserialize)]
struct Entry {
    id: String,
    #[serde(default)]
    unit: String,
    #[serde(default)]
    limit: Value,
    #[serde(default)]
    recover: String,
    #[serde(default)]
    params: Map<String, Value>,
    vectors: Vec<Vector>,
}

#[derive(Deserialize)]
struct Vector {
    name: String,
    input: Value,
    params: Map<String, Value>,
    expected: Option<Value>,
    expected_digest: Option<Digest>,
}

/// What is known of a result that is too long to write down.
#[derive(Deserialize)]
struct Digest {
    sha256_utf8: String,
    chars: usize,
    utf16: usize,
    utf8_bytes: usize,
    starts_with: String,
    ends_with: String,
}

/// An input made from its description.
enum Input {
    Text(String),
    Json(Value),
}

fn entries(file: &str) -> Vec<Entry> {
    // Larger sets of vectors can be put in the place of the ones here.
    let path = std::env::var("TOOLREEL_POLICY_VECTORS")
        .unwrap_or_else(|_| format!("{}/tests/data/{file}", env!("CARGO_MANIFEST_DIR")));
    let text = std::fs::read_to_string(path).expect("the vectors are there");
    serde_json::from_str(&text).expect("the vectors are of their form")
}

fn input(value: &Value) -> Input {
    match value {
        Value::String(text) => Input::Text(text.clone()),
        other => generated(other),
    }
}

fn generated(value: &Value) -> Input {
    let number = |key: &str| value[key].as_u64().expect("a number");
    Input::Text(match value["gen"].as_str().expect("a generator") {
        "repeat" => value["s"]
            .as_str()
            .expect("a text")
            .repeat(number("n") as usize),
        "seq" => (number("from")..=number("to"))
            .map(|number| format!("{number}\n"))
            .collect(),
        "lines" => {
            let prefix = value["prefix"].as_str().expect("a prefix");
            let lines: Vec<_> = (number("from")..=number("to"))
                .map(|number| format!("{prefix}{number}"))
                .collect();
            let end = if value["final_newline"].as_bool().unwrap_or(true) {
                "\n"
            } else {
                ""
            };
            lines.join("\n") + end
        }
        "concat" => value["parts"]
            .as_array()
            .expect("parts")
            .iter()
            .map(|part| match input(part) {
                Input::Text(text) => text,
                Input::Json(value) => value.to_string(),
            })
            .collect(),
        "json" => return Input::Json(value["value"].clone()),
        "json_objects" => {
            return Input::Json((0..number("n")).map(|id| json!({ "id": id })).collect());
        }
        other => panic!("no generator `{other}`"),
    })
}

fn policy(id: &str, params: &Map<String, Value>) -> ClientPolicy {
    let mut policy = Catalogue::built_in()
        .policy(id)
        .expect("the policy is known");
    for (name, value) in params {
        policy.set_json(name, value).expect("the setting is known");
    }
    policy
}

fn subject(input: &Input) -> Subject<'_> {
    Subject::of(match input {
        Input::Text(text) => Content::Text(text),
        Input::Json(value) => Content::Json(value),
    })
}

/// The vectors of every policy, by what fails.
fn failures(entries: &[Entry]) -> (usize, Vec<String>) {
    let (mut held, mut failures) = (0, Vec::new());
    for entry in entries {
        for vector in &entry.vectors {
            let policy = policy(&entry.id, &vector.params);
            let input = input(&vector.input);
            let cut = policy.cut(subject(&input));
            match mismatch(&cut.given, vector) {
                None => held += 1,
                Some(what) => failures.push(format!("{}: {what}", vector.name)),
            }
        }
    }
    (held, failures)
}

fn assert_all_hold(file: &str, least: usize) {
    let (held, failures) = failures(&entries(file));
    assert!(
        failures.is_empty(),
        "{} of {} fail:\n{}",
        failures.len(),
        held + failures.len(),
        failures.join("\n")
    );
    assert!(held >= least, "{held}");
}

#[test]
fn every_vector_holds() {
    assert_all_hold("policy_vectors.json", 145);
}

/// What the clients' own functions made of random texts, run in their own language: multi-byte,
/// surrogate pairs, carriage returns, line ends of all kinds, limits around the length of the text.
#[test]
fn random_texts_are_cut_as_the_clients_functions_cut_them() {
    assert_all_hold("policy_random.json", 700);
}

/// What is wrong with a result.
fn mismatch(given: &Given, vector: &Vector) -> Option<String> {
    match (given, &vector.expected, &vector.expected_digest) {
        (Given::Text(text), Some(Value::String(expected)), _) => {
            let text = text.to_json().expect("text is JSON");
            let expected = serde_json::to_string(expected).expect("text is JSON");
            (text != expected).then(|| format!("\n  got  {text}\n  want {expected}"))
        }
        (Given::Text(text), Some(Value::Object(halves)), _) if halves.contains_key("json") => {
            let text = text.to_json().expect("text is JSON");
            let expected = halves["json"].as_str().expect("JSON as text");
            (text != expected).then(|| format!("\n  got  {text}\n  want {expected}"))
        }
        (Given::Value(value), Some(expected), _) => {
            (value != expected).then(|| format!("\n  got  {value}\n  want {expected}"))
        }
        (Given::Text(text), _, Some(digest)) => {
            let text = text.as_str()?;
            let is = text.chars().count() == digest.chars
                && text.encode_utf16().count() == digest.utf16
                && text.len() == digest.utf8_bytes
                && text.starts_with(&digest.starts_with)
                && text.ends_with(&digest.ends_with)
                && sha256(text.as_bytes()) == digest.sha256_utf8;
            (!is).then(|| {
                format!(
                    "\n  got  {} bytes: {}",
                    text.len(),
                    &text[..200.min(text.len())]
                )
            })
        }
        _ => Some("nothing to compare with".to_owned()),
    }
}

/// SHA-256 as hexadecimal digits; the digests of the vectors need no dependency for it.
fn sha256(bytes: &[u8]) -> String {
    // The first 32 bits of the fractional parts of the cube roots of the first 64 primes, and of the
    // square roots of the first eight.
    let primes = (2_u32..).filter(|n| (2..*n).all(|d| n % d != 0));
    let root = |number: u32, power: f64| {
        ((f64::from(number).powf(power).fract()) * 4_294_967_296.0) as u32
    };
    let k: Vec<u32> = primes
        .clone()
        .take(64)
        .map(|p| root(p, 1.0 / 3.0))
        .collect();
    let mut h: Vec<u32> = primes.take(8).map(|p| root(p, 0.5)).collect();
    let mut padded = bytes.to_vec();
    padded.push(0x80);
    while padded.len() % 64 != 56 {
        padded.push(0);
    }
    padded.extend((bytes.len() as u64 * 8).to_be_bytes());
    for block in padded.chunks(64) {
        let mut w: Vec<u32> = block
            .chunks(4)
            .map(|word| u32::from_be_bytes(word.try_into().expect("four bytes")))
            .collect();
        for i in 16..64 {
            let s0 = w[i - 15].rotate_right(7) ^ w[i - 15].rotate_right(18) ^ (w[i - 15] >> 3);
            let s1 = w[i - 2].rotate_right(17) ^ w[i - 2].rotate_right(19) ^ (w[i - 2] >> 10);
            w.push(
                w[i - 16]
                    .wrapping_add(s0)
                    .wrapping_add(w[i - 7])
                    .wrapping_add(s1),
            );
        }
        let mut v = h.clone();
        for i in 0..64 {
            let s1 = v[4].rotate_right(6) ^ v[4].rotate_right(11) ^ v[4].rotate_right(25);
            let ch = (v[4] & v[5]) ^ (!v[4] & v[6]);
            let t1 = v[7]
                .wrapping_add(s1)
                .wrapping_add(ch)
                .wrapping_add(k[i])
                .wrapping_add(w[i]);
            let s0 = v[0].rotate_right(2) ^ v[0].rotate_right(13) ^ v[0].rotate_right(22);
            let maj = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]);
            v.rotate_right(1);
            v[4] = v[4].wrapping_add(t1);
            v[0] = t1.wrapping_add(s0.wrapping_add(maj));
        }
        for (sum, value) in h.iter_mut().zip(&v) {
            *sum = sum.wrapping_add(*value);
        }
    }
    h.iter().map(|word| format!("{word:08x}")).collect()
}

#[test]
fn sha256_is_sha256() {
    assert_eq!(
        sha256(b"abc"),
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    );
}

#[test]
fn units_limits_and_settings_are_those_of_the_clients() {
    for entry in entries("policy_vectors.json") {
        let policy = policy(&entry.id, &entry.params);
        let definition = policy.definition();
        assert_eq!(definition.unit, entry.unit, "{}", entry.id);
        let recover = serde_json::to_value(definition.recover).expect("a word");
        assert_eq!(recover, entry.recover, "{}", entry.id);
        // Where the limit is no number of units it is the model's or the user's choice.
        if entry.limit.is_number() {
            assert_eq!(policy.limit(), entry.limit, "{}", entry.id);
        }
    }
}

/// Characters that units, line ends and blanks disagree about.
const ALPHABET: [&str; 22] = [
    "a",
    "b",
    " ",
    "\n",
    "\n",
    "\r\n",
    "\r",
    "\t",
    "é",
    "漢",
    "😀",
    "👩\u{200d}",
    "\u{301}",
    "\u{2028}",
    "\u{85}",
    "\u{b}",
    "\u{feff}",
    "…",
    "\"",
    "line\n",
    "line\n",
    "\u{10ffff}",
];

fn texts() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(&ALPHABET[..]), 0..60)
        .prop_map(|parts| parts.concat())
}

/// A policy with limits that texts of a test can be over.
fn small(id: &str, limits: [u8; 3]) -> ClientPolicy {
    let mut policy = Catalogue::built_in()
        .policy(id)
        .expect("the policy is known");
    let names: Vec<_> = policy
        .settings()
        .iter()
        .filter(|(name, value)| {
            matches!(value, Setting::Number(_))
                && ![
                    "exit_code",
                    "returncode",
                    "start",
                    "offset",
                    "start_index",
                    "bytes_per_token",
                ]
                .contains(name)
        })
        .map(|(name, _)| name.to_owned())
        .collect();
    for (name, limit) in names.iter().zip(limits.iter().cycle()) {
        // Kimi's own check: a line holds more than its marker.
        let least = u8::from(name == "max_line") * 15;
        let limit = (*limit).max(least).to_string();
        policy
            .set(name, &limit)
            .expect("the setting takes a number");
    }
    policy
}

fn text_policies() -> impl Iterator<Item = String> {
    Catalogue::built_in()
        .iter()
        .filter(|policy| policy.value.is_none())
        .map(|policy| policy.id.clone())
}

/// Policies that tear characters: they count UTF-16 units or raw bytes.
fn tears(policy: &ClientPolicy) -> bool {
    let ids = [
        "codex.unified-exec-buffer",
        "codex.v0.23",
        "github-mcp.log-line",
        "roo.terminal.artifact",
    ];
    policy.definition().unit.contains("UTF-16") || ids.contains(&policy.id())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn kept_and_left_out_are_the_output(text in texts(), limits in any::<[u8; 3]>()) {
        for id in text_policies() {
            let policy = small(&id, limits.map(|limit| limit % 40));
            let cut = policy.cut(Subject::of(Content::Text(&text)));
            let Given::Text(given) = &cut.given else {
                panic!("a text policy gives text");
            };
            prop_assert_eq!(&render(&cut.pieces, &text), given, "{}", id);
            let mut all = kept(&cut.pieces);
            all.extend(cut.left_out.iter().cloned());
            all.sort_by_key(|range| range.start);
            let mut at = 0;
            for range in all {
                prop_assert_eq!(range.start, at, "{}", id);
                at = range.end;
            }
            prop_assert_eq!(at, text.len(), "{}", id);
            prop_assert_eq!(cut.changed, given.as_str() != Some(text.as_str()));
        }
    }

    #[test]
    fn no_character_is_torn_but_by_clients_that_tear(text in texts(), limits in any::<[u8; 3]>()) {
        for id in text_policies() {
            let policy = small(&id, limits.map(|limit| limit % 40));
            if tears(&policy) {
                continue;
            }
            let cut = policy.cut(Subject::of(Content::Text(&text)));
            for piece in &cut.pieces {
                if let Piece::Kept(kept) = piece {
                    prop_assert!(text.get(kept.range.clone()).is_some(), "{} {:?}", id, kept);
                }
            }
        }
    }

    #[test]
    fn within_its_limits_nothing_but_blanks_is_left_out(text in texts(), slack in 0_u8..3) {
        for id in text_policies() {
            let mut policy = Catalogue::built_in().policy(&id).expect("the policy is known");
            // Roo loses a character of a text that fits, and says so.
            if id == "roo.terminal.artifact" {
                continue;
            }
            fit(&mut policy, &text, slack);
            let cut = policy.cut(Subject::of(Content::Text(&text)));
            for range in &cut.left_out {
                let part = text.get(range.clone());
                prop_assert!(
                    part.is_some_and(|part| part.chars().all(|c| c.is_whitespace() || c == '\u{feff}')),
                    "{} {:?}",
                    id,
                    part
                );
            }
            prop_assert!(
                cut.left_out.is_empty() || ["cline.v3.terminal", "goose.shell", "swe-agent.bash-only", "zed.terminal"].contains(&id.as_str()),
                "{}",
                id
            );
        }
    }
}

/// Sets the limits of a policy so that a text is just within them, `slack` units more.
fn fit(policy: &mut ClientPolicy, text: &str, slack: u8) {
    // A policy that cuts from its limit on needs one more.
    let slack = usize::from(slack) + usize::from(policy.definition().compare == Compare::From);
    let rows = text.split('\n').count();
    let lines = text.lines().count();
    let bytes = text.len();
    let chars = text.chars().count();
    let utf16 = text.encode_utf16().count();
    let cells = chars * 2;
    let unit = policy.definition().unit.clone();
    let measured = |name: &str| -> Option<usize> {
        Some(match name {
            "half" if unit == "chars" => (chars + "Exit code 1\n".len()).div_ceil(2),
            "threshold" if unit.contains("UTF-16") => utf16,
            "threshold" => chars,
            "max_lines" if unit.starts_with("bytes and") || unit.starts_with("lines (") => lines,
            "max_lines" | "line_limit" | "lines" => rows,
            "max_bytes" | "max_line" if !unit.contains("chars") => bytes.max(1),
            "max_line" => chars.max(20),
            "max_tokens" | "limit" if unit.starts_with("tokens") => bytes.div_ceil(4),
            "limit" => bytes,
            "max_chars" | "char_limit" if unit.contains("UTF-16") => utf16,
            "max_chars" | "max_length" => chars,
            "max_cells" => cells,
            "keep" if unit == "Unicode chars" => chars.div_ceil(2),
            "preview_bytes" => 2 * bytes,
            _ => return None,
        })
    };
    let names: Vec<_> = policy
        .settings()
        .iter()
        .map(|(name, _)| name.to_owned())
        .collect();
    for name in names {
        if let Some(limit) = measured(&name) {
            policy
                .set(&name, &(limit + slack).to_string())
                .expect("the setting takes a number");
        }
    }
}

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
