//! Reading events back: the record's bytes, checked again, and the part that the index names.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::json::{Record, View};
use crate::tool::rig::ToolResultContent;

use super::detect::Detected;
use super::draft::owner;
use super::event::{Body, Event, EventId, EventKind, EventRecord, Evidence, Fault};
use super::format::{FormatName, Place};
use super::index::Index;
use super::measure::{Measures, measure, returned_side};
use super::part::{CacheRule, Content, Known, Part, blocks};
use super::source::Source;

/// Why an event cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The index does not have it, or not any more.
    #[error("there is no event #{0}")]
    NoSuchEvent(usize),
    /// The file became shorter under it.
    #[error("event #{index}: the file ends {missing} bytes before it does")]
    Truncated {
        /// Which event, from 1.
        index: usize,
        /// How many bytes are missing.
        missing: u64,
    },
    /// The bytes are not those that were indexed.
    #[error("event #{0}: the file was changed since it was read")]
    Changed(usize),
    /// The file cannot be read.
    #[error("cannot read the recording: {0}")]
    Io(#[from] io::Error),
}

/// Reads events one after another; neighbours of one record read its bytes once.
#[derive(Debug)]
pub struct Reader {
    source: Arc<Source>,
    detected: Detected,
    index: Index,
    beside: Option<PathBuf>,
    bytes: Vec<u8>,
    /// Offset and length of the record whose bytes are held.
    held: Option<(u64, u64)>,
    checked: Record,
    broken: Option<(String, usize)>,
}

impl Reader {
    pub(super) fn new(source: Arc<Source>, detected: Detected, index: Index) -> Self {
        let beside = source.path().map(ToOwned::to_owned);
        Self {
            source,
            detected,
            index,
            beside,
            bytes: Vec::new(),
            held: None,
            checked: Record::new(),
            broken: None,
        }
    }

    /// The snapshot of the index that it reads by.
    pub const fn index(&self) -> &Index {
        &self.index
    }

    fn record(&self, id: EventId) -> Result<EventRecord, ReadError> {
        self.index
            .record(id)
            .ok_or(ReadError::NoSuchEvent(id.index()))
    }

    /// The exact recorded bytes of an event's record.
    ///
    /// # Errors
    /// When there is no such event, or its bytes cannot be read any more.
    pub fn raw(&mut self, id: EventId) -> Result<&[u8], ReadError> {
        let record = self.record(id)?;
        self.hold(id, &record)?;
        Ok(&self.bytes)
    }

    fn hold(&mut self, id: EventId, record: &EventRecord) -> Result<(), ReadError> {
        let wanted = (record.offset, record.bytes);
        if self.held == Some(wanted) {
            return Ok(());
        }
        self.held = None;
        self.bytes = self.source.read_range(record.offset, record.bytes)?;
        let missing = record.bytes - self.bytes.len() as u64;
        if missing > 0 {
            return Err(ReadError::Truncated {
                index: id.index(),
                missing,
            });
        }
        self.broken = self
            .checked
            .check(&self.bytes)
            .err()
            .map(|broken| (broken.reason.into_owned(), broken.offset));
        self.held = Some(wanted);
        Ok(())
    }

    /// An event with its values parsed.
    ///
    /// # Errors
    /// When there is no such event, or its bytes cannot be read any more.
    pub fn event(&mut self, id: EventId) -> Result<Event, ReadError> {
        let record = self.record(id)?;
        self.hold(id, &record)?;
        if record.kind == EventKind::Bad {
            let (reason, offset) = self.broken.clone().ok_or(ReadError::Changed(id.index()))?;
            return Ok(Event {
                id,
                body: Body::Bad {
                    reason,
                    offset: record.offset + offset as u64,
                },
                faults: Vec::new(),
            });
        }
        let faults = self.fault_list(id, &record);
        let tool = record.tool.map(|tool| self.index.name(tool).to_owned());
        let mut body = self
            .with_part(id, &record, |part, beside| {
                let known = Known {
                    tool: tool.as_deref(),
                    beside,
                };
                part.body(record.kind, &known)
            })
            .ok_or(ReadError::Changed(id.index()))?;
        if let Body::ToolOutput(output) = &mut body
            && let Some((returned, cacheable)) = self.companion(id, |content, beside| {
                let returned = blocks(content, true, beside)?;
                let cacheable = CacheRule::ReadText.apply(&returned);
                Some((returned, cacheable))
            })
        {
            output.returned = Some(returned);
            output.cacheable = cacheable;
            output.evidence = Evidence::Recorded;
        }
        Ok(Event { id, body, faults })
    }

