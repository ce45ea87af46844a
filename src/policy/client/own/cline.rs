//! Cline.

use super::super::count::Count;
use super::super::definition::Step;
use super::super::facts::{Fact, Scene};
use super::super::piece::Piece;
use super::super::shape::Selection;
use super::{budget, marker};

/// A middle cut whose marker is inside the budget.
///
/// The marker tells how much is missing, which depends on its own length: Cline supposes the length
/// once and corrects once, so that the result can be a unit short and the number off by a few.
pub(super) fn marker_in_budget(step: &Step, scene: &Scene<'_>) -> Selection {
    let text = scene.text;
    let most = budget(step, scene);
    let total = Count::Utf16.of(text);
    let with = |removed: usize| marker(step, scene, &[("removed", Fact::from(removed))]);
    let kept_beside = |marker: &str| most.saturating_sub(Count::Utf16.of(marker)) / 2;
    let supposed = kept_beside(&with(total.saturating_sub(most)));
    let removed = total.saturating_sub(supposed * 2);
    let words = with(removed);
    let keep = kept_beside(&words);
    Selection::ends(
        Piece::kept(0..Count::Utf16.head_end(text, keep)),
        Piece::kept(Count::Utf16.tail_start(text, keep)..text.len()),
    )
    .with("removed", removed)
    .with("marker", Fact::Word(words.into()))
}
