//! What can go wrong on the command line, and the exit code of each.

use std::io;
use std::process::ExitCode;

/// Why a command did not do its work.
#[derive(Debug, thiserror::Error)]
pub enum CliError {
    /// A recording cannot be read, or does not hold what was asked for.
    #[error("{0}")]
    Failed(String),
    /// The answer is a refusal, in its exact words: `page` of a released handle.
    #[error("{0}")]
    Refused(String),
    /// The reader of standard output went away.
    #[error("standard output was closed")]
    Closed,
    /// A signal of this number ended the screen.
    #[error("ended by signal {0}")]
    Signal(i32),
    /// Standard output cannot be written.
    #[error("standard output: {0}")]
    Output(io::Error),
}

impl CliError {
    /// The failure of one recording: its name and the reason.
    pub fn of(name: &str, reason: impl std::fmt::Display) -> Self {
        Self::Failed(format!("{name}: {reason}"))
    }

    /// What to print on standard error; nothing where the reader went away.
    pub fn words(&self) -> Option<String> {
        match self {
            Self::Closed | Self::Signal(_) => None,
            Self::Refused(words) => Some(words.clone()),
            other => Some(format!("toolreel: {other}")),
        }
    }

    /// The program's exit code.
    pub fn exit_code(&self) -> ExitCode {
        match self {
            Self::Closed => ExitCode::SUCCESS,
            Self::Refused(_) => ExitCode::from(1),
            // As a shell reports a program that a signal ended.
            Self::Signal(number) => ExitCode::from(u8::try_from(128 + number).unwrap_or(2)),
            Self::Failed(_) | Self::Output(_) => ExitCode::from(2),
        }
    }
}

impl From<io::Error> for CliError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::Closed,
            _ => Self::Output(error),
        }
    }
}
