//! The result cache run again over the whole recording, by arithmetic on what was measured once.

use std::sync::Arc;

use serde::Serialize;

use super::Replay;
use super::facts::{EnvelopeFacts, Facts, Form};
use super::ledger::Sum;
use super::measure::ItemMeasures;
use crate::policy::cache::{
    CacheSettings, DEFAULT_LIMIT, calls_to_read_all, envelope_bytes, page_token,
};
use crate::session::event::EventId;
use crate::tokens::{Estimator, Tokens};
use crate::tool::compact;
use crate::tool::rig_mcp::CachedResultHandle;

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

/// What the re-run knows of an output whatever the settings are.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    event: EventId,
    call_id: Option<Arc<str>>,
    /// The items, where the cache's rule reaches them.
    items: Option<Arc<ItemMeasures>>,
    /// Why it does not.
    reason: Option<Reason>,
    /// Items that the recording tells of, also where it does not hold them.
    total_items: Option<u64>,
    before: Sum,
    recorded: RecordedAs,
    /// Until when the recording keeps the items, once they are cached.
    released: Option<EventId>,
}

/// What the recording says that the model got.
#[derive(Debug, Clone)]
enum RecordedAs {
    /// What the tool returned.
    Whole,
    /// An envelope.
    Envelope(EnvelopeFacts),
    /// Something else.
    Other,
    /// Nothing is said.
    Nothing,
}

/// The result cache run again over the whole recording.
#[derive(Debug, Clone, Default)]
pub struct Rerun {
    /// With these settings.
    pub settings: CacheSettings,
    /// The totals.
    pub totals: Totals,
    candidates: Arc<[Candidate]>,
    /// For every output its number among those cached.
    numbers: Vec<Option<u32>>,
}

impl Replay {
    /// The result cache run again with other settings.
    pub fn rerun(&self, settings: CacheSettings) -> Rerun {
        Rerun::of(self.candidates(), settings)
    }

    pub(super) fn candidates(&self) -> Arc<[Candidate]> {
        let candidates = self.derived.candidates.get_or_init(|| {
            self.facts
                .iter()
                .map(|facts| self.candidate(facts))
                .collect()
        });
        Arc::clone(candidates)
    }

    fn candidate(&self, facts: &Facts) -> Candidate {
        let own_lifetime = facts
            .lifetime
            .and_then(|at| self.lifetimes.get(at))
            .filter(|_| matches!(facts.form, Form::Envelope(_)));
        let items = match (&facts.array, own_lifetime) {
            (Some(array), _) => Some(Arc::clone(array)),
            (None, Some(lifetime)) => lifetime.all_items(),
            (None, None) => None,
        };
        let reason = if facts.is_error {
            Some(Reason::Error)
        } else if facts.cache_answer {
            Some(Reason::CacheAnswer)
        } else if items.is_some() {
            None
        } else if own_lifetime.is_some() {
            Some(Reason::ItemsNotRecorded)
        } else {
            Some(Reason::NotArray)
        };
        let items = items.filter(|_| reason.is_none());
        let before = match &items {
            Some(items) => Sum {
                bytes: Some(items.whole_bytes()),
                tokens: Some(items.whole_tokens()),
                ..Sum::default()
            },
            None if own_lifetime.is_some() => Sum::default(),
            None => facts.returned.or(facts.sent).unwrap_or_default(),
        };
        Candidate {
            event: facts.event,
            call_id: facts.call_id.clone(),
            total_items: items
                .as_ref()
                .map(|items| items.len())
                .or(own_lifetime.map(|lifetime| lifetime.total)),
            items,
            reason,
            before,
            recorded: match &facts.form {
                Form::Whole => RecordedAs::Whole,
                Form::Envelope(envelope) => RecordedAs::Envelope((**envelope).clone()),
                Form::Cut(_) => RecordedAs::Other,
                // What was sent is known, and nothing says that it was not all of it.
                Form::OneSide if facts.sent.is_some() => RecordedAs::Whole,
                Form::OneSide => RecordedAs::Nothing,
            },
            released: own_lifetime.and_then(|lifetime| lifetime.released),
        }
    }
}

