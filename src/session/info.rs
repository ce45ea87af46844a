//! The row of `info --json`.

use serde::Serialize;

use super::facts::Counts;
use super::format::FormatName;

/// What is in a recording, in numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Info {
    /// The format.
    pub format: FormatName,
    /// Events.
    pub events: u64,
    /// Tool calls, without those of tools that a provider runs itself.
    pub calls: u64,
    /// Tool outputs, without those of tools that a provider runs itself.
    pub outputs: u64,
    /// Calls without an output.
    pub unanswered_calls: u64,
    /// Outputs without a call.
    pub orphan_outputs: u64,
    /// Records without JSON structure.
    pub bad_lines: u64,
    /// Length of the recording in bytes.
    pub bytes: u64,
}

impl Info {
    pub(super) const fn new(format: FormatName, events: usize, counts: Counts, bytes: u64) -> Self {
        Self {
            format,
            events: events as u64,
            calls: counts.calls,
            outputs: counts.outputs,
            unanswered_calls: counts.unanswered_calls,
            orphan_outputs: counts.orphan_outputs,
            bad_lines: counts.bad_lines,
            bytes,
        }
    }
}
