//! The picture of a sheet.

use super::state::SheetState;
use super::walk::{At, GUTTER, Inner, Reader};
use super::{Content, Sheet};
use crate::tui::canvas::Canvas;
use crate::tui::tabs::line::{Ink, Line, Piece};
use crate::tui::tabs::mark::Mark;
use crate::tui::tabs::tree::{Marked, hits};
use crate::tui::theme::{Theme, glyph};

impl SheetState {
    /// Draws the visible lines.
    pub fn view(&self, sheet: &Sheet, canvas: &mut Canvas<'_>, theme: &Theme) {
        let reader = Reader {
            sheet,
            state: self,
            columns: canvas.columns(),
        };
        let Some(mut top) = reader.settle(self.top()) else {
            return;
        };
        let cursor = reader.settle(self.cursor());
        let mut shown = reader.window(&top, canvas.rows());
        // The pane may have become smaller since the last key.
        if let Some(cursor) = cursor.as_ref().filter(|cursor| !shown.contains(cursor)) {
            top = reader.back(cursor, usize::from(canvas.rows()).saturating_sub(2));
            shown = reader.window(&top, canvas.rows());
        }
        let mut row = 0;
        if let Some(heading) = reader.sticky(&top) {
            let at = At {
                part: heading,
                inner: Inner::Line(0),
            };
            reader.draw(&at, canvas, row, theme);
            row += 1;
        }
        for at in shown {
            reader.draw(&at, canvas, row, theme);
            if cursor.as_ref() == Some(&at) {
                canvas.style_row(row, theme.selection);
            }
            row += 1;
        }
    }
}

impl Reader<'_> {
    fn draw(&self, at: &At, canvas: &mut Canvas<'_>, row: u16, theme: &Theme) {
        if let Some(Content::Picture(picture)) = self.sheet.part(at.part).map(|part| &part.content)
            && let Inner::Line(line) = at.inner
        {
            if let Some(mark) = self.mark(at) {
                canvas.put(0, row, mark.glyph(), mark.ink().style(theme));
            }
            picture.draw(canvas, GUTTER, row, line, theme);
            return;
        }
        let (line, mark) = self.line(at);
        match mark {
            Some(mark) => {
                canvas.put(0, row, mark.glyph(), mark.ink().style(theme));
                line.draw(canvas, GUTTER, row, theme);
            }
            None => line.draw(canvas, 0, row, theme),
        }
    }

    /// What the model had of a line; none for headings.
    pub fn mark(&self, at: &At) -> Option<Mark> {
        let part = self.sheet.part(at.part)?;
        match (&part.content, &at.inner) {
            (Content::Prose(prose), Inner::Row(row)) => Some(prose.mark(row.segment)),
            (Content::Tree(tree), Inner::Spot(spot)) => {
                let node = self.walk(at.part, tree).node(&spot.path)?;
                Some(node.mark)
            }
            _ => part.mark,
        }
    }

    /// The line of a place, with its gutter.
    pub fn line(&self, at: &At) -> (Line, Option<Mark>) {
        let Some(part) = self.sheet.part(at.part) else {
            return (Line::new(), None);
        };
        let found = self.state.found();
        let needle = found.and_then(|found| found.needle.as_ref());
        let range = found
            .filter(|found| found.part == at.part)
            .map(|found| &found.range);
        match (&part.content, &at.inner) {
            (Content::Heading(line), _) => {
                let mut line = line.clone();
                if self.state.is_folded(at.part) {
                    line.left.insert(
                        0,
                        Piece {
                            text: format!("{} ", glyph::CLOSED).into(),
                            ink: Ink::Dim,
                        },
                    );
                }
                (line, None)
            }
            (Content::Lines(lines), Inner::Line(line)) => {
                let line = lines.get(*line as usize).cloned().unwrap_or_default();
                (line, part.mark)
            }
            (Content::Prose(prose), Inner::Row(row)) => {
                let drawn = prose.draw(
                    *row,
                    usize::from(self.columns.saturating_sub(GUTTER).max(1)),
                    range,
                    self.state.cache(),
                );
                let marked = hits(&drawn.text, drawn.hit.clone(), needle);
                let line = Line {
                    left: drawn.pieces(prose.ink(), &marked),
                    right: Vec::new(),
                };
                (line, Some(prose.mark(row.segment)))
            }
            (Content::Tree(tree), Inner::Spot(spot)) => {
                let (line, mark) = self
                    .walk(at.part, tree)
                    .line(spot, Marked { range, needle });
                (line, Some(mark))
            }
            _ => (Line::new(), part.mark),
        }
    }
}
