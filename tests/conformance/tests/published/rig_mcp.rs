//! rig-mcp's result cache, its envelope and its two tools.

use std::sync::Arc;

use conformance::json::{self, object, words};
use conformance::mutate::nearly;
use conformance::{config, read_text, read_value, written};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use rig_compose::tool::Tool;
use rig_mcp as published;
use rig_mcp::ResultCache as _;
use serde_json::{Value, json};
use tokio::runtime::Runtime;
use toolreel::tool::rig_mcp::{self as ours, ResultCache as _};

/// One call, of a function or of a tool.
#[derive(Debug, Clone)]
enum Call {
    CacheIfLarge {
        value: Value,
        threshold: Threshold,
        page_size: usize,
    },
    Store(Vec<Value>),
    Page {
        handle: String,
        offset: usize,
        limit: usize,
    },
    Len(String),
    Release(String),
    LiveHandles,
    PageTool(Value),
    ReleaseTool(Value),
}

/// A threshold, mostly one that decides something.
#[derive(Debug, Clone, Copy)]
enum Threshold {
    At(usize),
    AboveLength(usize),
    BelowLength(usize),
}

impl Threshold {
    fn bytes(self, value: &Value) -> usize {
        let length = value.to_string().len();
        match self {
            Self::At(bytes) => bytes,
            Self::AboveLength(more) => length + more,
            Self::BelowLength(less) => length.saturating_sub(less),
        }
    }
}

fn threshold() -> impl Strategy<Value = Threshold> {
    prop_oneof![
        prop_oneof![0..100_usize, Just(usize::MAX)].prop_map(Threshold::At),
        (0..2_usize).prop_map(Threshold::AboveLength),
        (1..3_usize).prop_map(Threshold::BelowLength),
    ]
}

fn count() -> impl Strategy<Value = usize> {
    prop_oneof![6 => 0..12_usize, 2 => 12..80_usize, 1 => Just(usize::MAX)]
}

fn handle() -> impl Strategy<Value = String> {
    prop_oneof![
        8 => (0..4_u32).prop_map(|number| format!("mcp-cache-{number}")),
        1 => words(),
        1 => Just("mcp-cache-0:offset:1".to_owned()),
    ]
}

fn token() -> impl Strategy<Value = String> {
    const OFFSETS: &[&str] = &[
        "0",
        "1",
        "5",
        "64",
        "+5",
        "005",
        "-1",
        "",
        " 1",
        "1 ",
        "0x5",
        "18446744073709551615",
        "18446744073709551616",
        "1e2",
        "1.0",
        "٣",
    ];
    const SEPARATORS: &[&str] = &[
        ":offset:",
        ":offset:",
        ":offset:",
        ":offset:",
        ":offset:",
        ":OFFSET:",
        ":",
        ":offset::offset:",
        "",
    ];
    prop_oneof![
        8 => (handle(), select(SEPARATORS), select(OFFSETS)).prop_map(|(h, s, o)| format!("{h}{s}{o}")),
        1 => words(),
    ]
}

/// The arguments of a call, often wrong.
fn args() -> BoxedStrategy<Value> {
    let counted = || {
        prop_oneof![
            4 => count().prop_map(Value::from),
            1 => json::number().prop_map(|text| serde_json::from_str(&text).unwrap_or(Value::Null)),
            1 => json::value(),
        ]
    };
    let field = prop_oneof![
        4 => handle().prop_map(|handle| ("handle", Value::from(handle))),
        2 => token().prop_map(|token| ("page_token", Value::from(token))),
        3 => counted().prop_map(|offset| ("offset", offset)),
        3 => counted().prop_map(|limit| ("limit", limit)),
        1 => (select(&["handle", "page_token", "offset", "limit", "extra"][..]), json::value()),
    ];
    prop_oneof![
        12 => (vec(field, 0..5), proptest::option::weighted(0.7, handle())).prop_map(|(fields, handle)| {
            let handle = handle.map(|handle| ("handle", Value::from(handle)));
            Value::Object(handle.into_iter().chain(fields).map(|(key, value)| (key.to_owned(), value)).collect())
        }),
        1 => json::value(),
    ]
    .boxed()
}

