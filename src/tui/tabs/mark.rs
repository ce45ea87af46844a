//! The gutter: whether the model had a line.

use super::line::Ink;
use crate::replay::seen::{Never, Reach};
use crate::tui::theme::glyph;

/// What the model had of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mark {
    /// It was sent at once.
    Sent,
    /// It read it later.
    Later,
    /// It never had it.
    Never,
    /// The recording does not know.
    Unknown,
}

impl Mark {
    /// The glyph of the gutter.
    pub const fn glyph(self) -> &'static str {
        match self {
            Self::Sent => glyph::SENT,
            Self::Later => glyph::LATER,
            Self::Never => glyph::NEVER,
            Self::Unknown => glyph::UNRECORDED,
        }
    }

    /// The ink of the gutter.
    pub const fn ink(self) -> Ink {
        match self {
            Self::Sent => Ink::Sent,
            Self::Later => Ink::Later,
            Self::Never => Ink::Never,
            Self::Unknown => Ink::Unrecorded,
        }
    }

    /// Whether it is left out where only the model's own view is shown.
    pub const fn is_hidden_from_model(self) -> bool {
        matches!(self, Self::Never)
    }
}

impl From<Reach> for Mark {
    fn from(reach: Reach) -> Self {
        match reach {
            Reach::Sent => Self::Sent,
            Reach::ReadLater(_) => Self::Later,
            Reach::Never(_) => Self::Never,
            Reach::Unknown => Self::Unknown,
        }
    }
}

/// What is said of a run of items or bytes.
pub fn words(reach: Reach) -> String {
    match reach {
        Reach::Sent => "sent".to_owned(),
        Reach::ReadLater(by) => format!("read by #{}", by.index()),
        Reach::Never(Never::NotAsked) => "never asked".to_owned(),
        Reach::Never(Never::AskedAfterRelease(by)) => {
            format!("#{} asked: handle was released", by.index())
        }
        Reach::Never(Never::Refused(by)) => format!("#{} asked: refused", by.index()),
        Reach::Never(Never::Cut) => "cut".to_owned(),
        Reach::Never(Never::Bounded) => "left out by the bound".to_owned(),
        Reach::Unknown => "not known".to_owned(),
    }
}
