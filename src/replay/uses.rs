//! Values that a call used and that stood in a part of an output which the model was not sent: the
//! number that says whether a setting is safe for this recording.
//!
//! A value counts at the first call that uses it: after that it is visible in the call's arguments.
//! Looking is linear in the recording and happens in the background, apart from everything else.

mod finder;
mod value;

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::Serialize;
use serde_json::Value;

use super::Replay;
use super::asks;
use super::facts::{Facts, Form};
use super::rerun::Rerun;
use super::seen::{Reach, SeenUnit, Span};
use super::source::{EventReader, Events};
use crate::policy::cache::{DEFAULT_LIMIT, calls_to_reach};
use crate::session::block::{Block, MediaSource};
use crate::session::event::{Body, EventId, EventKind, Output, Role};
use finder::Finder;

/// More values than this are not looked for; the rest is said to be left out.
const MOST_VALUES: usize = 1 << 19;

/// A value that was used while it was hidden.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct HiddenUse {
    /// The value.
    pub value: String,
    /// The call that used it, counted from 1.
    pub used_by: usize,
    /// Where in the call's arguments, as a JSON pointer.
    pub used_at: String,
    /// The output that it stands in, counted from 1.
    pub output: usize,
    /// Where it stands there.
    pub place: Place,
    /// `cache.page` calls at limit 64, following the tokens, that would have reached it; none where
    /// nothing would have.
    pub calls: Option<u64>,
}

/// Where in an output something stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// In this item of its array.
    Item(u64),
    /// At this byte of its text.
    Byte(u64),
}

/// A value that stands in nothing that the model was sent, and in nothing that was returned.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FromNowhere {
    /// The value.
    pub value: String,
    /// The call that used it first, counted from 1.
    pub used_by: usize,
    /// Where in the call's arguments, as a JSON pointer.
    pub used_at: String,
    /// It is a part of the string there, and not all of it.
    pub is_part: bool,
}

/// What is known of the values that calls use, a snapshot.
#[derive(Debug, Clone, Default)]
pub struct Uses {
    values: Arc<[UsedValue]>,
    /// Not every value was looked for.
    pub left_out: bool,
}

/// A value at the first call that uses it.
#[derive(Debug, Clone)]
struct UsedValue {
    text: String,
    call: EventId,
    pointer: String,
    /// Which bytes of the string at that place; none for all of it.
    part: Option<Range<usize>>,
    /// It was visible before that call whatever the settings are.
    visible: bool,
    /// Where else it stands before that call.
    places: Vec<Occurrence>,
}

impl AsRef<str> for UsedValue {
    fn as_ref(&self) -> &str {
        &self.text
    }
}

impl UsedValue {
    /// Whether another value is a part of this one, at the same place of the same call.
    fn contains(&self, other: &Self) -> bool {
        let inside = match (&self.part, &other.part) {
            (None, Some(_)) => true,
            (Some(of), Some(part)) => of.start <= part.start && part.end <= of.end,
            (_, None) => false,
        };
        inside && (self.call, &self.pointer) == (other.call, &other.pointer)
    }
}

/// A value inside an output that may be hidden.
#[derive(Debug, Clone, Copy)]
struct Occurrence {
    output: EventId,
    /// The first place in that output.
    place: Place,
    /// The model had it before the call, as recorded.
    reached: bool,
}

/// Looks for values that were used while hidden, in the background.
#[derive(Debug, Default)]
pub struct Search {
    values: Vec<UsedValue>,
    known: HashSet<String>,
    finder: Finder,
    left_out: bool,
    /// Calls are read first, then everything that they could have their values from.
    calls_read: usize,
    scanned: usize,
    /// Events that there are, as far as this search goes.
    events: usize,
    generation: u64,
}

impl Search {
    /// Nothing looked at yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Looks on for about as long as `time` at most; true when everything that the replay knows is
    /// looked at. A recording that grew is looked at again.
    pub fn advance(&mut self, replay: &Replay, events: &dyn Events, time: Duration) -> bool {
        let start = Instant::now();
        let mut reader = events.reader();
        if reader.generation() != self.generation || replay.taken() != self.events {
            *self = Self {
                generation: reader.generation(),
                events: replay.taken(),
                ..Self::default()
            };
        }
        while self.scanned < self.events {
            if self.calls_read < self.events {
                self.read_call(&mut *reader, EventId::from_position(self.calls_read));
                self.calls_read += 1;
            } else {
                self.scan(replay, &mut *reader, EventId::from_position(self.scanned));
                self.scanned += 1;
            }
            if start.elapsed() >= time {
                break;
            }
        }
        self.scanned >= self.events
    }

