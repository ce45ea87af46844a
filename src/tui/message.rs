//! What happened: the answers of workers and the end of a wait, as the program receives them.

use std::sync::Arc;

use super::held::{Data, Load};
use super::rail::Rail;
use super::recording::{Caption, Change, Found};
use super::summary::Summary;
use super::tab::TabName;
use super::title::Counts;
use crate::policy::cache::CacheSettings;
use crate::query::{Batch, Hit, Needle};
use crate::replay::Replay;
use crate::replay::rerun::Rerun;
use crate::session::event::EventId;

/// Which request an answer belongs to. An answer with an old ticket is dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Ticket(pub u64);

/// How far the index and the replay have come.
#[derive(Debug, Clone)]
pub struct Grown {
    /// What is known of the outputs by now.
    pub replay: Arc<Replay>,
    /// The index and the replay have reached the end of the recording.
    pub complete: bool,
    /// How much is in it.
    pub counts: Counts,
    /// The whole session on one line.
    pub rail: Rail,
    /// Its captions.
    pub captions: Vec<Caption>,
    /// The settings of its result cache, where it tells of one.
    pub recorded: Option<CacheSettings>,
    /// How much of the file the index has passed, in percent.
    pub percent: u64,
    /// Another one when the recording was truncated or replaced.
    pub generation: u64,
}

/// Something that happened.
pub enum Message {
    /// The index or the replay has grown.
    Grown(Ticket, Box<Grown>),
    /// Summaries of events.
    Summaries(Ticket, Vec<(EventId, Arc<Summary>)>),
    /// Data of a tab.
    Tab {
        /// Which request.
        ticket: Ticket,
        /// Which tab.
        tab: TabName,
        /// For which event.
        event: EventId,
        /// The data.
        data: Data,
    },
    /// Why tabs have nothing to say of an event, in the order of the bar.
    Reasons(Ticket, Vec<Option<String>>),
    /// A re-run to be shown beside what was recorded.
    Rerun(Ticket, Arc<Rerun>),
    /// Hits of a search.
    Hits(Ticket, Batch),
    /// A search has come to its end.
    Searched(Ticket),
    /// What a hit stands in.
    Placed(Ticket, Option<Found>),
    /// The file was changed, or cannot be read any more.
    Changed(Ticket, Change),
    /// A worker failed at something: a fault of the program, which goes on.
    Failed(Ticket, &'static str),
    /// The time that was asked for is over.
    Woke(Wake, Ticket),
}

/// What was waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Wake {
    /// The next event of a session that plays.
    Play,
    /// The end of the time in which the first loss may be jumped to.
    FirstLoss,
    /// Data that are still not there: say that they are being read.
    Reading,
}

/// Something for a worker. A newer one of the same kind takes the place of an older one.
pub enum Job {
    /// Summaries of these events, the first ones first.
    Summaries(Vec<EventId>),
    /// Data of a tab, for an event.
    Tab {
        /// Which tab.
        tab: TabName,
        /// How.
        load: Load,
        /// What surrounds it.
        about: About,
    },
    /// Why the tabs have nothing to say.
    Reasons {
        /// The questions, in the order of the bar.
        nothing: Vec<fn(&super::tab::Source) -> Option<String>>,
        /// What surrounds them.
        about: About,
    },
    /// A re-run of the whole recording.
    Rerun(CacheSettings, Arc<Replay>),
    /// A search over the whole recording.
    Search {
        /// For what.
        needle: Needle,
        /// From which byte on; the bytes before it come last.
        from: u64,
    },
    /// What a hit stands in.
    Place {
        /// The hit.
        hit: Hit,
        /// Of what.
        needle: Needle,
    },
}

impl Job {
    /// The kind: a newer job takes the place of an older one of the same kind.
    pub const fn kind(&self) -> usize {
        match self {
            Self::Place { .. } => 0,
            Self::Summaries(_) => 1,
            Self::Tab { .. } => 2,
            Self::Reasons { .. } => 3,
            Self::Rerun(..) => 4,
            Self::Search { .. } => Self::SEARCH,
        }
    }

    /// The kind of a search, the last one: it has a thread of its own.
    pub const SEARCH: usize = 5;

    /// How many kinds there are.
    pub const KINDS: usize = 6;
}

/// What surrounds a tab's data: the parts of a [`super::tab::Source`] that the program decides.
#[derive(Debug, Clone)]
pub struct About {
    /// The selected event.
    pub event: EventId,
    /// As of which event.
    pub at: EventId,
    /// What is known of the outputs.
    pub replay: Arc<Replay>,
    /// The settings of the re-run that is shown.
    pub settings: Option<CacheSettings>,
    /// Columns of the pane.
    pub columns: u16,
    /// Rows of the pane.
    pub rows: u16,
}
