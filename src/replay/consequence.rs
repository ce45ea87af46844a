//! Settings by consequence: the next value at which any output of the recording changes, and the
//! settings that the recording was made with.

use super::Replay;
use super::rerun::Candidate;
use crate::policy::Extent;
use crate::policy::bound::BoundSettings;
use crate::policy::cache::CacheSettings;
use crate::session::event::EventId;

/// Which way a setting moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Direction {
    /// To smaller values.
    Down,
    /// To larger values.
    Up,
}

/// The next value of a setting that changes something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Consequence {
    /// The value.
    pub value: u64,
    /// The first output that changes there.
    pub event: EventId,
}

/// The settings that a recording was made with, as far as it tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Inferred {
    /// The most likely settings: what the recording tells, else the defaults where nothing
    /// contradicts them.
    pub settings: CacheSettings,
    /// How that is known.
    pub from: InferredFrom,
    /// The smallest threshold that the recorded arrays leave open.
    pub threshold_at_least: u64,
    /// The largest one, where an array was cached.
    pub threshold_at_most: Option<u64>,
}

/// How settings are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum InferredFrom {
    /// The recording tells them.
    Told,
    /// From the envelopes that it shows.
    Envelopes,
    /// Nothing tells them: the defaults.
    Defaults,
}

impl Replay {
    /// The settings that the recording was made with, as far as it tells.
    pub fn recorded_settings(&self) -> Inferred {
        let defaults = CacheSettings::default();
        let mut at_least = 0;
        let mut at_most: Option<u64> = None;
        let mut page_size = None;
        let candidates = self.candidates();
        for candidate in candidates.iter() {
            let array = candidate.array_bytes();
            match (candidate.envelope(), array) {
                (Some(envelope), array) => {
                    page_size = Some(envelope.page_size);
                    if let Some((_, bytes, _)) = array {
                        let below = bytes.saturating_sub(1);
                        at_most = Some(at_most.map_or(below, |most| most.min(below)));
                    }
                }
                (None, Some((_, bytes, _))) if candidate.was_sent_whole() => {
                    at_least = at_least.max(bytes);
                }
                _ => {}
            }
        }
        let fits =
            |threshold: u64| at_least <= threshold && at_most.is_none_or(|most| threshold <= most);
        let threshold_bytes = if page_size.is_none() || fits(defaults.threshold_bytes) {
            defaults.threshold_bytes
        } else {
            at_most.unwrap_or(at_least)
        };
        let inferred = CacheSettings {
            threshold_bytes,
            page_size: page_size.unwrap_or(defaults.page_size),
        };
        Inferred {
            settings: self.told.unwrap_or(inferred),
            from: match (self.told, page_size) {
                (Some(_), _) => InferredFrom::Told,
                (None, Some(_)) => InferredFrom::Envelopes,
                (None, None) => InferredFrom::Defaults,
            },
            threshold_at_least: at_least,
            threshold_at_most: at_most,
        }
    }

    /// The next threshold at which any output changes.
    ///
    /// An array of length `n` is cached below `n` and passes from `n` on.
    pub fn next_threshold(&self, from: CacheSettings, direction: Direction) -> Option<Consequence> {
        let now = from.threshold_bytes;
        let lengths = || {
            let candidates = self.candidates();
            let lengths: Vec<(EventId, u64)> = candidates
                .iter()
                .filter_map(Candidate::array_bytes)
                .map(|(event, bytes, _)| (event, bytes))
                .collect();
            lengths
        };
        match direction {
            Direction::Down => lengths()
                .into_iter()
                .filter(|(_, bytes)| (1..=now).contains(bytes))
                .map(|(event, bytes)| consequence(bytes - 1, event))
                .max_by_key(|next| (next.value, std::cmp::Reverse(next.event))),
            Direction::Up => lengths()
                .into_iter()
                .filter(|(_, bytes)| *bytes > now)
                .map(|(event, bytes)| consequence(bytes, event))
                .min_by_key(|next| (next.value, next.event)),
        }
    }

    /// The next page size at which the first page of any output changes.
    pub fn next_page_size(&self, from: CacheSettings, direction: Direction) -> Option<Consequence> {
        let now = from.page_size;
        let candidates = self.candidates();
        let cached = candidates
            .iter()
            .filter_map(Candidate::array_bytes)
            .filter(|(_, bytes, items)| from.caches(*bytes) && *items > 0);
        match direction {
            Direction::Down => cached
                .filter_map(|(event, _, items)| {
                    let value = now.checked_sub(1)?.min(items - 1);
                    Some(consequence(value, event))
                })
                .max_by_key(|next| (next.value, std::cmp::Reverse(next.event))),
            Direction::Up => cached
                .filter(|(_, _, items)| *items > now)
                .map(|(event, _, _)| consequence(now + 1, event))
                .min_by_key(|next| next.event),
        }
    }
}

/// The settings of the bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BoundSetting {
    /// `max_string_chars`.
    StringChars,
    /// `max_array_items`.
    ArrayItems,
    /// `max_total_bytes`.
    TotalBytes,
}

impl Replay {
    /// The next value of one of the bound's settings at which any output changes.
    ///
    /// A limit changes an output wherever it is below the output's own size.
    pub fn next_bound(
        &self,
        from: BoundSettings,
        setting: BoundSetting,
        direction: Direction,
    ) -> Option<Consequence> {
        let size = |extent: Extent| match setting {
            BoundSetting::StringChars => extent.longest_string,
            BoundSetting::ArrayItems => extent.longest_array,
            BoundSetting::TotalBytes => extent.bytes,
        };
        let now = match setting {
            BoundSetting::StringChars => from.max_string_chars,
            BoundSetting::ArrayItems => from.max_array_items,
            BoundSetting::TotalBytes => from.max_total_bytes,
        };
        let sizes = self
            .facts
            .iter()
            .filter(|facts| !facts.is_error)
            .filter_map(|facts| Some((facts.event, size(facts.extent?))));
        match direction {
            Direction::Down => sizes
                .filter_map(|(event, size)| {
                    let value = now.checked_sub(1)?.min(size.checked_sub(1)?);
                    Some(consequence(value, event))
                })
                .max_by_key(|next| (next.value, std::cmp::Reverse(next.event))),
            Direction::Up => sizes
                .filter(|(_, size)| *size > now)
                .map(|(event, _)| consequence(now + 1, event))
                .min_by_key(|next| next.event),
        }
    }
}

const fn consequence(value: u64, event: EventId) -> Consequence {
    Consequence { value, event }
}
