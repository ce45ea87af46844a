//! The rows of `list --json`.

use serde::Serialize;

use super::event::{Body, EventId, EventKind, Evidence, Fault, Role};
use super::measure::BlockMeasure;
use super::reader::{ReadError, Reader};
use super::time;

/// One event as `list --json` prints it. Indices, lines and blocks count from 1.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// The event.
    pub index: usize,
    /// Its kind.
    pub kind: EventKind,
    /// Line of its record in the file.
    pub line: u32,
    /// First byte of its record.
    pub offset: u64,
    /// Length of its record in bytes.
    pub bytes: u64,
    /// The tool.
    pub tool: Option<String>,
    /// The call id.
    pub call_id: Option<String>,
    /// The call of an output, the output of a call.
    pub pair: Option<usize>,
    /// Marked as an error.
    pub is_error: bool,
    /// The record's own blocks, in the order that `--block` counts.
    pub blocks: Vec<BlockMeasure>,
    /// Items of the array that the result cache would see, or that an envelope tells of.
    pub items: Option<u64>,
    /// Tokens, estimated unless `tokens_recorded`.
    pub tokens: Option<crate::tokens::Tokens>,
    /// The recording tells the tokens.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub tokens_recorded: bool,
    /// What the tool returned, where known.
    pub returned_bytes: Option<u64>,
    /// What the model was sent, where known.
    pub sent_bytes: Option<u64>,
    /// How the recording knows, for outputs.
    pub evidence: Option<Evidence>,
    /// Who speaks, for messages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<Role>,
    /// When, as RFC 3339.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<String>,
    /// The provider ran this tool itself.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub server: bool,
    /// Faults inside strings.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<Fault>,
    /// Why it cannot be read, for bad lines, and where.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bad: Option<Fault>,
}

impl Reader {
    /// The row of an event.
    ///
    /// # Errors
    /// When there is no such event, or its bytes cannot be read any more.
    pub fn row(&mut self, id: EventId) -> Result<Row, ReadError> {
        let record = self
            .index()
            .record(id)
            .ok_or(ReadError::NoSuchEvent(id.index()))?;
        let name = |name: Option<super::event::NameId>| {
            name.map(|name| self.index().name(name).to_owned())
        };
        let (tool, call_id) = (name(record.tool), name(record.call_id));
        let measures = self.measures(id)?;
        let bad = if record.kind == EventKind::Bad {
            match self.event(id)?.body {
                Body::Bad { reason, offset } => Some(Fault { reason, offset }),
                _ => None,
            }
        } else {
            None
        };
        Ok(Row {
            index: id.index(),
            kind: record.kind,
            line: record.line,
            offset: record.offset,
            bytes: record.bytes,
            tool,
            call_id,
            pair: record.pair.map(EventId::index),
            is_error: record.is_error,
            blocks: measures.blocks,
            items: measures.items,
            tokens: measures.tokens,
            tokens_recorded: measures.tokens_recorded,
            returned_bytes: measures.returned_bytes,
            sent_bytes: measures.sent_bytes,
            evidence: measures.evidence,
            role: record.role,
            time: record.time_ms.map(time::format),
            server: record.server,
            faults: self.fault_list(id, &record),
            bad,
        })
    }
}
