//! Looks for many values in a text at once, each as a whole run.

use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;

use memchr::memmem;

use super::value::{is_run_byte, runs};

/// The shortest run that a value is looked up by.
const SHORTEST_KEY: usize = 3;

/// Values that are looked for.
#[derive(Debug, Default)]
pub(super) struct Finder {
    hashes: RandomState,
    /// By the hash of their longest run: the values, and where the run stands in them.
    by_run: HashMap<u64, Vec<(usize, usize)>>,
    /// Values without such a run.
    without_run: Vec<usize>,
}

impl Finder {
    /// Adds the value at a position of the list that [`Self::find`] is given.
    pub fn add(&mut self, value: &str, position: usize) {
        let longest = runs(value).max_by_key(|run| (run.len(), std::cmp::Reverse(run.start)));
        match longest.filter(|run| run.len() >= SHORTEST_KEY) {
            Some(run) => {
                let hash = self.hash(value.as_bytes().get(run.clone()).unwrap_or_default());
                self.by_run
                    .entry(hash)
                    .or_default()
                    .push((position, run.start));
            }
            None => self.without_run.push(position),
        }
    }

    fn hash(&self, run: &[u8]) -> u64 {
        self.hashes.hash_one(run)
    }

    /// Calls `found` with the position of each value that stands in the text as a whole run, and
    /// with the byte where it stands.
    pub fn find(
        &self,
        values: &[impl AsRef<str>],
        text: &str,
        mut found: impl FnMut(usize, usize),
    ) {
        let bytes = text.as_bytes();
        for run in runs(text) {
            let Some(run_bytes) = bytes
                .get(run.clone())
                .filter(|run| run.len() >= SHORTEST_KEY)
            else {
                continue;
            };
            let Some(candidates) = self.by_run.get(&self.hash(run_bytes)) else {
                continue;
            };
            for (position, run_start) in candidates {
                let Some(value) = values.get(*position).map(AsRef::as_ref) else {
                    continue;
                };
                if let Some(start) = run.start.checked_sub(*run_start)
                    && stands_at(bytes, start, value.as_bytes())
                {
                    found(*position, start);
                }
            }
        }
        for position in &self.without_run {
            if let Some(value) = values.get(*position).map(AsRef::as_ref)
                && let Some(start) = memmem::find(bytes, value.as_bytes())
                && stands_at(bytes, start, value.as_bytes())
            {
                found(*position, start);
            }
        }
    }
}

/// Whether a value stands at a place, and no run goes on before or after it.
fn stands_at(text: &[u8], start: usize, value: &[u8]) -> bool {
    let end = start + value.len();
    if text.get(start..end) != Some(value) {
        return false;
    }
    let goes_on = |inside: Option<&u8>, outside: Option<&u8>| {
        let is_run = |byte: Option<&u8>| byte.is_some_and(|byte| is_run_byte(*byte));
        is_run(inside) && is_run(outside)
    };
    let before = start.checked_sub(1).and_then(|at| text.get(at));
    !goes_on(value.first(), before) && !goes_on(value.last(), text.get(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(values: &[&str], text: &str) -> Vec<(usize, usize)> {
        let mut finder = Finder::default();
        for (position, value) in values.iter().enumerate() {
            finder.add(value, position);
        }
        let mut found = Vec::new();
        finder.find(values, text, |position, at| found.push((position, at)));
        found.sort_unstable();
        found
    }

    #[test]
    fn values_are_found_as_whole_runs() {
        let values = ["VUT", "datsun 280-zx", "4296", "/src/main.rs", "日本"];
        assert_eq!(found(&values, "VUT, VUTS, xVUT"), [(0, 0)]);
        assert_eq!(found(&values, "a datsun 280-zx."), [(1, 2)]);
        assert_eq!(found(&values, "a datsun 280-zxy"), []);
        assert_eq!(found(&values, "#4296 and 14296"), [(2, 1)]);
        assert_eq!(found(&values, "in /src/main.rs:3"), [(3, 3)]);
        assert_eq!(found(&values, "x日本x"), [(4, 1)]);
        assert_eq!(found(&values, ""), []);
    }
}
