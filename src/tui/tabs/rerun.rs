//! Re-run: other settings on this recording, with what was recorded beside.
//!
//! ```text
//!  cache  rig-mcp 0.2.5                        c other policy
//!    threshold_bytes  65,536   next: 1,804 (#4)  147,787 (#6)
//!  > page_size            20   recorded 64
//!  #6 search_issues          recorded         now
//!    first answer            23,625 B     7,600 B  -68 %
//!  All 12 outputs
//!    enveloped                      1           1
//! ```

mod build;
mod draw;
mod settings;
#[cfg(test)]
mod tests;

use build::{Outcome as Result, load, next};
pub use build::{RerunAsk, RerunData};
use settings::Chosen;

use crate::policy::bound::BoundSettings;
use crate::policy::cache::CacheSettings;
use crate::replay::consequence::{Consequence, Direction};
use crate::tui::action::Action;
use crate::tui::canvas::Canvas;
use crate::tui::tab::{Context, Effect, Outcome, Place, Source, Status, Tab, TabName};
use crate::tui::theme::Theme;

/// So many digits are typed at most.
const MOST_DIGITS: usize = 15;

/// So many changes can be undone.
const MOST_UNDO: usize = 500;

/// The state of the tab.
#[derive(Debug, Default)]
pub struct RerunTab {
    ask: RerunAsk,
    /// What the person has set, while the data for it are on their way.
    pending: Option<Chosen>,
    /// The chosen row: settings first, then the outputs that change.
    at: usize,
    top: usize,
    typed: Option<String>,
    undo: Vec<Chosen>,
    choosing: bool,
}

impl RerunTab {
    /// The settings as they are meant now.
    fn chosen(&self, data: &RerunData) -> Chosen {
        self.pending.unwrap_or(data.chosen)
    }

    /// What is compared against: the settings of the recording, or its policy's defaults.
    fn recorded(&self, data: &RerunData) -> Chosen {
        match self.chosen(data) {
            Chosen::Cache(_) => Chosen::Cache(
                data.inferred
                    .map_or_else(CacheSettings::default, |known| known.settings),
            ),
            Chosen::Bound(_) => Chosen::Bound(BoundSettings::default()),
        }
    }

    /// The next value of a setting that changes anything.
    fn next(&self, data: &RerunData, field: usize, direction: Direction) -> Option<Consequence> {
        next(&data.replay, self.chosen(data), field, direction)
    }

    /// Takes other settings.
    fn set(&mut self, data: &RerunData, chosen: Chosen) -> Outcome {
        let before = self.chosen(data);
        if before == chosen {
            return Outcome::done();
        }
        if self.undo.last() != Some(&before) {
            if self.undo.len() >= MOST_UNDO {
                self.undo.remove(0);
            }
            self.undo.push(before);
        }
        self.apply(data, chosen)
    }

    /// Asks for what the settings make of the recording.
    fn apply(&mut self, data: &RerunData, chosen: Chosen) -> Outcome {
        self.pending = Some(chosen);
        match chosen {
            Chosen::Cache(settings) => {
                self.ask.bound = None;
                let recorded = data.inferred.map(|known| known.settings);
                let shown = Some(settings).filter(|settings| Some(*settings) != recorded);
                Outcome::Done(vec![Effect::Settings(shown), Effect::Load])
            }
            Chosen::Bound(settings) => {
                self.ask.bound = Some(settings);
                Outcome::with(Effect::Load)
            }
        }
    }

    fn digit(&mut self, data: &RerunData, digit: char) -> Outcome {
        let chosen = self.chosen(data);
        if !digit.is_ascii_digit() || self.at >= chosen.fields().len() {
            return Outcome::Ignored;
        }
        let begins = self.typed.is_none();
        let typed = self.typed.get_or_insert_default();
        if typed.len() >= MOST_DIGITS {
            return Outcome::done();
        }
        typed.push(digit);
        let Ok(value) = typed.parse() else {
            return Outcome::done();
        };
        let next = chosen.with(self.at, value);
        // All digits of one number are one change to be undone.
        if begins {
            self.set(data, next)
        } else {
            self.apply(data, next)
        }
    }

    fn undo(&mut self, data: &RerunData) -> Outcome {
        self.typed = None;
        let now = self.chosen(data);
        while let Some(before) = self.undo.pop() {
            if before != now {
                return self.apply(data, before);
            }
        }
        Outcome::with(Effect::Say("nothing to undo".to_owned()))
    }

