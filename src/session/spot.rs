//! What a byte of the file belongs to: the event, and the block of it.

use std::ops::Range;

use super::draft::owner;
use super::event::{EventId, Side};
use super::part::{Content, Lazy, Part};
use super::piece::Piece;
use super::reader::{ReadError, Reader};

/// What a byte of the file belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spot {
    /// The event.
    pub event: EventId,
    /// The block that holds it; none where it stands elsewhere in the record.
    pub block: Option<BlockSpot>,
}

/// A block as it stands in its record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlockSpot {
    /// On which side of an output; what is said in a message is sent.
    pub side: Side,
    /// Which of the blocks of that side, from 0.
    pub number: usize,
    /// Its bytes, counted from the record's first: the inside of the string of a text, quotes left
    /// out, or the value of JSON.
    pub bytes: Range<usize>,
    /// In what form those bytes are the block.
    pub form: Form,
}

/// In what form recorded bytes are a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Text with JSON's escapes.
    Text,
    /// Text as it is.
    Plain,
    /// A JSON value.
    Json,
}

impl Reader {
    /// What the byte at `offset` of the file belongs to; none where no event is there, as in a header.
    ///
    /// # Errors
    /// When the event's bytes cannot be read any more.
    pub fn spot(&mut self, offset: u64) -> Result<Option<Spot>, ReadError> {
        let Some((first, start)) = self.record_at(offset) else {
            return Ok(None);
        };
        let inside = usize::try_from(offset - start).unwrap_or(usize::MAX);
        self.raw(first)?;
        let mut found = (0, None);
        self.with_parts(first, &mut |parts| {
            let number = owner(parts, inside);
            let part = parts
                .iter()
                .filter(|part| part.is_event())
                .nth(number as usize);
            found = (number, part.and_then(|part| block(part, inside)));
        });
        let (number, block) = found;
        let event = EventId::from_position(first.position() + number as usize);
        Ok(Some(Spot { event, block }))
    }

    /// The first event of the record that holds the byte at `offset`, and where the record begins.
    fn record_at(&self, offset: u64) -> Option<(EventId, u64)> {
        let index = self.index();
        let start_of = |position: usize| {
            let record = index.record(EventId::from_position(position))?;
            Some((record.offset, record.bytes))
        };
        // The last event that begins at or before the byte, then the first of the same record.
        let behind = first_where(index.len(), |position| {
            start_of(position).is_some_and(|(start, _)| start > offset)
        });
        let (start, bytes) = start_of(behind.checked_sub(1)?)?;
        let first = first_where(behind, |position| {
            start_of(position).is_some_and(|(other, _)| other >= start)
        });
        (offset - start < bytes).then_some((EventId::from_position(first), start))
    }
}

/// The first of `count` positions for which `holds`, where it holds for all behind it too.
fn first_where(count: usize, holds: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = low + (high - low) / 2;
        if holds(middle) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    low
}

fn block(part: &Part<'_>, inside: usize) -> Option<BlockSpot> {
    let find = |side: Side, content: Option<&Content<'_>>| {
        // A side file stands outside the record, and so do its bytes.
        let pieces = content?.pieces(None)?;
        let found = pieces.iter().enumerate().find_map(|(number, piece)| {
            let (bytes, form) = recorded(piece)?;
            bytes.contains(&inside).then_some((number, bytes, form))
        });
        found.map(|(number, bytes, form)| BlockSpot {
            side,
            number,
            bytes,
            form,
        })
    };
    match &part.lazy {
        Lazy::Message(content) => find(Side::Sent, Some(content)),
        Lazy::Output(output) => find(Side::Returned, output.returned.as_ref())
            .or_else(|| find(Side::Sent, output.sent.as_ref())),
        _ => None,
    }
}

/// Where the text or JSON of a block stands; none for media.
fn recorded(piece: &Piece<'_>) -> Option<(Range<usize>, Form)> {
    match piece {
        Piece::Plain(text) => Some((0..text.len(), Form::Plain)),
        Piece::Json(view) | Piece::Structured(view) | Piece::Unknown(view) => {
            Some((view.span(), Form::Json))
        }
        Piece::Link { value, .. } => Some((value.span(), Form::Json)),
        _ => {
            let view = piece.text_view()?;
            let span = view.span();
            Some((span.start + 1..span.end.checked_sub(1)?, Form::Text))
        }
    }
}
