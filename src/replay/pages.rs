//! The life of a handle as a map of pages, and each answer exactly as `cache.page` gives it.

use std::ops::Range;
use std::sync::Arc;

use serde_json::Value;

use super::Replay;
use super::facts::Form;
use super::lifetime::Lifetime;
use super::seen::{Reach, Span};
use super::side;
use super::source::Events;
use crate::policy::cache::{CacheSettings, DEFAULT_LIMIT, answer_bytes, envelope_bytes, served};
use crate::session::event::{Body, CacheOperation, EventId};
use crate::tokens::estimate_value;
use crate::tool::compact;
use crate::tool::rig_mcp::{
    CacheError, CachedResultEnvelope, CachedResultHandle, Page, PageRequest,
};

/// The map of a handle's life.
#[derive(Debug, Clone, PartialEq)]
pub struct PagesView {
    /// The handle.
    pub handle: String,
    /// The output whose items it keeps, where the recording shows one.
    pub output: Option<EventId>,
    /// When the items were stored.
    pub stored: EventId,
    /// When it was released.
    pub released: Option<EventId>,
    /// How many items it keeps.
    pub total_items: u64,
    /// How many came with the envelope.
    pub first_page_items: u64,
    /// One cell per answer that gave something, was refused, or would follow.
    pub cells: Vec<Cell>,
    /// Compact length of the whole array, where all items are recorded.
    pub whole_bytes: Option<u64>,
}

/// One cell of the map.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cell {
    /// The items.
    pub range: Range<u64>,
    /// How the model got them, or why not.
    pub reach: Reach,
    /// Whether the recording holds the values.
    pub recorded: bool,
}

/// One answer of `cache.page`, or the envelope as answer 1.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The arguments; none for the envelope.
    pub arguments: Option<Value>,
    /// What it answers.
    pub result: AnswerResult,
    /// The items that it gives.
    pub range: Range<u64>,
    /// Compact length of the answer.
    pub bytes: Option<u64>,
    /// Estimated tokens.
    pub tokens: Option<u64>,
    /// The token that continues.
    pub next: Option<String>,
    /// No limit was asked for, so the default of 64 held.
    pub default_limit: bool,
}

/// What `cache.page` answers.
#[derive(Debug, Clone, PartialEq)]
pub enum AnswerResult {
    /// The answer.
    Value(Value),
    /// The exact error text.
    Refused(String),
    /// The cache would answer, but these items are not in the recording.
    NotRecorded(Vec<Range<u64>>),
    /// The arguments name another handle that was live: the one of this output.
    OtherHandle(EventId),
}

/// What reading everything costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadAll {
    /// Answers, the envelope counted.
    pub answers: u64,
    /// Bytes of all of them; none where not all items are recorded.
    pub bytes: Option<u64>,
    /// Bytes of the array in one.
    pub whole_bytes: Option<u64>,
}

/// The recorded items of one output's array, put together from what was returned, the envelope and
/// the answers that brought pages.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Items {
    /// The output, where the recording shows one.
    pub output: Option<EventId>,
    /// The handle that keeps them, where they are kept.
    pub handle: Option<String>,
    /// How many there are.
    pub total: u64,
    /// How many the recorded envelope carries.
    pub first_page: u64,
    /// What is recorded of them, in order and apart: the place of the first, and the values.
    pieces: Vec<(u64, Arc<[Value]>)>,
}

impl Items {
    /// An item; none where the recording does not hold it.
    pub fn get(&self, item: u64) -> Option<&Value> {
        let after = self.pieces.partition_point(|(start, _)| *start <= item);
        let (start, values) = self.pieces.get(after.checked_sub(1)?)?;
        values.get(usize::try_from(item - start).ok()?)
    }

    /// The items of a range, or which of them are not recorded.
    pub fn range(&self, range: Range<u64>) -> Result<Vec<Value>, Vec<Range<u64>>> {
        let mut values = Vec::new();
        let mut missing: Vec<Range<u64>> = Vec::new();
        for item in range.start..range.end.min(self.total) {
            match (self.get(item), missing.last_mut()) {
                (Some(value), _) => values.push(value.clone()),
                (None, Some(last)) if last.end == item => last.end += 1,
                (None, _) => missing.push(item..item + 1),
            }
        }
        if missing.is_empty() {
            Ok(values)
        } else {
            Err(missing)
        }
    }

    fn add(&mut self, start: u64, values: Vec<Value>) {
        // The first to bring an item keeps it: only what is still missing is taken.
        let mut run: Option<(u64, Vec<Value>)> = None;
        let mut runs = Vec::new();
        for (item, value) in (start..self.total).zip(values) {
            if self.get(item).is_some() {
                runs.extend(run.take());
                continue;
            }
            run.get_or_insert_with(|| (item, Vec::new())).1.push(value);
        }
        runs.extend(run);
        self.pieces.extend(
            runs.into_iter()
                .map(|(start, values)| (start, Arc::from(values))),
        );
        self.pieces.sort_by_key(|(start, _)| *start);
    }
}

