//! An output on its way to a provider: each of its blocks as the senders can carry it, and what to
//! look for in the wire afterwards.

use std::sync::OnceLock;

use serde_json::Value;

use crate::media::Mismatch;
use crate::tokens::{self, Tokens};
use crate::tool::mixtape::ToolResult;
use crate::tool::rig::ToolResultContent;

/// The output that is sent, made once and rendered for any number of providers.
#[derive(Debug, Clone)]
pub struct Subject {
    /// The tool's name.
    pub tool: String,
    /// The call id as recorded; none where the recording has none.
    pub call_id: Option<String>,
    /// The output is marked as an error.
    pub is_error: bool,
    /// The blocks in order.
    pub blocks: Vec<Carried>,
    /// The one payload that mixtape's result holds, or why there is none, in words.
    pub payload: Result<ToolResult, String>,
}

/// One block, as it can be carried.
#[derive(Debug, Clone)]
pub struct Carried {
    /// What it is.
    pub facts: Facts,
    /// What a rig tool returns in its place: rig's blocks are text, image and JSON.
    pub rig: ToolResultContent,
    /// What stands for a block that the sender has no kind for.
    pub stand: Option<Stand>,
    /// For images: the label and the bytes disagree.
    pub mismatch: Option<Mismatch>,
    compact: OnceLock<String>,
    tokens: OnceLock<Tokens>,
}

/// What a block is, as far as it can be found again in a wire.
#[derive(Debug, Clone, PartialEq)]
pub enum Facts {
    /// Text.
    Text(String),
    /// A JSON value.
    Json(Value),
    /// Media: the strings that are the media itself on a wire (its base64, address or file id), an
    /// empty one for an empty payload.
    Media(Vec<String>),
}

/// What stands for a block that rig has no kind for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stand {
    /// Its text.
    Text {
        /// The text.
        text: String,
        /// What is lost, in words.
        lost: String,
    },
    /// A text that tells facts of it.
    Description {
        /// The text.
        text: String,
        /// What is lost, in words.
        lost: String,
    },
}

impl Carried {
    /// A block that rig carries as it is, or with a stand-in.
    pub fn new(facts: Facts, rig: ToolResultContent, stand: Option<Stand>) -> Self {
        Self {
            facts,
            rig,
            stand,
            mismatch: None,
            compact: OnceLock::new(),
            tokens: OnceLock::new(),
        }
    }

    /// The compact JSON of a JSON block, written once.
    pub(super) fn compact(&self) -> &str {
        self.compact.get_or_init(|| match &self.facts {
            Facts::Json(value) => value.to_string(),
            Facts::Text(_) | Facts::Media(_) => String::new(),
        })
    }

    /// The text that a stringifying wire makes of the block; none for media.
    pub(super) fn as_text(&self) -> Option<&str> {
        match (&self.stand, &self.facts) {
            (Some(Stand::Text { text, .. } | Stand::Description { text, .. }), _)
            | (None, Facts::Text(text)) => Some(text),
            (None, Facts::Json(_)) => Some(self.compact()),
            (None, Facts::Media(_)) => None,
        }
    }

    /// The estimate for the block where it is carried as text or JSON.
    pub(super) fn tokens(&self) -> Tokens {
        *self
            .tokens
            .get_or_init(|| match (self.as_text(), &self.facts) {
                (Some(text), _) => tokens::estimate(text),
                (None, _) => Tokens::ZERO,
            })
    }
}
