//! Breaking a line into rows.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;

use super::width::grapheme_cells;

/// Breaks one visible line into rows of at most `width` cells.
///
/// Rows end after blanks where there are some, else between graphemes; a grapheme that is wider
/// than `width` is broken between its characters, and a character that is still wider has a row of
/// its own. The ranges are of `text`, in order, and leave out nothing but a single blank at the end
/// of a full row, which the break stands for. An empty text has one empty row.
pub fn wrap(text: &str, width: usize) -> Vec<Range<usize>> {
    let width = width.max(1);
    if text.len() <= width && text.is_ascii() {
        return std::iter::once(0..text.len()).collect();
    }
    let mut rows = Rows {
        text,
        width,
        done: Vec::new(),
        start: 0,
        used: 0,
        after_blank: None,
    };
    for (at, grapheme) in text.grapheme_indices(true) {
        let wide = grapheme_cells(grapheme);
        if wide <= width {
            rows.place(at, grapheme, wide);
        } else {
            for (inside, c) in grapheme.char_indices() {
                let piece = &grapheme[inside..inside + c.len_utf8()];
                rows.place(at + inside, piece, grapheme_cells(piece));
            }
        }
    }
    if rows.start < text.len() || rows.done.is_empty() {
        rows.done.push(rows.start..text.len());
    }
    rows.done
}

struct Rows<'a> {
    text: &'a str,
    width: usize,
    done: Vec<Range<usize>>,
    /// First byte of the row being filled.
    start: usize,
    /// Its cells so far.
    used: usize,
    /// Where the row could be broken after a blank, and its cells up to there.
    after_blank: Option<(usize, usize)>,
}

impl Rows<'_> {
    fn place(&mut self, at: usize, piece: &str, wide: usize) {
        let blank = piece == " ";
        if self.used + wide > self.width && at > self.start {
            if blank {
                // The row is full to its edge: the break stands for this blank.
                self.break_at(at, at + piece.len());
                return;
            }
            match self.after_blank {
                Some((place, cells)) if place < at => {
                    self.done.push(self.start..place);
                    self.start = place;
                    self.used -= cells;
                    self.after_blank = None;
                }
                _ => self.break_at(at, at),
            }
            if self.used + wide > self.width && at > self.start {
                self.break_at(at, at);
            }
        }
        if at == self.start {
            self.used = 0;
        }
        self.used += wide;
        if blank {
            self.after_blank = Some((at + piece.len(), self.used));
        }
        debug_assert!(self.start <= self.text.len());
    }

    fn break_at(&mut self, end: usize, next: usize) {
        self.done.push(self.start..end);
        self.start = next;
        self.used = 0;
        self.after_blank = None;
    }
}