impl Rerun {
    pub(super) fn of(candidates: Arc<[Candidate]>, settings: CacheSettings) -> Self {
        let mut numbers = Vec::with_capacity(candidates.len());
        let mut totals = Totals::default();
        let (mut before, mut after) = (Tokens::ZERO, Tokens::ZERO);
        let mut frames = Frames::new(settings);
        let mut next = 0;
        let mut kept = Kept::default();
        for candidate in candidates.iter() {
            totals.outputs += 1;
            let bytes = candidate.before.bytes.unwrap_or(0);
            let tokens = candidate.before.tokens.unwrap_or_default();
            totals.bytes_before += bytes;
            before += tokens;
            let Some(items) = candidate.cached(settings) else {
                *totals.count(candidate.reason) += 1;
                totals.bytes_after += bytes;
                after += tokens;
                numbers.push(None);
                continue;
            };
            let after_cache = frames.envelope(items, next);
            totals.cached += 1;
            totals.outputs_changed += 1;
            totals.bytes_after += after_cache.bytes;
            after += after_cache.tokens;
            totals.page_calls += calls(items, settings);
            kept.keep(candidate.event, bytes, candidate.released);
            numbers.push(Some(next));
            next += 1;
        }
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

    /// How many outputs there are.
    pub fn len(&self) -> usize {
        self.candidates.len()
    }

    /// Whether there is no output at all.
    pub fn is_empty(&self) -> bool {
        self.candidates.is_empty()
    }

    /// The row of the output at a position, made when asked for.
    pub fn row(&self, position: usize) -> Option<Row> {
        let candidate = self.candidates.get(position)?;
        let number = self.numbers.get(position).copied().flatten();
        Some(candidate.row(self.settings, number))
    }

    /// All rows in order.
    pub fn rows(&self) -> impl Iterator<Item = Row> + '_ {
        (0..self.len()).filter_map(|position| self.row(position))
    }

    /// The row of an output's event.
    pub fn row_of(&self, event: EventId) -> Option<Row> {
        let position = self
            .candidates
            .binary_search_by_key(&event, |candidate| candidate.event)
            .ok()?;
        self.row(position)
    }

    /// The outputs that are cached, and how many items their envelopes carry.
    pub(super) fn first_pages(&self) -> impl Iterator<Item = (EventId, u64)> + '_ {
        let cached = self.candidates.iter().zip(&self.numbers);
        cached.filter_map(|(candidate, number)| {
            let items = candidate.items.as_ref().filter(|_| number.is_some())?;
            Some((candidate.event, self.settings.first_page(items.len())))
        })
    }

    /// The output that is kept under a handle of this re-run.
    pub fn output_of(&self, handle: &str) -> Option<EventId> {
        let number = CachedResultHandle(handle.to_owned()).number()?;
        let number = u32::try_from(number).ok()?;
        let position = self.numbers.iter().position(|of| *of == Some(number))?;
        Some(self.candidates.get(position)?.event)
    }
}

impl Candidate {
    /// The items, if the cache keeps them under these settings.
    fn cached(&self, settings: CacheSettings) -> Option<&ItemMeasures> {
        let items = self.items.as_deref()?;
        settings.caches(items.whole_bytes()).then_some(items)
    }

    /// Compact length of the array that the cache's rule reaches.
    pub fn array_bytes(&self) -> Option<(EventId, u64, u64)> {
        let items = self.items.as_deref()?;
        Some((self.event, items.whole_bytes(), items.len()))
    }

    /// Whether the model got the array as the tool returned it.
    pub const fn was_sent_whole(&self) -> bool {
        matches!(self.recorded, RecordedAs::Whole)
    }

    /// The recorded envelope, if the model got one.
    pub const fn envelope(&self) -> Option<&EnvelopeFacts> {
        match &self.recorded {
            RecordedAs::Envelope(envelope) => Some(envelope),
            _ => None,
        }
    }

    fn row(&self, settings: CacheSettings, number: Option<u32>) -> Row {
        let mut row = Row {
            index: self.event.index(),
            call_id: self.call_id.as_deref().map(str::to_owned),
            cached: false,
            reason: Some(self.reason.unwrap_or(Reason::UnderThreshold)),
            handle: None,
            total_items: self.total_items,
            first_page_items: None,
            omitted_items: None,
            page_token: None,
            bytes_before: self.before.bytes,
            bytes_after: self.before.bytes,
            tokens_before: self.before.tokens.map(Tokens::rounded),
            tokens_after: self.before.tokens.map(Tokens::rounded),
            calls_to_read_all: Some(0).filter(|_| self.reason != Some(Reason::ItemsNotRecorded)),
            recorded: self.compare(None),
        };
        if let (Some(items), Some(number)) = (self.cached(settings), number) {
            let handle = CachedResultHandle::numbered(u64::from(number));
            let total = items.len();
            let first = settings.first_page(total);
            let after = Frames::new(settings).envelope(items, number);
            row.cached = true;
            row.reason = None;
            row.first_page_items = Some(first);
            row.omitted_items = Some(total - first);
            row.page_token = (first < total).then(|| page_token(&handle, first));
            row.handle = Some(handle.0);
            row.bytes_after = Some(after.bytes);
            row.tokens_after = Some(after.tokens.rounded());
            row.calls_to_read_all = Some(calls(items, settings));
            row.recorded = self.compare(Some((settings, total)));
        }
        row
    }

