//! The result cache of rig-mcp: a top-level array above a threshold becomes an envelope with its
//! first page, and the rest is asked for by `cache.page`.
//!
//! Everything here is arithmetic over lengths, so that any threshold and page size can be tried
//! without serialising an array again. That it equals the published function is held by property
//! tests against [`crate::tool::rig_mcp`].

use serde::{Deserialize, Serialize};

/// How many items `cache.page` gives where no limit is asked for, whatever the page size.
pub const DEFAULT_LIMIT: u64 = 64;

/// What a handle starts with; a number follows.
pub const HANDLE_PREFIX: &str = "mcp-cache-";

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

/// Decimal digits of a number.
pub const fn digits(number: u64) -> u64 {
    match number.checked_ilog10() {
        Some(log) => log as u64 + 1,
        None => 1,
    }
}

/// Compact length of the envelope around a first page.
///
/// `handle_json` is the length of the handle as a JSON string, quotes and escapes included;
/// `first_page_bytes` the compact length of the first page as an array.
pub const fn envelope_bytes(
    handle_json: u64,
    total: u64,
    page_size: u64,
    first_page: u64,
    first_page_bytes: u64,
) -> u64 {
    let omitted = total - first_page;
    let keys =
        r#"{"handle":,"total_items":,"page_size":,"first_page":,"truncated":,"omitted_items":}"#
            .len() as u64;
    let fixed =
        keys + handle_json + digits(total) + digits(page_size) + first_page_bytes + digits(omitted);
    if omitted == 0 {
        fixed + "false".len() as u64
    } else {
        let token = token_json_bytes(handle_json, first_page);
        fixed + "true".len() as u64 + r#","page_token":"#.len() as u64 + token
    }
}

/// Compact length of a `cache.page` answer.
///
/// `items_bytes` is the compact length of the `served` items as an array.
pub const fn answer_bytes(
    handle_json: u64,
    offset: u64,
    limit: u64,
    total: u64,
    served: u64,
    items_bytes: u64,
) -> u64 {
    let keys =
        r#"{"handle":,"offset":,"limit":,"total_items":,"items":,"next_page_token":}"#.len() as u64;
    let next = offset.saturating_add(served);
    let token = if next < total {
        token_json_bytes(handle_json, next)
    } else {
        "null".len() as u64
    };
    keys + handle_json + digits(offset) + digits(limit) + digits(total) + items_bytes + token
}

/// Length of `"handle:offset:n"` as a JSON string.
const fn token_json_bytes(handle_json: u64, offset: u64) -> u64 {
    handle_json + ":offset:".len() as u64 + digits(offset)
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

/// The page token for an offset.
pub fn page_token(handle: &str, offset: u64) -> String {
    format!("{handle}:offset:{offset}")
}

/// Splits a page token at its last `:offset:`, as `cache.page` does.
pub fn split_token(token: &str) -> Option<(&str, u64)> {
    let (handle, offset) = token.rsplit_once(":offset:")?;
    Some((handle, offset.parse().ok()?))
}
