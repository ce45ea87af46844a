//! The list of events: one row per call with its output, one per message.
//!
//! Rows are not numbered: which event is a row is seen from its record, and the list is walked from
//! the selected one. So it costs the same at any length, and a growing index moves nothing.

use std::collections::HashMap;
use std::sync::Arc;

use ratatui::style::Style;

use super::canvas::Canvas;
use super::ledger::is_touched;
use super::message::Ticket;
use super::recording::Recording;
use super::summary::Summary;
use super::theme::{Theme, glyph};
use crate::replay::Replay;
use crate::replay::ledger::Bar;
use crate::replay::loss::Mark;
use crate::replay::rerun::{Recorded, Rerun, Row};
use crate::session::event::{EventId, EventKind, EventRecord, Role};
use crate::text;

/// Summaries that are kept. More than any screen shows, and little memory.
const KEPT: usize = 4096;

/// The state of the list.
#[derive(Debug, Clone, Default)]
pub struct Timeline {
    /// The selected event: always a row, once there is one.
    pub selected: Option<EventId>,
    /// The first row shown.
    pub top: Option<EventId>,
    /// Summaries by event.
    pub summaries: HashMap<EventId, Arc<Summary>>,
    /// The summaries that were asked for last.
    pub asked: Vec<EventId>,
    /// The request for them.
    pub ticket: Ticket,
    /// An event whose summary may be of a line that was not whole yet.
    stale: Option<EventId>,
    /// How many rows there was room for when the selection was brought into view last.
    room: u16,
}

/// Whether an event is a row: a call stands in the row of its output.
pub fn is_row(record: &EventRecord) -> bool {
    !(record.kind == EventKind::ToolCall && record.pair.is_some())
}

/// The row that shows an event.
pub fn row_of(recording: &dyn Recording, id: EventId) -> EventId {
    match recording.record(id) {
        Some(record) if record.kind == EventKind::ToolCall => record.pair.unwrap_or(id),
        _ => id,
    }
}

/// The event at a position and whether it is a row.
fn row_at(recording: &dyn Recording, position: usize) -> Option<EventId> {
    let id = EventId::from_position(position);
    let record = recording.record(id)?;
    is_row(&record).then_some(id)
}

/// The rows after an event, in order.
pub fn rows_after(recording: &dyn Recording, id: EventId) -> impl Iterator<Item = EventId> {
    (id.position() + 1..recording.count()).filter_map(|position| row_at(recording, position))
}

/// The rows before an event, nearest first.
pub fn rows_before(recording: &dyn Recording, id: EventId) -> impl Iterator<Item = EventId> {
    let end = id.position().min(recording.count());
    (0..end)
        .rev()
        .filter_map(|position| row_at(recording, position))
}

/// The first row.
pub fn first_row(recording: &dyn Recording) -> Option<EventId> {
    (0..recording.count()).find_map(|position| row_at(recording, position))
}

/// The last row.
pub fn last_row(recording: &dyn Recording) -> Option<EventId> {
    (0..recording.count())
        .rev()
        .find_map(|position| row_at(recording, position))
}

impl Timeline {
    /// Selects the row of an event, and brings it into view.
    pub fn select(&mut self, recording: &dyn Recording, id: EventId, rows: u16) {
        self.selected = Some(row_of(recording, id));
        self.show_selected(recording, rows);
    }

    /// Brings the selected row into view.
    pub fn show_selected(&mut self, recording: &dyn Recording, rows: u16) {
        let Some(selected) = self.selected else {
            return;
        };
        let above = usize::from(rows.saturating_sub(1));
        let earliest = rows_before(recording, selected).take(above).last();
        let earliest = earliest.unwrap_or(selected);
        self.top = Some(match self.top {
            Some(top) if top > selected => selected,
            Some(top) if top >= earliest => top,
            _ => earliest,
        });
    }

