//! A short list of lines with a cursor over those that can be chosen.

use super::line::Line;
use crate::text;
use crate::tui::canvas::Canvas;
use crate::tui::tabs::line::Ink;
use crate::tui::theme::{Theme, glyph};

/// A line that may belong to something that can be chosen.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Row {
    /// What is chosen with it, counted over all that can be; none for a line that only tells.
    pub choice: Option<usize>,
    /// The line.
    pub line: Line,
}

/// The rows of a tab with few lines, made anew for every width.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Rows {
    rows: Vec<Row>,
}

impl Rows {
    /// Adds a line that only tells.
    pub fn tell(&mut self, line: Line) {
        self.rows.push(Row { choice: None, line });
    }

    /// Adds a line that can be chosen.
    pub fn choose(&mut self, choice: usize, line: Line) {
        self.rows.push(Row {
            choice: Some(choice),
            line,
        });
    }

    /// Adds a text after a first piece, wrapped under its own beginning.
    pub fn wrapped(
        &mut self,
        choice: Option<usize>,
        first: &Line,
        ink: Ink,
        said: &str,
        columns: usize,
    ) {
        let indent = super::line::width(&first.left);
        let shown = text::visible(said);
        let room = columns.saturating_sub(indent).max(8);
        for (place, range) in text::wrap(&shown, room).into_iter().enumerate() {
            let part = shown.get(range).unwrap_or_default().to_owned();
            let mut line = if place == 0 {
                first.clone()
            } else {
                Line::of(Ink::Text, " ".repeat(indent))
            };
            line.push(ink, part);
            self.rows.push(Row { choice, line });
        }
    }

    /// How many rows there are.
    pub const fn len(&self) -> usize {
        self.rows.len()
    }

    /// The rows.
    pub fn iter(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter()
    }

    /// All lines as text, for copying.
    pub fn text(&self) -> String {
        let lines: Vec<String> = self
            .rows
            .iter()
            .map(|row| row.line.text().trim_end().to_owned())
            .collect();
        lines.join("\n")
    }

    /// The first row to draw, so that the chosen one is in view near where it was.
    pub fn top(&self, chosen: usize, wanted: usize, rows: usize) -> usize {
        let mut of_choice = self
            .rows
            .iter()
            .enumerate()
            .filter(|(_, row)| row.choice == Some(chosen))
            .map(|(place, _)| place);
        let first = of_choice.next().unwrap_or(0);
        let last = of_choice.next_back().unwrap_or(first);
        let most = self.rows.len().saturating_sub(rows.max(1));
        let mut top = wanted.min(most);
        if last >= top + rows {
            top = (last + 1).saturating_sub(rows);
        }
        top.min(first)
    }

    /// Draws them from a row of the list on, the chosen one marked.
    pub fn draw(&self, chosen: usize, top: usize, canvas: &mut Canvas<'_>, theme: &Theme) {
        for (row, at) in self.rows.iter().skip(top).zip(0..canvas.rows()) {
            row.line.draw(canvas, 1, at, theme);
            if row.choice == Some(chosen) {
                canvas.put(0, at, glyph::CURSOR, theme.strong);
                canvas.style_row(at, theme.selection);
            }
        }
    }
}
