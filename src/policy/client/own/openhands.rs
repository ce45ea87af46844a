//! OpenHands' SDK.

use super::super::count::Count;
use super::super::definition::Step;
use super::super::facts::{Fact, Scene};
use super::super::piece::Piece;
use super::super::rows::unicode_lines;
use super::super::shape::Selection;
use super::{budget, marker};

/// A middle cut around a notice, together exactly the limit.
///
/// With a file the notice is longer, but the head is still measured beside the short one; where a
/// notice alone fills the limit, its start is all there is.
pub(super) fn notice(step: &Step, scene: &Scene<'_>) -> Option<Selection> {
    let text = scene.text;
    let most = budget(step, scene);
    if most == 0 {
        return None;
    }
    let short = marker(step, scene, &[]);
    let short_chars = Count::Chars.of(&short);
    if short_chars >= most {
        return Some(only(&short, most));
    }
    let proposed = (most - short_chars).div_ceil(2);
    let notice = if scene.settings.word("file").is_some() {
        let head = text.get(..Count::Chars.head_end(text, proposed))?;
        let line = unicode_lines(head).count() + 1;
        marker(
            step,
            scene,
            &[("saved", Fact::from(true)), ("line", Fact::from(line))],
        )
    } else {
        short
    };
    let notice_chars = Count::Chars.of(&notice);
    if notice_chars >= most {
        return Some(only(&notice, most));
    }
    let room = most - notice_chars;
    let head_n = proposed.min(room);
    Some(
        Selection::ends(
            Piece::kept(0..Count::Chars.head_end(text, head_n)),
            Piece::kept(Count::Chars.tail_start(text, room - head_n)..text.len()),
        )
        .with("marker", Fact::Word(notice.into())),
    )
}

/// Nothing but the start of the notice.
fn only(notice: &str, chars: usize) -> Selection {
    let clipped: String = notice.chars().take(chars).collect();
    Selection::default().with("marker", Fact::Word(clipped.into()))
}
