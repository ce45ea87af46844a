//! Opening what PATH names, and finding the event that CALL names.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::CliError;
use crate::demo::Demo;
use crate::session::event::EventId;
use crate::session::{Input, Session};

/// How a recording on standard input is called.
const STDIN: &str = "-";

/// A demo recording, wherever PATH can be written: `demo:released-too-early`.
const DEMO: &str = "demo:";

/// Up to this many bytes of standard input are kept in memory; more are put into a file.
const IN_MEMORY: usize = 8 << 20;

/// Opens the recording that PATH names and indexes all of it.
pub fn whole(path: &Path) -> Result<Session, CliError> {
    let session = begin(path)?;
    index(&session)?;
    Ok(session)
}

/// Indexes all of a recording.
pub fn index(session: &Session) -> Result<(), CliError> {
    session
        .index_all()
        .map_err(|error| CliError::of(session.name(), error))
}

/// Opens a demo, without indexing it.
pub fn demo(demo: &Demo) -> Result<Session, CliError> {
    demo.open()
        .map_err(|error| CliError::of(demo.name, error.source))
}

/// Opens the recording that PATH names, without indexing it.
pub fn begin(path: &Path) -> Result<Session, CliError> {
    let name = path.display().to_string();
    if let Some(demo) = name.strip_prefix(DEMO).and_then(Demo::find) {
        return self::demo(demo);
    }
    let input = if path.as_os_str() == STDIN {
        standard_input().map_err(|error| CliError::of("standard input", error))?
    } else {
        Input::Path(path.to_owned())
    };
    Session::open(input).map_err(|error| CliError::of(&name, error.source))
}

/// Standard input: small ones in memory, large ones in a file that has no name any more.
fn standard_input() -> io::Result<Input> {
    let mut stdin = io::stdin().lock();
    let name = STDIN.to_owned();
    let mut bytes = Vec::new();
    (&mut stdin)
        .take(IN_MEMORY as u64)
        .read_to_end(&mut bytes)?;
    if bytes.len() < IN_MEMORY {
        return Ok(Input::Bytes { name, bytes });
    }
    let mut file = unnamed_file()?;
    file.write_all(&bytes)?;
    io::copy(&mut stdin, &mut file)?;
    file.seek(SeekFrom::Start(0))?;
    Ok(Input::File { name, file })
}

/// A file that only this process can reach, and that is gone when it ends.
fn unnamed_file() -> io::Result<File> {
    let folder = std::env::temp_dir();
    for attempt in 0..64_u32 {
        let path = folder.join(format!("toolreel-{}-{attempt}", std::process::id()));
        let mut options = File::options();
        options.read(true).write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        match options.open(&path) {
            Ok(file) => {
                // Where an open file cannot be removed it stays behind: better than no input.
                let _ = fs::remove_file(&path);
                return Ok(file);
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::other("no free name for a temporary file"))
}

/// The recordings below a folder, in the order of their names.
pub fn below(folder: &Path) -> Result<Vec<PathBuf>, CliError> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let name = folder.display().to_string();
        let entries = fs::read_dir(&folder).map_err(|error| CliError::of(&name, error))?;
        for entry in entries {
            let entry = entry.map_err(|error| CliError::of(&name, error))?;
            match entry.file_type() {
                // A link to a folder may lead back up: not followed.
                Ok(kind) if kind.is_dir() => folders.push(entry.path()),
                Ok(_) if entry.path().is_file() => found.push(entry.path()),
                _ => {}
            }
        }
    }
    found.sort();
    Ok(found)
}

/// The event that CALL names: a call id or `#index`.
pub fn event(session: &Session, selector: &str) -> Result<EventId, CliError> {
    session.find(selector).ok_or_else(|| {
        let what = if selector.starts_with('#') {
            format!("no event {selector}: there are {}", session.index().len())
        } else {
            format!("no call {selector}; `toolreel list` shows the calls, `#6` names event 6")
        };
        CliError::of(session.name(), what)
    })
}

/// The output that CALL names: the event itself, or the output that answers it.
pub fn output(session: &Session, selector: &str) -> Result<EventId, CliError> {
    use crate::session::event::EventKind;
    let id = event(session, selector)?;
    let record = session
        .index()
        .record(id)
        .ok_or_else(|| CliError::of(session.name(), format!("no event {selector}")))?;
    match (record.kind, record.pair) {
        (EventKind::ToolOutput, _) => Ok(id),
        (EventKind::ToolCall, Some(output)) => Ok(output),
        (EventKind::ToolCall, None) => Err(CliError::of(
            session.name(),
            format!("call {selector} has no output"),
        )),
        _ => Err(CliError::of(
            session.name(),
            format!("event {selector} is no tool call and no tool output"),
        )),
    }
}
