//! From an event to a sheet.

use serde_json::Value;

use super::media::Look;
use crate::replay::pages::Items;
use crate::replay::seen::{Reach, Seen, SeenBlock, SeenUnit};
use crate::session::block::{Block, BlockKind, Envelope, EnvelopeKind, Media};
use crate::session::event::{Body, CacheOperation, Call, Event, Evidence, Fault, Output, Role};
use crate::text::grouped;
use crate::tui::tabs::line::{Ink, Line};
use crate::tui::tabs::mark::{Mark, words};
use crate::tui::tabs::prose::Prose;
use crate::tui::tabs::sheet::Sheet;
use crate::tui::tabs::tree::{Doc, Group, Tree, summary};
use crate::tui::theme::glyph;

/// So many faults are told one by one.
const MOST_FAULTS: usize = 2;

/// What an event is shown with.
pub struct Shown<'a> {
    /// The event.
    pub event: &'a Event,
    /// The call of an output.
    pub call: Option<&'a Call>,
    /// The header above the tabs shows the call's arguments whole.
    pub arguments_above: bool,
    /// What the model had of an output.
    pub seen: Option<&'a Seen>,
    /// All recorded items of an output that was sent as an envelope.
    pub items: Option<&'a Items>,
}

impl Shown<'_> {
    /// The sheet of the event.
    pub fn sheet(&self) -> Sheet {
        let mut sheet = Sheet::new();
        faults(&self.event.faults, &mut sheet);
        match &self.event.body {
            Body::Message { role, blocks } => message(*role, blocks, &mut sheet),
            Body::Thinking { text } => thinking(text, &mut sheet),
            Body::ToolCall(call) => {
                arguments(call, &mut sheet);
                sheet.lines(
                    vec![Line::of(
                        Ink::Finding,
                        "no output of it is in this recording",
                    )],
                    None,
                );
            }
            Body::ToolOutput(output) => {
                if let Some(call) = self.call {
                    arguments(call, &mut sheet);
                    if self.arguments_above {
                        sheet.on_demand();
                    }
                }
                self.output(output, &mut sheet);
            }
            Body::Cache(operation) => cache(operation, &mut sheet),
            Body::Note { caption } => {
                sheet
                    .heading(Line::of(Ink::Title, "note").and(Ink::Dim, "  not sent to the model"));
                sheet.prose(Prose::new(caption.clone(), Mark::Never), Some(0));
            }
            Body::System { name, value } => {
                let line = Line::of(Ink::Title, "system").and(Ink::Text, format!("  {name}"));
                record(line, value, &mut sheet);
            }
            Body::Unknown { value } => {
                let line = Line::of(Ink::Title, "unknown")
                    .and(Ink::Dim, "  its meaning is not known here");
                record(line, value, &mut sheet);
            }
            Body::Bad { reason, offset } => {
                sheet.heading(Line::of(Ink::Error, format!("{} bad line", glyph::BAD)));
                let lines = vec![
                    Line::plain(reason.clone()),
                    Line::plain(format!("at byte {} of the file", grouped(*offset))),
                    Line::new(),
                    Line::of(Ink::Key, "x").and(Ink::Text, "  Raw shows its bytes"),
                ];
                sheet.lines(lines, Some(Mark::Unknown));
            }
        }
        sheet
    }

    fn output(&self, output: &Output, sheet: &mut Sheet) {
        let blocks = output.fullest();
        if blocks.is_empty() {
            let known = output.returned.is_some() || output.sent.is_some();
            sheet.lines(
                vec![Line::of(
                    Ink::Dim,
                    if known {
                        "no blocks: the output is empty"
                    } else {
                        "the output is not in this recording"
                    },
                )],
                Some(Mark::Unknown),
            );
        }
        let list = List {
            blocks,
            seen: self.seen,
            items: self.items,
            fallback: without_replay(output),
            said: None,
            enveloped: is_enveloped(output),
        };
        list.add(0, sheet);
        if let Some(sent) = other_side(output) {
            sheet.heading(Line::of(Ink::Title, "sent in its place").and(Ink::Dim, "  as recorded"));
            let list = List {
                blocks: sent,
                seen: None,
                items: None,
                fallback: Mark::Sent,
                said: None,
                enveloped: false,
            };
            list.add(blocks.len(), sheet);
        }
    }
}

fn is_enveloped(output: &Output) -> bool {
    let sides = [&output.returned, &output.sent];
    sides
        .into_iter()
        .flatten()
        .flatten()
        .any(|block| matches!(block, Block::Envelope(_)))
}

/// What is known of an output before the replay has come to it.
fn without_replay(output: &Output) -> Mark {
    match (output.evidence, &output.returned, &output.sent) {
        (Evidence::Server, ..) => Mark::Unknown,
        (_, None, Some(_)) => Mark::Sent,
        (_, Some(returned), Some(sent)) if returned == sent => Mark::Sent,
        _ => Mark::Unknown,
    }
}

