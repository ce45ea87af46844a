//! A client's policy as data: what is known of it, its settings, and the steps that it takes.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::count::Count;
use super::own::Own;
use super::settings::Declared;
use super::words::Words;

/// A client's policy.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Definition {
    /// Its id, such as `codex.tokens`.
    pub id: String,
    /// Another name that the program knows it by.
    #[serde(default)]
    pub alias: Option<String>,
    /// Whose it is.
    #[serde(default)]
    pub client: String,
    /// In which versions.
    #[serde(default)]
    pub version: String,
    /// Whether clients of today do this.
    #[serde(default)]
    pub status: Status,
    /// Which of the client's tools it is for, in words.
    #[serde(default)]
    pub applies_to: Vec<String>,
    /// What it counts in, in words.
    #[serde(default)]
    pub unit: String,
    /// What it allows: the setting, or one per unit.
    #[serde(default)]
    pub limit: Option<Limit>,
    /// Whether an output of exactly the limit is cut.
    #[serde(default)]
    pub compare: Compare,
    /// Whether the client's words count towards the limit.
    #[serde(default)]
    pub marker_in_budget: bool,
    /// What it keeps, in words.
    #[serde(default)]
    pub keep: Keep,
    /// The client's words, as somebody wrote them down.
    #[serde(default)]
    pub marker: String,
    /// Whether and how the model can ask for the rest.
    #[serde(default)]
    pub recover: RecoverKind,
    /// What it has to call for that.
    #[serde(default)]
    pub recover_how: String,
    /// What in the client's own configuration changes it.
    #[serde(default)]
    pub config_key: String,
    /// The rule in words.
    #[serde(default)]
    pub rule: String,
    /// Where it was read or seen.
    #[serde(default)]
    pub source: String,
    /// How sure that is.
    #[serde(default)]
    pub confidence: Confidence,
    /// What else is known.
    #[serde(default)]
    pub notes: String,
    /// What is left out is counted in this.
    #[serde(default)]
    pub omits: Option<Omits>,
    /// It works on a JSON value and not on text.
    #[serde(default)]
    pub value: Option<ValueRule>,
    /// Of a JSON value it cuts every string, at any depth, rather than its text.
    #[serde(default)]
    pub nested_strings: bool,
    /// What it can be set to.
    #[serde(default)]
    pub settings: Declared,
    /// What it does, in order.
    #[serde(default)]
    pub step: Vec<Step>,
    /// How an output that it has cut is recognised.
    #[serde(default)]
    pub trace: Vec<Trace>,
}

/// Whether clients of today do this.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// They do.
    Current,
    /// They did.
    Legacy,
    /// It is a user's own.
    #[default]
    Own,
}

/// Whether an output of exactly the limit is cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Compare {
    /// It is not.
    #[default]
    #[serde(rename = ">")]
    Above,
    /// It is.
    #[serde(rename = ">=")]
    From,
}

/// What it keeps, in words.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Keep {
    /// Of the start.
    pub head: String,
    /// Of the end.
    pub tail: String,
}

/// Whether and how the model can ask for the rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RecoverKind {
    /// It cannot.
    #[default]
    None,
    /// The client names a file.
    File,
    /// By the same tool with other arguments.
    Page,
    /// By a token or handle.
    Cursor,
}

/// How sure what is known of a policy is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Confidence {
    /// Supposed.
    #[default]
    Assumed,
    /// Read in the documentation.
    Docs,
    /// Read in the source.
    SourceRead,
    /// Seen in recorded sessions.
    Observed,
    /// Compared with the client's own function while it ran.
    Executed,
}

/// What a policy allows.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum Limit {
    /// In its one unit.
    One(Amount),
    /// In several.
    PerUnit(BTreeMap<String, Amount>),
}

/// A policy that works on a JSON value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ValueRule {
    /// The result cache of rig-mcp.
    RigMcp,
    /// The bound of rig-compose.
    RigCompose,
}

