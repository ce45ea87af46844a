//! The only way to draw: a rectangle of cells that clips, and into which nothing unsafe gets.

use ratatui::buffer::Buffer;
use ratatui::layout::{Margin, Rect};
use ratatui::style::Style;

use crate::text;

/// What does not fit is cut before it is looked at, since a line may be megabytes long. A cell holds
/// one cluster, and more bytes than this are more than any row of any screen.
const MOST: usize = 64 * 1024;

/// A rectangle of the screen with its own coordinates from 0,0.
///
/// What lies outside is not drawn, so that no size can panic. Text is drawn as it stands if it is
/// safe and made visible if it is not: nothing of a recording can reach the terminal raw, whoever
/// forgot to say so.
pub struct Canvas<'a> {
    buffer: &'a mut Buffer,
    area: Rect,
}

impl<'a> Canvas<'a> {
    /// The part `area` of a buffer.
    pub fn new(buffer: &'a mut Buffer, area: Rect) -> Self {
        let area = area.intersection(*buffer.area());
        Self { buffer, area }
    }

    /// Columns.
    pub const fn columns(&self) -> u16 {
        self.area.width
    }

    /// Rows.
    pub const fn rows(&self) -> u16 {
        self.area.height
    }

    /// Where it lies on the screen.
    pub const fn area(&self) -> Rect {
        self.area
    }

    /// The cells beneath, for what is not text: half-blocks of images. Draw inside `area` only.
    pub fn buffer(&mut self) -> &mut Buffer {
        self.buffer
    }

    /// A part of it, with its own coordinates; clipped.
    pub fn part(&mut self, column: u16, row: u16, columns: u16, rows: u16) -> Canvas<'_> {
        let wanted = Rect {
            x: self.area.x.saturating_add(column),
            y: self.area.y.saturating_add(row),
            width: columns,
            height: rows,
        };
        let area = wanted.intersection(self.area);
        let area = if area.is_empty() { Rect::ZERO } else { area };
        Canvas {
            buffer: self.buffer,
            area,
        }
    }

    /// All of it but a margin of `columns` left and right and `rows` above and below.
    pub fn inside(&mut self, columns: u16, rows: u16) -> Canvas<'_> {
        let area = self.area.inner(Margin::new(columns, rows));
        Canvas {
            buffer: self.buffer,
            area,
        }
    }

    /// Draws text from a column of a row, and tells the column after it.
    pub fn put(&mut self, column: u16, row: u16, text: &str, style: Style) -> u16 {
        let room = self.area.width.saturating_sub(column);
        if row >= self.area.height || room == 0 {
            return column;
        }
        let text = text::visible(cut_bytes(text, MOST));
        let (end, _) = self.buffer.set_stringn(
            self.area.x + column,
            self.area.y + row,
            text,
            usize::from(room),
            style,
        );
        end - self.area.x
    }

    /// Draws text in a field of `cells`, cut with `…` where it does not fit, and tells the column
    /// after the field (not after the text).
    pub fn field(&mut self, column: u16, row: u16, cells: u16, text: &str, style: Style) -> u16 {
        let room = self.area.width.saturating_sub(column).min(cells);
        self.part(column, row, room, 1).put(
            0,
            0,
            &text::fit(cut_bytes(text, MOST), usize::from(room)),
            style,
        );
        column.saturating_add(cells).min(self.area.width)
    }

    /// Draws text that ends before the column `end`, cut with `…` where it does not fit, and tells
    /// the column where it begins.
    pub fn put_right(&mut self, end: u16, row: u16, text: &str, style: Style) -> u16 {
        let end = end.min(self.area.width);
        let text = text::fit(cut_bytes(text, MOST), usize::from(end));
        let start = end.saturating_sub(u16::try_from(text::cells(&text)).unwrap_or(end));
        self.put(start, row, &text, style);
        start
    }

    /// Gives a whole row a style without touching its text.
    pub fn style_row(&mut self, row: u16, style: Style) {
        self.style(0, row, self.area.width, 1, style);
    }

    /// Gives a part a style without touching its text.
    pub fn style(&mut self, column: u16, row: u16, columns: u16, rows: u16, style: Style) {
        let area = self.part(column, row, columns, rows).area;
        self.buffer.set_style(area, style);
    }

    /// Fills a row from a column with one glyph of one cell.
    pub fn rule(&mut self, column: u16, row: u16, columns: u16, glyph: &str, style: Style) {
        for offset in 0..columns.min(self.area.width.saturating_sub(column)) {
            self.put(column + offset, row, glyph, style);
        }
    }

    /// Empties it.
    pub fn clear(&mut self) {
        for position in self.area.positions() {
            if let Some(cell) = self.buffer.cell_mut(position) {
                cell.reset();
            }
        }
    }
}

/// At most `limit` bytes of a text, cut between characters.
fn cut_bytes(text: &str, limit: usize) -> &str {
    text.get(..text.floor_char_boundary(limit.min(text.len())))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use ratatui::buffer::Buffer;
    use ratatui::layout::Rect;
    use ratatui::style::Style;

    use super::Canvas;

    proptest! {
        #[test]
        fn nothing_panics_and_nothing_unsafe_gets_in(
            (width, height) in (0_u16..30, 0_u16..6),
            (column, row, room) in (0_u16..40, 0_u16..8, 0_u16..40),
            text in "[a-z\u{1b}\u{202e}\u{200b}\n\u{4e2d}e\u{301}]{0,40}",
        ) {
            let mut buffer = Buffer::empty(Rect::new(3, 2, width, height));
            let mut canvas = Canvas::new(&mut buffer, Rect::new(0, 0, 50, 50));
            canvas.put(column, row, &text, Style::new());
            canvas.field(column, row, room, &text, Style::new());
            canvas.put_right(column, row, &text, Style::new());
            canvas.rule(column, row, room, "-", Style::new());
            canvas.part(column, row, room, room).part(row, column, 3, 3).clear();
            let safe = |symbol: &str| !symbol.contains(|c: char| c.is_control() || c == '\u{202e}' || c == '\u{200b}');
            prop_assert!(buffer.content.iter().all(|cell| safe(cell.symbol())));
        }
    }
}
