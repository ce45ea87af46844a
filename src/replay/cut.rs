//! An output whose two sides differ: what was kept of each block, and who cut the rest.

use std::ops::Range;

use serde_json::Value;

use super::coverage::Coverage;
use super::json_text;
use super::kept::{MAX_COMPARED, kept, one};
use super::ledger::{Cut, Sum};
use super::marker;
use super::measure::ItemMeasures;
use super::seen::{Never, Reach, SeenUnit, Span};
use super::side::{BlockExtent, of_text, text_of};
use crate::policy::Unit;
use crate::session::block::{Block, Envelope, EnvelopeKind};
use crate::session::event::EventId;
use crate::tokens::Tokens;
use crate::tool::rig_compose::{
    ToolResultEnvelope, ToolResultOmissionReason, decode_tool_result_page_token,
};

/// What became of an output whose sent side is not its returned side.
#[derive(Debug, Clone)]
pub(super) struct CutFacts {
    /// Who cut it; none for a bounded envelope.
    pub cut: Option<Cut>,
    /// What was kept of each block of the returned side; empty where only the sent side is recorded.
    pub blocks: Vec<BlockKept>,
    /// What of the returned side was sent at once, client's words apart.
    pub kept: Sum,
    /// What of it was not sent at once.
    pub missing: Sum,
    /// What of that was read later.
    pub later: Sum,
    /// The events that read it.
    pub read_by: Vec<EventId>,
}

/// What was kept of one block.
#[derive(Debug, Clone)]
pub(super) struct BlockKept {
    pub extent: BlockExtent,
    /// Kept parts and their source; everything else is missing.
    pub coverage: Option<Coverage<KeptBy>>,
}

/// How a part of a block reached the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum KeptBy {
    Sent,
    Later(EventId),
}

impl CutFacts {
    /// What is still missing at the end of the recording.
    pub fn never(&self) -> Sum {
        let less = |all: Option<u64>, later: Option<u64>| {
            all.map(|all| all.saturating_sub(later.unwrap_or(0)))
        };
        Sum {
            items: less(self.missing.items, self.later.items),
            bytes: less(self.missing.bytes, self.later.bytes),
            chars: less(self.missing.chars, self.later.chars),
            lines: self.missing.lines,
            tokens: self
                .missing
                .tokens
                .map(|all| all - self.later.tokens.unwrap_or_default()),
        }
    }

    /// Nothing is missing but what a client put around it.
    pub fn is_nothing(&self) -> bool {
        let kept_whole = |block: &BlockKept| {
            block
                .coverage
                .as_ref()
                .is_some_and(|coverage| coverage.free_len() == 0)
        };
        !self.is_bounded() && !self.blocks.is_empty() && self.blocks.iter().all(kept_whole)
    }

    /// Something else was sent, and nothing tells what it has to do with what was returned.
    pub fn is_incomparable(&self) -> bool {
        let unmarked = self.cut.as_ref().is_some_and(|cut| cut.client.is_none());
        unmarked && self.kept == Sum::default() && self.missing == Sum::default()
    }

    /// No item, where an array is known of which none was kept.
    pub fn no_items(&self) -> Option<u64> {
        let none = !self.blocks.is_empty() && self.kept.bytes == Some(0);
        self.missing.items.filter(|_| none).map(|_| 0)
    }

    /// A bounded envelope stands in for the output.
    pub const fn is_bounded(&self) -> bool {
        self.cut.is_none()
    }
}

impl BlockKept {
    /// The block's spans for the gutter.
    pub fn spans(&self, bounded: bool) -> Vec<Span> {
        let span = |range: Range<u64>, reach| Span {
            range,
            reach,
            recorded: true,
        };
        let Some(coverage) = &self.coverage else {
            return vec![span(0..self.extent.len, Reach::Unknown)];
        };
        let never = if bounded { Never::Bounded } else { Never::Cut };
        let kept = coverage.taken().iter().map(|(range, by)| {
            let reach = match by {
                KeptBy::Sent => Reach::Sent,
                KeptBy::Later(event) => Reach::ReadLater(*event),
            };
            span(range.clone(), reach)
        });
        let missing = coverage
            .free()
            .map(|range| span(range, Reach::Never(never)));
        let mut spans: Vec<Span> = kept.chain(missing).collect();
        spans.sort_by_key(|span| span.range.start);
        spans
    }
}

