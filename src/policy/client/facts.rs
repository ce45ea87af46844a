//! What the steps of a policy find out, for conditions and for the words.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::count::Count;
use super::definition::{Amount, Conditions, Measure};
use super::rows;
use super::settings::{Setting, Settings};

/// One thing found out.
#[derive(Debug, Clone, PartialEq)]
pub enum Fact {
    /// A number.
    Number(u64),
    /// Whether something is so.
    Flag(bool),
    /// Which of several it is.
    Word(Cow<'static, str>),
}

impl From<usize> for Fact {
    fn from(number: usize) -> Self {
        Self::Number(number as u64)
    }
}

impl From<bool> for Fact {
    fn from(flag: bool) -> Self {
        Self::Flag(flag)
    }
}

impl From<&'static str> for Fact {
    fn from(word: &'static str) -> Self {
        Self::Word(Cow::Borrowed(word))
    }
}

/// What is known so far.
#[derive(Debug, Clone, Default)]
pub struct Facts(BTreeMap<&'static str, Fact>);

impl Facts {
    /// Notes a fact; a later one replaces an earlier one of the same name.
    pub fn note(&mut self, name: &'static str, fact: impl Into<Fact>) {
        self.0.insert(name, fact.into());
    }

    /// A fact.
    pub fn get(&self, name: &str) -> Option<&Fact> {
        self.0.get(name)
    }

    /// Whether a flag is noted and set.
    pub fn flag(&self, name: &str) -> bool {
        matches!(self.get(name), Some(Fact::Flag(true)))
    }
}

/// What a step has before it: the text as the step before left it, the settings, and the facts.
#[derive(Debug, Clone, Copy)]
pub struct Scene<'a> {
    /// The text, with U+FFFD for halves that a step before has left.
    pub text: &'a str,
    /// The settings.
    pub settings: &'a Settings,
    /// What the steps before found out.
    pub facts: &'a Facts,
}

impl Scene<'_> {
    /// An amount; none where its setting is off.
    pub fn amount(&self, amount: &Amount) -> Option<usize> {
        match &amount.setting {
            None => Some(amount.times),
            Some(name) => Some(self.settings.number(name)?.saturating_mul(amount.times)),
        }
    }

    /// An amount of the definition that may be missing there.
    pub fn amount_of(&self, amount: Option<&Amount>) -> Option<usize> {
        amount.and_then(|amount| self.amount(amount))
    }

    /// The text in what a limit is measured in.
    pub fn measure(&self, measure: Measure) -> usize {
        match measure {
            Measure::Bytes => Count::Bytes.of(self.text),
            Measure::Chars => Count::Chars.of(self.text),
            Measure::Utf16 => Count::Utf16.of(self.text),
            Measure::Cells => Count::Cells.of(self.text),
            Measure::Rows => Count::Rows.of(self.text),
            Measure::Lines => Count::Lines.of(self.text),
            Measure::Tokens => tokens(self.text, self.settings),
        }
    }

    /// Whether all conditions hold.
    pub fn holds(&self, conditions: &Conditions) -> bool {
        conditions.0.iter().all(|(name, wanted)| {
            match self
                .fact(name)
                .or_else(|| self.settings.get(name).map(fact_of))
            {
                Some(found) => found == fact_of(wanted),
                // What nobody knows is not so, and a setting that is off is none.
                None => matches!(wanted, Setting::Flag(false)),
            }
        })
    }

    /// A fact, noted or seen in the text.
    pub fn fact(&self, name: &str) -> Option<Fact> {
        if let Some(fact) = self.facts.get(name) {
            return Some(fact.clone());
        }
        Some(match name {
            "empty" => self.text.is_empty().into(),
            "blank" => self.is_blank().into(),
            "rows_are" => match rows::newlines(self.text) {
                0 => "one".into(),
                _ => "many".into(),
            },
            "failed" => (self.settings.number("exit_code").unwrap_or(0) != 0).into(),
            "bytes" => self.text.len().into(),
            "bytes_and_fence" => (self.text.len() + FENCE).into(),
            "chars" => Count::Chars.of(self.text).into(),
            "utf16" => Count::Utf16.of(self.text).into(),
            "rows" => Count::Rows.of(self.text).into(),
            "lines" => Count::Lines.of(self.text).into(),
            "unicode_lines" => rows::unicode_lines(self.text).count().into(),
            "tokens_of_bytes" => self.text.len().div_ceil(4).into(),
            "tokens" => self.measure(Measure::Tokens).into(),
            _ => return None,
        })
    }

    /// Whether there is nothing but blanks, as Python sees them.
    pub fn is_blank(&self) -> bool {
        self.text.chars().all(rows::is_python_space)
    }
}

/// What a code fence adds to a text: "```\n" before and "\n```" after.
const FENCE: usize = 8;

/// Tokens by the rule of a policy; clients that run a tokenizer are estimated.
fn tokens(text: &str, settings: &Settings) -> usize {
    if let Some(tokens) = settings.number("tokens") {
        return tokens;
    }
    match settings.number("bytes_per_token") {
        Some(bytes) => text.len().div_ceil(bytes.max(1)),
        None => Count::Chars.of(text).div_ceil(4),
    }
}

fn fact_of(setting: &Setting) -> Fact {
    match setting {
        Setting::Flag(flag) => Fact::Flag(*flag),
        Setting::Number(number) => Fact::Number(*number),
        // No condition is put on a share.
        Setting::Fraction(fraction) => Fact::Number(*fraction as u64),
        Setting::Word(word) => Fact::Word(Cow::Owned(word.clone())),
    }
}
