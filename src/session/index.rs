//! The index: one small fixed record per event, published as shared chunks while it grows.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use super::event::{EventId, EventKind, EventRecord, NameId, Role};
use super::names::NameTable;

/// Records per chunk.
const CHUNK: usize = 4096;

/// Stands for "none" where an id is kept as a plain number.
const NONE: u32 = u32::MAX;

/// An event record as it is kept: 48 bytes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Packed {
    offset: u64,
    bytes: u64,
    time_ms: i64,
    line: u32,
    part: u32,
    tool: u32,
    call_id: u32,
    kind: EventKind,
    role: Option<Role>,
    flags: u8,
}

const IS_ERROR: u8 = 1;
const SERVER: u8 = 2;
const FAULTY: u8 = 4;
const SYSTEM_PLACE: u8 = 8;

impl Packed {
    /// Packs a record; `system` remembers that it was found where a system prompt stands.
    pub(super) fn new(record: &EventRecord, system: bool) -> Self {
        let flag = |set: bool, flag: u8| if set { flag } else { 0 };
        Self {
            offset: record.offset,
            bytes: record.bytes,
            time_ms: record.time_ms.unwrap_or(i64::MIN),
            line: record.line,
            part: record.part,
            tool: record.tool.map_or(NONE, |name| name.0),
            call_id: record.call_id.map_or(NONE, |name| name.0),
            kind: record.kind,
            role: record.role,
            flags: flag(record.is_error, IS_ERROR)
                | flag(record.server, SERVER)
                | flag(record.faulty, FAULTY)
                | flag(system, SYSTEM_PLACE),
        }
    }

    fn unpack(&self, pair: u32) -> EventRecord {
        let name = |id: u32| (id != NONE).then_some(NameId(id));
        EventRecord {
            kind: self.kind,
            role: self.role,
            line: self.line,
            offset: self.offset,
            bytes: self.bytes,
            part: self.part,
            tool: name(self.tool),
            call_id: name(self.call_id),
            pair: (pair != NONE).then(|| EventId::from_position(pair as usize)),
            is_error: self.flags & IS_ERROR != 0,
            server: self.flags & SERVER != 0,
            faulty: self.flags & FAULTY != 0,
            time_ms: (self.time_ms != i64::MIN).then_some(self.time_ms),
        }
    }
}

#[derive(Debug)]
struct Chunk {
    records: Vec<Packed>,
    /// Apart from the records, since a call learns its output later.
    pairs: Arc<[AtomicU32]>,
}

/// A snapshot of the index. Cheap to make and to clone; what it tells of an event never changes but
/// for the pair, which a call learns when its output is found.
#[derive(Debug, Clone)]
pub struct Index {
    chunks: Arc<Vec<Arc<Chunk>>>,
    names: NameTable,
    len: usize,
    complete: bool,
    generation: u64,
    /// The event that tells the returned side of an output, where another record does.
    pub(super) companions: Arc<HashMap<EventId, EventId>>,
}

impl Index {
    /// How many events are indexed.
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether no event is indexed.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether the index reached the end of the recording as it was then.
    pub const fn is_complete(&self) -> bool {
        self.complete
    }

    /// Changes when the recording was truncated or replaced and everything starts anew.
    pub const fn generation(&self) -> u64 {
        self.generation
    }

    /// The record of an event.
    pub fn record(&self, id: EventId) -> Option<EventRecord> {
        let (packed, pair) = self.packed(id)?;
        Some(packed.unpack(pair))
    }

    /// Whether the event's record stands where a system prompt does.
    pub(super) fn in_system_place(&self, id: EventId) -> bool {
        self.packed(id)
            .is_some_and(|(packed, _)| packed.flags & SYSTEM_PLACE != 0)
    }

    fn packed(&self, id: EventId) -> Option<(&Packed, u32)> {
        let position = id.position();
        if position >= self.len {
            return None;
        }
        let chunk = self.chunks.get(position / CHUNK)?;
        let packed = chunk.records.get(position % CHUNK)?;
        let pair = chunk.pairs.get(position % CHUNK)?.load(Ordering::Relaxed);
        Some((packed, pair))
    }

