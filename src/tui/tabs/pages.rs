//! Pages: the life of a handle, and each answer exactly as `cache.page` gives it.
//!
//! ```text
//! mcp-cache-0   412 items   live #6 to #26        as of #6
//! │ 0   │ 64  │ 128 │ 192 │ 256 │ 320 │ 384 │
//! │sent │ #9  │ #11 │ #28✗│  -  │  -  │  -  │   answer 2 of 7
//!         ^
//! ask   cache.page {"page_token":"mcp-cache-0:offset:64"}
//! gets  items 64..127  64 items  23,213 B  ~9.8k tok
//! next  "mcp-cache-0:offset:128"
//! ┆ ▸ 64   4455  Session cookie not cleared
//! 2 answers 46,838 B   all 7 148,625 B   whole 147,787 B
//! ```

mod build;
mod draw;
mod map;
mod question;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use serde_json::Value;

pub use build::PagesData;
use build::{Life, load, nothing};
use draw::{MAP_ROWS, Places};
pub use question::PagesAsk;
use question::{Question, by_offset, by_token, limited, typed};

use super::sheet::SheetState;
use crate::policy::cache::page_token;
use crate::replay::pages::AnswerResult;
use crate::text::grouped;
use crate::tool::rig_mcp::CachedResultHandle;
use crate::tui::action::Action;
use crate::tui::canvas::Canvas;
use crate::tui::tab::{Context, Effect, Outcome, Place, Source, Status, Tab, TabName};
use crate::tui::theme::Theme;

/// The answers that were looked at, with their sizes.
#[derive(Debug, Default)]
struct Visited {
    answers: BTreeMap<String, u64>,
}

impl Visited {
    fn see(&mut self, question: &Question, bytes: u64) {
        let key = match question {
            Question::Own | Question::Envelope => String::new(),
            Question::Page(arguments) => arguments.to_string(),
        };
        self.answers.insert(key, bytes);
    }

    fn sum(&self) -> (usize, u64) {
        (self.answers.len(), self.answers.values().sum())
    }
}

/// What the person was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Asking {
    Offset,
    Limit,
    Token,
}

/// The state of the tab.
#[derive(Debug, Default)]
pub struct PagesTab {
    ask: PagesAsk,
    /// The token that continues after the last answer that was one.
    ahead: Option<String>,
    visited: Visited,
    read_all: bool,
    asking: Option<Asking>,
    sheet: SheetState,
}

impl PagesTab {
    fn go(&mut self, question: Question) -> Outcome {
        self.ask.question = question;
        Outcome::with(Effect::Load)
    }

    fn next(&mut self, life: &Life) -> Outcome {
        match life.answer.next.clone().or_else(|| self.ahead.clone()) {
            Some(token) => {
                let limit = self.ask.limit.clone();
                self.go(by_token(&token, limit.as_ref()))
            }
            None => say("that was the last answer"),
        }
    }

    /// The answer that stands before this one when every token is followed, however this one was
    /// come to.
    fn previous(&mut self, life: &Life) -> Outcome {
        let course = life.course;
        let is_first = match life.question {
            Question::Envelope | Question::Own => true,
            Question::Page(_) => life.start() == Some(0) && course.first > 0,
        };
        if is_first {
            return say("that is the first answer");
        }
        let earlier = match life.start() {
            Some(start) if start > course.first => course
                .last()
                .filter(|last| start >= course.total && *last < start)
                .unwrap_or_else(|| start.saturating_sub(course.limit).max(course.first)),
            _ => return self.go(Question::Envelope),
        };
        let token = page_token(&CachedResultHandle(life.handle.clone()), earlier);
        let limit = self.ask.limit.clone();
        self.go(by_token(&token, limit.as_ref()))
    }

    fn read_all(&mut self, life: &Life) -> Outcome {
        let Some(all) = life.all else {
            return say("with this limit the answers never end");
        };
        let limit = self.ask.limit.clone();
        let outcome = self.go(life.course.last_question(&life.handle, limit.as_ref()));
        self.read_all = true;
        let words = match (all.bytes, all.whole_bytes) {
            (Some(bytes), Some(whole)) => format!(
                "{} B in {} answers against {} B in one",
                grouped(bytes),
                all.answers,
                grouped(whole)
            ),
            _ => format!("{} answers; not all items are recorded", all.answers),
        };
        match outcome {
            Outcome::Done(mut effects) => {
                effects.push(Effect::Say(words));
                Outcome::Done(effects)
            }
            Outcome::Ignored => Outcome::Ignored,
        }
    }

    fn ask_for(&mut self, asking: Asking) -> Outcome {
        self.asking = Some(asking);
        let (label, text) = match asking {
            Asking::Offset => ("offset", String::new()),
            Asking::Limit => (
                "limit (empty: cache.page's own)",
                self.ask
                    .limit
                    .as_ref()
                    .map(Value::to_string)
                    .unwrap_or_default(),
            ),
            // Empty, since a whole token is pasted.
            Asking::Token => ("page token", String::new()),
        };
        Outcome::with(Effect::Ask {
            label: label.to_owned(),
            text,
            in_place: false,
        })
    }

    fn answered(&mut self, life: &Life, text: &str) -> Outcome {
        let limit = self.ask.limit.clone();
        match self.asking.take() {
            Some(Asking::Offset) => self.go(by_offset(&life.handle, typed(text), limit.as_ref())),
            Some(Asking::Token) => {
                // Another token is another question: a limit that was set for the one before is
                // not part of what was pasted.
                self.ask.limit = None;
                self.read_all &= limit.is_none();
                self.go(by_token(text.trim(), None))
            }
            Some(Asking::Limit) => {
                self.read_all = false;
                self.ask.limit = Some(text.trim()).filter(|text| !text.is_empty()).map(typed);
                let question = limited(&life.question, self.ask.limit.as_ref());
                self.go(question)
            }
            None => Outcome::Ignored,
        }
    }

