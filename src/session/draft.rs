//! What a worker makes of a stretch of records: events without numbers, names without ids.
//!
//! Stretches can be read at once on several threads; what depends on what came before, names, pairs and
//! numbers, is settled when they are merged in order.

use crate::json::{Record, View};

use super::event::{EventKind, Role};
use super::format::native::Header;
use super::format::{Format, Place};
use super::part::{Lazy, Part};

/// One record and where it stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Found<'a> {
    pub(super) bytes: &'a [u8],
    /// The record's length, also where its bytes are not held.
    pub(super) length: u64,
    pub(super) offset: u64,
    /// Its line, from 1 in the stretch.
    pub(super) line: u32,
    pub(super) place: Place,
}

/// A record that was read.
#[derive(Debug, Clone, Copy)]
pub(super) struct DraftRecord {
    pub(super) offset: u64,
    pub(super) length: u64,
    pub(super) line: u32,
    /// How many of the drafts are its events.
    pub(super) events: u32,
    /// It has no JSON structure.
    pub(super) bad: bool,
    /// Its ids mean nothing to other records.
    pub(super) conversation: bool,
    pub(super) system: bool,
}

/// An event without its number.
#[derive(Debug, Clone, Copy)]
pub(super) struct Draft {
    pub(super) kind: EventKind,
    pub(super) unless_answering: Option<EventKind>,
    pub(super) role: Option<Role>,
    pub(super) tool: Option<DraftName>,
    pub(super) call_id: Option<DraftName>,
    pub(super) quoted_id: bool,
    /// The call of whose output it tells the returned side.
    pub(super) companion: Option<DraftName>,
    pub(super) is_error: bool,
    pub(super) server: bool,
    pub(super) counted: bool,
    pub(super) faulty: bool,
    pub(super) time_ms: Option<i64>,
}

/// A name in the text of the drafts.
#[derive(Debug, Clone, Copy)]
pub(super) struct DraftName {
    start: u32,
    end: u32,
}

/// A caption with the number of its event, from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct DraftCaption {
    pub(super) at: u64,
    pub(super) tab: Option<String>,
    pub(super) text: String,
}

/// The records of one stretch.
#[derive(Debug, Default)]
pub(super) struct Drafts {
    pub(super) records: Vec<DraftRecord>,
    pub(super) events: Vec<Draft>,
    pub(super) captions: Vec<DraftCaption>,
    pub(super) header: Option<Header>,
    /// Line ends in the stretch.
    pub(super) lines: u32,
    names: String,
}

impl Drafts {
    /// Forgets everything, for the next stretch.
    pub(super) fn clear(&mut self) {
        self.records.clear();
        self.events.clear();
        self.captions.clear();
        self.header = None;
        self.lines = 0;
        self.names.clear();
    }

    /// The text of a name.
    pub(super) fn name(&self, name: DraftName) -> &str {
        self.names
            .get(name.start as usize..name.end as usize)
            .unwrap_or_default()
    }

    fn keep(&mut self, name: Option<&str>) -> Option<DraftName> {
        let name = name?;
        let start = self.names.len() as u32;
        self.names.push_str(name);
        Some(DraftName {
            start,
            end: self.names.len() as u32,
        })
    }

    /// Reads a record.
    pub(super) fn take(&mut self, format: &dyn Format, scratch: &mut Record, found: &Found<'_>) {
        if scratch.check(found.bytes).is_err() {
            self.take_text(format, found);
            return;
        }
        let view = scratch.view(found.bytes);
        let faults = scratch.faults();
        let mut owners = Vec::new();
        if !faults.is_empty() {
            let mut parts = Vec::new();
            format.read(view, found.place, &mut |part| parts.push(part));
            owners.extend(faults.iter().map(|fault| owner(&parts, fault.offset)));
        }
        let mut number = 0;
        format.read(view, found.place, &mut |part| {
            let faulty = owners.contains(&number);
            number += u32::from(self.add(&part, faulty));
        });
        self.end(found, number, false, format.is_conversation(view));
    }

    /// Reads a record that is no JSON: one of the format's own, or a bad one.
    pub(super) fn take_text(&mut self, format: &dyn Format, found: &Found<'_>) {
        let mut number = 0;
        let taken = format.read_text(found.bytes, &mut |part| {
            number += u32::from(self.add(&part, false));
        });
        self.end(found, number, !taken, false);
    }

    /// Takes a document without looking at it, for its kind alone.
    pub(super) fn take_unseen(&mut self, format: &dyn Format, found: &Found<'_>) {
        let mut number = 0;
        format.read(View::trusted(b"null"), found.place, &mut |part| {
            number += u32::from(self.add(&part, false));
        });
        self.end(found, number, false, false);
    }

    /// Takes a record that has no JSON structure.
    pub(super) fn take_bad(&mut self, found: &Found<'_>) {
        self.end(found, 0, true, false);
    }

    fn end(&mut self, found: &Found<'_>, events: u32, bad: bool, conversation: bool) {
        self.records.push(DraftRecord {
            offset: found.offset,
            length: found.length,
            line: found.line,
            events,
            bad,
            conversation,
            system: found.place == Place::System,
        });
    }

    /// Adds a part; false where it is no event.
    fn add(&mut self, part: &Part<'_>, faulty: bool) -> bool {
        let text_of = |view: &View<'_>| Some(view.text()?.into_owned());
        match &part.lazy {
            Lazy::Header(header) => {
                self.header = serde_json::from_value(header.value()).ok();
                return false;
            }
            Lazy::Caption { at, tab, text } => {
                self.captions.push(DraftCaption {
                    at: *at,
                    tab: tab.as_ref().and_then(text_of),
                    text: text.as_ref().and_then(text_of).unwrap_or_default(),
                });
                return false;
            }
            _ => {}
        }
        let draft = Draft {
            kind: part.kind,
            unless_answering: part.unless_answering,
            role: part.role,
            tool: self.keep(part.tool.as_deref()),
            call_id: self.keep(part.call_id.as_deref()),
            quoted_id: part.quoted_id,
            companion: self.keep(part.companion.as_ref().map(|other| other.call_id.as_ref())),
            is_error: part.is_error,
            server: part.server,
            counted: part.counted || !part.server,
            faulty,
            time_ms: part.time_ms,
        };
        self.events.push(draft);
        true
    }
}

/// The number of the part that a fault at `offset` belongs to: the first where none covers it.
pub(super) fn owner(parts: &[Part<'_>], offset: usize) -> u32 {
    let events = parts.iter().filter(|part| part.is_event());
    let found = events.enumerate().find(|(_, part)| part.covers(offset));
    found.map_or(0, |(number, _)| number as u32)
}
