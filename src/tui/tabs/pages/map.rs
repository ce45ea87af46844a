//! The map of a handle's life: a cell per answer, under it the event that asked for it.
//!
//! ```text
//! │ 0   │ 64  │ 128 │ 192 │ not recorded │ 384 │
//! │sent │ #9  │ #11 │ #28✗│              │  -  │   answer 2 of 7
//!         ^
//! ```

use std::ops::Range;

use crate::replay::pages::Cell;
use crate::replay::seen::{Never, Reach};
use crate::text::cells;
use crate::tui::canvas::Canvas;
use crate::tui::tabs::line::{Ink, padded};
use crate::tui::theme::{Theme, glyph};

/// The least columns of a cell.
const LEAST: usize = 5;

/// One cell as it is drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drawn {
    /// The items.
    pub items: Range<u64>,
    label: String,
    word: String,
    ink: Ink,
}

impl Drawn {
    fn columns(&self) -> usize {
        (cells(&self.label) + 2).max(cells(&self.word)).max(LEAST)
    }
}

/// The map.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Map {
    cells: Vec<Drawn>,
}

impl Map {
    /// The map of a handle's cells. Neighbours that are not recorded and share their fate are one.
    pub fn new(cells: &[Cell]) -> Self {
        let mut drawn: Vec<Drawn> = Vec::with_capacity(cells.len());
        let mut before: Option<&Cell> = None;
        for cell in cells {
            if let (Some(before), Some(last)) = (before, drawn.last_mut())
                && !before.recorded
                && !cell.recorded
                && before.reach == cell.reach
            {
                last.items.end = cell.range.end;
                continue;
            }
            before = Some(cell);
            let (word, ink) = word(cell.reach);
            drawn.push(Drawn {
                items: cell.range.clone(),
                label: cell.range.start.to_string(),
                word: if cell.recorded {
                    word
                } else {
                    format!("{word}not recorded")
                },
                ink,
            });
        }
        Self { cells: drawn }
    }

    /// A cell by the item that it holds.
    pub fn at(&self, item: u64) -> Option<usize> {
        self.cells
            .iter()
            .position(|cell| cell.items.contains(&item))
    }

    /// The items of a cell.
    pub fn items(&self, cell: usize) -> Option<&Range<u64>> {
        self.cells.get(cell).map(|cell| &cell.items)
    }

    /// The first cell that is drawn so that `current` is in view.
    fn first(&self, current: Option<usize>, columns: usize) -> usize {
        let Some(current) = current else { return 0 };
        let mut first = 0;
        while first < current {
            let used: usize = self
                .cells
                .iter()
                .skip(first)
                .take(current + 2 - first)
                .map(|cell| cell.columns() + 1)
                .sum();
            if used < columns {
                break;
            }
            first += 1;
        }
        first
    }

    /// The cells in view with the column that each begins in.
    fn placed(&self, current: Option<usize>, columns: usize) -> Vec<(usize, usize, &Drawn)> {
        let first = self.first(current, columns);
        let mut column = 1;
        let mut placed = Vec::new();
        for (place, cell) in self.cells.iter().enumerate().skip(first) {
            if column + cell.columns() >= columns {
                break;
            }
            placed.push((place, column, cell));
            column += cell.columns() + 1;
        }
        placed
    }

    /// The cell that is drawn in a column.
    pub fn hit(&self, current: Option<usize>, columns: u16, column: u16) -> Option<usize> {
        self.placed(current, usize::from(columns))
            .into_iter()
            .find(|(_, start, cell)| {
                (*start..start + cell.columns()).contains(&usize::from(column))
            })
            .map(|(place, ..)| place)
    }

    /// Draws three rows from `row` on: the first items, who asked, and where we are.
    pub fn draw(
        &self,
        current: Option<usize>,
        position: &str,
        canvas: &mut Canvas<'_>,
        row: u16,
        theme: &Theme,
    ) {
        let columns = usize::from(canvas.columns());
        let placed = self.placed(current, columns);
        let mut end = 0;
        for (place, start, cell) in &placed {
            let at = *start as u16;
            let wide = cell.columns();
            let here = current == Some(*place);
            canvas.put(at - 1, row, glyph::DOWN, theme.border);
            canvas.put(at - 1, row + 1, glyph::DOWN, theme.border);
            let style = if here { theme.strong } else { theme.text };
            canvas.put(at, row, &padded(&format!(" {}", cell.label), wide), style);
            canvas.put(
                at,
                row + 1,
                &padded(&cell.word, wide),
                cell.ink.style(theme),
            );
            if here {
                canvas.put(at + 1, row + 2, glyph::POINTER, theme.strong);
            }
            end = at + wide as u16;
        }
        if end > 0 {
            let more = placed
                .last()
                .is_some_and(|(place, ..)| place + 1 < self.cells.len());
            let edge = if more { glyph::CUT } else { glyph::DOWN };
            canvas.put(end, row, edge, theme.border);
            canvas.put(end, row + 1, edge, theme.border);
        }
        let room = columns.saturating_sub(usize::from(end) + 4);
        if cells(position) <= room {
            canvas.put(end + 4, row + 1, position, theme.dim);
        } else {
            canvas.put_right(canvas.columns(), row + 2, position, theme.dim);
        }
    }
}

fn word(reach: Reach) -> (String, Ink) {
    match reach {
        Reach::Sent => ("sent".to_owned(), Ink::Sent),
        Reach::ReadLater(by) => (format!(" #{}", by.index()), Ink::Later),
        Reach::Never(Never::AskedAfterRelease(by) | Never::Refused(by)) => {
            (format!(" #{}{}", by.index(), glyph::ERROR), Ink::Error)
        }
        Reach::Never(_) => ("  -".to_owned(), Ink::Never),
        Reach::Unknown => ("  ?".to_owned(), Ink::Unrecorded),
    }
}
