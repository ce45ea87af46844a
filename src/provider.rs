//! How a sender hands an output to each provider, and what of it arrives.
//!
//! A sender (a [`Lens`]) is a published crate: rig-core 0.44 shapes the history for the model it is
//! sent to (`adapt`) and then writes the provider's JSON, one file per wire shape under `wire`;
//! mixtape-core 0.5 writes one payload per result. Which model reads what is data, in
//! `assets/providers.toml`.
//!
//! What became of a block is computed, not listed: the block is searched in the wire JSON, so that a
//! rendering cannot claim what it does not carry.

mod adapt;
mod call_id;
mod catalog;
mod fate;
mod mixtape;
mod notes;
mod search;
mod subject;
mod wire;

pub use catalog::{Column, columns, names};
pub use subject::{Carried, Facts, Stand, Subject};

use std::fmt;
use std::str::FromStr;

use serde::Serialize;
use serde_json::Value;

use crate::tokens::Tokens;

/// Who sends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Lens {
    /// rig-core 0.44.
    #[default]
    Rig,
    /// mixtape-core 0.5.
    Mixtape,
}

impl Lens {
    /// Every lens.
    pub const ALL: [Self; 2] = [Self::Rig, Self::Mixtape];

    /// The name after `--lens`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Rig => "rig",
            Self::Mixtape => "mixtape",
        }
    }

    /// The sender with its version, as the head of a table names it.
    pub const fn sender(self) -> &'static str {
        match self {
            Self::Rig => "rig 0.44",
            Self::Mixtape => "mixtape 0.5",
        }
    }
}

impl fmt::Display for Lens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A lens that does not exist.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown lens {0:?}: rig or mixtape")]
pub struct UnknownLens(pub String);

impl FromStr for Lens {
    type Err = UnknownLens;

    fn from_str(name: &str) -> Result<Self, UnknownLens> {
        Self::ALL
            .into_iter()
            .find(|lens| lens.name() == name)
            .ok_or_else(|| UnknownLens(name.to_owned()))
    }
}

/// A provider name that the lens does not know.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown provider {name:?} for {}: one of {}", lens.sender(), names(*lens).collect::<Vec<_>>().join(", "))]
pub struct UnknownProvider {
    /// The name as given.
    pub name: String,
    /// The lens that was asked.
    pub lens: Lens,
}

/// What became of a block on the way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Fate {
    /// As itself, where the result is.
    Native,
    /// Whole, in another form: JSON as text, texts joined.
    Converted,
    /// As a text that tells facts of it: `[Image: Png, 4 bytes]`.
    Described,
    /// Whole, in a message after the result.
    Moved,
    /// Not at all, or a fixed notice stands in its place.
    Dropped,
    /// The sender fails over it.
    Refused,
}

impl Fate {
    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Native => "native",
            Self::Converted => "converted",
            Self::Described => "described",
            Self::Moved => "moved",
            Self::Dropped => "dropped",
            Self::Refused => "refused",
        }
    }
}

/// The fate of one block.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BlockFate {
    /// Which block, from 1.
    pub block: usize,
    /// What became of it.
    pub fate: Fate,
    /// Where it is in the wire, as a JSON pointer: the string or value that holds it.
    pub at: Option<String>,
    /// What a reader should know of it, in plain words.
    pub note: Option<String>,
}

/// Whether the wire still says that the output is an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ErrorFlag {
    /// In a field of the wire.
    Kept,
    /// Only in the words of the text.
    InText,
    /// Nowhere.
    Lost,
}

/// Whether the wire still tells the order of the blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    /// As they were.
    Kept,
    /// Other than they were, or in fields that tell no order.
    Lost,
}

/// An output as one provider receives it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Rendering {
    /// The provider and model, a whole key.
    pub provider: String,
    /// Who sends.
    pub lens: Lens,
    /// `{"messages": [...]}`: the message or messages that carry the result; none where the sender
    /// fails.
    pub wire: Option<Value>,
    /// What became of each block.
    pub blocks: Vec<BlockFate>,
    /// Why the sender fails, exactly as it says so.
    pub error: Option<String>,
    /// Whether the error flag arrives; none for an output that is no error.
    pub error_flag: Option<ErrorFlag>,
    /// Whether the order of the blocks arrives; none where nothing does.
    pub order: Option<Order>,
    /// Length of the wire's compact JSON.
    pub bytes: u64,
    /// Estimate for what the wire has to read; 0 for media.
    pub tokens: Tokens,
}

/// Renders the output as `lens` would send it to the provider called `name`: a whole key, or its part
/// before the model, which means the first key with it.
pub fn render(subject: &Subject, name: &str, lens: Lens) -> Result<Rendering, UnknownProvider> {
    let unknown = || UnknownProvider {
        name: name.to_owned(),
        lens,
    };
    match lens {
        Lens::Rig => {
            let target = catalog::rig_target(name).ok_or_else(unknown)?;
            let outcome = wire::encode(subject, target);
            Ok(fate::rendering(
                subject,
                target.key(),
                lens,
                outcome,
                Some(target.behaviour()),
            ))
        }
        Lens::Mixtape => {
            let (adapter, key) = mixtape::adapter(name).ok_or_else(unknown)?;
            let outcome = mixtape::encode(subject, adapter);
            Ok(fate::rendering(subject, key, lens, outcome, None))
        }
    }
}
