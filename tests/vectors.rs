//! Vectors of the published crates, through the program as it is built for people.
//!
//! A build of the whole workspace may turn on features of serde_json that a plain `cargo build` has
//! not, and key order and number form follow them. `TOOLREEL_BIN` names the program to run; without
//! it, it is the one of this build.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::{Value, json};

fn toolreel(arguments: &[&str]) -> Output {
    let program =
        std::env::var_os("TOOLREEL_BIN").unwrap_or_else(|| env!("CARGO_BIN_EXE_toolreel").into());
    Command::new(&program)
        .args(arguments)
        .output()
        .unwrap_or_else(|error| panic!("{}: {error}", program.display()))
}

fn printed(arguments: &[&str]) -> String {
    let output = toolreel(arguments);
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn data(name: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(name);
    let text = fs::read_to_string(path).expect("the test's own data");
    serde_json::from_str(&text).expect("the test's own data")
}

/// A native recording of calls `lookup` with these outputs, each as it is written after `returned`.
fn recording(name: &str, outputs: impl IntoIterator<Item = (String, bool)>) -> PathBuf {
    let mut text = String::from("{\"toolreel\":1}\n");
    for (returned, is_error) in outputs {
        text.push_str(
            "{\"type\":\"tool_call\",\"id\":\"call_1\",\"tool\":\"lookup\",\"arguments\":{}}\n",
        );
        text.push_str("{\"type\":\"tool_output\",\"id\":\"call_1\",\"returned\":");
        text.push_str(&returned);
        text.push_str(if is_error {
            ",\"is_error\":true}\n"
        } else {
            "}\n"
        });
    }
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, text).expect("a temporary file can be written");
    path
}

fn as_text(path: &Path) -> &str {
    path.to_str().expect("a plain path")
}

/// The event of an output in such a recording.
fn output(position: usize) -> String {
    format!("#{}", 2 * position + 2)
}

