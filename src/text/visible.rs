//! What a terminal would obey or hide, drawn as marks.

use std::borrow::Cow;
use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;

use super::hazard::{Class, class, may_join, regional_letter, takes_presentation};
use super::width::cells;

/// How many combining characters one base may carry before the rest is counted instead of drawn:
/// more climb over the lines above and below. Pointed Hebrew needs four.
const STACK: usize = 4;

/// How many characters one grapheme may have before it is broken by a mark: ratatui draws a grapheme
/// whole or not at all, so an endless one would hide the rest of its line. The longest conjuncts in
/// use have eleven.
const CLUSTER: usize = 16;

/// A tab ends at the next multiple of this many cells.
const TAB: usize = 4;

/// Which signs stand for what cannot be drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Marks {
    /// `␛`, `␊`, `⟨U+202E⟩`, `…`.
    #[default]
    Unicode,
    /// `^[`, `^J`, `<U+202E>`, `>`: for terminals and fonts without the others. The text itself
    /// keeps its letters.
    Ascii,
}

impl Marks {
    /// The sign at the end of a cut text; one cell.
    pub const fn ellipsis(self) -> char {
        match self {
            Self::Unicode => '…',
            Self::Ascii => '>',
        }
    }

    const fn brackets(self) -> (char, char) {
        match self {
            Self::Unicode => ('⟨', '⟩'),
            Self::Ascii => ('<', '>'),
        }
    }

    fn named(self, inside: &str) -> String {
        let (open, close) = self.brackets();
        format!("{open}{inside}{close}")
    }

    fn of(self, c: char) -> String {
        let code = c as u32;
        match (self, code) {
            (Self::Unicode, 0x00..=0x1F) => {
                char::from_u32(0x2400 + code).unwrap_or('␀').to_string()
            }
            (Self::Unicode, 0x7F) => "␡".to_owned(),
            (Self::Ascii, 0x00..=0x1F | 0x7F) => {
                format!("^{}", char::from_u32(code ^ 0x40).unwrap_or('?'))
            }
            _ => self.named(&format!("U+{code:04X}")),
        }
    }
}

/// What a piece of shown text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PieceKind {
    /// The recorded text itself.
    Plain,
    /// A mark in place of something that cannot be drawn.
    Mark,
}

/// A run of source text and how it is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece<'a> {
    /// The bytes of the source that it stands for.
    pub source: Range<usize>,
    /// What is drawn; empty for a presentation selector that only chooses a form.
    pub shown: Cow<'a, str>,
    /// Text or mark.
    pub kind: PieceKind,
}

impl Piece<'_> {
    /// Drawn as it stands in the source.
    pub fn is_borrowed(&self) -> bool {
        matches!(self.shown, Cow::Borrowed(_)) && self.kind == PieceKind::Plain
    }
}

/// The pieces of one line; see [`pieces`].
#[derive(Debug, Clone)]
pub struct Pieces<'a> {
    text: &'a str,
    at: usize,
    marks: Marks,
    /// Cells so far where tabs are drawn to their stops, none where a tab is one mark.
    column: Option<usize>,
    base: Base,
    /// The run before ended inside a grapheme that is too long.
    broken: bool,
}

/// What a combining character would land on.
#[derive(Debug, Clone, Copy)]
enum Base {
    /// Nothing of this text: it would land on whatever is drawn before it.
    None,
    /// A character, with so many combining ones on it already.
    Char(char, usize),
}

/// The text as pieces, as they are drawn on one line: plain runs and marks, each with the source
/// bytes that it stands for.
pub fn pieces(text: &str, marks: Marks) -> Pieces<'_> {
    Pieces {
        text,
        at: 0,
        marks,
        column: None,
        base: Base::None,
        broken: false,
    }
}

impl<'a> Pieces<'a> {
    /// The same with tabs drawn to their stops, as lines of a text show them.
    fn with_tabs(mut self) -> Self {
        self.column = Some(0);
        self
    }

    /// The end of the plain run that starts here; inside a grapheme where that is too long.
    fn plain_run(&mut self) -> usize {
        let end = self.drawable_run();
        let run = &self.text[self.at..end];
        if run.is_ascii() || !run.chars().any(may_join) {
            return end;
        }
        for (offset, grapheme) in run.grapheme_indices(true) {
            if let Some((inside, _)) = grapheme.char_indices().nth(CLUSTER) {
                self.broken = true;
                return self.at + offset + inside;
            }
        }
        end
    }

