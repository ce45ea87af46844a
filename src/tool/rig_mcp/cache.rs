//! What a result cache does, and what is put into one.

use serde_json::Value;

use super::envelope::{CachedResultEnvelope, CachedResultHandle};
use crate::tool::compact;

/// Keeps the items of results too large for the model, under handles.
pub trait ResultCache: Send + Sync {
    /// Keeps `items` and returns their handle.
    fn store(&self, items: Vec<Value>) -> CachedResultHandle;

    /// Up to `limit` items from `offset` on: empty at or after the end, none for a handle that is
    /// unknown or released.
    fn page(&self, handle: &CachedResultHandle, offset: usize, limit: usize) -> Option<Vec<Value>>;

    /// How many items the handle stands for; none where it is unknown or released.
    fn len(&self, handle: &CachedResultHandle) -> Option<usize>;

    /// Forgets the handle's items; true where there was something to forget.
    fn release(&self, handle: &CachedResultHandle) -> bool;
}

/// Caches `value` and returns its envelope, where it is an array whose compact JSON is longer than
/// `threshold_bytes`; else returns it untouched.
///
/// Only the top level counts: an array inside an object is never cached. The first `page_size` items
/// are in the envelope, however large they are. Measuring stops at the threshold, and only the items of
/// the first page are copied.
pub fn cache_if_large(
    value: Value,
    cache: &dyn ResultCache,
    threshold_bytes: usize,
    page_size: usize,
) -> Value {
    match value {
        Value::Array(items) if compact::array_length_within(&items, threshold_bytes).is_none() => {
            let total_items = items.len();
            let first_page = items
                .get(..page_size.min(total_items))
                .unwrap_or_default()
                .to_vec();
            let handle = cache.store(items);
            CachedResultEnvelope::new(handle, total_items, page_size, first_page).into_value()
        }
        untouched => untouched,
    }
}