/// What is left out is counted in this.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Omits {
    /// UTF-8 bytes.
    Bytes,
    /// Unicode scalar values.
    Chars,
    /// UTF-16 units.
    Utf16,
    /// Terminal cells.
    Cells,
    /// Parts between line feeds.
    Rows,
    /// Lines.
    Lines,
    /// Tokens, one for four bytes begun.
    TokensOfBytes,
    /// Tokens, one for four characters begun.
    TokensOfChars,
}

/// A number: of a setting, or as it stands, times another.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Amount {
    /// Times this.
    pub times: usize,
    /// The setting; none where the number stands for itself.
    pub setting: Option<String>,
}

impl TryFrom<String> for Amount {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let (times, of) = match text.split_once('*') {
            Some((times, of)) => (
                times
                    .parse()
                    .map_err(|_| format!("no number before * in `{text}`"))?,
                of,
            ),
            None => (1, text.as_str()),
        };
        Ok(match of.parse::<usize>() {
            Ok(number) => Self {
                times: times * number,
                setting: None,
            },
            Err(_) => Self {
                times,
                setting: Some(of.to_owned()),
            },
        })
    }
}

/// One step of a policy.
///
/// A step works on the text that the one before left. Where its `over` holds (or there is none), its
/// shape chooses what is kept and `words` are what the model gets; else `fits` are.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// Settings and facts that must be as given for the step to be taken at all.
    #[serde(default)]
    pub when: Conditions,
    /// Cuts where one of these holds; always where there are none.
    #[serde(default)]
    pub over: Vec<Over>,
    /// Cuts only where no step before has.
    #[serde(default)]
    pub unless_cut: bool,
    /// Leaves a text of nothing but blanks alone.
    #[serde(default)]
    pub unless_blank: bool,
    /// Leaves a text alone that holds this already.
    #[serde(default)]
    pub unless_contains: Option<String>,
    /// Leaves a text alone that a recording of the client holds with this line already.
    #[serde(default)]
    pub unless_recorded_with: Option<String>,
    /// Leaves the text alone where what would come out is not shorter in this unit.
    #[serde(default)]
    pub if_shorter: Option<Count>,
    /// What is kept.
    pub shape: Shape,
    /// The unit that head and tail are counted in.
    #[serde(default)]
    pub count: Option<Count>,
    /// What head and tail share.
    #[serde(default)]
    pub budget: Option<Amount>,
    /// How much of the start.
    #[serde(default)]
    pub head: Option<Share>,
    /// How much of the end.
    #[serde(default)]
    pub tail: Option<Share>,
    /// Where a tail of nothing, as some languages slice, is everything.
    #[serde(default)]
    pub no_tail_is_everything: bool,
    /// Where an edge moves to a line feed.
    #[serde(default)]
    pub snap: Option<Snap>,
    /// The first row or unit of a window.
    #[serde(default)]
    pub start: Option<Amount>,
    /// How many bytes rows may take together.
    #[serde(default)]
    pub bytes: Option<Amount>,
    /// A single row that is too long for the bytes keeps its end.
    #[serde(default)]
    pub part_of_last_row: bool,
    /// The rows of the head keep their last line feed.
    #[serde(default)]
    pub with_newline: bool,
    /// How wide one row may be.
    #[serde(default)]
    pub width: Option<Width>,
    /// Code of the client's own.
    #[serde(default)]
    pub own: Option<Own>,
    /// A marker whose length counts towards the budget.
    #[serde(default)]
    pub marker: Variants,
    /// What the model gets where the step cuts.
    #[serde(default)]
    pub words: Variants,
    /// What it gets where it does not.
    #[serde(default)]
    pub fits: Variants,
}

/// Settings and facts, and what they must be.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(transparent)]
pub struct Conditions(pub BTreeMap<String, super::settings::Setting>);

/// A limit that a text can be over.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Over {
    /// What is counted.
    pub count: Measure,
    /// Cut above this.
    #[serde(default)]
    pub above: Option<Amount>,
    /// Cut from this on.
    #[serde(default)]
    pub from: Option<Amount>,
    /// The name of the fact that it was this limit.
    #[serde(default)]
    pub name: Option<String>,
    /// A limit of 0 switches it off.
    #[serde(default)]
    pub off_at_zero: bool,
}

