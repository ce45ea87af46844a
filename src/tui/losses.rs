//! What was lost or is wrong, in one list.

use super::canvas::Canvas;
use super::theme::{Theme, glyph};
use crate::replay::loss::{Loss, LossKind};
use crate::session::event::EventId;

/// Draws the list. The losses of the selected event are in view and marked.
pub fn view(canvas: &mut Canvas<'_>, losses: &[Loss], selected: Option<EventId>, theme: &Theme) {
    let width = canvas.columns();
    canvas.rule(0, 0, width, glyph::ACROSS, theme.border);
    canvas.put(2, 0, " lost or wrong ", theme.title);
    let keys = " ]l [l ";
    if width > 30 {
        canvas.put(width.saturating_sub(10), 0, keys, theme.key);
    }
    let rows = usize::from(canvas.rows().saturating_sub(1));
    let here = selected.map_or(0, |id| losses.partition_point(|loss| loss.event < id));
    let top = here
        .saturating_sub(rows / 2)
        .min(losses.len().saturating_sub(rows));
    for (row, loss) in (1..canvas.rows()).zip(losses.iter().skip(top)) {
        let is_selected = Some(loss.event) == selected;
        let digits = canvas.put_right(4, row, &loss.event.index().to_string(), theme.dim);
        debug_assert!(digits <= 4);
        let style = match loss.kind {
            LossKind::NeverSent | LossKind::Cut => theme.never,
            _ => theme.finding,
        };
        canvas.field(6, row, width.saturating_sub(7), &loss.text, style);
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