    /// What is known by now.
    pub fn uses(&self) -> Uses {
        Uses {
            values: self.values.iter().cloned().collect(),
            left_out: self.left_out,
        }
    }

    fn read_call(&mut self, reader: &mut dyn EventReader, id: EventId) {
        let is_call = reader
            .record(id)
            .is_some_and(|record| record.kind == EventKind::ToolCall);
        if !is_call {
            return;
        }
        let Some(Body::ToolCall(call)) = reader.event(id).map(|event| event.body) else {
            return;
        };
        if asks::cache_tool(&call.tool).is_some() {
            return;
        }
        for used in value::of_arguments(&call.arguments) {
            if self.values.len() >= MOST_VALUES {
                self.left_out = true;
                return;
            }
            if !self.known.insert(used.text.clone()) {
                continue;
            }
            self.finder.add(&used.text, self.values.len());
            self.values.push(UsedValue {
                text: used.text,
                call: id,
                pointer: used.pointer,
                part: used.part,
                visible: false,
                places: Vec::new(),
            });
        }
    }

    fn scan(&mut self, replay: &Replay, reader: &mut dyn EventReader, id: EventId) {
        let Some(record) = reader.record(id) else {
            return;
        };
        let may_show = match record.kind {
            EventKind::Message => record.role != Some(Role::Assistant),
            EventKind::ToolCall | EventKind::ToolOutput | EventKind::System => true,
            _ => false,
        };
        if !may_show {
            return;
        }
        match reader.event(id).map(|event| event.body) {
            Some(Body::Message { blocks, .. }) => self.show_blocks(id, &blocks),
            Some(Body::ToolCall(call)) => self.show_value(id, &call.arguments),
            Some(Body::System { value, .. }) => self.show_value(id, &value),
            Some(Body::ToolOutput(output)) => {
                if let Some(facts) = replay.facts_of(id) {
                    self.scan_output(replay, facts, &output);
                }
            }
            _ => {}
        }
    }

    fn scan_output(&mut self, replay: &Replay, facts: &Facts, output: &Output) {
        if facts.cache_answer {
            // What a page brought is told by the array, where the recording holds it.
            let known = replay
                .lifetime_of(facts.event)
                .is_some_and(|lifetime| lifetime.whole.is_some());
            if !known {
                self.show_blocks(facts.event, output.fullest());
            }
            return;
        }
        let spans = |block: usize| {
            let seen = replay.seen(facts.event)?;
            Some(seen.blocks.into_iter().nth(block)?.spans)
        };
        match (&facts.form, output.cacheable.value()) {
            (Form::Whole | Form::OneSide | Form::Envelope(_), Some(Value::Array(items)))
                if facts.array.is_some() =>
            {
                let spans = spans(0).unwrap_or_default();
                for (at, item) in items.iter().enumerate() {
                    let place = Place::Item(at as u64);
                    self.hide_value(facts.event, place, item, &spans);
                }
            }
            (Form::Cut(cut), _) if !cut.blocks.is_empty() => {
                for (number, block) in output.fullest().iter().enumerate() {
                    let spans = spans(number).unwrap_or_default();
                    match (block, cut.blocks.get(number).map(|kept| kept.extent.unit)) {
                        (Block::Text(text), _) => self.hide_text(facts.event, text, &spans),
                        (Block::Json(json), Some(SeenUnit::Items)) => {
                            let items = json.value.as_array().map(Vec::as_slice);
                            for (at, item) in items.unwrap_or_default().iter().enumerate() {
                                let place = Place::Item(at as u64);
                                self.hide_value(facts.event, place, item, &spans);
                            }
                        }
                        _ => self.show_blocks(facts.event, std::slice::from_ref(block)),
                    }
                }
            }
            _ => self.show_blocks(facts.event, output.fullest()),
        }
    }

    /// What stands here was visible from this event on.
    fn show(&mut self, id: EventId, text: &str) {
        let values = &mut self.values;
        let mut shown = Vec::new();
        self.finder
            .find(values, text, |position, _| shown.push(position));
        for position in shown {
            if let Some(value) = values.get_mut(position)
                && id < value.call
            {
                value.visible = true;
            }
        }
    }

    fn show_value(&mut self, id: EventId, value: &Value) {
        value::each_text(value, |text| self.show(id, text));
    }

