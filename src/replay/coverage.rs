//! Which parts of a whole are taken, and by whom: the first to take a part keeps it.

use std::ops::Range;

/// A whole from 0 to its length, with taken parts.
#[derive(Debug, Clone)]
pub(super) struct Coverage<T> {
    /// Taken parts and who took them, in order and apart.
    taken: Vec<(Range<u64>, T)>,
    len: u64,
}

impl<T: Copy> Coverage<T> {
    pub const fn new(len: u64) -> Self {
        Self {
            taken: Vec::new(),
            len,
        }
    }

    /// Takes what is still free of a range, and says how much that was.
    pub fn take(&mut self, range: Range<u64>, by: T) -> u64 {
        let end = range.end.min(self.len);
        let mut start = range.start;
        let mut new = 0;
        let mut at = self.taken.partition_point(|(taken, _)| taken.end <= start);
        while start < end {
            let stop = match self.taken.get(at) {
                Some((taken, _)) if taken.start <= start => {
                    start = taken.end;
                    at += 1;
                    continue;
                }
                Some((taken, _)) => taken.start.min(end),
                None => end,
            };
            self.taken.insert(at, (start..stop, by));
            new += stop - start;
            start = stop;
            at += 1;
        }
        new
    }

    /// The taken parts in order.
    pub fn taken(&self) -> &[(Range<u64>, T)] {
        &self.taken
    }

    /// The free parts in order.
    pub fn free(&self) -> impl Iterator<Item = Range<u64>> + '_ {
        let starts = std::iter::once(0).chain(self.taken.iter().map(|(taken, _)| taken.end));
        let ends = self
            .taken
            .iter()
            .map(|(taken, _)| taken.start)
            .chain(std::iter::once(self.len));
        starts
            .zip(ends)
            .filter(|(start, end)| start < end)
            .map(|(start, end)| start..end)
    }

    /// How much is free.
    pub fn free_len(&self) -> u64 {
        self.len
            - self
                .taken
                .iter()
                .map(|(taken, _)| taken.end - taken.start)
                .sum::<u64>()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn equals_a_list_of_owners(len in 0_u64..60, takes in prop::collection::vec((0_u64..70, 0_u64..20), 0..12)) {
            let mut coverage = Coverage::new(len);
            let mut owners = vec![None; len as usize];
            for (by, (start, count)) in takes.into_iter().enumerate() {
                let new = coverage.take(start..start + count, by);
                let mut expected = 0;
                for owner in owners.iter_mut().skip(start as usize).take(count as usize) {
                    if owner.is_none() {
                        *owner = Some(by);
                        expected += 1;
                    }
                }
                prop_assert_eq!(new, expected);
            }
            let mut rebuilt = vec![None; len as usize];
            for (range, by) in coverage.taken() {
                for at in range.clone() {
                    prop_assert_eq!(rebuilt[at as usize].replace(*by), None);
                }
            }
            prop_assert_eq!(&rebuilt, &owners);
            let free: Vec<u64> = coverage.free().flatten().collect();
            let expected: Vec<u64> = (0..len).filter(|at| owners[*at as usize].is_none()).collect();
            prop_assert_eq!(coverage.free_len(), expected.len() as u64);
            prop_assert_eq!(free, expected);
        }
    }
}
