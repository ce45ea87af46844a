//! toolreel's result cache and bound beside the published ones, as ratios measured in one run.
//!
//! `cargo bench -p conformance`. Fails where a ratio is above its target. A hand-written loop and not a
//! bench library, since what counts is the quotient of two times and not either of them. Each is the
//! shortest of its rounds, which other work on the machine disturbs least.

use std::hint::black_box;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use toolreel::tool::rig_compose as our_bound;
use toolreel::tool::rig_compose::ToolResultEnvelopeConfig;
use toolreel::tool::rig_mcp as our_cache;

const KB: usize = 1_000;
const MB: usize = 1_000_000;

fn main() -> ExitCode {
    println!(
        "{:<58} {:>12} {:>12} {:>8} {:>8}",
        "", "published", "toolreel", "ratio", "target"
    );
    let all_items = ToolResultEnvelopeConfig::default().with_max_array_items(usize::MAX);
    let all_chars = ToolResultEnvelopeConfig {
        max_string_chars: usize::MAX,
        ..all_items.clone()
    };
    let hits = |bytes| items(bytes, search_hit);
    let texts = |bytes, each| items(bytes, |index| text_of(index, each));
    let lists = |bytes, each| items(bytes, |index| list_of(index, each));
    let met = [
        cache("1 MB", &hits(MB), 65_536),
        cache("1 MB, just within the threshold", &hits(MB), usize::MAX),
        cache("10 MB", &hits(10 * MB), 65_536),
        cache(
            "10 MB, just within the threshold",
            &hits(10 * MB),
            usize::MAX,
        ),
        bound("1 MB of 1 KB texts", &texts(MB, KB), &all_items, Some(0.01)),
        bound("1 MB of 1 KB lists", &lists(MB, KB), &all_items, Some(0.01)),
        bound(
            "10 MB of 50 KB texts",
            &texts(10 * MB, 50 * KB),
            &all_chars,
            Some(0.01),
        ),
        bound(
            "10 MB of 50 KB texts cut to 4,000 characters",
            &texts(10 * MB, 50 * KB),
            &all_items,
            Some(0.01),
        ),
        // Without a target: freeing 10 MB of small values alone is more than a hundredth of what the
        // published function takes.
        bound(
            "10 MB of 50 KB lists",
            &lists(10 * MB, 50 * KB),
            &all_items,
            None,
        ),
    ];
    if met.contains(&false) {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    }
}

/// `cache_if_large` with the default page size.
fn cache(name: &str, items: &Value, threshold_bytes: usize) -> bool {
    let page_size = our_cache::CachedResultsConfig::default().page_size;
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
    compared(
        &format!("cache_if_large, {name}"),
        ours,
        published,
        Some(0.1),
    )
}

/// `ToolResultEnvelope::bound`.
fn bound(
    name: &str,
    items: &Value,
    settings: &ToolResultEnvelopeConfig,
    target: Option<f64>,
) -> bool {
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
    compared(&format!("bound, {name}"), ours, published, target)
}

/// Measures both in turns, prints the shortest times and tells whether their ratio meets its target.
fn compared(
    name: &str,
    ours: impl Fn() -> Duration,
    published: impl Fn() -> Duration,
    target: Option<f64>,
) -> bool {
    const ROUNDS: usize = 9;
    const LONGEST: Duration = Duration::from_secs(5);
    let begin = Instant::now();
    let (mut our_times, mut published_times) = (Vec::new(), Vec::new());
    while our_times.len() < 3 || our_times.len() < ROUNDS && begin.elapsed() < LONGEST {
        published_times.push(published());
        our_times.push(ours());
    }
    let shortest = |times: &[Duration]| times.iter().min().copied().unwrap_or_default();
    let (ours, published) = (shortest(&our_times), shortest(&published_times));
    let ratio = ours.as_secs_f64() / published.as_secs_f64();
    let told = target.map_or_else(String::new, |target| target.to_string());
    println!("{name:<58} {published:>12.3?} {ours:>12.3?} {ratio:>8.4} {told:>8}");
    target.is_none_or(|target| ratio <= target)
}

/// How long `work` takes; what it makes is dropped after.
fn timed<T>(work: impl FnOnce() -> T) -> Duration {
    let begin = Instant::now();
    let made = black_box(work());
    let took = begin.elapsed();
    drop(made);
    took
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

/// An item of some 200 bytes.
fn search_hit(index: usize) -> Value {
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
