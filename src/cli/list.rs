//! `toolreel list`: one line per event.

use super::args::ListArguments;
use super::print::Out;
use super::{CliError, open};
use crate::session::Session;
use crate::text;

/// Runs the command.
pub fn run(arguments: &ListArguments) -> Result<(), CliError> {
    let session = open::whole(&arguments.path)?;
    let mut out = Out::new();
    print(&session, &mut out)?;
    out.finish()
}

/// The lines for a person.
pub fn print(session: &Session, out: &mut Out) -> Result<(), CliError> {
    for (id, record) in session.index().iter() {
        out.line(&text::visible(&format!(
            "{:>5}  {:?}",
            id.index(),
            record.kind
        )))?;
    }
    Ok(())
}
