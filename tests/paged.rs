//! Paged recordings that were made by really running the published crates, with a truth file each
//! beside the checkout: every figure that the recording itself can know is the true one.

#![allow(clippy::unwrap_used)]

use std::ops::Range;
use std::path::PathBuf;
use std::time::Duration;

use serde_json::Value;
use toolreel::replay::Replay;
use toolreel::replay::ledger::{Amount, Ledger, Measure, SentAs};
use toolreel::replay::page::{PageError, PageOf, PageRequest};
use toolreel::replay::seen::{Reach, SeenUnit};
use toolreel::replay::uses::{Place, Search, Uses};
use toolreel::session::event::{EventId, EventKind};
use toolreel::session::{Input, Session};

struct Recording {
    session: Session,
    replay: Replay,
    truth: Value,
}

fn folder() -> Option<PathBuf> {
    let shared = std::env::var_os("TOOLREEL_SHARED").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared"),
        PathBuf::from,
    );
    let folder = shared.join("samples/paged");
    folder.is_dir().then_some(folder)
}

/// Opens a recording with its truth; none, and a word about it, where the samples are not here.
fn open(name: &str) -> Option<Recording> {
    let Some(folder) = folder() else {
        println!("skipped: no samples beside the checkout");
        return None;
    };
    let session = Session::open(Input::Path(folder.join(name))).unwrap();
    session.index_all().unwrap();
    if session.info().calls == 0 {
        println!(
            "skipped: calls of {} are not read yet",
            session.format().as_str()
        );
        return None;
    }
    let stem = name.split('.').next().unwrap();
    let truth = std::fs::read(folder.join(format!("{stem}.truth.json"))).unwrap();
    Some(Recording {
        replay: Replay::of(&session),
        session,
        truth: serde_json::from_slice(&truth).unwrap(),
    })
}

impl Recording {
    /// The output of a call id.
    fn output(&self, call_id: &str) -> EventId {
        let call = self.session.find(call_id).unwrap();
        self.replay.output_of(call).unwrap()
    }

    fn ledger(&self, call_id: &str) -> Ledger {
        self.replay.ledger(self.output(call_id)).unwrap()
    }

    fn uses(&self) -> Uses {
        let mut search = Search::new();
        assert!(search.advance(&self.replay, &self.session, Duration::MAX));
        search.uses()
    }

    fn listed(&self, key: &str) -> Vec<Value> {
        self.truth[key].as_array().cloned().unwrap_or_default()
    }
}

fn measure(amount: Amount) -> Measure {
    amount.measure().copied().unwrap_or_default()
}

/// Half-open ranges as the truth files write them.
fn ranges(value: &Value) -> Vec<Range<u64>> {
    let pairs = value.as_array().cloned().unwrap_or_default();
    pairs
        .iter()
        .map(|pair| pair[0].as_u64().unwrap()..pair[1].as_u64().unwrap())
        .collect()
}

/// Neighbouring ranges as one.
fn joined(ranges: impl IntoIterator<Item = Range<u64>>) -> Vec<Range<u64>> {
    let mut joined: Vec<Range<u64>> = Vec::new();
    for range in ranges {
        match joined.last_mut() {
            Some(last) if last.end == range.start => last.end = range.end,
            _ => joined.push(range),
        }
    }
    joined
}

