//! The recordings that the program carries: one per story worth telling.

use crate::session::{Input, OpenError, Session};

/// A recording that is compiled in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Demo {
    /// Its name after `toolreel demo`.
    pub name: &'static str,
    bytes: &'static [u8],
}

macro_rules! demos {
    ($($name:literal),* $(,)?) => {
        /// All of them, in the order of the start screen.
        pub const DEMOS: &[Demo] = &[$(Demo {
            name: $name,
            bytes: include_bytes!(concat!("../sessions/", $name, ".jsonl")),
        }),*];
    };
}

demos!("released-too-early", "four-kinds", "bricked", "hostile");

impl Demo {
    /// The demo of a name, whole or any beginning of it that only one has.
    pub fn find(name: &str) -> Option<&'static Self> {
        let mut begun = DEMOS.iter().filter(|demo| demo.name.starts_with(name));
        DEMOS
            .iter()
            .find(|demo| demo.name == name)
            .or_else(|| match (begun.next(), begun.next()) {
                (Some(only), None) if !name.is_empty() => Some(only),
                _ => None,
            })
    }

    /// The recorded bytes.
    pub const fn bytes(&self) -> &'static [u8] {
        self.bytes
    }

    /// The name that it goes by as a recording.
    pub fn file_name(&self) -> String {
        format!("{}.jsonl", self.name)
    }

    /// What it shows, in one line: the title in its header.
    pub fn title(&self) -> String {
        let head = self.bytes.split(|byte| *byte == b'\n').next();
        head.and_then(|head| serde_json::from_slice::<serde_json::Value>(head).ok())
            .and_then(|header| header.get("title")?.as_str().map(str::to_owned))
            .unwrap_or_default()
    }

    /// Opens it.
    pub fn open(&self) -> Result<Session, OpenError> {
        Session::open(Input::Bytes {
            name: self.file_name(),
            bytes: self.bytes.to_vec(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_demo_is_found_by_its_beginning() {
        assert_eq!(
            Demo::find("rel").map(|demo| demo.name),
            Some("released-too-early")
        );
        assert_eq!(Demo::find("hostile").map(|demo| demo.name), Some("hostile"));
        assert_eq!(Demo::find(""), None);
        assert_eq!(Demo::find("nothing"), None);
    }

    #[test]
    fn every_demo_says_what_it_shows() {
        for demo in DEMOS {
            assert!(!demo.title().is_empty(), "{}", demo.name);
        }
    }
}
