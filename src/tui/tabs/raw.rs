//! Raw: the exact recorded bytes of the event, safe to look at.
//!
//! ```text
//! line 6  byte 205,517 of the file  147,787 B            Enter hex
//!       0 {"type":"tool_output","time":"2026-03-23T10:00:03.412Z","id":
//!      61 "call_02","returned":{"value":[{"number":4612,"title":"Login
//! ```

mod bytes;

use std::ops::Range;

use bytes::{Bytes, Drawn, Form, LayoutCache};

use super::line::{Ink, Line, Piece, inked};
use super::tree::hits;
use crate::query::Needle;
use crate::session::event::Fault;
use crate::text::grouped;
use crate::tui::action::Action;
use crate::tui::canvas::Canvas;
use crate::tui::tab::{Context, Effect, Outcome, Place, Source, Status, Tab, TabName};
use crate::tui::theme::Theme;

/// No key moves further than this many rows at once.
const FARTHEST: usize = 50_000;

/// What the tab shows.
#[derive(Debug, Default)]
pub struct RawData {
    bytes: Bytes,
    /// Where the record begins in the file, and in which line.
    offset: u64,
    line: u32,
    faults: Vec<Fault>,
    missing: bool,
    size: (u16, u16),
}

impl RawData {
    /// Columns of the offsets.
    fn offsets(&self) -> usize {
        self.bytes.all().len().to_string().len()
    }

    /// Columns of the bytes.
    fn width(&self, columns: u16) -> usize {
        usize::from(columns)
            .saturating_sub(self.offsets() + 1)
            .max(4)
    }

    /// Faults inside strings, as bytes of the record.
    fn fault_at(&self, row: &Drawn) -> Option<Range<usize>> {
        self.faults.iter().find_map(|fault| {
            let at = usize::try_from(fault.offset.checked_sub(self.offset)?).ok()?;
            row.bytes.contains(&at).then_some(at..at + 1)
        })
    }
}

/// The state of the tab.
#[derive(Debug, Default)]
pub struct RawTab {
    form: Form,
    /// First bytes of the row of the cursor and of the top row.
    at: usize,
    top: usize,
    found: Option<(Range<usize>, Option<Needle>)>,
    size: (u16, u16),
    cache: LayoutCache,
}

impl RawTab {
    fn forward(&self, data: &RawData, from: usize, rows: usize) -> usize {
        let width = data.width(self.size.0);
        let mut at = from;
        for _ in 0..rows.min(FARTHEST) {
            match data.bytes.next(at, self.form, width, &self.cache) {
                Some(next) => at = next,
                None => break,
            }
        }
        at
    }

    fn back(&self, data: &RawData, from: usize, rows: usize) -> usize {
        let width = data.width(self.size.0);
        let mut at = from;
        for _ in 0..rows.min(FARTHEST) {
            match data.bytes.previous(at, self.form, width, &self.cache) {
                Some(before) => at = before,
                None => break,
            }
        }
        at
    }

    /// Rows of bytes in the pane, below the heading.
    fn rows(&self) -> usize {
        usize::from(self.size.1).saturating_sub(1).max(1)
    }

    fn go(&mut self, data: &RawData, byte: usize) {
        let width = data.width(self.size.0);
        self.at = data.bytes.row_of(byte, self.form, width, &self.cache);
        self.top = data.bytes.row_of(self.top, self.form, width, &self.cache);
        let bottom = self.forward(data, self.top, self.rows() - 1);
        if self.at < self.top {
            self.top = self.at;
        } else if self.at > bottom {
            self.top = self.back(data, self.at, self.rows() - 1);
        }
        let last = data.bytes.row_of(usize::MAX, self.form, width, &self.cache);
        let lowest = self.back(data, last, self.rows() - 1);
        self.top = self.top.min(lowest);
    }

    fn scroll(&mut self, data: &RawData, lines: i16) {
        let far = usize::from(lines.unsigned_abs());
        let to = if lines < 0 {
            self.back(data, self.top, far)
        } else {
            self.forward(data, self.top, far)
        };
        self.top = to;
        let bottom = self.forward(data, self.top, self.rows() - 1);
        let at = self.at.clamp(self.top, bottom);
        self.go(data, at);
    }