fn call() -> BoxedStrategy<Call> {
    let value = prop_oneof![4 => json::array().prop_map(Value::Array), 1 => json::value()];
    prop_oneof![
        4 => (value, threshold(), count())
            .prop_map(|(value, threshold, page_size)| Call::CacheIfLarge { value, threshold, page_size }),
        2 => json::array().prop_map(Call::Store),
        2 => (handle(), count(), count()).prop_map(|(handle, offset, limit)| Call::Page { handle, offset, limit }),
        1 => handle().prop_map(Call::Len),
        1 => handle().prop_map(Call::Release),
        1 => Just(Call::LiveHandles),
        4 => args().prop_map(Call::PageTool),
        1 => args().prop_map(Call::ReleaseTool),
    ]
    .boxed()
}

/// The published cache with its tools.
struct Published {
    cache: Arc<published::MemoryResultCache>,
    page: Arc<dyn Tool>,
    release: Arc<dyn Tool>,
    runtime: Runtime,
}

impl Published {
    fn new() -> Self {
        let cache = Arc::new(published::MemoryResultCache::new());
        Self {
            page: published::cache_page_tool(cache.clone()),
            release: published::cache_release_tool(cache.clone()),
            cache,
            runtime: tokio::runtime::Builder::new_current_thread()
                .build()
                .expect("a runtime"),
        }
    }

    /// What the call answers, as text.
    fn answer(&self, call: Call) -> String {
        let handle = published::CachedResultHandle;
        match call {
            Call::CacheIfLarge {
                value,
                threshold,
                page_size,
            } => {
                let threshold = threshold.bytes(&value);
                written(&published::cache_if_large(
                    value,
                    self.cache.as_ref(),
                    threshold,
                    page_size,
                ))
            }
            Call::Store(items) => format!("{:?}", self.cache.store(items)),
            Call::Page {
                handle: name,
                offset,
                limit,
            } => written(&self.cache.page(&handle(name), offset, limit)),
            Call::Len(name) => format!("{:?}", self.cache.len(&handle(name))),
            Call::Release(name) => self.cache.release(&handle(name)).to_string(),
            Call::LiveHandles => self.cache.live_handles().to_string(),
            Call::PageTool(args) => told(self.runtime.block_on(self.page.invoke(args))),
            Call::ReleaseTool(args) => told(self.runtime.block_on(self.release.invoke(args))),
        }
    }
}

fn told(answer: Result<Value, impl std::fmt::Display>) -> String {
    answer.map_or_else(|error| format!("error: {error}"), |value| value.to_string())
}

/// What the call answers here, as text.
fn ours(cache: &ours::MemoryResultCache, call: Call) -> String {
    let handle = ours::CachedResultHandle;
    match call {
        Call::CacheIfLarge {
            value,
            threshold,
            page_size,
        } => {
            let threshold = threshold.bytes(&value);
            written(&ours::cache_if_large(value, cache, threshold, page_size))
        }
        Call::Store(items) => format!("{:?}", cache.store(items)),
        Call::Page {
            handle: name,
            offset,
            limit,
        } => written(&cache.page(&handle(name), offset, limit)),
        Call::Len(name) => format!("{:?}", cache.len(&handle(name))),
        Call::Release(name) => cache.release(&handle(name)).to_string(),
        Call::LiveHandles => cache.live_handles().to_string(),
        Call::PageTool(args) => told(ours::cache_page(cache, &args)),
        Call::ReleaseTool(args) => told(ours::cache_release(cache, &args)),
    }
}

