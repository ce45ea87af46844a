//! The hits of one search: in order, counted, with a place among them.

use super::scan::{Batch, Hit};

/// More hits than this are counted but not kept.
const KEPT: usize = 200_000;

/// The hits so far, in the order of the file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hits {
    list: Vec<Hit>,
    beyond: u64,
    searched: u64,
    total: u64,
}

/// Where a step among the hits led.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// The hit.
    pub hit: Hit,
    /// Its place, from 1, as `3/41` shows it.
    pub position: usize,
    /// The step went over the end or the beginning.
    pub wrapped: bool,
}

impl Hits {
    /// Takes a batch in.
    pub fn add(&mut self, batch: &Batch) {
        self.searched = batch.searched;
        self.total = batch.total;
        for &hit in &batch.hits {
            if self.list.len() >= KEPT {
                self.beyond += 1;
                continue;
            }
            match self.list.last() {
                Some(last) if *last >= hit => {
                    if let Err(place) = self.list.binary_search(&hit) {
                        self.list.insert(place, hit);
                    }
                }
                _ => self.list.push(hit),
            }
        }
    }

    /// How many there are, those beyond the kept ones included.
    pub fn count(&self) -> u64 {
        self.list.len() as u64 + self.beyond
    }

    /// Nothing was found so far.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The kept hits.
    pub fn list(&self) -> &[Hit] {
        &self.list
    }

    /// Everything was searched.
    pub const fn is_complete(&self) -> bool {
        self.searched >= self.total
    }

    /// How much was searched, in whole percent.
    pub fn percent(&self) -> u8 {
        match self.total {
            0 => 100,
            total => (u128::from(self.searched) * 100 / u128::from(total)).min(100) as u8,
        }
    }

    /// The first hit at or behind `offset`; the first of all where there is none.
    pub fn at_or_after(&self, offset: u64) -> Option<Step> {
        let index = self.list.partition_point(|hit| hit.offset < offset);
        self.step(index, index >= self.list.len())
    }

    /// The first hit behind `offset`.
    pub fn next(&self, offset: u64) -> Option<Step> {
        self.at_or_after(offset.saturating_add(1))
    }

    /// The last hit before `offset`; the last of all where there is none.
    pub fn previous(&self, offset: u64) -> Option<Step> {
        let index = self.list.partition_point(|hit| hit.offset < offset);
        match index.checked_sub(1) {
            Some(index) => self.step(index, false),
            None => self.step(self.list.len().checked_sub(1)?, true),
        }
    }

    fn step(&self, index: usize, wrapped: bool) -> Option<Step> {
        let index = if wrapped && index >= self.list.len() {
            0
        } else {
            index
        };
        self.list.get(index).map(|&hit| Step {
            hit,
            position: index + 1,
            wrapped,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hits(offsets: &[&[u64]]) -> Hits {
        let mut hits = Hits::default();
        for (index, batch) in offsets.iter().enumerate() {
            hits.add(&Batch {
                hits: batch
                    .iter()
                    .map(|&offset| Hit { offset, bytes: 1 })
                    .collect(),
                searched: index as u64 + 1,
                total: offsets.len() as u64,
            });
        }
        hits
    }

    fn place(step: Option<Step>) -> Option<(u64, usize, bool)> {
        step.map(|step| (step.hit.offset, step.position, step.wrapped))
    }

    #[test]
    fn a_search_that_began_in_the_middle_is_in_order() {
        let hits = hits(&[&[50, 60], &[70], &[10, 20]]);
        assert_eq!(hits.count(), 5);
        assert!(hits.is_complete());
        assert_eq!(place(hits.at_or_after(50)), Some((50, 3, false)));
        assert_eq!(place(hits.next(50)), Some((60, 4, false)));
        assert_eq!(place(hits.next(70)), Some((10, 1, true)));
        assert_eq!(place(hits.previous(10)), Some((70, 5, true)));
        assert_eq!(place(hits.previous(60)), Some((50, 3, false)));
    }

    #[test]
    fn no_hit_is_no_place() {
        let none = Hits::default();
        assert_eq!(none.next(0), None);
        assert_eq!(none.previous(9), None);
        assert_eq!(none.percent(), 100);
    }

    #[test]
    fn many_hits_are_counted() {
        let mut hits = Hits::default();
        hits.add(&Batch {
            hits: (0..KEPT as u64 + 7)
                .map(|offset| Hit { offset, bytes: 1 })
                .collect(),
            searched: 1,
            total: 2,
        });
        assert_eq!(hits.count(), KEPT as u64 + 7);
        assert_eq!(hits.list().len(), KEPT);
        assert_eq!(hits.percent(), 50);
    }
}
