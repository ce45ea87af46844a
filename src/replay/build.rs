//! Takes the events of a session one after the other and keeps what the replay needs of them.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::asks::{self, Asked, PageGiven, Refusal};
use super::cut;
use super::facts::{ArrayInside, EnvelopeFacts, Facts, Form, Look, extent_of};
use super::lifetime::{Lifetime, PageRefused, PageServed};
use super::measure::ItemMeasures;
use super::side::{self, Seen};
use super::source::{EventReader, Events};
use super::{Progress, Replay};
use crate::policy::Extent;
use crate::session::block::Block;
use crate::session::event::{
    Body, CacheOperation, Call, Event, EventId, EventKind, EventRecord, Output,
};
use crate::tool::compact;
use crate::tool::rig_mcp::CachedResultHandle;

/// Takes the events of a session one after the other.
#[derive(Debug, Default)]
pub struct Builder {
    replay: Replay,
    generation: u64,
    /// The latest lifetime of each handle.
    handles: HashMap<String, usize>,
    /// Outputs whose whole text is in a file that the client named.
    side_files: HashMap<Arc<str>, usize>,
    /// The last events taken, to notice when they are others.
    last: VecDeque<(EventId, EventRecord)>,
}

/// How many of the last events are compared with what the index says now.
const LAST: usize = 16;

/// Two readers, so that looking at an output's call does not read the output's record again.
struct Readers<'a> {
    outputs: Box<dyn EventReader + 'a>,
    calls: Box<dyn EventReader + 'a>,
}

impl<'a> Readers<'a> {
    fn of(events: &'a dyn Events) -> Self {
        Self {
            outputs: events.reader(),
            calls: events.reader(),
        }
    }
}

/// Whether two records are of the same event; a call may have learnt its output since.
fn is_same(now: &EventRecord, then: &EventRecord) -> bool {
    (now.kind, now.offset, now.bytes, now.part) == (then.kind, then.offset, then.bytes, then.part)
}

impl Builder {
    /// Nothing taken yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the events that are new, for about as long as `time` at most.
    ///
    /// A recording that was replaced starts anew.
    pub fn advance(&mut self, events: &dyn Events, time: Duration) -> Progress {
        let start = Instant::now();
        let mut readers = Readers::of(events);
        let count = readers.outputs.count();
        let mut changed = self.start_anew_if_replaced(&readers);
        self.replay.told = events.result_cache();
        while self.replay.taken() < count {
            let id = EventId::from_position(self.replay.taken());
            self.take(&mut readers, id);
            changed = true;
            if start.elapsed() >= time {
                break;
            }
        }
        let complete = readers.outputs.is_complete() && self.replay.taken() >= count;
        changed |= self.replay.complete != complete;
        self.replay.complete = complete;
        if changed {
            self.replay.forget_derived();
        }
        Progress {
            taken: self.replay.taken(),
            complete,
            changed,
        }
    }

    /// Takes everything that is indexed.
    pub fn finish(&mut self, events: &dyn Events) {
        self.advance(events, Duration::MAX);
    }

    /// A snapshot of what is known by now.
    pub fn replay(&self) -> Replay {
        let replay = self.replay.clone();
        replay.derive();
        replay
    }

    /// Drops everything when the recording was replaced, and the last events when a line that was
    /// being written was shown before its end. True where something was dropped.
    fn start_anew_if_replaced(&mut self, readers: &Readers<'_>) -> bool {
        let replaced = readers.outputs.generation() != self.generation;
        let same = |(id, record): &(EventId, EventRecord)| {
            readers
                .outputs
                .record(*id)
                .is_some_and(|now| is_same(&now, record))
        };
        let Some(first) = self.last.iter().position(|last| !same(last)) else {
            if replaced {
                self.start_anew(readers.outputs.generation());
            }
            return replaced;
        };
        let dropped = self.last.split_off(first);
        let plain = dropped
            .iter()
            .all(|(_, record)| !matches!(record.kind, EventKind::ToolOutput | EventKind::Cache));
        match dropped.front() {
            Some((id, _)) if plain && !replaced => self.replay.owners.truncate(id.position()),
            _ => self.start_anew(readers.outputs.generation()),
        }
        true
    }

    fn start_anew(&mut self, generation: u64) {
        *self = Self {
            generation,
            ..Self::default()
        };
    }

    fn take(&mut self, readers: &mut Readers<'_>, id: EventId) {
        let record = readers.outputs.record(id);
        // An output may stand before its call.
        let answered = record
            .and_then(|record| record.pair)
            .and_then(|pair| self.replay.owners.get(pair.position()).copied().flatten());
        self.replay.owners.push(answered);
        let Some(record) = record else { return };
        if self.last.len() >= LAST {
            self.last.pop_front();
        }
        self.last.push_back((id, record));
        if !matches!(record.kind, EventKind::ToolOutput | EventKind::Cache) {
            return;
        }
        match readers.outputs.event(id).map(|event| event.body) {
            Some(Body::ToolOutput(output)) => self.take_output(readers, id, &record, &output),
            Some(Body::Cache(operation)) => self.take_operation(id, &operation),
            _ => {}
        }
    }

