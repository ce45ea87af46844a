//! `toolreel cut`: what a client would have sent of an output, also as a filter in a pipe.

use std::io::{self, Read as _};
use std::path::Path;

use super::args::{CutArguments, CutForm};
use super::print::{Out, complain};
use super::{CliError, open};
use crate::policy::client::row::CutRow;
use crate::policy::client::{Catalogue, ClientPolicy, Given};
use crate::replay::client_cut::{Reading, cut, cut_bytes};

/// Runs the command.
pub fn run(arguments: &CutArguments) -> Result<(), CliError> {
    let policy = Catalogue::built_in()
        .choose(&arguments.policy, &arguments.set)
        .map_err(|error| CliError::Failed(error.to_string()))?;
    let reading = match arguments.form {
        None => Reading::AsRecorded,
        Some(CutForm::Text) => Reading::Text,
        Some(CutForm::Json) => Reading::Json,
    };
    let row = match &arguments.call {
        Some(call) => recorded(arguments, call, &policy, reading)?,
        None if arguments.path == Path::new("-") => {
            let failed = |error: &dyn std::fmt::Display| CliError::of("standard input", error);
            let mut bytes = Vec::new();
            io::stdin()
                .lock()
                .read_to_end(&mut bytes)
                .map_err(|error| failed(&error))?;
            cut_bytes(&bytes, &policy, reading).map_err(|error| failed(&error))?
        }
        None => {
            return Err(CliError::of(
                &arguments.path.display().to_string(),
                "which output? `toolreel list` shows the calls; for a text in a pipe write `-`",
            ));
        }
    };
    let mut out = Out::new();
    if arguments.json {
        out.json(&row)?;
    } else {
        match &row.given {
            Given::Text(text) => out.recorded_text(text.to_str_lossy())?,
            Given::Value(value) => out.recorded_text(&value.to_string())?,
        }
    }
    out.finish()
}

/// The row of a recorded output. One that its client had cut already is left alone, and said to be.
fn recorded(
    arguments: &CutArguments,
    call: &str,
    policy: &ClientPolicy,
    reading: Reading,
) -> Result<CutRow, CliError> {
    let session = open::whole(&arguments.path)?;
    let output = open::output(&session, call)?;
    let cut = cut(&session, output, policy, reading, arguments.force)
        .map_err(|error| CliError::of(session.name(), format!("{call}: {error}")))?;
    if let Some(recorded) = cut.recorded {
        let _ = complain(&format!(
            "toolreel: {call}: {recorded}; not cut again without --force"
        ));
    }
    Ok(cut.row)
}