/// What was sent in place of what the tool returned, where both are recorded and differ. Envelopes
/// have a tab of their own.
fn other_side(output: &Output) -> Option<&[Block]> {
    let (returned, sent) = (output.returned.as_ref()?, output.sent.as_ref()?);
    let enveloped = sent.iter().any(|block| matches!(block, Block::Envelope(_)));
    (returned != sent && !enveloped).then_some(sent.as_slice())
}

fn faults(faults: &[Fault], sheet: &mut Sheet) {
    let mut lines: Vec<Line> = faults
        .iter()
        .take(MOST_FAULTS)
        .map(|fault| {
            Line::of(
                Ink::Finding,
                format!(
                    "! {} at byte {} of the file",
                    fault.reason,
                    grouped(fault.offset)
                ),
            )
        })
        .collect();
    if let Some(more) = faults.len().checked_sub(MOST_FAULTS + 1) {
        let words = format!("! and {} more inside strings", more + 1);
        lines.push(Line::of(Ink::Finding, words));
    }
    sheet.lines(lines, None);
}

fn record(heading: Line, value: &Value, sheet: &mut Sheet) {
    let tree = Tree::new(Doc::of_value(value), Mark::Unknown);
    sheet.heading(size(heading, tree.doc().bytes().len()));
    sheet.tree(tree, Some(0));
}

fn size(line: Line, bytes: usize) -> Line {
    line.and(Ink::Dim, format!("  {} B", grouped(bytes as u64)))
}

fn message(role: Role, blocks: &[Block], sheet: &mut Sheet) {
    let said = match role {
        Role::User => ("user", Ink::User),
        Role::Assistant => ("assistant", Ink::Assistant),
        Role::System => ("system", Ink::Dim),
    };
    let list = List {
        blocks,
        seen: None,
        items: None,
        fallback: Mark::Sent,
        said: Some(said),
        enveloped: false,
    };
    list.add(0, sheet);
}

fn thinking(text: &str, sheet: &mut Sheet) {
    let heading = Line::of(Ink::Title, "thinking");
    if text.is_empty() {
        sheet.heading(heading);
        let words = "the recording holds it only encrypted";
        sheet.lines(vec![Line::of(Ink::Dim, words)], Some(Mark::Unknown));
    } else {
        sheet.heading(size(heading, text.len()));
        sheet.prose(Prose::new(text.to_owned(), Mark::Sent), Some(0));
    }
}

fn arguments(call: &Call, sheet: &mut Sheet) {
    let heading = Line::of(Ink::Title, "arguments").and(Ink::Tool, format!("  {}", call.tool));
    match (&call.arguments, &call.arguments_text) {
        (Value::String(text), Some(_)) => {
            sheet.heading(size(heading, text.len()).and(Ink::Finding, "  ! no JSON"));
            sheet.prose(Prose::new(text.clone(), Mark::Sent), None);
        }
        (arguments, _) => {
            let tree = Tree::new(Doc::of_value(arguments), Mark::Sent);
            sheet.heading(size(heading, tree.doc().bytes().len()));
            sheet.tree(tree, None);
        }
    }
}

fn cache(operation: &CacheOperation, sheet: &mut Sheet) {
    let tree = |value: &Value| Tree::new(Doc::of_value(value), Mark::Unknown);
    let (word, arguments, answer) = match operation {
        CacheOperation::Store {
            handle,
            total_items,
        } => {
            sheet.heading(Line::of(Ink::Title, "result cache").and(Ink::Text, "  store"));
            let lines = vec![
                Line::of(Ink::Name, "handle       ").and(Ink::Text, handle.clone()),
                Line::of(Ink::Name, "total_items  ").and(Ink::Number, grouped(*total_items)),
            ];
            sheet.lines(lines, Some(Mark::Unknown));
            return;
        }
        CacheOperation::Page { arguments, answer } => ("page", arguments, answer),
        CacheOperation::Release { arguments, answer } => ("release", arguments, answer),
    };
    sheet.heading(Line::of(Ink::Title, "result cache").and(Ink::Text, format!("  {word}")));
    sheet.tree(tree(arguments), None);
    match answer {
        Ok(value) => {
            sheet.heading(Line::of(Ink::Title, "answer"));
            sheet.tree(tree(value), Some(0));
        }
        Err(text) => {
            sheet.heading(Line::of(Ink::Error, format!("{} refused", glyph::ERROR)));
            sheet.prose(Prose::new(text.clone(), Mark::Unknown), Some(0));
        }
    }
}

