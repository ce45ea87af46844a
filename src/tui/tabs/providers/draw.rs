//! The matrix of blocks and providers.

use super::ProvidersTab;
use super::build::ProvidersData;
use crate::text::{fit, padded};
use crate::tui::canvas::Canvas;
use crate::tui::keys::Scope;
use crate::tui::tabs::hints::hints;
use crate::tui::tabs::line::{Ink, Line};
use crate::tui::tabs::rows::Rows;
use crate::tui::theme::Theme;

/// Cells of the rows' labels.
const LABEL: u16 = 11;

/// How the columns stand in a pane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Grid {
    /// Cells of a column.
    pub cell: u16,
    /// The first column in view.
    pub first: usize,
    /// How many are in view.
    pub count: usize,
}

impl Grid {
    /// The columns in view with `chosen` among them.
    pub fn of(columns: u16, providers: usize, chosen: usize) -> Self {
        let room = columns.saturating_sub(LABEL);
        let all = providers.max(1) as u16;
        let cell = if room >= all.saturating_mul(10) {
            10
        } else {
            8
        };
        let count = usize::from((room / cell).max(1)).min(providers.max(1));
        let first = (chosen + 1)
            .saturating_sub(count)
            .min(providers.saturating_sub(count));
        Self { cell, first, count }
    }

    /// The provider that is drawn in a column of the pane.
    pub fn hit(self, column: u16) -> Option<usize> {
        let inside = column.checked_sub(LABEL)?;
        let place = usize::from(inside / self.cell);
        (place < self.count).then_some(self.first + place)
    }
}

impl ProvidersTab {
    pub(super) fn matrix(&self, data: &ProvidersData, canvas: &mut Canvas<'_>, theme: &Theme) {
        let columns = canvas.columns();
        title(data).draw(canvas, 0, 0, theme);
        let grid = Grid::of(columns, data.columns.len(), self.column);
        let shown = data
            .columns
            .iter()
            .enumerate()
            .skip(grid.first)
            .take(grid.count);
        let mut at = LABEL;
        for (place, column) in shown.clone() {
            let style = if place == self.column {
                theme.strong
            } else {
                theme.dim
            };
            let cells = usize::from(grid.cell) - 1;
            canvas.put(at, 1, &fit(&column.head, cells), style);
            at += grid.cell;
        }
        let rows = data.blocks.len() + 2;
        let room = usize::from(canvas.rows()).saturating_sub(2);
        let top = (self.row + 1)
            .saturating_sub(room.max(1))
            .min(rows.saturating_sub(1));
        for (line, row) in (top..rows).zip(2..canvas.rows()) {
            label(data, line).draw(&mut canvas.part(0, row, LABEL, 1), 0, 0, theme);
            let mut at = LABEL;
            for (place, column) in shown.clone() {
                let word = column.word(line, data.blocks.len());
                let text = if grid.cell >= 10 {
                    word.long
                } else {
                    word.short
                };
                let mut style = word.ink.style(theme);
                let refused = column.refusals.get(line).is_some_and(Option::is_some);
                if refused {
                    style = theme.finding;
                }
                let gap = if grid.cell >= 10 { " " } else { "" };
                let text = if refused {
                    format!("{text}{gap}!")
                } else {
                    text.to_owned()
                };
                canvas.put(at, row, &text, style);
                if (line, place) == (self.row, self.column) {
                    canvas.style(at, row, grid.cell - 1, 1, theme.selection);
                }
                at += grid.cell;
            }
        }
        let below = 2 + (rows - top) as u16;
        let notes = self.notes(data, columns);
        let left = canvas.rows().saturating_sub(below);
        let mut part = canvas.part(0, below, columns, left);
        let mut row = 0;
        for note in notes.iter().take(usize::from(left)) {
            note.line.draw(&mut part, 0, row, theme);
            row += 1;
        }
        let keys = hints(Scope::Providers, columns);
        if usize::from(left.saturating_sub(row)) >= keys.len() {
            for line in &keys {
                line.draw(&mut part, 0, row, theme);
                row += 1;
            }
        }
    }

    /// What is said of the chosen cell, and of every cell that a service refuses.
    fn notes(&self, data: &ProvidersData, columns: u16) -> Rows {
        let columns = usize::from(columns);
        let blocks = data.blocks.len();
        let mut rows = Rows::default();
        let mut tell = |row: usize, place: usize, always: bool| {
            let Some(column) = data.columns.get(place) else {
                return;
            };
            let note = column.note(row, blocks, data.is_error);
            let refused = column.refusals.get(row).is_some_and(Option::is_some);
            let Some(note) = note.or_else(|| always.then(|| "nothing to add".to_owned())) else {
                return;
            };
            let first = Line::of(
                Ink::Strong,
                format!("{} on {}: ", name(data, row), column.head),
            );
            let ink = if refused { Ink::Finding } else { Ink::Text };
            let first_piece = Line::of(Ink::Text, "  ");
            let whole = format!("{}{note}", first.text());
            let shown = crate::text::visible(&whole);
            for (place, range) in crate::text::wrap(&shown, columns.saturating_sub(2).max(8))
                .into_iter()
                .enumerate()
            {
                let text = shown.get(range).unwrap_or_default().to_owned();
                let line = if place == 0 {
                    Line::of(ink, text)
                } else {
                    first_piece.clone().and(ink, text)
                };
                rows.tell(line);
            }
        };
        tell(self.row, self.column, true);
        for row in 0..blocks {
            for (place, column) in data.columns.iter().enumerate() {
                let refused = column.refusals.get(row).is_some_and(Option::is_some);
                if refused && (row, place) != (self.row, self.column) {
                    tell(row, place, false);
                }
            }
        }
        rows
    }
}

fn title(data: &ProvidersData) -> Line {
    let event = data.event.map_or(0, crate::session::event::EventId::index);
    Line::of(Ink::Strong, format!("#{event} {}", data.tool))
        .and(Ink::Text, format!("   as {} sends it", data.lens.sender()))
        .right(Ink::Key, "o")
        .right(Ink::Dim, " other")
}

/// The name of a row.
fn name(data: &ProvidersData, row: usize) -> String {
    match data.blocks.get(row) {
        Some(word) => format!("{} {word}", row + 1),
        None if row == data.blocks.len() => "order".to_owned(),
        None => "error flag".to_owned(),
    }
}

fn label(data: &ProvidersData, row: usize) -> Line {
    Line::of(Ink::Name, padded(&name(data, row), usize::from(LABEL) - 1))
}
