//! What is kept of every output: sizes and links, never values.

use std::sync::Arc;

use serde_json::Value;

use super::cut::CutFacts;
use super::ledger::Sum;
use super::measure::ItemMeasures;
use super::side::BlockExtent;
use crate::media::{self, base64_prefix, data_url};
use crate::policy::Extent;
use crate::session::block::{Block, Media, MediaSource};
use crate::session::event::{EventId, Evidence};
use crate::tool::compact;
use crate::tool::rig_mcp::{CachedResultEnvelope, CachedResultHandle};

/// What is kept of one output.
#[derive(Debug, Clone)]
pub(super) struct Facts {
    pub event: EventId,
    pub call_id: Option<Arc<str>>,
    pub tool: Option<Arc<str>>,
    pub is_error: bool,
    pub evidence: Evidence,
    /// It answers a call of the result cache.
    pub cache_answer: bool,
    /// The provider ran the tool itself: no policy of a client is asked.
    pub server: bool,
    /// What the tool returned; none where the recording does not know.
    pub returned: Option<Sum>,
    /// What the model was sent; none where the recording does not know.
    pub sent: Option<Sum>,
    /// The top-level array that the result cache's rule sees, measured.
    pub array: Option<Arc<ItemMeasures>>,
    /// What the model got instead of what the tool returned.
    pub form: Form,
    /// The lifetime of the handle that its envelope gives, or that its call asks for.
    pub lifetime: Option<usize>,
    /// The blocks of the fuller side.
    pub extents: Box<[BlockExtent]>,
    /// The largest array inside a value that is none itself.
    pub inside: Option<Box<ArrayInside>>,
    /// What its blocks look like to a timeline.
    pub look: Look,
    /// The size of what a policy sees of it; none where that is several blocks or media.
    pub extent: Option<Extent>,
}

/// In what form an output reached the model.
#[derive(Debug, Clone)]
pub(super) enum Form {
    /// As the tool returned it.
    Whole,
    /// As an envelope of the result cache.
    Envelope(Box<EnvelopeFacts>),
    /// Cut or bounded.
    Cut(Arc<CutFacts>),
    /// Only one side is recorded.
    OneSide,
}

/// A recorded envelope.
#[derive(Debug, Clone)]
pub(super) struct EnvelopeFacts {
    pub handle: CachedResultHandle,
    pub total: u64,
    pub page_size: u64,
    pub first_page: u64,
    /// Its fields agree with each other, and it has no others.
    pub consistent: bool,
    /// Its first items are those of the array; none where the array is not recorded.
    pub is_prefix: Option<bool>,
}

/// What blocks an output has.
#[derive(Debug, Clone, Default)]
pub(super) struct Look {
    pub image: bool,
    pub document: bool,
    /// What is wrong with an image, in words.
    pub wrong_image: Option<Box<str>>,
}

/// An array inside a value, which the cache's rule does not reach.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArrayInside {
    /// Where it stands, as a JSON pointer.
    pub pointer: String,
    /// Items.
    pub items: u64,
    /// Compact length.
    pub bytes: u64,
}

impl ArrayInside {
    /// How deep it is looked for: servers wrap what they return once or twice.
    const DEPTH: usize = 3;

    /// The array with the most items inside a value; none where the value is an array itself.
    pub(super) fn find(value: &Value) -> Option<Self> {
        let mut largest: Option<(String, &Vec<Value>)> = None;
        let mut open = vec![(String::new(), value, 0)];
        while let Some((pointer, value, depth)) = open.pop() {
            match value {
                Value::Array(_) if depth == 0 => return None,
                Value::Array(items)
                    if items.len() > largest.as_ref().map_or(1, |(_, items)| items.len()) =>
                {
                    largest = Some((pointer, items));
                }
                Value::Object(fields) if depth < Self::DEPTH => {
                    for (key, value) in fields {
                        let key = key.replace('~', "~0").replace('/', "~1");
                        open.push((format!("{pointer}/{key}"), value, depth + 1));
                    }
                }
                _ => {}
            }
        }
        let (pointer, items) = largest?;
        Some(Self {
            pointer,
            items: items.len() as u64,
            bytes: compact::array_length_within(items, usize::MAX).unwrap_or(0) as u64,
        })
    }
}

impl Look {
    /// Looks at the blocks of an output.
    pub fn of(blocks: &[Block]) -> Self {
        let mut look = Self::default();
        for block in blocks {
            match block {
                Block::Image(media) => {
                    look.image = true;
                    if look.wrong_image.is_none() {
                        look.wrong_image = wrong_type(media).map(String::into_boxed_str);
                    }
                }
                Block::Document(_) => look.document = true,
                _ => {}
            }
        }
        look
    }
}

/// What is wrong with an image's declared type, in words.
fn wrong_type(image: &Media) -> Option<String> {
    /// Enough for every header that tells a type.
    const HEAD: usize = 4 << 10;
    let (declared, bytes) = match &image.source {
        MediaSource::Base64(text) => (image.declared.as_deref(), base64_prefix(text, HEAD).ok()?),
        MediaSource::Bytes(bytes) => (
            image.declared.as_deref(),
            bytes.get(..HEAD).unwrap_or(bytes).to_vec(),
        ),
        MediaSource::Url(url) => {
            let (media_type, data) = data_url(url)?;
            let declared = image.declared.as_deref().unwrap_or(media_type);
            (Some(declared), base64_prefix(data, HEAD).ok()?)
        }
        _ => return None,
    };
    let mismatch = media::compare(declared, media::sniff(&bytes)?.format)?;
    Some(format!("image {mismatch}"))
}

impl EnvelopeFacts {
    /// Reads a recorded envelope; none where it has not the six required keys.
    pub fn of(value: &Value, array: Option<&[Value]>) -> Option<(Self, Vec<Value>)> {
        let envelope: CachedResultEnvelope = serde_json::from_value(value.clone()).ok()?;
        let faithful = CachedResultEnvelope::new(
            envelope.handle.clone(),
            envelope.total_items,
            envelope.page_size,
            envelope.first_page.clone(),
        );
        let fields = value.as_object().map_or(0, serde_json::Map::len);
        let expected_fields = if envelope.page_token.is_some() { 7 } else { 6 };
        let first_page = envelope.first_page.len();
        let consistent = faithful == envelope
            && fields == expected_fields
            && first_page == envelope.page_size.min(envelope.total_items);
        let is_prefix = array.map(|array| {
            array.len() == envelope.total_items
                && array.get(..first_page) == Some(&*envelope.first_page)
        });
        let facts = Self {
            total: envelope.total_items as u64,
            page_size: envelope.page_size as u64,
            first_page: first_page as u64,
            handle: envelope.handle,
            consistent,
            is_prefix,
        };
        Some((facts, envelope.first_page))
    }
}

/// How large a value and its parts are, found without recursion.
pub(super) fn extent_of(value: &Value, bytes: u64) -> Extent {
    let mut extent = Extent {
        bytes,
        ..Extent::default()
    };
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        match value {
            // Bytes are at least as many as chars: only long texts are counted through.
            Value::String(text) if text.len() as u64 > extent.longest_string => {
                let chars = text.chars().count() as u64;
                extent.longest_string = extent.longest_string.max(chars);
            }
            Value::Array(items) => {
                extent.longest_array = extent.longest_array.max(items.len() as u64);
                open.extend(items);
            }
            Value::Object(fields) => open.extend(fields.values()),
            _ => {}
        }
    }
    extent
}
