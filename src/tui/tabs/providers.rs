//! Providers: what each provider would receive of the output, and what of it arrives.
//!
//! ```text
//! #16 browser.screenshot   as rig 0.44 sends it      o other
//!            anthropic op-chat   op-resp   gemini-3  bedrock
//! 1 text     native    converted native    native    native
//! 2 image    native !  moved     native    native    native
//! order      kept      kept      kept      LOST      kept
//! error flag kept      LOST      LOST      kept      kept
//! ```

mod build;
mod draw;
#[cfg(test)]
mod tests;

pub use build::{ProvidersAsk, ProvidersData};
use build::{load, nothing};
use draw::Grid;

use super::sheet::SheetState;
use crate::provider::{self, Lens};
use crate::text::{grouped, short_count};
use crate::tui::action::Action;
use crate::tui::canvas::Canvas;
use crate::tui::tab::{Context, Effect, Outcome, Place, Source, Status, Tab, TabName};
use crate::tui::theme::Theme;

/// The state of the tab.
#[derive(Debug, Default)]
pub struct ProvidersTab {
    ask: ProvidersAsk,
    row: usize,
    column: usize,
    adding: bool,
    wire: SheetState,
}

impl ProvidersTab {
    fn step(&mut self, data: &ProvidersData, rows: isize, columns: isize) -> Outcome {
        let last_row = data.blocks.len() + 1;
        let last_column = data.columns.len().saturating_sub(1);
        self.row = self.row.saturating_add_signed(rows).min(last_row);
        self.column = self.column.saturating_add_signed(columns).min(last_column);
        Outcome::done()
    }

    fn open(&mut self) -> Outcome {
        self.ask.open = Some((self.column, self.row));
        Outcome::with(Effect::Load)
    }

    fn close(&mut self) -> Outcome {
        self.ask.open = None;
        Outcome::with(Effect::Load)
    }

    fn other_sender(&mut self) -> Outcome {
        self.ask.lens = match self.ask.lens {
            Lens::Rig => Lens::Mixtape,
            Lens::Mixtape => Lens::Rig,
        };
        self.ask.open = None;
        self.ask.added.clear();
        self.column = 0;
        Outcome::with(Effect::Load)
    }

    fn add(&mut self, data: &ProvidersData, typed: &str) -> Outcome {
        self.adding = false;
        let typed = typed.trim();
        if typed.is_empty() {
            return Outcome::done();
        }
        let say = |words: String| Outcome::with(Effect::Say(words));
        let wanted = typed.to_lowercase();
        let shown = |name: &str| data.columns.iter().any(|column| column.name == name);
        let mut found = provider::names(self.ask.lens)
            .filter(|name| name.to_lowercase().contains(&wanted))
            .filter(|name| !shown(name));
        let name = found.next();
        match name {
            Some(name) => {
                self.ask.added.push(name.to_owned());
                self.column = data.columns.len();
                Outcome::with(Effect::Load)
            }
            None if data
                .columns
                .iter()
                .any(|column| column.name.contains(&wanted)) =>
            {
                say(format!("{typed} is shown already"))
            }
            None => say(format!("{} knows no provider {typed}", data.lens.sender())),
        }
    }

    fn copy(&self, data: &ProvidersData) -> Outcome {
        let Some(column) = data.columns.get(self.column) else {
            return Outcome::Ignored;
        };
        let rendering = &column.rendering;
        let text = match &rendering.wire {
            Some(wire) => serde_json::to_string_pretty(wire).unwrap_or_default(),
            None => rendering.error.clone().unwrap_or_default(),
        };
        Outcome::with(Effect::Copy {
            what: "wire JSON",
            text,
        })
    }

    fn click(&mut self, data: &ProvidersData, context: Context, at: (u16, u16)) -> Outcome {
        let grid = Grid::of(context.columns, data.columns.len(), self.column);
        let row = usize::from(at.1).checked_sub(2);
        let rows = data.blocks.len() + 2;
        let Some((row, column)) = row.filter(|row| *row < rows).zip(grid.hit(at.0)) else {
            return Outcome::done();
        };
        if (row, column) == (self.row, self.column) {
            return self.open();
        }
        self.row = row;
        self.column = column;
        Outcome::done()
    }
}