    fn take_output(
        &mut self,
        readers: &mut Readers<'_>,
        id: EventId,
        record: &EventRecord,
        output: &Output,
    ) {
        let tool = output.tool.as_deref();
        let asks_cache = tool.and_then(asks::cache_tool).is_some();
        let call = record
            .pair
            .filter(|_| asks_cache || !self.side_files.is_empty())
            .and_then(|call| readers.calls.event(call))
            .and_then(call_of);
        let arguments = call.as_ref().map(|call| &call.arguments);
        let asked = tool.and_then(|tool| {
            let error = output.is_error.then(|| side::text_of(output.fullest()));
            let answer = side::answer_of(output);
            asks::read(tool, arguments, answer.as_ref(), error.as_deref())
        });

        let mut facts = facts_of(id, record, output);
        facts.cache_answer = asked.is_some();
        let first_page = if facts.cache_answer || facts.is_error {
            None
        } else {
            take_envelope(&mut facts, output)
        };
        if matches!(facts.form, Form::OneSide) {
            compare_sides(&mut facts, output);
        }
        let sum = facts.sent.or(facts.returned).unwrap_or_default();
        match asked {
            Some(Asked::Page(given)) => facts.lifetime = Some(self.serve(id, &given, sum)),
            Some(Asked::Refused(refusal)) => facts.lifetime = self.refuse(id, &refusal),
            Some(Asked::Released { handle, released }) => {
                facts.lifetime = self.release(id, &handle, released);
            }
            Some(Asked::Unreadable) | None => {}
        }
        if let Some(first_page) = first_page {
            facts.lifetime = self.store(id, &facts, &first_page);
        }
        let side_file = match &facts.form {
            Form::Cut(cut) => cut.cut.as_ref().and_then(|cut| cut.side_file.clone()),
            _ => None,
        };

        let position = self.replay.facts.push(facts);
        for event in [Some(id), record.pair].into_iter().flatten() {
            if let Some(owner) = self.replay.owners.get_mut(event.position()) {
                *owner = u32::try_from(position).ok();
            }
        }
        if let Some(arguments) = arguments {
            self.read_side_file(readers, id, arguments, output);
        }
        if let Some(file) = side_file {
            self.side_files.insert(file, position);
        }
    }

    /// The handle of an envelope begins its life.
    fn store(&mut self, id: EventId, facts: &Facts, first_page: &[Value]) -> Option<usize> {
        let Form::Envelope(envelope) = &facts.form else {
            return None;
        };
        let current = self.handles.get(&envelope.handle.0).copied();
        if let Some(position) = current
            && self.is_repeated(position, facts, envelope)
        {
            return Some(position);
        }
        let begun = current.filter(|position| {
            self.replay
                .lifetimes
                .get(*position)
                .is_some_and(|lifetime| {
                    // Stored by a recorded operation of the cache, just before its envelope was sent.
                    lifetime.output.is_none()
                        && lifetime.first.is_none()
                        && lifetime.total == envelope.total
                        && lifetime.answers.is_empty()
                })
        });
        let position = match begun {
            Some(position) => position,
            None => self.begin(envelope.handle.clone(), id, envelope.total),
        };
        let whole = facts
            .array
            .as_ref()
            .filter(|array| array.len() == envelope.total)
            .map(Arc::clone);
        let first = Arc::new(ItemMeasures::of(first_page));
        if let Some(lifetime) = self.replay.lifetimes.get_mut(position) {
            lifetime.output = Some(id);
            lifetime.first_page = envelope.first_page;
            lifetime.first = Some(first);
            lifetime.whole = whole;
        }
        Some(position)
    }

    /// The same output again, in a later request body of the same conversation.
    fn is_repeated(&self, position: usize, facts: &Facts, envelope: &EnvelopeFacts) -> bool {
        let Some(lifetime) = self.replay.lifetimes.get(position) else {
            return false;
        };
        let call_id = |event: Option<EventId>| {
            event
                .and_then(|event| self.replay.facts_of(event))
                .and_then(|facts| facts.call_id.clone())
        };
        lifetime.total == envelope.total
            && facts.call_id.is_some()
            && call_id(lifetime.output) == facts.call_id
    }

    fn begin(&mut self, handle: CachedResultHandle, id: EventId, total: u64) -> usize {
        let name = handle.0.clone();
        let position = self.replay.lifetimes.push(Lifetime::new(handle, id, total));
        if let Some(before) = self.handles.insert(name, position)
            && let Some(before) = self.replay.lifetimes.get_mut(before)
        {
            before.replaced = Some(id);
        }
        position
    }

