//! Writing to standard output and standard error.

use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};

use serde::Serialize;

use super::CliError;
use crate::text;

/// Standard output, written in large pieces.
pub struct Out {
    to: BufWriter<StdoutLock<'static>>,
    terminal: bool,
}

impl Out {
    /// Standard output.
    pub fn new() -> Self {
        let stdout = io::stdout();
        Self {
            terminal: stdout.is_terminal(),
            to: BufWriter::with_capacity(1 << 16, stdout.lock()),
        }
    }

    /// A row of `--json`: one object and a line end.
    pub fn json(&mut self, row: &impl Serialize) -> Result<(), CliError> {
        serde_json::to_writer(&mut self.to, row).map_err(io::Error::from)?;
        Ok(self.to.write_all(b"\n")?)
    }

    /// A line of our own making. What came from a recording must have been made visible before.
    pub fn line(&mut self, line: &str) -> Result<(), CliError> {
        self.to.write_all(line.trim_end().as_bytes())?;
        Ok(self.to.write_all(b"\n")?)
    }

    /// Recorded text: exactly as it is into a pipe, made visible on a terminal.
    pub fn recorded_text(&mut self, recorded: &str) -> Result<(), CliError> {
        if !self.terminal {
            return Ok(self.to.write_all(recorded.as_bytes())?);
        }
        for line in text::visible_lines(recorded) {
            self.to.write_all(line.as_bytes())?;
            self.to.write_all(b"\n")?;
        }
        Ok(())
    }

    /// Recorded bytes: exactly as they are into a pipe, made visible on a terminal.
    pub fn recorded_bytes(&mut self, recorded: &[u8]) -> Result<(), CliError> {
        if !self.terminal {
            return Ok(self.to.write_all(recorded)?);
        }
        for line in recorded.split(|byte| *byte == b'\n') {
            self.to.write_all(text::visible_bytes(line).as_bytes())?;
            self.to.write_all(b"\n")?;
        }
        Ok(())
    }

    /// Writes out what is still held back.
    pub fn finish(mut self) -> Result<(), CliError> {
        Ok(self.to.flush()?)
    }
}

/// One message on standard error. It may quote a file's name or a recording, so it is made visible.
pub fn complain(words: &str) -> io::Result<()> {
    let mut stderr = io::stderr().lock();
    for line in text::visible_lines(words) {
        writeln!(stderr, "{line}")?;
    }
    Ok(())
}