/// Compares the two sides of an output that differ.
///
/// `array` are the measured items of the returned side, where it is one array.
pub(super) fn compare(
    returned: &[Block],
    extents: &[BlockExtent],
    sent: &[Block],
    array: Option<&ItemMeasures>,
) -> CutFacts {
    if let [Block::Envelope(envelope)] = sent
        && envelope.kind == EnvelopeKind::Bounded
    {
        return bounded(returned, extents, envelope, array);
    }
    let sent_text = text_of(sent);
    let marked = marker::find(&sent_text);
    let pieces = marked
        .as_ref()
        .map_or_else(|| one(0..sent_text.len()), |marked| marked.pieces.clone());
    let cut = marked.map_or_else(Cut::default, |marked| marked.cut);
    let mut facts = start(Some(cut));
    // Nothing at all was sent, where another value would be something.
    let silent = says_nothing(sent);
    let mut compared = false;
    for (position, (block, extent)) in returned.iter().zip(extents).enumerate() {
        let coverage = if sent.get(position) == Some(block) {
            Some(full(extent.len))
        } else {
            cover(block, extent, sent, &sent_text, &pieces)
        };
        compared |= coverage.is_some() || silent;
        if coverage.is_none()
            && let Some(value) = lone_json(returned)
            && let Some(written) = json_text::kept_of(value, &sent_text, &pieces)
        {
            compared = true;
            (facts.kept, facts.missing) = written.sums();
        }
        add(&mut facts, block, *extent, coverage, array);
    }
    if silent || compared && sent_text.trim().is_empty() {
        return facts;
    }
    let unmarked = facts.cut.as_ref().is_some_and(|cut| cut.client.is_none());
    let nothing_kept = facts.kept.bytes == Some(0) && !begins_within(returned, &sent_text);
    if unmarked && (nothing_kept || !compared) {
        // Something else was sent. Whether that says the same in other words, nobody knows.
        facts.kept = Sum::default();
        facts.missing = Sum::default();
        for block in &mut facts.blocks {
            block.coverage = None;
        }
    } else if !compared {
        // Only the marker tells.
        let claim = facts.cut.as_ref().and_then(|cut| cut.claimed);
        facts.missing = claim.map_or_else(Sum::default, |(count, unit)| claimed(count, unit));
        facts.kept = kept_of_pieces(&sent_text, &pieces);
    }
    facts
}

/// Whether a side is text, and that is blank.
fn says_nothing(sent: &[Block]) -> bool {
    sent.iter()
        .all(|block| matches!(block, Block::Text(text) if text.trim().is_empty()))
}

/// The one value of a side.
fn lone_json(blocks: &[Block]) -> Option<&Value> {
    match blocks {
        [Block::Json(json)] => Some(&json.value),
        _ => None,
    }
}

/// Whether an array was cut within its first item.
fn begins_within(returned: &[Block], sent_text: &str) -> bool {
    lone_json(returned).is_some_and(|value| json_text::begins(value, sent_text))
}

/// The parts of a sent text that are the tool's.
fn kept_of_pieces(text: &str, pieces: &[Range<usize>]) -> Sum {
    pieces
        .iter()
        .filter_map(|piece| text.get(piece.clone()))
        .map(of_text)
        .fold(nothing_of_text(), Sum::plus)
}

/// What only a marker tells, where the recording holds nothing but what was sent.
pub(super) fn marked(sent: &[Block]) -> Option<CutFacts> {
    match sent {
        [Block::Text(text)] => {
            let marked = marker::find(text).filter(|marked| marked.framed)?;
            let mut facts = start(None);
            facts.missing = match marked.cut.claimed {
                Some((count, unit)) => claimed(count, unit),
                None => Sum::default(),
            };
            facts.kept = kept_of_pieces(text, &marked.pieces);
            facts.cut = Some(marked.cut);
            Some(facts)
        }
        [Block::Envelope(envelope)] if envelope.kind == EnvelopeKind::Bounded => {
            Some(bounded(&[], &[], envelope, None))
        }
        _ => None,
    }
}

