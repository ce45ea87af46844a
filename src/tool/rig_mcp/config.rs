//! When a result is cached.

use serde::{Deserialize, Serialize};

/// When a result is cached, and how much of it the envelope shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct CachedResultsConfig {
    /// An array is cached when its compact JSON is longer than this many bytes.
    pub threshold_bytes: usize,
    /// How many items the envelope's first page holds.
    pub page_size: usize,
}

impl CachedResultsConfig {
    /// This threshold, and the default page size.
    #[must_use]
    pub fn new(threshold_bytes: usize) -> Self {
        Self {
            threshold_bytes,
            ..Self::default()
        }
    }

    /// The same with this page size.
    #[must_use]
    pub fn with_page_size(self, page_size: usize) -> Self {
        Self { page_size, ..self }
    }
}

impl Default for CachedResultsConfig {
    fn default() -> Self {
        Self {
            threshold_bytes: 65_536,
            page_size: 64,
        }
    }
}
