//! The whole session on one line.

use std::ops::Range;

use ratatui::style::Style;

use super::canvas::Canvas;
use super::recording::Recording;
use super::theme::{Theme, glyph};
use super::timeline;
use super::title::Counts;
use crate::replay::Replay;
use crate::replay::loss::Mark;
use crate::session::event::{EventId, EventKind, Evidence};
use crate::text::grouped;

/// Cells that a worker sums a session up in. No rail is wider.
const CELLS: usize = 256;

/// What one cell of the rail shows: the gravest of its events.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Cell {
    mark: Option<Mark>,
    output: bool,
}

impl Cell {
    fn join(self, other: Self) -> Self {
        let mark = match (self.mark, other.mark) {
            // The gravest comes first.
            (Some(one), Some(two)) => Some(one.min(two)),
            (one, two) => one.or(two),
        };
        Self {
            mark,
            output: self.output || other.output,
        }
    }
}

/// A session summed up in cells.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rail {
    cells: Vec<Cell>,
    events: usize,
}

/// Looks at every event once: the rail, and how much there is. For a worker.
pub fn survey(recording: &dyn Recording, replay: &Replay) -> (Rail, Counts) {
    let events = recording.count();
    let length = events.min(CELLS);
    let mut cells = vec![Cell::default(); length];
    let mut counts = Counts {
        lost: replay.outputs_that_lost_data(),
        ..Counts::default()
    };
    for position in 0..events {
        let id = EventId::from_position(position);
        let Some(record) = recording.record(id) else {
            break;
        };
        counts.events += 1;
        counts.calls += usize::from(record.kind == EventKind::ToolCall && !record.server);
        counts.errors += usize::from(record.is_error && record.kind == EventKind::ToolOutput);
        // A call is in the row of its output.
        let own = if timeline::is_row(&record) {
            Cell {
                mark: replay.mark(id, &record),
                output: record.kind == EventKind::ToolOutput,
            }
        } else {
            Cell::default()
        };
        if let Some(cell) = cells.get_mut(position * length / events) {
            *cell = cell.join(own);
        }
    }
    (Rail { cells, events }, counts)
}

impl Rail {
    /// The cell of an event, in a rail of so many cells.
    fn cell_of(&self, event: EventId, cells: usize) -> usize {
        (event.position() * cells)
            .checked_div(self.events)
            .unwrap_or(0)
            .min(cells.saturating_sub(1))
    }

    /// The rail in so many cells.
    fn scaled(&self, cells: usize) -> Vec<Cell> {
        let mut scaled = vec![Cell::default(); cells];
        for (position, cell) in self.cells.iter().enumerate() {
            if let Some(into) = scaled.get_mut(position * cells / self.cells.len()) {
                *into = into.join(*cell);
            }
        }
        scaled
    }

    /// The event under a column of the rail line, for the mouse.
    pub fn event_at(&self, width: u16, column: u16) -> Option<EventId> {
        let shown = self.columns(width);
        let cells = shown.len();
        let cell = usize::from(column).checked_sub(shown.start)?;
        (cell < cells).then(|| EventId::from_position(cell * self.events / cells.max(1)))
    }

    /// The columns that the rail takes in a line of this width.
    fn columns(&self, width: u16) -> Range<usize> {
        let room = usize::from(width).saturating_sub(52).max(12);
        let start = 2;
        start..start + self.events.min(room).min(CELLS)
    }
}

/// What the line is drawn from.
pub struct Line<'a> {
    /// The recording.
    pub recording: &'a dyn Recording,
    /// The selected event.
    pub selected: EventId,
    /// The session plays.
    pub playing: bool,
    /// How the recording knows of the selected event.
    pub evidence: Option<Evidence>,
    /// The settings of the result cache, in words.
    pub settings: &'a str,
    /// The theme.
    pub theme: &'a Theme,
}

impl Rail {
    /// Draws the line: the rail, where the cursor is, and how the recording knows.
    pub fn view(&self, canvas: &mut Canvas<'_>, line: &Line<'_>) {
        let theme = line.theme;
        let width = canvas.columns();
        let columns = self.columns(width);
        let cells = self.scaled(columns.len());
        let cursor = self.cell_of(line.selected, cells.len());
        let last = cells.len().saturating_sub(1);
        canvas.put(1, 0, "1", theme.dim);
        let start = u16::try_from(columns.start).unwrap_or(0);
        for (position, (column, cell)) in (start..).zip(&cells).enumerate() {
            let (shown, mut style) = self.shown(*cell, position, last, theme);
            let mut shown = shown;
            if position == cursor {
                style = style.patch(theme.selection);
                if line.playing {
                    shown = glyph::PLAYING;
                }
            }
            canvas.put(column, 0, shown, style);
        }
        let end = u16::try_from(columns.end).unwrap_or(width);
        let last_row = timeline::last_row(line.recording).map_or(0, EventId::index);
        let after = canvas.put(end, 0, &last_row.to_string(), theme.dim);
        let mut text = format!("at #{}", line.selected.index());
        if let Some(time) = time_of(line.recording, line.selected) {
            text = format!("{text}  {time}");
        }
        let mut after = canvas.put(after + 3, 0, &text, theme.text);
        if let Some(word) = line.evidence.map(evidence_word) {
            let label = if after + 24 < width { "evidence: " } else { "" };
            let cells = u16::try_from(label.len() + word.len()).unwrap_or(u16::MAX);
            if after.saturating_add(cells).saturating_add(3) < width {
                after = canvas.put(after + 3, 0, label, theme.dim);
                after = canvas.put(after, 0, word, theme.text);
            }
        }
        let settings = u16::try_from(line.settings.len()).unwrap_or(u16::MAX);
        if after.saturating_add(settings).saturating_add(3) < width {
            canvas.put_right(width - 1, 0, line.settings, theme.dim);
        }
    }

    fn shown(&self, cell: Cell, position: usize, last: usize, theme: &Theme) -> (&str, Style) {
        if let Some((mark, style)) = timeline::mark(cell.mark, theme) {
            return (mark, style);
        }
        let line = match position {
            0 => glyph::RAIL_LEFT,
            _ if position == last => glyph::RAIL_RIGHT,
            _ if cell.output && self.events <= CELLS => glyph::RAIL_EVENT,
            _ => glyph::ACROSS,
        };
        (line, theme.border)
    }
}

/// The time of day of an event, in UTC.
fn time_of(recording: &dyn Recording, id: EventId) -> Option<String> {
    let seconds = recording.record(id)?.time_ms?.div_euclid(1000);
    let of_day = seconds.rem_euclid(86_400);
    Some(format!(
        "{:02}:{:02}:{:02}",
        of_day / 3600,
        of_day / 60 % 60,
        of_day % 60
    ))
}

/// The word for the evidence.
pub const fn evidence_word(evidence: Evidence) -> &'static str {
    match evidence {
        Evidence::Recorded => "recorded",
        Evidence::Request => "request",
        Evidence::Log => "log",
        Evidence::Server => "server",
        Evidence::ReRun => "re-run",
    }
}

/// Settings of the result cache in words: `65,536 B / page 64`.
pub fn settings_words(settings: crate::policy::cache::CacheSettings) -> String {
    format!(
        "{} B / page {}",
        grouped(settings.threshold_bytes),
        settings.page_size
    )
}
