//! What happened in a session, one event per block of the recording.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::block::Block;

/// An event's place in its session.
///
/// Counted from 0 inside the program and from 1 wherever a person or a script sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EventId(u32);

impl EventId {
    /// The event at `position`, counted from 0.
    pub const fn from_position(position: usize) -> Self {
        Self(position as u32)
    }

    /// The event at `index`, counted from 1 as people write it; none for 0.
    pub fn from_index(index: usize) -> Option<Self> {
        index.checked_sub(1).map(Self::from_position)
    }

    /// Counted from 0.
    pub const fn position(self) -> usize {
        self.0 as usize
    }

    /// Counted from 1, as `list --json` prints it and the screen shows it.
    pub const fn index(self) -> usize {
        self.0 as usize + 1
    }
}

/// The kind of an event, with the names of `list --json`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum EventKind {
    /// Something the user or the model said.
    Message,
    /// The model's reasoning.
    Thinking,
    /// The model asks for a tool.
    ToolCall,
    /// A tool's answer.
    ToolOutput,
    /// The native format's own store, page or release operation.
    Cache,
    /// A caption at a moment.
    Note,
    /// System prompts and an agent's own bookkeeping.
    System,
    /// JSON whose meaning is not known here.
    Unknown,
    /// A record without JSON structure.
    Bad,
}

/// Who speaks in a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The person, or the program in their place.
    User,
    /// The model.
    Assistant,
    /// Instructions above the conversation.
    System,
}

/// How far what is shown can be trusted to be what the model got.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
pub enum Evidence {
    /// The file holds both sides.
    #[serde(rename = "recorded")]
    Recorded,
    /// A body that was sent to a provider.
    #[serde(rename = "request")]
    Request,
    /// An agent's own account.
    #[serde(rename = "log")]
    Log,
    /// What an MCP server gave, which need not be what the model got.
    #[serde(rename = "server")]
    Server,
    /// Computed here, not recorded.
    #[serde(rename = "re-run")]
    ReRun,
}

/// The small record that the index keeps of every event.
///
/// Everything that the timeline shows at once is here; values are parsed when they are looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EventRecord {
    /// What kind of event this is.
    pub kind: EventKind,
    /// Who speaks, for messages and thinking.
    pub role: Option<Role>,
    /// Line of the record in the file, from 1.
    pub line: u32,
    /// First byte of the record: the line in JSON Lines, the array element in a document.
    pub offset: u64,
    /// Length of the record in bytes, without its line end.
    pub bytes: u64,
    /// Which of the record's events this is, from 0: one record may hold many blocks.
    pub part: u32,
    /// The tool's name, interned in the session.
    pub tool: Option<NameId>,
    /// The call id, interned in the session.
    pub call_id: Option<NameId>,
    /// The call of an output, or the output of a call.
    pub pair: Option<EventId>,
    /// The output is marked as an error, on the wire or by the agent.
    pub is_error: bool,
    /// The provider ran this tool itself.
    pub server: bool,
    /// The record has faults inside strings and keeps its kind all the same.
    pub faulty: bool,
    /// When, in milliseconds since the Unix epoch, where the recording tells.
    pub time_ms: Option<i64>,
}

/// A name interned in the session: tool names and call ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NameId(pub u32);

/// One event with its values parsed.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// Its place in the session.
    pub id: EventId,
    /// What it holds.
    pub body: Body,
    /// Faults inside strings that were made visible instead of failing.
    pub faults: Vec<Fault>,
}