/// Blocks one below the other.
struct List<'a> {
    blocks: &'a [Block],
    seen: Option<&'a Seen>,
    items: Option<&'a Items>,
    /// The fate of blocks that the replay says nothing of.
    fallback: Mark,
    /// Who says them.
    said: Option<(&'static str, Ink)>,
    /// The output was sent as an envelope.
    enveloped: bool,
}

impl List<'_> {
    fn add(&self, first: usize, sheet: &mut Sheet) {
        for (place, block) in self.blocks.iter().enumerate() {
            let seen = self.seen.and_then(|seen| seen.blocks.get(place));
            let several = self.said.is_none() || self.blocks.len() > 1;
            let mut heading = Line::new();
            if let Some((who, ink)) = self.said {
                heading = heading.and(ink, format!("{who}  "));
            }
            if several {
                let count = format!("{} of {}  ", place + 1, self.blocks.len());
                heading = heading.and(Ink::Dim, count);
            }
            let heading = heading.and(Ink::Title, word(block));
            self.block(block, seen, heading, first + place, sheet);
        }
    }

    fn block(
        &self,
        block: &Block,
        seen: Option<&SeenBlock>,
        heading: Line,
        place: usize,
        sheet: &mut Sheet,
    ) {
        let mark = whole(seen, self.fallback);
        match block {
            Block::Text(text) => {
                let lines = grouped(text.lines().count() as u64);
                let bytes = grouped(text.len() as u64);
                let unit = if lines == "1" { "line" } else { "lines" };
                let heading = heading.and(Ink::Dim, format!("  {bytes} B  {lines} {unit}"));
                let marks = text_marks(text.len(), seen, self.fallback);
                sheet.heading(legend(heading, marks.iter().map(|(_, mark)| *mark)));
                sheet.prose(Prose::marked(text.clone(), marks), Some(place));
            }
            Block::Json(json) => {
                let mut heading = heading;
                if json.structured_content {
                    heading = heading.and(Ink::Dim, "  structuredContent");
                }
                self.json(&json.value, seen, heading, place, sheet);
            }
            Block::Envelope(envelope) => self.envelope(envelope, seen, heading, place, sheet),
            Block::Image(media)
            | Block::Document(media)
            | Block::Audio(media)
            | Block::Video(media) => {
                media_block(block.kind(), media, mark, heading, place, sheet, Vec::new());
            }
            Block::Resource { uri, media } => {
                let uri = Line::of(Ink::Name, "uri     ").and(Ink::Text, uri.clone());
                media_block(block.kind(), media, mark, heading, place, sheet, vec![uri]);
            }
            Block::ResourceLink { uri, value } => {
                let tree = Tree::new(Doc::of_value(value), mark);
                sheet.heading(heading.and(Ink::Text, format!("  {uri}")));
                sheet.tree(tree, Some(place));
            }
            Block::Unknown(value) => {
                let tree = Tree::new(Doc::of_value(value), mark);
                sheet.heading(size(heading, tree.doc().bytes().len()));
                sheet.tree(tree, Some(place));
            }
        }
    }

    fn json(
        &self,
        value: &Value,
        seen: Option<&SeenBlock>,
        heading: Line,
        place: usize,
        sheet: &mut Sheet,
    ) {
        let tree = Tree::new(Doc::of_value(value), whole(seen, self.fallback));
        let doc = tree.doc();
        let bytes = doc.bytes().len();
        let count = match value {
            Value::Array(items) => items.len(),
            Value::Object(entries) => entries.len(),
            _ => 0,
        };
        let headline = summary::headline(doc.view(doc.root()), count);
        let heading = heading.and(Ink::Text, format!("  {headline}"));
        let groups = seen
            .filter(|seen| seen.unit == SeenUnit::Items)
            .map(|seen| self.groups(seen, |item| (item < count as u64).then_some(item)))
            .unwrap_or_default();
        tree_block(tree, groups, size(heading, bytes), place, sheet);
    }

    /// An envelope whose output is not recorded: the items that are, in their places.
    fn envelope(
        &self,
        envelope: &Envelope,
        seen: Option<&SeenBlock>,
        heading: Line,
        place: usize,
        sheet: &mut Sheet,
    ) {
        let mut heading = heading;
        if envelope.read_from_text.is_some() {
            heading = heading.and(Ink::Dim, "  read from text");
        }
        let seen_before = seen;
        let items = seen
            .filter(|seen| seen.unit == SeenUnit::Items && envelope.kind == EnvelopeKind::Cached)
            .zip(self.items);
        let Some((seen, items)) = items else {
            let bytes = serde_json::to_vec(&envelope.value).map_or(0, |bytes| bytes.len());
            let tree = Tree::new(
                Doc::of_value(&envelope.value),
                whole(seen_before, self.fallback),
            );
            sheet.heading(size(heading, bytes));
            sheet.tree(tree, Some(place));
            return;
        };
        // The recorded items in a row, and where each of them stands in it.
        let mut values = Vec::new();
        let mut places = Vec::new();
        for item in 0..items.total {
            if let Some(value) = items.get(item) {
                places.push(item);
                values.push(value);
            }
        }
        let heading = heading.and(
            Ink::Text,
            format!(
                "  array of {}, {} recorded",
                grouped(items.total),
                grouped(values.len() as u64)
            ),
        );
        let bytes = serde_json::to_vec(&values).unwrap_or_else(|_| b"[]".to_vec());
        let tree = Tree::new(Doc::of_compact(bytes), self.fallback);
        let groups = self.groups(seen, |item| {
            places.binary_search(&item).ok().map(|place| place as u64)
        });
        tree_block(tree, groups, heading, place, sheet);
    }

    /// Groups by what the model got. `child` tells where an item stands in the document.
    fn groups(&self, seen: &SeenBlock, child: impl Fn(u64) -> Option<u64>) -> Vec<Group> {
        seen.spans
            .iter()
            .filter(|span| !span.range.is_empty())
            .map(|span| {
                let first = Some(span.range.start)
                    .filter(|_| span.recorded)
                    .and_then(&child)
                    .and_then(|first| u32::try_from(first).ok());
                let mut said = match span.reach {
                    Reach::Sent if self.enveloped && span.range.start == 0 => {
                        "in the envelope".to_owned()
                    }
                    reach => words(reach),
                };
                if first.is_none() {
                    said.push_str(", not recorded");
                }
                Group {
                    items: span.range.clone(),
                    first,
                    mark: Mark::from(span.reach),
                    words: said,
                }
            })
            .collect()
    }
}

