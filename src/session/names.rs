//! Tool names and call ids, each kept once.

use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::sync::Arc;

use super::event::NameId;

/// Names per chunk: what is copied when a growing table is published.
const CHUNK: usize = 4096;

#[derive(Debug, Clone, Default)]
struct Chunk {
    text: String,
    ends: Vec<u32>,
}

impl Chunk {
    fn get(&self, place: usize) -> Option<&str> {
        let end = *self.ends.get(place)? as usize;
        let start = match place.checked_sub(1) {
            Some(before) => *self.ends.get(before)? as usize,
            None => 0,
        };
        self.text.get(start..end)
    }
}

/// A snapshot of the names.
#[derive(Debug, Clone, Default)]
pub(super) struct NameTable {
    chunks: Arc<Vec<Arc<Chunk>>>,
}

impl NameTable {
    pub(super) fn get(&self, id: NameId) -> Option<&str> {
        let place = id.0 as usize;
        self.chunks.get(place / CHUNK)?.get(place % CHUNK)
    }

    /// The id of a name; looks at every name, for single questions only.
    pub(super) fn find(&self, name: &str) -> Option<NameId> {
        self.chunks.iter().enumerate().find_map(|(number, chunk)| {
            let place = (0..chunk.ends.len()).find(|place| chunk.get(*place) == Some(name))?;
            Some(NameId((number * CHUNK + place) as u32))
        })
    }
}

/// The names as they are collected.
#[derive(Debug, Default)]
pub(super) struct Names {
    full: Vec<Arc<Chunk>>,
    tail: Chunk,
    /// By hash; two names with one hash take neighbouring keys.
    lookup: HashMap<u64, u32>,
    hasher: RandomState,
}

impl Names {
    /// The id of a name, new where it is new.
    pub(super) fn intern(&mut self, name: &str) -> NameId {
        let mut key = self.hasher.hash_one(name);
        while let Some(&id) = self.lookup.get(&key) {
            if self.get(NameId(id)) == Some(name) {
                return NameId(id);
            }
            key = key.wrapping_add(1);
        }
        if self.tail.ends.len() == CHUNK {
            self.full.push(Arc::new(std::mem::take(&mut self.tail)));
        }
        let id = (self.full.len() * CHUNK + self.tail.ends.len()) as u32;
        self.tail.text.push_str(name);
        self.tail.ends.push(self.tail.text.len() as u32);
        self.lookup.insert(key, id);
        NameId(id)
    }

    fn get(&self, id: NameId) -> Option<&str> {
        let place = id.0 as usize;
        match self.full.get(place / CHUNK) {
            Some(chunk) => chunk.get(place % CHUNK),
            None => self.tail.get(place % CHUNK),
        }
    }

    /// A snapshot: copies no more than the last chunk.
    pub(super) fn publish(&self) -> NameTable {
        let mut chunks = self.full.clone();
        if !self.tail.ends.is_empty() {
            chunks.push(Arc::new(self.tail.clone()));
        }
        NameTable {
            chunks: Arc::new(chunks),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_one_id() {
        let mut names = Names::default();
        let ids: Vec<_> = (0..10_000)
            .map(|number| names.intern(&format!("call_{number}")))
            .collect();
        assert_eq!(names.intern("call_5000"), NameId(5000));
        let table = names.publish();
        for (number, id) in ids.into_iter().enumerate() {
            assert_eq!(table.get(id), Some(format!("call_{number}").as_str()));
        }
        assert_eq!(table.find("call_9999"), Some(NameId(9999)));
        assert_eq!(table.find("none"), None);
        assert_eq!(table.get(NameId(10_000)), None);
    }
}
