//! One line of a tab: inked pieces of text, some at the left and some at the right edge.
//!
//! Lines are made without a theme and without a width, so that a worker can make them.

use std::borrow::Cow;
use std::ops::Range;

use ratatui::style::Style;

use crate::text;
use crate::tui::canvas::Canvas;
use crate::tui::theme::{Theme, glyph};

/// The least room that the left side keeps before the right side is dropped.
const LEFT_KEEPS: usize = 12;

/// What a piece of text is, for its style.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Ink {
    /// Ordinary text.
    #[default]
    Text,
    /// What matters less.
    Dim,
    /// What matters more.
    Strong,
    /// A key of a JSON object, the name of a field.
    Name,
    /// A JSON string.
    String,
    /// A JSON number.
    Number,
    /// `true`, `false`, `null`.
    Literal,
    /// A key of the keyboard.
    Key,
    /// A tool's name.
    Tool,
    /// Errors.
    Error,
    /// What is odd.
    Finding,
    /// What was searched.
    Hit,
    /// Sent at once.
    Sent,
    /// Read later.
    Later,
    /// Never sent.
    Never,
    /// Not recorded.
    Unrecorded,
    /// What a re-run changed.
    Changed,
    /// What is being typed.
    Prompt,
    /// What went well.
    Good,
    /// A caption.
    Caption,
    /// What the user said.
    User,
    /// What the model said.
    Assistant,
    /// A heading.
    Title,
    /// A character that a terminal would obey or hide, made visible.
    Control,
}

impl Ink {
    /// The style of a theme for it.
    pub const fn style(self, theme: &Theme) -> Style {
        match self {
            Self::Text => theme.text,
            Self::Dim => theme.dim,
            Self::Strong => theme.strong,
            Self::Name => theme.name,
            Self::String => theme.string,
            Self::Number => theme.number,
            Self::Literal => theme.literal,
            Self::Key => theme.key,
            Self::Tool => theme.tool,
            Self::Error => theme.error,
            Self::Finding => theme.finding,
            Self::Hit => theme.hit,
            Self::Sent => theme.sent,
            Self::Later => theme.later,
            Self::Never => theme.never,
            Self::Unrecorded => theme.unrecorded,
            Self::Changed => theme.changed,
            Self::Prompt => theme.prompt,
            Self::Good => theme.good,
            Self::Caption => theme.caption,
            Self::User => theme.user,
            Self::Assistant => theme.assistant,
            Self::Title => theme.title,
            Self::Control => theme.control,
        }
    }
}

/// A piece of text with its ink. Its text may be of a recording: it is made visible when drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// The text.
    pub text: Cow<'static, str>,
    /// Its ink.
    pub ink: Ink,
}

/// A line: pieces from the left edge, and pieces that end at the right edge.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Line {
    /// From the left edge; cut with `…` where they do not fit.
    pub left: Vec<Piece>,
    /// Before the right edge; dropped where hardly anything would be left for the left side.
    pub right: Vec<Piece>,
}

impl Line {
    /// An empty line.
    pub fn new() -> Self {
        Self::default()
    }

    /// A line of one piece.
    pub fn of(ink: Ink, text: impl Into<Cow<'static, str>>) -> Self {
        Self::new().and(ink, text)
    }

    /// A line of ordinary text.
    pub fn plain(text: impl Into<Cow<'static, str>>) -> Self {
        Self::of(Ink::Text, text)
    }

    /// With one more piece at the left.
    #[must_use]
    pub fn and(mut self, ink: Ink, text: impl Into<Cow<'static, str>>) -> Self {
        self.push(ink, text);
        self
    }

    /// With one more piece at the right.
    #[must_use]
    pub fn right(mut self, ink: Ink, text: impl Into<Cow<'static, str>>) -> Self {
        self.right.push(Piece {
            text: text.into(),
            ink,
        });
        self
    }

    /// With a piece filled up with blanks to `cells`; a longer one keeps a blank after it.
    #[must_use]
    pub fn cell(self, ink: Ink, text: &str, cells: usize) -> Self {
        self.and(ink, padded(text, cells))
    }

    /// With a piece that ends at the end of `cells`.
    #[must_use]
    pub fn cell_right(self, ink: Ink, text: &str, cells: usize) -> Self {
        let shown = text::visible(text);
        let blanks = cells.saturating_sub(text::cells(&shown));
        self.and(ink, format!("{}{shown}", " ".repeat(blanks)))
    }