/// The figures of a request body: what was sent, read and never sent, every envelope and page.
fn request_body(name: &str) {
    let Some(recording) = open(name) else { return };
    let Recording {
        session,
        replay,
        truth,
    } = &recording;

    let settings = replay.recorded_settings();
    assert_eq!(
        Some(settings.settings.page_size),
        truth["config"]["page_size"].as_u64()
    );

    for output in recording.listed("outputs") {
        let call_id = output["call_id"].as_str().unwrap();
        let id = recording.output(call_id);
        let ledger = recording.ledger(call_id);
        let envelope = &output["envelope"];
        if output["cached"] != true {
            assert_eq!(ledger.sent_as, None, "{call_id}");
            assert_eq!(measure(ledger.returned).items, None, "{call_id}");
            continue;
        }
        assert_eq!(ledger.sent_as, Some(SentAs::CachedEnvelope), "{call_id}");
        let figures = [
            (measure(ledger.returned).items, "returned_items"),
            (measure(ledger.sent).items, "sent_items"),
            (measure(ledger.sent).bytes, "envelope_bytes"),
            (measure(ledger.read_later).items, "read_later_items"),
            (measure(ledger.never_sent).items, "never_sent_items"),
        ];
        for (figure, key) in figures {
            assert_eq!(figure, output[key].as_u64(), "{call_id} {key}");
        }
        let seen = replay.seen(id).unwrap();
        let block = &seen.blocks[0];
        assert_eq!(block.unit, SeenUnit::Items);
        let with = |wanted: fn(Reach) -> bool| {
            let spans = block.spans.iter().filter(|span| wanted(span.reach));
            joined(
                spans
                    .map(|span| span.range.clone())
                    .filter(|range| !range.is_empty()),
            )
        };
        let never = with(|reach| matches!(reach, Reach::Never(_)));
        let later = with(|reach| matches!(reach, Reach::ReadLater(_)));
        assert_eq!(never, ranges(&output["never_sent_ranges"]), "{call_id}");
        assert_eq!(later, ranges(&output["read_later_ranges"]), "{call_id}");

        let pages = replay.pages(id).unwrap();
        assert_eq!(Some(pages.handle.as_str()), envelope["handle"].as_str());
        assert_eq!(Some(pages.total_items), envelope["total_items"].as_u64());
        assert_eq!(
            Some(pages.first_page_items),
            envelope["first_page_items"].as_u64()
        );

        // The items that are in the recording can be asked for again, the others are not recorded.
        let items = replay.items(session, id).unwrap();
        let request = |offset, limit| PageRequest {
            of: PageOf::Output(id),
            offset: Some(offset),
            limit: Some(limit),
            page_token: None,
            at: Some(id),
            settings: None,
        };
        for range in &never {
            assert!(items.get(range.start).is_none());
            let error = replay.page(session, &request(range.start, 1)).unwrap_err();
            assert_eq!(error, PageError::NotRecorded(range.start..range.start + 1));
        }
        for range in &later {
            assert!(items.get(range.start).is_some());
            let page = replay.page(session, &request(range.start, 1)).unwrap();
            assert_eq!(page["items"].as_array().unwrap().len(), 1);
        }
        let row = replay.rerun(settings.settings).row_of(id).unwrap();
        assert_eq!(row.total_items, envelope["total_items"].as_u64());
        assert_eq!(row.cached, never.is_empty(), "{call_id}");
    }

    for page in recording.listed("pages") {
        let call_id = page["call_id"].as_str().unwrap();
        let id = recording.output(call_id);
        let call = session.find(call_id).unwrap();
        let request = &page["request"];
        let asked = PageRequest {
            of: PageOf::Handle(request["handle"].as_str().unwrap_or("ignored").to_owned()),
            offset: request["offset"].as_u64(),
            limit: request["limit"].as_u64(),
            page_token: request["page_token"].as_str().map(str::to_owned),
            at: Some(call),
            settings: None,
        };
        let answer = replay.page(session, &asked);
        if let Some(error) = page["error"].as_str() {
            assert_eq!(
                answer,
                Err(PageError::Refused(error.to_owned())),
                "{call_id}"
            );
            continue;
        }
        let answer = answer.unwrap();
        for (key, truth) in [
            ("handle", "handle"),
            ("offset", "offset"),
            ("limit", "limit"),
            ("total_items", "total_items"),
            ("next_page_token", "next_page_token"),
        ] {
            assert_eq!(answer[key], page[truth], "{call_id} {key}");
        }
        let count = answer["items"].as_array().unwrap().len() as u64;
        assert_eq!(Some(count), page["items"].as_u64(), "{call_id}");
        assert_eq!(
            Some(answer.to_string().len() as u64),
            page["bytes"].as_u64(),
            "{call_id}"
        );
        assert_eq!(
            measure(recording.ledger(call_id).sent).bytes,
            page["bytes"].as_u64()
        );
        // The answer counts as read later of the output that it is of.
        let of = recording.ledger(page["of_call"].as_str().unwrap());
        let is_new = page["new_items"].as_u64() > Some(0);
        assert_eq!(of.read_by.contains(&id), is_new, "{call_id}");
    }

    // What was hidden is not in a request body: its value comes from nowhere.
    let nowhere = recording.uses().from_nowhere();
    for used in recording.listed("used_but_hidden") {
        let call = session
            .find(used["used_in"]["call_id"].as_str().unwrap())
            .unwrap();
        let found = nowhere
            .iter()
            .find(|from| from.value == used["value"])
            .unwrap();
        assert_eq!(found.used_by, call.index());
        assert_eq!(
            Some(found.used_at.as_str()),
            used["used_in"]["pointer"].as_str()
        );
    }

    let end = EventId::from_position(session.index().len() - 1);
    let live: Vec<_> = replay
        .cache_at(end)
        .live
        .into_iter()
        .map(|live| live.handle)
        .collect();
    assert_eq!(Value::from(live), truth["handles_never_released"]);
    for release in recording.listed("releases") {
        if release["released"] != true {
            continue;
        }
        let id = recording.output(release["call_id"].as_str().unwrap());
        let pages = replay.pages(id).unwrap();
        assert_eq!(pages.released, Some(id));
        assert_eq!(Some(pages.handle.as_str()), release["handle"].as_str());
    }
}

