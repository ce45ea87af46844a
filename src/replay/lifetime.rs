//! The life of one handle: what was stored, which pages were served, who released it.

use std::sync::Arc;

use super::coverage::Coverage;
use super::ledger::Sum;
use super::measure::ItemMeasures;
use super::seen::{Never, Reach, Span};
use crate::policy::cache::DEFAULT_LIMIT;
use crate::session::event::EventId;
use crate::tokens::Tokens;
use crate::tool::rig_mcp::CachedResultHandle;

/// One handle from its store to its release.
///
/// A name that is given out again, by another process in the same recording, is another lifetime.
#[derive(Debug, Clone)]
pub(super) struct Lifetime {
    pub handle: CachedResultHandle,
    /// The output that was sent as an envelope, where the recording shows one.
    pub output: Option<EventId>,
    /// The event at which the items were stored, as far as the recording tells.
    pub stored: EventId,
    pub total: u64,
    /// Items that the envelope carries.
    pub first_page: u64,
    /// All items, where the recording holds what the tool returned.
    pub whole: Option<Arc<ItemMeasures>>,
    /// The items of the envelope.
    pub first: Option<Arc<ItemMeasures>>,
    /// Answers that gave pages, in the order of the recording.
    pub answers: Vec<PageServed>,
    /// Asks that were refused, in the order of the recording.
    pub refusals: Vec<PageRefused>,
    /// The first release that found something to release.
    pub released: Option<EventId>,
    /// The event at which the name was given to other items.
    pub replaced: Option<EventId>,
}

/// A page that was served.
#[derive(Debug, Clone)]
pub(super) struct PageServed {
    pub event: EventId,
    pub offset: u64,
    pub limit: Option<u64>,
    pub items: Arc<ItemMeasures>,
    /// The size of the answer as it was sent.
    pub sum: Sum,
}

/// A page that was refused.
#[derive(Debug, Clone)]
pub(super) struct PageRefused {
    pub event: EventId,
    pub offset: u64,
    pub limit: u64,
    pub error: Arc<str>,
}

/// Who brought an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    Envelope,
    /// The answer at this position.
    Answer(usize),
    /// Nobody: the refusal at this position asked for it.
    Refusal(usize),
}

impl Lifetime {
    /// Nothing known yet but the name.
    pub fn new(handle: CachedResultHandle, stored: EventId, total: u64) -> Self {
        Self {
            handle,
            output: None,
            stored,
            total,
            first_page: 0,
            whole: None,
            first: None,
            answers: Vec::new(),
            refusals: Vec::new(),
            released: None,
            replaced: None,
        }
    }

    /// The answers by then; all of them without an event.
    pub fn answers_by(&self, at: Option<EventId>) -> &[PageServed] {
        let end = match at {
            Some(at) => self.answers.partition_point(|answer| answer.event <= at),
            None => self.answers.len(),
        };
        self.answers.get(..end).unwrap_or_default()
    }

    fn refusals_by(&self, at: Option<EventId>) -> &[PageRefused] {
        let end = match at {
            Some(at) => self.refusals.partition_point(|refusal| refusal.event <= at),
            None => self.refusals.len(),
        };
        self.refusals.get(..end).unwrap_or_default()
    }

    /// Whether the handle could be asked after an event.
    pub fn is_live(&self, at: EventId) -> bool {
        let over = |end: Option<EventId>| end.is_some_and(|end| end <= at);
        self.stored <= at && !over(self.released) && !over(self.replaced)
    }

    /// Which items the model had by then, and who brought them.
    pub fn served(&self, at: Option<EventId>) -> Coverage<Source> {
        let mut coverage = Coverage::new(self.total);
        coverage.take(0..self.first_page, Source::Envelope);
        for (position, answer) in self.answers_by(at).iter().enumerate() {
            let range = answer.offset..answer.offset.saturating_add(answer.items.len());
            coverage.take(range, Source::Answer(position));
        }
        coverage
    }

