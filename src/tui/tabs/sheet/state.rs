//! The cursor, the folds and the scrolling of a sheet.

use std::collections::BTreeSet;
use std::ops::Range;

use super::walk::{At, Inner, Reader};
use super::{Content, Sheet};
use crate::query::Needle;
use crate::tui::action::Action;
use crate::tui::tab::{Context, Effect, Outcome};
use crate::tui::tabs::line::Line;
use crate::tui::tabs::prose::WrapCache;
use crate::tui::tabs::tree::{Folds, Spot, SpotLine, Unfold};

/// No key moves further than this many lines at once, but the ends are always reached.
const FARTHEST: usize = 50_000;

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
    cursor: At,
    top: At,
    trees: Vec<Folds>,
    /// Of parts that the sheet has no more.
    none: Folds,
    /// Headings whose blocks are folded.
    folded: BTreeSet<usize>,
    only_seen: bool,
    found: Option<Found>,
    /// What is shown on demand is shown.
    shows_all: bool,
    cache: WrapCache,
    size: (u16, u16),
}

/// Where the cursor should come to stand when it has to be brought into view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Near {
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

    fn reader<'a>(&'a self, sheet: &'a Sheet) -> Reader<'a> {
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

    /// Does what is meant; `Ignored` where a sheet has nothing to do with it.
    pub fn update(&mut self, sheet: &Sheet, action: &Action, context: Context) -> Outcome {
        self.size = (context.columns, context.rows);
        let Some(cursor) = self.reader(sheet).settle(&self.cursor) else {
            return Outcome::Ignored;
        };
        self.cursor = cursor;
        let rows = usize::from(context.rows).max(1);
        let times = context.times().min(FARTHEST);
        match action {
            Action::Down => self.forward(sheet, times),
            Action::Up => self.back(sheet, times),
            Action::HalfDown => self.forward(sheet, times.saturating_mul((rows / 2).max(1))),
            Action::HalfUp => self.back(sheet, times.saturating_mul((rows / 2).max(1))),
            Action::PageDown => {
                self.forward(sheet, times.saturating_mul(rows.saturating_sub(2).max(1)));
            }
            Action::PageUp => {
                self.back(sheet, times.saturating_mul(rows.saturating_sub(2).max(1)));
            }
            Action::Top => self.line(sheet, context.count.unwrap_or(1)),
            Action::Bottom => match context.count {
                Some(line) => self.line(sheet, line),
                None => self.go(sheet, self.reader(sheet).last(), Near::Bottom),
            },
            Action::Into => return self.into(sheet),
            Action::Out => return self.out(sheet),
            Action::Fold => {
                if !self.open(sheet) && !self.close(sheet) && self.climb(sheet) {
                    self.close(sheet);
                }
                self.settle(sheet, Near::Middle);
            }
            Action::FoldAll | Action::UnfoldAll => {
                let open = matches!(action, Action::UnfoldAll);
                self.folded.clear();
                for folds in &mut self.trees {
                    folds.all(open);
                }
                self.settle(sheet, Near::Middle);
            }
            Action::OnlySeen => return self.toggle_only_seen(sheet),
            Action::CopyValue => return self.copy(sheet, "value"),
            Action::CopyJson => return self.copy(sheet, "JSON"),
            Action::CopyPath => {
                return match self.spot().and_then(|_| self.path(sheet)) {
                    Some(text) => Outcome::with(Effect::Copy { what: "path", text }),
                    None => Outcome::Ignored,
                };
            }
            Action::Scroll(lines) => self.scroll(sheet, *lines),
            Action::Click(_, row) => self.click(sheet, *row),
            _ => return Outcome::Ignored,
        }
        Outcome::done()
    }

    fn toggle_only_seen(&mut self, sheet: &Sheet) -> Outcome {
        self.only_seen = !self.only_seen;
        for folds in &mut self.trees {
            folds.only_seen = self.only_seen;
        }
        self.settle(sheet, Near::Middle);
        Outcome::with(Effect::Say(
            if self.only_seen {
                "only what the model had  zs shows all"
            } else {
                "all that is recorded"
            }
            .to_owned(),
        ))
    }

    fn forward(&mut self, sheet: &Sheet, lines: usize) {
        let at = self.reader(sheet).forward(&self.cursor, lines);
        self.go(sheet, Some(at), Near::Bottom);
    }

    fn back(&mut self, sheet: &Sheet, lines: usize) {
        let at = self.reader(sheet).back(&self.cursor, lines);
        self.go(sheet, Some(at), Near::Top);
    }

    /// Goes to a line counted from 1.
    fn line(&mut self, sheet: &Sheet, line: u32) {
        let reader = self.reader(sheet);
        let lines = (line as usize).saturating_sub(1).min(FARTHEST);
        let at = reader.first().map(|first| reader.forward(&first, lines));
        self.go(sheet, at, Near::Top);
    }

    fn go(&mut self, sheet: &Sheet, at: Option<At>, near: Near) {
        if let Some(at) = at {
            self.cursor = at;
        }
        self.bring_into_view(sheet, near);
    }

    /// Finds the cursor and the top again after something was folded or made anew.
    fn settle(&mut self, sheet: &Sheet, near: Near) {
        let reader = self.reader(sheet);
        let cursor = reader.settle(&self.cursor);
        let top = reader.settle(&self.top);
        self.cursor = cursor.unwrap_or_default();
        self.top = top.unwrap_or_default();
        self.bring_into_view(sheet, near);
    }

    fn bring_into_view(&mut self, sheet: &Sheet, near: Near) {
        let rows = self.size.1.max(2);
        let reader = self.reader(sheet);
        let mut top = reader.settle(&self.top).unwrap_or_default();
        let shown = reader.window(&top, rows);
        if !shown.contains(&self.cursor) {
            let back = usize::from(rows);
            top = match near {
                Near::Top => self.cursor.clone(),
                Near::Bottom => reader.back(&self.cursor, back.saturating_sub(2)),
                Near::Middle => reader.back(&self.cursor, back / 3),
            };
        }
        // Nothing is left empty below while there is something above.
        let shown = reader.window(&top, rows);
        let room = usize::from(rows) - usize::from(reader.sticky(&top).is_some());
        if let Some(last) = shown.last().filter(|_| shown.len() < room) {
            let mut higher = reader.back(last, room.saturating_sub(1));
            if reader.sticky(&higher).is_some() && room == usize::from(rows) {
                higher = reader.forward(&higher, 1);
            }
            top = higher;
        }
        self.top = top;
    }

    fn scroll(&mut self, sheet: &Sheet, lines: i16) {
        let reader = self.reader(sheet);
        let far = usize::from(lines.unsigned_abs());
        let top = if lines < 0 {
            reader.back(&self.top, far)
        } else {
            reader.forward(&self.top, far)
        };
        let rows = self.size.1.max(2);
        let shown = reader.window(&top, rows);
        let room = usize::from(rows) - usize::from(reader.sticky(&top).is_some());
        if lines > 0 && shown.len() < room {
            self.bring_into_view(sheet, Near::Bottom);
            return;
        }
        let cursor = if shown.contains(&self.cursor) {
            None
        } else if lines < 0 {
            shown.last().cloned()
        } else {
            shown.first().cloned()
        };
        self.top = top;
        if let Some(cursor) = cursor {
            self.cursor = cursor;
        }
    }

    fn click(&mut self, sheet: &Sheet, row: u16) {
        let reader = self.reader(sheet);
        let sticky = reader.sticky(&self.top);
        let shown = reader.window(&self.top, self.size.1);
        let at = match (sticky, usize::from(row)) {
            (Some(heading), 0) => Some(At {
                part: heading,
                inner: Inner::Line(0),
            }),
            (Some(_), row) => shown.get(row - 1).cloned(),
            (None, row) => shown.get(row).cloned(),
        };
        let Some(at) = at else { return };
        if at == self.cursor {
            if !self.open(sheet) {
                self.close(sheet);
            }
            self.settle(sheet, Near::Middle);
        } else {
            self.go(sheet, Some(at), Near::Top);
        }
    }

    /// Unfolds, or goes inside what is unfolded.
    fn into(&mut self, sheet: &Sheet) -> Outcome {
        if self.open(sheet) {
            self.settle(sheet, Near::Middle);
            return Outcome::done();
        }
        let inside = match self.spot() {
            Some((part, spot)) if spot.line == SpotLine::Head => {
                let reader = self.reader(sheet);
                reader.next(&self.cursor).filter(|next| {
                    next.part == part
                        && matches!(&next.inner, Inner::Spot(next)
                            if next.path.starts_with(&spot.path)
                                && (next.path.len() > spot.path.len() || next.line != SpotLine::Head))
                })
            }
            _ => None,
        };
        match inside {
            Some(at) => {
                self.go(sheet, Some(at), Near::Bottom);
                Outcome::done()
            }
            None => Outcome::Ignored,
        }
    }

    /// Folds what is unfolded, or goes to what the line is inside of.
    fn out(&mut self, sheet: &Sheet) -> Outcome {
        if self.spot().is_some() && (self.close(sheet) || self.climb(sheet)) {
            self.settle(sheet, Near::Top);
            return Outcome::done();
        }
        Outcome::Ignored
    }

    fn unfold<T>(
        &mut self,
        sheet: &Sheet,
        part: usize,
        act: impl FnOnce(&mut Unfold<'_>) -> T,
    ) -> Option<T> {
        let Content::Tree(tree) = &sheet.part(part)?.content else {
            return None;
        };
        let width = usize::from(self.size.0.saturating_sub(super::walk::GUTTER).max(1));
        Some(act(&mut Unfold {
            tree,
            folds: self.trees.get_mut(part)?,
            width,
            cache: &self.cache,
        }))
    }

    fn open(&mut self, sheet: &Sheet) -> bool {
        if self.folded.remove(&self.cursor.part) {
            return true;
        }
        let Some((part, spot)) = self.spot().map(|(part, spot)| (part, spot.clone())) else {
            return false;
        };
        if let SpotLine::More(first) = spot.line {
            // The first line of what appears takes the place of the line that stood for it.
            let mut path = spot.path.clone();
            path.push(first);
            let opened = self.unfold(sheet, part, |unfold| unfold.open(&spot));
            self.cursor.inner = Inner::Spot(Spot {
                path,
                line: SpotLine::Head,
            });
            return opened == Some(true);
        }
        self.unfold(sheet, part, |unfold| unfold.open(&spot)) == Some(true)
    }

    fn close(&mut self, sheet: &Sheet) -> bool {
        let heading = sheet
            .part(self.cursor.part)
            .is_some_and(|part| matches!(part.content, Content::Heading(_)));
        if heading {
            return self.folded.insert(self.cursor.part);
        }
        let Some((part, spot)) = self.spot().map(|(part, spot)| (part, spot.clone())) else {
            return false;
        };
        self.unfold(sheet, part, |unfold| unfold.close(&spot)) == Some(true)
    }

    fn climb(&mut self, sheet: &Sheet) -> bool {
        let Some((part, spot)) = self.spot().map(|(part, spot)| (part, spot.clone())) else {
            return false;
        };
        match self.unfold(sheet, part, |unfold| unfold.parent(&spot)) {
            Some(Some(parent)) => {
                self.cursor.inner = Inner::Spot(parent);
                true
            }
            _ => false,
        }
    }

    fn copy(&self, sheet: &Sheet, what: &'static str) -> Outcome {
        let Some(part) = sheet.part(self.cursor.part) else {
            return Outcome::Ignored;
        };
        let text = match (&part.content, &self.cursor.inner) {
            (Content::Tree(tree), Inner::Spot(spot)) => {
                let walk = self.reader(sheet).walk(self.cursor.part, tree);
                if what == "JSON" {
                    walk.json(spot)
                } else {
                    walk.value(spot)
                }
            }
            (Content::Prose(prose), _) if what == "JSON" => {
                serde_json::to_string(prose.text()).ok()
            }
            (Content::Prose(prose), _) => Some(prose.text().to_owned()),
            (Content::Heading(_), _) => {
                sheet
                    .parts()
                    .iter()
                    .skip(self.cursor.part + 1)
                    .find_map(|part| match &part.content {
                        Content::Prose(prose) => Some(prose.text().to_owned()),
                        Content::Tree(tree) => {
                            Some(String::from_utf8_lossy(tree.doc().bytes()).into_owned())
                        }
                        _ => None,
                    })
            }
            (Content::Lines(lines), Inner::Line(line)) => lines.get(*line as usize).map(Line::text),
            _ => None,
        };
        match text {
            Some(text) => Outcome::with(Effect::Copy { what, text }),
            None => Outcome::Ignored,
        }
    }

    /// Shows an item of the first array that has it, with the cursor on it.
    pub fn reveal_item(&mut self, sheet: &Sheet, item: u64) -> bool {
        for part in 0..sheet.parts().len() {
            let array = matches!(&sheet.part(part).map(|part| &part.content),
                Some(Content::Tree(tree)) if item < tree.total());
            if !array {
                continue;
            }
            if let Some(Some(spot)) = self.unfold(sheet, part, |unfold| unfold.item(item)) {
                self.show(sheet, part, Inner::Spot(spot));
                return true;
            }
        }
        false
    }

    /// Shows bytes of the text or JSON of a block, marked, with the cursor on them.
    pub fn reveal_bytes(
        &mut self,
        sheet: &Sheet,
        block: usize,
        range: &Range<usize>,
        searched: &str,
    ) -> bool {
        let part = sheet.part_of_block(block);
        part.is_some_and(|part| self.reveal_in(sheet, part, range, searched))
            || self.reveal_text(sheet, searched)
    }

    fn reveal_in(
        &mut self,
        sheet: &Sheet,
        part: usize,
        range: &Range<usize>,
        searched: &str,
    ) -> bool {
        let inner = match sheet.part(part).map(|part| &part.content) {
            Some(Content::Prose(prose)) => {
                let width = usize::from(self.size.0.saturating_sub(super::walk::GUTTER).max(1));
                Some(Inner::Row(prose.row_of(range.start, width, &self.cache)))
            }
            _ => self
                .unfold(sheet, part, |unfold| unfold.byte(range.start))
                .flatten()
                .map(Inner::Spot),
        };
        let Some(inner) = inner else {
            return false;
        };
        self.found = Some(Found {
            part,
            range: range.clone(),
            needle: Needle::new(searched),
        });
        self.show(sheet, part, inner);
        true
    }

    /// Shows the first place of a text that was searched, marked, with the cursor on it.
    pub fn reveal_text(&mut self, sheet: &Sheet, searched: &str) -> bool {
        let Some((part, range)) = Needle::new(searched).and_then(|needle| sheet.find(&needle))
        else {
            return false;
        };
        self.reveal_in(sheet, part, &range, searched)
    }

    fn show(&mut self, sheet: &Sheet, part: usize, inner: Inner) {
        self.shows_all |= sheet.part(part).is_some_and(|part| part.on_demand);
        if let Some(heading) = sheet.part(part).and_then(|part| part.heading) {
            self.folded.remove(&heading);
        }
        if self.only_seen {
            // What is to be shown may be what was left out.
            self.only_seen = false;
            for folds in &mut self.trees {
                folds.only_seen = false;
            }
        }
        self.cursor = At { part, inner };
        self.settle(sheet, Near::Middle);
    }
}
