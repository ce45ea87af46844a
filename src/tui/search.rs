//! A search: its hits so far, and which one the screen stands on.

use std::fmt::Write;

use super::message::Ticket;
use super::recording::Found;
use super::tab::Place;
use crate::query::{Hits, Needle, Step};
use crate::replay::Replay;
use crate::replay::seen::{Reach, SeenUnit};
use crate::session::event::EventId;
use crate::text::grouped;

/// The state of a search.
#[derive(Debug, Clone)]
pub struct Search {
    /// What is searched.
    pub needle: Needle,
    /// The hits so far.
    pub hits: Hits,
    /// Everything was searched.
    pub complete: bool,
    /// The file has grown since.
    pub stale: bool,
    /// The request.
    pub ticket: Ticket,
    /// From which byte of the file the first hit is looked for.
    pub from: u64,
    /// The hit that the screen stands on.
    pub current: Option<Step>,
    /// A jump to the first hit is wanted as soon as there is one.
    pub wanted: bool,
    /// The request for what the current hit stands in.
    pub placing: Option<Ticket>,
    /// The current hit lies behind what is indexed: it is placed when the index has come further.
    pub ahead: bool,
    /// Where the screen stands, and what was said of it.
    pub stands: Option<(Found, String)>,
}

impl Search {
    /// A search without hits yet.
    pub fn new(needle: Needle, from: u64, ticket: Ticket) -> Self {
        Self {
            needle,
            hits: Hits::default(),
            complete: false,
            stale: false,
            ticket,
            from,
            current: None,
            wanted: false,
            placing: None,
            ahead: false,
            stands: None,
        }
    }

    /// A jump is under way: its end decides what the next keys mean.
    pub const fn is_jumping(&self) -> bool {
        self.wanted || self.placing.is_some() || self.ahead
    }

    /// No jump any more: the screen stays where it is.
    pub fn stay(&mut self) {
        self.wanted = false;
        self.placing = None;
        self.ahead = false;
    }

    /// How many hits there are so far, for the prompt.
    pub fn note(&self) -> String {
        let count = grouped(self.hits.count());
        match (self.complete, self.hits.is_empty()) {
            (true, true) => "no hit".to_owned(),
            (true, false) if self.hits.count() == 1 => "1 hit".to_owned(),
            (true, false) => format!("{count} hits"),
            (false, _) => format!("{count} so far, {} %", self.hits.percent()),
        }
    }

    /// Where the screen stands, in which row: `3/41  #6 item 260  never sent`.
    pub fn status(&self, found: &Found, row: EventId, replay: &Replay) -> String {
        let position = self.current.map_or(0, |step| step.position);
        let more = if self.complete { "" } else { "+" };
        let mut text = format!(
            "{}/{}{more}  #{}",
            grouped(position as u64),
            grouped(self.hits.count()),
            row.index()
        );
        if let Some(item) = found.item {
            let _ = write!(text, " item {}", grouped(item));
        }
        if matches!(found.place, Place::Arguments { .. }) {
            text.push_str("  in its call");
        }
        if let Some(reach) = reach(replay, found) {
            text.push_str("  ");
            text.push_str(&reach_words(reach));
        }
        if self.current.is_some_and(|step| step.wrapped) && self.hits.count() > 1 {
            text.push_str("  (from the top)");
        }
        text
    }
}

/// How the model got what was found, where it stands in an output.
fn reach(replay: &Replay, found: &Found) -> Option<Reach> {
    let seen = replay.seen(found.event)?;
    let (block, byte) = match &found.place {
        Place::Item(_) => (None, None),
        Place::Bytes { block, range, .. } => (Some(*block), Some(range.start as u64)),
        Place::Raw { .. } | Place::Arguments { .. } => return None,
    };
    let position = match block {
        Some(block) => block,
        None => seen
            .blocks
            .iter()
            .position(|block| block.unit == SeenUnit::Items)?,
    };
    let block = seen.blocks.get(position)?;
    let at = match block.unit {
        SeenUnit::Items => found.item?,
        SeenUnit::Bytes => byte?,
        SeenUnit::Whole => 0,
    };
    block
        .spans
        .iter()
        .find(|span| span.range.contains(&at))
        .map(|span| span.reach)
}

/// How the model got something, in words.
pub fn reach_words(reach: Reach) -> String {
    let by = |event: EventId| format!("#{}", event.index());
    match reach {
        Reach::Sent => "sent".to_owned(),
        Reach::ReadLater(event) => format!("read later by {}", by(event)),
        Reach::Never(_) => "never sent".to_owned(),
        Reach::Unknown => "not known whether sent".to_owned(),
    }
}
