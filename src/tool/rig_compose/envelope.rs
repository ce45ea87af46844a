//! A bounded payload and the account of what was left out.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::bound::Bound;
use super::config::ToolResultEnvelopeConfig;

/// A bounded payload and the account of what was left out.
///
/// Decoding checks that the fields are there and not that they agree with each other.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolResultEnvelope {
    /// What is left of the payload.
    pub payload: Value,
    /// Something was left out. What was only redacted does not count.
    pub truncated: bool,
    /// How many characters of strings were left out.
    pub omitted_chars: usize,
    /// How many items of arrays were left out.
    pub omitted_items: usize,
    /// How many fields were left out, and scalars that are too long and stayed all the same.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub omitted_values: usize,
    /// How many values were replaced.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub redacted_values: usize,
    /// What was left out where, in the order it was.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub omitted_segments: Vec<OmittedSegment>,
    /// The token of the first thing left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page_token: Option<String>,
}

impl ToolResultEnvelope {
    /// Bounds `payload`: replaces what is redacted, cuts strings and arrays at every depth, then drops
    /// fields, items or characters of the root until the whole fits its bytes.
    ///
    /// Takes time linear in the payload.
    #[must_use]
    pub fn bound(payload: Value, config: &ToolResultEnvelopeConfig) -> Self {
        Bound::new(config).apply(payload)
    }
}

/// Bounds `payload` with the default configuration.
#[must_use]
pub fn bound_tool_result(payload: Value) -> ToolResultEnvelope {
    ToolResultEnvelope::bound(payload, &ToolResultEnvelopeConfig::default())
}

/// One thing that was left out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OmittedSegment {
    /// The JSON pointer of the string or array that was cut, or of the field or item that was dropped.
    pub pointer: String,
    /// Which limit did it.
    pub reason: ToolResultOmissionReason,
    /// A label that holds pointer, reason and limit; nothing resolves it.
    pub page_token: String,
}

/// Which limit left something out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolResultOmissionReason {
    /// That of a string's characters.
    StringChars,
    /// That of an array's items.
    ArrayItems,
    /// That of the payload's bytes.
    TotalBytes,
}

/// serde asks for a reference.
#[allow(clippy::trivially_copy_pass_by_ref)]
const fn is_zero(count: &usize) -> bool {
    *count == 0
}
