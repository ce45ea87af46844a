//! What a step keeps of a text.

use std::borrow::Cow;
use std::ops::Range;

use super::count::Count;
use super::definition::{Shape, Share, Snap, Step};
use super::facts::{Fact, Scene};
use super::piece::Piece;
use super::{own, row_shape, rows};

/// What a step keeps, and what it found out.
#[derive(Debug, Clone, Default)]
pub struct Selection {
    /// The start, or whatever is kept in one place.
    pub head: Vec<Piece>,
    /// The end.
    pub tail: Vec<Piece>,
    /// What was found out.
    pub facts: Vec<(&'static str, Fact)>,
}

impl Selection {
    /// Two ends.
    pub fn ends(head: Piece, tail: Piece) -> Self {
        Self {
            head: vec![head],
            tail: vec![tail],
            facts: Vec::new(),
        }
    }

    /// One part.
    pub fn part(range: Range<usize>) -> Self {
        Self {
            head: vec![Piece::kept(range)],
            ..Self::default()
        }
    }

    /// With something found out.
    #[must_use]
    pub fn with(mut self, name: &'static str, fact: impl Into<Fact>) -> Self {
        self.facts.push((name, fact.into()));
        self
    }

    /// With the name of the limit that the text is over.
    pub(super) fn with_over(self, name: Option<&str>) -> Self {
        match name {
            Some(name) => self.with("over", Fact::Word(Cow::Owned(name.to_owned()))),
            None => self,
        }
    }
}

/// What the shape of a step keeps; none where it would leave nothing out.
///
/// `excess` is by how much the text is over its limit.
pub(super) fn select(step: &Step, scene: &Scene<'_>, excess: Option<usize>) -> Option<Selection> {
    let selection = match step.shape {
        Shape::Whole => Selection::part(0..scene.text.len()),
        Shape::Nothing => Selection::default(),
        Shape::Ends => ends(step, scene)?,
        Shape::Window => window(step, scene)?,
        Shape::RowsHead => row_shape::head(step, scene)?,
        Shape::RowsTail => row_shape::tail(step, scene)?,
        Shape::RowsEnds => row_shape::ends(step, scene)?,
        Shape::EveryRow => row_shape::every(step, scene)?,
        Shape::Trim => trimmed(scene.text, char::is_whitespace, char::is_whitespace),
        Shape::TrimJs => trimmed(scene.text, rows::is_js_space, rows::is_js_space),
        Shape::TrimEndPython => trimmed(scene.text, |_| false, rows::is_python_space),
        Shape::TrimNewlines => trimmed(scene.text, |_| false, |char| char == '\n'),
        Shape::Own => own::select(step.own?, step, scene)?,
    };
    let Some(excess) = excess else {
        return Some(selection);
    };
    Some(
        selection
            .with("excess", excess)
            .with("excess_tokens", excess.div_ceil(4)),
    )
}

/// The start, the end, or both, in one unit.
fn ends(step: &Step, scene: &Scene<'_>) -> Option<Selection> {
    let text = scene.text;
    let count = step.count?;
    let budget = scene.amount_of(step.budget.as_ref()).unwrap_or(0);
    let head_n = step
        .head
        .as_ref()
        .map_or(Some(0), |share| share.of(budget, 0, scene))?;
    let tail_n = step
        .tail
        .as_ref()
        .map_or(Some(0), |share| share.of(budget, head_n, scene))?;
    let mut head_end = count.head_end(text, head_n);
    let mut tail_start = if tail_n == 0 && step.no_tail_is_everything && step.tail.is_some() {
        0
    } else {
        count.tail_start(text, tail_n)
    };
    if let Some(snap) = &step.snap {
        if step.head.is_some() {
            head_end = snapped_head(text, head_end, head_n, count, snap, scene);
        }
        if step.tail.is_some() {
            tail_start = snapped_tail(text, tail_start, count, snap, scene);
        }
    }
    let gap = head_end.min(tail_start)..tail_start;
    let cut_rows = match text.get(gap.clone()) {
        Some("") => 0,
        _ => text
            .as_bytes()
            .get(gap.clone())
            .map_or(0, |gap| memchr::memchr_iter(b'\n', gap).count() + 1),
    };
    let tear = count.tear();
    Some(
        Selection::ends(
            Piece::torn(0..head_end, tear),
            Piece::torn(tail_start..text.len(), tear),
        )
        .with("total", count.of(text))
        .with("head_n", head_n)
        .with("tail_n", tail_n)
        .with("cut_n", count.within(text, &gap))
        .with("cut_chars", Count::Chars.within(text, &gap))
        .with("cut_newlines", cut_rows.saturating_sub(1))
        .with("cut_rows", cut_rows),
    )
}

impl Share {
    /// How many units.
    pub(super) fn of(&self, budget: usize, head: usize, scene: &Scene<'_>) -> Option<usize> {
        Some(match self {
            Self::All => budget,
            Self::Half => budget / 2,
            Self::HalfUp => budget.div_ceil(2),
            Self::Fifth => budget / 5,
            Self::Rest => budget.saturating_sub(head),
            Self::RestOrOne => budget.saturating_sub(head).max(1),
            Self::Own(amount) => scene.amount(amount)?,
        })
    }
}

/// The end of the head, moved back to its last line feed where that is near enough.
fn snapped_head(
    text: &str,
    end: usize,
    number: usize,
    count: Count,
    snap: &Snap,
    scene: &Scene<'_>,
) -> usize {
    let head = text.as_bytes().get(..end).unwrap_or_default();
    let Some(newline) = memchr::memrchr(b'\n', head) else {
        return end;
    };
    let is_near = match snap {
        Snap::Any => true,
        Snap::Past(share) => {
            let share = scene.settings.fraction(share).unwrap_or(0.0);
            count.within(text, &(0..newline)) as f64 > share * number as f64
        }
        Snap::Within(amount) => scene
            .amount(amount)
            .is_some_and(|within| count.within(text, &(newline..end)) < within),
    };
    if is_near { newline } else { end }
}

/// The start of the tail, moved behind its first line feed where that is near enough.
fn snapped_tail(text: &str, start: usize, count: Count, snap: &Snap, scene: &Scene<'_>) -> usize {
    let tail = text.as_bytes().get(start..).unwrap_or_default();
    let Some(newline) = memchr::memchr(b'\n', tail).map(|at| start + at) else {
        return start;
    };
    let is_near = match snap {
        Snap::Any => true,
        Snap::Within(amount) => scene
            .amount(amount)
            .is_some_and(|within| count.within(text, &(start..newline)) < within),
        Snap::Past(_) => false,
    };
    if is_near { newline + 1 } else { start }
}

/// A window of units from `start`, which counts from 0.
fn window(step: &Step, scene: &Scene<'_>) -> Option<Selection> {
    let text = scene.text;
    let count = step.count?;
    let start = scene.amount_of(step.start.as_ref()).unwrap_or(0);
    let take = scene.amount_of(step.budget.as_ref())?;
    let total = count.of(text);
    if start >= total || take == 0 {
        return Some(Selection::default().with("window", "past"));
    }
    let from = count.head_end(text, start);
    let to = count.head_end(text, start.saturating_add(take));
    let next = start.saturating_add(take);
    let window = if next < total { "more" } else { "last" };
    Some(
        Selection::part(from..to)
            .with("window", window)
            .with("next", next),
    )
}

/// The text without what the two say at its ends.
fn trimmed(
    text: &str,
    at_start: impl Fn(char) -> bool,
    at_end: impl Fn(char) -> bool,
) -> Selection {
    let end = text.trim_end_matches(at_end).len();
    let rest = text.get(..end).unwrap_or_default();
    let start = end - rest.trim_start_matches(at_start).len();
    Selection::part(start..end)
}
