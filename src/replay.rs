//! The replay debugger: what the model had at any event, why it did not have the rest, and what
//! other settings would have done.
//!
//! A [`Builder`] takes the events of a session one after the other, on a worker thread and as the
//! recording grows; [`Builder::replay`] gives a [`Replay`], a snapshot that costs little to make
//! and to clone and answers everything that needs no values. What needs values reads them through
//! [`source::Events`].

pub mod consequence;
pub mod handles;
pub mod ledger;
pub mod loss;
pub mod pages;
pub mod rerun;
pub mod seen;
pub mod source;
pub mod why;

use std::time::Duration;

use serde_json::Value;

use crate::policy::cache::CacheSettings;
use crate::session::event::{EventId, EventRecord};
use consequence::{Consequence, Direction};
use handles::CacheState;
use ledger::{Bar, Ledger};
use loss::{Loss, Mark};
use pages::{Answer, Ask, Items, PageError, PageRequest, PagesView, ReadAll};
use rerun::{Inferred, Rerun};
use seen::Seen;
use source::Events;
use why::{Target, Why};

/// Takes the events of a session one after the other.
#[derive(Debug, Default)]
pub struct Builder {
    replay: Replay,
}

/// How far a [`Builder`] has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Events taken.
    pub taken: usize,
    /// Every event of a complete index is taken.
    pub complete: bool,
    /// Something was taken by this call, or everything was dropped because the recording was
    /// replaced.
    pub changed: bool,
}

impl Builder {
    /// Nothing taken yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the events that are new, for about as long as `time` at most.
    pub fn advance(&mut self, events: &dyn Events, time: Duration) -> Progress {
        let _ = (events, time);
        Progress {
            taken: 0,
            complete: false,
            changed: false,
        }
    }

    /// Takes everything that is indexed.
    pub fn finish(&mut self, events: &dyn Events) {
        let _ = events;
    }

    /// A snapshot of what is known by now.
    pub fn replay(&self) -> Replay {
        self.replay.clone()
    }
}

/// What is known of a session's outputs, a snapshot.
#[derive(Debug, Clone, Default)]
pub struct Replay {}

impl Replay {
    /// Everything of a session whose index is complete.
    pub fn of(events: &dyn Events) -> Self {
        let mut builder = Builder::new();
        builder.finish(events);
        builder.replay
    }

    /// Events taken into account.
    pub fn taken(&self) -> usize {
        0
    }

    /// The ledger of an output, or of the output of a call.
    pub fn ledger(&self, id: EventId) -> Option<Ledger> {
        let _ = id;
        None
    }

    /// The bar of a timeline row, in so many cells.
    pub fn bar(&self, id: EventId, cells: u8) -> Option<Bar> {
        let _ = (id, cells);
        None
    }

    /// What the model had of an output, part by part, over the whole recording.
    pub fn seen(&self, id: EventId) -> Option<Seen> {
        let _ = id;
        None
    }

    /// The gravest mark of a row.
    pub fn mark(&self, id: EventId, record: &EventRecord) -> Option<Mark> {
        let _ = (id, record);
        None
    }

    /// What was lost or is wrong, in the order of the recording.
    pub fn losses(&self) -> &[Loss] {
        &[]
    }

    /// How many outputs lost data.
    pub fn outputs_that_lost_data(&self) -> usize {
        0
    }

    /// Why the model never got something of an output; none where it did.
    pub fn why(&self, id: EventId, target: &Target) -> Option<Why> {
        let _ = (id, target);
        None
    }

    /// The result cache as it stood after an event.
    pub fn cache_at(&self, id: EventId) -> CacheState {
        let _ = id;
        CacheState::default()
    }

    /// The handle that an event is about: an output sent as an envelope, a page or release call or
    /// its answer, a store operation.
    pub fn pages(&self, id: EventId) -> Option<PagesView> {
        let _ = id;
        None
    }

    /// All recorded items of an output's array, put together from the output, its envelope and the
    /// answers that brought pages.
    pub fn items(&self, events: &dyn Events, id: EventId) -> Option<Items> {
        let _ = (events, id);
        None
    }

    /// One answer of the result cache, as of an event.
    pub fn answer(&self, items: &Items, ask: &Ask) -> Answer {
        let _ = items;
        Answer {
            arguments: ask.arguments.clone(),
            result: pages::AnswerResult::NotRecorded(Vec::new()),
            range: 0..0,
            bytes: None,
            tokens: None,
            next: None,
            default_limit: false,
        }
    }

    /// What reading everything of an output costs, at a limit.
    pub fn read_all(&self, id: EventId, limit: u64) -> Option<ReadAll> {
        let _ = (id, limit);
        None
    }

    /// What `cache.page` answers for a call or a handle.
    pub fn page(&self, events: &dyn Events, request: &PageRequest) -> Result<Value, PageError> {
        let _ = (events, request);
        Err(PageError::NoSuchOutput)
    }

    /// The settings that the recording was made with, as far as it tells.
    pub fn recorded_settings(&self) -> Inferred {
        Inferred::default()
    }

    /// The result cache run again with other settings.
    pub fn rerun(&self, settings: CacheSettings) -> Rerun {
        let _ = settings;
        Rerun::default()
    }

    /// The next threshold at which any output changes.
    pub fn next_threshold(&self, from: CacheSettings, direction: Direction) -> Option<Consequence> {
        let _ = (from, direction);
        None
    }

    /// The next page size at which any output changes.
    pub fn next_page_size(&self, from: CacheSettings, direction: Direction) -> Option<Consequence> {
        let _ = (from, direction);
        None
    }
}