impl Tab for ProvidersTab {
    type Data = ProvidersData;
    type Ask = ProvidersAsk;

    const NAME: TabName = TabName::Providers;

    fn ask(&self) -> ProvidersAsk {
        self.ask.clone()
    }

    fn load(source: &Source, ask: &ProvidersAsk) -> ProvidersData {
        load(source, ask)
    }

    fn arrive(&mut self, data: &ProvidersData, same_event: bool) {
        if !same_event {
            self.row = 0;
            // The wire of another output was not asked for.
            self.ask.open = None;
        }
        self.row = self.row.min(data.blocks.len() + 1);
        self.column = self.column.min(data.columns.len().saturating_sub(1));
        if let Some(wire) = data.wire.as_ref().filter(|_| self.ask.open.is_some()) {
            self.wire.start(&wire.sheet, data.size);
            self.wire.enter(&wire.sheet);
            if let Some(range) = &wire.range {
                self.wire.reveal_bytes(&wire.sheet, 0, range, "");
            }
        }
    }

    fn update(&mut self, data: &ProvidersData, action: &Action, context: Context) -> Outcome {
        if data.reason.is_some() {
            return Outcome::Ignored;
        }
        if let Some(wire) = data.wire.as_ref().filter(|_| self.ask.open.is_some()) {
            // Left and right fold; Esc goes back to the matrix at once.
            let inside = match action {
                Action::Out => return self.close(),
                Action::Left => &Action::Out,
                Action::Right => &Action::Into,
                other => other,
            };
            return self.wire.update(&wire.sheet, inside, context);
        }
        let times = context.times() as isize;
        match action {
            Action::Down => self.step(data, times, 0),
            Action::Up => self.step(data, -times, 0),
            Action::Right => self.step(data, 0, times),
            Action::Left => self.step(data, 0, -times),
            Action::Top | Action::PageUp | Action::HalfUp => self.step(data, isize::MIN, 0),
            Action::Bottom | Action::PageDown | Action::HalfDown => self.step(data, isize::MAX, 0),
            Action::Scroll(lines) => self.step(data, isize::from(*lines), 0),
            Action::Click(column, row) => self.click(data, context, (*column, *row)),
            Action::Into => self.open(),
            Action::OtherSender => self.other_sender(),
            Action::AddProvider => {
                self.adding = true;
                Outcome::with(Effect::Ask {
                    label: "provider".to_owned(),
                    text: String::new(),
                    in_place: false,
                })
            }
            Action::Edited(_) => Outcome::done(),
            Action::Answered(text) if self.adding => self.add(data, text),
            Action::Out if self.adding => {
                self.adding = false;
                Outcome::done()
            }
            Action::CopyValue | Action::CopyJson => self.copy(data),
            _ => Outcome::Ignored,
        }
    }

    fn view(&self, data: &ProvidersData, canvas: &mut Canvas<'_>, theme: &Theme) {
        if let Some(reason) = &data.reason {
            canvas.put(0, 0, reason, theme.dim);
            return;
        }
        match data.wire.as_ref().filter(|_| self.ask.open.is_some()) {
            Some(wire) => self.wire.view(&wire.sheet, canvas, theme),
            None => self.matrix(data, canvas, theme),
        }
    }

    fn reveal(&mut self, _: &ProvidersData, _: &Place) -> bool {
        false
    }

    fn status(&self, data: &ProvidersData) -> Status {
        let Some(column) = data.columns.get(self.column) else {
            return Status::default();
        };
        let open = data.wire.as_ref().filter(|_| self.ask.open.is_some());
        let left = match open {
            Some(wire) => self.wire.path(&wire.sheet).unwrap_or_default(),
            None => column.name.clone(),
        };
        let rendering = &column.rendering;
        let right = if rendering.wire.is_some() {
            format!(
                "wire {} B  ~{} tok",
                grouped(rendering.bytes),
                short_count(rendering.tokens.rounded())
            )
        } else {
            "nothing is sent".to_owned()
        };
        Status { left, right }
    }

    fn place(&self, _: &ProvidersData) -> Option<Place> {
        None
    }

    fn nothing(source: &Source) -> Option<String> {
        nothing(source)
    }
}