    /// All items in order, grouped by what the model got: the envelope's, each answer's, those that
    /// were asked for and refused, and the rest in the pages that would have followed.
    pub fn spans(&self, at: Option<EventId>) -> Vec<Span> {
        let mut coverage = self.served(at);
        for (position, refusal) in self.refusals_by(at).iter().enumerate() {
            let range = refusal.offset..refusal.offset.saturating_add(refusal.limit);
            coverage.take(range, Source::Refusal(position));
        }
        let whole = self.whole.is_some();
        let mut spans: Vec<Span> = coverage
            .taken()
            .iter()
            .map(|(range, source)| Span {
                range: range.clone(),
                reach: self.reach(*source),
                recorded: whole || !matches!(source, Source::Refusal(_)),
            })
            .collect();
        for gap in coverage.free() {
            let mut start = gap.start;
            while start < gap.end {
                let end = gap.end.min(start + DEFAULT_LIMIT);
                spans.push(Span {
                    range: start..end,
                    reach: Reach::Never(Never::NotAsked),
                    recorded: whole,
                });
                start = end;
            }
        }
        spans.sort_by_key(|span| span.range.start);
        spans
    }

    fn reach(&self, source: Source) -> Reach {
        match source {
            Source::Envelope => Reach::Sent,
            Source::Answer(position) => self
                .answers
                .get(position)
                .map_or(Reach::Unknown, |answer| Reach::ReadLater(answer.event)),
            Source::Refusal(position) => match self.refusals.get(position) {
                Some(refusal) if self.released.is_some_and(|at| at < refusal.event) => {
                    Reach::Never(Never::AskedAfterRelease(refusal.event))
                }
                Some(refusal) => Reach::Never(Never::Refused(refusal.event)),
                None => Reach::Unknown,
            },
        }
    }

    /// What was read later, at the size of the answers that brought something new, and by whom.
    pub fn read_later(&self) -> (Sum, Vec<EventId>) {
        let mut coverage = Coverage::new(self.total);
        coverage.take(0..self.first_page, Source::Envelope);
        let mut total = Sum {
            items: Some(0),
            bytes: Some(0),
            tokens: Some(Tokens::ZERO),
            ..Sum::default()
        };
        let mut by = Vec::new();
        for (position, answer) in self.answers.iter().enumerate() {
            let range = answer.offset..answer.offset.saturating_add(answer.items.len());
            let new = coverage.take(range, Source::Answer(position));
            if new > 0 {
                by.push(answer.event);
                total = total.plus(Sum {
                    items: Some(new),
                    ..answer.sum
                });
            }
        }
        (total, by)
    }

    /// What never reached the model: as one array, where the recording holds the items.
    pub fn never_sent(&self) -> Sum {
        let served = self.served(None);
        let items = served.free_len();
        let mut sum = Sum {
            items: Some(items),
            ..Sum::default()
        };
        if let Some(whole) = &self.whole {
            let ranges = || served.free();
            let between = items.saturating_sub(1) + 2;
            let bytes: u64 = ranges().map(|range| whole.item_bytes(range)).sum();
            let tokens = ranges().fold(Tokens::ZERO, |sum, range| sum + whole.tokens(range));
            sum.bytes = Some(if items == 0 { 0 } else { bytes + between });
            sum.tokens = Some(tokens);
        }
        sum
    }

    /// All items measured, where the recording holds them all: the returned value, or an envelope
    /// and pages that leave no gap.
    pub fn all_items(&self) -> Option<Arc<ItemMeasures>> {
        if let Some(whole) = &self.whole {
            return Some(Arc::clone(whole));
        }
        let coverage = self.served(None);
        if coverage.free_len() > 0 {
            return None;
        }
        let pieces = coverage.taken().iter().filter_map(|(range, source)| {
            let (items, offset) = self.source(*source)?;
            let at = |item: u64| usize::try_from(item - offset).unwrap_or(usize::MAX);
            Some((&**items, at(range.start)..at(range.end)))
        });
        Some(Arc::new(ItemMeasures::joined(pieces)))
    }

    /// The measured items that a source brought, and the place of the first of them.
    fn source(&self, source: Source) -> Option<(&Arc<ItemMeasures>, u64)> {
        match source {
            Source::Envelope => Some((self.first.as_ref()?, 0)),
            Source::Answer(position) => {
                let answer = self.answers.get(position)?;
                Some((&answer.items, answer.offset))
            }
            Source::Refusal(_) => None,
        }
    }
}
