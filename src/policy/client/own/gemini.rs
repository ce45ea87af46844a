//! Gemini CLI before 0.26.

use std::ops::Range;

use super::super::count::Count;
use super::super::definition::Step;
use super::super::facts::Scene;
use super::super::piece::{Piece, push};
use super::super::rows::Rows;
use super::super::shape::Selection;
use super::budget;

/// A line, and whether the next one is only the rest of the same row.
struct Line {
    range: Range<usize>,
    goes_on: bool,
}

/// Wraps rows where there are few of them, then keeps a fifth of the lines from the start and the
/// rest from the end.
///
/// Where wrapping makes fewer lines than that, both ends show the same lines.
pub(super) fn wrap(step: &Step, scene: &Scene<'_>) -> Option<Selection> {
    let text = scene.text;
    let most = budget(step, scene);
    let rows = Rows::of(text);
    let wrap_at = (rows.count() <= most)
        .then(|| scene.settings.number("wrap"))
        .flatten()
        .filter(|&width| width > 0);
    let mut lines = Vec::with_capacity(rows.count());
    for row in 0..rows.count() {
        let place = rows.row(row);
        match wrap_at {
            Some(width) => wrapped(text, place, width, &mut lines),
            None => lines.push(Line {
                range: place,
                goes_on: false,
            }),
        }
    }
    let head_n = (most / 5).min(lines.len());
    let tail_n = match most - most / 5 {
        0 => lines.len(),
        tail => tail.min(lines.len()),
    };
    Some(Selection {
        head: joined(lines.get(..head_n)?),
        tail: joined(lines.get(lines.len() - tail_n..)?),
        facts: Vec::new(),
    })
}

fn wrapped(text: &str, place: Range<usize>, width: usize, lines: &mut Vec<Line>) {
    let row = text.get(place.clone()).unwrap_or_default();
    if !Count::Utf16.exceeds(row, width) {
        lines.push(Line {
            range: place,
            goes_on: false,
        });
        return;
    }
    // Units are counted on from a half where the one before ends in the middle of a pair.
    let mut at = place.start;
    let mut units = 0;
    for (offset, char) in row.char_indices() {
        for half in 0..char.len_utf16() {
            if units == width {
                let end = place.start + offset + half * super::super::count::HALF;
                lines.push(Line {
                    range: at..end,
                    goes_on: true,
                });
                at = end;
                units = 0;
            }
            units += 1;
        }
    }
    lines.push(Line {
        range: at..place.end,
        goes_on: false,
    });
}

fn joined(lines: &[Line]) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for (position, line) in lines.iter().enumerate() {
        push(&mut pieces, Piece::kept(line.range.clone()));
        if position + 1 == lines.len() {
            break;
        }
        if line.goes_on {
            push(&mut pieces, Piece::words("\n"));
        } else {
            push(&mut pieces, Piece::kept(line.range.end..line.range.end + 1));
        }
    }
    pieces
}