    /// The latest lifetime of a handle, while nobody released it and it is of as many items: a
    /// recorder may write that the items were stored after the envelope that names them.
    fn live(&self, handle: &str, total: u64) -> Option<usize> {
        let position = self.handles.get(handle).copied()?;
        let lifetime = self.replay.lifetimes.get(position)?;
        (lifetime.total == total && lifetime.released.is_none()).then_some(position)
    }

    /// The lifetime that an answer is about; one that began before the recording where there is none.
    fn lifetime_for(&mut self, id: EventId, handle: &str, total: u64) -> usize {
        let known = self.handles.get(handle).copied().filter(|position| {
            self.replay
                .lifetimes
                .get(*position)
                .is_some_and(|lifetime| lifetime.total == total)
        });
        match known {
            Some(position) => position,
            None => self.begin(CachedResultHandle(handle.to_owned()), id, total),
        }
    }

    fn serve(&mut self, id: EventId, given: &PageGiven, sum: super::ledger::Sum) -> usize {
        let position = self.lifetime_for(id, &given.handle, given.total);
        let served = PageServed {
            event: id,
            offset: given.offset,
            limit: given.limit,
            items: Arc::new(ItemMeasures::of(&given.items)),
            sum,
        };
        if let Some(lifetime) = self.replay.lifetimes.get_mut(position) {
            match lifetime.answers.last_mut() {
                // A recorded operation of the cache, and now the answer as the model got it.
                Some(last)
                    if self.replay.operations.iter().next_back()
                        == Some(&(last.event, position))
                        && (last.offset, last.limit) == (served.offset, served.limit) =>
                {
                    *last = served;
                }
                _ => lifetime.answers.push(served),
            }
        }
        position
    }

    fn refuse(&mut self, id: EventId, refusal: &Refusal) -> Option<usize> {
        let position = refusal
            .wanted
            .as_ref()
            .and_then(|wanted| self.handles.get(&wanted.handle).copied());
        if refusal.unknown_handle {
            self.replay.refused.push(id);
        }
        if let (Some(position), Some(wanted), true) =
            (position, &refusal.wanted, refusal.unknown_handle)
            && let Some(lifetime) = self.replay.lifetimes.get_mut(position)
        {
            lifetime.refusals.push(PageRefused {
                event: id,
                offset: wanted.offset,
                limit: wanted.limit,
                error: refusal.error.as_str().into(),
            });
        }
        position
    }

    fn release(&mut self, id: EventId, handle: &str, released: bool) -> Option<usize> {
        let position = self.handles.get(handle).copied()?;
        let lifetime = self.replay.lifetimes.get_mut(position)?;
        if released && lifetime.released.is_none() {
            lifetime.released = Some(id);
        }
        Some(position)
    }

    /// A recorded operation of the cache itself.
    fn take_operation(&mut self, id: EventId, operation: &CacheOperation) {
        let position = match operation {
            CacheOperation::Store {
                handle,
                total_items,
            } => {
                let known = self.live(handle, *total_items);
                let begin = || CachedResultHandle(handle.clone());
                Some(known.unwrap_or_else(|| self.begin(begin(), id, *total_items)))
            }
            CacheOperation::Page { arguments, answer } => match answer {
                Ok(answer) => asks::page_given(answer).map(|given| {
                    let sum = side::of_json(answer);
                    self.serve(id, &given, sum)
                }),
                Err(error) => {
                    let asked = asks::read("cache.page", Some(arguments), None, Some(error));
                    match asked {
                        Some(Asked::Refused(refusal)) => self.refuse(id, &refusal),
                        _ => None,
                    }
                }
            },
            CacheOperation::Release { answer, .. } => {
                let answer = answer.as_ref().ok();
                match asks::read("cache.release", None, answer, None) {
                    Some(Asked::Released { handle, released }) => {
                        self.release(id, &handle, released)
                    }
                    _ => None,
                }
            }
        };
        if let Some(position) = position {
            self.replay.operations.push((id, position));
        }
    }

    /// A later call that names the file in which a client kept an output reads that output.
    fn read_side_file(
        &mut self,
        readers: &mut Readers<'_>,
        id: EventId,
        arguments: &Value,
        output: &Output,
    ) {
        let position = self
            .side_files
            .iter()
            .filter(|(file, _)| mentions(arguments, file))
            .map(|(_, position)| *position)
            .max();
        let Some(position) = position else { return };
        let Some(facts) = self.replay.facts.get_mut(position) else {
            return;
        };
        let Form::Cut(cut) = &mut facts.form else {
            return;
        };
        let Some(Body::ToolOutput(cut_output)) =
            readers.calls.event(facts.event).map(|event| event.body)
        else {
            return;
        };
        let returned = cut_output.returned.as_deref().unwrap_or_default();
        let read = side::text_of(output.fullest());
        cut::read_later(Arc::make_mut(cut), returned, &read, id);
    }
}

