//! The settings of a client's policy.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The value of one setting.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Setting {
    /// On or off.
    Flag(bool),
    /// A number of units, or a code.
    Number(u64),
    /// A share.
    Fraction(f64),
    /// A word: a path, a name, a mode.
    Word(String),
}

impl Setting {
    /// What is asked for where this is the default.
    const fn kind(&self) -> Kind {
        match self {
            Self::Flag(_) => Kind::Flag,
            Self::Number(_) => Kind::Number,
            Self::Fraction(_) => Kind::Fraction,
            Self::Word(_) => Kind::Word,
        }
    }
}

/// What a setting takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// `true` or `false`.
    Flag,
    /// A whole number from 0 up.
    Number,
    /// A number.
    Fraction,
    /// Any text.
    Word,
}

impl Kind {
    const fn takes(self) -> &'static str {
        match self {
            Self::Flag => "true or false",
            Self::Number => "a whole number from 0 up",
            Self::Fraction => "a number",
            Self::Word => "a text",
        }
    }

    fn read(self, text: &str) -> Option<Setting> {
        Some(match self {
            Self::Flag => Setting::Flag(text.parse().ok()?),
            // Numbers as people and recordings write them: 30_000, 30,000.
            Self::Number => Setting::Number(text.replace(['_', ','], "").parse().ok()?),
            Self::Fraction => Setting::Fraction(text.parse().ok().filter(|n: &f64| n.is_finite())?),
            Self::Word => Setting::Word(text.to_owned()),
        })
    }
}

/// What a policy can be set to, and what it is set to where nobody says.
#[derive(Debug, Clone, Default, Deserialize, PartialEq)]
#[serde(deny_unknown_fields, default)]
pub struct Declared {
    /// Settings with their defaults.
    pub defaults: BTreeMap<String, Setting>,
    /// Settings that are off where nobody sets them.
    pub optional: BTreeMap<String, Kind>,
    /// Settings with a default that can be switched off by `null`.
    pub nullable: Vec<String>,
    /// The words that a setting takes, where it does not take any.
    pub choices: BTreeMap<String, Vec<String>>,
}

/// A setting that cannot be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SettingError {
    /// The policy has no such setting.
    #[error("`{policy}` has no setting `{name}`; it has {known}")]
    Unknown {
        /// The policy.
        policy: String,
        /// The setting.
        name: String,
        /// The settings that it has.
        known: String,
    },
    /// The setting takes something else.
    #[error("`{name}` takes {takes}, not `{value}`")]
    Takes {
        /// The setting.
        name: String,
        /// What it takes.
        takes: String,
        /// What it was given.
        value: String,
    },
    /// No `name=value`.
    #[error("a setting is written `name=value`, not `{text}`")]
    NoValue {
        /// What was given.
        text: String,
    },
}

/// The settings that a policy runs with.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Settings {
    values: BTreeMap<String, Setting>,
    /// Those that somebody set, rather than left at their default.
    chosen: Vec<String>,
}

impl Declared {
    /// The settings where nobody sets anything.
    pub fn settings(&self) -> Settings {
        Settings {
            values: self.defaults.clone(),
            chosen: Vec::new(),
        }
    }

    /// The names of all settings.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.defaults
            .keys()
            .chain(self.optional.keys())
            .map(String::as_str)
    }

    fn kind(&self, name: &str) -> Option<Kind> {
        self.defaults
            .get(name)
            .map(Setting::kind)
            .or_else(|| self.optional.get(name).copied())
    }

    fn is_nullable(&self, name: &str) -> bool {
        self.optional.contains_key(name) || self.nullable.iter().any(|nullable| nullable == name)
    }

    /// Sets `name` to what `text` says, as on a command line.
    ///
    /// # Errors
    ///
    /// Where the policy, by its id in `policy`, has no such setting or it takes something else.
    pub fn set(
        &self,
        settings: &mut Settings,
        policy: &str,
        name: &str,
        text: &str,
    ) -> Result<(), SettingError> {
        let kind = self.kind(name).ok_or_else(|| SettingError::Unknown {
            policy: policy.to_owned(),
            name: name.to_owned(),
            known: self.known(),
        })?;
        settings.choose(name);
        if text == "null" && self.is_nullable(name) {
            settings.values.remove(name);
            return Ok(());
        }
        let value = kind.read(text).filter(|value| self.allows(name, value));
        let value = value.ok_or_else(|| self.refusal(name, kind, text))?;
        settings.values.insert(name.to_owned(), value);
        Ok(())
    }

    /// Sets `name` to a JSON value, as in a recorded or tested set of parameters.
    ///
    /// # Errors
    ///
    /// As [`Declared::set`].
    pub fn set_json(
        &self,
        settings: &mut Settings,
        policy: &str,
        name: &str,
        value: &Value,
    ) -> Result<(), SettingError> {
        match value {
            Value::String(text) => self.set(settings, policy, name, text),
            other => self.set(settings, policy, name, &other.to_string()),
        }
    }

    /// Sets what `pair` says, written `name=value`.
    ///
    /// # Errors
    ///
    /// As [`Declared::set`], and where there is no `=`.
    pub fn set_pair(
        &self,
        settings: &mut Settings,
        policy: &str,
        pair: &str,
    ) -> Result<(), SettingError> {
        let (name, text) = pair.split_once('=').ok_or_else(|| SettingError::NoValue {
            text: pair.to_owned(),
        })?;
        self.set(settings, policy, name.trim(), text)
    }

    fn allows(&self, name: &str, value: &Setting) -> bool {
        match (self.choices.get(name), value) {
            (Some(choices), Setting::Word(word)) => choices.contains(word),
            _ => true,
        }
    }

    fn refusal(&self, name: &str, kind: Kind, text: &str) -> SettingError {
        SettingError::Takes {
            name: name.to_owned(),
            takes: match self.choices.get(name) {
                Some(choices) => choices.join(" or "),
                None if self.is_nullable(name) => format!("{} or null", kind.takes()),
                None => kind.takes().to_owned(),
            },
            value: text.to_owned(),
        }
    }

    fn known(&self) -> String {
        let names: Vec<_> = self.names().map(|name| format!("`{name}`")).collect();
        if names.is_empty() {
            "none".to_owned()
        } else {
            names.join(", ")
        }
    }
}