    /// One more piece at the left.
    pub fn push(&mut self, ink: Ink, text: impl Into<Cow<'static, str>>) {
        let text = text.into();
        if !text.is_empty() {
            self.left.push(Piece { text, ink });
        }
    }

    /// The text of the left side and, after a blank, of the right side: for copying and tests.
    pub fn text(&self) -> String {
        let join = |pieces: &[Piece]| {
            pieces
                .iter()
                .map(|piece| text::visible(&piece.text))
                .collect::<String>()
        };
        let (left, right) = (join(&self.left), join(&self.right));
        if right.is_empty() {
            left
        } else {
            format!("{left}  {right}")
        }
    }

    /// Draws the line on one row, from a column to the right edge.
    pub fn draw(&self, canvas: &mut Canvas<'_>, column: u16, row: u16, theme: &Theme) {
        let columns = canvas.columns();
        if row >= canvas.rows() || column >= columns {
            return;
        }
        let room = usize::from(columns - column);
        let left = width(&self.left);
        let right = width(&self.right);
        let mut end = columns;
        if right > 0 && (right + LEFT_KEEPS.min(left) < room) {
            let start = columns - u16::try_from(right).unwrap_or(columns);
            let mut at = start;
            for piece in &self.right {
                at = canvas.put(at, row, &piece.text, piece.ink.style(theme));
            }
            end = start.saturating_sub(1);
        }
        let mut part = canvas.part(column, row, end.saturating_sub(column), 1);
        draw_pieces(&mut part, &self.left, theme);
    }
}

fn draw_pieces(canvas: &mut Canvas<'_>, pieces: &[Piece], theme: &Theme) {
    let columns = usize::from(canvas.columns());
    let mut column = 0;
    let mut left = width(pieces);
    for piece in pieces {
        let style = piece.ink.style(theme);
        let room = columns - usize::from(column);
        if room == 0 {
            return;
        }
        let wide = text::cells(&text::visible(&piece.text));
        if left > room && wide >= room {
            // The glyph makes sure that a piece that just fits is cut too, since more follows.
            let cut = format!("{}{}", piece.text, glyph::CUT);
            canvas.put(column, 0, &text::fit(&cut, room), style);
            return;
        }
        column = canvas.put(column, 0, &piece.text, style);
        left -= wide;
    }
}

/// Cells of pieces, as they are drawn.
pub fn width(pieces: &[Piece]) -> usize {
    pieces
        .iter()
        .map(|piece| text::cells(&text::visible(&piece.text)))
        .sum()
}

/// A text made visible and filled up with blanks to `cells`; a longer one keeps a blank after it.
pub fn padded(text: &str, cells: usize) -> String {
    let shown = text::visible(text);
    let used = text::cells(&shown);
    let blanks = cells.saturating_sub(used).max(usize::from(used >= cells));
    format!("{shown}{}", " ".repeat(blanks))
}

/// Cuts pieces of a line where something in it begins and ends, and inks that.
///
/// `parts` are bytes of the pieces' texts in one row, in order and apart from each other.
pub fn inked(pieces: Vec<Piece>, parts: &[Range<usize>], ink: Ink) -> Vec<Piece> {
    if parts.is_empty() {
        return pieces;
    }
    let mut out = Vec::with_capacity(pieces.len() + 2 * parts.len());
    let mut start = 0;
    for piece in pieces {
        let end = start + piece.text.len();
        let mut at = start;
        for part in parts {
            let from = part.start.clamp(at, end);
            let to = part.end.clamp(from, end);
            for (range, ink) in [(at..from, piece.ink), (from..to, ink)] {
                let text = piece.text.get(range.start - start..range.end - start);
                if let Some(text) = text.filter(|text| !text.is_empty()) {
                    out.push(Piece {
                        text: Cow::Owned(text.to_owned()),
                        ink,
                    });
                }
            }
            at = to;
        }
        if let Some(rest) = piece.text.get(at - start..).filter(|rest| !rest.is_empty()) {
            out.push(Piece {
                text: Cow::Owned(rest.to_owned()),
                ink: piece.ink,
            });
        }
        start = end;
    }
    out
}