/// What a later event read of a cut text, found by comparing the texts. True where it was new.
pub(super) fn read_later(
    facts: &mut CutFacts,
    returned: &[Block],
    read: &str,
    by: EventId,
) -> bool {
    let mut any = false;
    for (block, entry) in returned.iter().zip(&mut facts.blocks) {
        let (Block::Text(text), Some(coverage)) = (block, &mut entry.coverage) else {
            continue;
        };
        let pieces = one(0..read.len());
        for range in kept(text, read, &pieces) {
            let before: Vec<_> = coverage.free().collect();
            let wanted = range.start as u64..range.end as u64;
            if coverage.take(wanted.clone(), KeptBy::Later(by)) == 0 {
                continue;
            }
            any = true;
            for free in before {
                let new = free.start.max(wanted.start)..free.end.min(wanted.end);
                let new = new.start as usize..new.end as usize;
                if let Some(new) = text.get(new).filter(|new| !new.is_empty()) {
                    facts.later = facts.later.plus(of_text(new));
                }
            }
        }
    }
    if any {
        facts.read_by.push(by);
    }
    any
}

pub(super) const fn nothing_of_text() -> Sum {
    Sum {
        items: None,
        bytes: Some(0),
        chars: Some(0),
        lines: None,
        tokens: Some(Tokens::ZERO),
    }
}

fn start(cut: Option<Cut>) -> CutFacts {
    CutFacts {
        cut,
        blocks: Vec::new(),
        kept: nothing_of_text(),
        missing: nothing_of_text(),
        later: nothing_of_text(),
        read_by: Vec::new(),
    }
}

fn claimed(count: u64, unit: Unit) -> Sum {
    let count_of = |wanted: Unit| (unit == wanted).then_some(count);
    Sum {
        items: count_of(Unit::Items),
        bytes: count_of(Unit::Bytes),
        chars: count_of(Unit::Chars).or(count_of(Unit::Utf16)),
        lines: count_of(Unit::Lines),
        tokens: count_of(Unit::Tokens).map(Tokens::from_count),
    }
}

fn full(len: u64) -> Coverage<KeptBy> {
    let mut coverage = Coverage::new(len);
    coverage.take(0..len, KeptBy::Sent);
    coverage
}

/// What was kept of one block; none where that cannot be said.
fn cover(
    block: &Block,
    extent: &BlockExtent,
    sent: &[Block],
    sent_text: &str,
    pieces: &[Range<usize>],
) -> Option<Coverage<KeptBy>> {
    let mut coverage = Coverage::new(extent.len);
    match block {
        Block::Text(text) if text.len() <= MAX_COMPARED => {
            for range in kept(text, sent_text, pieces) {
                coverage.take(range.start as u64..range.end as u64, KeptBy::Sent);
            }
        }
        Block::Json(_) if says_nothing(sent) => {}
        Block::Json(json) => match (&json.value, sent) {
            (Value::Array(items), [Block::Json(sent)]) => {
                kept_items(items, sent.value.as_array()?, &mut coverage);
            }
            (Value::Array(items), _) => {
                let written = json_text::kept_of(&json.value, sent_text, pieces)?;
                json_text::keep_items(items, &written, &mut coverage);
            }
            (value, _) => {
                let written = json_text::kept_of(value, sent_text, pieces)?;
                // Part of a value that is no list is told by its text alone.
                if !written.is_whole() {
                    return None;
                }
                coverage.take(0..1, KeptBy::Sent);
            }
        },
        Block::Text(_) => return None,
        // Media and links that do not stand at their place were replaced or left out.
        _ if sent.contains(block) => return Some(full(extent.len)),
        _ => {}
    }
    Some(coverage)
}

/// Items that stand in the sent array, in order.
fn kept_items(items: &[Value], sent: &[Value], coverage: &mut Coverage<KeptBy>) {
    let mut sent = sent.iter().peekable();
    for (position, item) in items.iter().enumerate() {
        if sent.next_if_eq(&item).is_some() {
            let at = position as u64;
            coverage.take(at..at + 1, KeptBy::Sent);
        }
    }
}

/// Adds one block's kept and missing parts to the sums.
fn add(
    facts: &mut CutFacts,
    block: &Block,
    extent: BlockExtent,
    coverage: Option<Coverage<KeptBy>>,
    array: Option<&ItemMeasures>,
) {
    if let Some(coverage) = &coverage {
        let parts = coverage
            .taken()
            .iter()
            .map(|(range, _)| (range.clone(), true))
            .chain(coverage.free().map(|range| (range, false)));
        for (range, is_kept) in parts {
            let sum = part(block, extent, &range, array);
            let side = if is_kept {
                &mut facts.kept
            } else {
                &mut facts.missing
            };
            let items = match (side.items, sum.items) {
                (Some(a), Some(b)) => Some(a + b),
                (a, b) => a.or(b),
            };
            *side = Sum {
                items,
                ..side.plus(sum)
            };
        }
    }
    facts.blocks.push(BlockKept { extent, coverage });
}

