//! Which parts of an output the model had: the gutter is drawn from this.

use std::ops::Range;

use crate::session::event::EventId;

/// What the model had of one output.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Seen {
    /// One entry per block of [`crate::session::event::Output::fullest`], in order.
    pub blocks: Vec<SeenBlock>,
}

/// What the model had of one block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeenBlock {
    /// What the ranges count.
    pub unit: SeenUnit,
    /// The whole extent, in order and without gaps.
    pub spans: Vec<Span>,
}

/// What the ranges of a block count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SeenUnit {
    /// Items of a top-level array, also where only an envelope of it is recorded.
    Items,
    /// Bytes of a text.
    Bytes,
    /// The block as one: a single span `0..1`.
    Whole,
}

/// A run of items or bytes that shares its fate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    /// Which.
    pub range: Range<u64>,
    /// How the model got it, or why not.
    pub reach: Reach,
    /// Whether the recording holds the values.
    pub recorded: bool,
}

/// How the model got something, or why not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reach {
    /// Sent at once.
    Sent,
    /// Read later, by this event.
    ReadLater(EventId),
    /// Never sent.
    Never(Never),
    /// The recording does not know.
    Unknown,
}

/// Why something was never sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Never {
    /// It could have been asked for, and was not.
    NotAsked,
    /// This event asked for it after the handle was released.
    AskedAfterRelease(EventId),
    /// This event asked for it and was refused, for another reason than a release.
    Refused(EventId),
    /// A client's cut left it out.
    Cut,
    /// rig-compose's bound left it out.
    Bounded,
}
