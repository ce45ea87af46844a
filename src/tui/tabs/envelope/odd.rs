//! What is odd in an envelope: every field against the others, and against what else is known.
//!
//! The published types validate nothing when they decode: an envelope whose numbers contradict each
//! other goes through, and the model reads it.

use serde_json::Value;

use crate::text::grouped;
use crate::tool::compact;
use crate::tool::rig_compose::{
    ToolResultEnvelope, ToolResultOmissionReason, decode_tool_result_page_token,
};
use crate::tool::rig_mcp::{CachedResultEnvelope, PageToken};

/// What else is known of a cached envelope.
#[derive(Debug, Clone, Copy, Default)]
pub struct Known<'a> {
    /// The array that the tool returned.
    pub items: Option<&'a [Value]>,
    /// The threshold that the recording was made with.
    pub threshold: Option<u64>,
}

const CACHED_KEYS: [&str; 7] = [
    "handle",
    "total_items",
    "page_size",
    "first_page",
    "truncated",
    "omitted_items",
    "page_token",
];

const BOUNDED_KEYS: [&str; 8] = [
    "payload",
    "truncated",
    "omitted_chars",
    "omitted_items",
    "omitted_values",
    "redacted_values",
    "omitted_segments",
    "page_token",
];

/// What is odd in a cached envelope of rig-mcp.
pub fn cached(value: &Value, known: Known<'_>) -> Vec<String> {
    let mut odd = unknown_keys(value, &CACHED_KEYS);
    let envelope: CachedResultEnvelope = match serde_json::from_value(value.clone()) {
        Ok(envelope) => envelope,
        Err(error) => {
            odd.push(format!("rig-mcp does not decode it: {error}"));
            return odd;
        }
    };
    let carried = envelope.first_page.len();
    let (total, page_size) = (envelope.total_items, envelope.page_size);
    let number = |count: usize| grouped(count as u64);
    if envelope.handle.0.is_empty() {
        odd.push("handle is empty: no cache gives such a one out".to_owned());
    } else if envelope.handle.number().is_none() {
        odd.push("handle is not one of rig-mcp's own cache, which are mcp-cache-N".to_owned());
    }
    if carried > total {
        odd.push(format!(
            "first_page has {} items, more than total_items {}",
            number(carried),
            number(total)
        ));
    }
    if carried != total.min(page_size) {
        odd.push(format!(
            "first_page has {} items where page_size {} of {} makes {}",
            number(carried),
            number(page_size),
            number(total),
            number(total.min(page_size))
        ));
    }
    let hidden = total.saturating_sub(carried);
    if envelope.omitted_items != hidden {
        odd.push(format!(
            "omitted_items says {}, total_items less first_page is {}",
            number(envelope.omitted_items),
            number(hidden)
        ));
    }
    if envelope.truncated != (envelope.omitted_items > 0) {
        odd.push(format!(
            "truncated says {} where omitted_items is {}",
            envelope.truncated,
            number(envelope.omitted_items)
        ));
    }
    odd.extend(token(&envelope, carried));
    if page_size == 0 && total > 0 {
        odd.push("page_size 0: the model was sent no item at all".to_owned());
    }
    if !envelope.truncated && hidden == 0 {
        odd.push("nothing is hidden, and the handle stays live until it is released".to_owned());
    }
    let own = compact::length(value) as u64;
    if let Some(threshold) = known.threshold.filter(|threshold| own > *threshold) {
        odd.push(format!(
            "the envelope itself is {} B, over the threshold of {} B",
            grouped(own),
            grouped(threshold)
        ));
    }
    if let Some(items) = known.items {
        odd.extend(against_items(&envelope, items, own));
    }
    odd
}

fn token(envelope: &CachedResultEnvelope, carried: usize) -> Vec<String> {
    let mut odd = Vec::new();
    let Some(token) = &envelope.page_token else {
        if envelope.truncated {
            odd.push("truncated without a page_token: nothing says how to go on".to_owned());
        }
        return odd;
    };
    if !envelope.truncated {
        odd.push("page_token where nothing is truncated".to_owned());
    }
    match PageToken::parse(token) {
        Err(error) => odd.push(format!("cache.page refuses the page_token: {error}")),
        Ok(parsed) => {
            if parsed.handle != envelope.handle {
                odd.push(format!("page_token is of the handle {}", parsed.handle.0));
            }
            if parsed.offset != carried {
                odd.push(format!(
                    "page_token goes on at {}, the first page ends at {}",
                    grouped(parsed.offset as u64),
                    grouped(carried as u64)
                ));
            }
        }
    }
    odd
}

