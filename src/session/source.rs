//! Where a recording's bytes come from: a file that is read and never mapped, or memory.
//!
//! A mapped file that somebody truncates kills the program that looks at it; `pread` is as fast and
//! gives a short read instead.

use std::fs::{File, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// How much of a file's beginning tells that it is still the same file.
const FINGERPRINT: usize = 4096;

/// What to open.
#[derive(Debug)]
pub enum Input {
    /// A file, read where it lies and followed when it grows.
    Path(PathBuf),
    /// Bytes in memory: a demo, or a small standard input.
    Bytes {
        /// The name to show.
        name: String,
        /// The whole recording.
        bytes: Vec<u8>,
    },
    /// An open file without a name of its own, for example a spooled standard input.
    File {
        /// The name to show.
        name: String,
        /// The file.
        file: File,
    },
}

/// The bytes of one generation of a recording.
#[derive(Debug)]
pub(super) enum Source {
    File {
        file: File,
        /// Empty for a file without a name.
        path: PathBuf,
        identity: Identity,
        fingerprint: Box<[u8]>,
    },
    Bytes(Vec<u8>),
}

/// Which file it is, so that a replaced one is noticed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Identity {
    device: u64,
    inode: u64,
}

impl Identity {
    #[cfg(unix)]
    fn of(metadata: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt;
        Self {
            device: metadata.dev(),
            inode: metadata.ino(),
        }
    }

    /// Elsewhere only the fingerprint and the length tell files apart.
    #[cfg(not(unix))]
    fn of(_: &Metadata) -> Self {
        Self {
            device: 0,
            inode: 0,
        }
    }
}

/// What became of a source since it was opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stat {
    /// It has this length now, and what was read is still true.
    Same(u64),
    /// Truncated, rewritten, or another file has its name.
    Replaced,
    /// Nothing has its name any more; the open file can still be read.
    Gone(u64),
}

impl Source {
    /// Opens a file.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        Self::from_file(file, path.to_owned())
    }

    /// Takes an open file.
    pub(super) fn from_file(file: File, path: PathBuf) -> io::Result<Self> {
        let metadata = file.metadata()?;
        if metadata.is_dir() {
            return Err(io::Error::new(
                io::ErrorKind::IsADirectory,
                "is a directory",
            ));
        }
        let identity = Identity::of(&metadata);
        let mut fingerprint = vec![0; FINGERPRINT];
        let read = read_full(&file, &mut fingerprint, 0)?;
        fingerprint.truncate(read);
        Ok(Self::File {
            file,
            path,
            identity,
            fingerprint: fingerprint.into_boxed_slice(),
        })
    }

    /// The length in bytes now.
    pub(super) fn len(&self) -> io::Result<u64> {
        match self {
            Self::File { file, .. } => Ok(file.metadata()?.len()),
            Self::Bytes(bytes) => Ok(bytes.len() as u64),
        }
    }

    /// The path, where it has one.
    pub(super) fn path(&self) -> Option<&Path> {
        match self {
            Self::File { path, .. } if !path.as_os_str().is_empty() => Some(path),
            _ => None,
        }
    }

    /// When the file was last written.
    pub(super) fn modified(&self) -> Option<SystemTime> {
        match self {
            Self::File { file, .. } => file.metadata().ok()?.modified().ok(),
            Self::Bytes(_) => None,
        }
    }

    /// Fills `buffer` from `offset` as far as the source reaches, and says how far.
    pub(super) fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        match self {
            Self::File { file, .. } => read_full(file, buffer, offset),
            Self::Bytes(bytes) => {
                let rest = usize::try_from(offset)
                    .ok()
                    .and_then(|offset| bytes.get(offset..))
                    .unwrap_or_default();
                let length = rest.len().min(buffer.len());
                if let (Some(to), Some(from)) = (buffer.get_mut(..length), rest.get(..length)) {
                    to.copy_from_slice(from);
                }
                Ok(length)
            }
        }
    }

    /// The bytes of a range, fewer where the source ends before.
    pub(super) fn read_range(&self, offset: u64, length: u64) -> io::Result<Vec<u8>> {
        let available = self.len()?.saturating_sub(offset).min(length);
        let length = usize::try_from(available)
            .map_err(|_| io::Error::new(io::ErrorKind::OutOfMemory, "record is too large"))?;
        let mut bytes = Vec::new();
        bytes
            .try_reserve_exact(length)
            .map_err(|_| io::Error::new(io::ErrorKind::OutOfMemory, "record is too large"))?;
        bytes.resize(length, 0);
        let read = self.read_at(&mut bytes, offset)?;
        bytes.truncate(read);
        Ok(bytes)
    }

    /// Looks whether the file is still the one that was opened; `known` bytes of it were read.
    pub(super) fn stat(&self, known: u64) -> io::Result<Stat> {
        let Self::File {
            file,
            path,
            identity,
            fingerprint,
        } = self
        else {
            return Ok(Stat::Same(self.len()?));
        };
        let length = file.metadata()?.len();
        if path.as_os_str().is_empty() {
            return Ok(Stat::Same(length));
        }
        match std::fs::metadata(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Stat::Gone(length)),
            Err(error) => return Err(error),
            Ok(metadata) if Identity::of(&metadata) != *identity => return Ok(Stat::Replaced),
            Ok(_) => {}
        }
        let mut head = vec![0; fingerprint.len()];
        let read = read_full(file, &mut head, 0)?;
        if length < known || head.get(..read) != Some(&**fingerprint) {
            return Ok(Stat::Replaced);
        }
        Ok(Stat::Same(length))
    }
}

/// Reads until the buffer is full or the file ends.
fn read_full(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    let mut done = 0;
    while let Some(rest) = buffer.get_mut(done..).filter(|rest| !rest.is_empty()) {
        match read_some(file, rest, offset + done as u64) {
            Ok(0) => break,
            Ok(read) => done += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(done)
}

#[cfg(unix)]
fn read_some(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, buffer, offset)
}

#[cfg(windows)]
fn read_some(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, buffer, offset)
}