fn part(
    block: &Block,
    extent: BlockExtent,
    range: &Range<u64>,
    array: Option<&ItemMeasures>,
) -> Sum {
    match (block, extent.unit) {
        (Block::Text(text), _) => {
            let range = range.start as usize..range.end as usize;
            text.get(range).map(of_text).unwrap_or_default()
        }
        (_, SeenUnit::Items) => Sum {
            items: Some(range.end - range.start),
            bytes: array.map(|array| array.item_bytes(range.clone())),
            tokens: array.map(|array| array.tokens(range.clone())),
            ..Sum::default()
        },
        (block, _) => super::side::sum(std::slice::from_ref(block)),
    }
}

/// What rig-compose's bound left of an output.
fn bounded(
    returned: &[Block],
    extents: &[BlockExtent],
    envelope: &Envelope,
    array: Option<&ItemMeasures>,
) -> CutFacts {
    let mut facts = start(None);
    let Ok(bound) = serde_json::from_value::<ToolResultEnvelope>(envelope.value.clone()) else {
        return facts;
    };
    if let ([block], [extent]) = (returned, extents) {
        let coverage = match block {
            Block::Text(text) => {
                let payload = bound.payload.as_str().unwrap_or_default();
                let pieces = one(0..payload.len());
                cover(block, extent, &[], payload, &pieces).filter(|_| text.len() <= MAX_COMPARED)
            }
            Block::Json(json) if json.value.is_array() => Some(bounded_items(&bound, extent.len)),
            _ if !bound.truncated => Some(full(extent.len)),
            _ => None,
        };
        add(&mut facts, block, *extent, coverage, array);
    }
    let nothing_found = facts.blocks.iter().all(|block| block.coverage.is_none());
    if nothing_found {
        facts.kept = Sum::default();
        facts.missing = Sum {
            items: (bound.omitted_items > 0).then_some(bound.omitted_items as u64),
            chars: (bound.omitted_chars > 0).then_some(bound.omitted_chars as u64),
            ..Sum::default()
        };
    }
    facts
}