#[test]
fn rig_messages_with_two_pages_read() {
    request_body("a-rig-two-pages-read.json");
}

#[test]
fn rig_messages_with_a_page_size_of_20_and_every_kind_of_question() {
    request_body("c-rig-page-size-20.json");
}

#[test]
fn rig_messages_with_a_threshold_of_0_and_releases() {
    request_body("d0-rig-threshold-zero.json");
}

#[test]
fn an_anthropic_request_with_envelopes_made_text() {
    request_body("e-anthropic-messages.json");
}

#[test]
fn an_openai_responses_request() {
    request_body("g-openai-responses.json");
}

fn mcp_log(name: &str) {
    let Some(recording) = open(name) else { return };
    for output in recording.listed("outputs") {
        let id = output["id"].to_string();
        let ledger = recording.ledger(&id);
        assert!(ledger.sent.measure().is_none(), "{id}");
        assert!(ledger.never_sent.measure().is_none(), "{id}");
        assert!(ledger.returned.measure().is_some(), "{id}");
        let rows = output["rows_at"].as_str().unwrap_or_default();
        let row = recording
            .replay
            .rerun(toolreel::policy::cache::CacheSettings::default())
            .row_of(recording.output(&id))
            .unwrap();
        // rig-mcp sees the first text as JSON, and never an array inside structured content.
        let reached = rows.starts_with("/content/0/text");
        assert_eq!(row.total_items.is_some(), reached, "{id} {rows}");
        if let Some(pointer) = rows.strip_prefix("/structuredContent") {
            let inside = recording
                .replay
                .array_inside(recording.output(&id))
                .unwrap();
            assert_eq!(inside.pointer, pointer);
            assert_eq!(
                Some(inside.items),
                output["returned_items"].as_u64(),
                "{id}"
            );
            assert_eq!(
                Some(inside.bytes),
                output["returned_bytes"].as_u64(),
                "{id}"
            );
        }
        if reached {
            assert_eq!(row.total_items, output["returned_items"].as_u64(), "{id}");
            assert_eq!(row.bytes_before, output["returned_bytes"].as_u64(), "{id}");
            assert_eq!(
                Some(row.cached),
                output["returned_bytes"].as_u64().map(|b| b > 65_536)
            );
        }
    }
    assert!(recording.replay.losses().is_empty());
}

#[test]
fn an_mcp_log_knows_what_was_returned() {
    mcp_log("i-mcp-bare.jsonl");
    mcp_log("i2-mcp-wrapped-same-session.jsonl");
}

