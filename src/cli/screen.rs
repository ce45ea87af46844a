//! `toolreel [PATH]` and `toolreel demo [NAME]`: the screen, or a list where nobody looks at one.

use std::io::IsTerminal;
use std::path::Path;

use super::args::{Color, ViewArguments};
use super::print::Out;
use super::{CliError, list, open};
use crate::demo::{DEMOS, Demo};
use crate::replay::source::Events;
use crate::session::{FormatName, Session};
use crate::text;
use crate::tui;
use crate::tui::tab::TabName;
use crate::tui::theme::Theme;

/// Opens a recording, or the start screen without one.
pub fn run(path: Option<&Path>, view: &ViewArguments) -> Result<(), CliError> {
    if std::io::stdout().is_terminal() {
        let session = path.map(open::begin).transpose()?;
        let path = path.map(|path| path.to_string_lossy().into_owned());
        return show(session, path.as_slice(), view);
    }
    match path {
        Some(path) => print(&open::whole(path)?),
        None => demos(),
    }
}

/// Opens a demo, or the start screen without one.
pub fn demo(name: Option<&str>, view: &ViewArguments) -> Result<(), CliError> {
    let demo = name.map(find).transpose()?;
    let session = demo.map(open::demo).transpose()?;
    match session {
        _ if std::io::stdout().is_terminal() => {
            let words = demo.map(|demo| ["demo".to_owned(), demo.name.to_owned()]);
            show(session, words.as_ref().map_or(&[], |words| words), view)
        }
        Some(session) => {
            open::index(&session)?;
            print(&session)
        }
        None => demos(),
    }
}

fn find(name: &str) -> Result<&'static Demo, CliError> {
    Demo::find(name).ok_or_else(|| {
        let names: Vec<_> = DEMOS.iter().map(|demo| demo.name).collect();
        CliError::Failed(format!(
            "no demo is called {name}: there are {}",
            names.join(", ")
        ))
    })
}

/// Shows the screen; `words` are what opened the recording, for the command line of a moment.
fn show(session: Option<Session>, words: &[String], view: &ViewArguments) -> Result<(), CliError> {
    let tab = match view.tab.as_deref() {
        Some(name) => Some(TabName::from_name(name).ok_or_else(|| no_tab(name))?),
        None => first_tab(session.as_ref(), view),
    };
    let colour = match view.color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()),
    };
    if view.color == Color::Always {
        // Against NO_COLOR, which the terminal library obeys by itself.
        crossterm::style::force_color_output(true);
    }
    let theme = if colour {
        Theme::colour()
    } else {
        Theme::plain()
    };
    let at = view.at.as_ref().map(|at| match at.text() {
        "end" => tui::At::End,
        text => match text.trim_start_matches('#').parse() {
            Ok(index) => tui::At::Event(index),
            Err(_) => tui::At::Call(text.to_owned()),
        },
    });
    let recorded = session.as_ref().and_then(Events::result_cache);
    let settings = view.settings.given(recorded.unwrap_or_default());
    let command = std::iter::once("toolreel".to_owned()).chain(words.iter().cloned());
    let ended = tui::run(tui::Options {
        session,
        command: command.collect(),
        at,
        tab,
        item: view.item,
        search: view.search.clone(),
        settings,
        theme: Theme {
            ascii: view.ascii,
            ..theme
        },
        mouse: !view.no_mouse,
    });
    match ended {
        Ok(tui::Ended::Quit) => Ok(()),
        Ok(tui::Ended::Signal(number)) => Err(CliError::Signal(number)),
        Ok(tui::Ended::TerminalGone) => Err(CliError::Signal(1)),
        Err(error) => Err(CliError::Failed(error.to_string())),
    }
}

/// The tab to open where none is asked for. What is no session but one value or text was opened to see
/// what a setting would make of it.
fn first_tab(session: Option<&Session>, view: &ViewArguments) -> Option<TabName> {
    let asked = view.item.is_some() || view.search.is_some();
    match session?.format() {
        FormatName::Json | FormatName::Text if !asked => Some(TabName::Rerun),
        _ => None,
    }
}

fn no_tab(name: &str) -> CliError {
    let names = TabName::BAR.map(TabName::name).join(", ");
    CliError::Failed(format!("no tab is called {name}: there are {names}"))
}

fn print(session: &Session) -> Result<(), CliError> {
    let mut out = Out::new();
    list::print(session, &mut out)?;
    out.finish()
}

/// The demos as the start screen lists them.
fn demos() -> Result<(), CliError> {
    let mut out = Out::new();
    for demo in DEMOS {
        let session = open::demo(demo)?;
        open::index(&session)?;
        out.line(&format!(
            "{:<20}  {:<58}  {:>3} events",
            demo.name,
            text::visible(&demo.title()),
            session.info().events
        ))?;
    }
    out.finish()
}
