//! Copying: OSC 52 through the terminal, which works over ssh; a file where that is too small.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::PathBuf;
use std::{env, process};

/// What terminals take in one OSC 52 sequence. Some take less, and none says so.
const MOST: usize = 512 * 1024;

/// Where a text is to go.
#[derive(Debug, PartialEq, Eq)]
pub enum Way {
    /// To the terminal's clipboard.
    Terminal,
    /// To a file, since it is more than terminals take.
    File,
}

/// Where a text of this size is to go.
pub const fn way(bytes: usize) -> Way {
    if bytes > MOST {
        Way::File
    } else {
        Way::Terminal
    }
}

/// Writes a text to a new file that only the user can read, and names it.
pub fn write_to_file(what: &str, text: &str) -> io::Result<PathBuf> {
    let folder = env::temp_dir();
    let name: String = what.chars().filter(char::is_ascii_alphanumeric).collect();
    for number in 0..1000 {
        let path = folder.join(format!("toolreel-{}-{name}-{number}.txt", process::id()));
        let mut options = OpenOptions::new();
        // Never through a link that somebody else laid there.
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        match options.open(&path) {
            Ok(mut file) => {
                file.write_all(text.as_bytes())?;
                return Ok(path);
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_too_large_for_a_terminal_goes_to_a_file() {
        assert_eq!(way(12), Way::Terminal);
        assert_eq!(way(MOST + 1), Way::File);
        let path = write_to_file("value", "text").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "text");
        std::fs::remove_file(path).unwrap();
    }
}
