//! Generated recordings, made by really running the result cache: what the replay computes from them
//! is compared with what the cache said at the time.

use std::time::Duration;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::consequence::Direction;
use super::page::{PageError, PageOf, PageRequest};
use super::rerun::{Reason, Recorded};
use super::seen::Reach;
use super::*;
use crate::session::{Input, Session};
use crate::tool::rig_mcp::{
    CachedResultHandle, MemoryResultCache, ResultCache, cache_if_large, cache_page, cache_release,
};

/// What happens in a generated session.
#[derive(Debug, Clone)]
enum Step {
    /// A tool returns a value.
    Output(Value),
    /// A tool fails.
    Error(String),
    /// The model asks for a page of a handle that was given out, or of one that was not.
    Page {
        handle: usize,
        offset: u64,
        limit: Option<u64>,
        by_token: bool,
    },
    /// The model releases a handle.
    Release(usize),
    /// Somebody says something.
    Message,
}

fn value() -> impl Strategy<Value = Value> {
    let item = prop_oneof![
        any::<i32>().prop_map(Value::from),
        "[a-zé\"\\\\]{0,9}".prop_map(Value::from),
        ("[a-z]{1,4}", any::<f32>()).prop_map(|(key, number)| json!({ key: number })),
    ];
    prop_oneof![
        6 => prop::collection::vec(item, 0..90).prop_map(Value::from),
        1 => "[a-z ]{0,40}".prop_map(Value::from),
        1 => prop::collection::vec(any::<u8>(), 0..9).prop_map(|items| json!({ "items": items })),
    ]
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        3 => value().prop_map(Step::Output),
        1 => "[a-z ]{1,20}".prop_map(Step::Error),
        4 => (0_usize..5, 0_u64..100, prop::option::of(0_u64..80), any::<bool>()).prop_map(
            |(handle, offset, limit, by_token)| Step::Page { handle, offset, limit, by_token }
        ),
        1 => (0_usize..5).prop_map(Step::Release),
        1 => Just(Step::Message),
    ]
}

fn settings() -> impl Strategy<Value = CacheSettings> {
    (0_u64..1_200, 0_u64..80).prop_map(|(threshold_bytes, page_size)| CacheSettings {
        threshold_bytes,
        page_size,
    })
}

fn run(value: Value, cache: &dyn ResultCache, settings: CacheSettings) -> Value {
    let count = |number: u64| usize::try_from(number).unwrap();
    cache_if_large(
        value,
        cache,
        count(settings.threshold_bytes),
        count(settings.page_size),
    )
}

/// A recording in the native format, and the cache's answers after each of its events.
struct Made {
    lines: Vec<String>,
    /// Live handles after each event, by number.
    live: Vec<Vec<u64>>,
    /// The values that tools returned, with their events counted from 1.
    returned: Vec<(usize, Value)>,
}

fn make(steps: &[Step], settings: CacheSettings) -> Made {
    let cache = MemoryResultCache::new();
    let mut made = Made {
        lines: vec![json!({ "toolreel": 1 }).to_string()],
        live: Vec::new(),
        returned: Vec::new(),
    };
    let mut stored = 0;
    for (number, step) in steps.iter().enumerate() {
        let id = format!("call_{number}");
        let call = |tool: &str, arguments: &Value| json!({ "type": "tool_call", "id": id, "tool": tool, "arguments": arguments });
        let output = |returned: Value| json!({ "type": "tool_output", "id": id, "returned": { "value": returned } });
        let refused = |error: &str| {
            let blocks = json!({ "blocks": [{ "type": "text", "text": error }] });
            json!({ "type": "tool_output", "id": id, "returned": blocks, "is_error": true })
        };
        let events = match step {
            Step::Message => vec![json!({ "type": "message", "role": "user", "content": "go on" })],
            Step::Error(error) => vec![call("search", &json!({})), refused(error)],
            Step::Output(value) => {
                let sent = run(value.clone(), &cache, settings);
                made.returned.push((made.live.len() + 2, value.clone()));
                let mut line = output(value.clone());
                if sent != *value {
                    stored += 1;
                    line["sent"] = json!({ "blocks": [{ "type": "json", "value": sent }] });
                }
                vec![call("search", &json!({})), line]
            }
            Step::Page {
                handle,
                offset,
                limit,
                by_token,
            } => {
                let handle = format!("mcp-cache-{handle}");
                let mut arguments = if *by_token {
                    json!({ "page_token": format!("{handle}:offset:{offset}") })
                } else {
                    json!({ "handle": handle, "offset": offset })
                };
                if let Some(limit) = limit {
                    arguments["limit"] = json!(limit);
                }
                let answer = match cache_page(&cache, &arguments) {
                    Ok(answer) => output(answer),
                    Err(error) => refused(&error.to_string()),
                };
                vec![call("srv__cache.page", &arguments), answer]
            }
            Step::Release(handle) => {
                let arguments = json!({ "handle": format!("mcp-cache-{handle}") });
                let answer = cache_release(&cache, &arguments).unwrap();
                vec![call("cache.release", &arguments), output(answer)]
            }
        };
        let is_live = |number: &u64| cache.len(&CachedResultHandle::numbered(*number)).is_some();
        let live: Vec<u64> = (0..stored).filter(is_live).collect();
        for (place, event) in events.iter().enumerate() {
            made.lines.push(event.to_string());
            // A call alone changes nothing yet.
            let before = made.live.last().cloned().unwrap_or_default();
            let is_last = place + 1 == events.len();
            made.live.push(if is_last { live.clone() } else { before });
        }
    }
    made
}

