//! Files that an agent wrote an output to, where they lie beside the recording.
//!
//! A recording may name any path. Only a file below the recording's own folder is ever read: the name
//! that it tells, looked for where agents put it.

use std::fs;
use std::path::{Path, PathBuf};

/// The largest side file that is read as one output.
const LARGEST: u64 = 256 << 20;

/// The text of the side file that a recording names, where it lies beside it.
pub(super) fn read(recording: &Path, told: &str) -> Option<String> {
    let path = find(recording, told)?;
    let bytes = fs::read(path).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// Where the side file lies: `tool-results/NAME` beside the recording or in the folder of its session.
fn find(recording: &Path, told: &str) -> Option<PathBuf> {
    let told = told.replace('\\', "/");
    let mut parts = told.rsplit('/');
    let name = parts.next().filter(|name| !name.is_empty())?;
    let session = parts.nth(1).unwrap_or_default();
    let folder = recording.parent()?;
    let stem = recording.file_stem()?;
    let candidates = [
        folder.join(stem).join("tool-results").join(name),
        folder.join(session).join("tool-results").join(name),
        folder.join("tool-results").join(name),
        folder.join(name),
    ];
    let folder = fs::canonicalize(folder).ok()?;
    candidates.into_iter().find_map(|candidate| {
        let path = fs::canonicalize(candidate).ok()?;
        let metadata = fs::metadata(&path).ok()?;
        let inside = path.starts_with(&folder) && metadata.is_file();
        (inside && metadata.len() <= LARGEST).then_some(path)
    })
}
