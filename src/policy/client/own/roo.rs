//! Roo Code.

use std::ops::Range;

use super::super::count::{Count, HALF};
use super::super::definition::Step;
use super::super::facts::Scene;
use super::super::piece::{Piece, push};
use super::super::shape::Selection;
use super::budget;

/// Tells a line that repeats itself once, with how often it comes again, where that is shorter.
pub(super) fn runs(scene: &Scene<'_>) -> Option<Selection> {
    let text = scene.text;
    let mut pieces = Vec::new();
    let mut folded = false;
    let mut run: Option<Run> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let range = at..at + line.len();
        at = range.end;
        match &mut run {
            Some(run) if text.get(run.line.clone()) == Some(line) => run.again += 1,
            _ => {
                if let Some(run) = run.take() {
                    folded |= run.tell(text, run.again + 1, &mut pieces);
                }
                run = Some(Run {
                    line: range,
                    again: 0,
                });
            }
        }
    }
    if let Some(run) = run {
        // The last run is weighed without its first line: upstream does so.
        folded |= run.tell(text, run.again, &mut pieces);
    }
    folded.then(|| Selection {
        head: pieces,
        ..Selection::default()
    })
}

/// A line and how often it comes again right behind itself.
struct Run {
    line: Range<usize>,
    again: usize,
}

impl Run {
    /// Appends the run; whether it was told in words.
    fn tell(&self, text: &str, weighed: usize, pieces: &mut Vec<Piece>) -> bool {
        let words = format!("<previous line repeated {} additional times>\n", self.again);
        let line = text.get(self.line.clone()).unwrap_or_default();
        if self.again > 0 && words.len() < Count::Utf16.of(line) * weighed {
            push(pieces, Piece::kept(self.line.clone()));
            push(pieces, Piece::words(words));
            return true;
        }
        let length = self.line.len();
        push(
            pieces,
            Piece::kept(self.line.start..self.line.end + self.again * length),
        );
        false
    }
}

/// Bytes of both ends, counted per UTF-16 unit, where half a surrogate pair counts three.
///
/// A character across the end of the head is lost, and the head counts as full all the same.
pub(super) fn artifact(step: &Step, scene: &Scene<'_>) -> Option<Selection> {
    let text = scene.text;
    let most = budget(step, scene);
    let head_room = most / 2;
    let tail_room = most - head_room;
    if head_room > 0 && text.len() <= head_room {
        return None;
    }
    let head_end = head_end(text, head_room);
    // A half at the front of the rest counts three bytes, of which two are its share of four.
    let torn = usize::from(!text.is_char_boundary(head_end));
    let rest_bytes = text.len() - head_end + torn;
    let (tail_start, dropped) = if tail_room == 0 {
        (text.len(), rest_bytes)
    } else if rest_bytes >= tail_room {
        (
            tail_start(text, tail_room).max(head_end),
            rest_bytes - tail_room,
        )
    } else {
        (head_end, 0)
    };
    Some(
        Selection::ends(
            Piece::kept(0..head_end),
            Piece::kept(tail_start..text.len()),
        )
        .with("dropped", dropped > 0)
        .with("dropped_bytes", dropped),
    )
}

/// Bytes that a UTF-16 unit counts.
const fn unit_bytes(char: char) -> usize {
    match char.len_utf8() {
        4 => 3,
        bytes => bytes,
    }
}

fn head_end(text: &str, room: usize) -> usize {
    let mut left = room;
    for (at, char) in text.char_indices() {
        for half in 0..char.len_utf16() {
            let Some(rest) = left.checked_sub(unit_bytes(char)) else {
                return at + half * HALF;
            };
            left = rest;
        }
    }
    text.len()
}

fn tail_start(text: &str, room: usize) -> usize {
    let mut left = room;
    for (at, char) in text.char_indices().rev() {
        for half in (0..char.len_utf16()).rev() {
            let Some(rest) = left.checked_sub(unit_bytes(char)) else {
                return if half + 1 == char.len_utf16() {
                    at + char.len_utf8()
                } else {
                    at + HALF
                };
            };
            left = rest;
        }
    }
    0
}
