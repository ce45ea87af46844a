//! What was lost or is wrong, in one list.

use super::canvas::Canvas;
use super::theme::{Theme, glyph};
use crate::replay::loss::{Loss, LossKind};
use crate::session::event::EventId;

/// Draws the list. The losses of the selected event are in view and marked.
pub fn view(canvas: &mut Canvas<'_>, losses: &[Loss], selected: Option<EventId>, theme: &Theme) {
    let width = canvas.columns();
    canvas.rule(0, 0, width.saturating_sub(1), glyph::ACROSS, theme.border);
    canvas.put(2, 0, " lost or wrong ", theme.title);
    if width > 30 {
        canvas.put(width - 10, 0, " ]l [l ", theme.key);
    }
    let numbers = losses
        .last()
        .map_or(1, |loss| loss.event.index().ilog10() + 1);
    let text_at = 3 + u16::try_from(numbers).unwrap_or(9).max(2);
    let rows = usize::from(canvas.rows().saturating_sub(1));
    let here = selected.map_or(0, |id| losses.partition_point(|loss| loss.event < id));
    let top = here
        .saturating_sub(rows / 2)
        .min(losses.len().saturating_sub(rows));
    for (row, loss) in (1..canvas.rows()).zip(losses.iter().skip(top)) {
        let is_selected = Some(loss.event) == selected;
        canvas.put(1, row, &loss.event.index().to_string(), theme.dim);
        let style = match loss.kind {
            LossKind::NeverSent | LossKind::Cut => theme.never,
            _ => theme.finding,
        };
        let room = width.saturating_sub(text_at + 1);
        canvas.field(text_at, row, room, &loss.text, style);
        if is_selected {
            canvas.style_row(row, theme.cursor);
        }
    }
    let below = losses.len().saturating_sub(top + rows);
    if below > 0 {
        canvas.put_right(width, canvas.rows() - 1, &format!(" +{below}"), theme.dim);
    }
}

/// The loss under a row of the list, for the mouse.
pub fn at(losses: &[Loss], selected: Option<EventId>, rows: u16, row: u16) -> Option<&Loss> {
    let rows = usize::from(rows.saturating_sub(1));
    let here = selected.map_or(0, |id| losses.partition_point(|loss| loss.event < id));
    let top = here
        .saturating_sub(rows / 2)
        .min(losses.len().saturating_sub(rows));
    losses.get(top + usize::from(row.checked_sub(1)?))
}