fn tree_block(tree: Tree, groups: Vec<Group>, heading: Line, place: usize, sheet: &mut Sheet) {
    let marks: Vec<Mark> = groups.iter().map(|group| group.mark).collect();
    sheet.heading(legend(heading, marks.iter().copied()));
    let tree = match groups.as_slice() {
        [] => tree,
        // One fate needs no groups, unless some of it is missing.
        [all] if all.first == Some(0) => Tree::new(tree.doc().clone(), all.mark),
        _ => tree.grouped(groups),
    };
    sheet.tree(tree, Some(place));
}

fn media_block(
    kind: BlockKind,
    media: &Media,
    mark: Mark,
    heading: Line,
    place: usize,
    sheet: &mut Sheet,
    mut facts: Vec<Line>,
) {
    let look = Look::at(media);
    sheet.heading(look.headline(heading));
    facts.extend(look.facts());
    sheet.lines(facts, Some(mark));
    look.contents(kind, mark, place, sheet);
}

/// The kind of a block, in words.
pub const fn word(block: &Block) -> &'static str {
    match block.kind() {
        BlockKind::Text => "text",
        BlockKind::Json => "json",
        BlockKind::Image => "image",
        BlockKind::Document => "document",
        BlockKind::Audio => "audio",
        BlockKind::Video => "video",
        BlockKind::Resource => "resource",
        BlockKind::ResourceLink => "resource link",
        BlockKind::Envelope => "envelope",
        BlockKind::Unknown => "unknown",
    }
}

/// The fate of a block as one; of several fates the gravest that is known.
fn whole(seen: Option<&SeenBlock>, fallback: Mark) -> Mark {
    seen.and_then(|seen| {
        seen.spans
            .iter()
            .filter(|span| !span.range.is_empty())
            .map(|span| Mark::from(span.reach))
            .max()
    })
    .unwrap_or(fallback)
}

fn text_marks(bytes: usize, seen: Option<&SeenBlock>, fallback: Mark) -> Vec<(usize, Mark)> {
    match seen {
        Some(seen) if seen.unit == SeenUnit::Bytes => seen
            .spans
            .iter()
            .map(|span| (span.range.end as usize, Mark::from(span.reach)))
            .collect(),
        seen => vec![(bytes, whole(seen, fallback))],
    }
}

/// The legend of the gutter, where there is more than one fate to tell apart.
fn legend(line: Line, marks: impl Iterator<Item = Mark>) -> Line {
    let mut marks: Vec<Mark> = marks.collect();
    marks.sort_unstable();
    marks.dedup();
    if marks.len() < 2 {
        return line;
    }
    // Sizes stand with the groups and in the ledger.
    let mut line = line;
    line.left.retain(|piece| !piece.text.ends_with(" B"));
    for (place, mark) in marks.into_iter().enumerate() {
        let word = match mark {
            Mark::Sent => "sent",
            Mark::Later => "later",
            Mark::Never => "never",
            Mark::Unknown => "not known",
        };
        let gap = if place == 0 { "" } else { "  " };
        line = line
            .right(mark.ink(), format!("{gap}{} ", mark.glyph()))
            .right(Ink::Text, word);
    }
    line
}
