//! What a re-run knows of every output whatever the settings are.

use std::sync::Arc;

use super::super::Replay;
use super::super::facts::{EnvelopeFacts, Facts, Form};
use super::super::ledger::Sum;
use super::super::measure::ItemMeasures;
use super::frames::{EnvelopeSize, Frames};
use super::{Reason, Recorded, Row};
use crate::policy::cache::{CacheSettings, DEFAULT_LIMIT, calls_to_read_all, page_token};
use crate::session::event::EventId;
use crate::tokens::Tokens;
use crate::tool::rig_mcp::CachedResultHandle;

/// Every output, and apart from that the few numbers of each that a re-run looks at first.
#[derive(Debug, Default)]
pub(in crate::replay) struct Candidates {
    sizes: Box<[Size]>,
    outputs: Box<[Candidate]>,
}

/// The size of an output, kept small: a re-run goes through all of them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Size {
    pub event: EventId,
    /// Until when the recording keeps the items, once they are cached.
    pub released: Option<EventId>,
    /// Why the cache leaves it alone at any threshold.
    reason: Option<Reason>,
    /// Items of the array.
    pub items: u64,
    /// Size of the array, or else of the output.
    pub bytes: u64,
    pub tokens: Tokens,
}

/// One output.
#[derive(Debug)]
pub(in crate::replay) struct Candidate {
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
}

/// What the recording says that the model got.
#[derive(Debug, Clone)]
enum RecordedAs {
    /// What the tool returned.
    Whole,
    /// An envelope.
    Envelope(Box<EnvelopeFacts>),
    /// Something else.
    Other,
    /// Nothing is said.
    Nothing,
}

impl Replay {
    pub(in crate::replay) fn candidates(&self) -> Arc<Candidates> {
        let candidates = self.derived.candidates.get_or_init(|| {
            let outputs = self.facts.iter().filter(|facts| !facts.server);
            let (sizes, outputs): (Vec<_>, Vec<_>) =
                outputs.map(|facts| self.candidate(facts)).unzip();
            Arc::new(Candidates {
                sizes: sizes.into_boxed_slice(),
                outputs: outputs.into_boxed_slice(),
            })
        });
        Arc::clone(candidates)
    }

    fn candidate(&self, facts: &Facts) -> (Size, Candidate) {
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
        let size = Size {
            event: facts.event,
            released: own_lifetime.and_then(|lifetime| lifetime.released),
            reason,
            items: items.as_ref().map_or(0, |items| items.len()),
            bytes: before.bytes.unwrap_or(0),
            tokens: before.tokens.unwrap_or_default(),
        };
        let candidate = Candidate {
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
                Form::Envelope(envelope) => RecordedAs::Envelope(envelope.clone()),
                Form::Cut(_) => RecordedAs::Other,
                // What was sent is known, and nothing says that it was not all of it.
                Form::OneSide if facts.sent.is_some() => RecordedAs::Whole,
                Form::OneSide => RecordedAs::Nothing,
            },
        };
        (size, candidate)
    }
}

impl Size {
    /// Why the cache leaves the output alone under these settings; none where it keeps it.
    pub fn untouched(&self, settings: CacheSettings) -> Option<Reason> {
        let small = || (!settings.caches(self.bytes)).then_some(Reason::UnderThreshold);
        self.reason.or_else(small)
    }
}

impl Candidates {
    pub fn len(&self) -> usize {
        self.outputs.len()
    }

    pub fn iter(&self) -> impl Iterator<Item = &Candidate> + '_ {
        self.outputs.iter()
    }

    pub(super) fn sizes(&self) -> &[Size] {
        &self.sizes
    }

    pub(super) fn get(&self, position: usize) -> Option<&Candidate> {
        self.outputs.get(position)
    }

    /// The place of an output's event.
    pub(super) fn position(&self, event: EventId) -> Option<usize> {
        self.sizes
            .binary_search_by_key(&event, |size| size.event)
            .ok()
    }

    /// The size of an array's first items, as an array.
    pub(super) fn first_page(&self, position: usize, first: u64) -> EnvelopeSize {
        let items = self
            .get(position)
            .and_then(|output| output.items.as_deref());
        items.map_or_else(EnvelopeSize::default, |items| {
            EnvelopeSize::page(items, first)
        })
    }
}

impl Candidate {
    /// The array that the cache's rule reaches: event, compact length and items.
    pub fn array_bytes(&self) -> Option<(EventId, u64, u64)> {
        let items = self.items.as_deref()?;
        Some((self.event, self.before.bytes?, items.len()))
    }

    /// Whether the model got the array as the tool returned it.
    pub const fn was_sent_whole(&self) -> bool {
        matches!(self.recorded, RecordedAs::Whole)
    }

    /// The recorded envelope, if the model got one.
    pub fn envelope(&self) -> Option<&EnvelopeFacts> {
        match &self.recorded {
            RecordedAs::Envelope(envelope) => Some(envelope),
            _ => None,
        }
    }

    /// The row of this output, with its number where it is cached.
    pub(super) fn row(&self, settings: CacheSettings, number: Option<u32>) -> Row {
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
        if let (Some(items), Some(number)) = (self.items.as_deref(), number) {
            let handle = CachedResultHandle::numbered(u64::from(number));
            let total = items.len();
            let first = settings.first_page(total);
            let page = EnvelopeSize::page(items, first);
            let frame = Frames::new(settings).around(number, total, first);
            row.cached = true;
            row.reason = None;
            row.first_page_items = Some(first);
            row.omitted_items = Some(total - first);
            row.page_token = (first < total).then(|| page_token(&handle, first));
            row.handle = Some(handle.0);
            row.bytes_after = Some(frame.bytes + page.bytes);
            row.tokens_after = Some((frame.tokens + page.tokens).rounded());
            row.calls_to_read_all = calls_to_read_all(total, first, DEFAULT_LIMIT);
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