    fn show_blocks(&mut self, id: EventId, blocks: &[Block]) {
        for block in blocks {
            match block {
                Block::Text(text) => self.show(id, text),
                Block::Json(json) => self.show_value(id, &json.value),
                Block::Envelope(envelope) => self.show_value(id, &envelope.value),
                Block::ResourceLink { value, .. } | Block::Unknown(value) => {
                    self.show_value(id, value);
                }
                Block::Image(media)
                | Block::Document(media)
                | Block::Audio(media)
                | Block::Video(media)
                | Block::Resource { media, .. } => {
                    if let MediaSource::Text(text) = &media.source {
                        self.show(id, text);
                    }
                }
            }
        }
    }

    /// What stands here may be hidden.
    fn hide_text(&mut self, id: EventId, text: &str, spans: &[Span]) {
        let mut found = Vec::new();
        self.finder.find(&self.values, text, |position, at| {
            found.push((position, at));
        });
        for (position, at) in found {
            self.note(id, position, Place::Byte(at as u64), spans);
        }
    }

    fn hide_value(&mut self, id: EventId, place: Place, value: &Value, spans: &[Span]) {
        let mut found = Vec::new();
        value::each_text(value, |text| {
            self.finder
                .find(&self.values, text, |position, _| found.push(position));
        });
        for position in found {
            self.note(id, position, place, spans);
        }
    }

    fn note(&mut self, id: EventId, position: usize, place: Place, spans: &[Span]) {
        let Some(value) = self.values.get_mut(position) else {
            return;
        };
        if id >= value.call {
            return;
        }
        let (Place::Item(at) | Place::Byte(at)) = place;
        let span = spans.partition_point(|span| span.range.end <= at);
        let reached = match spans.get(span).map(|span| span.reach) {
            Some(Reach::ReadLater(by)) => by < value.call,
            Some(Reach::Never(_)) => false,
            Some(Reach::Sent | Reach::Unknown) | None => true,
        };
        match value.places.last_mut() {
            Some(last) if last.output == id => last.reached |= reached,
            _ => value.places.push(Occurrence {
                output: id,
                place,
                reached,
            }),
        }
    }
}

impl Uses {
    /// Values that were used although nothing that stood before had sent them to the model, as it
    /// was recorded.
    pub fn hidden_as_recorded(&self) -> Vec<HiddenUse> {
        self.hidden_by(|occurrence| (!occurrence.reached).then_some(None))
    }

    /// Values that were used and that the result cache would have hidden behind its first pages.
    ///
    /// Pages that the recording shows do not count: whether the model would have asked for them
    /// again, nobody knows.
    pub fn hidden(&self, rerun: &Rerun) -> Vec<HiddenUse> {
        let first_pages: HashMap<EventId, u64> = rerun.first_pages().collect();
        self.hidden_by(|occurrence| {
            let first_page = *first_pages.get(&occurrence.output)?;
            match occurrence.place {
                Place::Item(item) if item >= first_page => {
                    Some(calls_to_reach(item, first_page, DEFAULT_LIMIT))
                }
                _ => None,
            }
        })
    }

    /// Values whose every place is hidden, at the place that is the nearest; `hides` gives the calls
    /// that reach a hidden place.
    fn hidden_by(&self, hides: impl Fn(&Occurrence) -> Option<Option<u64>>) -> Vec<HiddenUse> {
        let mut hidden = Vec::new();
        // A part of a value that is hidden itself says nothing more; values come before their parts.
        let mut wholes: Vec<&UsedValue> = Vec::new();
        for value in self.values.iter().filter(|value| !value.visible) {
            wholes.retain(|whole| (whole.call, &whole.pointer) == (value.call, &value.pointer));
            if wholes.iter().any(|whole| whole.contains(value)) {
                continue;
            }
            let places: Option<Vec<_>> = value
                .places
                .iter()
                .map(|place| Some((hides(place)?, place)))
                .collect();
            let nearest = places
                .unwrap_or_default()
                .into_iter()
                .min_by_key(|(calls, place)| (calls.unwrap_or(u64::MAX), place.output));
            let Some((calls, place)) = nearest else {
                continue;
            };
            wholes.push(value);
            hidden.push(HiddenUse {
                value: value.text.clone(),
                used_by: value.call.index(),
                used_at: value.pointer.clone(),
                output: place.output.index(),
                place: place.place,
                calls,
            });
        }
        hidden
    }

    /// Values that stand in nothing that the model was sent before, and in nothing that was returned.
    pub fn from_nowhere(&self) -> Vec<FromNowhere> {
        self.values
            .iter()
            .filter(|value| !value.visible && value.places.is_empty())
            .map(|value| FromNowhere {
                value: value.text.clone(),
                used_by: value.call.index(),
                used_at: value.pointer.clone(),
                is_part: value.part.is_some(),
            })
            .collect()
    }
}
