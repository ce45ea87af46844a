//! Moving over the lines of a sheet without a list of them.

use super::state::SheetState;
use super::{Content, Part, Sheet};
use crate::tui::tabs::mark::Mark;
use crate::tui::tabs::prose::Row;
use crate::tui::tabs::tree::{Spot, Tree, Walk};

/// Columns of the gutter.
pub const GUTTER: u16 = 2;

/// A line of a sheet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct At {
    /// Which part.
    pub part: usize,
    /// Which of its lines.
    pub inner: Inner,
}

/// A line of a part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Inner {
    /// A line as it is, counted from 0; of a picture one of its rows.
    Line(u32),
    /// A row of a text.
    Row(Row),
    /// A line of a tree.
    Spot(Spot),
}

impl Default for At {
    fn default() -> Self {
        Self {
            part: 0,
            inner: Inner::Line(0),
        }
    }
}

/// A sheet as it is folded, at one width.
#[derive(Clone, Copy)]
pub struct Reader<'a> {
    /// What is shown.
    pub sheet: &'a Sheet,
    /// How it is folded.
    pub state: &'a SheetState,
    /// Columns of the pane.
    pub columns: u16,
}

impl<'a> Reader<'a> {
    fn width(&self) -> usize {
        usize::from(self.columns.saturating_sub(GUTTER).max(1))
    }