    fn line(&self, data: &RawData, row: &Drawn) -> Line {
        let label = format!("{:>cells$} ", row.bytes.start, cells = data.offsets());
        let mut line = Line::of(Ink::Dim, label);
        let piece = Piece {
            text: row.text.clone().into(),
            ink: Ink::Text,
        };
        let mut pieces = inked(vec![piece], &row.controls, Ink::Control);
        if let Some(fault) = data.fault_at(row).and_then(|fault| row.find(&fault)) {
            pieces = inked(pieces, std::slice::from_ref(&fault), Ink::Finding);
        }
        let (range, needle) = match &self.found {
            Some((range, needle)) => (Some(range), needle.as_ref()),
            None => (None, None),
        };
        let exact = range.and_then(|range| row.find(range));
        let marked = match self.form {
            Form::Text => hits(&row.text, exact, needle),
            Form::Hex => exact.into_iter().collect(),
        };
        line.left.extend(inked(pieces, &marked, Ink::Hit));
        line
    }

    fn heading(&self, data: &RawData) -> Line {
        let mut line = Line::of(
            Ink::Title,
            format!("line {}", grouped(u64::from(data.line))),
        )
        .and(
            Ink::Text,
            format!(
                "  byte {} of the file  {} B",
                grouped(data.offset),
                grouped(data.bytes.all().len() as u64)
            ),
        );
        if let Some(fault) = data.faults.first() {
            line = line.and(Ink::Finding, format!("  ! {}", fault.reason));
        }
        let other = match self.form {
            Form::Text => " hex",
            Form::Hex => " text",
        };
        line.right(Ink::Key, "Enter").right(Ink::Dim, other)
    }
}

impl Tab for RawTab {
    type Data = RawData;
    type Ask = ();

    const NAME: TabName = TabName::Raw;

    fn ask(&self) -> Self::Ask {}

    fn load(source: &Source, (): &Self::Ask) -> RawData {
        let record = source.recording.record(source.event);
        let raw = source.recording.raw(source.event);
        let faulty = record.is_some_and(|record| record.faulty);
        let faults = if faulty {
            source
                .recording
                .event(source.event)
                .map(|event| event.faults)
                .unwrap_or_default()
        } else {
            Vec::new()
        };
        RawData {
            missing: raw.is_none(),
            bytes: Bytes::new(raw.unwrap_or_default()),
            offset: record.map_or(0, |record| record.offset),
            line: record.map_or(0, |record| record.line),
            faults,
            size: (source.columns, source.rows),
        }
    }

    fn arrive(&mut self, data: &RawData, same_event: bool) {
        if !same_event {
            *self = Self {
                form: self.form,
                ..Self::default()
            };
        }
        self.size = data.size;
        let at = self.at;
        self.go(data, at);
    }

    fn update(&mut self, data: &RawData, action: &Action, context: Context) -> Outcome {
        self.size = (context.columns, context.rows);
        let times = context.times();
        let page = self.rows().saturating_sub(1).max(1);
        let half = (self.rows() / 2).max(1);
        let to = match action {
            Action::Down => self.forward(data, self.at, times),
            Action::Up => self.back(data, self.at, times),
            Action::HalfDown => self.forward(data, self.at, times.saturating_mul(half)),
            Action::HalfUp => self.back(data, self.at, times.saturating_mul(half)),
            Action::PageDown => self.forward(data, self.at, times.saturating_mul(page)),
            Action::PageUp => self.back(data, self.at, times.saturating_mul(page)),
            Action::Top => context.count.map_or(0, |byte| byte as usize),
            Action::Bottom => context.count.map_or(usize::MAX, |byte| byte as usize),
            Action::Into | Action::Fold => {
                self.form = match self.form {
                    Form::Text => Form::Hex,
                    Form::Hex => Form::Text,
                };
                self.at
            }
            Action::Scroll(lines) => {
                self.scroll(data, *lines);
                return Outcome::done();
            }
            Action::Click(_, row) => match usize::from(*row).checked_sub(1) {
                Some(row) => self.forward(data, self.top, row),
                None => return Outcome::done(),
            },
            Action::CopyValue | Action::CopyJson => {
                return Outcome::with(Effect::Copy {
                    what: "bytes",
                    text: String::from_utf8_lossy(data.bytes.all()).into_owned(),
                });
            }
            _ => return Outcome::Ignored,
        };
        self.go(data, to);
        Outcome::done()
    }

