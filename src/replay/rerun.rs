//! The result cache run again over the whole recording, by arithmetic on what was measured once.

use std::sync::Arc;

use serde::Serialize;

use super::Replay;
pub use super::facts::ArrayInside;
use crate::policy::cache::{CacheSettings, DEFAULT_LIMIT, calls_to_read_all};
use crate::session::event::EventId;
use crate::text::grouped;
use crate::tokens::Tokens;
use crate::tool::rig_mcp::CachedResultHandle;
use candidate::Size;
use frames::{Frames, Kept};

mod candidate;
mod frames;

pub(super) use candidate::{Candidate, Candidates};

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

impl Reason {
    /// In words.
    pub const fn words(self) -> &'static str {
        match self {
            Self::NotArray => "no top-level array",
            Self::UnderThreshold => "an array at or below the threshold",
            Self::Error => "an error",
            Self::CacheAnswer => "an answer of the result cache itself",
            Self::ItemsNotRecorded => "not all of its items are in this recording",
        }
    }
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

/// The result cache run again over the whole recording.
#[derive(Debug, Clone, Default)]
pub struct Rerun {
    /// With these settings.
    pub settings: CacheSettings,
    /// The totals.
    pub totals: Totals,
    candidates: Arc<Candidates>,
    /// For every output its number among those cached, or [`NOT_CACHED`].
    numbers: Vec<u32>,
}

const NOT_CACHED: u32 = u32::MAX;

impl Row {
    /// What is odd about the envelope, in words: that it costs more than it saves, or that it is over
    /// the threshold itself.
    pub fn remark(&self, settings: CacheSettings) -> Option<String> {
        let (before, after) = (self.bytes_before?, self.bytes_after?);
        if !self.cached {
            return None;
        }
        let size = grouped(after);
        if after > before {
            let more = grouped(after - before);
            let hides = match self.omitted_items {
                Some(0) => ", hides nothing",
                _ => "",
            };
            return Some(format!(
                "envelope {size} B, {more} B more than the array{hides}, handle stays live"
            ));
        }
        (after > settings.threshold_bytes)
            .then(|| format!("envelope {size} B, over the threshold itself"))
    }
}

impl Replay {
    /// The largest array inside an output's value that is no array itself: the cache's rule does not
    /// reach it.
    pub fn array_inside(&self, id: EventId) -> Option<&ArrayInside> {
        self.facts_of(id)?.inside.as_deref()
    }

    /// The result cache run again with other settings.
    pub fn rerun(&self, settings: CacheSettings) -> Rerun {
        Rerun::of(self.candidates(), settings)
    }
}

impl Rerun {
    fn of(candidates: Arc<Candidates>, settings: CacheSettings) -> Self {
        let mut numbers = Vec::with_capacity(candidates.len());
        let mut totals = Totals {
            outputs: candidates.len() as u64,
            ..Totals::default()
        };
        let (mut before, mut after) = (Tokens::ZERO, Tokens::ZERO);
        let mut frames = Frames::new(settings);
        let mut kept = Kept::default();
        let mut next = 0;
        for (position, size) in candidates.sizes().iter().enumerate() {
            totals.bytes_before += size.bytes;
            before += size.tokens;
            if let Some(reason) = size.untouched(settings) {
                *totals.count(reason) += 1;
                totals.bytes_after += size.bytes;
                after += size.tokens;
                numbers.push(NOT_CACHED);
                continue;
            }
            let first = settings.first_page(size.items);
            let page = candidates.first_page(position, first);
            let frame = frames.around(next, size.items, first);
            totals.cached += 1;
            totals.bytes_after += frame.bytes + page.bytes;
            after += frame.tokens + page.tokens;
            totals.page_calls += calls_to_read_all(size.items, first, DEFAULT_LIMIT).unwrap_or(0);
            kept.keep(size);
            numbers.push(next);
            next += 1;
        }
        totals.outputs_changed = totals.cached;
        totals.tokens_before = before.rounded();
        totals.tokens_after = after.rounded();
        totals.peak_cache_bytes = kept.peak();
        Self {
            settings,
            totals,
            candidates,
            numbers,
        }
    }

    fn number(&self, position: usize) -> Option<u32> {
        let number = self.numbers.get(position).copied()?;
        (number != NOT_CACHED).then_some(number)
    }

    /// How many outputs there are.
    pub fn len(&self) -> usize {
        self.candidates.len()
    }

    /// Whether there is no output at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The row of the output at a position, made when asked for.
    pub fn row(&self, position: usize) -> Option<Row> {
        let candidate = self.candidates.get(position)?;
        Some(candidate.row(self.settings, self.number(position)))
    }

    /// All rows in order.
    pub fn rows(&self) -> impl Iterator<Item = Row> + '_ {
        (0..self.len()).filter_map(|position| self.row(position))
    }

    /// The row of an output's event.
    pub fn row_of(&self, event: EventId) -> Option<Row> {
        self.row(self.candidates.position(event)?)
    }

    /// The outputs that are cached, and how many items their envelopes carry.
    pub(super) fn first_pages(&self) -> impl Iterator<Item = (EventId, u64)> + '_ {
        self.sizes().filter_map(|(position, size)| {
            let first = self.settings.first_page(size.items);
            self.number(position).map(|_| (size.event, first))
        })
    }

    /// The outputs that the cache leaves alone, and the sizes that they have before it.
    pub(super) fn left_alone(&self) -> impl Iterator<Item = (EventId, u64)> + '_ {
        self.sizes()
            .filter(|(position, _)| self.number(*position).is_none())
            .map(|(_, size)| (size.event, size.bytes))
    }

    fn sizes(&self) -> impl Iterator<Item = (usize, &Size)> + '_ {
        self.candidates.sizes().iter().enumerate()
    }

    /// The outputs that reach the model otherwise than in another re-run of the same recording.
    pub fn changed_from<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = EventId> + 'a {
        let first_page = |run: &Self, position, size: &Size| {
            run.number(position)
                .map(|_| run.settings.first_page(size.items))
        };
        self.sizes().filter_map(move |(position, size)| {
            let now = first_page(self, position, size);
            (now != first_page(other, position, size)).then_some(size.event)
        })
    }

    /// The output that is kept under a handle of this re-run.
    pub fn output_of(&self, handle: &str) -> Option<EventId> {
        let number = CachedResultHandle(handle.to_owned()).number()?;
        let number = u32::try_from(number).ok()?;
        let position = self.numbers.iter().position(|of| *of == number)?;
        Some(self.candidates.sizes().get(position)?.event)
    }
}

impl Totals {
    /// The counter of a reason.
    const fn count(&mut self, reason: Reason) -> &mut u64 {
        match reason {
            Reason::UnderThreshold => &mut self.under_threshold,
            Reason::NotArray => &mut self.not_array,
            Reason::Error => &mut self.errors,
            Reason::CacheAnswer => &mut self.cache_answers,
            Reason::ItemsNotRecorded => &mut self.items_not_recorded,
        }
    }
}