fn against_items(envelope: &CachedResultEnvelope, items: &[Value], own: u64) -> Vec<String> {
    let mut odd = Vec::new();
    if items.len() != envelope.total_items {
        odd.push(format!(
            "total_items says {}, the tool returned {}",
            grouped(envelope.total_items as u64),
            grouped(items.len() as u64)
        ));
    }
    let differs = envelope
        .first_page
        .iter()
        .zip(items)
        .position(|(carried, returned)| carried != returned);
    if let Some(item) = differs {
        odd.push(format!(
            "item {item} of first_page is not what the tool returned"
        ));
    }
    let array: u64 = items
        .iter()
        .map(|item| compact::length(item) as u64 + 1)
        .sum::<u64>()
        + u64::from(items.is_empty())
        + 1;
    if own > array {
        odd.push(format!(
            "the envelope is {} B more than the array that it stands for",
            grouped(own - array)
        ));
    }
    odd
}

/// What is odd in a bounded envelope of rig-compose.
pub fn bounded(value: &Value) -> Vec<String> {
    let mut odd = unknown_keys(value, &BOUNDED_KEYS);
    let envelope: ToolResultEnvelope = match serde_json::from_value(value.clone()) {
        Ok(envelope) => envelope,
        Err(error) => {
            odd.push(format!("rig-compose does not decode it: {error}"));
            return odd;
        }
    };
    let omitted = envelope.omitted_chars + envelope.omitted_items + envelope.omitted_values;
    if envelope.truncated != (omitted > 0) {
        odd.push(format!(
            "truncated says {} where {} things are omitted",
            envelope.truncated,
            grouped(omitted as u64)
        ));
    }
    if omitted > 0 && envelope.omitted_segments.is_empty() {
        odd.push("something is omitted, and no segment says where".to_owned());
    }
    let first = envelope
        .omitted_segments
        .first()
        .map(|segment| &segment.page_token);
    match (&envelope.page_token, first) {
        (Some(token), Some(first)) if token != first => {
            odd.push("page_token is not that of the first segment".to_owned());
        }
        (Some(_), None) => odd.push("page_token without a segment".to_owned()),
        (None, Some(_)) => odd.push("segments without a page_token".to_owned()),
        _ => {}
    }
    if envelope
        .page_token
        .as_deref()
        .is_some_and(|token| decode_tool_result_page_token(token).is_none())
    {
        odd.push("page_token cannot be decoded".to_owned());
    }
    for (place, segment) in envelope.omitted_segments.iter().enumerate() {
        let name = format!("segment {}", place + 1);
        match decode_tool_result_page_token(&segment.page_token) {
            None => odd.push(format!("{name}: its page_token cannot be decoded")),
            Some(token) if token.pointer != segment.pointer || token.reason != segment.reason => {
                odd.push(format!("{name}: its page_token says something else"));
            }
            Some(token) => odd.extend(segment_odd(&envelope.payload, &name, &token)),
        }
    }
    odd
}

/// A segment against the payload that is left.
fn segment_odd(
    payload: &Value,
    name: &str,
    token: &crate::tool::rig_compose::ToolResultPageToken,
) -> Option<String> {
    let found = payload.pointer(&token.pointer);
    match (token.reason, found) {
        (ToolResultOmissionReason::StringChars, Some(Value::String(text))) => {
            let chars = text.chars().count();
            (chars > token.limit).then(|| {
                format!(
                    "{name}: {} has {} chars, the limit was {}",
                    shown(&token.pointer),
                    grouped(chars as u64),
                    grouped(token.limit as u64)
                )
            })
        }
        (ToolResultOmissionReason::ArrayItems, Some(Value::Array(items)))
            if items.len() > token.limit =>
        {
            Some(format!(
                "{name}: {} has {} items, the limit was {}",
                shown(&token.pointer),
                grouped(items.len() as u64),
                grouped(token.limit as u64)
            ))
        }
        (
            ToolResultOmissionReason::StringChars | ToolResultOmissionReason::ArrayItems,
            Some(Value::String(_) | Value::Array(_)) | None,
        )
        | (ToolResultOmissionReason::TotalBytes, _) => None,
        (_, Some(_)) => Some(format!(
            "{name}: what is at {} could not be cut like that",
            shown(&token.pointer)
        )),
    }
}

