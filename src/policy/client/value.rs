//! Policies that work on a JSON value.

use serde_json::Value;

use super::definition::ValueRule;
use super::settings::Settings;
use super::{Content, Cut, Given};
use crate::tool::compact;
use crate::tool::rig_compose::{ToolResultEnvelope, ToolResultEnvelopeConfig};
use crate::tool::rig_mcp::{MemoryResultCache, cache_if_large};

/// What a rule makes of an output.
///
/// Text is to both of them a JSON string.
pub(super) fn cut(rule: ValueRule, settings: &Settings, content: Content<'_>) -> Cut {
    match rule {
        ValueRule::RigMcp => cached(settings, content),
        ValueRule::RigCompose => bounded(settings, content),
    }
}

/// The envelope of the result cache around an array above the threshold.
fn cached(settings: &Settings, content: Content<'_>) -> Cut {
    let value = match content {
        Content::Text(text) => return Cut::whole(text),
        Content::Json(value) => value,
    };
    let threshold = settings.number("threshold_bytes").unwrap_or(usize::MAX);
    let page_size = settings.number("page_size").unwrap_or(usize::MAX);
    let cache = MemoryResultCache::new();
    let given = cache_if_large(value.clone(), &cache, threshold, page_size);
    let shown = given.get("first_page").filter(|_| given != *value);
    let omitted = shown.map_or(0, |page| {
        left(compact::length(value), compact::length(page))
    });
    Cut::value(value, given, omitted)
}

/// The envelope of the bound.
fn bounded(settings: &Settings, content: Content<'_>) -> Cut {
    let value = match content {
        Content::Text(text) => Value::String(text.to_owned()),
        Content::Json(value) => value.clone(),
    };
    let most = |name: &str| settings.number(name).unwrap_or(usize::MAX);
    let config = ToolResultEnvelopeConfig {
        max_string_chars: most("max_string_chars"),
        max_array_items: most("max_array_items"),
        max_total_bytes: most("max_total_bytes"),
        ..ToolResultEnvelopeConfig::default()
    };
    let envelope = ToolResultEnvelope::bound(value.clone(), &config);
    let omitted = left(compact::length(&value), compact::length(&envelope.payload));
    let given = serde_json::to_value(&envelope).unwrap_or_default();
    Cut::value(&value, given, omitted)
}

/// Bytes of compact JSON that are not shown.
const fn left(all: usize, shown: usize) -> u64 {
    all.saturating_sub(shown) as u64
}

impl Cut {
    fn value(value: &Value, given: Value, omitted: u64) -> Self {
        Self {
            changed: given != *value,
            given: Given::Value(given),
            pieces: Vec::new(),
            left_out: Vec::new(),
            omitted: Some(omitted),
        }
    }
}

/// Every string of a value cut by itself, at any depth.
pub(super) fn cut_strings(value: &Value, cut: &dyn Fn(&str) -> Cut) -> Cut {
    let mut omitted = Some(0);
    let mut given = value.clone();
    // A list of what is still to do instead of a recursion: a recorded value may be nested deeply.
    let mut open = vec![&mut given];
    while let Some(value) = open.pop() {
        match value {
            Value::String(text) => {
                let one = cut(text);
                omitted = omitted
                    .zip(one.omitted)
                    .map(|(sum, one): (u64, u64)| sum + one);
                if let Given::Text(short) = one.given
                    && one.changed
                {
                    *text = short.into_string_lossy();
                }
            }
            Value::Array(items) => open.extend(items),
            Value::Object(fields) => open.extend(fields.values_mut()),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
    Cut {
        changed: given != *value,
        given: Given::Value(given),
        pieces: Vec::new(),
        left_out: Vec::new(),
        omitted,
    }
}
