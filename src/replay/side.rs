//! One side of an output measured: what the tool returned, or what the model was sent.

use std::borrow::Cow;

use serde_json::Value;

use super::ledger::Sum;
use super::seen::SeenUnit;
use crate::media::{base64_length, data_url};
use crate::session::block::{Block, Envelope, EnvelopeKind, Media, MediaSource};
use crate::session::event::Output;
use crate::tokens::{Tokens, estimate, estimate_item, estimate_value};
use crate::tool::compact;

/// The extent of one block, in the unit that its ranges count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct BlockExtent {
    pub unit: SeenUnit,
    pub len: u64,
}

/// Adds up the blocks of a side.
pub(super) fn sum(blocks: &[Block]) -> Sum {
    let all_text = !blocks.is_empty() && blocks.iter().all(|block| matches!(block, Block::Text(_)));
    let start = Sum {
        bytes: Some(0),
        tokens: Some(Tokens::ZERO),
        chars: all_text.then_some(0),
        ..Sum::default()
    };
    let mut total = blocks.iter().fold(start, |total, block| {
        let of_block = of_block(block);
        Sum {
            chars: total.chars.zip(of_block.chars).map(|(a, b)| a + b),
            ..total.plus(of_block)
        }
    });
    if let [block] = blocks {
        total.items = items(block);
    }
    total
}

/// Items of a block that is an array.
fn items(block: &Block) -> Option<u64> {
    match block {
        Block::Json(json) => Some(json.value.as_array()?.len() as u64),
        _ => None,
    }
}

fn of_block(block: &Block) -> Sum {
    match block {
        Block::Text(text) => of_text(text),
        Block::Json(json) => of_json(&json.value),
        Block::Envelope(Envelope {
            read_from_text: Some(text),
            ..
        }) => Sum {
            chars: None,
            ..of_text(text)
        },
        Block::Envelope(envelope) => of_json(&envelope.value),
        Block::Image(media)
        | Block::Document(media)
        | Block::Audio(media)
        | Block::Video(media)
        | Block::Resource { media, .. } => of_media(media),
        Block::ResourceLink { value, .. } | Block::Unknown(value) => of_json(value),
    }
}

/// The size of a text.
pub(super) fn of_text(text: &str) -> Sum {
    Sum {
        bytes: Some(text.len() as u64),
        chars: Some(text.chars().count() as u64),
        tokens: Some(estimate(text)),
        ..Sum::default()
    }
}

/// The size of a value's compact JSON. The tokens of an array are those of its items, those of a
/// string those of its text.
pub(super) fn of_json(value: &Value) -> Sum {
    let tokens = match value {
        Value::Array(items) => items.iter().map(item_tokens).sum(),
        Value::String(text) => estimate(text),
        value => estimate_value(value),
    };
    Sum {
        bytes: Some(compact::length(value) as u64),
        tokens: Some(tokens),
        ..Sum::default()
    }
}

fn item_tokens(item: &Value) -> Tokens {
    estimate_item(item.to_string().as_bytes())
}

/// The decoded size of media; its base64 is never counted as text.
fn of_media(media: &Media) -> Sum {
    let bytes = match &media.source {
        MediaSource::Base64(text) => base64_length(text),
        MediaSource::Bytes(bytes) => bytes.len() as u64,
        MediaSource::Text(text) => return of_text(text),
        MediaSource::Url(url) => data_url(url).map_or(0, |(_, data)| base64_length(data)),
        MediaSource::FileId(_) | MediaSource::String(_) | MediaSource::Absent => 0,
    };
    Sum {
        bytes: Some(bytes),
        tokens: Some(Tokens::ZERO),
        ..Sum::default()
    }
}

/// The extents of a side's blocks.
pub(super) fn extents(blocks: &[Block]) -> Box<[BlockExtent]> {
    blocks.iter().map(extent).collect()
}

fn extent(block: &Block) -> BlockExtent {
    match block {
        Block::Text(text) => BlockExtent {
            unit: SeenUnit::Bytes,
            len: text.len() as u64,
        },
        Block::Json(json) => match json.value.as_array() {
            Some(items) => BlockExtent {
                unit: SeenUnit::Items,
                len: items.len() as u64,
            },
            None => WHOLE,
        },
        Block::Envelope(envelope) if envelope.kind == EnvelopeKind::Cached => BlockExtent {
            unit: SeenUnit::Items,
            len: envelope
                .value
                .get("total_items")
                .and_then(Value::as_u64)
                .unwrap_or(0),
        },
        _ => WHOLE,
    }
}