    /// The blocks of a tool's output in rig's own types, where the recording is rig's: a block of text
    /// may have a provider's item or parameters beside its text, which [`Event`] does not tell. None for
    /// other formats and events, and for what the types do not hold.
    ///
    /// # Errors
    /// When there is no such event, or its bytes cannot be read any more.
    pub fn rig_blocks(&mut self, id: EventId) -> Result<Option<Vec<ToolResultContent>>, ReadError> {
        /// A bare output, or a result in a message.
        #[derive(serde::Deserialize)]
        #[serde(untagged)]
        enum Recorded {
            Bare(Vec<ToolResultContent>),
            Result { content: Vec<ToolResultContent> },
        }
        let record = self.record(id)?;
        if self.detected.format != FormatName::Rig || record.kind != EventKind::ToolOutput {
            return Ok(None);
        }
        self.hold(id, &record)?;
        let span = self
            .with_part(id, &record, |part, _| part.span)
            .ok_or(ReadError::Changed(id.index()))?;
        let recorded = self
            .bytes
            .get(span)
            .and_then(|bytes| serde_json::from_slice(bytes).ok());
        Ok(recorded.map(|recorded| match recorded {
            Recorded::Bare(blocks) | Recorded::Result { content: blocks } => blocks,
        }))
    }

    /// How large an event is, measured without parsing its values.
    ///
    /// # Errors
    /// When there is no such event, or its bytes cannot be read any more.
    pub fn measures(&mut self, id: EventId) -> Result<Measures, ReadError> {
        let record = self.record(id)?;
        if record.kind == EventKind::Bad {
            return Ok(Measures::default());
        }
        self.hold(id, &record)?;
        let mut measures = self
            .with_part(id, &record, |part, beside| {
                measure(&part, record.kind, beside)
            })
            .ok_or(ReadError::Changed(id.index()))?;
        if let Some((returned, items)) = self.companion(id, returned_side) {
            measures.returned_bytes = Some(returned);
            measures.items = items;
            measures.evidence = Some(Evidence::Recorded);
        }
        Ok(measures)
    }

    /// The returned side of an output, where another record tells it.
    fn companion<T>(
        &self,
        id: EventId,
        use_content: impl FnOnce(&Content<'_>, Option<&Path>) -> Option<T>,
    ) -> Option<T> {
        let other = *self.index.companions.get(&id)?;
        let record = self.index.record(other)?;
        let mut reader = Self::new(Arc::clone(&self.source), self.detected, self.index.clone());
        reader.hold(other, &record).ok()?;
        reader.with_part(other, &record, |part, beside| {
            let companion = part.companion?;
            use_content(&companion.returned, beside)
        })?
    }

    fn place(&self, id: EventId) -> Place {
        if self.index.in_system_place(id) {
            Place::System
        } else {
            Place::Record
        }
    }

    /// Gives the unparsed part of an event to `use_part`; the record must be held.
    fn with_part<T>(
        &self,
        id: EventId,
        record: &EventRecord,
        use_part: impl FnOnce(Part<'_>, Option<&std::path::Path>) -> T,
    ) -> Option<T> {
        let mut use_part = Some(use_part);
        let mut result = None;
        let mut number = 0;
        self.parts(id, &mut |part| {
            if part.is_event() {
                if number == record.part
                    && let Some(use_part) = use_part.take()
                {
                    result = Some(use_part(part, self.beside.as_deref()));
                }
                number += 1;
            }
        });
        result
    }

    /// Gives all parts of an event's record to `look`; the record must be held.
    pub(super) fn with_parts(&self, id: EventId, look: &mut dyn FnMut(&[Part<'_>])) {
        let mut parts = Vec::new();
        self.parts(id, &mut |part| parts.push(part));
        look(&parts);
    }

    /// Fills `buffer` from `offset` of the file as far as it reaches, and says how far.
    ///
    /// # Errors
    /// When the recording cannot be read.
    pub fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        self.source.read_at(buffer, offset)
    }

    /// The length of the file in bytes now.
    pub fn len_bytes(&self) -> u64 {
        self.source.len().unwrap_or_default()
    }

    fn parts<'a>(&'a self, id: EventId, each: &mut dyn FnMut(Part<'a>)) {
        let reader = self.detected.reader();
        if self.broken.is_some() {
            reader.read_text(&self.bytes, each);
        } else {
            let view: View<'a> = self.checked.view(&self.bytes);
            reader.read(view, self.place(id), each);
        }
    }

    /// The faults inside strings of an event; its record must be held.
    pub(super) fn fault_list(&self, id: EventId, record: &EventRecord) -> Vec<Fault> {
        if !record.faulty {
            return Vec::new();
        }
        let mut parts = Vec::new();
        self.parts(id, &mut |part| parts.push(part));
        self.checked
            .faults()
            .iter()
            .filter(|fault| owner(&parts, fault.offset) == record.part)
            .map(|fault| Fault {
                reason: fault.reason.to_owned(),
                offset: record.offset + fault.offset as u64,
            })
            .collect()
    }
}
