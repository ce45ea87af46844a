//! How each provider would receive the output, computed by a worker.

use crate::json::View;
use crate::media::compare;
use crate::provider::{self, ErrorFlag, Fate, Lens, Order, Rendering};
use crate::session::block::{Block, Media};
use crate::session::convert::subject;
use crate::session::event::{Body, Call, EventId, Output};
use crate::tui::tab::Source;
use crate::tui::tabs::blocks::Look;
use crate::tui::tabs::line::{Ink, Line};
use crate::tui::tabs::mark::Mark;
use crate::tui::tabs::sheet::Sheet;
use crate::tui::tabs::tree::{Doc, Tree};

/// Cells of the head over a column.
const HEAD: usize = 9;

/// What the tab wants computed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ProvidersAsk {
    /// Who sends.
    pub lens: Lens,
    /// Providers that were added, as they were named.
    pub added: Vec<String>,
    /// The column whose wire JSON is open, and the row that is looked for in it.
    pub open: Option<(usize, usize)>,
}

/// What the tab shows.
#[derive(Debug, Default)]
pub struct ProvidersData {
    /// The output.
    pub event: Option<EventId>,
    /// Its tool.
    pub tool: String,
    /// Who sends.
    pub lens: Lens,
    /// Its blocks, each in a word.
    pub blocks: Vec<&'static str>,
    /// It is marked as an error.
    pub is_error: bool,
    /// The columns.
    pub columns: Vec<Column>,
    /// The wire JSON that is open.
    pub wire: Option<Wire>,
    /// Why there is nothing to show.
    pub reason: Option<String>,
    /// Columns and rows of the pane.
    pub size: (u16, u16),
}

/// One provider.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// The head over the column.
    pub head: String,
    /// Its whole name.
    pub name: String,
    /// What it receives.
    pub rendering: Rendering,
    /// Blocks that its service refuses although the sender sends them, with the reason.
    pub refusals: Vec<Option<String>>,
    /// What would become of an error flag, also where the output is no error.
    pub error_flag: Option<ErrorFlag>,
}

/// An open wire JSON.
#[derive(Debug)]
pub struct Wire {
    /// The column.
    pub column: usize,
    /// Its sheet.
    pub sheet: Sheet,
    /// The bytes of the JSON that hold the block that was looked for.
    pub range: Option<std::ops::Range<usize>>,
}

/// Computes the data.
pub fn load(source: &Source, ask: &ProvidersAsk) -> ProvidersData {
    let mut data = ProvidersData {
        lens: ask.lens,
        size: (source.columns, source.rows),
        ..ProvidersData::default()
    };
    let recording = &*source.recording;
    let event = recording.event(source.event);
    let Some(Body::ToolOutput(output)) = event.map(|event| event.body) else {
        data.reason = nothing(source);
        return data;
    };
    let call = recording
        .record(source.event)
        .and_then(|record| record.pair)
        .and_then(|pair| recording.event(pair))
        .and_then(|call| match call.body {
            Body::ToolCall(call) => Some(call),
            _ => None,
        });
    data.event = Some(source.event);
    data.is_error = output.is_error;
    data.blocks = output.blocks().iter().map(word).collect();
    data.tool = call
        .as_ref()
        .map(|call| call.tool.clone())
        .or_else(|| output.tool.clone())
        .unwrap_or_else(|| "output".to_owned());
    data.columns = columns(call.as_ref(), &output, ask);
    data.wire = ask.open.and_then(|(column, row)| {
        let column_data = data.columns.get(column)?;
        Some(wire(column, column_data, row))
    });
    data
}

/// Why there is nothing to show; none where there is.
pub fn nothing(source: &Source) -> Option<String> {
    let record = source.recording.record(source.event)?;
    let is_output = record.kind == crate::session::event::EventKind::ToolOutput;
    (!is_output).then(|| "no tool output: there is nothing to hand to a provider".to_owned())
}

fn columns(call: Option<&Call>, output: &Output, ask: &ProvidersAsk) -> Vec<Column> {
    let own = subject(call, output);
    let mut as_error = own.clone();
    as_error.is_error = true;
    let mismatches: Vec<Option<String>> = output.blocks().iter().map(mismatch).collect();
    heads(ask)
        .into_iter()
        .filter_map(|(head, name)| {
            let rendering = provider::render(&own, &name, ask.lens).ok()?;
            let error_flag = if own.is_error {
                rendering.error_flag
            } else {
                provider::render(&as_error, &name, ask.lens)
                    .ok()
                    .and_then(|rendering| rendering.error_flag)
            };
            let refusals = mismatches
                .iter()
                .enumerate()
                .map(|(place, mismatch)| mismatch.clone().filter(|_| is_strict(&rendering, place)))
                .collect();
            Some(Column {
                head,
                name: rendering.provider.clone(),
                rendering,
                refusals,
                error_flag,
            })
        })
        .collect()
}

