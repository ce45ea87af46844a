//! What a format finds in one record, before anything of it is parsed.
//!
//! The index keeps only the cheap fields of a [`Part`]; the detail turns the body of the same part into
//! a [`Body`]. Both come from one reader, so that they cannot drift apart.

use std::borrow::Cow;
use std::ops::Range;
use std::path::Path;

use serde_json::Value;

use crate::json::View;

use super::block::Block;
use super::event::{
    Body, CacheOperation, Cacheable, Call, EventKind, Evidence, Output, Role, Side,
};
use super::piece::{Piece, whole_text};

/// One event of a record.
#[derive(Debug)]
pub(super) struct Part<'a> {
    pub(super) kind: EventKind,
    /// The kind where no call is open under the id: some answers only their call tells apart.
    pub(super) unless_answering: Option<EventKind>,
    pub(super) role: Option<Role>,
    pub(super) tool: Option<Cow<'a, str>>,
    pub(super) call_id: Option<Cow<'a, str>>,
    /// The call id is a string that reads like a number, where a number is another id (JSON-RPC).
    pub(super) quoted_id: bool,
    pub(super) is_error: bool,
    pub(super) server: bool,
    /// It counts although the provider ran the tool.
    pub(super) counted: bool,
    pub(super) time_ms: Option<i64>,
    /// Where it stands in the record.
    pub(super) span: Range<usize>,
    pub(super) lazy: Lazy<'a>,
    /// What it tells of an output that another record holds.
    pub(super) companion: Option<Companion<'a>>,
}

/// The side of an output that stands in another record than the output.
#[derive(Debug)]
pub(super) struct Companion<'a> {
    /// The call that the output answers.
    pub(super) call_id: Cow<'a, str>,
    /// What the tool returned.
    pub(super) returned: Content<'a>,
}