    /// There is room for another number of rows: the selected one stays in view, and no row is
    /// scrolled away while there is room for it.
    pub fn fit(&mut self, recording: &dyn Recording, rows: u16) {
        if self.room == rows {
            return;
        }
        self.room = rows;
        self.show_selected(recording, rows);
        let above = usize::from(rows.saturating_sub(1));
        let full = last_row(recording).map(|last| {
            rows_before(recording, last)
                .take(above)
                .last()
                .unwrap_or(last)
        });
        if let (Some(top), Some(full)) = (self.top, full) {
            self.top = Some(top.min(full));
        }
    }

    /// The summary of an event is read again: its line was the last, and may be whole only now.
    /// What is known of it stays on the screen until then.
    pub fn read_again(&mut self, id: EventId) {
        if self.summaries.contains_key(&id) {
            self.stale = Some(id);
            // An answer that is on its way may be of the old line.
            self.ticket = Ticket::default();
            self.asked.clear();
        }
    }

    /// Moves the selection by rows; stops at the ends.
    pub fn step(&mut self, recording: &dyn Recording, by: isize, rows: u16) {
        let Some(selected) = self.selected else {
            return;
        };
        let times = by.unsigned_abs();
        let to = if by >= 0 {
            rows_after(recording, selected).take(times).last()
        } else {
            rows_before(recording, selected).take(times).last()
        };
        self.select(recording, to.unwrap_or(selected), rows);
    }

    /// Moves what is shown and not the selection.
    pub fn scroll(&mut self, recording: &dyn Recording, by: isize, rows: u16) {
        let Some(top) = self.top else { return };
        let times = by.unsigned_abs();
        let to = if by >= 0 {
            // A screen stays full where there is enough to fill it.
            let visible = usize::from(rows.saturating_sub(1));
            let last = last_row(recording)
                .and_then(|last| rows_before(recording, last).take(visible).last());
            rows_after(recording, top)
                .take(times)
                .last()
                .map(|to| last.map_or(to, |last| to.min(last.max(top))))
        } else {
            rows_before(recording, top).take(times).last()
        };
        self.top = Some(to.unwrap_or(top));
    }

    /// The rows on the screen.
    pub fn visible(&self, recording: &dyn Recording, rows: u16) -> Vec<EventId> {
        let Some(top) = self.top else {
            return Vec::new();
        };
        std::iter::once(top)
            .chain(rows_after(recording, top))
            .take(usize::from(rows))
            .collect()
    }

    /// The events whose summaries are missing on the screen, the selected one first.
    pub fn missing(&self, recording: &dyn Recording, rows: u16) -> Vec<EventId> {
        let mut missing: Vec<EventId> = self
            .selected
            .into_iter()
            .chain(self.visible(recording, rows))
            .filter(|id| !self.summaries.contains_key(id) || self.stale == Some(*id))
            .collect();
        missing.dedup();
        missing
    }

    /// Takes summaries.
    pub fn take(&mut self, ticket: Ticket, summaries: Vec<(EventId, Arc<Summary>)>) {
        if ticket == self.ticket {
            self.asked.clear();
            if summaries.iter().any(|(id, _)| self.stale == Some(*id)) {
                self.stale = None;
            }
        }
        if self.summaries.len() + summaries.len() > KEPT {
            self.summaries.clear();
        }
        self.summaries.extend(summaries);
    }

    /// Forgets everything: another recording has come.
    pub fn forget(&mut self) {
        *self = Self::default();
    }
}

/// What the list is drawn from.
pub struct Rows<'a> {
    /// The recording.
    pub recording: &'a dyn Recording,
    /// What is known of the outputs.
    pub replay: &'a Replay,
    /// The re-run beside what was recorded.
    pub rerun: Option<&'a Rerun>,
    /// The pane has the focus.
    pub focused: bool,
    /// The theme.
    pub theme: &'a Theme,
}

/// Cells of the bar.
const BAR: u8 = 5;

