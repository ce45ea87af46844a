//! The result cache: what its calls answer, and what is cached at all.

use serde_json::{Value, json};
use toolreel::tool::rig_mcp::{
    CACHE_PAGE_TOOL, CACHE_RELEASE_TOOL, CachedResultsConfig, MemoryResultCache, ResultCache,
    cache_if_large, cache_page, cache_release,
};

#[test]
fn every_recorded_call_is_answered_as_recorded() {
    let vectors = super::data("cache_tools.json");
    let cache = MemoryResultCache::new();
    cache.store((0..10).map(|id| json!({ "id": id })).collect());
    cache.store(Vec::new());
    cache.store((0..200).map(Value::from).collect());
    let rows = vectors["rows"].as_array().expect("rows");
    assert_eq!(rows.len(), 68);
    for row in rows {
        let args = &row["args"];
        let answer = match row["tool"].as_str() {
            Some(CACHE_PAGE_TOOL) => cache_page(&cache, args),
            Some(CACHE_RELEASE_TOOL) => cache_release(&cache, args),
            other => panic!("a tool called {other:?}"),
        };
        match answer {
            Ok(answer) => assert_eq!(Some(&answer), row.get("ok"), "{args}"),
            Err(error) => {
                assert_eq!(
                    Some(error.to_string().as_str()),
                    row["err"]["display"].as_str(),
                    "{args}"
                );
            }
        }
    }
}

/// The edges of the published function, as its crate answers them.
#[test]
fn an_array_is_cached_when_its_compact_form_is_longer_than_the_threshold() {
    let unicode = json!(["é", "日本", "😀", "\n\"", "\u{7f}", "/"]);
    let three = json!([1, 2, 3]);
    for (value, threshold, cached) in [
        (&three, 6, true),
        (&three, 7, false),
        (&json!([]), 1, true),
        (&json!([]), 2, false),
        (&unicode, 36, true),
        (&unicode, 37, false),
        (&json!({"items": [1, 2, 3]}), 0, false),
        (&json!("[1,2,3]"), 0, false),
        (&json!(null), 0, false),
    ] {
        let cache = MemoryResultCache::new();
        let sent = cache_if_large(value.clone(), &cache, threshold, 1);
        assert_eq!(
            cache.live_handles(),
            usize::from(cached),
            "{value} at {threshold}"
        );
        assert_eq!(sent == *value, !cached, "{value} at {threshold}");
    }
}

/// What is measured is the parsed value as serde_json writes it, not the recorded bytes.
#[test]
fn the_length_is_that_of_the_parsed_value() {
    for (recorded, length) in [
        ("[1.10]", 5),
        ("[1e2]", 7),
        (r#"["\u00e9"]"#, 6),
        (r#"["\/"]"#, 5),
        (r#"[{"a":1,"a":22}]"#, 10),
        ("[123456789012345678901]", 24),
        ("[ 1 , 2 ]", 5),
        ("[-0]", 6),
    ] {
        let value: Value = serde_json::from_str(recorded).expect("test data");
        let cache = MemoryResultCache::new();
        assert_eq!(
            cache_if_large(value.clone(), &cache, length, 1),
            value,
            "{recorded}"
        );
        assert_ne!(
            cache_if_large(value.clone(), &cache, length - 1, 1),
            value,
            "{recorded}"
        );
    }
}

#[test]
fn an_envelope_is_written_in_the_order_of_its_fields() {
    let cache = MemoryResultCache::new();
    let sent = cache_if_large(json!([1, 2, 3]), &cache, 0, 1);
    assert_eq!(
        sent.to_string(),
        r#"{"handle":"mcp-cache-0","total_items":3,"page_size":1,"first_page":[1],"truncated":true,"omitted_items":2,"page_token":"mcp-cache-0:offset:1"}"#
    );
    let sent = cache_if_large(json!([1, 2, 3]), &cache, 0, 3);
    assert_eq!(
        sent.to_string(),
        r#"{"handle":"mcp-cache-1","total_items":3,"page_size":3,"first_page":[1,2,3],"truncated":false,"omitted_items":0}"#
    );
}

#[test]
fn the_default_boundary_lies_at_64_kibibytes() {
    let CachedResultsConfig {
        threshold_bytes,
        page_size,
    } = CachedResultsConfig::default();
    assert_eq!((threshold_bytes, page_size), (65_536, 64));
    let cache = MemoryResultCache::new();
    for (length, cached) in [(65_536, false), (65_537, true)] {
        let value = json!(["x".repeat(length - 4)]);
        assert_eq!(value.to_string().len(), length);
        assert_eq!(
            cache_if_large(value, &cache, threshold_bytes, page_size).is_object(),
            cached
        );
    }
}