/// Heads and names of the columns.
fn heads(ask: &ProvidersAsk) -> Vec<(String, String)> {
    let short = |name: &str| {
        let part = name.split(':').next().unwrap_or(name);
        if part.len() <= HEAD {
            return part.to_owned();
        }
        part.replace("responses", "resp")
            .replace("bedrock", "bed")
            .replace("openai", "op")
    };
    let mut heads: Vec<(String, String)> = match ask.lens {
        Lens::Rig => provider::columns()
            .iter()
            .map(|column| (column.head.clone(), column.name.clone()))
            .collect(),
        Lens::Mixtape => provider::names(Lens::Mixtape)
            .map(|name| (short(name), name.to_owned()))
            .collect(),
    };
    heads.extend(ask.added.iter().map(|name| (short(name), name.clone())));
    heads
}

/// Whether the provider looks at the bytes of an image and refuses one that is not what it says.
///
/// Anthropic's API does; that the others do is not known here.
fn is_strict(rendering: &Rendering, place: usize) -> bool {
    let sent = rendering
        .blocks
        .get(place)
        .is_some_and(|block| matches!(block.fate, Fate::Native | Fate::Moved));
    sent && rendering.provider.starts_with("anthropic")
}

fn mismatch(block: &Block) -> Option<String> {
    let media: &Media = match block {
        Block::Image(media) => media,
        _ => return None,
    };
    let format = Look::at(media).format()?;
    compare(media.declared.as_deref(), format).map(|mismatch| mismatch.to_string())
}

fn word(block: &Block) -> &'static str {
    crate::tui::tabs::blocks::word(block)
}

fn wire(place: usize, column: &Column, row: usize) -> Wire {
    let mut sheet = Sheet::new();
    let rendering = &column.rendering;
    let heading = Line::of(Ink::Title, "wire")
        .and(Ink::Text, format!("  {}", column.name))
        .and(Ink::Dim, format!("  {}", rendering.lens.sender()));
    let Some(wire) = &rendering.wire else {
        sheet.heading(heading);
        let error = rendering.error.clone().unwrap_or_default();
        sheet.lines(
            vec![
                Line::of(Ink::Error, "refused: nothing is sent"),
                Line::of(Ink::Error, error),
            ],
            None,
        );
        return Wire {
            column: place,
            sheet,
            range: None,
        };
    };
    let doc = Doc::of_value(wire);
    let range = rendering
        .blocks
        .get(row)
        .and_then(|block| block.at.as_deref())
        .and_then(|pointer| View::trusted(doc.bytes()).pointer(pointer))
        .map(|view| view.span());
    let bytes = crate::text::grouped(doc.bytes().len() as u64);
    sheet.heading(heading.and(Ink::Dim, format!("  {bytes} B")));
    sheet.tree(Tree::new(doc, Mark::Sent), Some(0));
    Wire {
        column: place,
        sheet,
        range,
    }
}

/// What a cell says, short and long, and its ink.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Word {
    /// In at most nine cells.
    pub long: &'static str,
    /// In at most seven cells.
    pub short: &'static str,
    /// Its ink.
    pub ink: Ink,
}

impl Column {
    /// The word of a row: the blocks, then order, then error flag.
    pub fn word(&self, row: usize, blocks: usize) -> Word {
        let word = |long, short, ink| Word { long, short, ink };
        if let Some(block) = self.rendering.blocks.get(row) {
            return match block.fate {
                Fate::Native => word("native", "native", Ink::Good),
                Fate::Converted => word("converted", "convert", Ink::Text),
                Fate::Described => word("described", "descr.", Ink::Finding),
                Fate::Moved => word("moved", "moved", Ink::Later),
                Fate::Dropped => word("dropped", "dropped", Ink::Error),
                Fate::Refused => word("refused", "refused", Ink::Error),
            };
        }
        if row == blocks {
            return match self.rendering.order {
                Some(Order::Kept) => word("kept", "kept", Ink::Text),
                Some(Order::Lost) => word("LOST", "LOST", Ink::Error),
                None => word("-", "-", Ink::Dim),
            };
        }
        match self.error_flag {
            Some(ErrorFlag::Kept) => word("kept", "kept", Ink::Text),
            Some(ErrorFlag::InText) => word("in text", "in text", Ink::Finding),
            Some(ErrorFlag::Lost) => word("LOST", "LOST", Ink::Error),
            None => word("-", "-", Ink::Dim),
        }
    }

    /// What is said of a row.
    pub fn note(&self, row: usize, blocks: usize, is_error: bool) -> Option<String> {
        if let Some(refusal) = self.refusals.get(row).and_then(Option::as_ref) {
            return Some(format!(
                "rig sends it, the API refuses it: {refusal} (image-type-mismatch)"
            ));
        }
        if let Some(block) = self.rendering.blocks.get(row) {
            return block.note.clone().or_else(|| self.rendering.error.clone());
        }
        let flag = row > blocks;
        let words = match (flag, self.rendering.order, self.error_flag) {
            (false, Some(Order::Lost), _) => "the wire does not tell the order of the blocks",
            (false, None, _) | (true, _, None) => return self.rendering.error.clone(),
            (true, _, Some(ErrorFlag::Lost)) if is_error => "nothing says that this was an error",
            (true, _, Some(ErrorFlag::Lost)) => "this is no error; one would not be told as such",
            (true, _, Some(ErrorFlag::InText)) => "only in the words of the text",
            _ => return None,
        };
        Some(words.to_owned())
    }
}
