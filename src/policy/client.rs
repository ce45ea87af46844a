//! How real clients cut a tool's output before the model sees it.
//!
//! What each client does is data in `assets/policies.toml`: what is known of it, its settings, and
//! the steps that it takes, each a limit, a shape (the start, the end, whole rows, ...) in a unit, and
//! the words around what is kept. Code of its own has only what no shape covers (`own`).
//!
//! The same number is another place in a text for bytes, characters, UTF-16 units and cells, so the
//! unit is always told. What is left out is counted by ourselves, whatever the client's words claim.

pub mod catalogue;
mod count;
pub mod definition;
mod facts;
mod mistake;
mod own;
pub mod piece;
pub mod preset;
pub mod recognise;
pub mod row;
mod row_shape;
mod rows;
mod run;
pub mod settings;
mod shape;
mod step;
pub mod text;
mod value;
pub mod words;

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use serde_json::Value;

pub use catalogue::{Catalogue, ChooseError, ConversationRule, ReadError};
pub use count::{Count, Tear};
pub use definition::{Definition, RecoverKind};
pub use mistake::Mistake;
pub use piece::{Form, Kept, Piece};
pub use preset::{Preset, PresetError, Presets};
pub use recognise::{RecordedCut, recognise};
pub use run::in_turn;
pub use settings::{Setting, SettingError, Settings};
pub use text::ClientText;

use definition::{Amount, Limit, Omits};

use super::{Content, Subject};

/// A client's policy with its settings.
#[derive(Debug, Clone)]
pub struct ClientPolicy {
    definition: Arc<Definition>,
    settings: Settings,
}

/// What a client makes of one output.
#[derive(Debug, Clone, PartialEq)]
pub struct Cut {
    /// What the model gets.
    pub given: Given,
    /// Which parts of the output that is made of and which words are added; empty for a value.
    pub pieces: Vec<Piece>,
    /// The parts of the output that the model does not get, in UTF-8 bytes; empty for a value.
    pub left_out: Vec<Range<usize>>,
    /// The model gets something else than the tool returned.
    pub changed: bool,
    /// How much of the output is left out, in the policy's unit; none where nobody can tell.
    pub omitted: Option<u64>,
}

/// What the model gets.
#[derive(Debug, Clone, PartialEq)]
pub enum Given {
    /// Text.
    Text(ClientText),
    /// A JSON value.
    Value(Value),
}

impl Given {
    /// UTF-8 bytes: of the text, or of the value's compact JSON.
    pub fn bytes(&self) -> usize {
        match self {
            Self::Text(text) => text.to_str_lossy().len(),
            Self::Value(value) => crate::tool::compact::length(value),
        }
    }
}

impl ClientPolicy {
    /// A policy with its defaults.
    pub fn new(definition: Arc<Definition>) -> Self {
        let settings = definition.settings.settings();
        Self {
            definition,
            settings,
        }
    }

    /// What is known of it.
    pub fn definition(&self) -> &Definition {
        &self.definition
    }

    /// Its id.
    pub fn id(&self) -> &str {
        &self.definition.id
    }

    /// What it runs with.
    pub const fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Sets what `pair` says, written `name=value`.
    ///
    /// # Errors
    ///
    /// Where there is no such setting, or it takes something else.
    pub fn set_pair(&mut self, pair: &str) -> Result<(), SettingError> {
        self.definition
            .settings
            .set_pair(&mut self.settings, &self.definition.id, pair)
    }

    /// Sets a setting to what `text` says.
    ///
    /// # Errors
    ///
    /// As [`ClientPolicy::set_pair`].
    pub fn set(&mut self, name: &str, text: &str) -> Result<(), SettingError> {
        self.definition
            .settings
            .set(&mut self.settings, &self.definition.id, name, text)
    }

    /// Sets a setting to a JSON value.
    ///
    /// # Errors
    ///
    /// As [`ClientPolicy::set_pair`].
    pub fn set_json(&mut self, name: &str, value: &Value) -> Result<(), SettingError> {
        self.definition
            .settings
            .set_json(&mut self.settings, &self.definition.id, name, value)
    }

    /// The limit under these settings: a number, one per unit, or none.
    pub fn limit(&self) -> Value {
        let number = |amount: &Amount| self.amount(amount).map_or(Value::Null, Value::from);
        match &self.definition.limit {
            None => Value::Null,
            Some(Limit::One(amount)) => number(amount),
            Some(Limit::PerUnit(units)) => units
                .iter()
                .map(|(unit, amount)| (unit.clone(), number(amount)))
                .collect::<serde_json::Map<_, _>>()
                .into(),
        }
    }

