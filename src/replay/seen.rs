//! Which parts of an output the model had: the gutter is drawn from this.

use std::ops::Range;

use super::Replay;
use super::facts::{Facts, Form};
use super::side::BlockExtent;
use crate::session::event::EventId;

/// What the model had of one output.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Seen {
    /// One entry per block of [`crate::session::event::Output::fullest`], in order.
    pub blocks: Vec<SeenBlock>,
}

/// What the model had of one block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeenBlock {
    /// What the ranges count.
    pub unit: SeenUnit,
    /// The whole extent, in order and without gaps.
    pub spans: Vec<Span>,
}

/// What the ranges of a block count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SeenUnit {
    /// Items of a top-level array, also where only an envelope of it is recorded.
    Items,
    /// Bytes of a text.
    Bytes,
    /// The block as one: a single span `0..1`.
    Whole,
}

/// A run of items or bytes that shares its fate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    /// Which.
    pub range: Range<u64>,
    /// How the model got it, or why not.
    pub reach: Reach,
    /// Whether the recording holds the values.
    pub recorded: bool,
}

/// How the model got something, or why not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reach {
    /// Sent at once.
    Sent,
    /// Read later, by this event.
    ReadLater(EventId),
    /// Never sent.
    Never(Never),
    /// The recording does not know.
    Unknown,
}

/// Why something was never sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Never {
    /// It could have been asked for, and was not.
    NotAsked,
    /// This event asked for it after the handle was released.
    AskedAfterRelease(EventId),
    /// This event asked for it and was refused, for another reason than a release.
    Refused(EventId),
    /// A client's cut left it out.
    Cut,
    /// rig-compose's bound left it out.
    Bounded,
}

impl Replay {
    /// What the model had of an output, part by part, over the whole recording.
    pub fn seen(&self, id: EventId) -> Option<Seen> {
        let facts = self.facts_of(id)?;
        let lifetime = facts.lifetime.and_then(|at| self.lifetimes.get(at));
        let blocks = match &facts.form {
            Form::Envelope(envelope) => facts
                .extents
                .iter()
                .map(|extent| match lifetime {
                    Some(lifetime)
                        if extent.unit == SeenUnit::Items && extent.len == envelope.total =>
                    {
                        SeenBlock {
                            unit: SeenUnit::Items,
                            spans: if facts.sent.is_some() {
                                lifetime.spans(None)
                            } else {
                                unknown(&lifetime.spans(None))
                            },
                        }
                    }
                    _ => whole(*extent, facts),
                })
                .collect(),
            Form::Cut(cut) if !cut.blocks.is_empty() => cut
                .blocks
                .iter()
                .map(|block| SeenBlock {
                    unit: block.extent.unit,
                    spans: block.spans(cut.is_bounded()),
                })
                .collect(),
            _ => facts
                .extents
                .iter()
                .map(|extent| whole(*extent, facts))
                .collect(),
        };
        Some(Seen { blocks })
    }
}

/// A block that was sent as it is, or of which nothing is known.
fn whole(extent: BlockExtent, facts: &Facts) -> SeenBlock {
    let reach = if facts.sent.is_some() {
        Reach::Sent
    } else {
        Reach::Unknown
    };
    SeenBlock {
        unit: extent.unit,
        spans: vec![Span {
            range: 0..extent.len,
            reach,
            recorded: true,
        }],
    }
}

/// The same parts, where only the server's side is recorded.
fn unknown(spans: &[Span]) -> Vec<Span> {
    spans
        .iter()
        .map(|span| Span {
            reach: Reach::Unknown,
            ..span.clone()
        })
        .collect()
}
