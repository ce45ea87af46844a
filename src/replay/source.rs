//! Where the replay reads events from: a session, or events made up by a test.

use crate::session::event::{Event, EventId, EventRecord};

/// A growing list of events that can be read one by one.
pub trait Events {
    /// How many events are indexed by now.
    fn count(&self) -> usize;

    /// Whether the index has reached the end of the recording.
    fn is_complete(&self) -> bool;

    /// Changes when the recording was truncated or replaced and everything starts anew.
    fn generation(&self) -> u64;

    /// The small record of an event.
    fn record(&self, id: EventId) -> Option<EventRecord>;

    /// The event with its values parsed; none where it cannot be read any more.
    fn event(&self, id: EventId) -> Option<Event>;
}
