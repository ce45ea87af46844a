//! Images in half-blocks: two pixels in a cell, one above the other.

use ratatui::layout::Rect;
use ratatui::style::{Color, Style};

use crate::media::Thumbnail;
use crate::tui::canvas::Canvas;
use crate::tui::theme::{Theme, glyph};

/// Pixels of a picture are kept for a pane of at most this size.
pub const MOST_COLUMNS: u16 = 160;
/// See [`MOST_COLUMNS`].
pub const MOST_ROWS: u16 = 48;

/// From dark to light, for terminals without colour.
const SHADES: &[u8] = b" .:-=+*#%@";

/// A picture that was decoded and made small by a worker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    thumbnail: Thumbnail,
}

impl Picture {
    /// A picture of at most [`MOST_COLUMNS`] by [`MOST_ROWS`] cells.
    pub const fn new(thumbnail: Thumbnail) -> Self {
        Self { thumbnail }
    }

    /// Cells that it takes where so many columns are free.
    fn cells(&self, columns: u16) -> (u32, u32) {
        let (width, height) = (self.thumbnail.width.max(1), self.thumbnail.height.max(1));
        let columns = width.min(u32::from(columns)).max(1);
        let pixels = (u64::from(height) * u64::from(columns)).div_ceil(u64::from(width)) as u32;
        (columns, pixels.div_ceil(2).max(1))
    }

    /// Rows that it takes where so many columns are free.
    pub fn rows(&self, columns: u16) -> u32 {
        self.cells(columns).1
    }

    /// Draws one of its rows from a column on.
    pub fn draw(&self, canvas: &mut Canvas<'_>, column: u16, row: u16, line: u32, theme: &Theme) {
        let free = canvas.columns().saturating_sub(column);
        if row >= canvas.rows() || free == 0 {
            return;
        }
        let (columns, rows) = self.cells(free);
        if line >= rows {
            return;
        }
        let colour = theme.error.fg.is_some() || theme.good.fg.is_some();
        let area = canvas.area();
        let place = Rect::new(area.x + column, area.y + row, 1, 1);
        let buffer = canvas.buffer();
        for x in 0..columns {
            let upper = self.sample(x, line * 2, columns, rows * 2);
            let lower = self.sample(x, line * 2 + 1, columns, rows * 2);
            let Some(cell) = buffer.cell_mut((place.x + x as u16, place.y)) else {
                return;
            };
            cell.reset();
            if colour && !theme.ascii {
                half(cell, upper, lower);
            } else {
                let light = u32::midpoint(brightness(upper), brightness(lower));
                let shade = light as usize * (SHADES.len() - 1) / 255;
                let shade = SHADES.get(shade).copied().unwrap_or(b' ');
                cell.set_char(char::from(shade));
            }
        }
    }

    /// The pixel of a place in a grid of another size.
    fn sample(&self, x: u32, y: u32, columns: u32, rows: u32) -> [u8; 4] {
        let at = |place: u32, of: u32, size: u32| {
            (u64::from(place) * u64::from(size) / u64::from(of.max(1))) as u32
        };
        let x = at(x, columns, self.thumbnail.width);
        // An odd last row has nothing under it, which the rounding up of the rows must not stretch.
        let pixels = (u64::from(self.thumbnail.height) * u64::from(columns))
            .div_ceil(u64::from(self.thumbnail.width.max(1))) as u32;
        let y = at(y, pixels.min(rows), self.thumbnail.height);
        self.thumbnail.pixel(x, y).unwrap_or([0, 0, 0, 0])
    }
}

fn half(cell: &mut ratatui::buffer::Cell, upper: [u8; 4], lower: [u8; 4]) {
    let mut style = Style::new();
    match (colour(upper), colour(lower)) {
        (None, None) => return,
        (Some(upper), Some(lower)) => {
            cell.set_symbol(glyph::HALF);
            style = style.fg(upper).bg(lower);
        }
        (Some(upper), None) => {
            cell.set_symbol(glyph::HALF);
            style = style.fg(upper);
        }
        // The lower half alone: the upper half of the cell is the terminal's own ground.
        (None, Some(lower)) => {
            cell.set_symbol("▄");
            style = style.fg(lower);
        }
    }
    cell.set_style(style);
}

/// The nearest of the 256 colours that nearly every terminal has; none for what is transparent.
fn colour([red, green, blue, alpha]: [u8; 4]) -> Option<Color> {
    if alpha < 64 {
        return None;
    }
    let near = u32::from(red.abs_diff(green)) + u32::from(green.abs_diff(blue));
    if near < 12 {
        let grey = u32::from(green);
        return Some(Color::Indexed(match grey {
            0..=4 => 16,
            247..=255 => 231,
            _ => (232 + (grey.saturating_sub(3) / 10).min(23)) as u8,
        }));
    }
    let level = |channel: u8| match channel {
        0..=47 => 0,
        48..=114 => 1,
        _ => (channel - 35) / 40,
    };
    Some(Color::Indexed(
        16 + 36 * level(red) + 6 * level(green) + level(blue),
    ))
}

/// How light a pixel is, 0 to 255.
fn brightness([red, green, blue, alpha]: [u8; 4]) -> u32 {
    let light = (2126 * u32::from(red) + 7152 * u32::from(green) + 722 * u32::from(blue)) / 10_000;
    light * u32::from(alpha) / 255
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use ratatui::buffer::Buffer;

    use super::*;
    use crate::media::PixelSize;

    fn picture(width: u32, height: u32) -> Picture {
        let pixels = (0..width * height)
            .map(|at| [(at % 256) as u8, 80, 200, 255])
            .collect();
        Picture::new(Thumbnail {
            width,
            height,
            pixels,
            original: PixelSize { width, height },
        })
    }

    #[test]
    fn proportions_are_kept() {
        assert_eq!(picture(40, 40).cells(80), (40, 20));
        assert_eq!(picture(40, 40).cells(20), (20, 10));
        assert_eq!(picture(1, 1).cells(20), (1, 1));
    }

    #[test]
    fn the_nearest_colours_are_found() {
        for (pixel, index) in [
            ([0, 0, 0, 255], 16),
            ([255, 255, 255, 255], 231),
            ([255, 0, 0, 255], 196),
            ([0, 135, 255, 255], 33),
            ([128, 128, 128, 255], 244),
        ] {
            assert_eq!(colour(pixel), Some(Color::Indexed(index)), "{pixel:?}");
        }
        assert_eq!(colour([1, 2, 3, 0]), None);
    }

    proptest! {
        #[test]
        fn nothing_is_drawn_outside(
            (width, height) in (0_u32..70, 0_u32..70),
            (columns, rows) in (0_u16..40, 0_u16..10),
            line in 0_u32..60,
        ) {
            let area = Rect::new(2, 1, columns, rows);
            let mut buffer = Buffer::empty(Rect::new(0, 0, 60, 20));
            let mut canvas = Canvas::new(&mut buffer, area);
            picture(width, height).draw(&mut canvas, 2, 0, line, &Theme::colour());
            for y in 0..20 {
                for x in 0..60 {
                    if !area.contains((x, y).into()) {
                        prop_assert_eq!(buffer[(x, y)].symbol(), " ");
                    }
                }
            }
        }
    }
}
