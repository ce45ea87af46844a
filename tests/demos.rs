//! The demo recordings are what their cache would really have answered, and the figures that the
//! walkthrough shows are those of the recording.

use serde_json::{Value, json};
use toolreel::tool::rig_mcp::{
    CacheError, MemoryResultCache, cache_if_large, cache_page, cache_release,
};

const RELEASED: &str = include_str!("../sessions/released-too-early.jsonl");

/// The events of a recording, without its header and its captions.
fn events(recording: &str) -> Vec<Value> {
    recording
        .lines()
        .map(|line| serde_json::from_str(line).expect("this demo is whole"))
        .filter(|line: &Value| line.get("type").is_some_and(|kind| kind != "note"))
        .collect()
}

/// The event of a number, counted from 1 as on the screen.
fn event(events: &[Value], number: usize) -> &Value {
    &events[number - 1]
}

fn length(value: &Value) -> usize {
    serde_json::to_string(value).expect("a value").len()
}

fn array(events: &[Value]) -> Value {
    event(events, 6)["returned"]["value"].clone()
}

#[test]
fn every_answer_of_the_result_cache_is_the_recorded_one() -> Result<(), CacheError> {
    let events = events(RELEASED);
    let cache = MemoryResultCache::new();

    let sent = cache_if_large(array(&events), &cache, 65_536, 64);
    assert_eq!(event(&events, 6)["sent"]["blocks"][0]["value"], sent);

    let ask = |call: usize| cache_page(&cache, &event(&events, call)["arguments"]);
    for (call, output) in [(8, 9), (10, 11)] {
        assert_eq!(event(&events, output)["returned"]["value"], ask(call)?);
    }
    let released = cache_release(&cache, &event(&events, 25)["arguments"])?;
    assert_eq!(event(&events, 26)["returned"]["value"], released);

    let refused = ask(27).expect_err("the handle is gone").to_string();
    let recorded = event(&events, 28);
    assert_eq!(recorded["returned"]["blocks"][0]["text"], refused);
    assert_eq!(recorded["is_error"], true);

    let small = event(&events, 4)["returned"]["value"].clone();
    assert_eq!(cache_if_large(small.clone(), &cache, 65_536, 64), small);
    Ok(())
}

#[test]
fn the_figures_of_the_walkthrough() -> Result<(), CacheError> {
    let events = events(RELEASED);
    let array = array(&events);
    let items = array.as_array().expect("an array");
    assert_eq!(items.len(), 412);
    assert_eq!(length(&array), 147_787);
    assert_eq!(length(&event(&events, 4)["returned"]["value"]), 1_805);
    let group = |range: std::ops::Range<usize>| length(&json!(items[range]));
    assert_eq!(
        [
            0..64,
            64..128,
            128..192,
            192..256,
            256..320,
            320..384,
            384..412
        ]
        .map(group),
        [23_480, 23_096, 22_942, 22_569, 22_386, 23_082, 10_238]
    );
    assert_eq!(group(192..412), 78_272);

    // What other settings and other pages cost.
    let first = |page_size| {
        let cache = MemoryResultCache::new();
        length(&cache_if_large(array.clone(), &cache, 65_536, page_size))
    };
    assert_eq!(
        [20, 64, 261, 412].map(first),
        [7_600, 23_625, 93_993, 147_895]
    );
    let cache = MemoryResultCache::new();
    let envelope = cache_if_large(array.clone(), &cache, 65_536, 64);
    let one = json!({"handle": "mcp-cache-0", "offset": 260, "limit": 1});
    assert_eq!(length(&cache_page(&cache, &one)?), 486);
    let mut answers = vec![length(&envelope)];
    let mut token = envelope["page_token"].clone();
    while !token.is_null() {
        let answer = cache_page(&cache, &json!({ "page_token": token }))?;
        answers.push(length(&answer));
        token = answer["next_page_token"].clone();
    }
    assert_eq!(answers.len(), 7);
    assert_eq!(answers[1], 23_213);
    assert_eq!(answers[..2].iter().sum::<usize>(), 46_838);
    assert_eq!(answers[1..3].iter().sum::<usize>(), 46_273);
    assert_eq!(answers[3..5].iter().sum::<usize>(), 45_191);
    assert_eq!(answers.iter().sum::<usize>(), 148_625);
    Ok(())
}

#[test]
fn the_story_is_in_the_recording() {
    let events = events(RELEASED);
    assert_eq!(events.len(), 29);
    let array = array(&events);
    let number = |item: usize| array[item]["number"].as_u64();
    for (item, expected) in [
        (0, 4612),
        (1, 4609),
        (64, 4455),
        (65, 4452),
        (126, 4296),
        (260, 3966),
    ] {
        assert_eq!(number(item), Some(expected), "item {item}");
    }
    // The model's answer is the oldest of what it saw, and not the oldest.
    let oldest = |range: std::ops::Range<usize>| range.filter_map(number).min();
    assert_eq!(oldest(0..192), Some(4296));
    assert_eq!(oldest(0..412), Some(3966));
    assert_eq!(array[260]["created_at"], "2026-01-01T07:17:00Z");
    assert_eq!(RELEASED.matches("3966").count(), 1, "a search has one hit");

    let chars = |event: &Value, side: &str| {
        let text = event[side]["blocks"][0]["text"]
            .as_str()
            .unwrap_or_default();
        text.chars().count()
    };
    for (number, returned) in [(22, 31_204), (24, 29_011)] {
        let output = event(&events, number);
        assert_eq!(chars(output, "returned"), returned);
        assert_eq!(chars(output, "sent"), 4_000);
    }
}