    /// All records in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (EventId, EventRecord)> + '_ {
        (0..self.len).filter_map(|position| {
            let id = EventId::from_position(position);
            Some((id, self.record(id)?))
        })
    }

    /// A tool name or call id.
    pub fn name(&self, id: NameId) -> &str {
        self.names.get(id).unwrap_or_default()
    }

    /// The id of a tool name or call id, where an event has it.
    pub fn find_name(&self, name: &str) -> Option<NameId> {
        self.names.find(name)
    }
}

/// The index as it is built.
#[derive(Debug)]
pub(super) struct Builder {
    full: Vec<Arc<Chunk>>,
    tail: Vec<Packed>,
    tail_pairs: Arc<[AtomicU32]>,
}

impl Default for Builder {
    fn default() -> Self {
        Self {
            full: Vec::new(),
            tail: Vec::new(),
            tail_pairs: no_pairs(),
        }
    }
}

fn no_pairs() -> Arc<[AtomicU32]> {
    (0..CHUNK).map(|_| AtomicU32::new(NONE)).collect()
}

impl Builder {
    /// How many events there are.
    pub(super) fn len(&self) -> usize {
        self.full.len() * CHUNK + self.tail.len()
    }

    /// Adds an event.
    pub(super) fn push(&mut self, packed: Packed) -> EventId {
        if self.tail.len() == CHUNK {
            self.full.push(Arc::new(Chunk {
                records: std::mem::take(&mut self.tail),
                pairs: std::mem::replace(&mut self.tail_pairs, no_pairs()),
            }));
        }
        let id = EventId::from_position(self.len());
        self.tail.push(packed);
        id
    }

    /// Takes the last event back: a cut line that has grown since.
    pub(super) fn pop(&mut self) {
        if self.tail.pop().is_some() {
            // Snapshots keep the old chunk; the new tail starts from a copy of its pairs.
            let pairs = self.tail_pairs.iter();
            self.tail_pairs = pairs
                .map(|pair| AtomicU32::new(pair.load(Ordering::Relaxed)))
                .collect();
        }
    }

    /// Remembers the pair of an event.
    pub(super) fn set_pair(&mut self, id: EventId, pair: EventId) {
        let position = id.position();
        let pairs = match self.full.get(position / CHUNK) {
            Some(chunk) => &chunk.pairs,
            None => &self.tail_pairs,
        };
        if let Some(slot) = pairs.get(position % CHUNK) {
            slot.store(pair.position() as u32, Ordering::Relaxed);
        }
    }

    /// The pair of an event.
    pub(super) fn pair(&self, id: EventId) -> Option<EventId> {
        let position = id.position();
        let pairs = match self.full.get(position / CHUNK) {
            Some(chunk) => &chunk.pairs,
            None => &self.tail_pairs,
        };
        let pair = pairs.get(position % CHUNK)?.load(Ordering::Relaxed);
        (pair != NONE).then(|| EventId::from_position(pair as usize))
    }

    /// The tool of an event.
    pub(super) fn tool(&self, id: EventId) -> Option<NameId> {
        let position = id.position();
        let packed = match self.full.get(position / CHUNK) {
            Some(chunk) => chunk.records.get(position % CHUNK)?,
            None => self.tail.get(position % CHUNK)?,
        };
        (packed.tool != NONE).then_some(NameId(packed.tool))
    }

    /// A snapshot: copies no more than the last chunk.
    pub(super) fn publish(&self, names: NameTable, complete: bool, generation: u64) -> Index {
        let mut chunks = self.full.clone();
        if !self.tail.is_empty() {
            chunks.push(Arc::new(Chunk {
                records: self.tail.clone(),
                pairs: Arc::clone(&self.tail_pairs),
            }));
        }
        Index {
            chunks: Arc::new(chunks),
            names,
            len: self.len(),
            complete,
            generation,
            companions: Arc::default(),
        }
    }
}
