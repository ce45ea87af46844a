//! `toolreel [PATH]` and `toolreel demo [NAME]`: the screen, or a list where nobody looks at one.

use std::io::IsTerminal;
use std::path::Path;

use super::args::ViewArguments;
use super::print::Out;
use super::{CliError, list, open};
use crate::demo::{DEMOS, Demo};
use crate::session::Session;
use crate::text;

/// Opens a recording, or the start screen without one.
pub fn run(path: Option<&Path>, view: &ViewArguments) -> Result<(), CliError> {
    if std::io::stdout().is_terminal() {
        return show(path.map(open::begin).transpose()?, view);
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
        _ if std::io::stdout().is_terminal() => show(session, view),
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

fn show(session: Option<Session>, view: &ViewArguments) -> Result<(), CliError> {
    let _ = (session, view);
    Err(CliError::Failed("no screen yet".to_owned()))
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