impl Settings {
    /// The value of a setting; none where it is off.
    pub fn get(&self, name: &str) -> Option<&Setting> {
        self.values.get(name)
    }

    /// A setting that is a number.
    pub fn number(&self, name: &str) -> Option<usize> {
        match self.get(name)? {
            Setting::Number(number) => usize::try_from(*number).ok(),
            _ => None,
        }
    }

    /// A setting that is a word.
    pub fn word(&self, name: &str) -> Option<&str> {
        match self.get(name)? {
            Setting::Word(word) => Some(word),
            _ => None,
        }
    }

    /// A setting that is on.
    pub fn flag(&self, name: &str) -> bool {
        matches!(self.get(name), Some(Setting::Flag(true)))
    }

    /// A setting that is a share.
    pub fn fraction(&self, name: &str) -> Option<f64> {
        match self.get(name)? {
            Setting::Fraction(fraction) => Some(*fraction),
            Setting::Number(number) => Some(*number as f64),
            _ => None,
        }
    }

    /// Whether somebody set it.
    pub fn is_chosen(&self, name: &str) -> bool {
        self.chosen.iter().any(|chosen| chosen == name)
    }

    /// All that are on, in the order of their names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Setting)> {
        self.values
            .iter()
            .map(|(name, value)| (name.as_str(), value))
    }

    /// Sets what the output itself tells, unless somebody set it.
    pub(super) fn tell(&mut self, name: &str, value: Setting) {
        if !self.is_chosen(name) {
            self.values.insert(name.to_owned(), value);
        }
    }

    fn choose(&mut self, name: &str) {
        if !self.is_chosen(name) {
            self.chosen.push(name.to_owned());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn declared() -> Declared {
        toml::from_str(
            r#"
            defaults = { max_chars = 30000, snap = 0.5, file = "{file}", version = "new", all = false }
            optional = { tokens = "number" }
            nullable = ["max_chars"]
            choices = { version = ["new", "old"] }
            "#,
        )
        .unwrap()
    }

    #[test]
    fn settings_are_read_as_their_default_is() {
        let declared = declared();
        let mut settings = declared.settings();
        for pair in [
            "max_chars=12",
            "file=/a=b",
            "version=old",
            "all=true",
            "tokens=7",
            "snap=1",
        ] {
            declared.set_pair(&mut settings, "p", pair).unwrap();
        }
        assert_eq!(settings.number("max_chars"), Some(12));
        assert_eq!(settings.word("file"), Some("/a=b"));
        assert_eq!(settings.number("tokens"), Some(7));
        assert_eq!(settings.fraction("snap"), Some(1.0));
        assert!(settings.flag("all"));
        declared
            .set_pair(&mut settings, "p", "max_chars=null")
            .unwrap();
        declared
            .set_pair(&mut settings, "p", "tokens=null")
            .unwrap();
        assert_eq!(settings.number("max_chars"), None);
        assert_eq!(settings.number("tokens"), None);
    }

    #[test]
    fn a_wrong_setting_says_what_would_be_right() {
        let declared = declared();
        let mut settings = declared.settings();
        let mut said = |pair: &str| {
            declared
                .set_pair(&mut settings, "p", pair)
                .unwrap_err()
                .to_string()
        };
        assert_eq!(
            said("max=1"),
            "`p` has no setting `max`; it has `all`, `file`, `max_chars`, `snap`, `version`, `tokens`"
        );
        assert_eq!(
            said("max_chars=-1"),
            "`max_chars` takes a whole number from 0 up or null, not `-1`"
        );
        assert_eq!(said("version=2"), "`version` takes new or old, not `2`");
        assert_eq!(said("all"), "a setting is written `name=value`, not `all`");
    }
}
