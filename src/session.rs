//! Recordings: what is in them, event by event, block by block.
//!
//! ```no_run
//! use toolreel::session::{Input, Session};
//!
//! let session = Session::open(Input::Path("recording.jsonl".into()))?;
//! session.index_all()?;
//! for (id, record) in session.index().iter() {
//!     println!("#{} {:?} at byte {}", id.index(), record.kind, record.offset);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

pub mod block;
pub mod convert;
mod detect;
mod document;
mod document_reader;
mod draft;
mod envelope;
pub mod event;
mod facts;
pub mod format;
mod index;
mod indexer;
mod info;
mod lines;
pub mod list;
pub mod measure;
mod names;
mod pairing;
mod part;
mod piece;
mod reader;
mod side_file;
mod source;
mod spot;
pub mod time;

pub use format::FormatName;
pub use index::Index;
pub use indexer::{Budget, Caption, Head};
pub use info::Info;
pub use reader::{ReadError, Reader};
pub use source::Input;
pub use spot::{BlockSpot, Form, Spot};

use detect::{Detected, detect};
use event::{Event, EventId, EventKind};
use indexer::Indexer;
use source::{Source, Stat};

/// Why a recording cannot be opened.
#[derive(Debug, thiserror::Error)]
#[error("cannot open {}: {source}", path.display())]
pub struct OpenError {
    /// The path, or the name given.
    pub path: PathBuf,
    /// Why.
    pub source: io::Error,
}

/// How far the index is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Bytes indexed.
    pub bytes_done: u64,
    /// Bytes of the recording.
    pub bytes_total: u64,
    /// Events indexed.
    pub events: usize,
    /// Whether the end was reached.
    pub complete: bool,
}

/// What became of a recording.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// Nothing.
    Unchanged,
    /// There is more to index, or a last line that was waiting is shown now.
    Grew,
    /// It was truncated, rewritten or replaced: the index starts anew under a new generation.
    Replaced,
    /// Nothing has its name any more; what was open can still be read.
    Gone,
}

/// An open recording. Shared between threads: one indexes, others look.
#[derive(Debug)]
pub struct Session {
    name: String,
    current: RwLock<Arc<Generation>>,
}

/// The recording between two replacements.
#[derive(Debug)]
struct Generation {
    number: u64,
    source: Arc<Source>,
    detected: Detected,
    indexer: Mutex<Indexer>,
    published: RwLock<Index>,
}

impl Generation {
    fn start(source: Source, number: u64) -> io::Result<Self> {
        let detected = detect(&source)?;
        let indexer = Indexer::new(&detected);
        let published = RwLock::new(indexer.publish(number));
        Ok(Self {
            number,
            source: Arc::new(source),
            detected,
            indexer: Mutex::new(indexer),
            published,
        })
    }

    fn indexer(&self) -> MutexGuard<'_, Indexer> {
        self.indexer.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn publish(&self, indexer: &Indexer) {
        let index = indexer.publish(self.number);
        *self
            .published
            .write()
            .unwrap_or_else(PoisonError::into_inner) = index;
    }
}

impl Session {
    /// Opens a recording: reads its beginning and tells its format. Events come by indexing.
    ///
    /// # Errors
    /// When it cannot be read. Content that nobody understands is no error.
    pub fn open(input: Input) -> Result<Self, OpenError> {
        let (name, path, source) = match input {
            Input::Path(path) => {
                let name = path
                    .file_name()
                    .unwrap_or(path.as_os_str())
                    .to_string_lossy()
                    .into_owned();
                let source = Source::open(&path);
                (name, path, source)
            }
            Input::Bytes { name, bytes } => {
                let path = PathBuf::from(&name);
                (name, path, Ok(Source::Bytes(bytes)))
            }
            Input::File { name, file } => {
                let path = PathBuf::from(&name);
                (name, path, Source::from_file(file, PathBuf::new()))
            }
        };
        let generation = source.and_then(|source| Generation::start(source, 0));
        match generation {
            Ok(generation) => Ok(Self {
                name,
                current: RwLock::new(Arc::new(generation)),
            }),
            Err(source) => Err(OpenError { path, source }),
        }
    }

    fn current(&self) -> Arc<Generation> {
        let current = self.current.read().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(&current)
    }

    /// The file's name, or the name given.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The path, where the recording is a file with a name.
    pub fn path(&self) -> Option<PathBuf> {
        self.current().source.path().map(Path::to_owned)
    }

    /// The format.
    pub fn format(&self) -> FormatName {
        self.current().detected.format
    }

    /// The length in bytes now.
    pub fn len_bytes(&self) -> u64 {
        self.current().source.len().unwrap_or_default()
    }