    /// A tree of the sheet.
    pub fn walk(&self, part: usize, tree: &'a Tree) -> Walk<'a> {
        Walk {
            tree,
            folds: self.state.folds(part),
            width: self.width(),
            cache: self.state.cache(),
        }
    }

    /// Whether a part is left out: its block is folded, or it was never sent.
    fn is_left_out(&self, part: &Part) -> bool {
        if part.on_demand && !self.state.shows_all() {
            return true;
        }
        if matches!(part.content, Content::Heading(_)) {
            return false;
        }
        part.heading
            .is_some_and(|heading| self.state.is_folded(heading))
            || (self.state.only_seen()
                && matches!(part.content, Content::Lines(_) | Content::Picture(_))
                && part.mark.is_some_and(Mark::is_hidden_from_model))
    }

    fn first_in(&self, place: usize) -> Option<At> {
        let part = self.sheet.part(place)?;
        if self.is_left_out(part) {
            return None;
        }
        let inner = match &part.content {
            Content::Heading(_) | Content::Picture(_) => Inner::Line(0),
            Content::Lines(lines) => (!lines.is_empty()).then_some(Inner::Line(0))?,
            Content::Prose(prose) => Inner::Row(prose.first(self.state.only_seen())?),
            Content::Tree(tree) => Inner::Spot(self.walk(place, tree).first()?),
        };
        Some(At { part: place, inner })
    }

    fn last_in(&self, place: usize) -> Option<At> {
        let part = self.sheet.part(place)?;
        if self.is_left_out(part) {
            return None;
        }
        let inner = match &part.content {
            Content::Heading(_) => Inner::Line(0),
            Content::Lines(lines) => Inner::Line((lines.len() as u32).checked_sub(1)?),
            Content::Picture(picture) => {
                Inner::Line(picture.rows(self.width() as u16).saturating_sub(1))
            }
            Content::Prose(prose) => {
                Inner::Row(prose.last(self.width(), self.state.only_seen(), self.state.cache())?)
            }
            Content::Tree(tree) => Inner::Spot(self.walk(place, tree).last()?),
        };
        Some(At { part: place, inner })
    }

    fn next_in(&self, at: &At) -> Option<Inner> {
        let part = self.sheet.part(at.part)?;
        match (&part.content, &at.inner) {
            (Content::Lines(lines), Inner::Line(line)) => {
                ((line + 1) < lines.len() as u32).then_some(Inner::Line(line + 1))
            }
            (Content::Picture(picture), Inner::Line(line)) => {
                (line + 1 < picture.rows(self.width() as u16)).then_some(Inner::Line(line + 1))
            }
            (Content::Prose(prose), Inner::Row(row)) => prose
                .next(
                    *row,
                    self.width(),
                    self.state.only_seen(),
                    self.state.cache(),
                )
                .map(Inner::Row),
            (Content::Tree(tree), Inner::Spot(spot)) => {
                self.walk(at.part, tree).next(spot).map(Inner::Spot)
            }
            _ => None,
        }
    }

    fn previous_in(&self, at: &At) -> Option<Inner> {
        let part = self.sheet.part(at.part)?;
        match (&part.content, &at.inner) {
            (Content::Lines(_) | Content::Picture(_), Inner::Line(line)) => {
                line.checked_sub(1).map(Inner::Line)
            }
            (Content::Prose(prose), Inner::Row(row)) => prose
                .previous(
                    *row,
                    self.width(),
                    self.state.only_seen(),
                    self.state.cache(),
                )
                .map(Inner::Row),
            (Content::Tree(tree), Inner::Spot(spot)) => {
                self.walk(at.part, tree).previous(spot).map(Inner::Spot)
            }
            _ => None,
        }
    }

    /// The first line of all.
    pub fn first(&self) -> Option<At> {
        (0..self.sheet.parts().len()).find_map(|part| self.first_in(part))
    }

    /// The last line of all.
    pub fn last(&self) -> Option<At> {
        (0..self.sheet.parts().len())
            .rev()
            .find_map(|part| self.last_in(part))
    }

    /// The line after one.
    pub fn next(&self, at: &At) -> Option<At> {
        match self.next_in(at) {
            Some(inner) => Some(At {
                part: at.part,
                inner,
            }),
            None => (at.part + 1..self.sheet.parts().len()).find_map(|part| self.first_in(part)),
        }
    }

    /// The line before one.
    pub fn previous(&self, at: &At) -> Option<At> {
        match self.previous_in(at) {
            Some(inner) => Some(At {
                part: at.part,
                inner,
            }),
            None => (0..at.part.min(self.sheet.parts().len()))
                .rev()
                .find_map(|part| self.last_in(part)),
        }
    }

    /// So many lines further, or as far as there are lines.
    pub fn forward(&self, at: &At, lines: usize) -> At {
        let mut at = at.clone();
        for _ in 0..lines {
            match self.next(&at) {
                Some(next) => at = next,
                None => break,
            }
        }
        at
    }

    /// So many lines back, or as far as there are lines.
    pub fn back(&self, at: &At, lines: usize) -> At {
        let mut at = at.clone();
        for _ in 0..lines {
            match self.previous(&at) {
                Some(before) => at = before,
                None => break,
            }
        }
        at
    }

    /// The line itself where it is still shown, else the nearest that stands for it.
    pub fn settle(&self, at: &At) -> Option<At> {
        let Some(part) = self.sheet.part(at.part) else {
            return self.last();
        };
        if self.is_left_out(part) {
            return part
                .heading
                .filter(|heading| self.state.is_folded(*heading))
                .and_then(|heading| self.first_in(heading))
                .or_else(|| self.next(at))
                .or_else(|| self.previous(at));
        }
        let inner = match (&part.content, &at.inner) {
            (Content::Heading(_), _) => Some(Inner::Line(0)),
            (Content::Lines(lines), Inner::Line(line)) => Some(Inner::Line(
                (*line).min((lines.len() as u32).saturating_sub(1)),
            )),
            (Content::Picture(picture), Inner::Line(line)) => {
                let rows = picture.rows(self.width() as u16);
                Some(Inner::Line((*line).min(rows.saturating_sub(1))))
            }
            (Content::Prose(prose), Inner::Row(row)) => prose
                .settle(
                    *row,
                    self.width(),
                    self.state.only_seen(),
                    self.state.cache(),
                )
                .map(Inner::Row),
            (Content::Tree(tree), Inner::Spot(spot)) => {
                self.walk(at.part, tree).settle(spot).map(Inner::Spot)
            }
            _ => self.first_in(at.part).map(|at| at.inner),
        };
        match inner {
            Some(inner) => Some(At {
                part: at.part,
                inner,
            }),
            None => self.next(at).or_else(|| self.previous(at)),
        }
    }

    /// The heading that stays at the top while `top` is the first line below it.
    pub fn sticky(&self, top: &At) -> Option<usize> {
        let part = self.sheet.part(top.part)?;
        match part.content {
            Content::Heading(_) => None,
            _ => part.heading,
        }
    }

    /// The lines from `top` on that a pane of so many rows shows, the sticky heading counted.
    pub fn window(&self, top: &At, rows: u16) -> Vec<At> {
        let rows = usize::from(rows).saturating_sub(usize::from(self.sticky(top).is_some()));
        let mut lines = Vec::with_capacity(rows);
        let mut at = Some(top.clone());
        while let Some(here) = at.filter(|_| lines.len() < rows) {
            at = self.next(&here);
            lines.push(here);
        }
        lines
    }
}