    fn drawable_run(&mut self) -> usize {
        for (offset, c) in self.text[self.at..].char_indices() {
            match class(c) {
                Class::Plain => self.base = Base::Char(c, 0),
                Class::Combining => match self.base {
                    Base::Char(base, stacked) if stacked < STACK => {
                        self.base = Base::Char(base, stacked + 1);
                    }
                    _ => return self.at + offset,
                },
                Class::Hazard => return self.at + offset,
            }
        }
        self.text.len()
    }

    fn special(&mut self, c: char) -> (usize, Cow<'a, str>, PieceKind) {
        let end = self.at + c.len_utf8();
        if class(c) == Class::Combining {
            return self.loose_combining(c);
        }
        match (c, self.base) {
            ('\u{FE0E}' | '\u{FE0F}', Base::Char(base, _)) if self.is_presentation(base, end) => {
                return (end, Cow::Borrowed(""), PieceKind::Plain);
            }
            ('\t', _) if let Some(column) = self.column => {
                self.base = Base::None;
                let mut mark = self.marks.of(c);
                let used = column + cells(&mark);
                let stop = used.next_multiple_of(TAB);
                mark.extend(std::iter::repeat_n(' ', stop - used));
                return (end, Cow::Owned(mark), PieceKind::Mark);
            }
            _ => {}
        }
        self.base = Base::None;
        if let Some(letter) = regional_letter(c) {
            return self.flag(letter, end);
        }
        (end, Cow::Owned(self.marks.of(c)), PieceKind::Mark)
    }

    /// A flag by its two letters, or one letter without its second.
    fn flag(&self, first: char, end: usize) -> (usize, Cow<'a, str>, PieceKind) {
        let mut letters = String::from(first);
        let mut end = end;
        let second = self.text[end..].chars().next();
        if let Some((c, letter)) = second.and_then(|c| Some((c, regional_letter(c)?))) {
            letters.push(letter);
            end += c.len_utf8();
        }
        (end, Cow::Owned(self.marks.named(&letters)), PieceKind::Mark)
    }

    /// A digit takes a selector only as part of a keycap.
    fn is_presentation(&self, base: char, end: usize) -> bool {
        takes_presentation(base) && (!base.is_ascii() || self.text[end..].starts_with('\u{20E3}'))
    }

    /// A mark that stands for nothing but a break.
    fn breaker(&mut self) -> Piece<'a> {
        let mark = self.marks.named("joined");
        if let Some(column) = &mut self.column {
            *column += cells(&mark);
        }
        Piece {
            source: self.at..self.at,
            shown: Cow::Owned(mark),
            kind: PieceKind::Mark,
        }
    }

    /// Combining characters without a base of their own, or too many of them.
    fn loose_combining(&mut self, c: char) -> (usize, Cow<'a, str>, PieceKind) {
        if let Base::Char(..) = self.base {
            let run = self.text[self.at..]
                .char_indices()
                .find(|&(_, c)| class(c) != Class::Combining)
                .map_or(self.text.len(), |(offset, _)| self.at + offset);
            let count = self.text[self.at..run].chars().count();
            self.base = Base::None;
            return (
                run,
                Cow::Owned(self.marks.named(&format!("+{count} marks"))),
                PieceKind::Mark,
            );
        }
        let end = self.at + c.len_utf8();
        match self.marks {
            Marks::Unicode => {
                self.base = Base::Char('◌', 1);
                (end, Cow::Owned(format!("◌{c}")), PieceKind::Mark)
            }
            Marks::Ascii => (end, Cow::Owned(self.marks.of(c)), PieceKind::Mark),
        }
    }
}

impl<'a> Iterator for Pieces<'a> {
    type Item = Piece<'a>;

    fn next(&mut self) -> Option<Piece<'a>> {
        let start = self.at;
        if std::mem::take(&mut self.broken) {
            self.base = Base::None;
            return Some(self.breaker());
        }
        let first = self.text[start..].chars().next()?;
        let end = self.plain_run();
        let piece = if end > start {
            Piece {
                source: start..end,
                shown: Cow::Borrowed(&self.text[start..end]),
                kind: PieceKind::Plain,
            }
        } else {
            let (end, shown, kind) = self.special(first);
            Piece {
                source: start..end,
                shown,
                kind,
            }
        };
        self.at = piece.source.end;
        if let Some(column) = &mut self.column
            && self.at < self.text.len()
        {
            *column += cells(&piece.shown);
        }
        Some(piece)
    }
}