impl Made {
    fn session(&self) -> Session {
        let session = Session::open(Input::Bytes {
            name: "made".to_owned(),
            bytes: self.lines.join("\n").into_bytes(),
        })
        .unwrap();
        session.index_all().unwrap();
        session
    }
}

/// Everything that can be asked about an event without values.
fn all_answers(replay: &Replay, events: usize) -> String {
    let of_event = |id| {
        format!(
            "{:?}{:?}{:?}{:?}{:?}",
            replay.ledger(id),
            replay.seen(id),
            replay.pages(id),
            replay.cache_at(id),
            replay.bar(id, 5)
        )
    };
    let events: Vec<String> = (0..events)
        .map(EventId::from_position)
        .map(of_event)
        .collect();
    format!("{:?}{events:?}", replay.losses())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn a_re_run_is_what_the_cache_really_gives(
        steps in prop::collection::vec(step(), 0..24), recorded in settings(), now in settings()
    ) {
        let made = make(&steps, recorded);
        let session = made.session();
        let replay = Replay::of(&session);
        let rerun = replay.rerun(now);
        let cache = MemoryResultCache::new();
        let same = replay.rerun(recorded);
        let mut totals = (0_u64, 0_u64, 0_u64);
        for (index, value) in &made.returned {
            let event = EventId::from_index(*index).unwrap();
            let row = rerun.row_of(event).expect("every output has a row");
            let given = run(value.clone(), &cache, now);
            prop_assert_eq!(row.bytes_before, Some(value.to_string().len() as u64));
            prop_assert_eq!(row.bytes_after, Some(given.to_string().len() as u64));
            prop_assert_eq!(same.row_of(event).unwrap().recorded, Recorded::Same);
            if given == *value {
                let reason = if value.is_array() { Reason::UnderThreshold } else { Reason::NotArray };
                prop_assert_eq!((row.cached, row.reason), (false, Some(reason)));
                continue;
            }
            totals.0 += 1;
            totals.1 += row.bytes_after.unwrap();
            totals.2 += row.calls_to_read_all.unwrap();
            prop_assert!(row.cached);
            prop_assert_eq!(row.handle.as_deref(), given["handle"].as_str());
            prop_assert_eq!(row.page_token.as_deref(), given.get("page_token").and_then(Value::as_str));
            prop_assert_eq!(row.total_items, given["total_items"].as_u64());
            prop_assert_eq!(row.omitted_items, given["omitted_items"].as_u64());
            let first = given["first_page"].as_array().unwrap().len() as u64;
            prop_assert_eq!(row.first_page_items, Some(first));
            // Following the tokens at the default limit takes as many calls as were computed.
            let mut calls = 0;
            let mut token = given.get("page_token").cloned();
            while let Some(Value::String(next)) = token {
                calls += 1;
                let page = cache_page(&cache, &json!({ "page_token": next })).unwrap();
                token = Some(page["next_page_token"].clone());
            }
            prop_assert_eq!(row.calls_to_read_all, Some(calls));
        }
        prop_assert_eq!(totals.0, rerun.totals.cached);
        prop_assert_eq!(totals.2, rerun.totals.page_calls);
        let untouched: u64 = rerun.rows().filter(|row| !row.cached).filter_map(|row| row.bytes_after).sum();
        prop_assert_eq!(rerun.totals.bytes_after, totals.1 + untouched);
        let counted = rerun.totals.cached + rerun.totals.not_array + rerun.totals.under_threshold
            + rerun.totals.errors + rerun.totals.cache_answers + rerun.totals.items_not_recorded;
        prop_assert_eq!(counted, rerun.len() as u64);
    }

    #[test]
    fn the_cache_at_any_event_is_as_it_was_then(
        steps in prop::collection::vec(step(), 0..14), recorded in settings()
    ) {
        let made = make(&steps, recorded);
        let session = made.session();
        let replay = Replay::of(&session);
        // From the end to the beginning: no event needs those before it to be visited first.
        for (position, live) in made.live.iter().enumerate().rev() {
            let id = EventId::from_position(position);
            let state = replay.cache_at(id);
            let handles: Vec<u64> = state
                .live
                .iter()
                .map(|handle| CachedResultHandle(handle.handle.clone()).number().unwrap())
                .collect();
            prop_assert_eq!(&handles, live);
            prop_assert_eq!(replay.live_handles_at(id), live.len());
            for handle in state.live.iter().chain(&state.gone) {
                prop_assert!(handle.pages.iter().all(|page| *page <= id));
            }
        }
        // Playing up to an event gives the same state as knowing the whole recording.
        for position in 0..made.live.len() {
            let id = EventId::from_position(position);
            let mut lines = made.lines.clone();
            lines.truncate(position + 2);
            let played = Made { lines, live: Vec::new(), returned: Vec::new() };
            let played = Replay::of(&played.session());
            prop_assert_eq!(played.cache_at(id), replay.cache_at(id));
        }
    }

    #[test]
    fn following_a_recording_gives_the_same_as_reading_it_at_once(
        steps in prop::collection::vec(step(), 0..20), recorded in settings()
    ) {
        let made = make(&steps, recorded);
        let session = made.session();
        let mut builder = Builder::new();
        let mut snapshots = vec![builder.replay()];
        while !builder.advance(&session, Duration::ZERO).complete {
            snapshots.push(builder.replay());
        }
        let events = made.live.len();
        prop_assert_eq!(all_answers(&builder.replay(), events), all_answers(&Replay::of(&session), events));
        // A snapshot keeps what it was made of.
        for (taken, snapshot) in snapshots.iter().enumerate() {
            prop_assert_eq!(snapshot.taken(), taken);
        }
    }

    #[test]
    fn pages_are_those_that_the_cache_gave(
        steps in prop::collection::vec(step(), 1..20), recorded in settings()
    ) {
        let made = make(&steps, recorded);
        let session = made.session();
        let replay = Replay::of(&session);
        for (position, line) in made.lines.iter().skip(1).enumerate() {
            let line: Value = serde_json::from_str(line).unwrap();
            if line["tool"] != "srv__cache.page" {
                continue;
            }
            let arguments = &line["arguments"];
            let token = arguments["page_token"].as_str();
            let request = PageRequest {
                of: PageOf::Handle(arguments["handle"].as_str().unwrap_or("ignored").to_owned()),
                offset: arguments["offset"].as_u64(),
                limit: arguments["limit"].as_u64(),
                page_token: token.map(str::to_owned),
                at: Some(EventId::from_position(position)),
                settings: None,
            };
            let answer: Value = serde_json::from_str(&made.lines[position + 2]).unwrap();
            let recorded = &answer["returned"];
            // Without any envelope in the recording, nothing tells its settings.
            match replay.page(&session, &request) {
                Ok(page) => prop_assert_eq!(&recorded["value"], &page),
                Err(PageError::Refused(error)) => {
                    prop_assert_eq!(recorded["blocks"][0]["text"].as_str(), Some(error.as_str()));
                }
                Err(other) => prop_assert!(false, "{other}"),
            }
        }
    }

    #[test]
    fn what_was_never_sent_and_what_was_add_up(
        steps in prop::collection::vec(step(), 0..24), recorded in settings()
    ) {
        let made = make(&steps, recorded);
        let replay = Replay::of(&made.session());
        for (index, value) in &made.returned {
            let id = EventId::from_index(*index).unwrap();
            let ledger = replay.ledger(id).unwrap();
            let items = |amount: ledger::Amount| amount.measure().and_then(|measure| measure.items);
            if let Some(total) = value.as_array().map(|items| items.len() as u64) {
                let parts = [ledger.sent, ledger.read_later, ledger.never_sent].map(items);
                let sum: Option<u64> = parts.into_iter().sum();
                prop_assert_eq!(sum, Some(total));
                prop_assert_eq!(items(ledger.returned), Some(total));
            }
            let seen = replay.seen(id).unwrap();
            for block in &seen.blocks {
                let mut end = 0;
                for span in &block.spans {
                    prop_assert_eq!(span.range.start, end);
                    end = span.range.end;
                    prop_assert!(span.recorded);
                    prop_assert_ne!(span.reach, Reach::Unknown);
                }
                let extent = value.as_array().map_or(1, Vec::len) as u64;
                prop_assert_eq!(end, extent);
            }
        }
    }

    #[test]
    fn the_next_value_changes_something_and_none_before_it_does(
        steps in prop::collection::vec(step(), 1..16), from in settings()
    ) {
        let replay = Replay::of(&make(&steps, CacheSettings::default()).session());
        let first_pages = |settings: CacheSettings| -> Vec<Option<u64>> {
            replay.rerun(settings).rows().map(|row| row.first_page_items).collect()
        };
        let now = first_pages(from);
        for direction in [Direction::Down, Direction::Up] {
            let threshold = |threshold_bytes| CacheSettings { threshold_bytes, ..from };
            let page_size = |page_size| CacheSettings { page_size, ..from };
            if let Some(next) = replay.next_threshold(from, direction) {
                prop_assert_ne!(&first_pages(threshold(next.value)), &now);
                let before = match direction {
                    Direction::Down => next.value + 1,
                    Direction::Up => next.value - 1,
                };
                prop_assert_eq!(&first_pages(threshold(before)), &now);
            } else if direction == Direction::Down {
                prop_assert_eq!(&first_pages(threshold(0)), &now);
            } else {
                prop_assert_eq!(&first_pages(threshold(u64::MAX)), &now);
            }
            if let Some(next) = replay.next_page_size(from, direction) {
                prop_assert_ne!(&first_pages(page_size(next.value)), &now);
                let before = match direction {
                    Direction::Down => next.value + 1,
                    Direction::Up => next.value - 1,
                };
                prop_assert_eq!(&first_pages(page_size(before)), &now);
            }
        }
    }
}

