//! The screen: one `App` value, an `update` that turns actions into effects, and a `view`.
//!
//! ```text
//! terminal ─▶ input ─▶ update ─▶ effects ─▶ event_loop ─▶ worker
//!                        ▲                                   │
//!                        └──────────── receive ◀─────────────┘   view draws the App
//! ```

pub mod action;
pub mod app;
pub mod area;
pub mod canvas;
pub mod clipboard;
pub mod command;
mod event_loop;
pub mod fuzzy;
mod header;
pub mod held;
pub mod help;
mod input;
pub mod keys;
pub mod ledger;
mod losses;
pub mod message;
mod moment;
pub mod open_tabs;
pub mod palette;
#[cfg(test)]
mod played;
pub mod prompt;
pub mod rail;
mod receive;
pub mod recording;
pub mod search;
mod settle;
pub mod start;
pub mod summary;
pub mod tab;
pub mod tabs;
mod terminal;
#[cfg(test)]
mod tests;
pub mod theme;
pub mod timeline;
pub mod title;
mod update;
pub mod view;
pub mod worker;

use std::io;

use app::{App, Goal};
use event_loop::Loop;
use held::Held;
use start::{Choice, Start};
use tab::{Place, TabName};
use terminal::Guard;
use theme::Theme;

use crate::demo::{DEMOS, Demo};
use crate::policy::cache::CacheSettings;
use crate::session::Session;
use crate::text::grouped;

/// What the screen opens with.
pub struct Options {
    /// The recording; the list of demos where there is none.
    pub session: Option<Session>,
    /// The words of the command line that opens it again, without its options: for `ym`.
    pub command: Vec<String>,
    /// The event to open at; the first loss where there is none.
    pub at: Option<At>,
    /// The tab to open.
    pub tab: Option<TabName>,
    /// The item to open at.
    pub item: Option<u64>,
    /// The text to search for at once.
    pub search: Option<String>,
    /// The settings of the result cache to re-run with.
    pub settings: Option<CacheSettings>,
    /// How everything is drawn.
    pub theme: Theme,
    /// The mouse is ours and not the terminal's.
    pub mouse: bool,
}

/// The event to open at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum At {
    /// An event, counted from 1.
    Event(usize),
    /// The call of an id.
    Call(String),
    /// The last event.
    End,
}

/// How the program ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// Somebody quit it.
    Quit,
    /// A signal of this number ended it.
    Signal(i32),
    /// The terminal went away.
    TerminalGone,
}

/// Why the screen cannot be shown, or not any longer.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The terminal cannot be written to, or a thread cannot be started.
    #[error("the terminal: {0}")]
    Terminal(#[from] io::Error),
}

/// Shows the screen until somebody quits it. The terminal is as it was before when this returns,
/// also with an error.
///
/// # Errors
/// When the terminal cannot be used.
pub fn run(options: Options) -> Result<Ended, RunError> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let guard = Guard::enter(options.mouse)?;
    let size = guard.size()?;
    let mut app = App::new((size.width, size.height), options.theme);
    let mut effects = Vec::new();
    if let Some(session) = options.session {
        effects.extend(app.show_session(session, options.command));
        if let Some(main) = &mut app.main {
            main.settings = options.settings;
        }
        // Who names the event wants to be there; `n` goes on to the hits behind it.
        let jumps = options.at.is_none();
        app.aim(options.at, options.tab, options.item);
        if let Some(text) = options.search {
            effects.extend(app.search_for(&text, jumps));
        }
    } else {
        app.start = Some(Start::new(DEMOS.iter().map(choice).collect()));
    }
    let ended = runtime.block_on(Loop::new(app, guard).run(effects));
    // Nobody waits for a thread that still reads.
    runtime.shutdown_background();
    ended
}

fn choice(demo: &Demo) -> Choice {
    let events = demo.open().ok().and_then(|session| {
        session.index_all().ok()?;
        Some(session.info().events)
    });
    Choice {
        name: demo.name.to_owned(),
        about: demo.title(),
        size: events.map_or_else(String::new, |events| format!("{} events", grouped(events))),
    }
}

impl App {
    /// Aims at what the command line asks for.
    pub fn aim(&mut self, at: Option<At>, tab: Option<TabName>, item: Option<u64>) {
        let Some(main) = &mut self.main else { return };
        main.goal = match at {
            Some(At::Event(index)) => Goal::Event(index),
            Some(At::Call(id)) => Goal::Call(id),
            Some(At::End) => Goal::End,
            None => Goal::Start,
        };
        let place = item.map(Place::Item);
        if tab.is_some() || place.is_some() {
            main.tabs.open(tab.unwrap_or(TabName::Blocks), place);
            main.focus = area::Pane::Detail;
        }
    }
}

/// One of every tab.
pub fn tabs_of_all() -> Vec<Box<dyn Held>> {
    vec![
        held::hold::<tabs::blocks::BlocksTab>(),
        held::hold::<tabs::envelope::EnvelopeTab>(),
        held::hold::<tabs::pages::PagesTab>(),
        held::hold::<tabs::providers::ProvidersTab>(),
        held::hold::<tabs::rerun::RerunTab>(),
        held::hold::<tabs::raw::RawTab>(),
        held::hold::<tabs::why::WhyTab>(),
    ]
}