    /// When the file was last written.
    pub fn modified(&self) -> Option<std::time::SystemTime> {
        self.current().source.modified()
    }

    /// Grows the index by no more than `budget`. Called again and again from a worker thread.
    ///
    /// # Errors
    /// When the recording cannot be read.
    pub fn index_some(&self, budget: Budget) -> io::Result<Progress> {
        let generation = self.current();
        let mut indexer = generation.indexer();
        if !indexer.is_complete() {
            indexer.advance(&generation.source, budget)?;
            generation.publish(&indexer);
        }
        Ok(Progress {
            bytes_done: indexer.at(),
            bytes_total: generation.source.len()?,
            events: indexer.len(),
            complete: indexer.is_complete(),
        })
    }

    /// Indexes to the end. For the command line and tests.
    ///
    /// # Errors
    /// When the recording cannot be read.
    pub fn index_all(&self) -> io::Result<()> {
        while !self.index_some(Budget::ALL)?.complete {}
        Ok(())
    }

    /// The index as it is now: a cheap snapshot.
    pub fn index(&self) -> Index {
        self.current().published()
    }

    /// A reader over the index as it is now, for looking at many events.
    pub fn reader(&self) -> Reader {
        let generation = self.current();
        Reader::new(
            Arc::clone(&generation.source),
            generation.detected,
            generation.published(),
        )
    }

    /// One event with its values parsed.
    ///
    /// # Errors
    /// When there is no such event, or its bytes cannot be read any more.
    pub fn event(&self, id: EventId) -> Result<Event, ReadError> {
        self.reader().event(id)
    }

    /// The exact recorded bytes of an event's record: its line, or its element of the document.
    ///
    /// # Errors
    /// When there is no such event, or its bytes cannot be read any more.
    pub fn raw(&self, id: EventId) -> Result<Vec<u8>, ReadError> {
        Ok(self.reader().raw(id)?.to_vec())
    }

    /// The captions that belong to events, in recorded order.
    pub fn captions(&self) -> Vec<Caption> {
        self.current().indexer().captions()
    }

    /// What the header of a native recording tells.
    pub fn head(&self) -> Head {
        self.current().indexer().head()
    }

    /// Looks whether the file has changed; cheap enough for once a second.
    ///
    /// # Errors
    /// When it cannot be looked at.
    pub fn refresh(&self) -> Result<Change, ReadError> {
        let generation = self.current();
        let mut indexer = generation.indexer();
        let stat = generation.source.stat(indexer.at())?;
        let (Stat::Same(length) | Stat::Gone(length)) = stat else {
            drop(indexer);
            return self.replace(&generation);
        };
        let grown = length > indexer.at();
        if grown && indexer.is_complete() {
            if generation.detected.is_rewritten_whole() {
                drop(indexer);
                return self.replace(&generation);
            }
            if indexer.seen_length() == length {
                // Nothing came for a whole look: a last line without its end is shown as it is.
                if indexer.show_tail(&generation.source)? {
                    generation.publish(&indexer);
                    return Ok(Change::Grew);
                }
            } else {
                indexer.resume();
                return Ok(Change::Grew);
            }
        }
        match stat {
            Stat::Gone(_) => Ok(Change::Gone),
            _ => Ok(Change::Unchanged),
        }
    }

    fn replace(&self, old: &Generation) -> Result<Change, ReadError> {
        let source = match old.source.path() {
            Some(path) => Source::open(path)?,
            None => return Ok(Change::Unchanged),
        };
        let generation = Generation::start(source, old.number + 1)?;
        *self.current.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(generation);
        Ok(Change::Replaced)
    }

    /// The event that a person names: `#12`, or a call id, which means its first call.
    pub fn find(&self, selector: &str) -> Option<EventId> {
        let index = self.index();
        if let Some(number) = selector.strip_prefix('#') {
            let id = EventId::from_index(number.parse().ok()?)?;
            return (id.position() < index.len()).then_some(id);
        }
        let name = index.find_name(selector)?;
        let with = |kind: EventKind| {
            index
                .iter()
                .find(|(_, record)| record.call_id == Some(name) && record.kind == kind)
                .map(|(id, _)| id)
        };
        with(EventKind::ToolCall).or_else(|| with(EventKind::ToolOutput))
    }

    /// The row of `info --json`. Counts what is indexed by now.
    pub fn info(&self) -> Info {
        let generation = self.current();
        let indexer = generation.indexer();
        Info::new(
            generation.detected.format,
            indexer.len(),
            indexer.counts(),
            generation.source.len().unwrap_or_default(),
        )
    }
}

impl Generation {
    fn published(&self) -> Index {
        let published = self
            .published
            .read()
            .unwrap_or_else(PoisonError::into_inner);
        published.clone()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
