//! The README says what the program does: its keys are the key table's, its native lines are read, its
//! commands are commands.
//!
//! `TOOLREEL_UPDATE=1` writes the generated part anew instead of comparing it.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use toolreel::session::event::EventKind;
use toolreel::session::{FormatName, Input, Session};
use toolreel::tui::keys::{Scope, table};

fn path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")
}

fn readme() -> String {
    fs::read_to_string(path()).expect("the README")
}

/// The part of the README between a marker and the next heading, both left out.
fn section(readme: &str, marker: &str) -> (usize, usize) {
    let start = readme
        .find(marker)
        .expect("the marker stands in the README");
    let start = start + readme[start..].find("-->\n").expect("a comment") + "-->\n".len();
    let end = start + readme[start..].find("\n## ").expect("a heading follows");
    (start, end)
}

/// The key table as the README has it.
fn keys() -> String {
    let mut text = String::new();
    let mut group = "";
    for entry in table().entries() {
        if entry.group != group {
            group = &entry.group;
            let _ = write!(text, "\n| {group} | |\n|---|---|\n");
        }
        let keys: Vec<_> = entry
            .keys
            .iter()
            .map(|key| format!("`{}`", key.replace('|', "\\|")))
            .collect();
        let place = match entry.scope {
            Scope::Timeline => " (in the list of events)",
            _ => "",
        };
        let _ = writeln!(text, "| {} | {}{place} |", keys.join(" "), entry.doc());
    }
    text
}

#[test]
fn the_keys_are_those_of_the_table() {
    let readme = readme();
    let (start, end) = section(&readme, "<!-- keys:");
    let expected = keys();
    if std::env::var_os("TOOLREEL_UPDATE").is_some() {
        let updated = format!("{}{expected}{}", &readme[..start], &readme[end..]);
        fs::write(path(), updated).expect("the README can be written");
        return;
    }
    let written = &readme[start..end];
    for (ours, theirs) in expected.lines().zip(written.lines()) {
        assert_eq!(theirs, ours, "TOOLREEL_UPDATE=1 writes the table anew");
    }
    assert!(
        written == expected,
        "TOOLREEL_UPDATE=1 writes the table anew"
    );
}

#[test]
fn the_native_lines_are_read_as_what_they_are() {
    let readme = readme();
    let native = readme
        .split("## The native format")
        .nth(1)
        .expect("the section");
    let lines = native
        .split("```json\n")
        .nth(1)
        .and_then(|rest| rest.split("```").next())
        .expect("an example");
    let session = Session::open(Input::Bytes {
        name: "README".to_owned(),
        bytes: lines.as_bytes().to_vec(),
    })
    .expect("memory can be read");
    session.index_all().expect("memory can be read");
    assert_eq!(session.format(), FormatName::Native);
    let kinds: Vec<_> = session
        .index()
        .iter()
        .map(|(_, record)| record.kind)
        .collect();
    let events = lines.lines().count() - 1 - session.captions().len();
    assert_eq!(kinds.len(), events, "the header and captions are no events");
    for kind in [
        EventKind::Message,
        EventKind::Thinking,
        EventKind::ToolCall,
        EventKind::ToolOutput,
        EventKind::Cache,
        EventKind::System,
        EventKind::Note,
    ] {
        assert!(kinds.contains(&kind), "{kind:?}");
    }
    assert!(!kinds.contains(&EventKind::Unknown) && !kinds.contains(&EventKind::Bad));
}

#[test]
fn the_commands_are_taken() {
    let readme = readme();
    let commands = readme.split("## Command line").nth(1).expect("the section");
    let block = commands
        .split("```sh\n")
        .nth(1)
        .and_then(|rest| rest.split("```").next())
        .expect("examples");
    let mut taken = 0;
    for line in block.lines() {
        let line = line.split(" # ").next().unwrap_or_default();
        let demo = line.replace("session.jsonl", "demo:released-too-early");
        let words: Vec<_> = demo
            .split_whitespace()
            .skip(1)
            .map(|word| word.trim_matches('\''))
            .collect();
        let output = Command::new(env!("CARGO_BIN_EXE_toolreel"))
            .args(&words)
            .output()
            .expect("it runs");
        assert!(
            output.status.success(),
            "{line}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        taken += 1;
    }
    assert!(taken >= 10, "{taken}");
}