    fn view(&self, data: &RawData, canvas: &mut Canvas<'_>, theme: &Theme) {
        if data.missing {
            canvas.put(0, 0, "these bytes cannot be read any more", theme.error);
            return;
        }
        let width = data.width(canvas.columns());
        self.heading(data).draw(canvas, 0, 0, theme);
        let mut start = data.bytes.row_of(self.top, self.form, width, &self.cache);
        let cursor = data.bytes.row_of(self.at, self.form, width, &self.cache);
        for row in 1..canvas.rows() {
            let drawn = data.bytes.draw(start, self.form, width, &self.cache);
            self.line(data, &drawn).draw(canvas, 0, row, theme);
            if start == cursor {
                canvas.style_row(row, theme.selection);
            }
            match data.bytes.next(start, self.form, width, &self.cache) {
                Some(next) => start = next,
                None => break,
            }
        }
    }

    fn reveal(&mut self, data: &RawData, place: &Place) -> bool {
        let Place::Raw { range, pattern } = place else {
            return false;
        };
        self.found = Some((range.clone(), Needle::new(pattern)));
        self.top = self.back(data, range.start, self.rows() / 3);
        self.go(data, range.start);
        true
    }

    fn status(&self, data: &RawData) -> Status {
        if data.missing {
            return Status::default();
        }
        Status {
            left: format!("byte {}", grouped(self.at as u64)),
            right: format!("file byte {}", grouped(data.offset + self.at as u64)),
        }
    }

    fn place(&self, _: &RawData) -> Option<Place> {
        Some(Place::Raw {
            range: self.at..self.at,
            pattern: String::new(),
        })
    }

    fn nothing(_: &Source) -> Option<String> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::tabs::testing::{Pane, demo, source};

    fn raw(name: &str, index: usize, size: (u16, u16)) -> Pane<RawTab> {
        Pane::new(source(demo(name), index, size))
    }

    #[test]
    fn the_bytes_are_wrapped_with_their_offsets() {
        let mut pane = raw("released-too-early", 6, (55, 8));
        insta::assert_snapshot!(pane.screen());
        pane.act(&Action::Into);
        insta::assert_snapshot!(pane.screen());
        pane.act(&Action::Bottom);
        assert!(pane.tab.at > 100_000);
        pane.act(&Action::Into);
        pane.act(&Action::Top);
        assert_eq!(pane.tab.status(&pane.data).left, "byte 0");
    }

    #[test]
    fn what_a_terminal_would_obey_is_only_shown() {
        let count = demo("hostile").index().len();
        for index in (1..=count).step_by(3) {
            let mut pane = raw("hostile", index, (60, 12));
            for action in [
                Action::Bottom,
                Action::HalfUp,
                Action::Into,
                Action::Top,
                Action::PageDown,
            ] {
                pane.act(&action);
                pane.screen();
            }
            for (columns, rows) in [(0, 0), (1, 1), (7, 3), (120, 50)] {
                pane.screen_at(columns, rows);
            }
        }
    }

    #[test]
    fn a_hit_is_shown_where_it_stands() {
        let mut pane = raw("released-too-early", 6, (55, 10));
        let at = pane
            .data
            .bytes
            .all()
            .windows(4)
            .position(|bytes| bytes == b"3966")
            .unwrap();
        let place = Place::Raw {
            range: at..at + 4,
            pattern: "3966".to_owned(),
        };
        assert!(pane.tab.reveal(&pane.data, &place));
        assert!(pane.screen().contains("3966"), "{}", pane.screen());
    }
}
