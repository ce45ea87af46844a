//! The ledger of an output: what the tool returned, what the model was sent, what it read later
//! through pages, and what it was never sent.

use std::sync::Arc;

use crate::policy::Unit;
use crate::session::event::{EventId, Evidence};

/// How much of something there is, in every unit that is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Measure {
    /// Items of an array.
    pub items: Option<u64>,
    /// UTF-8 bytes: of text, of the compact form of JSON, of decoded media.
    pub bytes: Option<u64>,
    /// Unicode scalar values, for text.
    pub chars: Option<u64>,
    /// Estimated tokens, or those that the recording tells.
    pub tokens: Option<u64>,
}

/// One line of the ledger.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Amount {
    /// So much.
    Known(Measure),
    /// The recording cannot know.
    Unknown(Unknown),
}

impl Amount {
    /// The measure, where known.
    pub const fn measure(&self) -> Option<&Measure> {
        match self {
            Self::Known(measure) => Some(measure),
            Self::Unknown(_) => None,
        }
    }
}

/// Why the recording cannot know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Unknown {
    /// An agent's log without the tool's own side.
    LogKeepsSent,
    /// A request body holds what was sent.
    RequestKeepsSent,
    /// A server's side: what the client passed on is not in the file.
    ServerKeepsReturned,
    /// Without the returned side nobody can say what is missing of it.
    ReturnedUnknown,
    /// Without the sent side nobody can say what is missing of it.
    SentUnknown,
    /// Too large to be compared here.
    TooLarge,
}

impl Unknown {
    /// The words that stand where a number would.
    pub const fn words(self) -> &'static str {
        match self {
            Self::LogKeepsSent => "not in this file (the log keeps what was sent)",
            Self::RequestKeepsSent => "not in this file (a request keeps what was sent)",
            Self::ServerKeepsReturned => "not in this file (the server's side only)",
            Self::ReturnedUnknown => "unknown: what the tool returned is not in this file",
            Self::SentUnknown => "unknown: what the model was sent is not in this file",
            Self::TooLarge => "unknown: too large to compare",
        }
    }
}

/// In what form an output was sent, where that is not simply the output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SentAs {
    /// As an envelope of rig-mcp's result cache.
    CachedEnvelope,
    /// As a bounded envelope of rig-compose.
    BoundedEnvelope,
    /// Cut, by whom its marker says, or by somebody unknown.
    Cut(Cut),
}

/// A cut of text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cut {
    /// The client whose marker it carries.
    pub client: Option<&'static str>,
    /// The client's rule in words, for example `failure: 5,000 + 5,000 chars`.
    pub rule: Option<&'static str>,
    /// What the marker claims is missing.
    pub claimed: Option<(u64, Unit)>,
    /// The file that the client says it kept the whole output in.
    pub side_file: Option<Arc<str>>,
}

/// The ledger of one output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ledger {
    /// The output.
    pub event: EventId,
    /// What the tool returned.
    pub returned: Amount,
    /// What the model was sent in its place at once.
    pub sent: Amount,
    /// The form of it.
    pub sent_as: Option<SentAs>,
    /// What the model read of it later: the items or bytes that were new, at the size of the
    /// answers that brought them.
    pub read_later: Amount,
    /// The events that read it, in order.
    pub read_by: Vec<EventId>,
    /// What never reached the model.
    pub never_sent: Amount,
    /// How the recording knows.
    pub evidence: Evidence,
}

/// The five cells of a timeline row, or any other number of cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Bar {
    /// Cells sent at once.
    pub sent: u8,
    /// Cells read later.
    pub later: u8,
    /// Cells never sent.
    pub never: u8,
    /// Cells that nobody can say anything about.
    pub unknown: u8,
}