impl Timeline {
    /// Draws the heading and the rows.
    pub fn view(&self, canvas: &mut Canvas<'_>, on: &Rows<'_>) {
        let width = canvas.columns();
        let digits = digits(on.recording.count());
        let columns = Columns::of(width, digits);
        canvas.put_right(columns.number_end, 0, "#", on.theme.dim);
        canvas.put(columns.name, 0, "event", on.theme.dim);
        if let Some(size_end) = columns.size_end {
            canvas.put_right(size_end + 1, 0, "returned", on.theme.dim);
        }
        canvas.put_right(width, 0, "seen", on.theme.dim);
        let rows = canvas.rows().saturating_sub(1);
        if on.recording.count() == 0 {
            let text = if on.recording.is_complete() {
                "no events"
            } else {
                "reading…"
            };
            canvas.put(columns.name, 1, text, on.theme.dim);
        }
        for (row, id) in (1..).zip(self.visible(on.recording, rows)) {
            if let Some(record) = on.recording.record(id) {
                let mut line = canvas.part(0, row, width, 1);
                self.view_row(&mut line, on, &columns, id, &record);
            }
        }
    }

    fn view_row(
        &self,
        line: &mut Canvas<'_>,
        on: &Rows<'_>,
        columns: &Columns,
        id: EventId,
        record: &EventRecord,
    ) {
        let theme = on.theme;
        let selected = self.selected == Some(id);
        if selected {
            line.put(0, 0, glyph::CURSOR, theme.strong);
        }
        line.put_right(columns.number_end, 0, &id.index().to_string(), theme.dim);
        if let Some((mark, style)) = mark(on.replay.mark(id, record), theme) {
            line.put(columns.mark, 0, mark, style);
        }
        let summary = self.summaries.get(&id);
        let short = summary.map_or("", |summary| summary.short.as_str());
        let name = row_name(on.recording, record);
        let is_output = record.kind == EventKind::ToolOutput;
        // A message has no size and no bar: its words may have their place.
        let end = if is_output {
            columns.name_end
        } else {
            line.columns().saturating_sub(1)
        };
        let after = line.field(
            columns.name,
            0,
            end.saturating_sub(columns.name),
            &name.text,
            (name.style)(theme),
        );
        let after = after.min(columns.name + u16::try_from(text::cells(&name.text)).unwrap_or(0));
        let gap = if is_output { 1 } else { name.gap };
        let room = end.saturating_sub(after + gap);
        // A few letters of an argument tell nothing.
        if !short.is_empty() && (room >= 6 || text::cells(short) <= usize::from(room)) {
            line.field(after + gap, 0, room, short, (name.words)(theme));
        }
        if is_output {
            view_size_and_bar(line, on, columns, id);
        }
        if selected {
            let style = if on.focused {
                theme.selection
            } else {
                theme.cursor
            };
            line.style_row(0, style);
        }
    }
}

fn view_size_and_bar(line: &mut Canvas<'_>, on: &Rows<'_>, columns: &Columns, id: EventId) {
    let theme = on.theme;
    let rerun_row = on.rerun.and_then(|rerun| rerun.row_of(id));
    let changed = rerun_row
        .as_ref()
        .is_some_and(|row| row.recorded == Recorded::Differs && is_touched(row));
    // Beside a re-run, what does not change steps back.
    let quiet = on.rerun.is_some() && !changed;
    if let Some(size_end) = columns.size_end {
        let bytes = on
            .replay
            .ledger(id)
            .and_then(|ledger| ledger.returned.measure().and_then(|measure| measure.bytes));
        let (shown, style) = match bytes {
            Some(bytes) => (text::short_bytes(bytes), theme.text),
            None => ("-".to_owned(), theme.dim),
        };
        let style = if quiet { theme.dim } else { style };
        line.put_right(size_end, 0, &shown, style);
    }
    let start = line.columns().saturating_sub(u16::from(BAR));
    let bar = match &rerun_row {
        Some(row) if changed => rerun_bar(row),
        _ => on.replay.bar(id, BAR),
    };
    if let Some(bar) = bar {
        view_bar(line, start, bar, theme, quiet);
    }
}

