//! LangChain's shell middleware, and DeepAgents.

use super::super::count::Count;
use super::super::definition::Step;
use super::super::facts::Scene;
use super::super::piece::{Piece, push};
use super::super::rows::{UnicodeLine, unicode_lines};
use super::super::shape::Selection;

/// Lines until there are too many of them or of their bytes; all lines and bytes are counted, those
/// that are dropped too.
pub(super) fn lines(step: &Step, scene: &Scene<'_>) -> Option<Selection> {
    let text = scene.text;
    let most = scene.amount_of(step.budget.as_ref()).unwrap_or(usize::MAX);
    let room = scene.amount_of(step.bytes.as_ref()).unwrap_or(usize::MAX);
    let (mut count, mut end) = (0_usize, 0);
    let (mut at, mut by_lines, mut by_bytes) = (0, false, false);
    for line in text.split_inclusive('\n') {
        count += 1;
        at += line.len();
        if count > most {
            by_lines = true;
        } else if at > room {
            by_bytes = true;
        } else {
            end = at;
        }
    }
    (by_lines || by_bytes).then(|| {
        Selection::part(0..end)
            .with("by_lines", by_lines)
            .with("by_bytes", by_bytes)
            .with("observed_lines", count)
            .with("observed_bytes", at)
    })
}

/// How many lines of each end are shown.
const SHOWN: usize = 5;

/// How many characters of a line are.
const SHOWN_CHARS: usize = 1000;

/// Numbered lines of both ends, or all where there are few.
pub(super) fn preview(scene: &Scene<'_>) -> Option<Selection> {
    let text = scene.text;
    let lines: Vec<_> = unicode_lines(text).collect();
    if lines.len() <= 2 * SHOWN {
        return Some(
            Selection {
                head: numbered(text, &lines, 1),
                ..Selection::default()
            }
            .with("few_lines", true),
        );
    }
    let tail_from = lines.len() - SHOWN;
    Some(
        Selection {
            head: numbered(text, lines.get(..SHOWN)?, 1),
            tail: numbered(text, lines.get(tail_from..)?, tail_from + 1),
            facts: Vec::new(),
        }
        .with("few_lines", false)
        .with("cut_lines", lines.len() - 2 * SHOWN),
    )
}

/// Lines behind their right-aligned numbers, counted from `first`.
fn numbered(text: &str, lines: &[UnicodeLine], first: usize) -> Vec<Piece> {
    let width = (first + lines.len()).saturating_sub(1).to_string().len();
    let mut pieces = Vec::new();
    for (position, line) in lines.iter().enumerate() {
        let number = first + position;
        let feed = if position == 0 { "" } else { "\n" };
        push(
            &mut pieces,
            Piece::words(format!("{feed}{number:>width$}  ")),
        );
        let content = text.get(line.line.clone()).unwrap_or_default();
        let end = line.line.start + Count::Chars.head_end(content, SHOWN_CHARS);
        push(&mut pieces, Piece::kept(line.line.start..end));
    }
    pieces
}