/// The text on one line, with everything that a terminal would obey or hide drawn as a mark.
pub fn visible(text: &str) -> Cow<'_, str> {
    visible_in(text, Marks::Unicode)
}

/// [`visible`] with a choice of marks.
pub fn visible_in(text: &str, marks: Marks) -> Cow<'_, str> {
    joined(text, pieces(text, marks))
}

fn joined<'a>(text: &'a str, mut pieces: Pieces<'a>) -> Cow<'a, str> {
    let Some(first) = pieces.next() else {
        return Cow::Borrowed(text);
    };
    if first.is_borrowed() && first.source.end == text.len() {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    out.push_str(&first.shown);
    for piece in pieces {
        out.push_str(&piece.shown);
    }
    Cow::Owned(out)
}

/// The lines of a text, each made visible, with tabs drawn to their stops. A carriage return before
/// the line feed is drawn too.
pub fn visible_lines(text: &str) -> impl Iterator<Item = Cow<'_, str>> {
    visible_lines_in(text, Marks::Unicode)
}

/// [`visible_lines`] with a choice of marks.
pub fn visible_lines_in(text: &str, marks: Marks) -> impl Iterator<Item = Cow<'_, str>> {
    line_ranges(text).map(move |range| {
        let line = &text[range];
        joined(line, pieces(line, marks).with_tabs())
    })
}

/// Where the lines of a text are, without their line feeds; one at the end opens no further line.
pub fn line_ranges(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut start = 0;
    text.split_terminator('\n').map(move |line| {
        let range = start..start + line.len();
        start = range.end + 1;
        range
    })
}

/// Bytes that need not be UTF-8 on one line: what is no UTF-8 as `⟨0xFF⟩`, the rest as [`visible`].
pub fn visible_bytes(bytes: &[u8]) -> String {
    visible_bytes_in(bytes, Marks::Unicode)
}

/// [`visible_bytes`] with a choice of marks.
pub fn visible_bytes_in(bytes: &[u8], marks: Marks) -> String {
    let mut out = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        out.push_str(&visible_in(chunk.valid(), marks));
        for byte in chunk.invalid() {
            out.push_str(&marks.named(&format!("0x{byte:02X}")));
        }
    }
    out
}

/// A line as it is drawn, with the way back to its source: for cursors and search hits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown<'a> {
    /// What is drawn.
    pub text: Cow<'a, str>,
    /// The marks: source bytes and where they are drawn. Between marks the two run in step.
    pub marks: Vec<(Range<usize>, Range<usize>)>,
}

/// One line of a text as it is drawn (tabs to their stops), with its marks.
pub fn shown(line: &str, marks: Marks) -> Shown<'_> {
    let mut found = Vec::new();
    let mut at = 0;
    for piece in pieces(line, marks).with_tabs() {
        let end = at + piece.shown.len();
        if !piece.is_borrowed() || piece.source.len() != piece.shown.len() {
            found.push((piece.source, at..end));
        }
        at = end;
    }
    Shown {
        text: joined(line, pieces(line, marks).with_tabs()),
        marks: found,
    }
}

impl Shown<'_> {
    /// Where a byte of the source is drawn; inside a mark, the start of the mark.
    pub fn shown_at(&self, source: usize) -> usize {
        let after = self.marks.partition_point(|(from, _)| from.start <= source);
        match after.checked_sub(1).and_then(|last| self.marks.get(last)) {
            None => source.min(self.text.len()),
            Some((from, to)) if source < from.end => to.start,
            Some((from, to)) => (to.end + source - from.end).min(self.text.len()),
        }
    }

    /// Which byte of the source is drawn here; inside a mark, the start of what it stands for.
    pub fn source_at(&self, shown: usize) -> usize {
        let after = self.marks.partition_point(|(_, to)| to.start <= shown);
        match after.checked_sub(1).and_then(|last| self.marks.get(last)) {
            None => shown,
            Some((from, to)) if shown < to.end => from.start,
            Some((from, to)) => from.end + shown - to.end,
        }
    }
}
