//! Settings by consequence: the next value at which any output of the recording changes.

use crate::session::event::EventId;

/// Which way a setting moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Direction {
    /// To smaller values.
    Down,
    /// To larger values.
    Up,
}

/// The next value of a setting that changes something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Consequence {
    /// The value.
    pub value: u64,
    /// The first output that changes there.
    pub event: EventId,
}
