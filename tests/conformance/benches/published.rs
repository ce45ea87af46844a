//! toolreel's result cache and bound beside the published ones, as ratios measured in one run.
//!
//! `cargo bench -p conformance`. Fails where a ratio is above its target. A hand-written loop and not a
//! bench library, since what counts is the quotient of two medians and not either of them.

use std::hint::black_box;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use toolreel::tool::rig_compose as our_bound;
use toolreel::tool::rig_mcp as our_cache;

const KB: usize = 1_000;
const MB: usize = 1_000_000;

fn main() -> ExitCode {
    println!(
        "{:<58} {:>12} {:>12} {:>8} {:>8}",
        "", "published", "toolreel", "ratio", "target"
    );
    let mut met = true;
    for (name, items) in [("1 MB", items(MB, row)), ("10 MB", items(10 * MB, row))] {
        met &= cache(
            &format!("cache_if_large, {name}, default settings"),
            &items,
            65_536,
            64,
        );
        met &= cache(
            &format!("cache_if_large, {name}, just within the threshold"),
            &items,
            usize::MAX,
            64,
        );
    }
    let settings = our_bound::ToolResultEnvelopeConfig::default().with_max_array_items(usize::MAX);
    let uncut = our_bound::ToolResultEnvelopeConfig {
        max_string_chars: usize::MAX,
        ..settings.clone()
    };
    for (name, items, settings) in [
        (
            "1 MB of 1 KB rows",
            items(MB, |index| text_of(index, KB)),
            &settings,
        ),
        (
            "1 MB of 1 KB lists",
            items(MB, |index| list_of(index, KB)),
            &settings,
        ),
        (
            "10 MB of 50 KB lists",
            items(10 * MB, |index| list_of(index, 50 * KB)),
            &settings,
        ),
        (
            "10 MB of 50 KB texts, uncut",
            items(10 * MB, |index| text_of(index, 50 * KB)),
            &uncut,
        ),
    ] {
        met &= bound(&format!("bound, {name}"), &items, settings);
    }
    if met {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// At most a tenth.
fn cache(name: &str, items: &Value, threshold_bytes: usize, page_size: usize) -> bool {
    let ours = || {
        let (value, cache) = (items.clone(), our_cache::MemoryResultCache::new());
        timed(|| {
            (
                our_cache::cache_if_large(black_box(value), &cache, threshold_bytes, page_size),
                cache,
            )
        })
    };
    let published = || {
        let (value, cache) = (items.clone(), rig_mcp::MemoryResultCache::new());
        timed(|| {
            (
                rig_mcp::cache_if_large(black_box(value), &cache, threshold_bytes, page_size),
                cache,
            )
        })
    };
    compared(name, ours, published, 0.1)
}

/// At most a hundredth.
fn bound(name: &str, items: &Value, settings: &our_bound::ToolResultEnvelopeConfig) -> bool {
    let published_settings = rig_compose::ToolResultEnvelopeConfig::new(settings.max_string_chars)
        .with_max_array_items(settings.max_array_items)
        .with_max_total_bytes(settings.max_total_bytes);
    let ours = || {
        let payload = items.clone();
        timed(|| our_bound::ToolResultEnvelope::bound(black_box(payload), settings))
    };
    let published = || {
        let payload = items.clone();
        timed(|| rig_compose::ToolResultEnvelope::bound(black_box(payload), &published_settings))
    };
    compared(name, ours, published, 0.01)
}

/// Measures both in turns, prints the medians and tells whether their ratio meets its target.
fn compared(
    name: &str,
    ours: impl Fn() -> Duration,
    published: impl Fn() -> Duration,
    target: f64,
) -> bool {
    const ROUNDS: usize = 11;
    const LONGEST: Duration = Duration::from_secs(8);
    let begin = Instant::now();
    let (mut our_times, mut published_times) = (Vec::new(), Vec::new());
    while our_times.len() < 3 || our_times.len() < ROUNDS && begin.elapsed() < LONGEST {
        published_times.push(published());
        our_times.push(ours());
    }
    let (ours, published) = (median(our_times), median(published_times));
    let ratio = ours.as_secs_f64() / published.as_secs_f64();
    println!("{name:<58} {published:>12.3?} {ours:>12.3?} {ratio:>8.4} {target:>8}");
    ratio <= target
}

/// How long `work` takes; what it makes is dropped after.
fn timed<T>(work: impl FnOnce() -> T) -> Duration {
    let begin = Instant::now();
    let made = black_box(work());
    let took = begin.elapsed();
    drop(made);
    took
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

/// An array of about `bytes` of compact JSON.
fn items(bytes: usize, item: impl Fn(usize) -> Value) -> Value {
    let mut items = Vec::new();
    let mut length = 2;
    while length < bytes {
        let next = item(items.len());
        length += next.to_string().len() + 1;
        items.push(next);
    }
    Value::Array(items)
}

/// A search hit of some 200 bytes.
fn row(index: usize) -> Value {
    json!({
        "id": index,
        "path": format!("src/module_{}/file_{index}.rs", index % 40),
        "line": index * 7 % 900,
        "score": index as f64 / 3.0,
        "text": "let total = items.iter().map(|item| item.length).sum::<usize>(); // \"counted\"\n",
        "tags": ["rust", "search", null],
    })
}

/// An item of about `bytes`, nearly all of it one text.
fn text_of(index: usize, bytes: usize) -> Value {
    let line = "The quick brown fox jumps over the lazy dog, twice.\n";
    json!({ "id": index, "text": line.repeat(bytes / (line.len() + 1)) })
}

/// An item of about `bytes`, a list of short texts and numbers.
fn list_of(index: usize, bytes: usize) -> Value {
    let line = json!({"line": 12, "text": "a line of some words, as logs have them"});
    json!({ "id": index, "lines": vec![line.clone(); (bytes - 20) / (line.to_string().len() + 1)] })
}
