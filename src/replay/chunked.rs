//! A growing list whose clones are snapshots: full chunks are shared, and only a chunk that is
//! changed while a clone still holds it is copied.

use std::sync::Arc;

const CHUNK: usize = 512;

/// A growing list that is cheap to clone.
#[derive(Debug)]
pub(super) struct Chunked<T> {
    chunks: Vec<Arc<Vec<T>>>,
    len: usize,
}

impl<T> Default for Chunked<T> {
    fn default() -> Self {
        Self {
            chunks: Vec::new(),
            len: 0,
        }
    }
}

impl<T> Clone for Chunked<T> {
    fn clone(&self) -> Self {
        Self {
            chunks: self.chunks.clone(),
            len: self.len,
        }
    }
}

impl<T: Clone> Chunked<T> {
    pub fn push(&mut self, value: T) -> usize {
        if self.len.is_multiple_of(CHUNK) {
            self.chunks.push(Arc::new(Vec::with_capacity(1)));
        }
        if let Some(last) = self.chunks.last_mut() {
            Arc::make_mut(last).push(value);
        }
        self.len += 1;
        self.len - 1
    }

    /// Forgets what comes after the first `len`.
    pub fn truncate(&mut self, len: usize) {
        if len >= self.len {
            return;
        }
        self.chunks.truncate(len.div_ceil(CHUNK));
        if let Some(last) = self.chunks.last_mut()
            && !len.is_multiple_of(CHUNK)
        {
            Arc::make_mut(last).truncate(len % CHUNK);
        }
        self.len = len;
    }

    pub fn get_mut(&mut self, position: usize) -> Option<&mut T> {
        let chunk = self.chunks.get_mut(position / CHUNK)?;
        Arc::make_mut(chunk).get_mut(position % CHUNK)
    }
}

impl<T> Chunked<T> {
    pub const fn len(&self) -> usize {
        self.len
    }

    pub fn get(&self, position: usize) -> Option<&T> {
        self.chunks.get(position / CHUNK)?.get(position % CHUNK)
    }

    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &T> + '_ {
        self.chunks.iter().flat_map(|chunk| chunk.iter())
    }

    /// The first position whose value does not satisfy `before`, in a list sorted by it.
    pub fn partition_point(&self, mut before: impl FnMut(&T) -> bool) -> usize {
        let (mut low, mut high) = (0, self.len);
        while low < high {
            let middle = low + (high - low) / 2;
            match self.get(middle) {
                Some(value) if before(value) => low = middle + 1,
                _ => high = middle,
            }
        }
        low
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clone_keeps_what_it_was_made_of() {
        let mut list = Chunked::default();
        for number in 0..1_300 {
            assert_eq!(list.push(number), number);
        }
        let snapshot = list.clone();
        *list.get_mut(5).expect("there") = 99;
        list.push(1_300);
        assert_eq!(snapshot.get(5), Some(&5));
        assert_eq!((snapshot.len(), list.len()), (1_300, 1_301));
        assert_eq!(list.iter().count(), 1_301);
        assert_eq!(snapshot.partition_point(|number| *number < 700), 700);
        for len in [1_025, 1_024, 513, 512, 511, 0] {
            list.truncate(len);
            assert_eq!((list.len(), list.iter().count()), (len, len));
        }
        assert_eq!(list.push(7), 0);
        assert_eq!(snapshot.iter().count(), 1_300);
    }
}
