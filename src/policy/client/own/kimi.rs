//! Kimi CLI.

use super::super::count::Count;
use super::super::definition::Step;
use super::super::facts::Scene;
use super::super::piece::{Piece, push};
use super::super::rows::unicode_lines;
use super::super::shape::Selection;
use super::{budget, marker};

/// Lines from the start while there is room; one that does not fit, or is too wide, ends in the
/// marker and its own line end.
///
/// The marker counts towards the line's room but is never cut itself, so the whole can be longer
/// than its limit.
pub(super) fn lines(step: &Step, scene: &Scene<'_>) -> Option<Selection> {
    let text = scene.text;
    let most = budget(step, scene);
    let width = scene.settings.number("max_line");
    let words = marker(step, scene, &[]);
    let words_chars = words.chars().count();
    let mut head = Vec::new();
    let mut used = 0;
    let mut is_cut = false;
    let mut read = 0;
    for line in unicode_lines(text) {
        if used >= most {
            break;
        }
        read = line.end;
        let whole = line.line.start..line.end;
        let chars = Count::Chars.of(text.get(whole.clone())?);
        let room = (most - used).min(width.unwrap_or(usize::MAX));
        if chars <= room {
            used += chars;
            push(&mut head, Piece::kept(whole));
            continue;
        }
        is_cut = true;
        // Only carriage returns and line feeds are kept as a line's end.
        let content = text.get(whole.clone())?;
        let bare = content.trim_end_matches(['\r', '\n']);
        let end_chars = content.len() - bare.len();
        let room = room.max(words_chars + end_chars);
        let keep = room - words_chars - end_chars;
        let end = whole.start + Count::Chars.head_end(content, keep);
        push(&mut head, Piece::kept(whole.start..end));
        push(&mut head, Piece::words(words.as_str()));
        push(&mut head, Piece::kept(whole.start + bare.len()..whole.end));
        used += room;
    }
    (is_cut || read < text.len()).then(|| Selection {
        head,
        ..Selection::default()
    })
}