/// Recorded JSON, and what serde_json with the features that rig-core 0.44 turns on makes of it.
const FORMS: [(&str, &str); 15] = [
    (
        r#"{"z":1,"a":2,"m":{"b":1,"a":2}}"#,
        r#"{"z":1,"a":2,"m":{"b":1,"a":2}}"#,
    ),
    (r#"{"z":1,"a":2,"z":3}"#, r#"{"z":3,"a":2}"#),
    ("[1.10,1.0,-0.0,-0]", "[1.1,1.0,-0.0,-0.0]"),
    ("[1e2,1E+2,1e-7]", "[100.0,100.0,1e-7]"),
    (
        "[1e21,123456789012345678901234567890]",
        "[1e+21,1.2345678901234568e+29]",
    ),
    (
        "[18446744073709551615,18446744073709551616]",
        "[18446744073709551615,1.8446744073709552e+19]",
    ),
    (
        "[-9223372036854775808,-9223372036854775809]",
        "[-9223372036854775808,-9.223372036854776e+18]",
    ),
    // Decimals of 17 digits, which a faster reader without float_roundtrip gets wrong in the last.
    (
        "[31.245270191439438,121.48791951161945,0.1234567890123456]",
        "[31.245270191439438,121.48791951161945,0.1234567890123456]",
    ),
    (r#"["\u00e9\u00E9é"]"#, r#"["ééé"]"#),
    (r#"["\/","/"]"#, r#"["/","/"]"#),
    (r#"["\u0041\ud83d\ude00"]"#, r#"["A😀"]"#),
    (
        r#"["\u0007\u001f\b\f\n\r\t\"\\"]"#,
        r#"["\u0007\u001f\b\f\n\r\t\"\\"]"#,
    ),
    ("[\"\u{7f}\u{2028}\"]", "[\"\u{7f}\u{2028}\"]"),
    (r#" { "a" : [ ] , "b" : { } } "#, r#"{"a":[],"b":{}}"#),
    (r#"{"":null,"a/b":true}"#, r#"{"":null,"a/b":true}"#),
];

#[test]
fn keys_numbers_and_strings_are_printed_as_serde_json_does() {
    let returned = FORMS.map(|(recorded, _)| (format!(r#"{{"value":{recorded}}}"#), false));
    let path = recording("forms.jsonl", returned);
    let rows = printed(&["list", as_text(&path), "--json"]);
    let lengths: Vec<u64> = rows
        .lines()
        .map(|row| serde_json::from_str::<Value>(row).expect("a row"))
        .filter(|row| row["kind"] == "tool_output")
        .map(|row| row["returned_bytes"].as_u64().expect("known"))
        .collect();
    for (position, (recorded, expected)) in FORMS.iter().enumerate() {
        for form in ["render", "text", "json"] {
            let shown = printed(&["show", as_text(&path), &output(position), "--as", form]);
            assert_eq!(
                shown.trim_end_matches('\n'),
                *expected,
                "{recorded} as {form}"
            );
        }
        assert_eq!(lengths[position], expected.len() as u64, "{recorded}");
    }
}

#[test]
fn every_double_survives() {
    // Numbers whose shortest form has 17 digits, from a generator that needs no seed.
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let numbers: Vec<f64> = std::iter::repeat_with(|| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        f64::from_bits(state)
    })
    .filter(|number| number.is_finite())
    .take(5000)
    .collect();
    let written: Vec<_> = numbers.iter().map(|number| format!("{number:e}")).collect();
    let path = recording(
        "doubles.jsonl",
        [(format!(r#"{{"value":[{}]}}"#, written.join(",")), false)],
    );
    let shown = printed(&["show", as_text(&path), "#2", "--as", "render"]);
    let shown: Vec<f64> = shown
        .trim_matches(['[', ']'])
        .split(',')
        .map(|number| number.parse().expect("a number"))
        .collect();
    assert_eq!(shown.len(), numbers.len());
    for (ours, theirs) in shown.iter().zip(&numbers) {
        assert_eq!(ours.to_bits(), theirs.to_bits(), "{theirs:e}");
    }
}

#[test]
fn pages_equal_what_rig_mcp_answered() {
    let fixture = data("cache_tools.json");
    let ten: Vec<_> = (0..10).map(|id| json!({ "id": id })).collect();
    let many: Vec<_> = (0..200).collect();
    let path = recording(
        "cache.jsonl",
        [json!(ten), json!([]), json!(many)]
            .map(|value| (json!({ "value": value }).to_string(), false)),
    );
    let mut compared = 0;
    for row in fixture["rows"].as_array().expect("rows") {
        let arguments = &row["args"];
        let token = arguments["page_token"].as_str();
        let Some(handle) = arguments["handle"]
            .as_str()
            .or(token.map(|_| "mcp-cache-0"))
        else {
            // The command line always names whose page it asks for.
            continue;
        };
        let number = |key: &str| match arguments.get(key) {
            Some(Value::String(text)) if text.parse::<u64>().is_ok() => Err(()),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(other) => Ok(Some(other.to_string())),
            None => Ok(None),
        };
        // A number and a text of digits look the same on a command line.
        let (Ok(offset), Ok(limit)) = (number("offset"), number("limit")) else {
            continue;
        };
        if row["tool"] != "cache.page" {
            continue;
        }
        let mut words = vec![
            "page",
            as_text(&path),
            handle,
            "--threshold-bytes",
            "0",
            "--page-size",
            "1",
        ];
        for (option, value) in [
            ("--offset", offset.as_deref()),
            ("--limit", limit.as_deref()),
            ("--page-token", token),
        ] {
            if let Some(value) = value {
                words.extend([option, value]);
            }
        }
        let output = toolreel(&words);
        if let Some(expected) = row.get("ok") {
            let answer: Value = serde_json::from_slice(&output.stdout).expect("JSON");
            assert_eq!(answer, *expected, "{arguments}");
            let keys: Vec<_> = answer.as_object().expect("an object").keys().collect();
            assert_eq!(
                keys,
                [
                    "handle",
                    "offset",
                    "limit",
                    "total_items",
                    "items",
                    "next_page_token"
                ]
            );
        } else {
            let words = String::from_utf8_lossy(&output.stderr);
            assert_eq!(
                Some(words.trim_end()),
                row["err"]["display"].as_str(),
                "{arguments}"
            );
            assert_eq!(output.status.code(), Some(1), "{arguments}");
        }
        compared += 1;
    }
    assert!(compared >= 40, "{compared}");
}

#[test]
fn wires_equal_what_rig_sent() {
    let fixture = data("providers-0.44.json");
    let cases = data("cases.json");
    let cases = cases.as_array().expect("cases");
    let path = recording(
        "cases.jsonl",
        cases.iter().map(|case| {
            let is_error = case["is_error"] == true;
            (json!({ "blocks": case["content"] }).to_string(), is_error)
        }),
    );
    let (mut compared, mut to_the_letter) = (0, 0);
    for (position, case) in cases.iter().enumerate() {
        let id = case["case"].as_str().expect("a name");
        let rows = printed(&[
            "render",
            as_text(&path),
            &output(position),
            "--provider",
            "all",
            "--json",
        ]);
        for row in rows.lines() {
            let row: Value = serde_json::from_str(row).expect("a row");
            let name = row["provider"].as_str().expect("a name");
            let expected = &fixture["wires"][name]["prepared"][id];
            match expected.get("error") {
                Some(error) => assert_eq!(row["error"], *error, "{name} {id}"),
                None => assert_eq!(row["wire"], *expected, "{name} {id}"),
            }
            // The letters, key order and number form with them, and not the values alone.
            let [ours, theirs] = [&row["wire"], expected].map(ToString::to_string);
            to_the_letter += usize::from(ours == theirs);
            compared += 1;
        }
    }
    assert_eq!(compared, 38 * 62);
    // Key order is no part of what a provider reads, and rig's own has a few maps without any.
    assert!(to_the_letter >= 2_340, "{to_the_letter}");
}
