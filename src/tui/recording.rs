//! What the screen needs of an opened recording.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use super::tab::Place;
use crate::policy::cache::CacheSettings;
use crate::query::{self, Batch, Hit, Needle};
use crate::replay::source::{EventReader, Events};
use crate::session::event::{Body, Event, EventId, EventKind, EventRecord, NameId, Side};
use crate::session::{self, Budget, Session};

pub use crate::session::Caption;

/// An opened recording: its events, and what names and bytes belong to them.
///
/// A trait, so that the screen's tests can show it recordings that no file has to hold.
pub trait Recording: Events {
    /// The name in the title: a file's name, `-`, a demo's name.
    fn title(&self) -> &str;

    /// The name of the format, as `info` prints it.
    fn format(&self) -> &str;

    /// How much of the file the index has passed, in percent.
    fn percent(&self) -> u64;

    /// A tool's name or a call id.
    fn name(&self, id: NameId) -> Option<String>;

    /// The event of a selector: `#12`, or a call id, whose output it is where it has one.
    fn find(&self, selector: &str) -> Option<EventId>;

    /// The exact recorded bytes of an event; none where they cannot be read any more.
    fn raw(&self, id: EventId) -> Option<Vec<u8>>;

    /// The captions that belong to events, as far as the index has come.
    fn captions(&self) -> Vec<Caption>;

    /// The file, where the recording is one that may grow.
    fn path(&self) -> Option<PathBuf>;

    /// Searches from a byte to the end, and then what is before it. Stops when it is cancelled.
    fn search(
        &self,
        needle: &Needle,
        from: u64,
        cancelled: &dyn Fn() -> bool,
        found: &mut dyn FnMut(Batch),
    );

    /// Which event and what in it a hit is; none where the event is not indexed yet or cannot be
    /// read any more.
    fn place(&self, hit: Hit, needle: &Needle) -> Option<Found>;

    /// Indexes for about as long as `time` at most; false when there was nothing to do.
    fn grow(&self, time: Duration) -> bool;

    /// Looks whether the file was changed, and tells what became of it.
    fn refresh(&self) -> Change;
}

/// What a hit of a search stands in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The event.
    pub event: EventId,
    /// Where in it, for the tab that shows it best.
    pub place: Place,
    /// The item of the array that it stands in.
    pub item: Option<u64>,
}

/// What became of a file since it was looked at last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// Nothing.
    Unchanged,
    /// It has more bytes, or a last line without its end is taken now: `grow` goes on.
    Grew,
    /// It was truncated or replaced: everything starts anew, and the generation is another.
    Replaced,
    /// It cannot be read any more: why. What was read stays.
    Unreadable(String),
}

/// An opened session, as the screen sees it.
#[derive(Debug)]
pub struct Opened {
    session: Arc<Session>,
    percent: AtomicU64,
}

impl Opened {
    /// A session that was opened.
    pub fn new(session: Session) -> Self {
        Self {
            session: Arc::new(session),
            percent: AtomicU64::new(0),
        }
    }
}

impl Events for Opened {
    fn count(&self) -> usize {
        self.session.count()
    }

    fn is_complete(&self) -> bool {
        Events::is_complete(self.session.as_ref())
    }

    fn generation(&self) -> u64 {
        self.session.generation()
    }

    fn record(&self, id: EventId) -> Option<EventRecord> {
        self.session.record(id)
    }

    fn event(&self, id: EventId) -> Option<Event> {
        Events::event(self.session.as_ref(), id)
    }

    fn result_cache(&self) -> Option<CacheSettings> {
        self.session.result_cache()
    }

    fn reader(&self) -> Box<dyn EventReader + '_> {
        Events::reader(self.session.as_ref())
    }
}

impl Recording for Opened {
    fn title(&self) -> &str {
        self.session.name()
    }

    fn format(&self) -> &str {
        self.session.format().as_str()
    }

    fn percent(&self) -> u64 {
        self.percent.load(Ordering::Relaxed)
    }

    fn name(&self, id: NameId) -> Option<String> {
        let name = self.session.index().name(id).to_owned();
        (!name.is_empty()).then_some(name)
    }

    fn find(&self, selector: &str) -> Option<EventId> {
        self.session.find(selector)
    }

    fn raw(&self, id: EventId) -> Option<Vec<u8>> {
        self.session.raw(id).ok()
    }

    fn captions(&self) -> Vec<Caption> {
        self.session.captions()
    }

    fn path(&self) -> Option<PathBuf> {
        self.session.path()
    }

    fn search(
        &self,
        needle: &Needle,
        from: u64,
        cancelled: &dyn Fn() -> bool,
        found: &mut dyn FnMut(Batch),
    ) {
        // What cannot be read has no hits; that it cannot be read is said where the file is looked at.
        let _ = query::scan(&self.session.reader(), needle, from, cancelled, found);
    }

    fn place(&self, hit: Hit, needle: &Needle) -> Option<Found> {
        let mut reader = self.session.reader();
        let located = query::locate(&mut reader, hit, needle).ok()??;
        let record = self.record(located.event)?;
        let pattern = needle.text().to_owned();
        let item = located.block.as_ref().and_then(|block| block.item);
        let place = match located.block {
            Some(block) if self.shows(located.event, block.side) => Place::Bytes {
                block: block.number,
                range: block.bytes,
                pattern,
            },
            // A call stands in the row of its output, above it.
            _ if record.kind == EventKind::ToolCall => Place::Arguments { pattern },
            _ => Place::Raw {
                range: located.raw,
                pattern,
            },
        };
        Some(Found {
            event: located.event,
            place,
            item,
        })
    }

    fn grow(&self, time: Duration) -> bool {
        let before = self.session.index();
        let budget = Budget {
            bytes: 8 << 20,
            time,
        };
        // What cannot be read now is tried again when the file is looked at next.
        let Ok(progress) = self.session.index_some(budget) else {
            return false;
        };
        let percent = (progress.bytes_done * 100).checked_div(progress.bytes_total);
        self.percent
            .store(percent.unwrap_or(100), Ordering::Relaxed);
        // A file that has grown is indexed on although its index was whole before.
        !before.is_complete() || progress.events != before.len()
    }

    fn refresh(&self) -> Change {
        match self.session.refresh() {
            Ok(session::Change::Unchanged) => Change::Unchanged,
            Ok(session::Change::Grew) => Change::Grew,
            Ok(session::Change::Replaced) => Change::Replaced,
            Ok(session::Change::Gone) => Change::Unreadable("the file is gone".to_owned()),
            Err(error) => Change::Unreadable(error.to_string()),
        }
    }
}

impl Opened {
    /// Blocks shows the fuller side of an output: whether that is this one.
    fn shows(&self, event: EventId, side: Side) -> bool {
        match Events::event(self.session.as_ref(), event).map(|event| event.body) {
            Some(Body::ToolOutput(output)) => {
                let fuller = match output.returned {
                    Some(_) => Side::Returned,
                    None => Side::Sent,
                };
                fuller == side
            }
            Some(_) => true,
            None => false,
        }
    }
}
