//! The cache that lives as long as its process.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::Value;

use super::cache::ResultCache;
use super::envelope::CachedResultHandle;

/// A result cache in memory. Nothing is evicted and nothing expires: only a release frees.
///
/// Handles count from `mcp-cache-0` in each cache, so they collide between sessions.
#[derive(Debug, Default)]
pub struct MemoryResultCache {
    results: Mutex<Results>,
}

#[derive(Debug, Default)]
struct Results {
    next: u64,
    live: HashMap<String, Vec<Value>>,
}

impl MemoryResultCache {
    /// An empty cache.
    pub fn new() -> Self {
        Self::default()
    }

    /// How many results are stored and not yet released.
    pub fn live_handles(&self) -> usize {
        self.results().live.len()
    }

    /// A panic elsewhere leaves the map whole (each change is one call), so the lock is taken all the same.
    fn results(&self) -> MutexGuard<'_, Results> {
        self.results.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ResultCache for MemoryResultCache {
    fn store(&self, items: Vec<Value>) -> CachedResultHandle {
        let mut results = self.results();
        let handle = CachedResultHandle::numbered(results.next);
        results.next = results.next.wrapping_add(1);
        results.live.insert(handle.0.clone(), items);
        handle
    }

    fn page(&self, handle: &CachedResultHandle, offset: usize, limit: usize) -> Option<Vec<Value>> {
        let results = self.results();
        let items = results.live.get(&handle.0)?;
        let start = offset.min(items.len());
        let end = start.saturating_add(limit).min(items.len());
        Some(items.get(start..end).unwrap_or_default().to_vec())
    }

    fn len(&self, handle: &CachedResultHandle) -> Option<usize> {
        self.results().live.get(&handle.0).map(Vec::len)
    }

    fn release(&self, handle: &CachedResultHandle) -> bool {
        // Taken out under the lock and dropped after it: freeing many items takes time.
        let released = self.results().live.remove(&handle.0);
        released.is_some()
    }
}
