//! Where the replay reads events from: a session, or events made up by a test.

use crate::policy::cache::CacheSettings;
use crate::session::event::{Event, EventId, EventRecord};
use crate::session::{Reader, Session};

/// A growing list of events that can be read one by one, from any thread.
pub trait Events: Send + Sync {
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

    /// The result cache's settings that the recording itself tells, as a native header may.
    fn result_cache(&self) -> Option<CacheSettings> {
        None
    }

    /// Reads many events one after the other, as they are now.
    fn reader(&self) -> Box<dyn EventReader + '_> {
        Box::new(Through(self))
    }
}

/// Reads events one after the other: neighbours in one record need not read it twice.
pub trait EventReader {
    /// How many events there are.
    fn count(&self) -> usize;

    /// Whether that is the whole recording.
    fn is_complete(&self) -> bool;

    /// The generation that they are of.
    fn generation(&self) -> u64;

    /// The small record of an event.
    fn record(&self, id: EventId) -> Option<EventRecord>;

    /// The event with its values parsed; none where it cannot be read any more.
    fn event(&mut self, id: EventId) -> Option<Event>;
}

/// Reads through a list that has nothing better.
struct Through<'a, T: ?Sized>(&'a T);

impl<T: Events + ?Sized> EventReader for Through<'_, T> {
    fn count(&self) -> usize {
        self.0.count()
    }

    fn is_complete(&self) -> bool {
        self.0.is_complete()
    }

    fn generation(&self) -> u64 {
        self.0.generation()
    }

    fn record(&self, id: EventId) -> Option<EventRecord> {
        self.0.record(id)
    }

    fn event(&mut self, id: EventId) -> Option<Event> {
        self.0.event(id)
    }
}

impl Events for Session {
    fn count(&self) -> usize {
        self.index().len()
    }

    fn is_complete(&self) -> bool {
        self.index().is_complete()
    }

    fn generation(&self) -> u64 {
        self.index().generation()
    }

    fn record(&self, id: EventId) -> Option<EventRecord> {
        self.index().record(id)
    }

    fn event(&self, id: EventId) -> Option<Event> {
        Self::event(self, id).ok()
    }

    fn result_cache(&self) -> Option<CacheSettings> {
        let told = self.head().result_cache?;
        Some(CacheSettings {
            threshold_bytes: told.threshold_bytes,
            page_size: told.page_size,
        })
    }

    fn reader(&self) -> Box<dyn EventReader + '_> {
        Box::new(Self::reader(self))
    }
}

impl EventReader for Reader {
    fn count(&self) -> usize {
        self.index().len()
    }

    fn is_complete(&self) -> bool {
        self.index().is_complete()
    }

    fn generation(&self) -> u64 {
        self.index().generation()
    }

    fn record(&self, id: EventId) -> Option<EventRecord> {
        self.index().record(id)
    }

    fn event(&mut self, id: EventId) -> Option<Event> {
        Self::event(self, id).ok()
    }
}
