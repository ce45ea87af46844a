//! The result cache of rig-mcp: a top-level array above a threshold becomes an envelope with its
//! first page, and the rest is asked for by `cache.page`.
//!
//! Everything here is arithmetic over lengths, so that any threshold and page size can be tried
//! without serialising an array again. That it equals the published function is held by property
//! tests against [`crate::tool::rig_mcp`].

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Content, Extent, Given, Omission, Outcome, Policy, Recover, Subject, Unit};
use crate::tool::compact;
use crate::tool::rig_mcp::{self, CachedResultHandle, MemoryResultCache, PageToken};

/// How many items `cache.page` gives where no limit is asked for, whatever the page size.
pub const DEFAULT_LIMIT: u64 = rig_mcp::DEFAULT_LIMIT as u64;

/// Settings of the result cache, with rig-mcp's defaults.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct CacheSettings {
    /// Arrays whose compact JSON is longer than this are cached.
    pub threshold_bytes: u64,
    /// How many items the envelope carries.
    pub page_size: u64,
}

impl Default for CacheSettings {
    fn default() -> Self {
        Self {
            threshold_bytes: 65_536,
            page_size: 64,
        }
    }
}

impl CacheSettings {
    /// Whether an array of this compact length is cached: strictly longer than the threshold.
    pub const fn caches(&self, array_bytes: u64) -> bool {
        array_bytes > self.threshold_bytes
    }

    /// How many of `total` items the envelope carries.
    pub const fn first_page(&self, total: u64) -> u64 {
        if total < self.page_size {
            total
        } else {
            self.page_size
        }
    }
}

impl Policy for CacheSettings {
    fn id(&self) -> &'static str {
        "rig-mcp.cache-if-large"
    }

    /// The envelope of the first output that is cached. Text is never an array.
    fn apply(&self, subject: Subject<'_>) -> Outcome {
        let Content::Json(value) = subject.content else {
            return Outcome::unchanged();
        };
        let count = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        let cache = MemoryResultCache::new();
        let given = rig_mcp::cache_if_large(
            value.clone(),
            &cache,
            count(self.threshold_bytes),
            count(self.page_size),
        );
        if cache.live_handles() == 0 {
            return Outcome::unchanged();
        }
        let number = |key| given.get(key).and_then(Value::as_u64).unwrap_or(0);
        let omitted = Omission {
            pointer: String::new(),
            unit: Unit::Items,
            count: number("omitted_items"),
        };
        let token = given.get("page_token").and_then(Value::as_str);
        Outcome {
            omitted: (omitted.count > 0).then_some(omitted).into_iter().collect(),
            recover: token.map_or(Recover::Nothing, |token| Recover::Page {
                token: token.to_owned(),
            }),
            given: Some(Given::Json(given)),
        }
    }

    fn leaves_alone(&self, extent: &Extent) -> bool {
        !self.caches(extent.bytes) || extent.longest_array == 0 && extent.bytes > 2
    }
}

/// Compact length of the envelope around a first page, whose own compact length as an array is
/// `first_page_bytes`.
pub fn envelope_bytes(
    handle: &CachedResultHandle,
    total: u64,
    page_size: u64,
    first_page_bytes: u64,
) -> u64 {
    let count = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    rig_mcp::envelope_length(
        handle,
        count(total),
        count(page_size),
        count(first_page_bytes),
    ) as u64
}

/// Compact length of a `cache.page` answer.
///
/// `items_bytes` is the compact length of the `served` items as an array.
pub fn answer_bytes(
    handle: &CachedResultHandle,
    offset: u64,
    limit: u64,
    total: u64,
    served: u64,
    items_bytes: u64,
) -> u64 {
    const KEYS: usize =
        r#"{"handle":,"offset":,"limit":,"total_items":,"items":,"next_page_token":}"#.len();
    let handle = compact::text_length(&handle.0);
    let next = offset.saturating_add(served);
    let token = if next < total {
        handle + PageToken::SEPARATOR.len() + compact::digits(next)
    } else {
        "null".len()
    };
    let numbers = compact::digits(offset) + compact::digits(limit) + compact::digits(total);
    (KEYS + handle + numbers + token) as u64 + items_bytes
}

/// How many items an answer gives: `items[offset .. min(offset + limit, total)]`.
pub const fn served(total: u64, offset: u64, limit: u64) -> u64 {
    let left = total.saturating_sub(offset);
    if left < limit { left } else { limit }
}

/// How many `cache.page` calls at `limit` read everything after a first page; none where they
/// never end, as with limit 0.
pub const fn calls_to_read_all(total: u64, first_page: u64, limit: u64) -> Option<u64> {
    let left = total.saturating_sub(first_page);
    if left == 0 {
        return Some(0);
    }
    if limit == 0 {
        return None;
    }
    Some(left.div_ceil(limit))
}

/// How many calls at `limit`, following the tokens from the first page, reach one item.
pub const fn calls_to_reach(item: u64, first_page: u64, limit: u64) -> Option<u64> {
    calls_to_read_all(item + 1, first_page, limit)
}

/// The token of the page that begins at an offset.
pub fn page_token(handle: &CachedResultHandle, offset: u64) -> String {
    PageToken::write(&handle.0, usize::try_from(offset).unwrap_or(usize::MAX))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::tool::rig_mcp::{MemoryResultCache, ResultCache, cache_page};

    #[test]
    fn the_length_of_an_answer_is_the_length_of_what_cache_page_gives() {
        let cache = MemoryResultCache::new();
        let values: Vec<_> = (0..130).map(|n| json!({"n": n, "é": "\n"})).collect();
        let handle = cache.store(values.clone());
        for offset in [0, 9, 63, 66, 100, 129, 130, 1_000] {
            for limit in [0, 1, 30, 64, 130, usize::MAX] {
                let ask = json!({"handle": handle, "offset": offset, "limit": limit});
                let answer = cache_page(&cache, &ask).expect("live");
                let given = served(130, offset as u64, limit as u64);
                let items = answer["items"].to_string().len() as u64;
                assert_eq!(
                    answer_bytes(&handle, offset as u64, limit as u64, 130, given, items),
                    answer.to_string().len() as u64,
                    "{ask}"
                );
            }
        }
    }

    #[test]
    fn calls_follow_the_tokens_from_the_first_page() {
        assert_eq!(calls_to_read_all(412, 64, 64), Some(6));
        assert_eq!(calls_to_read_all(412, 20, 64), Some(7));
        assert_eq!(calls_to_read_all(412, 20, 20), Some(20));
        assert_eq!(calls_to_read_all(412, 412, 0), Some(0));
        assert_eq!(calls_to_read_all(412, 64, 0), None);
        assert_eq!(calls_to_reach(126, 64, 64), Some(1));
        assert_eq!(calls_to_reach(126, 20, 64), Some(2));
        assert_eq!(calls_to_reach(260, 64, 64), Some(4));
        assert_eq!(calls_to_reach(3, 20, 64), Some(0));
    }
}
