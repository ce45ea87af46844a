//! The replay debugger: what the model had at any event, why it did not have the rest, and what
//! other settings would have done.
//!
//! A [`Builder`] takes the events of a session one after the other, on a worker thread and as the
//! recording grows; [`Builder::replay`] gives a [`Replay`], a snapshot that costs little to make
//! and to clone and answers everything that needs no values. What needs values reads them through
//! [`source::Events`].
//!
//! ```text
//! build ──▶ facts (an output: sizes, links)    ──▶ ledger, seen, loss, why
//!     └───▶ lifetime (a handle: pages, release) ──▶ handles, pages, page
//!               measure (an array: prefix sums)  ──▶ rerun, consequence
//! ```

mod asks;
mod build;
mod chunked;
pub mod client_cut;
pub mod consequence;
mod coverage;
mod cut;
mod facts;
pub mod handles;
mod json_text;
mod kept;
pub mod ledger;
mod lifetime;
pub mod loss;
mod marker;
pub mod measure;
pub mod page;
pub mod pages;
pub mod policy_run;
pub mod recorded;
pub mod rerun;
pub mod seen;
mod side;
pub mod source;
pub mod uses;
pub mod why;

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod demo_tests;
#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod property_tests;

use std::sync::{Arc, OnceLock};

pub use build::Builder;

use crate::policy::cache::CacheSettings;
use crate::session::event::EventId;
use chunked::Chunked;
use facts::Facts;
use lifetime::Lifetime;
use loss::Loss;
use rerun::Candidates;
use source::Events;

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

/// What is known of a session's outputs, a snapshot.
#[derive(Debug, Clone, Default)]
pub struct Replay {
    complete: bool,
    /// Settings that the recording itself tells.
    told: Option<CacheSettings>,
    /// For every event taken: the output that it is, or whose call it is.
    owners: Chunked<Option<u32>>,
    /// The outputs, in order.
    facts: Chunked<Facts>,
    /// The handles, in the order they were stored.
    lifetimes: Chunked<Lifetime>,
    /// Recorded operations of the cache itself, in order, and the lifetimes they are about.
    operations: Chunked<(EventId, usize)>,
    /// Asks for handles that were not live, in order.
    refused: Chunked<EventId>,
    derived: Derived,
}

/// What follows from all outputs together, made once per snapshot.
#[derive(Debug, Clone, Default)]
struct Derived {
    losses: OnceLock<Arc<[Loss]>>,
    candidates: OnceLock<Arc<Candidates>>,
}

impl Replay {
    /// Everything of a session whose index is complete.
    pub fn of(events: &dyn Events) -> Self {
        let mut builder = Builder::new();
        builder.finish(events);
        builder.replay()
    }

    /// Events taken into account.
    pub const fn taken(&self) -> usize {
        self.owners.len()
    }

    /// Whether that is the whole recording.
    pub const fn is_complete(&self) -> bool {
        self.complete
    }

    /// The output that an event is, or the output of the call that it is.
    pub fn output_of(&self, id: EventId) -> Option<EventId> {
        self.facts_of(id).map(|facts| facts.event)
    }

    fn facts_of(&self, id: EventId) -> Option<&Facts> {
        let owner = self.owners.get(id.position()).copied().flatten()?;
        self.facts.get(owner as usize)
    }

    fn forget_derived(&mut self) {
        self.derived = Derived::default();
    }

    /// Makes what follows from all outputs together, so that nobody who draws has to wait for it.
    fn derive(&self) {
        self.losses();
        self.candidates();
    }
}
