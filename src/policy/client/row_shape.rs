//! Whole rows, from one end or both, and rows cut to a width.

use std::ops::Range;

use super::count::Count;
use super::definition::{Step, Width};
use super::facts::{Fact, Scene};
use super::piece::{Piece, push};
use super::rows::Rows;
use super::shape::Selection;

/// Whole rows from the start, until their number or their bytes are used up.
///
/// With a `start`, which counts from 1, the rows before it are skipped.
pub(super) fn head(step: &Step, scene: &Scene<'_>) -> Option<Selection> {
    let text = scene.text;
    let rows = Rows::of(text);
    let skipped = scene
        .amount_of(step.start.as_ref())
        .map_or(0, |start| start.saturating_sub(1));
    if skipped > 0 && skipped >= rows.count() {
        return Some(
            Selection::default()
                .with("beyond", true)
                .with("first", rows.count() + 1)
                .with("last", rows.count())
                .with("next", rows.count() + 1)
                .with("file_rows", rows.count()),
        );
    }
    let most = scene.amount_of(step.budget.as_ref()).unwrap_or(usize::MAX);
    let available = rows.count() - skipped;
    let room = scene.amount_of(step.bytes.as_ref());
    let taken = Taken::from(
        (skipped..rows.count()).map(|row| rows.row(row).len()),
        most,
        room,
    );
    let range = rows.span(skipped..skipped + taken.rows);
    let first_row = rows.row(skipped).len();
    let hit = taken.hit();
    let (kept, is_wide) = narrowed(text, &rows, skipped..skipped + taken.rows, step, scene)
        .unwrap_or_else(|| (vec![Piece::kept(range)], false));
    // Where an earlier step has skipped rows, numbers are still those of the whole text.
    let before = number(scene, "rows_before") + skipped;
    let nothing_left_out = skipped == 0 && taken.rows == available && !is_wide;
    if step.over.is_empty() && nothing_left_out {
        return None;
    }
    Some(
        Selection {
            head: kept,
            ..Selection::default()
        }
        .with("hit", hit)
        .with("wide", is_wide)
        .with("first", before + 1)
        .with("last", before + taken.rows)
        .with("next", before + taken.rows + 1)
        .with("rows_before", before)
        .with("file_rows", number(scene, "rows_before") + rows.count())
        .with("cut_rows", available - taken.rows)
        .with("cut_bytes", text.len().saturating_sub(taken.bytes))
        .with("kept_bytes", taken.bytes)
        .with("first_row_bytes", first_row)
        .with(
            "first_row_too_long",
            room.is_some_and(|room| first_row > room),
        ),
    )
}

/// Whole rows from the end, until their number or their bytes are used up.
pub(super) fn tail(step: &Step, scene: &Scene<'_>) -> Option<Selection> {
    let text = scene.text;
    let rows = Rows::of(text);
    let mut most = scene.amount_of(step.budget.as_ref())?;
    let excess = rows.count().saturating_sub(most);
    if most == 0 && step.no_tail_is_everything {
        most = rows.count();
    }
    let room = scene.amount_of(step.bytes.as_ref());
    let taken = Taken::from(
        (0..rows.count()).rev().map(|row| rows.row(row).len()),
        most,
        room,
    );
    let last_row = rows.row(rows.count() - 1);
    let first = rows.count() - taken.rows;
    let mut range = rows.span(first..rows.count());
    let mut hit = taken.hit();
    let mut kept_rows = taken.rows;
    if taken.rows == 0 {
        range = text.len()..text.len();
        if let Some(room) = room.filter(|_| taken.is_full && step.part_of_last_row) {
            range = last_row.start + Count::Bytes.tail_start(text.get(last_row.clone())?, room)
                ..text.len();
            hit = "part";
            kept_rows = 1;
        }
    }
    let kept_bytes = range.len();
    let (kept, is_wide) = narrowed(text, &rows, first..rows.count(), step, scene)
        .unwrap_or_else(|| (vec![Piece::kept(range)], false));
    Some(
        Selection {
            tail: kept,
            ..Selection::default()
        }
        .with("hit", hit)
        .with("wide", is_wide)
        .with("first", rows.count() - kept_rows + 1)
        .with("last", rows.count())
        .with("file_rows", rows.count())
        .with("kept_rows", kept_rows)
        .with("cut_rows", rows.count() - taken.rows)
        .with("excess_rows", excess)
        .with("cut_bytes", text.len().saturating_sub(taken.bytes))
        .with("kept_bytes", kept_bytes)
        .with("last_row_bytes", last_row.len()),
    )
}

