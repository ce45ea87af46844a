//! Terminal cells, counted as ratatui fills its buffer.

use std::borrow::Cow;

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use super::hazard::is_halfwidth_sound_mark;
use super::visible::{Marks, pieces, visible_in};

/// How many cells `text` takes in ratatui's buffer, which places one grapheme after the other.
///
/// The sum over the graphemes is what is drawn; unicode-width's own width of the whole string is
/// smaller where a font would join two graphemes (Arabic lam and alef).
pub fn cells(text: &str) -> usize {
    if text.is_ascii() {
        return text.len();
    }
    text.graphemes(true).map(grapheme_cells).sum()
}

/// Cells of one grapheme.
pub(super) fn grapheme_cells(grapheme: &str) -> usize {
    if grapheme.len() == 1 {
        return 1;
    }
    grapheme.width()
        + grapheme
            .chars()
            .filter(|&c| is_halfwidth_sound_mark(c))
            .count()
}

/// The text made visible in at most `width` cells; where something had to go, the last cell is `…`.
pub fn fit(text: &str, width: usize) -> Cow<'_, str> {
    fit_in(text, width, Marks::Unicode)
}

/// [`fit`] with a choice of marks; the ASCII form ends a cut text with `>`.
pub fn fit_in(text: &str, width: usize, marks: Marks) -> Cow<'_, str> {
    // Only as much of the text is looked at as fits, however long it is. A piece is no longer than
    // its cells allow, except for combining characters, of which a cell holds few.
    let mut used = 0;
    let mut out = String::new();
    let mut whole = true;
    'pieces: for piece in pieces(text, marks) {
        if whole && used == 0 && piece.source.len() == text.len() && piece.is_borrowed() {
            if let Some(cut) = cut_at(text, width) {
                out.push_str(&text[..cut]);
                whole = false;
                break;
            }
            return Cow::Borrowed(text);
        }
        for grapheme in piece.shown.graphemes(true) {
            let wide = grapheme_cells(grapheme);
            if used + wide > width {
                whole = false;
                break 'pieces;
            }
            used += wide;
            out.push_str(grapheme);
        }
    }
    if whole {
        return Cow::Owned(out);
    }
    if width == 0 {
        return Cow::Borrowed("");
    }
    // A mark and its neighbour may join to one grapheme of another width, so what is left is
    // counted again from the end.
    let ellipsis = marks.ellipsis();
    while cells(&out) + 1 > width {
        let Some((last, _)) = out.grapheme_indices(true).next_back() else {
            break;
        };
        out.truncate(last);
    }
    out.push(ellipsis);
    Cow::Owned(out)
}

/// The end of the text made visible in at most `width` cells, with `…` in the first where something
/// had to go: for paths, whose end tells more.
pub fn fit_end(text: &str, width: usize) -> Cow<'_, str> {
    let shown = visible_in(text, Marks::Unicode);
    if cells(&shown) <= width {
        return shown;
    }
    if width == 0 {
        return Cow::Borrowed("");
    }
    let mut used = 1;
    let mut start = shown.len();
    for (at, grapheme) in shown.grapheme_indices(true).rev() {
        used += grapheme_cells(grapheme);
        if used > width {
            break;
        }
        start = at;
    }
    let mut out = String::from(Marks::Unicode.ellipsis());
    out.push_str(&shown[start..]);
    Cow::Owned(out)
}

/// The text made visible in exactly `width` cells, cut or filled up with blanks.
pub fn padded(text: &str, width: usize) -> String {
    let mut out = fit(text, width).into_owned();
    let used = cells(&out);
    out.extend(std::iter::repeat_n(' ', width.saturating_sub(used)));
    out
}

/// Where a text that is too wide stops fitting.
fn cut_at(text: &str, width: usize) -> Option<usize> {
    if text.is_ascii() {
        return (text.len() > width).then_some(width);
    }
    let mut used = 0;
    for (at, grapheme) in text.grapheme_indices(true) {
        used += grapheme_cells(grapheme);
        if used > width {
            return Some(at);
        }
    }
    None
}