/// JSON that is an envelope, or nearly one.
fn stored_envelope() -> BoxedStrategy<Value> {
    let right = (
        handle(),
        0..100_usize,
        0..100_usize,
        json::array(),
        any::<bool>(),
        0..100_usize,
        token(),
    )
        .prop_map(
            |(handle, total, page_size, first_page, truncated, omitted, token)| {
                object([
                    ("handle", handle.into()),
                    ("total_items", total.into()),
                    ("page_size", page_size.into()),
                    ("first_page", first_page.into()),
                    ("truncated", truncated.into()),
                    ("omitted_items", omitted.into()),
                    ("page_token", token.into()),
                ])
            },
        );
    nearly(
        right.boxed(),
        &["handle", "total_items", "page_token", "extra"],
    )
}

fn stored_config() -> BoxedStrategy<Value> {
    let right = (count(), count()).prop_map(|(threshold, page_size)| {
        object([
            ("threshold_bytes", threshold.into()),
            ("page_size", page_size.into()),
        ])
    });
    nearly(right.boxed(), &["threshold_bytes", "page_size", "extra"])
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn sequences_of_calls_are_answered_alike(calls in vec(call(), 1..8)) {
        let published = Published::new();
        let cache = ours::MemoryResultCache::new();
        for call in calls {
            prop_assert_eq!(ours(&cache, call.clone()), published.answer(call));
        }
        prop_assert_eq!(cache.live_handles(), published.cache.live_handles());
    }

    #[test]
    fn page_calls_are_answered_alike(args in args()) {
        thread_local! {
            static BOTH: (Published, ours::MemoryResultCache) = {
                let both = (Published::new(), ours::MemoryResultCache::new());
                for count in [10, 0, 200] {
                    let items: Vec<Value> = (0..count).map(|id| json!({ "id": id })).collect();
                    both.0.cache.store(items.clone());
                    both.1.store(items);
                }
                both
            };
        }
        let (published, answer) = BOTH.with(|(published, cache)| {
            (published.answer(Call::PageTool(args.clone())), ours(cache, Call::PageTool(args)))
        });
        prop_assert_eq!(answer, published);
    }

    #[test]
    fn stored_envelopes_are_read_alike(stored in stored_envelope()) {
        prop_assert_eq!(
            read_value::<ours::CachedResultEnvelope>(&stored),
            read_value::<published::CachedResultEnvelope>(&stored)
        );
        let text = stored.to_string();
        prop_assert_eq!(
            read_text::<ours::CachedResultEnvelope>(&text),
            read_text::<published::CachedResultEnvelope>(&text)
        );
        // What was read is written the same way whether through serde or without copying.
        if let Ok(envelope) = serde_json::from_value::<ours::CachedResultEnvelope>(stored) {
            prop_assert_eq!(written(&envelope), envelope.into_value().to_string());
        }
    }

    #[test]
    fn stored_handles_and_settings_are_read_alike(handle in json::value(), config in stored_config()) {
        prop_assert_eq!(
            read_value::<ours::CachedResultHandle>(&handle),
            read_value::<published::CachedResultHandle>(&handle)
        );
        prop_assert_eq!(
            read_value::<ours::CachedResultsConfig>(&config),
            read_value::<published::CachedResultsConfig>(&config)
        );
    }

    #[test]
    fn tokens_are_written_alike(name in words(), offset in any::<usize>()) {
        prop_assert_eq!(
            ours::CachedResultEnvelope::page_token(&ours::CachedResultHandle(name.clone()), offset),
            published::CachedResultEnvelope::page_token(&published::CachedResultHandle(name), offset)
        );
    }
}

#[test]
fn settings_and_names_are_the_published_ones() {
    let ours = ours::CachedResultsConfig::default();
    let published = published::CachedResultsConfig::default();
    assert_eq!(written(&ours), written(&published));
    assert_eq!(
        written(&ours::CachedResultsConfig::new(5).with_page_size(0)),
        written(&published::CachedResultsConfig::new(5).with_page_size(0))
    );
    assert_eq!(ours::CACHE_PAGE_TOOL, published::CACHE_PAGE_TOOL);
    assert_eq!(ours::CACHE_RELEASE_TOOL, published::CACHE_RELEASE_TOOL);
}
