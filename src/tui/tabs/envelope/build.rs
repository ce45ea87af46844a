//! From an envelope to a sheet.

use std::ops::Range;

use serde_json::Value;

use super::odd::{Known, bounded, cached, shown};
use crate::replay::ledger::{Amount, Ledger};
use crate::replay::pages::PagesView;
use crate::session::block::{Block, Envelope, EnvelopeKind};
use crate::session::event::{Body, Event, Output};
use crate::text::grouped;
use crate::tool::compact;
use crate::tool::rig_compose::decode_tool_result_page_token;
use crate::tool::rig_mcp::PageToken;
use crate::tui::tabs::line::{Ink, Line};
use crate::tui::tabs::mark::Mark;
use crate::tui::tabs::prose::Prose;
use crate::tui::tabs::sheet::Sheet;
use crate::tui::tabs::tree::{Doc, Tree, summary};

/// Cells of a field's name.
const NAME: usize = 17;

/// So many omitted segments are told one by one; all of them are in the JSON below.
const SEGMENTS: usize = 50;

/// The envelope that an output was sent as.
pub fn envelope_of(event: &Event) -> Option<(&Output, &Envelope)> {
    let Body::ToolOutput(output) = &event.body else {
        return None;
    };
    let sides = [&output.sent, &output.returned];
    let envelope = sides
        .into_iter()
        .flatten()
        .flatten()
        .find_map(|block| match block {
            Block::Envelope(envelope) => Some(envelope),
            _ => None,
        })?;
    Some((output, envelope))
}

/// What an envelope is shown with.
pub struct Shown<'a> {
    /// The output.
    pub output: &'a Output,
    /// Its envelope.
    pub envelope: &'a Envelope,
    /// The life of its handle.
    pub life: Option<&'a PagesView>,
    /// What the model had of the output.
    pub ledger: Option<&'a Ledger>,
    /// The threshold that the recording was made with.
    pub threshold: Option<u64>,
}