    /// An amount under these settings; none where its setting is off.
    fn amount(&self, amount: &Amount) -> Option<usize> {
        match &amount.setting {
            None => Some(amount.times),
            Some(name) => Some(self.settings.number(name)?.saturating_mul(amount.times)),
        }
    }

    /// What the model gets of one output.
    pub fn cut(&self, subject: Subject<'_>) -> Cut {
        if let Some(rule) = self.definition.value {
            return value::cut(rule, &self.settings, subject.content);
        }
        match subject.content {
            Content::Text(text) => self.cut_text(text, &subject),
            Content::Json(Value::String(text)) => self.cut_text(text, &subject),
            Content::Json(value) if self.definition.nested_strings => {
                value::cut_strings(value, &|text| self.cut_text(text, &subject))
            }
            Content::Json(value) => {
                let text = value.to_string();
                self.cut_text(&text, &subject)
            }
        }
    }

    fn cut_text(&self, text: &str, subject: &Subject<'_>) -> Cut {
        let settings = self.settings_for(subject);
        let pieces = step::take_all(
            &self.definition.step,
            &settings,
            text,
            subject.recorded_by_client,
        );
        Cut::of(text, pieces, self.definition.omits, &settings)
    }

    /// The settings with what the output itself tells.
    fn settings_for(&self, subject: &Subject<'_>) -> Settings {
        let mut settings = self.settings.clone();
        let names: BTreeMap<&str, Option<Setting>> = BTreeMap::from([
            (
                "exit_code",
                subject
                    .exit_status
                    .and_then(|status| u64::try_from(status).ok())
                    .map(Setting::Number),
            ),
            (
                "returncode",
                subject
                    .exit_status
                    .and_then(|status| u64::try_from(status).ok())
                    .map(Setting::Number),
            ),
            (
                "tool",
                subject.tool.map(|tool| Setting::Word(tool.to_owned())),
            ),
            ("id", subject.call_id.map(|id| Setting::Word(id.to_owned()))),
        ]);
        for name in self.definition.settings.names() {
            if let Some(Some(value)) = names.get(name) {
                settings.tell(name, value.clone());
            }
        }
        settings
    }
}

impl Cut {
    /// The output as it stands.
    pub fn whole(text: &str) -> Self {
        Self {
            given: Given::Text(ClientText::from(text)),
            pieces: piece::joined([Piece::kept(0..text.len())]),
            left_out: Vec::new(),
            changed: false,
            omitted: Some(0),
        }
    }

    fn of(text: &str, pieces: Vec<Piece>, omits: Option<Omits>, settings: &Settings) -> Self {
        if let [Piece::Kept(kept)] = pieces.as_slice()
            && kept.range == (0..text.len())
            && kept.form == Form::Plain
        {
            return Self::whole(text);
        }
        let given = piece::render(&pieces, text);
        let left_out = piece::omitted(&pieces, text.len());
        Self {
            changed: given.as_str() != Some(text),
            omitted: omits.and_then(|omits| omits.of(text, &pieces, settings)),
            given: Given::Text(given),
            pieces,
            left_out,
        }
    }
}

impl Omits {
    /// How much there is of a text.
    fn count(self, text: &str) -> usize {
        match self {
            Self::Bytes => text.len(),
            Self::Chars => Count::Chars.of(text),
            Self::Utf16 => Count::Utf16.of(text),
            Self::Cells => Count::Cells.of(text),
            Self::Rows => Count::Rows.of(text),
            Self::Lines => Count::Lines.of(text),
            Self::TokensOfBytes => text.len().div_ceil(4),
            Self::TokensOfChars => Count::Chars.of(text).div_ceil(4),
        }
    }

    /// How much of `text` the pieces leave out: what it has less what is kept.
    fn of(self, text: &str, pieces: &[Piece], settings: &Settings) -> Option<u64> {
        let kept = piece::kept(pieces);
        let sum =
            |count: Count| -> usize { kept.iter().map(|range| count.within(text, range)).sum() };
        let mut all = self.count(text);
        let kept = match self {
            Self::Bytes => sum(Count::Bytes),
            Self::Chars => sum(Count::Chars),
            Self::Utf16 => sum(Count::Utf16),
            Self::Cells => sum(Count::Cells),
            Self::Rows => sum(Count::Rows),
            Self::Lines => sum(Count::Lines),
            Self::TokensOfBytes => sum(Count::Bytes).div_ceil(4),
            Self::TokensOfChars => {
                if let Some(tokens) = settings.number("tokens") {
                    // Nobody knows what the kept part's share of a count of the model's own is.
                    if !kept.is_empty() {
                        return None;
                    }
                    all = tokens;
                }
                sum(Count::Chars).div_ceil(4)
            }
        };
        Some(all.saturating_sub(kept) as u64)
    }
}