/// What a text is measured in for a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Measure {
    /// UTF-8 bytes.
    Bytes,
    /// Unicode scalar values.
    Chars,
    /// UTF-16 units.
    Utf16,
    /// Terminal cells.
    Cells,
    /// Parts between line feeds.
    Rows,
    /// Lines; a line feed at the end opens no further one.
    Lines,
    /// Tokens: the setting `tokens`, else one for `bytes_per_token` bytes begun, else one for four
    /// characters begun.
    Tokens,
}

/// What is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shape {
    /// All of it: the step only adds words.
    Whole,
    /// Nothing.
    Nothing,
    /// The start, the end, or both.
    Ends,
    /// A window from `start`.
    Window,
    /// Whole rows from the start.
    RowsHead,
    /// Whole rows from the end.
    RowsTail,
    /// Whole rows from both ends.
    RowsEnds,
    /// Every row, cut to its width.
    EveryRow,
    /// Without blanks at both ends, as Rust sees them.
    Trim,
    /// Without blanks at both ends, as JavaScript sees them.
    TrimJs,
    /// Without blanks at the end, as Python sees them.
    TrimEndPython,
    /// Without line feeds at the end.
    TrimNewlines,
    /// Code of the client's own.
    Own,
}

/// How much of the budget.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub enum Share {
    /// All of it.
    All,
    /// Half, rounded down.
    Half,
    /// Half, rounded up.
    HalfUp,
    /// A fifth, rounded down.
    Fifth,
    /// What the head leaves.
    Rest,
    /// What the head leaves, and one where it leaves nothing.
    RestOrOne,
    /// An amount of its own.
    Own(Amount),
}

impl TryFrom<String> for Share {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        Ok(match text.as_str() {
            "all" => Self::All,
            "half" => Self::Half,
            "half-up" => Self::HalfUp,
            "fifth" => Self::Fifth,
            "rest" => Self::Rest,
            "rest-or-one" => Self::RestOrOne,
            // A setting of such a name is written `1*half`.
            _ => Self::Own(Amount::try_from(text)?),
        })
    }
}

/// Where an edge moves to a line feed.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Snap {
    /// To any that there is.
    Any,
    /// To one that is past this share of what is kept.
    Past(String),
    /// To one that is nearer than this number of units.
    Within(Amount),
}

/// How wide one row may be.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Width {
    /// In this unit.
    pub count: Count,
    /// Cut above this.
    #[serde(default)]
    pub above: Option<Amount>,
    /// Cut from this on.
    #[serde(default)]
    pub from: Option<Amount>,
    /// What is kept of a row that is too wide, where that is less than its limit.
    #[serde(default)]
    pub keep: Option<Amount>,
    /// What stands after it.
    pub suffix: String,
}

/// Templates, of which the first whose conditions hold is used.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(from = "VariantsForm")]
pub struct Variants(pub Vec<Variant>);

/// One template and when it is used.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Variant {
    /// Settings and facts that must be as given.
    #[serde(default)]
    pub when: Conditions,
    /// The template.
    pub text: Words,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum VariantsForm {
    One(Words),
    Many(Vec<Variant>),
}

impl From<VariantsForm> for Variants {
    fn from(form: VariantsForm) -> Self {
        match form {
            VariantsForm::One(text) => Self(vec![Variant {
                when: Conditions::default(),
                text,
            }]),
            VariantsForm::Many(variants) => Self(variants),
        }
    }
}

/// How an output that a client has cut is recognised.
///
/// Both patterns are of the regex crate. Of their groups `n` is how much is missing, `total` how much
/// there was, `kept` and `kept_too` how much there is, `from` and `to` the first and last that there
/// are, `size` a size such as `223.5KB`, and `file` where the whole output is.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trace {
    /// What must be in the text.
    pub pattern: String,
    /// What must be there too.
    #[serde(default)]
    pub with: Option<String>,
    /// What the numbers count.
    #[serde(default)]
    pub unit: Option<String>,
    /// Whose marker it is, where it is not this policy's client alone.
    #[serde(default)]
    pub by: Option<String>,
    /// In which versions, in a few words.
    #[serde(default)]
    pub version: String,
}
