//! Why the model never got something: the chain of causes, and the cheapest ways to it.

use std::ops::Range;

use serde_json::Value;

use crate::session::event::{EventId, Evidence};

/// What is asked about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// An item of the output's array.
    Item(u64),
    /// Bytes of a block's text; blocks count from 0.
    Bytes {
        /// Which block.
        block: usize,
        /// Which bytes.
        range: Range<u64>,
    },
    /// The output as a whole: its first part that was never sent.
    Output,
}

/// The answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Why {
    /// The output.
    pub event: EventId,
    /// The question in words: `Why was item 260 never sent?`
    pub title: String,
    /// What led to it, in the order of the recording.
    pub causes: Vec<Cause>,
    /// Until which event the ways were open, where something closed them.
    pub open_until: Option<EventId>,
    /// How it could have been reached, cheapest in effort last.
    pub ways: Vec<Way>,
    /// How the recording knows.
    pub evidence: Evidence,
}

/// One cause.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cause {
    /// The event to go to.
    pub event: EventId,
    /// In one or two words: `returned`, `cached`, `read`, `released`, `too late`, `cut`.
    pub word: &'static str,
    /// With the numbers.
    pub text: String,
}

/// One way to have reached it.
#[derive(Debug, Clone, PartialEq)]
pub struct Way {
    /// What it takes: `2 calls`, `1 call`, `page_size 261`.
    pub cost: String,
    /// What is done: `192.. then 256..`, `{"offset":260,"limit":1}`, or what would follow.
    pub text: String,
    /// Bytes that the model would have been sent for it, where they are known.
    pub bytes: Option<u64>,
    /// The calls' arguments, in order; empty for a setting.
    pub calls: Vec<Value>,
    /// The page size that would have sent it at once.
    pub page_size: Option<u64>,
}
