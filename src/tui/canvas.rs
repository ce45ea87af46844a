//! The only way to draw: a rectangle of cells that clips, and into which nothing unsafe gets.

use std::borrow::Cow;

use ratatui::buffer::Buffer;
use ratatui::layout::{Margin, Rect};
use ratatui::style::Style;
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

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
        // What does not fit is cut before it is looked at: a line may be megabytes long. A cell
        // holds one cluster, and clusters longer than this are not worth a screen's time.
        let text = cut_bytes(text, usize::from(room).saturating_mul(64));
        let text = safe(text);
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
        self.part(column, row, room, 1)
            .put(0, 0, &fit(text, room), style);
        column.saturating_add(cells).min(self.area.width)
    }

    /// Draws text that ends before the column `end`, cut with `…` where it does not fit, and tells
    /// the column where it begins.
    pub fn put_right(&mut self, end: u16, row: u16, text: &str, style: Style) -> u16 {
        let end = end.min(self.area.width);
        let text = fit(text, end);
        let start = end.saturating_sub(cells(&text));
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

/// The cells that a text takes on the screen, as drawn.
pub fn cells(text: &str) -> u16 {
    u16::try_from(safe(text).width()).unwrap_or(u16::MAX)
}

/// A text cut to a number of cells, with `…` in the last one where something is missing.
pub fn fit(text: &str, room: u16) -> Cow<'_, str> {
    let text = match safe(cut_bytes(
        text,
        usize::from(room).saturating_add(1).saturating_mul(64),
    )) {
        Cow::Borrowed(shown) if shown.len() < text.len() => Cow::Owned(format!("{shown}…")),
        shown => shown,
    };
    if text.width() <= usize::from(room) {
        return text;
    }
    let mut kept = String::new();
    let mut width = 0;
    for cluster in text.graphemes(true) {
        let next = width + cluster.width();
        if next + 1 > usize::from(room) {
            break;
        }
        kept.push_str(cluster);
        width = next;
    }
    if room > 0 {
        kept.push('…');
    }
    Cow::Owned(kept)
}

/// At most `limit` bytes of a text, cut between characters.
fn cut_bytes(text: &str, limit: usize) -> &str {
    text.get(..text.floor_char_boundary(limit.min(text.len())))
        .unwrap_or_default()
}

/// A text with everything made visible that could steer a terminal or hide from the eye.
///
/// Callers give text that is safe already (`text::visible`); this is the net below them.
fn safe(text: &str) -> Cow<'_, str> {
    if text.chars().all(is_plain) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        if is_plain(character) {
            shown.push(character);
        } else {
            shown.push('␦');
        }
    }
    Cow::Owned(shown)
}

fn is_plain(character: char) -> bool {
    !(character.is_control()
        || matches!(character,
            '\u{00AD}' | '\u{061C}' | '\u{180E}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}'
            | '\u{E0000}'..='\u{E007F}'))
}
