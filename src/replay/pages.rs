//! The life of a handle as a map of pages, and each answer exactly as `cache.page` gives it.

use std::ops::Range;

use serde_json::Value;

use super::seen::Reach;
use crate::session::event::EventId;

/// The map of a handle's life.
#[derive(Debug, Clone, PartialEq)]
pub struct PagesView {
    /// The handle.
    pub handle: String,
    /// The output whose items it keeps, where the recording shows one.
    pub output: Option<EventId>,
    /// When the items were stored.
    pub stored: EventId,
    /// When it was released.
    pub released: Option<EventId>,
    /// How many items it keeps.
    pub total_items: u64,
    /// How many came with the envelope.
    pub first_page_items: u64,
    /// One cell per answer that gave something, was refused, or would follow.
    pub cells: Vec<Cell>,
    /// Compact length of the whole array, where all items are recorded.
    pub whole_bytes: Option<u64>,
}

/// One cell of the map.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cell {
    /// The items.
    pub range: Range<u64>,
    /// How the model got them, or why not.
    pub reach: Reach,
    /// Whether the recording holds the values.
    pub recorded: bool,
}

/// One answer of `cache.page`, or the envelope as answer 1.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The arguments; none for the envelope.
    pub arguments: Option<Value>,
    /// What it answers.
    pub result: AnswerResult,
    /// The items that it gives.
    pub range: Range<u64>,
    /// Compact length of the answer.
    pub bytes: Option<u64>,
    /// Estimated tokens.
    pub tokens: Option<u64>,
    /// The token that continues.
    pub next: Option<String>,
    /// No limit was asked for, so the default of 64 held.
    pub default_limit: bool,
}

/// What `cache.page` answers.
#[derive(Debug, Clone, PartialEq)]
pub enum AnswerResult {
    /// The answer.
    Value(Value),
    /// The exact error text.
    Refused(String),
    /// The cache would answer, but these items are not in the recording.
    NotRecorded(Vec<Range<u64>>),
}

/// What reading everything costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadAll {
    /// Answers, the envelope counted.
    pub answers: u64,
    /// Bytes of all of them.
    pub bytes: u64,
    /// Bytes of the array in one.
    pub whole_bytes: u64,
}

/// The recorded items of one output's array.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Items {
    /// The output, where the recording shows one.
    pub output: Option<EventId>,
    /// The handle that keeps them, where they are kept.
    pub handle: Option<String>,
    /// How many there are.
    pub total: u64,
    pieces: Vec<(u64, std::sync::Arc<Vec<Value>>)>,
}

impl Items {
    /// An item; none where the recording does not hold it.
    pub fn get(&self, item: u64) -> Option<&Value> {
        self.pieces.iter().find_map(|(start, values)| {
            let at = usize::try_from(item.checked_sub(*start)?).ok()?;
            values.get(at)
        })
    }
}

/// A question to the result cache, as the Pages tab asks it.
#[derive(Debug, Clone, PartialEq)]
pub struct Ask {
    /// The arguments of `cache.page`; none for the envelope itself.
    pub arguments: Option<Value>,
    /// As of which event: releases up to it count.
    pub at: EventId,
    /// Pretend that the handle was released here.
    pub released_here: bool,
}

/// A question to the result cache, as the command line asks it.
#[derive(Debug, Clone, PartialEq)]
pub struct PageRequest {
    /// Whose items.
    pub of: PageOf,
    /// Where to start.
    pub offset: Option<u64>,
    /// How many items.
    pub limit: Option<u64>,
    /// A token; it wins over handle and offset.
    pub page_token: Option<String>,
    /// As of which event; the end where none.
    pub at: Option<EventId>,
    /// The settings; inferred from the recording where none.
    pub settings: Option<crate::policy::cache::CacheSettings>,
}

/// Whose items a page is asked of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PageOf {
    /// Those of an output, by its event or its call's.
    Output(EventId),
    /// Those under a handle.
    Handle(String),
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PageError {
    /// The cache refuses, with its exact words.
    #[error("{0}")]
    Refused(String),
    /// The event is no output and has none.
    #[error("no tool output there")]
    NoSuchOutput,
    /// The output is not cached under these settings.
    #[error("not cached under these settings: {0}")]
    NotCached(&'static str),
    /// The cache would answer, but the recording does not hold the items.
    #[error("items {}..{} are not in this recording", .0.start, .0.end)]
    NotRecorded(Range<u64>),
    /// The event cannot be read any more.
    #[error("the recording cannot be read any more")]
    Unreadable,
}
