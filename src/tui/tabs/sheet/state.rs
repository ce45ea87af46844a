//! The cursor, the folds and the scrolling of a sheet.

use std::collections::BTreeSet;
use std::ops::Range;

use super::walk::{At, Inner, Reader};
use super::{Content, Sheet};
use crate::query::Needle;
use crate::tui::tabs::prose::WrapCache;
use crate::tui::tabs::tree::{Folds, Spot};

/// What a search found in this sheet.
#[derive(Debug, Clone)]
pub struct Found {
    /// In which part.
    pub part: usize,
    /// Which bytes of its text or JSON.
    pub range: Range<usize>,
    /// What was searched.
    pub needle: Option<Needle>,
}

/// The state of a sheet. It fits one sheet at a time: [`SheetState::start`] begins another.
#[derive(Debug, Default)]
pub struct SheetState {
    pub(super) cursor: At,
    pub(super) top: At,
    pub(super) trees: Vec<Folds>,
    /// Of parts that the sheet has no more.
    none: Folds,
    /// Headings whose blocks are folded.
    pub(super) folded: BTreeSet<usize>,
    pub(super) only_seen: bool,
    pub(super) found: Option<Found>,
    /// What is shown on demand is shown.
    pub(super) shows_all: bool,
    pub(super) cache: WrapCache,
    pub(super) size: (u16, u16),
}

/// Where the cursor should come to stand when it has to be brought into view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Near {
    Top,
    Bottom,
    Middle,
}

impl SheetState {
    /// Begins a sheet in a pane of so many columns and rows, with the cursor on its first line.
    pub fn start(&mut self, sheet: &Sheet, size: (u16, u16)) {
        let only_seen = self.only_seen;
        *self = Self {
            only_seen,
            size,
            ..Self::default()
        };
        self.trees.resize_with(sheet.parts().len(), Folds::default);
        for folds in &mut self.trees {
            folds.only_seen = only_seen;
        }
        let reader = self.reader(sheet);
        let first = reader.first().unwrap_or_default();
        self.top = first.clone();
        self.cursor = first;
    }

    /// Puts the cursor on the first line below the first heading, where there is one.
    pub fn enter(&mut self, sheet: &Sheet) {
        let reader = self.reader(sheet);
        let mut at = reader.first().unwrap_or_default();
        while let Some(Content::Heading(_)) = sheet.part(at.part).map(|part| &part.content) {
            match reader.next(&at) {
                Some(next) => at = next,
                None => break,
            }
        }
        self.cursor = at;
    }

    /// The sheet was made anew for the same event: the place stays where it can.
    pub fn keep(&mut self, sheet: &Sheet, size: (u16, u16)) {
        self.size = size;
        self.trees.resize_with(sheet.parts().len(), Folds::default);
        for folds in &mut self.trees {
            folds.only_seen = self.only_seen;
        }
        let item = match &self.cursor.inner {
            Inner::Spot(spot) => spot.path.get(1).copied(),
            _ => None,
        };
        self.settle(sheet, Near::Middle);
        // The item may have come into a group of its own, which is folded.
        let part = self.cursor.part;
        let grouped = matches!(sheet.part(part).map(|part| &part.content),
            Some(Content::Tree(tree)) if !tree.groups().is_empty());
        if let Some(item) = item.filter(|item| grouped && self.item(sheet) != Some(*item)) {
            self.reveal_item(sheet, item);
        }
    }

    pub(super) const fn cursor(&self) -> &At {
        &self.cursor
    }

    pub(super) const fn top(&self) -> &At {
        &self.top
    }

    pub(super) fn folds(&self, part: usize) -> &Folds {
        self.trees.get(part).unwrap_or(&self.none)
    }

    pub(super) const fn cache(&self) -> &WrapCache {
        &self.cache
    }

    pub(super) fn is_folded(&self, heading: usize) -> bool {
        self.folded.contains(&heading)
    }

    /// Only what the model had is shown.
    pub const fn only_seen(&self) -> bool {
        self.only_seen
    }

    pub(super) const fn shows_all(&self) -> bool {
        self.shows_all
    }

    pub(super) const fn found(&self) -> Option<&Found> {
        self.found.as_ref()
    }

    /// The folds of a part that is a tree, to unfold something at the start.
    pub fn folds_mut(&mut self, part: usize) -> Option<&mut Folds> {
        self.trees.get_mut(part)
    }

    pub(super) fn reader<'a>(&'a self, sheet: &'a Sheet) -> Reader<'a> {
        Reader {
            sheet,
            state: self,
            columns: self.size.0,
        }
    }

    /// The part and the spot of the cursor, where it stands in a tree.
    pub fn spot(&self) -> Option<(usize, &Spot)> {
        match &self.cursor.inner {
            Inner::Spot(spot) => Some((self.cursor.part, spot)),
            _ => None,
        }
    }

    /// The part that the cursor stands in.
    pub const fn part(&self) -> usize {
        self.cursor.part
    }

    /// The cursor stands on a group of items.
    pub fn is_on_group(&self, sheet: &Sheet) -> bool {
        let grouped = |part| {
            matches!(sheet.part(part).map(|part| &part.content),
                Some(Content::Tree(tree)) if !tree.groups().is_empty())
        };
        self.spot()
            .is_some_and(|(part, spot)| spot.path.len() == 1 && grouped(part))
    }

    /// The item of the array that the cursor stands in.
    pub fn item(&self, sheet: &Sheet) -> Option<u64> {
        let (part, spot) = self.spot()?;
        match &sheet.part(part)?.content {
            Content::Tree(tree) => self.reader(sheet).walk(part, tree).item(spot),
            _ => None,
        }
    }

    /// The block that the cursor stands in, and the bytes of its text or JSON.
    pub fn bytes(&self, sheet: &Sheet) -> Option<(usize, Range<usize>)> {
        let part = sheet.part(self.cursor.part)?;
        let block = part.block?;
        let range = match (&part.content, &self.cursor.inner) {
            (Content::Prose(prose), Inner::Row(row)) => prose.bytes(row.segment),
            (Content::Tree(tree), Inner::Spot(spot)) => self
                .reader(sheet)
                .walk(self.cursor.part, tree)
                .bytes(spot)?,
            _ => return None,
        };
        Some((block, range))
    }

    /// Where the cursor stands: the path of a value, the byte of a text.
    pub fn path(&self, sheet: &Sheet) -> Option<String> {
        let part = sheet.part(self.cursor.part)?;
        match (&part.content, &self.cursor.inner) {
            (Content::Tree(tree), Inner::Spot(spot)) => {
                Some(self.reader(sheet).walk(self.cursor.part, tree).path(spot))
            }
            (Content::Prose(prose), Inner::Row(row)) => {
                let bytes = prose.bytes(row.segment);
                Some(format!("byte {}", crate::text::grouped(bytes.start as u64)))
            }
            _ => None,
        }
    }
}
