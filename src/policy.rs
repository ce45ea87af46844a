//! What of an output reaches the model.
//!
//! A policy is a pure function of one output and its settings: it knows no clock, no file and no
//! screen, so that a re-run over a whole recording is arithmetic and can be repeated on every key
//! press. One file per kind.

pub mod bound;
pub mod cache;
pub mod client;

use serde_json::Value;

/// One output, as a policy sees it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Subject<'a> {
    /// The tool's name, where known: clients choose their rules by it.
    pub tool: Option<&'a str>,
    /// The output is marked as an error.
    pub is_error: bool,
    /// The exit status of the command that the tool ran, where known.
    pub exit_status: Option<i64>,
    /// The command that the tool ran, where known: some exit codes are an answer for some commands.
    pub command: Option<&'a str>,
    /// The id of the call, where known: some clients name it in their words.
    pub call_id: Option<&'a str>,
    /// The output comes from a recording of the very client whose policy is asked, so that a line
    /// that the client puts before an output may stand there already.
    pub recorded_by_client: bool,
    /// What the tool returned.
    pub content: Content<'a>,
}

impl<'a> Subject<'a> {
    /// An output of which nothing else is known.
    pub const fn of(content: Content<'a>) -> Self {
        Self {
            tool: None,
            is_error: false,
            exit_status: None,
            command: None,
            call_id: None,
            recorded_by_client: false,
            content,
        }
    }
}

/// What the tool returned, as far as a policy can tell.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Content<'a> {
    /// Text.
    Text(&'a str),
    /// A JSON value.
    Json(&'a Value),
}

/// What became of an output.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// What the model gets; none where it gets what the tool returned.
    pub given: Option<Given>,
    /// What was left out.
    pub omitted: Vec<Omission>,
    /// How the rest can be asked for.
    pub recover: Recover,
}

impl Outcome {
    /// The policy leaves this output alone.
    pub const fn unchanged() -> Self {
        Self {
            given: None,
            omitted: Vec::new(),
            recover: Recover::Nothing,
        }
    }

    /// Whether the model gets something else than the tool returned.
    pub const fn changed(&self) -> bool {
        self.given.is_some()
    }
}

/// What the model gets instead.
#[derive(Debug, Clone, PartialEq)]
pub enum Given {
    /// Text.
    Text(String),
    /// A JSON value.
    Json(Value),
}

/// The unit that something is counted in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// Items of an array.
    Items,
    /// UTF-8 bytes.
    Bytes,
    /// Unicode scalar values.
    Chars,
    /// UTF-16 code units.
    Utf16,
    /// Terminal cells.
    Cells,
    /// Lines.
    Lines,
    /// Tokens, by the rule of whoever counts them.
    Tokens,
    /// Whole values of an object or array.
    Values,
}

impl Unit {
    /// The word for one or many of them.
    pub const fn word(self, count: u64) -> &'static str {
        let one = count == 1;
        match self {
            Self::Items if one => "item",
            Self::Items => "items",
            Self::Bytes if one => "byte",
            Self::Bytes => "bytes",
            Self::Chars if one => "char",
            Self::Chars => "chars",
            Self::Utf16 if one => "UTF-16 unit",
            Self::Utf16 => "UTF-16 units",
            Self::Cells if one => "cell",
            Self::Cells => "cells",
            Self::Lines if one => "line",
            Self::Lines => "lines",
            Self::Tokens if one => "token",
            Self::Tokens => "tokens",
            Self::Values if one => "value",
            Self::Values => "values",
        }
    }
}

/// One thing that was left out.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Omission {
    /// Where in the value, as a JSON pointer; empty for the root and for text.
    pub pointer: String,
    /// What is counted.
    pub unit: Unit,
    /// How much of it is missing.
    pub count: u64,
}

/// How the model can ask for what was left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Recover {
    /// Not at all.
    Nothing,
    /// By `cache.page` with this token.
    Page {
        /// `handle:offset:n`.
        token: String,
    },
    /// The client has put the whole output into a file, and names it.
    File {
        /// What the model has to call, where that is known.
        how: String,
    },
    /// By the same tool with other arguments, or by a tool of the client's own.
    Call {
        /// What the model has to call, where that is known.
        how: String,
    },
}

/// How large an output and its parts are, so that a policy can tell without the values that it
/// leaves an output alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Extent {
    /// UTF-8 bytes of a text, or of the compact form of a value.
    pub bytes: u64,
    /// Chars of the text, or of the longest string inside the value.
    pub longest_string: u64,
    /// Items of the longest array inside the value.
    pub longest_array: u64,
}

/// A rule for what of an output reaches the model.
pub trait Policy: Send + Sync {
    /// Its id, as `toolreel policies` lists it.
    fn id(&self) -> &str;

    /// What the model gets of one output.
    fn apply(&self, subject: Subject<'_>) -> Outcome;

    /// Whether it certainly leaves an output of this size alone.
    fn leaves_alone(&self, extent: &Extent) -> bool {
        let _ = extent;
        false
    }

    /// Whether it looks at outputs that are errors, too.
    fn takes_errors(&self) -> bool {
        false
    }
}
