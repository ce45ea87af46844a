//! Codex before 0.59.

use super::super::count::{Count, Tear};
use super::super::definition::Step;
use super::super::facts::{Fact, Scene};
use super::super::piece::{Piece, compose, push, render};
use super::super::shape::Selection;
use super::{budget, marker};

/// Copies bytes until there are too many of them or of the line feeds.
///
/// A budget that is used up exactly counts as too many, and the cut may tear a character.
pub(super) fn copy(step: &Step, scene: &Scene<'_>) -> Option<Selection> {
    let bytes = scene.text.as_bytes();
    let mut room = scene.amount_of(step.bytes.as_ref())?;
    let lines = budget(step, scene);
    let mut lines_left = lines;
    let mut end = 0;
    for &byte in bytes {
        if room == 0 || lines_left == 0 {
            break;
        }
        end += 1;
        room -= 1;
        if byte == b'\n' {
            lines_left -= 1;
        }
    }
    (room == 0 || lines_left == 0).then(|| {
        Selection {
            head: vec![Piece::torn(0..end, Tear::Bytes)],
            ..Selection::default()
        }
        .with("copied_lines", lines - lines_left)
    })
}

/// The first and the last lines, joined anew, around a marker, all within the bytes.
///
/// Lines are what Rust's `lines` gives, so a carriage return before a line feed is lost too.
pub(super) fn joined_lines(step: &Step, scene: &Scene<'_>) -> Option<Selection> {
    let text = scene.text;
    let most = scene.amount_of(step.bytes.as_ref())?;
    let max_lines = budget(step, scene);
    let lines: Vec<_> = lines(text).collect();
    let head_take = (max_lines / 2).min(lines.len());
    let tail_take = (max_lines - max_lines / 2).min(lines.len() - head_take);
    let omitted = lines.len() - head_take - tail_take;
    let words = marker(step, scene, &[("omitted", Fact::from(omitted))]);

    let half = most / 2;
    let tail_room = most.saturating_sub(half + words.len());
    if tail_room == 0 && words.len() >= most {
        let clipped = words.get(..words.floor_char_boundary(most))?.to_owned();
        return Some(Selection::default().with("marker", Fact::Word(clipped.into())));
    }
    let head_room = if tail_room == 0 {
        most.saturating_sub(words.len())
    } else {
        half
    };
    let head = joined(text, lines.get(..head_take)?);
    let head_text = render(&head, text).into_string_lossy();
    let head_end = Count::Bytes.head_end(&head_text, head_room);
    let rest = most.saturating_sub(head_end + words.len());
    let tail = joined(text, lines.get(lines.len() - tail_take..)?);
    let tail_text = render(&tail, text).into_string_lossy();
    let tail_start = Count::Bytes.tail_start(&tail_text, rest);
    Some(
        Selection {
            head: compose(&head, vec![Piece::kept(0..head_end)], text),
            tail: compose(&tail, vec![Piece::kept(tail_start..tail_text.len())], text),
            facts: Vec::new(),
        }
        .with("omitted", omitted)
        .with("marker", Fact::Word(words.into())),
    )
}

/// Where each line stands that Rust's `lines` gives.
fn lines(text: &str) -> impl Iterator<Item = std::ops::Range<usize>> {
    let mut at = 0;
    text.split_inclusive('\n').map(move |line| {
        let start = at;
        at += line.len();
        let content = line
            .strip_suffix('\n')
            .map_or(line, |line| line.strip_suffix('\r').unwrap_or(line));
        start..start + content.len()
    })
}

/// Lines joined by line feeds, which are the output's own where they stand right behind.
fn joined(text: &str, lines: &[std::ops::Range<usize>]) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for (position, line) in lines.iter().enumerate() {
        push(&mut pieces, Piece::kept(line.clone()));
        if position + 1 < lines.len() {
            // Behind a carriage return the line feed is one further on.
            let newline = line.end + usize::from(text.as_bytes().get(line.end) == Some(&b'\r'));
            push(&mut pieces, Piece::kept(newline..newline + 1));
        }
    }
    pieces
}

/// The first and the last lines as they stand around a marker, all within the bytes.
pub(super) fn whole_lines(step: &Step, scene: &Scene<'_>) -> Option<Selection> {
    let text = scene.text;
    let most = scene.amount_of(step.bytes.as_ref())?;
    let max_lines = budget(step, scene);
    let ends: Vec<_> = memchr::memchr_iter(b'\n', text.as_bytes())
        .map(|at| at + 1)
        .chain((!text.ends_with('\n') && !text.is_empty()).then_some(text.len()))
        .collect();
    let head_take = (max_lines / 2).min(ends.len());
    let tail_take = (max_lines - max_lines / 2).min(ends.len() - head_take);
    let omitted = ends.len() - head_take - tail_take;
    let end_of = |lines: usize| match lines.checked_sub(1) {
        None => 0,
        Some(last) => ends.get(last).copied().unwrap_or(text.len()),
    };
    let words = marker(
        step,
        scene,
        &[
            ("omitted", Fact::from(omitted)),
            ("lines_omitted", Fact::from(omitted > 0)),
        ],
    );
    let head_room = (most / 2).min(most.saturating_sub(words.len()));
    let head_end = Count::Bytes.head_end(text.get(..end_of(head_take))?, head_room);
    let rest = most.saturating_sub(head_end + words.len());
    let tail_from = end_of(ends.len() - tail_take);
    let tail_start = tail_from + Count::Bytes.tail_start(text.get(tail_from..)?, rest);
    Some(
        Selection::ends(
            Piece::kept(0..head_end),
            Piece::kept(tail_start..text.len()),
        )
        .with("omitted", omitted)
        .with("marker", Fact::Word(words.into())),
    )
}