/// A pointer as it is said: the root has an empty one.
pub fn shown(pointer: &str) -> &str {
    if pointer.is_empty() {
        "the root"
    } else {
        pointer
    }
}

fn unknown_keys(value: &Value, known: &[&str]) -> Vec<String> {
    let Some(object) = value.as_object() else {
        return Vec::new();
    };
    object
        .keys()
        .filter(|key| !known.contains(&key.as_str()))
        .map(|key| format!("unknown key {key:?}: decoding drops it"))
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn envelope() -> Value {
        json!({"handle":"mcp-cache-0","total_items":3,"page_size":1,"first_page":[1],
               "truncated":true,"omitted_items":2,"page_token":"mcp-cache-0:offset:1"})
    }

    fn with(key: &str, value: Value) -> Value {
        let mut envelope = envelope();
        envelope[key] = value;
        envelope
    }

    #[test]
    fn an_envelope_as_the_cache_makes_it_has_nothing_odd() {
        assert!(cached(&envelope(), Known::default()).is_empty());
        let items = [json!(1), json!(2), json!(3)];
        let known = Known {
            items: Some(&items),
            threshold: Some(1_000),
        };
        assert_eq!(cached(&envelope(), known).len(), 1);
    }

    #[test]
    fn each_contradiction_is_told() {
        for (key, value, told) in [
            (
                "total_items",
                json!(9),
                "omitted_items says 2, total_items less first_page is 8",
            ),
            (
                "page_size",
                json!(2),
                "first_page has 1 items where page_size 2 of 3 makes 2",
            ),
            (
                "truncated",
                json!(false),
                "truncated says false where omitted_items is 2",
            ),
            ("omitted_items", json!(77), "omitted_items says 77"),
            (
                "page_token",
                json!("x:offset:1"),
                "page_token is of the handle x",
            ),
            (
                "page_token",
                json!("mcp-cache-0:offset:9"),
                "page_token goes on at 9, the first page ends at 1",
            ),
            (
                "page_token",
                json!("nonsense"),
                "cache.page refuses the page_token",
            ),
            ("page_token", Value::Null, "truncated without a page_token"),
            (
                "handle",
                json!("h"),
                "handle is not one of rig-mcp's own cache",
            ),
            ("extra", json!(1), "unknown key \"extra\""),
            (
                "first_page",
                json!([1, 2, 3, 4]),
                "first_page has 4 items, more than total_items 3",
            ),
        ] {
            let odd = cached(&with(key, value.clone()), Known::default());
            assert!(
                odd.iter().any(|odd| odd.starts_with(told)),
                "{key} {value}: {odd:?}"
            );
        }
    }

    #[test]
    fn an_envelope_is_held_against_what_was_returned() {
        let items = [json!(7), json!(2)];
        let known = Known {
            items: Some(&items),
            threshold: Some(10),
        };
        let odd = cached(&envelope(), known);
        for told in [
            "the envelope itself is 142 B, over the threshold of 10 B",
            "total_items says 3, the tool returned 2",
            "item 0 of first_page is not what the tool returned",
        ] {
            assert!(odd.iter().any(|odd| odd == told), "{told}: {odd:?}");
        }
    }

    #[test]
    fn what_the_bound_makes_has_nothing_odd() {
        let config =
            crate::tool::rig_compose::ToolResultEnvelopeConfig::new(3).with_max_array_items(2);
        let made = ToolResultEnvelope::bound(json!({"a": "abcdef", "b": [1, 2, 3]}), &config);
        let mut value = serde_json::to_value(&made).unwrap();
        assert_eq!(bounded(&value), Vec::<String>::new());
        value["truncated"] = json!(false);
        value["payload"]["a"] = json!("abcdef");
        value["omitted_segments"][1]["page_token"] = json!("v1:00");
        let odd = bounded(&value);
        assert_eq!(odd.len(), 3, "{odd:?}");
    }
}
