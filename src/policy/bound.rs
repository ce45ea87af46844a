//! The bound of rig-compose: strings, arrays and the whole payload are cut to limits, without a
//! way to ask for the rest.

use serde::{Deserialize, Serialize};

/// Settings of the bound, with rig-compose's defaults.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct BoundSettings {
    /// Strings keep this many chars.
    pub max_string_chars: u64,
    /// Arrays keep this many items.
    pub max_array_items: u64,
    /// The payload's compact JSON may be this long.
    pub max_total_bytes: u64,
}

impl Default for BoundSettings {
    fn default() -> Self {
        Self {
            max_string_chars: 4000,
            max_array_items: 64,
            max_total_bytes: 256_000,
        }
    }
}