/// What a re-run would have sent at once, in cells.
fn rerun_bar(row: &Row) -> Option<Bar> {
    let (before, after) = (row.bytes_before?, row.bytes_after?);
    let sent = if before == 0 || after >= before {
        u64::from(BAR)
    } else {
        (after * u64::from(BAR)).div_ceil(before).max(1)
    };
    let sent = u8::try_from(sent).unwrap_or(BAR).min(BAR);
    Some(Bar {
        sent,
        never: BAR - sent,
        ..Bar::default()
    })
}

fn view_bar(line: &mut Canvas<'_>, start: u16, bar: Bar, theme: &Theme, quiet: bool) {
    let parts = [
        (bar.sent, glyph::BAR_SENT, theme.sent),
        (bar.later, glyph::BAR_LATER, theme.later),
        (bar.never, glyph::NEVER, theme.never),
        (bar.unknown, glyph::UNRECORDED, theme.unrecorded),
    ];
    let mut column = start;
    for (cells, glyph, style) in parts {
        let style = if quiet { theme.dim } else { style };
        line.rule(column, 0, u16::from(cells), glyph, style);
        column += u16::from(cells);
    }
}

/// Where the parts of a row stand.
struct Columns {
    number_end: u16,
    mark: u16,
    name: u16,
    name_end: u16,
    size_end: Option<u16>,
}

impl Columns {
    fn of(width: u16, digits: u16) -> Self {
        let number_end = 1 + digits.max(if width < 30 { 2 } else { 3 });
        let bar = width.saturating_sub(u16::from(BAR));
        let size_end = (width >= 34).then_some(bar.saturating_sub(1));
        Self {
            number_end,
            mark: number_end + 1,
            name: number_end + 3,
            name_end: size_end
                .map_or(bar, |end| end.saturating_sub(5))
                .saturating_sub(1),
            size_end,
        }
    }
}

fn digits(count: usize) -> u16 {
    u16::try_from(count.max(1).ilog10() + 1).unwrap_or(10)
}

/// The glyph of a mark.
pub fn mark(mark: Option<Mark>, theme: &Theme) -> Option<(&'static str, Style)> {
    Some(match mark? {
        Mark::Error => (glyph::ERROR, theme.error),
        Mark::Finding => (glyph::FINDING, theme.finding),
        Mark::Envelope => (glyph::ENVELOPE, theme.later),
        Mark::Image => (glyph::IMAGE, theme.name),
        Mark::Document => (glyph::DOCUMENT, theme.name),
        Mark::Unanswered => (glyph::UNANSWERED, theme.finding),
        Mark::Bad => (glyph::BAD, theme.error),
    })
}

type Role_ = fn(&Theme) -> Style;

/// What stands in the place of the name, and how it and the words after it are drawn.
struct RowName {
    text: String,
    style: Role_,
    words: Role_,
    gap: u16,
}

fn row_name(recording: &dyn Recording, record: &EventRecord) -> RowName {
    let fixed = |text: &str, style: Role_, words: Role_| RowName {
        text: text.to_owned(),
        style,
        words,
        gap: 2,
    };
    match record.kind {
        EventKind::Message => match record.role {
            Some(Role::Assistant) => fixed("asst", |t| t.assistant, |t| t.text),
            Some(Role::System) => fixed("sys ", |t| t.system, |t| t.system),
            Some(Role::User) | None => fixed("user", |t| t.user, |t| t.text),
        },
        EventKind::Thinking => fixed("think", |t| t.assistant, |t| t.dim),
        EventKind::ToolCall | EventKind::ToolOutput => RowName {
            text: record
                .tool
                .and_then(|tool| recording.name(tool))
                .unwrap_or_else(|| "(no tool named)".to_owned()),
            style: |t| t.text,
            words: |t| t.dim,
            gap: 1,
        },
        EventKind::Cache => fixed("cache", |t| t.later, |t| t.dim),
        EventKind::Note => fixed("note", |t| t.note, |t| t.note),
        EventKind::System => fixed("sys ", |t| t.system, |t| t.system),
        EventKind::Unknown => fixed("other", |t| t.dim, |t| t.dim),
        EventKind::Bad => fixed("bad line", |t| t.error, |t| t.dim),
    }
}
