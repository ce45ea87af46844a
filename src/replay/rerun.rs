//! A policy run again over the whole recording.

use serde::Serialize;

pub use crate::policy::cache::CacheSettings;

/// One row of `replay --json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Row {
    /// The output's event, counted from 1.
    pub index: usize,
    /// The id of the call that it answers.
    pub call_id: Option<String>,
    /// The result cache keeps it under these settings.
    pub cached: bool,
    /// Why not; none when cached.
    pub reason: Option<Reason>,
    /// The handle given out.
    pub handle: Option<String>,
    /// Items of the array, where it is one.
    pub total_items: Option<u64>,
    /// Items that the envelope carries.
    pub first_page_items: Option<u64>,
    /// Items that it does not.
    pub omitted_items: Option<u64>,
    /// The token that continues.
    pub page_token: Option<String>,
    /// Size before the cache.
    pub bytes_before: Option<u64>,
    /// Size after the cache.
    pub bytes_after: Option<u64>,
    /// Estimated tokens before the cache.
    pub tokens_before: Option<u64>,
    /// Estimated tokens after the cache.
    pub tokens_after: Option<u64>,
    /// `cache.page` calls at limit 64 that read the rest.
    pub calls_to_read_all: Option<u64>,
    /// How this compares with what was recorded.
    pub recorded: Recorded,
}

/// Why the result cache does not touch an output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// No top-level array.
    NotArray,
    /// An array at or below the threshold.
    UnderThreshold,
    /// An error.
    Error,
    /// An answer of the result cache itself.
    CacheAnswer,
    /// Recorded as an envelope, and not all of its items are in the recording.
    ItemsNotRecorded,
}

/// How a re-run compares with the recording.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Recorded {
    /// Equal, but for the number in the handle.
    Same,
    /// Not equal.
    Differs,
    /// The recording has neither an envelope nor what was sent.
    None,
}

/// The last line of `replay --json`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Totals {
    /// Tool outputs.
    pub outputs: u64,
    /// Outputs that the cache keeps.
    pub cached: u64,
    /// Outputs that are not arrays.
    pub not_array: u64,
    /// Arrays at or below the threshold.
    pub under_threshold: u64,
    /// Errors.
    pub errors: u64,
    /// Answers of the result cache itself.
    pub cache_answers: u64,
    /// Envelopes whose items are not all in the recording.
    pub items_not_recorded: u64,
    /// Outputs that reach the model otherwise than recorded.
    pub outputs_changed: u64,
    /// Known sizes before.
    pub bytes_before: u64,
    /// Known sizes after.
    pub bytes_after: u64,
    /// Estimated tokens before.
    pub tokens_before: u64,
    /// Estimated tokens after.
    pub tokens_after: u64,
    /// `cache.page` calls at limit 64 that would read everything.
    pub page_calls: u64,
    /// Most bytes that the cache held at once, releases of the recording counted.
    pub peak_cache_bytes: u64,
}

/// The settings that a recording was made with, as far as it tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Inferred {
    /// The most likely settings: the defaults where nothing contradicts them.
    pub settings: CacheSettings,
    /// The recording shows envelopes, so the page size is known.
    pub from_envelopes: bool,
    /// Bounds of the threshold that the recorded arrays leave open, both inclusive.
    pub threshold_between: (u64, Option<u64>),
}

/// A policy run again over the whole recording.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Rerun {
    /// With these settings.
    pub settings: CacheSettings,
    /// The totals.
    pub totals: Totals,
}

impl Rerun {
    /// How many outputs there are.
    pub fn len(&self) -> usize {
        0
    }

    /// Whether there is no output at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The row of the output at a position, made when asked for.
    pub fn row(&self, position: usize) -> Option<Row> {
        let _ = position;
        None
    }

    /// All rows in order.
    pub fn rows(&self) -> impl Iterator<Item = Row> + '_ {
        (0..self.len()).filter_map(|position| self.row(position))
    }

    /// The row of an output's event.
    pub fn row_of(&self, event: crate::session::event::EventId) -> Option<Row> {
        let _ = event;
        None
    }
}