/// The body of a part, unparsed.
#[derive(Debug)]
// Parts are handed over one at a time and never kept: size costs nothing, a box would.
#[allow(clippy::large_enum_variant)]
pub(super) enum Lazy<'a> {
    Message(Content<'a>),
    Thinking(Option<View<'a>>),
    Call {
        /// The arguments as JSON, or the string that holds them.
        arguments: Option<View<'a>>,
        /// The text that the wire had, where a recording keeps both.
        text: Option<View<'a>>,
    },
    Output(LazyOutput<'a>),
    Cache(LazyCache<'a>),
    Note(Option<View<'a>>),
    /// A caption that belongs to another event and is none itself.
    Caption {
        /// The event, counted from 1.
        at: u64,
        /// The tab that it is written for.
        tab: Option<View<'a>>,
        text: Option<View<'a>>,
    },
    /// The header of a native recording, which is no event.
    Header(View<'a>),
    System {
        name: Cow<'a, str>,
        value: View<'a>,
    },
    /// A log line that is no JSON.
    Log(&'a [u8]),
    Unknown(View<'a>),
}

/// An output, unparsed.
#[derive(Debug)]
pub(super) struct LazyOutput<'a> {
    pub(super) returned: Option<Content<'a>>,
    pub(super) sent: Option<Content<'a>>,
    pub(super) evidence: Evidence,
    pub(super) wire: Side,
    pub(super) rule: CacheRule,
    pub(super) recorded_tokens: Option<u64>,
}

impl<'a> LazyOutput<'a> {
    /// An output in a body that was sent to a provider.
    pub(super) const fn request(content: Content<'a>, rule: CacheRule) -> Self {
        Self {
            returned: None,
            sent: Some(content),
            evidence: Evidence::Request,
            wire: Side::Sent,
            rule,
            recorded_tokens: None,
        }
    }
}

/// A result-cache operation, unparsed.
#[derive(Debug)]
pub(super) enum LazyCache<'a> {
    Store {
        handle: Option<View<'a>>,
        total_items: Option<u64>,
    },
    Page(LazyAnswer<'a>),
    Release(LazyAnswer<'a>),
}

/// What was asked of the result cache and what it answered, unparsed.
#[derive(Debug)]
pub(super) struct LazyAnswer<'a> {
    pub(super) arguments: Option<View<'a>>,
    pub(super) answer: Option<View<'a>>,
    pub(super) error: Option<View<'a>>,
}

/// The rule by which a format's outputs reach the result cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CacheRule {
    /// The JSON value itself, text never.
    Value,
    /// Exactly one text block that parses whole: the wire makes text of JSON.
    ReadText,
    /// rig-mcp's rule for MCP results.
    Mcp,
}

/// Reads blocks out of up to two views.
pub(super) type ReadPieces = for<'b> fn([Option<View<'b>>; 2], &mut Vec<Piece<'b>>);

/// The blocks of one side, not yet taken apart.
#[derive(Debug, Clone)]
pub(super) enum Content<'a> {
    /// To be taken apart by a reader.
    Views {
        read: ReadPieces,
        views: [Option<View<'a>>; 2],
    },
    /// One block.
    One(Piece<'a>),
    /// Text that is no JSON: a whole file.
    Bytes(&'a [u8]),
    /// The text of a side file, by the path that the recording tells, beside the recording.
    SideFile { path: Cow<'a, str> },
}

impl<'a> Content<'a> {
    /// To be read from one view.
    pub(super) const fn view(read: ReadPieces, view: View<'a>) -> Self {
        Self::Views {
            read,
            views: [Some(view), None],
        }
    }

    /// No blocks.
    pub(super) const fn empty() -> Self {
        Self::Bytes(&[])
    }

    /// The blocks, unparsed. `beside` is the recording's own path, for side files; where a side file
    /// is not there, nothing is known of this side.
    pub(super) fn pieces(&self, beside: Option<&Path>) -> Option<Vec<Piece<'a>>> {
        let mut pieces = Vec::new();
        match self {
            Self::Views { read, views } => read(*views, &mut pieces),
            Self::One(piece) => pieces.push(piece.clone()),
            Self::Bytes([]) => {}
            Self::Bytes(bytes) => pieces.push(Piece::Plain(String::from_utf8_lossy(bytes))),
            Self::SideFile { path } => {
                let text = super::side_file::read(beside?, path)?;
                pieces.push(Piece::Plain(Cow::Owned(text)));
            }
        }
        Some(pieces)
    }

    fn views(&self) -> [Option<View<'a>>; 2] {
        match self {
            Self::Views { views, .. } => *views,
            Self::One(piece) => [piece.view(), None],
            Self::Bytes(_) | Self::SideFile { .. } => [None, None],
        }
    }
}

impl<'a> Part<'a> {
    /// A part of a kind that stands at `view`.
    pub(super) fn new(kind: EventKind, view: View<'a>, lazy: Lazy<'a>) -> Self {
        Self {
            kind,
            unless_answering: None,
            role: None,
            tool: None,
            call_id: None,
            quoted_id: false,
            is_error: false,
            server: false,
            counted: false,
            time_ms: None,
            span: view.span(),
            lazy,
            companion: None,
        }
    }

    /// Something said, as one block or as whatever `content` reads.
    pub(super) fn message(role: Role, view: View<'a>, content: Content<'a>) -> Self {
        let mut part = Self::new(EventKind::Message, view, Lazy::Message(content));
        part.role = Some(role);
        part
    }

    /// Reasoning.
    pub(super) fn thinking(view: View<'a>, text: Option<View<'a>>) -> Self {
        let mut part = Self::new(EventKind::Thinking, view, Lazy::Thinking(text));
        part.role = Some(Role::Assistant);
        part
    }

    /// A call.
    pub(super) fn call(
        view: View<'a>,
        tool: Option<View<'a>>,
        id: Option<View<'a>>,
        arguments: Option<View<'a>>,
    ) -> Self {
        let lazy = Lazy::Call {
            arguments,
            text: None,
        };
        let mut part = Self::new(EventKind::ToolCall, view, lazy);
        part.tool = tool.and_then(|tool| tool.text());
        part.call_id = id.and_then(id_text);
        part
    }

    /// An output.
    pub(super) fn output(view: View<'a>, id: Option<View<'a>>, output: LazyOutput<'a>) -> Self {
        let mut part = Self::new(EventKind::ToolOutput, view, Lazy::Output(output));
        part.call_id = id.and_then(id_text);
        part
    }

    /// System prompt or bookkeeping.
    pub(super) fn system(view: View<'a>, name: impl Into<Cow<'a, str>>) -> Self {
        let lazy = Lazy::System {
            name: name.into(),
            value: view,
        };
        let mut part = Self::new(EventKind::System, view, lazy);
        part.role = Some(Role::System);
        part
    }

    /// JSON whose meaning is not known.
    pub(super) fn unknown(view: View<'a>) -> Self {
        Self::new(EventKind::Unknown, view, Lazy::Unknown(view))
    }

    /// Whether it is an event of its own: headers and captions are not.
    pub(super) const fn is_event(&self) -> bool {
        !matches!(self.lazy, Lazy::Header(_) | Lazy::Caption { .. })
    }

    /// Whether the byte at `offset` of the record belongs to this part.
    pub(super) fn covers(&self, offset: usize) -> bool {
        let returned = match &self.lazy {
            Lazy::Output(output) => output.returned.as_ref().map(Content::views),
            _ => None,
        };
        self.span.contains(&offset)
            || returned
                .into_iter()
                .flatten()
                .flatten()
                .any(|view| view.span().contains(&offset))
    }

    /// Parses the body. `kind` is what the index decided, `call` the names that it knows.
    pub(super) fn body(self, kind: EventKind, known: &Known<'_>) -> Body {
        match self.lazy {
            Lazy::Output(output) if kind == EventKind::ToolOutput => {
                Body::ToolOutput(output.parse(self.tool, self.call_id, self.is_error, known))
            }
            Lazy::Output(output) => {
                let views = output
                    .sent
                    .or(output.returned)
                    .map(|content| content.views());
                let value = views.into_iter().flatten().flatten().next();
                let value = value.map_or(Value::Null, |view| view.value());
                let name = "response".to_owned();
                match kind {
                    EventKind::System => Body::System { name, value },
                    _ => Body::Unknown { value },
                }
            }
            Lazy::Message(content) => Body::Message {
                role: self.role.unwrap_or(Role::User),
                blocks: blocks(&content, false, known.beside).unwrap_or_default(),
            },
            Lazy::Thinking(text) => Body::Thinking {
                text: text.map(thinking_text).unwrap_or_default(),
            },
            Lazy::Note(text) | Lazy::Caption { text, .. } => Body::Note {
                caption: owned(text),
            },
            Lazy::Call { arguments, text } => {
                let (arguments, arguments_text) = parse_arguments(arguments, text);
                Body::ToolCall(Call {
                    tool: self.tool.unwrap_or_default().into_owned(),
                    id: self.call_id.map(Cow::into_owned),
                    arguments,
                    arguments_text,
                })
            }
            Lazy::Cache(operation) => Body::Cache(operation.parse()),
            Lazy::System { name, value } => Body::System {
                name: name.into_owned(),
                value: value.value(),
            },
            Lazy::Log(line) => Body::System {
                name: "log".to_owned(),
                value: Value::String(String::from_utf8_lossy(line).into_owned()),
            },
            Lazy::Unknown(view) | Lazy::Header(view) => Body::Unknown {
                value: view.value(),
            },
        }
    }
}

/// What the index and the session know of an event beside its record.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Known<'a> {
    /// The tool that the call of an output names.
    pub(super) tool: Option<&'a str>,
    /// The recording's path.
    pub(super) beside: Option<&'a Path>,
}

impl LazyOutput<'_> {
    fn parse(
        self,
        tool: Option<Cow<'_, str>>,
        call_id: Option<Cow<'_, str>>,
        is_error: bool,
        known: &Known<'_>,
    ) -> Output {
        let stringified = self.rule != CacheRule::Value;
        let side = |content: Option<&Content<'_>>| {
            content.and_then(|content| blocks(content, stringified, known.beside))
        };
        let returned = side(self.returned.as_ref());
        let sent = side(self.sent.as_ref());
        let evidence = match (&returned, self.evidence) {
            // The side file is not there: the log alone is left.
            (None, Evidence::Recorded) if sent.is_some() => Evidence::Log,
            (_, evidence) => evidence,
        };
        let cacheable = self
            .rule
            .apply(returned.as_deref().or(sent.as_deref()).unwrap_or_default());
        Output {
            call_id: call_id.map(Cow::into_owned),
            tool: tool
                .map(Cow::into_owned)
                .or_else(|| known.tool.map(ToOwned::to_owned)),
            is_error,
            returned,
            sent,
            evidence,
            wire: self.wire,
            cacheable,
            recorded_tokens: self.recorded_tokens,
        }
    }
}

impl CacheRule {
    /// The value that the result cache would see of these blocks.
    pub(super) fn apply(self, blocks: &[Block]) -> Cacheable {
        match self {
            Self::Value => match blocks {
                [Block::Json(json)] => Cacheable::Value(json.value.clone()),
                [Block::Envelope(envelope)] => Cacheable::Value(envelope.value.clone()),
                _ => Cacheable::Nothing,
            },
            Self::ReadText => match blocks {
                [Block::Text(text)] => read_text(text),
                [Block::Envelope(envelope)] => Cacheable::ReadFromText(envelope.value.clone()),
                [Block::Json(json)] => Cacheable::Value(json.value.clone()),
                _ => Cacheable::Nothing,
            },
            Self::Mcp => {
                let structured = blocks.iter().find_map(|block| match block {
                    Block::Json(json) if json.structured_content => Some(&json.value),
                    Block::Envelope(envelope) if envelope.read_from_text.is_none() => {
                        Some(&envelope.value)
                    }
                    _ => None,
                });
                if let Some(value) = structured {
                    return Cacheable::Value(value.clone());
                }
                let text = blocks.iter().find_map(|block| match block {
                    Block::Text(text) => Some(read_text(text)),
                    Block::Envelope(envelope) => {
                        Some(Cacheable::ReadFromText(envelope.value.clone()))
                    }
                    _ => None,
                });
                text.unwrap_or(Cacheable::Nothing)
            }
        }
    }
}

fn read_text(text: &str) -> Cacheable {
    match View::check(text.as_bytes()) {
        Ok((view, faults)) if faults.is_empty() => Cacheable::ReadFromText(view.value()),
        _ => Cacheable::Nothing,
    }
}

impl LazyCache<'_> {
    fn parse(self) -> CacheOperation {
        match self {
            Self::Store {
                handle,
                total_items,
            } => CacheOperation::Store {
                handle: owned(handle),
                total_items: total_items.unwrap_or_default(),
            },
            Self::Page(asked) => {
                let (arguments, answer) = asked.parse();
                CacheOperation::Page { arguments, answer }
            }
            Self::Release(asked) => {
                let (arguments, answer) = asked.parse();
                CacheOperation::Release { arguments, answer }
            }
        }
    }
}

impl LazyAnswer<'_> {
    fn parse(self) -> (Value, Result<Value, String>) {
        let arguments = self.arguments.map_or(Value::Null, |view| view.value());
        let answer = match (self.error, self.answer) {
            (Some(error), _) => Err(owned(Some(error))),
            (None, answer) => Ok(answer.map_or(Value::Null, |view| view.value())),
        };
        (arguments, answer)
    }
}

pub(super) fn blocks(
    content: &Content<'_>,
    stringified: bool,
    beside: Option<&Path>,
) -> Option<Vec<Block>> {
    let pieces = content.pieces(beside)?;
    Some(
        pieces
            .iter()
            .map(|piece| piece.block(stringified))
            .collect(),
    )
}

fn owned(view: Option<View<'_>>) -> String {
    view.and_then(|view| Some(view.text()?.into_owned()))
        .unwrap_or_default()
}

/// Reasoning as text: a string, or a list of strings or of blocks that hold one.
pub(super) fn thinking_text(view: View<'_>) -> String {
    let text = |view: View<'_>| {
        let [text, thinking, summary] = view.fields(["text", "thinking", "summary"]);
        view.text()
            .or_else(|| text.or(thinking).or(summary)?.text())
            .map(Cow::into_owned)
    };
    if view.is_array() {
        let texts: Vec<_> = view.items().filter_map(text).collect();
        return texts.join("\n");
    }
    text(view).unwrap_or_default()
}

/// Arguments as a value, and the text where the wire keeps them as text.
fn parse_arguments(arguments: Option<View<'_>>, text: Option<View<'_>>) -> (Value, Option<String>) {
    let text = text.filter(View::is_string);
    match arguments {
        None => (
            text.map_or(Value::Null, |text| {
                whole_text(text).unwrap_or_else(|| text.value())
            }),
            text.map(|text| owned(Some(text))),
        ),
        Some(view) if view.is_string() => {
            let value = whole_text(view).unwrap_or_else(|| view.value());
            (value, Some(owned(Some(text.unwrap_or(view)))))
        }
        Some(view) => (view.value(), text.map(|text| owned(Some(text)))),
    }
}

/// An id: a string, or a number as its digits.
pub(super) fn id_text(view: View<'_>) -> Option<Cow<'_, str>> {
    match view.kind() {
        crate::json::Kind::String => view.text().filter(|text| !text.is_empty()),
        crate::json::Kind::Number => std::str::from_utf8(view.raw()).ok().map(Cow::Borrowed),
        _ => None,
    }
}
