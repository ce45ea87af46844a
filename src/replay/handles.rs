//! The result cache's state at any event, derived from the recording and never stored.

use crate::session::event::EventId;

/// The result cache as it stood after an event.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CacheState {
    /// Handles that could be asked, in the order they were stored.
    pub live: Vec<HandleState>,
    /// Handles that were released by then, or whose name was given to other items.
    pub gone: Vec<HandleState>,
    /// Asks by then for handles that were not live.
    pub refused: Vec<EventId>,
}

/// One handle as it stood after an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HandleState {
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
    /// Items that came with the envelope.
    pub first_page_items: u64,
    /// The events whose answers served pages of it by then.
    pub pages: Vec<EventId>,
    /// Items that the model had by then.
    pub served_items: u64,
}