impl Shown<'_> {
    /// The sheet.
    pub fn sheet(&self) -> Sheet {
        let mut sheet = Sheet::new();
        let value = &self.envelope.value;
        let (title, published) = match self.envelope.kind {
            EnvelopeKind::Cached => ("cached envelope", "  rig-mcp"),
            EnvelopeKind::Bounded => ("bounded envelope", "  rig-compose"),
        };
        let mut heading = Line::of(Ink::Title, title).and(Ink::Dim, published).and(
            Ink::Text,
            format!("  {} B", grouped(compact::length(value) as u64)),
        );
        if self.envelope.read_from_text.is_some() {
            heading = heading.and(Ink::Finding, "  read from text");
        }
        sheet.heading(heading);
        let (fields, odd) = match self.envelope.kind {
            EnvelopeKind::Cached => {
                let known = Known {
                    items: self.returned_items(),
                    threshold: self.threshold,
                };
                (self.cached(), cached(value, known))
            }
            EnvelopeKind::Bounded => (fields_of_bound(value), bounded(value)),
        };
        sheet.lines(fields, Some(Mark::Sent));
        self.saw(&mut sheet);
        told_odd(&odd, &mut sheet);
        self.trees(&mut sheet);
        sheet
    }

    /// The array that the tool returned, where the recording holds it beside the envelope.
    fn returned_items(&self) -> Option<&[Value]> {
        match self.output.returned.as_deref()? {
            [Block::Json(json)] => json.value.as_array().map(Vec::as_slice),
            _ => None,
        }
    }

    fn cached(&self) -> Vec<Line> {
        let value = &self.envelope.value;
        let first_page = value.get("first_page").and_then(Value::as_array);
        let carried = first_page.map_or(0, Vec::len) as u64;
        let mut lines = Vec::new();
        let mut handle = field(value, "handle");
        if let Some(life) = self.life {
            handle = handle.and(
                Ink::Dim,
                match life.released {
                    Some(released) => {
                        format!("   live #{} to #{}", life.stored.index(), released.index())
                    }
                    None => format!("   live from #{}, never released", life.stored.index()),
                },
            );
        }
        lines.push(handle);
        lines.push(field(value, "total_items"));
        lines.push(field(value, "page_size"));
        let bytes = first_page.map_or(0, |items| {
            items
                .iter()
                .map(|item| compact::length(item) as u64 + 1)
                .sum::<u64>()
                + 1
                + u64::from(items.is_empty())
        });
        lines.push(
            Line::new()
                .cell(Ink::Name, "first_page", NAME)
                .and(Ink::Number, format!("{} items", grouped(carried)))
                .and(
                    Ink::Dim,
                    format!("   {}  {} B", span(&(0..carried)), grouped(bytes)),
                ),
        );
        lines.push(field(value, "truncated"));
        lines.push(field(value, "omitted_items"));
        let mut token = field(value, "page_token");
        if let Some(text) = value.get("page_token").and_then(Value::as_str)
            && let Ok(parsed) = PageToken::parse(text)
        {
            token = token.and(
                Ink::Dim,
                format!("   goes on at item {}", grouped(parsed.offset as u64)),
            );
        }
        lines.push(token);
        lines
    }

    /// What the model saw of the output, in words.
    fn saw(&self, sheet: &mut Sheet) {
        let Some(ledger) = self.ledger else { return };
        sheet.heading(Line::of(Ink::Title, "what the model saw"));
        let row = |word: &str, amount: &Amount, ink| {
            let line = Line::new().cell(ink, word, NAME);
            match amount {
                Amount::Known(measure) => {
                    let mut parts = Vec::new();
                    if let Some(items) = measure.items {
                        parts.push(format!("{} items", grouped(items)));
                    }
                    if let Some(bytes) = measure.bytes {
                        parts.push(format!("{} B", grouped(bytes)));
                    }
                    if let Some(tokens) = measure.tokens {
                        parts.push(format!("~{} tok", crate::text::short_count(tokens)));
                    }
                    line.and(Ink::Text, parts.join("  "))
                }
                Amount::Unknown(unknown) => line.and(Ink::Unrecorded, unknown.words()),
            }
        };
        let mut later = row("read later", &ledger.read_later, Ink::Later);
        if !ledger.read_by.is_empty() {
            let by: Vec<String> = ledger
                .read_by
                .iter()
                .take(6)
                .map(|event| format!("#{}", event.index()))
                .collect();
            later = later.and(Ink::Dim, format!("  by {}", by.join(" ")));
        }
        for (line, mark) in [
            (row("sent", &ledger.sent, Ink::Sent), Mark::Sent),
            (later, Mark::Later),
            (
                row("never sent", &ledger.never_sent, Ink::Never),
                Mark::Never,
            ),
        ] {
            sheet.lines(vec![line], Some(mark));
        }
    }

    fn trees(&self, sheet: &mut Sheet) {
        let value = &self.envelope.value;
        let key = match self.envelope.kind {
            EnvelopeKind::Cached => "first_page",
            EnvelopeKind::Bounded => "payload",
        };
        if let Some(part) = value.get(key) {
            let tree = Tree::new(Doc::of_value(part), Mark::Sent);
            let doc = tree.doc();
            let count = part
                .as_array()
                .map(Vec::len)
                .or(part.as_object().map(serde_json::Map::len));
            let headline = summary::headline(doc.view(doc.root()), count.unwrap_or(0));
            sheet.heading(Line::of(Ink::Title, key).and(Ink::Text, format!("  {headline}")));
            sheet.tree(tree, None);
        }
        sheet
            .heading(Line::of(Ink::Title, "json").and(Ink::Dim, "  as recorded, unknown keys too"));
        sheet.tree(Tree::new(Doc::of_value(value), Mark::Sent), Some(0));
        if let Some(text) = &self.envelope.read_from_text {
            sheet.heading(
                Line::of(Ink::Title, "text").and(Ink::Dim, "  that the wire had made of it"),
            );
            sheet.prose(Prose::new(text.clone(), Mark::Sent), None);
        }
    }
}

