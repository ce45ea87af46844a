//! What stands around a first page, and how much the cache holds over time.

use super::super::measure::ItemMeasures;
use super::candidate::Size;
use crate::policy::cache::{CacheSettings, envelope_bytes, page_token};
use crate::session::event::EventId;
use crate::tokens::{Estimator, Tokens};
use crate::tool::compact;
use crate::tool::rig_mcp::CachedResultHandle;

/// The size of an envelope, or of a part of one.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct EnvelopeSize {
    pub bytes: u64,
    pub tokens: Tokens,
}

impl EnvelopeSize {
    /// The first items as an array.
    pub fn page(items: &ItemMeasures, first: u64) -> Self {
        Self {
            bytes: items.array_bytes(0..first),
            tokens: items.tokens(0..first),
        }
    }
}

/// Numbers with more digits than this are not kept by shape.
const DIGITS: usize = 10;

/// Sizes of envelopes without their first pages, under one setting.
///
/// They depend only on how many digits their numbers have, so each shape is measured once.
pub(super) struct Frames {
    settings: CacheSettings,
    /// A handle with as many digits as those at hand.
    handle: CachedResultHandle,
    digits: usize,
    known: Vec<Option<EnvelopeSize>>,
}

impl Frames {
    pub const fn new(settings: CacheSettings) -> Self {
        Self {
            settings,
            handle: CachedResultHandle(String::new()),
            digits: 0,
            known: Vec::new(),
        }
    }

    /// What stands around the first page of an array that is the `number`th to be cached.
    pub fn around(&mut self, number: u32, total: u64, first: u64) -> EnvelopeSize {
        let digits = compact::digits(u64::from(number));
        if digits != self.digits {
            self.digits = digits;
            self.handle = CachedResultHandle::numbered(u64::from(number));
            self.known.clear();
        }
        let omitted = total - first;
        // An envelope that leaves nothing out has another shape, with digits that no number has.
        let left_out = if omitted > 0 {
            compact::digits(omitted)
        } else {
            0
        };
        let shape = [compact::digits(total), compact::digits(first), left_out];
        if shape.iter().any(|digits| *digits >= DIGITS) {
            return self.measure(total, first);
        }
        let place = shape
            .iter()
            .fold(0, |place, digits| place * DIGITS + digits);
        if self.known.is_empty() {
            self.known.resize(DIGITS * DIGITS * DIGITS, None);
        }
        if let Some(Some(known)) = self.known.get(place) {
            return *known;
        }
        let size = self.measure(total, first);
        if let Some(known) = self.known.get_mut(place) {
            *known = Some(size);
        }
        size
    }

    fn measure(&self, total: u64, first: u64) -> EnvelopeSize {
        let omitted = total - first;
        let page_size = self.settings.page_size;
        let token = if omitted > 0 {
            format!(r#","page_token":"{}""#, page_token(&self.handle, first))
        } else {
            String::new()
        };
        let frame = format!(
            r#"{{"handle":"{}","total_items":{total},"page_size":{page_size},"first_page":,"truncated":{},"omitted_items":{omitted}{token}}}"#,
            self.handle.0,
            omitted > 0,
        );
        let mut estimator = Estimator::new();
        estimator.push(frame.as_bytes());
        EnvelopeSize {
            bytes: envelope_bytes(&self.handle, total, page_size, 0),
            tokens: estimator.tokens(),
        }
    }
}

/// How much the cache holds over time.
#[derive(Default)]
pub(super) struct Kept {
    changes: Vec<(EventId, i64)>,
    any_released: bool,
}

impl Kept {
    pub fn keep(&mut self, size: &Size) {
        let bytes = i64::try_from(size.bytes).unwrap_or(i64::MAX);
        self.changes.push((size.event, bytes));
        if let Some(released) = size.released {
            self.changes.push((released, -bytes));
            self.any_released = true;
        }
    }

    /// The most that it held at once.
    pub fn peak(mut self) -> u64 {
        if self.any_released {
            self.changes.sort_unstable_by_key(|(event, _)| *event);
        }
        let start = (0_i64, 0_i64);
        let (_, peak) = self.changes.iter().fold(start, |(now, peak), (_, change)| {
            let now = now.saturating_add(*change);
            (now, peak.max(now))
        });
        u64::try_from(peak).unwrap_or(0)
    }
}