/// The items of a root array that survived: the first up to the item limit, less those that the
/// total bytes left out, by their place in that cut array.
fn bounded_items(bound: &ToolResultEnvelope, len: u64) -> Coverage<KeptBy> {
    let root = |pointer: &str| {
        pointer
            .strip_prefix('/')
            .and_then(|key| key.parse::<u64>().ok())
    };
    let mut end = len;
    let mut dropped = Vec::new();
    for segment in &bound.omitted_segments {
        match segment.reason {
            ToolResultOmissionReason::ArrayItems if segment.pointer.is_empty() => {
                if let Some(token) = decode_tool_result_page_token(&segment.page_token) {
                    end = end.min(token.limit as u64);
                }
            }
            ToolResultOmissionReason::TotalBytes => dropped.extend(root(&segment.pointer)),
            _ => {}
        }
    }
    dropped.sort_unstable();
    let mut coverage = Coverage::new(len);
    let mut start = 0;
    for at in dropped {
        if at > start {
            coverage.take(start..at.min(end), KeptBy::Sent);
        }
        start = at + 1;
    }
    if start < end {
        coverage.take(start..end, KeptBy::Sent);
    }
    coverage
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::session::block::Json;
    use crate::tool::rig_compose::ToolResultEnvelopeConfig;

    fn text(text: &str) -> Vec<Block> {
        vec![Block::Text(text.to_owned())]
    }

    fn value(value: Value) -> Vec<Block> {
        vec![Block::Json(Json {
            value,
            structured_content: false,
        })]
    }

    fn compared(returned: &[Block], sent: &[Block]) -> CutFacts {
        let array = match returned {
            [Block::Json(json)] => json.value.as_array().map(|items| ItemMeasures::of(items)),
            _ => None,
        };
        let extents = super::super::side::extents(returned);
        compare(returned, &extents, sent, array.as_ref())
    }

    fn kept_of(facts: &CutFacts) -> Vec<Range<u64>> {
        let coverage = facts.blocks[0].coverage.as_ref().unwrap();
        let taken = coverage.taken().iter();
        taken.map(|(range, _)| range.clone()).collect()
    }

    #[test]
    fn a_beginning_without_a_marker_is_a_cut_by_nobody_known() {
        let facts = compared(&text("0123456789"), &text("0123"));
        assert_eq!(facts.cut, Some(Cut::default()));
        assert_eq!((facts.kept.chars, facts.missing.chars), (Some(4), Some(6)));
    }

    #[test]
    fn something_else_is_no_cut() {
        let facts = compared(&text("file1\nfile2\n"), &text("ok"));
        assert!(facts.is_incomparable());
        assert_eq!(facts.never(), Sum::default());
        // Nothing at all is one.
        let facts = compared(&text("file1\nfile2\n"), &text(""));
        assert!(!facts.is_incomparable());
        assert_eq!(facts.missing.chars, Some(12));
    }

    #[test]
    fn another_text_than_a_value_is_no_cut_and_its_beginning_is_one() {
        let returned = value(json!({"code": 0, "stdout": "hello world"}));
        let facts = compared(&returned, &text("The command printed a greeting."));
        assert!(facts.is_incomparable());
        let facts = compared(&returned, &value(json!({"stdout": "hello"})));
        assert!(facts.is_incomparable());
        let facts = compared(&value(json!([1, 2, 3])), &text("three numbers"));
        assert!(facts.is_incomparable());
        let facts = compared(&returned, &text("{\n  \"code\": 0,\n"));
        assert_eq!(
            (facts.kept.bytes, facts.missing.bytes),
            (Some(15), Some(27))
        );
        let whole = serde_json::to_string_pretty(&json!({"code": 0, "stdout": "hello world"}));
        assert!(compared(&returned, &text(&whole.unwrap())).is_nothing());
        let items = value(json!([{"a": 1}, {"a": 2}]));
        let facts = compared(&items, &text("[\n  {\n    \"a\": 1\n  },\n  {"));
        assert_eq!(kept_of(&facts).first(), Some(&(0..1)));
        let facts = compared(&items, &text("[{\"a"));
        assert_eq!((facts.kept.bytes, facts.missing.items), (Some(0), Some(2)));
        assert!(!facts.is_incomparable());
    }

    #[test]
    fn items_that_were_left_out_are_found_in_values_and_in_text() {
        let returned = value(json!([{"a": 1}, {"a": 2}, {"a": 3}, {"a": 4}]));
        let facts = compared(&returned, &value(json!([{"a": 1}, {"a": 3}])));
        assert_eq!(kept_of(&facts), [0..1, 2..3]);
        assert_eq!((facts.kept.items, facts.missing.items), (Some(2), Some(2)));
        let facts = compared(&returned, &text(r#"[{"a":1},{"a":2},{"a":"#));
        assert_eq!(kept_of(&facts), [0..1, 1..2]);
    }

    #[test]
    fn a_bounded_array_lost_what_its_segments_say() {
        let items: Vec<Value> = (0..10)
            .map(|n| json!({ "n": n, "s": "x".repeat(n * 10) }))
            .collect();
        let config = ToolResultEnvelopeConfig::new(1_000)
            .with_max_array_items(8)
            .with_max_total_bytes(150);
        let bound = ToolResultEnvelope::bound(Value::from(items.clone()), &config);
        let sent = vec![Block::Envelope(Envelope {
            kind: EnvelopeKind::Bounded,
            value: serde_json::to_value(&bound).unwrap(),
            read_from_text: None,
        })];
        let facts = compared(&value(Value::from(items.clone())), &sent);
        assert!(facts.is_bounded());
        let left: Vec<Value> = kept_of(&facts)
            .into_iter()
            .flat_map(|range| items[range.start as usize..range.end as usize].to_vec())
            .collect();
        assert_eq!(Value::from(left), bound.payload);
        assert_eq!(facts.missing.items, Some(bound.omitted_items as u64));
    }

    #[test]
    fn a_bounded_text_keeps_its_beginning() {
        let config = ToolResultEnvelopeConfig::new(4);
        let bound = ToolResultEnvelope::bound(json!("日本語テキスト"), &config);
        let sent = vec![Block::Envelope(Envelope {
            kind: EnvelopeKind::Bounded,
            value: serde_json::to_value(&bound).unwrap(),
            read_from_text: None,
        })];
        let facts = compared(&text("日本語テキスト"), &sent);
        assert_eq!((facts.kept.chars, facts.missing.chars), (Some(4), Some(3)));
    }
}