fn call_of(event: Event) -> Option<Call> {
    match event.body {
        Body::ToolCall(call) => Some(call),
        _ => None,
    }
}

/// Whether any string of the arguments contains the path.
fn mentions(arguments: &Value, path: &str) -> bool {
    let mut open = vec![arguments];
    while let Some(value) = open.pop() {
        match value {
            Value::String(text) if text.contains(path) => return true,
            Value::Array(items) => open.extend(items),
            Value::Object(fields) => open.extend(fields.values()),
            _ => {}
        }
    }
    false
}

/// Compares the two sides of an output, or reads the marker in the one that was sent.
fn compare_sides(facts: &mut Facts, output: &Output) {
    facts.form = match (output.returned.as_deref(), output.sent.as_deref()) {
        (Some(returned), Some(sent)) => {
            let array = facts.array.as_deref();
            let compared = cut::compare(returned, &facts.extents, sent, array);
            if compared.is_nothing() {
                Form::Whole
            } else {
                Form::Cut(Arc::new(compared))
            }
        }
        (None, Some(sent)) => match cut::marked(sent) {
            Some(cut) => Form::Cut(Arc::new(cut)),
            None => Form::OneSide,
        },
        _ => Form::OneSide,
    };
}

/// The sizes of an output, before anything is compared or linked.
fn facts_of(id: EventId, record: &EventRecord, output: &Output) -> Facts {
    let (returned, sent) = (output.returned.as_deref(), output.sent.as_deref());
    let array = match output.cacheable.value() {
        Some(Value::Array(items)) if !output.is_error => Some(Arc::new(ItemMeasures::of(items))),
        _ => None,
    };
    let is_array = |side: &[Block]| match side {
        [Block::Json(json)] => json.value.is_array(),
        _ => false,
    };
    // Large values are written once: an array that is all of a side was measured just now.
    let sum_of = |side: &[Block]| match &array {
        Some(array) if is_array(side) => array.sum(),
        _ => side::sum(side),
    };
    let whole = returned.zip(sent).is_some_and(|(a, b)| side::same(a, b));
    let returned_sum = returned.map(sum_of);
    let mut sent_sum = match returned_sum {
        Some(returned) if whole && sent.is_some_and(is_array) => Some(returned),
        _ => sent.map(|sent| match sent {
            [Block::Envelope(_)] => side::sum(sent),
            _ if whole => sum_of(sent),
            _ => side::sum(sent),
        }),
    };
    if let (Some(sum), Some(tokens)) = (&mut sent_sum, output.recorded_tokens) {
        sum.tokens = Some(crate::tokens::Tokens::from_count(tokens));
    }
    Facts {
        event: id,
        call_id: output.call_id.as_deref().map(Arc::from),
        tool: output.tool.as_deref().map(Arc::from),
        is_error: output.is_error || record.is_error,
        evidence: output.evidence,
        cache_answer: false,
        server: record.server,
        returned: returned_sum,
        sent: sent_sum,
        form: if whole { Form::Whole } else { Form::OneSide },
        lifetime: None,
        inside: output
            .cacheable
            .value()
            .and_then(ArrayInside::find)
            .map(Box::new),
        look: Look::of(output.fullest()),
        extent: match side::seen_by_policy(output) {
            Some(Seen::Json(value)) => Some(extent_of(
                value,
                match &array {
                    Some(array) => array.whole_bytes(),
                    None => compact::length(value) as u64,
                },
            )),
            Some(Seen::Text(text)) => Some(Extent {
                bytes: text.len() as u64,
                longest_string: text.chars().count() as u64,
                longest_array: 0,
            }),
            None => None,
        },
        extents: side::extents(output.fullest()),
        array,
    }
}

/// Reads the envelope that stands in for the output, if one does, and gives its first page.
fn take_envelope(facts: &mut Facts, output: &Output) -> Option<Vec<Value>> {
    let value = side::envelope_of(output)?;
    let array = match output.cacheable.value() {
        Some(Value::Array(items)) => Some(items.as_slice()),
        _ => None,
    };
    let (envelope, first_page) = EnvelopeFacts::of(value, array)?;
    if let Some(sent) = &mut facts.sent {
        sent.items = Some(envelope.first_page);
    }
    if facts.array.is_none() {
        // Where the envelope is all there is, it still tells how many items there were.
        facts.returned = Some(super::ledger::Sum {
            items: Some(envelope.total),
            ..super::ledger::Sum::default()
        });
    }
    facts.form = Form::Envelope(Box::new(envelope));
    Some(first_page)
}