const WHOLE: BlockExtent = BlockExtent {
    unit: SeenUnit::Whole,
    len: 1,
};

/// Whether a side says the same as another: the same blocks, or the one JSON value of the other as
/// the text that a stringifying wire makes of it.
pub(super) fn same(returned: &[Block], sent: &[Block]) -> bool {
    match (returned, sent) {
        ([Block::Json(a)], [Block::Json(b)]) => {
            a.structured_content == b.structured_content && same_value(&a.value, &b.value)
        }
        (a, b) if a == b => true,
        ([Block::Json(json)], [Block::Text(text)]) | ([Block::Text(text)], [Block::Json(json)]) => {
            serde_json::from_str::<Value>(text).is_ok_and(|value| value == json.value)
        }
        _ => false,
    }
}

/// Equality that tries the order of the keys first: comparing maps by looking keys up is slow, and
/// what was sent mostly is what was returned.
fn same_value(a: &Value, b: &Value) -> bool {
    let mut open = vec![(a, b)];
    while let Some((a, b)) = open.pop() {
        match (a, b) {
            (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
                open.extend(a.iter().zip(b));
            }
            (Value::Object(a), Value::Object(b)) if a.keys().eq(b.keys()) => {
                open.extend(a.values().zip(b.values()));
            }
            (a, b) if a != b => return false,
            _ => {}
        }
    }
    true
}

/// The one JSON value that a side stands for, also where a wire made text of it.
pub(super) fn value_of(blocks: &[Block]) -> Option<Value> {
    match blocks {
        [Block::Json(json)] => Some(json.value.clone()),
        [Block::Envelope(envelope)] => Some(envelope.value.clone()),
        [Block::Text(text)] => serde_json::from_str(text).ok(),
        _ => None,
    }
}

/// The value that the model got of a cache call's answer, as far as it can be read.
pub(super) fn answer_of(output: &Output) -> Option<Value> {
    output
        .sent
        .as_deref()
        .and_then(value_of)
        .or_else(|| output.cacheable.value().cloned())
        .or_else(|| output.returned.as_deref().and_then(value_of))
}

/// The envelope of the result cache that stands in for an output: in what was sent, else in the one
/// side that is recorded.
pub(super) fn envelope_of(output: &Output) -> Option<&Value> {
    [&output.sent, &output.returned]
        .into_iter()
        .flatten()
        .flatten()
        .find_map(|block| match block {
            Block::Envelope(envelope) if envelope.kind == EnvelopeKind::Cached => {
                Some(&envelope.value)
            }
            _ => None,
        })
}

/// What a policy sees of an output.
pub(super) enum Seen<'a> {
    /// Text.
    Text(Cow<'a, str>),
    /// The value that the cache's rule sees, or the one JSON block.
    Json(&'a Value),
}

/// What a policy sees of an output; none where that is media, or nothing is recorded of what the
/// tool returned but an envelope.
pub(super) fn seen_by_policy(output: &Output) -> Option<Seen<'_>> {
    let blocks = output.fullest();
    if let Some(value) = output.cacheable.value() {
        let enveloped = matches!(blocks, [Block::Envelope(_)]);
        return (!enveloped).then_some(Seen::Json(value));
    }
    match blocks {
        [Block::Text(text)] => Some(Seen::Text(Cow::Borrowed(text))),
        [Block::Json(json)] => Some(Seen::Json(&json.value)),
        [Block::Text(_), ..] if blocks.iter().all(|block| matches!(block, Block::Text(_))) => {
            Some(Seen::Text(Cow::Owned(text_of(blocks))))
        }
        _ => None,
    }
}

/// All text of a side in one.
pub(super) fn text_of(blocks: &[Block]) -> String {
    let texts: Vec<&str> = blocks
        .iter()
        .filter_map(|block| match block {
            Block::Text(text) => Some(text.as_str()),
            Block::Json(json) => json.value.as_str(),
            _ => None,
        })
        .collect();
    texts.join("\n")
}