/// What an event holds.
#[derive(Debug, Clone, PartialEq)]
pub enum Body {
    /// Something said.
    Message {
        /// Who says it.
        role: Role,
        /// What is said, in order.
        blocks: Vec<Block>,
    },
    /// Reasoning; empty where the recording holds only an encrypted form.
    Thinking {
        /// The readable reasoning.
        text: String,
    },
    /// A call.
    ToolCall(Call),
    /// A tool's answer.
    ToolOutput(Output),
    /// A result-cache operation of the native format.
    Cache(CacheOperation),
    /// A caption.
    Note {
        /// What it says.
        caption: String,
    },
    /// System prompt or bookkeeping.
    System {
        /// The record's own type name, for example `system` or `summary`.
        name: String,
        /// The record as it stands.
        value: Value,
    },
    /// JSON whose meaning is not known.
    Unknown {
        /// The record as it stands.
        value: Value,
    },
    /// No JSON structure.
    Bad {
        /// Why it cannot be read.
        reason: String,
        /// Where in the file.
        offset: u64,
    },
}

/// A call of a tool.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// The tool's name.
    pub tool: String,
    /// The id that its output answers, where the recording has one.
    pub id: Option<String>,
    /// The arguments, parsed also where the wire keeps them as text; that text as a JSON string
    /// where it does not parse.
    pub arguments: Value,
    /// The text, where the wire keeps arguments as text.
    pub arguments_text: Option<String>,
}

/// A tool's answer, with both of its sides where the recording has them.
#[derive(Debug, Clone, PartialEq)]
pub struct Output {
    /// The id of the call that it answers.
    pub call_id: Option<String>,
    /// The tool, where the output itself or its call tells.
    pub tool: Option<String>,
    /// Marked as an error.
    pub is_error: bool,
    /// What the tool returned; none where the recording does not know.
    pub returned: Option<Vec<Block>>,
    /// What the model was sent; none where the recording does not know.
    pub sent: Option<Vec<Block>>,
    /// How the recording knows.
    pub evidence: Evidence,
    /// Which side the record's own blocks are, in the order that `--block` counts.
    pub wire: Side,
    /// The value that rig-mcp's result cache would see, by the rule of the recording's format.
    pub cacheable: Cacheable,
    /// Tokens that the recording tells of this output.
    pub recorded_tokens: Option<u64>,
}

/// One of the two sides of an output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// What the tool gave.
    Returned,
    /// What the model got.
    Sent,
}

impl Output {
    /// The blocks that the record holds as the output, in order.
    pub fn blocks(&self) -> &[Block] {
        match self.wire {
            Side::Returned => self.returned.as_deref().unwrap_or_default(),
            Side::Sent => self.sent.as_deref().unwrap_or_default(),
        }
    }

    /// The fuller side: what the tool returned where that is known, else what was sent.
    pub fn fullest(&self) -> &[Block] {
        self.returned
            .as_deref()
            .or(self.sent.as_deref())
            .unwrap_or_default()
    }
}

/// The value that a result cache would see of an output.
#[derive(Debug, Clone, PartialEq)]
pub enum Cacheable {
    /// The JSON value itself.
    Value(Value),
    /// One text block that parses whole as JSON, on a wire that stringifies JSON.
    ReadFromText(Value),
    /// Nothing the cache's rule reaches: text, media, several blocks.
    Nothing,
}

impl Cacheable {
    /// The value, wherever it was read from.
    pub fn value(&self) -> Option<&Value> {
        match self {
            Self::Value(value) | Self::ReadFromText(value) => Some(value),
            Self::Nothing => None,
        }
    }
}

/// A result-cache operation recorded in the native format, with its answer.
#[derive(Debug, Clone, PartialEq)]
pub enum CacheOperation {
    /// Items were stored under a handle.
    Store {
        /// The handle given out.
        handle: String,
        /// How many items.
        total_items: u64,
    },
    /// A page was asked for.
    Page {
        /// The arguments as given.
        arguments: Value,
        /// The answer, or the error text.
        answer: Result<Value, String>,
    },
    /// A handle was released.
    Release {
        /// The arguments as given.
        arguments: Value,
        /// The answer, or the error text.
        answer: Result<Value, String>,
    },
}

/// A fault inside a string of a record that is otherwise whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Fault {
    /// What is wrong, for example `lone surrogate`.
    pub reason: String,
    /// Where in the file.
    pub offset: u64,
}
