//! Recognising the two published envelopes by their required keys.
//!
//! rig-mcp's cached envelope and rig-compose's bounded envelope carry no marker of their own; a value
//! is one exactly when the published type would decode it from an object.

use serde_json::{Map, Value};

use crate::json::View;

use super::block::{Envelope, EnvelopeKind};

/// The envelope that a value is, or the value back.
pub(super) fn recognise(value: Value, read_from_text: Option<String>) -> Result<Envelope, Value> {
    match kind(&value) {
        Some(kind) => Ok(Envelope {
            kind,
            value,
            read_from_text,
        }),
        None => Err(value),
    }
}

/// Which envelope a value is.
pub(super) fn kind(value: &Value) -> Option<EnvelopeKind> {
    let object = value.as_object()?;
    if is_cached(object) {
        Some(EnvelopeKind::Cached)
    } else if is_bounded(object) {
        Some(EnvelopeKind::Bounded)
    } else {
        None
    }
}

/// Which envelope a recorded value is; parses only what already looks like one.
pub(super) fn kind_of(view: View<'_>) -> Option<EnvelopeKind> {
    if !view.is_object() {
        return None;
    }
    let [truncated, omitted, handle, payload] =
        view.fields(["truncated", "omitted_items", "handle", "payload"]);
    (truncated.is_some() && omitted.is_some() && (handle.is_some() || payload.is_some()))
        .then(|| kind(&view.value()))?
}

fn count(object: &Map<String, Value>, key: &str) -> bool {
    object.get(key).is_some_and(Value::is_u64)
}

/// Absent, null, or what it should be.
fn optional(object: &Map<String, Value>, key: &str, check: fn(&Value) -> bool) -> bool {
    object
        .get(key)
        .is_none_or(|value| value.is_null() || check(value))
}

fn is_cached(object: &Map<String, Value>) -> bool {
    object.get("handle").is_some_and(Value::is_string)
        && object.get("first_page").is_some_and(Value::is_array)
        && object.get("truncated").is_some_and(Value::is_boolean)
        && count(object, "total_items")
        && count(object, "page_size")
        && count(object, "omitted_items")
        && optional(object, "page_token", Value::is_string)
}

fn is_bounded(object: &Map<String, Value>) -> bool {
    object.contains_key("payload")
        && object.get("truncated").is_some_and(Value::is_boolean)
        && count(object, "omitted_chars")
        && count(object, "omitted_items")
        && optional(object, "page_token", Value::is_string)
        && object.get("omitted_segments").is_none_or(Value::is_array)
}

/// The envelope that a text holds as JSON and nothing beside it. Looks at the keys before it parses.
pub(super) fn in_text(text: &str) -> Option<Value> {
    if !text.trim_start().starts_with('{') || !text.contains("\"truncated\"") {
        return None;
    }
    let (view, _) = View::check(text.as_bytes()).ok()?;
    let [first_page, payload, omitted] = view.fields(["first_page", "payload", "omitted_items"]);
    if omitted.is_none() || first_page.is_none() && payload.is_none() {
        return None;
    }
    let value = view.value();
    kind(&value).is_some().then_some(value)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn six_required_keys_make_a_cached_envelope() {
        let whole = json!({"handle": "h", "total_items": 3, "page_size": 1, "first_page": [1],
            "truncated": true, "omitted_items": 2, "page_token": "h:offset:1", "more": 1});
        assert_eq!(kind(&whole), Some(EnvelopeKind::Cached));
        for key in [
            "handle",
            "total_items",
            "page_size",
            "first_page",
            "truncated",
            "omitted_items",
        ] {
            let mut less = whole.clone();
            less.as_object_mut().expect("an object").remove(key);
            assert_eq!(kind(&less), None, "without {key}");
        }
        for (key, wrong) in [
            ("handle", json!({"0": "h"})),
            ("total_items", json!(-3)),
            ("page_size", json!(3.0)),
            ("page_token", json!(5)),
        ] {
            let mut other = whole.clone();
            other[key] = wrong;
            assert_eq!(kind(&other), None, "{key}");
        }
        let mut null = whole;
        null["page_token"] = Value::Null;
        assert_eq!(kind(&null), Some(EnvelopeKind::Cached));
    }

    #[test]
    fn a_bounded_envelope_needs_its_payload() {
        let whole =
            json!({"payload": null, "truncated": false, "omitted_chars": 0, "omitted_items": 0});
        assert_eq!(kind(&whole), Some(EnvelopeKind::Bounded));
        let text = whole.to_string();
        assert_eq!(in_text(&text), Some(whole));
        assert_eq!(in_text(&format!("see {text}")), None);
    }
}