/// Whole rows from both ends.
pub(super) fn ends(step: &Step, scene: &Scene<'_>) -> Option<Selection> {
    let rows = Rows::of(scene.text);
    let budget = scene.amount_of(step.budget.as_ref())?;
    let head_n = step.head.as_ref()?.of(budget, 0, scene)?;
    let tail_n = step.tail.as_ref()?.of(budget, head_n, scene)?;
    let head = if step.with_newline {
        rows.head_with_newlines(head_n)
    } else {
        rows.head(head_n)
    };
    Some(
        Selection::ends(Piece::kept(head), Piece::kept(rows.tail(tail_n)))
            .with("file_rows", rows.count()),
    )
}

/// Every row, cut to its width.
pub(super) fn every(step: &Step, scene: &Scene<'_>) -> Option<Selection> {
    let rows = Rows::of(scene.text);
    let (head, is_wide) = narrowed(scene.text, &rows, 0..rows.count(), step, scene)?;
    is_wide.then(|| Selection {
        head,
        ..Selection::default()
    })
}

/// How many rows were taken, and why not more.
struct Taken {
    rows: usize,
    /// Bytes of them and of the line feeds between them.
    bytes: usize,
    /// The next row would have taken too many bytes.
    is_full: bool,
}

impl Taken {
    fn from(lengths: impl Iterator<Item = usize>, most: usize, room: Option<usize>) -> Self {
        let mut taken = Self {
            rows: 0,
            bytes: 0,
            is_full: false,
        };
        for length in lengths.take(most) {
            let size = length + usize::from(taken.rows > 0);
            if room.is_some_and(|room| taken.bytes + size > room) {
                taken.is_full = true;
                break;
            }
            taken.rows += 1;
            taken.bytes += size;
        }
        taken
    }

    const fn hit(&self) -> &'static str {
        if self.is_full { "bytes" } else { "lines" }
    }
}

/// The rows of a range, those that are too wide cut, and whether there was one; none where the step
/// asks for no width.
fn narrowed(
    text: &str,
    rows: &Rows,
    range: Range<usize>,
    step: &Step,
    scene: &Scene<'_>,
) -> Option<(Vec<Piece>, bool)> {
    let width = step.width.as_ref()?;
    let tear = width.count.tear();
    let mut kept = Vec::new();
    let mut is_wide = false;
    for row in range.clone() {
        let place = rows.row(row);
        let end = if row + 1 < range.end {
            place.end + 1
        } else {
            place.end
        };
        match wide_end(text.get(place.clone())?, width, scene) {
            None => push(&mut kept, Piece::torn(place.start..end, tear)),
            Some(cut) => {
                is_wide = true;
                push(&mut kept, Piece::torn(place.start..place.start + cut, tear));
                push(&mut kept, Piece::words(width.suffix.as_str()));
                push(&mut kept, Piece::torn(place.end..end, tear));
            }
        }
    }
    Some((kept, is_wide))
}

/// Where a row is cut that is too wide.
fn wide_end(row: &str, width: &Width, scene: &Scene<'_>) -> Option<usize> {
    let (limit, is_wide) = match (&width.above, &width.from) {
        (Some(above), _) => {
            let limit = scene.amount(above)?;
            (limit, width.count.exceeds(row, limit))
        }
        (None, Some(from)) => {
            let limit = scene.amount(from)?;
            (limit, limit == 0 || width.count.exceeds(row, limit - 1))
        }
        (None, None) => return None,
    };
    let keep = scene.amount_of(width.keep.as_ref()).unwrap_or(limit);
    is_wide.then(|| width.count.head_end(row, keep.min(limit)))
}

/// A number that an earlier step has noted, 0 where none has.
fn number(scene: &Scene<'_>, name: &str) -> usize {
    match scene.facts.get(name) {
        Some(Fact::Number(number)) => *number as usize,
        _ => 0,
    }
}