#[test]
fn a_growing_file_is_followed_and_a_replaced_one_is_read_anew() {
    use std::io::Write;

    let steps = [
        Step::Output(Value::from((0..300).collect::<Vec<_>>())),
        Step::Page {
            handle: 0,
            offset: 10,
            limit: Some(5),
            by_token: false,
        },
        Step::Release(0),
        Step::Error("no".to_owned()),
    ];
    let settings = CacheSettings {
        threshold_bytes: 100,
        page_size: 10,
    };
    let made = make(&steps, settings);
    let path = tempfile::NamedTempFile::new().unwrap();
    let session = Session::open(Input::Path(path.path().to_owned())).unwrap();
    let mut builder = Builder::new();
    let mut file = path.reopen().unwrap();
    // Lines arrive in two pieces each, and somebody looks after every piece.
    for line in &made.lines {
        let (head, tail) = line.split_at(line.len() / 2);
        for piece in [head, tail, "\n"] {
            file.write_all(piece.as_bytes()).unwrap();
            for _ in 0..2 {
                session.refresh().unwrap();
                session.index_all().unwrap();
                builder.advance(&session, Duration::MAX);
            }
        }
    }
    let events = made.live.len();
    let at_once = Replay::of(&made.session());
    assert_eq!(
        all_answers(&builder.replay(), events),
        all_answers(&at_once, events)
    );

    let other = make(&steps[3..], settings);
    file.set_len(0).unwrap();
    std::fs::write(path.path(), other.lines.join("\n") + "\n").unwrap();
    session.refresh().unwrap();
    session.index_all().unwrap();
    builder.advance(&session, Duration::MAX);
    assert_eq!(builder.replay().taken(), other.live.len());
    assert_eq!(builder.replay().rerun(settings).totals.cached, 0);
}