#[test]
fn claude_code_keeps_both_sides() {
    let Some(recording) = open("k-claude-code.jsonl") else {
        return;
    };
    let texts = returned_texts(&recording);
    for output in recording.listed("outputs") {
        let call_id = output["call_id"].as_str().unwrap();
        let ledger = recording.ledger(call_id);
        let chars = |amount| measure(amount).chars;
        assert_eq!(
            chars(ledger.returned),
            output["returned_chars"].as_u64(),
            "{call_id}"
        );
        assert_eq!(
            chars(ledger.sent),
            output["sent_chars"].as_u64(),
            "{call_id}"
        );
        let later = output["read_later_chars"].as_u64().unwrap_or(0);
        assert_eq!(chars(ledger.read_later), Some(later), "{call_id}");
        let omitted = output["omitted_chars"].as_u64().unwrap();
        assert_eq!(chars(ledger.never_sent), Some(omitted - later), "{call_id}");
        assert_eq!(
            matches!(ledger.sent_as, Some(SentAs::Cut(_))),
            output["cut"] == true,
            "{call_id}"
        );
        if let Some(SentAs::Cut(cut)) = &ledger.sent_as {
            assert_eq!(cut.client.as_deref(), Some("Claude Code"));
            assert_eq!(cut.policy.as_deref(), output["policy"].as_str());
            assert_eq!(cut.side_file.as_deref(), output["file"].as_str());
            let claimed = cut.claimed.map(|(count, _)| count);
            assert_eq!(claimed, output["marker_n"].as_u64(), "{call_id}");
            let text = &texts[call_id];
            let seen = recording.replay.seen(recording.output(call_id)).unwrap();
            let in_chars = |wanted: fn(Reach) -> bool| -> Vec<Range<u64>> {
                let spans = seen.blocks[0]
                    .spans
                    .iter()
                    .filter(|span| wanted(span.reach));
                spans
                    .map(|span| {
                        let chars = |bytes: u64| text[..bytes as usize].chars().count() as u64;
                        chars(span.range.start)..chars(span.range.end)
                    })
                    .collect()
            };
            let kept = in_chars(|reach| reach == Reach::Sent);
            assert_eq!(kept, ranges(&output["kept_ranges"]), "{call_id}");
            let later = in_chars(|reach| matches!(reach, Reach::ReadLater(_)));
            assert_eq!(later, ranges(&output["read_later_ranges"]), "{call_id}");
        }
        if let Some(reader) = output["read_later_by"].as_str() {
            assert_eq!(ledger.read_by, [recording.output(reader)]);
        }
    }
    assert_eq!(recording.replay.outputs_that_lost_data(), 2);

    let hidden = recording.uses().hidden_as_recorded();
    for used in recording.listed("used_but_hidden") {
        let call = used["used_in"]["call_id"].as_str().unwrap();
        let call = recording.session.find(call).unwrap();
        let of = used["stands_in"]["call_id"].as_str().unwrap();
        let text = &texts[of];
        let found = hidden
            .iter()
            .find(|hidden| hidden.value == used["value"])
            .unwrap();
        assert_eq!(found.used_by, call.index());
        assert_eq!(
            Some(found.used_at.as_str()),
            used["used_in"]["pointer"].as_str()
        );
        assert_eq!(found.output, recording.output(of).index());
        let Place::Byte(byte) = found.place else {
            panic!("in a text");
        };
        let char = text[..byte as usize].chars().count() as u64;
        assert_eq!(Some(char), used["stands_in"]["first_char"].as_u64());
    }
}

/// The text that each call's tool returned.
fn returned_texts(recording: &Recording) -> std::collections::HashMap<String, String> {
    use toolreel::session::block::Block;
    use toolreel::session::event::Body;
    let index = recording.session.index();
    let outputs = index
        .iter()
        .filter(|(_, record)| record.kind == EventKind::ToolOutput);
    outputs
        .filter_map(|(id, _)| {
            let Body::ToolOutput(output) = recording.session.event(id).ok()?.body else {
                return None;
            };
            match output.returned.as_deref()? {
                [Block::Text(text), ..] => Some((output.call_id?, text.clone())),
                _ => None,
            }
        })
        .collect()
}