/// A question to the result cache, as the Pages tab asks it.
#[derive(Debug, Clone, PartialEq)]
pub struct Ask {
    /// The arguments of `cache.page`; none for the envelope itself.
    pub arguments: Option<Value>,
    /// As of which event: releases up to it count.
    pub at: EventId,
    /// Pretend that the handle was released here.
    pub released_here: bool,
    /// The page size of the envelope; the recorded one where none.
    pub page_size: Option<u64>,
}

impl Replay {
    /// The handle that an event is about: an output sent as an envelope, a page or release call or
    /// its answer, a store operation.
    pub fn pages(&self, id: EventId) -> Option<PagesView> {
        self.pages_by(id, None)
    }

    /// The same map as it stood after an event: what happened later is not in it.
    pub fn pages_at(&self, id: EventId, at: EventId) -> Option<PagesView> {
        self.pages_by(id, Some(at))
    }

    fn pages_by(&self, id: EventId, at: Option<EventId>) -> Option<PagesView> {
        let lifetime = self.lifetime_of(id)?;
        let cells = lifetime.spans(at).into_iter().map(|span| {
            let Span {
                range,
                reach,
                recorded,
            } = span;
            Cell {
                range,
                reach,
                recorded,
            }
        });
        Some(PagesView {
            handle: lifetime.handle.0.clone(),
            output: lifetime.output,
            stored: lifetime.stored,
            released: lifetime.released,
            total_items: lifetime.total,
            first_page_items: lifetime.first_page,
            cells: cells.collect(),
            whole_bytes: lifetime.all_items().map(|items| items.whole_bytes()),
        })
    }

    /// All recorded items of an output's array, or of the array that its handle keeps.
    pub fn items(&self, events: &dyn Events, id: EventId) -> Option<Items> {
        match self.lifetime_of(id) {
            Some(lifetime) => Some(items_of(events, lifetime)),
            None => self.array_of(events, id),
        }
    }

    /// An array that was not cached when it was recorded.
    pub(super) fn array_of(&self, events: &dyn Events, id: EventId) -> Option<Items> {
        let facts = self.facts_of(id)?;
        let total = facts.array.as_ref()?.len();
        let mut items = Items {
            output: Some(facts.event),
            handle: None,
            total,
            first_page: total,
            pieces: Vec::new(),
        };
        items.add(0, array(events, facts.event)?);
        Some(items)
    }

    /// One answer of the result cache, as of an event, for a handle whose items are given.
    pub fn answer(&self, items: &Items, ask: &Ask) -> Answer {
        let Some(arguments) = &ask.arguments else {
            return self.envelope_answer(items, ask);
        };
        let mut answer = Answer {
            arguments: Some(arguments.clone()),
            result: AnswerResult::Refused(String::new()),
            range: 0..0,
            bytes: None,
            tokens: None,
            next: None,
            default_limit: arguments.get("limit").is_none(),
        };
        let refused = |error: CacheError| AnswerResult::Refused(error.to_string());
        let request = match PageRequest::from_args(arguments) {
            Ok(request) => request,
            Err(error) => {
                answer.result = refused(error);
                return answer;
            }
        };
        let (offset, limit) = (request.offset as u64, request.limit as u64);
        let here = items.handle.as_deref() == Some(&request.handle.0);
        match self.live_at(&request.handle, ask.at) {
            Some(lifetime) if here && lifetime.output == items.output && !ask.released_here => {}
            Some(lifetime) if !here => {
                answer.result = lifetime.output.map_or_else(
                    || refused(CacheError::UnknownHandle),
                    AnswerResult::OtherHandle,
                );
                return answer;
            }
            _ => {
                answer.result = refused(CacheError::UnknownHandle);
                return answer;
            }
        }
        let count = served(items.total, offset, limit);
        answer.range = offset.min(items.total)..offset.min(items.total) + count;
        match items.range(answer.range.clone()) {
            Ok(values) => {
                let total = usize::try_from(items.total).unwrap_or(usize::MAX);
                let page = Page::new(request, total, values);
                answer.next.clone_from(&page.next_page_token);
                answer.fill(page.into_value());
            }
            Err(missing) => answer.result = AnswerResult::NotRecorded(missing),
        }
        answer
    }

