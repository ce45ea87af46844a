//! A foldable tree over JSON text: only what is unfolded is looked at, only what is visible is laid
//! out.
//!
//! A place in the tree is a [`Spot`], and the tree is walked from spot to spot; no list of rows
//! exists, so that an array of ten megabytes costs as much to scroll as one of ten lines.

mod doc;
mod draw;
mod folds;
mod reveal;
pub mod summary;
#[cfg(test)]
mod tests;
mod walk;

use std::ops::Range;
use std::sync::Arc;

pub use doc::{Child, Doc, Span};
pub use draw::{Marked, hits};
pub use folds::{Fold, Folds, Key, Shown};
pub use reveal::Unfold;
pub use walk::{Inside, Name, Node, Spot, SpotLine, Walk};

use super::mark::Mark;

/// Items of an array that share their fate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// The items, as they count in the whole array.
    pub items: Range<u64>,
    /// Where the first of them stands in the document; none where they are not recorded.
    pub first: Option<u32>,
    /// What the model had of them.
    pub mark: Mark,
    /// What is said of them: `in the envelope`, `read by #9`, `never asked`.
    pub words: String,
}

/// What is shown: a document, and what the model had of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tree {
    doc: Arc<Doc>,
    children: Arc<[Child]>,
    groups: Vec<Group>,
    mark: Mark,
    /// What the first item counts as, where the document holds a part of an array.
    first: u64,
    total: u64,
    /// Cells of an item's number.
    number_cells: usize,
}

impl Tree {
    /// A tree with one fate.
    pub fn new(doc: Doc, mark: Mark) -> Self {
        let doc = Arc::new(doc);
        let children: Arc<[Child]> = doc.children(doc.root()).into();
        let total = children.len() as u64;
        Self {
            doc,
            children,
            groups: Vec::new(),
            mark,
            first: 0,
            total,
            number_cells: digits(total),
        }
    }

    /// An array that is part of one of `whole` items: its items count from `first`.
    #[must_use]
    pub fn counted_from(mut self, first: u64, whole: u64) -> Self {
        self.first = first;
        self.number_cells = digits(whole) + 1;
        self.total = first + self.children.len() as u64;
        self
    }

    /// An array whose items had several fates. Groups are in order and apart from each other.
    #[must_use]
    pub fn grouped(mut self, groups: Vec<Group>) -> Self {
        self.total = groups
            .iter()
            .map(|group| group.items.end)
            .max()
            .unwrap_or(self.total);
        self.number_cells = digits(self.total);
        self.groups = groups;
        self
    }

    /// The document.
    pub fn doc(&self) -> &Doc {
        &self.doc
    }

    /// The groups; none where everything had one fate.
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// The fate of the whole, where there are no groups.
    pub const fn mark(&self) -> Mark {
        self.mark
    }

    /// Items of the whole array, recorded or not.
    pub const fn total(&self) -> u64 {
        self.total
    }

    /// The path of an item of the whole array; none where it is not recorded.
    pub fn path_of(&self, item: u64) -> Option<Vec<u64>> {
        if self.groups.is_empty() {
            let child = item.checked_sub(self.first)?;
            return (child < self.children.len() as u64).then(|| vec![child]);
        }
        let group = self
            .groups
            .iter()
            .position(|group| group.items.contains(&item))?;
        let recorded = self.groups.get(group)?.first.is_some();
        Some(if recorded {
            vec![group as u64, item]
        } else {
            vec![group as u64]
        })
    }

    /// A path to an item with the group that the item is in by now.
    fn regrouped(&self, path: &[u64]) -> Vec<u64> {
        let mut path = path.to_vec();
        if let (false, [group, item, ..]) = (self.groups.is_empty(), path.as_mut_slice())
            && let Some(found) = self
                .groups
                .iter()
                .position(|group| group.items.contains(item))
        {
            *group = found as u64;
        }
        path
    }

    /// The group and the item that a child of the document is.
    fn group_of_child(&self, child: u64) -> Option<[u64; 2]> {
        self.groups.iter().enumerate().find_map(|(place, group)| {
            let before = child.checked_sub(u64::from(group.first?))?;
            let item = group.items.start + before;
            (item < group.items.end).then_some([place as u64, item])
        })
    }

    /// Compact length of a group's items as an array of their own.
    pub fn group_bytes(&self, group: &Group) -> Option<u64> {
        let first = group.first? as usize;
        let count = usize::try_from(group.items.end - group.items.start).ok()?;
        let Some(last) = count.checked_sub(1) else {
            return Some(2);
        };
        let from = self.children.get(first)?.value.start;
        let to = self.children.get(first + last)?.value.end;
        Some(u64::from(to - from) + 2)
    }
}

/// Digits of the last of so many numbers, counted from 0.
fn digits(count: u64) -> usize {
    count.saturating_sub(1).to_string().len()
}
