//! OpenCode 2.

use super::super::count::Count;
use super::super::definition::Step;
use super::super::facts::{Fact, Scene};
use super::super::piece::{Piece, compose, joined, render};
use super::super::rows::Rows;
use super::super::shape::Selection;
use super::{budget, marker};

/// What the blank lines around the marker cost, in lines and in bytes.
const AROUND: usize = 4;

/// Lines of both ends; where those are too many bytes, bytes of both ends of them.
pub(super) fn store(step: &Step, scene: &Scene<'_>) -> Option<Selection> {
    let text = scene.text;
    let lines = budget(step, scene);
    let bytes = scene.amount_of(step.bytes.as_ref())?;
    let words = marker(step, scene, &[]);
    if lines <= AROUND || bytes <= words.len() + AROUND {
        let clipped = words.get(..words.floor_char_boundary(bytes))?;
        let rows: Vec<_> = clipped.split('\n').take(lines).collect();
        return Some(
            Selection::default()
                .with("marker_only", true)
                .with("marker", Fact::Word(rows.join("\n").into())),
        );
    }
    let (lines, bytes) = (lines - AROUND, bytes - words.len() - AROUND);
    let rows = Rows::of(text);
    let (head, tail) = if rows.count() <= lines {
        (0..text.len(), text.len()..text.len())
    } else {
        (rows.head(lines.div_ceil(2)), rows.tail(lines / 2))
    };
    let between = if rows.count() > lines && lines / 2 > 0 {
        "\n"
    } else {
        ""
    };
    let sample = joined([
        Piece::kept(head.clone()),
        Piece::words(between),
        Piece::kept(tail.clone()),
    ]);
    let shown = render(&sample, text).into_string_lossy();
    let (head, tail, is_tail_empty) = if shown.len() <= bytes {
        (
            vec![Piece::kept(head)],
            vec![Piece::kept(tail.clone())],
            tail.is_empty(),
        )
    } else {
        let head_end = Count::Bytes.head_end(&shown, bytes.div_ceil(2));
        let tail_start = Count::Bytes.tail_start(&shown, bytes / 2);
        (
            compose(&sample, vec![Piece::kept(0..head_end)], text),
            compose(&sample, vec![Piece::kept(tail_start..shown.len())], text),
            tail_start == shown.len(),
        )
    };
    Some(
        Selection {
            head,
            tail,
            facts: Vec::new(),
        }
        .with("marker_only", false)
        .with("tail_empty", is_tail_empty)
        .with("marker", Fact::Word(words.into())),
    )
}
