//! How far a payload is bounded.

use serde::{Deserialize, Serialize};

use super::redaction::RedactionPolicy;

/// How far a payload is bounded. What equals a limit is within it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolResultEnvelopeConfig {
    /// How many characters (Unicode scalar values) a string keeps.
    pub max_string_chars: usize,
    /// How many items an array keeps.
    pub max_array_items: usize,
    /// How many bytes of compact JSON the whole payload keeps.
    pub max_total_bytes: usize,
    /// What is replaced before anything is cut.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub redaction: Option<RedactionPolicy>,
}

impl ToolResultEnvelopeConfig {
    /// This limit of characters, and the default of the others.
    #[must_use]
    pub fn new(max_string_chars: usize) -> Self {
        Self {
            max_string_chars,
            ..Self::default()
        }
    }

    /// The same with this limit of items.
    #[must_use]
    pub fn with_max_array_items(self, max_array_items: usize) -> Self {
        Self {
            max_array_items,
            ..self
        }
    }

    /// The same with this limit of bytes.
    #[must_use]
    pub fn with_max_total_bytes(self, max_total_bytes: usize) -> Self {
        Self {
            max_total_bytes,
            ..self
        }
    }

    /// The same with this redaction.
    #[must_use]
    pub fn with_redaction_policy(self, redaction: RedactionPolicy) -> Self {
        Self {
            redaction: Some(redaction),
            ..self
        }
    }
}

impl Default for ToolResultEnvelopeConfig {
    fn default() -> Self {
        Self {
            max_string_chars: 4_000,
            max_array_items: 64,
            max_total_bytes: 256_000,
            redaction: None,
        }
    }
}