fn told_odd(odd: &[String], sheet: &mut Sheet) {
    if odd.is_empty() {
        sheet.heading(
            Line::of(Ink::Good, "nothing odd")
                .and(Ink::Dim, "  every field agrees with the others"),
        );
        return;
    }
    let word = if odd.len() == 1 { "thing" } else { "things" };
    sheet.heading(Line::of(Ink::Finding, format!("{} odd {word}", odd.len())));
    let text: Vec<String> = odd.iter().map(|odd| format!("! {odd}")).collect();
    sheet.prose(
        Prose::new(text.join("\n"), Mark::Sent).inked(Ink::Finding),
        None,
    );
}

fn field(value: &Value, name: &str) -> Line {
    let line = Line::new().cell(Ink::Name, name, NAME);
    match value.get(name) {
        None => line.and(Ink::Dim, "absent"),
        Some(Value::String(text)) => line.and(Ink::String, text.clone()),
        Some(Value::Number(number)) => {
            let text = number.as_u64().map_or_else(|| number.to_string(), grouped);
            line.and(Ink::Number, text)
        }
        Some(other @ (Value::Bool(_) | Value::Null)) => line.and(Ink::Literal, other.to_string()),
        Some(other) => line.and(Ink::Dim, compact::length(other).to_string() + " B"),
    }
}

fn fields_of_bound(value: &Value) -> Vec<Line> {
    let payload = value.get("payload").unwrap_or(&Value::Null);
    let kind = match payload {
        Value::Array(items) => format!("array of {}", grouped(items.len() as u64)),
        Value::Object(entries) => format!("object of {}", grouped(entries.len() as u64)),
        Value::String(_) => "string".to_owned(),
        _ => "scalar".to_owned(),
    };
    let mut lines = vec![
        Line::new()
            .cell(Ink::Name, "payload", NAME)
            .and(Ink::Text, kind)
            .and(
                Ink::Dim,
                format!("  {} B", grouped(compact::length(payload) as u64)),
            ),
    ];
    for name in [
        "truncated",
        "omitted_chars",
        "omitted_items",
        "omitted_values",
        "redacted_values",
    ] {
        lines.push(field(value, name));
    }
    let segments = value
        .get("omitted_segments")
        .and_then(Value::as_array)
        .map_or(&[][..], Vec::as_slice);
    lines.push(
        Line::new()
            .cell(Ink::Name, "omitted_segments", NAME)
            .and(Ink::Number, grouped(segments.len() as u64)),
    );
    for segment in segments.iter().take(SEGMENTS) {
        let text = |key| segment.get(key).and_then(Value::as_str).unwrap_or_default();
        let token = decode_tool_result_page_token(text("page_token"));
        let limit = token.map_or_else(String::new, |token| {
            format!("  limit {}", grouped(token.limit as u64))
        });
        lines.push(
            Line::of(Ink::Text, "  ")
                .and(Ink::String, shown(text("pointer")).to_owned())
                .and(Ink::Text, format!("  {}", text("reason")))
                .and(Ink::Dim, limit),
        );
    }
    if let Some(more) = segments.len().checked_sub(SEGMENTS + 1) {
        lines.push(Line::of(
            Ink::Dim,
            format!("  {} more", grouped(more as u64 + 1)),
        ));
    }
    lines.push(bound_token(value));
    lines
}

/// The token is a label: nothing resolves it into the missing data.
fn bound_token(value: &Value) -> Line {
    let line = Line::new().cell(Ink::Name, "page_token", NAME);
    let Some(text) = value.get("page_token").and_then(Value::as_str) else {
        return field(value, "page_token");
    };
    match decode_tool_result_page_token(text) {
        Some(token) => {
            let reason = serde_json::to_value(token.reason)
                .ok()
                .and_then(|reason| reason.as_str().map(str::to_owned))
                .unwrap_or_default();
            line.and(Ink::String, shown(&token.pointer).to_owned())
                .and(
                    Ink::Text,
                    format!("  {reason}  limit {}", grouped(token.limit as u64)),
                )
                .and(Ink::Dim, "  a label: nothing resolves it")
        }
        None => line.and(Ink::String, text.to_owned()),
    }
}

fn span(range: &Range<u64>) -> String {
    if range.is_empty() {
        "none".to_owned()
    } else {
        format!("{}..{}", range.start, range.end - 1)
    }
}
