//! What the screen needs of an opened recording.

use std::time::Duration;

use crate::replay::source::Events;
use crate::session::event::{EventId, NameId};

/// An opened recording: its events, and what names and bytes belong to them.
///
/// A trait, so that the screen's tests can show it recordings that no file has to hold.
pub trait Recording: Events + Send + Sync {
    /// The name in the title: a file's name, `-`, a demo's name.
    fn title(&self) -> &str;

    /// The name of the format, as `info` prints it.
    fn format(&self) -> &str;

    /// Bytes of the recording by now.
    fn bytes(&self) -> u64;

    /// Bytes that the index has passed, for its progress.
    fn indexed_bytes(&self) -> u64;

    /// A tool's name or a call id.
    fn name(&self, id: NameId) -> Option<String>;

    /// The exact recorded bytes of an event; none where they cannot be read any more.
    fn raw(&self, id: EventId) -> Option<Vec<u8>>;

    /// Indexes for about as long as `time` at most; false when there was nothing to do.
    fn grow(&self, time: Duration) -> bool;

    /// Looks whether the file was changed, and tells what became of it.
    fn refresh(&self) -> Change;
}

/// What became of a file since it was looked at last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// Nothing.
    Unchanged,
    /// It has more bytes: `grow` takes them.
    Grew,
    /// It was truncated or replaced: everything starts anew, and the generation is another.
    Replaced,
    /// It cannot be read any more: why. What was read stays.
    Unreadable(String),
}
