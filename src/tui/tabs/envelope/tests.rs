use serde_json::json;

use super::*;
use crate::session::event::{Body, EventId};
use crate::tool::rig_compose::{ToolResultEnvelope, ToolResultEnvelopeConfig};
use crate::tui::tabs::testing::{Pane, demo, lines, source};

#[test]
fn every_field_of_a_cached_envelope_is_shown() {
    let pane: Pane<EnvelopeTab> = Pane::new(source(demo("released-too-early"), 6, (61, 20)));
    insta::assert_snapshot!(pane.screen());
}

#[test]
fn a_bounded_envelope_tells_its_segments_and_what_is_odd() {
    let config = ToolResultEnvelopeConfig::new(3).with_max_array_items(2);
    let made = ToolResultEnvelope::bound(json!({"body": "abcdef", "list": [1, 2, 3]}), &config);
    let mut value = serde_json::to_value(&made).unwrap();
    value["truncated"] = json!(false);
    let output = json!({"type": "tool_output", "id": "c", "returned": {"value": value}});
    let session = lines(&format!("{}\n{output}\n", json!({"toolreel": 1})));
    let pane: Pane<EnvelopeTab> = Pane::new(source(session, 1, (61, 24)));
    insta::assert_snapshot!(pane.screen());
}

#[test]
fn what_is_no_envelope_says_so() {
    let session = demo("released-too-early");
    let count = session.index().len();
    let mut pane: Pane<EnvelopeTab> = Pane::new(source(session, 4, (61, 20)));
    assert!(pane.screen().starts_with("no envelope"));
    for index in 1..=count {
        pane.select(index);
        let event = pane
            .source
            .recording
            .event(EventId::from_index(index).unwrap());
        let is_output = event.is_some_and(|event| matches!(event.body, Body::ToolOutput(_)));
        assert!(is_output || pane.screen().starts_with("no envelope"));
        for (columns, rows) in [(0, 0), (1, 1), (9, 4), (120, 50)] {
            pane.screen_at(columns, rows);
        }
    }
}

#[test]
fn only_what_is_true_is_said_of_what_has_no_envelope() {
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": "find", "arguments": {}}});
    let result = json!({"jsonrpc": "2.0", "id": 1,
        "result": {"content": [{"type": "text", "text": "found"}]}});
    let text = format!("{call}\n{result}\n");
    let pane: Pane<EnvelopeTab> = Pane::new(source(lines(&text), 2, (80, 20)));
    let words = "no envelope here: what the model was sent is not in this recording";
    assert_eq!(pane.screen(), words);
    let bad = format!("{}\n{{\n", json!({"toolreel": 1}));
    let pane: Pane<EnvelopeTab> = Pane::new(source(lines(&bad), 1, (80, 20)));
    assert_eq!(pane.screen(), "no envelope: a line that cannot be read");
    let mut pane: Pane<EnvelopeTab> = Pane::new(source(demo("released-too-early"), 1, (80, 20)));
    assert_eq!(pane.screen(), "no envelope: a message, not an output");
    pane.select(24);
    assert_eq!(pane.screen(), "no envelope: the model was sent a cut text");
    pane.select(4);
    let words = "no envelope: the model was sent the output itself";
    assert_eq!(pane.screen(), words);
}

#[test]
fn its_token_and_json_are_copied() {
    let mut pane: Pane<EnvelopeTab> = Pane::new(source(demo("released-too-early"), 6, (61, 20)));
    assert_eq!(
        pane.act(&Action::CopyToken),
        Outcome::with(Effect::Copy {
            what: "token",
            text: "mcp-cache-0:offset:64".to_owned()
        })
    );
    pane.act(&Action::Bottom);
    assert!(matches!(pane.act(&Action::CopyJson), Outcome::Done(_)));
}
