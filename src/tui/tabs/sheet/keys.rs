//! What the keys do to a sheet.

use super::state::{Near, SheetState};
use super::walk::{At, GUTTER, Inner};
use super::{Content, Sheet};
use crate::tui::action::Action;
use crate::tui::tab::{Context, Effect, Outcome};
use crate::tui::tabs::line::Line;
use crate::tui::tabs::tree::{Spot, SpotLine, Unfold};

/// No key moves further than this many lines at once, but the ends are always reached.
const FARTHEST: usize = 50_000;

impl SheetState {
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
    pub(super) fn settle(&mut self, sheet: &Sheet, near: Near) {
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

    pub(super) fn unfold<T>(
        &mut self,
        sheet: &Sheet,
        part: usize,
        act: impl FnOnce(&mut Unfold<'_>) -> T,
    ) -> Option<T> {
        let Content::Tree(tree) = &sheet.part(part)?.content else {
            return None;
        };
        let width = usize::from(self.size.0.saturating_sub(GUTTER).max(1));
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
}
