//! The OpenAI Agents SDK.

use super::super::count::Count;
use super::super::definition::Step;
use super::super::facts::{Fact, Scene};
use super::super::piece::Piece;
use super::super::shape::Selection;
use super::{budget, marker};

/// A middle cut whose header and marker count towards the budget.
///
/// The marker's length is that of a marker that counts everything as missing; where header and
/// marker do not fit together the header goes.
pub(super) fn sandbox(step: &Step, scene: &Scene<'_>) -> Option<Selection> {
    let text = scene.text;
    let most = budget(step, scene);
    if most == 0 {
        return Some(Selection::default().with("lead", "").with("marker", ""));
    }
    let with = |removed: usize| marker(step, scene, &[("removed", Fact::from(removed))]);
    let supposed = with(text.len().div_ceil(4));
    let mut lead = marker(step, scene, &[("part", Fact::from("lead"))]);
    if lead.len() + supposed.len() > most {
        lead.clear();
    }
    let Some(room) = most.checked_sub(lead.len() + supposed.len()) else {
        let clipped = supposed.get(..supposed.floor_char_boundary(most))?;
        return Some(
            Selection::default()
                .with("lead", "")
                .with("marker", Fact::Word(clipped.to_owned().into())),
        );
    };
    let head_end = Count::Bytes.head_end(text, room / 2);
    let tail_start = Count::Bytes.tail_start(text, room - room / 2).max(head_end);
    let removed = (tail_start - head_end).div_ceil(4);
    Some(
        Selection::ends(
            Piece::kept(0..head_end),
            Piece::kept(tail_start..text.len()),
        )
        .with("lead", Fact::Word(lead.into()))
        .with("marker", Fact::Word(with(removed).into())),
    )
}
