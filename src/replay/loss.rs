//! What was lost or is wrong in a recording, and the mark of every timeline row.

use crate::session::event::EventId;

/// One line of the list "lost or wrong".
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loss {
    /// Where.
    pub event: EventId,
    /// What kind.
    pub kind: LossKind,
    /// In words, for example `220 of 412 items never sent`.
    pub text: String,
}

/// The kinds of losses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LossKind {
    /// Items behind an envelope that no page brought.
    NeverSent,
    /// Text or values cut from what the model was sent.
    Cut,
    /// A page was asked for of a handle that was released or never known.
    AskedTooLate,
    /// An image whose declared type is not what its bytes are.
    WrongImageType,
}

impl LossKind {
    /// Whether data of an output was lost, rather than something being wrong with it.
    pub const fn loses_data(self) -> bool {
        matches!(self, Self::NeverSent | Self::Cut)
    }
}

/// The one mark of a timeline row, gravest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mark {
    /// The output is an error.
    Error,
    /// Something is wrong with it.
    Finding,
    /// The model was sent an envelope.
    Envelope,
    /// It holds an image.
    Image,
    /// It holds a document.
    Document,
    /// A call that nobody answered.
    Unanswered,
    /// A line without JSON structure.
    Bad,
}
