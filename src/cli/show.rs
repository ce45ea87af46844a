//! `toolreel show`: one event, or one block of it, exactly.

use serde_json::Value;

use super::args::{Form, ShowArguments, SideName};
use super::list::block_words;
use super::print::Out;
use super::{CliError, open};
use crate::session::block::{Block, MediaSource};
use crate::session::convert;
use crate::session::event::{Body, CacheOperation, EventKind, Side};
use crate::session::format::native;
use crate::tool::rig::{ToolOutput, ToolResultContent};

/// Runs the command.
pub fn run(arguments: &ShowArguments) -> Result<(), CliError> {
    let session = open::whole(&arguments.path)?;
    let failed = |reason: String| CliError::of(session.name(), reason);
    let mut id = open::event(&session, &arguments.call)?;
    // A call id names the pair; what one wants to see of it is the output.
    if !arguments.call.starts_with('#')
        && let Some(record) = session.index().record(id)
        && record.kind == EventKind::ToolCall
    {
        id = record.pair.unwrap_or(id);
    }
    let form = if arguments.json {
        Form::Json
    } else {
        arguments.form
    };
    let mut reader = session.reader();
    let mut out = Out::new();
    if form == Form::Raw {
        let raw = reader.raw(id).map_err(|error| failed(error.to_string()))?;
        out.recorded_bytes(raw)?;
        return out.finish();
    }
    let event = reader
        .event(id)
        .map_err(|error| failed(error.to_string()))?;
    let shown = Shown::of(&event.body, arguments.side).map_err(failed)?;
    let shown = match arguments.block {
        None => shown,
        Some(number) => shown.block(number).map_err(failed)?,
    };
    match form {
        Form::Text => out.recorded_text(&shown.text())?,
        Form::Json => out.json(&shown.json().map_err(failed)?)?,
        Form::Render | Form::Raw => {
            let own = match &event.body {
                Body::ToolOutput(output) if is_of_record(arguments.side, output.wire) => reader
                    .rig_blocks(id)
                    .map_err(|error| failed(error.to_string()))?,
                _ => None,
            };
            let rendered = match own.and_then(|own| rig_output(own, arguments.block)) {
                Some(output) => output.render(),
                None => shown.render().map_err(failed)?,
            };
            out.recorded_text(&rendered)?;
        }
    }
    out.finish()
}

/// Whether the side is the one whose blocks the record holds.
const fn is_of_record(side: Option<SideName>, wire: Side) -> bool {
    matches!(
        (side, wire),
        (None, _) | (Some(SideName::Returned), Side::Returned) | (Some(SideName::Sent), Side::Sent)
    )
}

/// All of rig's own blocks, or one of them, as an output; none where there is none.
fn rig_output(blocks: Vec<ToolResultContent>, number: Option<usize>) -> Option<ToolOutput> {
    let chosen = match number {
        None => blocks,
        Some(number) => vec![blocks.into_iter().nth(number.checked_sub(1)?)?],
    };
    ToolOutput::content(chosen).ok()
}

/// What is to be printed of an event.
enum Shown {
    Blocks(Vec<Block>),
    Value(Value),
    Words(String),
}

impl Shown {
    fn of(body: &Body, side: Option<SideName>) -> Result<Self, String> {
        if side.is_some() && !matches!(body, Body::ToolOutput(_)) {
            return Err("only a tool output has sides".to_owned());
        }
        Ok(match body {
            Body::ToolOutput(output) => {
                let blocks = match side {
                    None => Some(output.blocks()),
                    Some(SideName::Returned) => output.returned.as_deref(),
                    Some(SideName::Sent) => output.sent.as_deref(),
                };
                Self::Blocks(blocks.ok_or("this side is not in the recording")?.to_vec())
            }
            Body::Message { blocks, .. } => Self::Blocks(blocks.clone()),
            Body::Thinking { text } => Self::Words(text.clone()),
            Body::Note { caption } => Self::Words(caption.clone()),
            Body::Bad { reason, offset } => Self::Words(format!("{reason} at byte {offset}")),
            Body::ToolCall(call) => Self::Value(call.arguments.clone()),
            Body::System { value, .. } | Body::Unknown { value } => Self::Value(value.clone()),
            Body::Cache(CacheOperation::Store {
                handle,
                total_items,
            }) => Self::Words(format!("{handle}: {total_items} items stored")),
            Body::Cache(
                CacheOperation::Page { answer, .. } | CacheOperation::Release { answer, .. },
            ) => match answer {
                Ok(value) => Self::Value(value.clone()),
                Err(error) => Self::Words(error.clone()),
            },
        })
    }

    fn block(self, number: usize) -> Result<Self, String> {
        let Self::Blocks(blocks) = self else {
            return Err("this event has no blocks".to_owned());
        };
        let count = blocks.len();
        number
            .checked_sub(1)
            .and_then(|position| blocks.into_iter().nth(position))
            .map(|block| Self::Blocks(vec![block]))
            .ok_or_else(|| format!("no block {number}: there are {count}"))
    }

    /// Text as it is, JSON compact, media in words; one block after the other.
    fn text(&self) -> String {
        match self {
            Self::Blocks(blocks) => {
                let texts: Vec<_> = blocks.iter().map(block_text).collect();
                texts.join("\n")
            }
            Self::Value(value) => plain(value),
            Self::Words(words) => words.clone(),
        }
    }

    /// The value of the only JSON block, the string of the only text, else the list of blocks as the
    /// native format writes them.
    fn json(&self) -> Result<Value, String> {
        let listed = |blocks: &[Block]| {
            let blocks: Vec<_> = blocks.iter().map(native::Block::from).collect();
            serde_json::to_value(blocks).map_err(|error| error.to_string())
        };
        match self {
            Self::Blocks(blocks) => match blocks.as_slice() {
                [Block::Text(text)] => Ok(Value::String(text.clone())),
                [one] => block_value(one).map_or_else(|| listed(blocks), Ok),
                _ => listed(blocks),
            },
            Self::Value(value) => Ok(value.clone()),
            Self::Words(words) => Ok(Value::String(words.clone())),
        }
    }

    fn render(&self) -> Result<String, String> {
        let Self::Blocks(blocks) = self else {
            return Err("only blocks can be rendered as rig does".to_owned());
        };
        convert::to_tool_output(blocks)
            .map(|output| output.value.render())
            .map_err(|error| error.to_string())
    }
}

/// A string without its quotes, anything else as compact JSON.
fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn block_value(block: &Block) -> Option<Value> {
    match block {
        Block::Json(json) => Some(json.value.clone()),
        Block::Envelope(envelope) => Some(envelope.value.clone()),
        Block::Unknown(value) | Block::ResourceLink { value, .. } => Some(value.clone()),
        _ => None,
    }
}

fn block_text(block: &Block) -> String {
    let text = match block {
        Block::Text(text) => Some(text),
        Block::Document(media) | Block::Resource { media, .. } => match &media.source {
            MediaSource::Text(text) => Some(text),
            _ => None,
        },
        _ => None,
    };
    match (text, block_value(block)) {
        (Some(text), _) => text.clone(),
        (None, Some(value)) => value.to_string(),
        (None, None) => format!("[{}]", block_words(block)),
    }
}