    fn by_consequence(&mut self, data: &RerunData, direction: Direction, times: usize) -> Outcome {
        self.typed = None;
        let field = self.at.min(self.chosen(data).fields().len() - 1);
        self.at = field;
        let mut chosen = self.chosen(data);
        let mut moved = false;
        for _ in 0..times.min(100) {
            let before = self.pending;
            self.pending = Some(chosen);
            let next = self.next(data, field, direction);
            self.pending = before;
            let Some(next) = next else { break };
            chosen = chosen.with(field, next.value);
            moved = true;
        }
        if moved {
            self.set(data, chosen)
        } else {
            let words = match direction {
                Direction::Up => "no larger value changes anything",
                Direction::Down => "no smaller value changes anything",
            };
            Outcome::with(Effect::Say(words.to_owned()))
        }
    }

    fn other_policy(&mut self) -> Outcome {
        self.choosing = true;
        Outcome::with(Effect::Ask {
            label: format!("policy ({})", Chosen::NAMES.join(", ")),
            text: String::new(),
            in_place: false,
        })
    }

    fn choose(&mut self, data: &RerunData, name: &str) -> Outcome {
        self.choosing = false;
        let name = name.trim().to_lowercase();
        let now = self.chosen(data);
        let found = Chosen::NAMES.iter().find(|known| {
            if name.is_empty() {
                **known != now.name()
            } else {
                known.starts_with(&name)
            }
        });
        let next = match found {
            Some(&"cache") => Chosen::Cache(
                data.inferred
                    .map_or_else(CacheSettings::default, |known| known.settings),
            ),
            Some(_) => Chosen::Bound(BoundSettings::default()),
            None => {
                let words = format!("no policy is called {name}: {}", Chosen::NAMES.join(", "));
                return Outcome::with(Effect::Say(words));
            }
        };
        if next.name() == now.name() {
            return Outcome::done();
        }
        self.at = 0;
        self.top = 0;
        self.ask.against = None;
        self.set(data, next)
    }

    fn compare(&mut self, data: &RerunData) -> Outcome {
        let words = if self.ask.against.take().is_some() {
            "compared with the recording".to_owned()
        } else {
            let chosen = self.chosen(data);
            self.ask.against = Some(chosen);
            let values: Vec<String> = chosen
                .fields()
                .into_iter()
                .map(|(name, value)| format!("{name} {}", crate::text::grouped(value)))
                .collect();
            format!("a is {}: what you set now is b", values.join(", "))
        };
        Outcome::Done(vec![Effect::Load, Effect::Say(words)])
    }

    fn step(&mut self, data: &RerunData, context: Context, to: usize) -> Outcome {
        self.typed = None;
        let last = self.chosen(data).fields().len() + data.changed.len();
        self.at = to.min(last.saturating_sub(1));
        let rows = self.rows(data, context.columns);
        self.top = rows.top(self.at, self.top, usize::from(context.rows));
        Outcome::done()
    }

    fn follow(&mut self, data: &RerunData) -> Outcome {
        if self.typed.take().is_some() {
            return Outcome::done();
        }
        let place = self.at.checked_sub(self.chosen(data).fields().len());
        match place.and_then(|place| data.changed.get(place)) {
            Some(output) => Outcome::with(Effect::GoTo(output.event)),
            None => Outcome::Ignored,
        }
    }

    fn scroll(&mut self, data: &RerunData, context: Context, lines: isize) -> Outcome {
        let rows = self.rows(data, context.columns);
        let most = rows.len().saturating_sub(usize::from(context.rows));
        self.top = self.top.saturating_add_signed(lines).min(most);
        let in_view = rows
            .iter()
            .skip(self.top)
            .take(usize::from(context.rows))
            .filter_map(|row| row.choice);
        let mut shown = in_view.peekable();
        if let Some(first) = shown.peek().copied() {
            let last = shown.last().unwrap_or(first);
            self.at = self.at.clamp(first, last);
        }
        Outcome::done()
    }
}

impl Tab for RerunTab {
    type Data = RerunData;
    type Ask = RerunAsk;

    const NAME: TabName = TabName::Rerun;
    const LIVE: bool = true;

    fn ask(&self) -> RerunAsk {
        self.ask.clone()
    }

    fn aim(&mut self, place: Option<&Place>) {
        if let Some(Place::Item(item)) = place {
            self.ask.item = Some(*item);
        }
    }

    fn load(source: &Source, ask: &RerunAsk) -> RerunData {
        load(source, ask)
    }