    fn envelope_answer(&self, items: &Items, ask: &Ask) -> Answer {
        let recorded = items
            .output
            .and_then(|output| self.facts_of(output))
            .and_then(|facts| match &facts.form {
                Form::Envelope(envelope) => Some(envelope.page_size),
                _ => None,
            });
        let page_size = ask
            .page_size
            .or(recorded)
            .unwrap_or(CacheSettings::default().page_size);
        let mut answer = Answer {
            arguments: None,
            result: AnswerResult::Refused(String::new()),
            range: 0..page_size.min(items.total),
            bytes: None,
            tokens: None,
            next: None,
            default_limit: false,
        };
        match items.range(answer.range.clone()) {
            Ok(values) => {
                let count = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
                let handle = CachedResultHandle(items.handle.clone().unwrap_or_default());
                let envelope =
                    CachedResultEnvelope::new(handle, count(items.total), count(page_size), values);
                answer.next.clone_from(&envelope.page_token);
                answer.fill(envelope.into_value());
            }
            Err(missing) => answer.result = AnswerResult::NotRecorded(missing),
        }
        answer
    }

    /// The lifetime that a handle names after an event, if it is live then.
    pub(super) fn live_at(&self, handle: &CachedResultHandle, at: EventId) -> Option<&Lifetime> {
        let stored = self
            .lifetimes
            .partition_point(|lifetime| lifetime.stored <= at);
        self.lifetimes
            .iter()
            .take(stored)
            .filter(|lifetime| lifetime.handle == *handle && lifetime.is_live(at))
            .last()
    }

    /// What reading everything of an output costs at a limit, after a first page of the recorded
    /// size or of another.
    pub fn read_all(
        &self,
        id: EventId,
        page_size: Option<u64>,
        limit: Option<u64>,
    ) -> Option<ReadAll> {
        let lifetime = self.lifetime_of(id)?;
        let total = lifetime.total;
        let recorded = self.facts_of(id).and_then(|facts| match &facts.form {
            Form::Envelope(envelope) => Some(envelope.page_size),
            _ => None,
        });
        let page_size = page_size.or(recorded).unwrap_or(lifetime.first_page);
        let first = page_size.min(total);
        let limit = limit.unwrap_or(DEFAULT_LIMIT);
        let calls = crate::policy::cache::calls_to_read_all(total, first, limit)?;
        let items = lifetime.all_items();
        let bytes = items.as_ref().map(|items| {
            let handle = &lifetime.handle;
            let mut bytes = envelope_bytes(handle, total, page_size, items.array_bytes(0..first));
            let mut offset = first;
            while offset < total {
                let count = served(total, offset, limit);
                let of_items = items.array_bytes(offset..offset + count);
                bytes += answer_bytes(handle, offset, limit, total, count, of_items);
                offset += count;
            }
            bytes
        });
        Some(ReadAll {
            answers: calls + 1,
            bytes,
            whole_bytes: items.map(|items| items.whole_bytes()),
        })
    }
}

impl Answer {
    fn fill(&mut self, value: Value) {
        self.bytes = Some(compact::length(&value) as u64);
        self.tokens = Some(estimate_value(&value).rounded());
        self.result = AnswerResult::Value(value);
    }
}

/// All recorded items that a handle keeps.
pub(super) fn items_of(events: &dyn Events, lifetime: &Lifetime) -> Items {
    let mut items = Items {
        output: lifetime.output,
        handle: Some(lifetime.handle.0.clone()),
        total: lifetime.total,
        first_page: lifetime.first_page,
        pieces: Vec::new(),
    };
    if let Some(output) = lifetime.output {
        if lifetime.whole.is_some()
            && let Some(values) = array(events, output)
        {
            items.add(0, values);
            return items;
        }
        items.add(0, first_page(events, output).unwrap_or_default());
    }
    for answer in &lifetime.answers {
        items.add(
            answer.offset,
            page_items(events, answer.event).unwrap_or_default(),
        );
    }
    items
}

/// The array that the cache's rule sees of an output.
fn array(events: &dyn Events, output: EventId) -> Option<Vec<Value>> {
    let Body::ToolOutput(output) = events.event(output)?.body else {
        return None;
    };
    match output.cacheable.value()? {
        Value::Array(items) => Some(items.clone()),
        _ => None,
    }
}

/// The first page of an output that was sent as an envelope.
fn first_page(events: &dyn Events, output: EventId) -> Option<Vec<Value>> {
    let Body::ToolOutput(output) = events.event(output)?.body else {
        return None;
    };
    let envelope = side::envelope_of(&output)?;
    envelope.get("first_page")?.as_array().cloned()
}

/// The items of a page answer or of a recorded page operation.
fn page_items(events: &dyn Events, answer: EventId) -> Option<Vec<Value>> {
    let value = match events.event(answer)?.body {
        Body::ToolOutput(output) => side::answer_of(&output)?,
        Body::Cache(CacheOperation::Page { answer, .. }) => answer.ok()?,
        _ => return None,
    };
    value.get("items")?.as_array().cloned()
}
