//! Text made safe to draw, and text measured.
//!
//! Nothing of a recording reaches the terminal as it stands: everything that is drawn goes through
//! [`visible`] (one line), [`visible_lines`] (many) or [`visible_bytes`] (bytes that need not be
//! UTF-8), or through [`fit`], which includes [`visible`]. What a terminal would obey or hide is
//! drawn as a mark instead: an escape as `␛`, a line feed as `␊`, a bidi override as `⟨U+202E⟩`.
//! Making visible text visible again changes nothing.
//!
//! Width is counted as ratatui counts it when it fills its buffer, grapheme by grapheme.

mod hazard;
#[cfg(test)]
mod properties;
mod units;
mod visible;
mod width;
mod wrap;

pub use units::{Units, grouped, short_bytes, short_count};
pub use visible::{
    Marks, Piece, PieceKind, Pieces, Shown, line_ranges, pieces, shown, visible, visible_bytes,
    visible_bytes_in, visible_in, visible_lines, visible_lines_in,
};
pub use width::{cells, fit, fit_end, fit_in, padded};
pub use wrap::wrap;