    fn arrive(&mut self, data: &RerunData, same_event: bool) {
        if self.pending == Some(data.chosen) {
            self.pending = None;
        }
        if let Result::Bound(outcome) = &data.result {
            self.ask.run.clone_from(&outcome.run);
        }
        if !same_event {
            self.typed = None;
            self.ask.item = self.ask.item.filter(|_| self.top == 0);
        }
        let last = self.chosen(data).fields().len() + data.changed.len();
        self.at = self.at.min(last.saturating_sub(1));
    }

    fn update(&mut self, data: &RerunData, action: &Action, context: Context) -> Outcome {
        let times = context.times();
        match action {
            Action::Down => self.step(data, context, self.at.saturating_add(times)),
            Action::Up => self.step(data, context, self.at.saturating_sub(times)),
            Action::Top => self.step(data, context, 0),
            Action::Bottom => self.step(data, context, usize::MAX),
            Action::HalfDown => self.scroll(data, context, isize::from(context.rows as i16 / 2)),
            Action::HalfUp => self.scroll(data, context, -isize::from(context.rows as i16 / 2)),
            Action::PageDown => self.scroll(data, context, context.rows as isize),
            Action::PageUp => self.scroll(data, context, -(context.rows as isize)),
            Action::Scroll(lines) => self.scroll(data, context, isize::from(*lines)),
            Action::Click(_, row) => {
                let choice = self
                    .rows(data, context.columns)
                    .iter()
                    .nth(self.top + usize::from(*row))
                    .and_then(|row| row.choice);
                match choice {
                    Some(choice) if choice == self.at => self.follow(data),
                    Some(choice) => self.step(data, context, choice),
                    None => Outcome::done(),
                }
            }
            Action::Type(digit) => self.digit(data, *digit),
            Action::Into => self.follow(data),
            Action::Out if self.typed.is_some() => self.undo(data),
            Action::Out if self.choosing => {
                self.choosing = false;
                Outcome::done()
            }
            Action::NextValue => self.by_consequence(data, Direction::Up, times),
            Action::PreviousValue => self.by_consequence(data, Direction::Down, times),
            Action::Undo => self.undo(data),
            Action::RecordedValues => {
                self.typed = None;
                self.set(data, self.recorded(data))
            }
            Action::Compare => self.compare(data),
            Action::OtherPolicy => self.other_policy(),
            Action::Edited(_) => Outcome::done(),
            Action::Answered(name) if self.choosing => self.choose(data, name),
            Action::CopyValue => Outcome::with(Effect::Copy {
                what: "settings",
                text: self.chosen(data).toml(),
            }),
            Action::CopyJson => match json(data) {
                Some(text) => Outcome::with(Effect::Copy { what: "JSON", text }),
                None => Outcome::Ignored,
            },
            _ => Outcome::Ignored,
        }
    }

    fn view(&self, data: &RerunData, canvas: &mut Canvas<'_>, theme: &Theme) {
        let rows = self.rows(data, canvas.columns());
        let shown = usize::from(canvas.rows());
        let top = rows.top(self.at, self.top, shown);
        rows.draw(self.at, top, canvas, theme);
    }

    fn reveal(&mut self, _: &RerunData, place: &Place) -> bool {
        matches!(place, Place::Item(_))
    }

    fn status(&self, data: &RerunData) -> Status {
        let left = match data.against {
            Some(_) => "a against b",
            None => "recorded beside now",
        };
        Status {
            left: left.to_owned(),
            right: match &data.result {
                Result::Bound(outcome) if !outcome.complete => "not all outputs yet",
                _ => "evidence: re-run",
            }
            .to_owned(),
        }
    }

    fn place(&self, _: &RerunData) -> Option<Place> {
        self.ask.item.map(Place::Item)
    }

    fn nothing(source: &Source) -> Option<String> {
        let none = source
            .replay
            .rerun(source.replay.recorded_settings().settings)
            .is_empty();
        let words = if source.recording.is_complete() {
            "no tool outputs: there is nothing to run again"
        } else {
            "still loading: no tool output has come yet"
        };
        none.then(|| words.to_owned())
    }
}

/// The selected output's row as JSON, as the command line prints it.
fn json(data: &RerunData) -> Option<String> {
    match &data.result {
        Result::Cache(outcome) => {
            let [_, now] = outcome.rows.as_ref()?;
            serde_json::to_string(now).ok()
        }
        Result::Bound(outcome) => serde_json::to_string(outcome.row.as_ref()?).ok(),
    }
}