    /// Compares what the re-run gives with what was recorded: an envelope, or else the output as it
    /// was returned.
    fn compare(&self, enveloped: Option<(CacheSettings, u64)>) -> Recorded {
        let same = match (&self.recorded, enveloped) {
            (RecordedAs::Nothing, _) => return Recorded::None,
            (RecordedAs::Envelope(envelope), Some((settings, total))) => {
                envelope.consistent
                    && envelope.total == total
                    && envelope.page_size == settings.page_size
                    && envelope.is_prefix != Some(false)
                    && envelope.handle.number().is_some()
            }
            // What cannot be run again stays as it was recorded.
            (RecordedAs::Envelope(_), None) => self.reason == Some(Reason::ItemsNotRecorded),
            (RecordedAs::Whole, enveloped) => enveloped.is_none(),
            (RecordedAs::Other, _) => false,
        };
        if same {
            Recorded::Same
        } else {
            Recorded::Differs
        }
    }
}

fn calls(items: &ItemMeasures, settings: CacheSettings) -> u64 {
    let first = settings.first_page(items.len());
    calls_to_read_all(items.len(), first, DEFAULT_LIMIT).unwrap_or(0)
}

impl Totals {
    /// The counter of a reason; an array that nothing else holds back is under the threshold.
    const fn count(&mut self, reason: Option<Reason>) -> &mut u64 {
        match reason {
            None | Some(Reason::UnderThreshold) => &mut self.under_threshold,
            Some(Reason::NotArray) => &mut self.not_array,
            Some(Reason::Error) => &mut self.errors,
            Some(Reason::CacheAnswer) => &mut self.cache_answers,
            Some(Reason::ItemsNotRecorded) => &mut self.items_not_recorded,
        }
    }
}

/// The size of one envelope.
#[derive(Debug, Clone, Copy)]
pub(super) struct EnvelopeSize {
    pub bytes: u64,
    pub tokens: Tokens,
}

/// Sizes of envelopes under one setting. What stands around the first page depends only on how many
/// digits its numbers have, so it is estimated once per such shape.
pub(super) struct Frames {
    settings: CacheSettings,
    known: Vec<([usize; 4], Tokens)>,
}

impl Frames {
    pub const fn new(settings: CacheSettings) -> Self {
        Self {
            settings,
            known: Vec::new(),
        }
    }

    /// The envelope of an array that is the `number`th to be cached.
    pub fn envelope(&mut self, items: &ItemMeasures, number: u32) -> EnvelopeSize {
        let total = items.len();
        let first = self.settings.first_page(total);
        let handle = CachedResultHandle::numbered(u64::from(number));
        let first_bytes = items.array_bytes(0..first);
        EnvelopeSize {
            bytes: envelope_bytes(&handle, total, self.settings.page_size, first_bytes),
            tokens: items.tokens(0..first) + self.frame(&handle, total, first),
        }
    }

    fn frame(&mut self, handle: &CachedResultHandle, total: u64, first: u64) -> Tokens {
        let omitted = total - first;
        let shape = [
            handle.0.len(),
            compact::digits(total),
            compact::digits(first),
            compact::digits(omitted) * usize::from(omitted > 0),
        ];
        if let Some((_, tokens)) = self.known.iter().find(|(known, _)| *known == shape) {
            return *tokens;
        }
        let token = if omitted > 0 {
            format!(r#","page_token":"{}""#, page_token(handle, first))
        } else {
            String::new()
        };
        let frame = format!(
            r#"{{"handle":"{}","total_items":{total},"page_size":{},"first_page":,"truncated":{},"omitted_items":{omitted}{token}}}"#,
            handle.0,
            self.settings.page_size,
            omitted > 0,
        );
        let mut estimator = Estimator::new();
        estimator.push(frame.as_bytes());
        let tokens = estimator.tokens();
        self.known.push((shape, tokens));
        tokens
    }
}

/// How much the cache holds over time.
#[derive(Default)]
struct Kept {
    changes: Vec<(EventId, i64)>,
    any_released: bool,
}

impl Kept {
    fn keep(&mut self, stored: EventId, bytes: u64, released: Option<EventId>) {
        let bytes = i64::try_from(bytes).unwrap_or(i64::MAX);
        self.changes.push((stored, bytes));
        if let Some(released) = released {
            self.changes.push((released, -bytes));
            self.any_released = true;
        }
    }

    fn peak(mut self) -> u64 {
        if self.any_released {
            self.changes.sort_unstable_by_key(|(event, _)| *event);
        }
        let (_, peak) = self
            .changes
            .iter()
            .fold((0_i64, 0), |(now, peak), (_, change)| {
                let now = now.saturating_add(*change);
                (now, peak.max(now))
            });
        u64::try_from(peak).unwrap_or(0)
    }
}