    fn release(&mut self, life: &Life) -> Outcome {
        self.ask.released = !self.ask.released;
        let words = if self.ask.released {
            format!("{} released: the next page is refused", life.handle)
        } else {
            format!("{} not released here", life.handle)
        };
        Outcome::Done(vec![Effect::Load, Effect::Say(words)])
    }

    fn click(&mut self, life: &Life, context: Context, column: u16, row: u16) -> Option<Outcome> {
        if !(1..MAP_ROWS).contains(&row) {
            return None;
        }
        let cell = life.map.hit(life.cell(), context.columns, column)?;
        let start = life.map.items(cell)?.start;
        let question = if start == 0 && life.course.first > 0 {
            Question::Envelope
        } else {
            let token = page_token(&CachedResultHandle(life.handle.clone()), start);
            let limit = self.ask.limit.clone();
            by_token(&token, limit.as_ref())
        };
        Some(self.go(question))
    }
}

fn say(words: &str) -> Outcome {
    Outcome::with(Effect::Say(words.to_owned()))
}

impl Tab for PagesTab {
    type Data = PagesData;
    type Ask = PagesAsk;

    const NAME: TabName = TabName::Pages;
    const LIVE: bool = true;

    fn ask(&self) -> PagesAsk {
        self.ask.clone()
    }

    fn aim(&mut self, place: Option<&Place>) {
        self.ask.item = match place {
            Some(Place::Item(item)) => Some(*item),
            _ => None,
        };
    }

    fn load(source: &Source, ask: &PagesAsk) -> PagesData {
        load(source, ask)
    }

    fn arrive(&mut self, data: &PagesData, same_event: bool) {
        if !same_event || self.ask.event != data.event {
            *self = Self::default();
            self.ask.event = data.event;
        }
        self.ask.item = None;
        let Some(life) = &data.life else { return };
        let asked_again = self.ask.question == life.question;
        self.ask.question = life.question.clone();
        if let AnswerResult::Value(_) = life.answer.result {
            self.ahead.clone_from(&life.answer.next);
            self.visited
                .see(&life.question, life.answer.bytes.unwrap_or_default());
        }
        let (columns, rows) = data.size;
        let places = Places::of(life, columns, rows);
        let size = (columns, places.sheet_rows);
        if asked_again && same_event {
            self.sheet.keep(&life.sheet, size);
        } else {
            self.sheet.start(&life.sheet, size);
        }
    }

    fn update(&mut self, data: &PagesData, action: &Action, context: Context) -> Outcome {
        let Some(life) = &data.life else {
            return Outcome::Ignored;
        };
        let limit = self.ask.limit.clone();
        match action {
            Action::NextAnswer => self.next(life),
            Action::PreviousAnswer => self.previous(life),
            Action::FirstAnswer => self.go(Question::Envelope),
            Action::LastAnswer => {
                let question = life.course.last_question(&life.handle, limit.as_ref());
                self.go(question)
            }
            Action::AskOffset => self.ask_for(Asking::Offset),
            Action::AskLimit => self.ask_for(Asking::Limit),
            Action::AskToken => self.ask_for(Asking::Token),
            Action::Answered(text) => self.answered(life, text),
            Action::Edited(_) => Outcome::done(),
            Action::Out if self.asking.take().is_some() => Outcome::done(),
            Action::ReadAll => self.read_all(life),
            Action::ReleaseHere => self.release(life),
            Action::CopyToken => {
                let own =
                    life.answer.arguments.as_ref().and_then(|arguments| {
                        arguments.get("page_token")?.as_str().map(str::to_owned)
                    });
                match life.answer.next.clone().or(own) {
                    Some(text) => Outcome::with(Effect::Copy {
                        what: "token",
                        text,
                    }),
                    None => Outcome::Ignored,
                }
            }
            Action::Click(column, row) => {
                if let Some(outcome) = self.click(life, context, *column, *row) {
                    return outcome;
                }
                let places = Places::of(life, context.columns, context.rows);
                match row.checked_sub(places.sheet) {
                    Some(row) => {
                        let click = Action::Click(*column, row);
                        self.in_sheet(life, &click, context)
                    }
                    None => Outcome::done(),
                }
            }
            _ => self.in_sheet(life, action, context),
        }
    }

    fn view(&self, data: &PagesData, canvas: &mut Canvas<'_>, theme: &Theme) {
        self.draw(data, canvas, theme);
    }

    fn reveal(&mut self, data: &PagesData, place: &Place) -> bool {
        match (&data.life, place) {
            (Some(life), Place::Item(item)) => self.sheet.reveal_item(&life.sheet, *item),
            _ => false,
        }
    }

    fn status(&self, data: &PagesData) -> Status {
        let Some(life) = &data.life else {
            return Status::default();
        };
        let right = match life.number() {
            Some(number) => format!("answer {number} of {}", life.course.answers()),
            None => String::new(),
        };
        Status {
            left: self.sheet.path(&life.sheet).unwrap_or_default(),
            right,
        }
    }

    fn place(&self, data: &PagesData) -> Option<Place> {
        let life = data.life.as_ref()?;
        self.sheet.item(&life.sheet).map(Place::Item)
    }

    fn nothing(source: &Source) -> Option<String> {
        nothing(source)
    }
}

impl PagesTab {
    fn in_sheet(&mut self, life: &Life, action: &Action, context: Context) -> Outcome {
        let places = Places::of(life, context.columns, context.rows);
        let inner = Context {
            rows: places.sheet_rows,
            ..context
        };
        self.sheet.update(&life.sheet, action, inner)
    }
}
