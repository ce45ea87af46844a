//! What a hit stands in: the event, and the bytes of the block as the screen shows it.

use std::ops::Range;

use super::needle::Needle;
use super::scan::{Hit, ReadAt};
use crate::json::{Kind, View, decode};
use crate::session::event::{EventId, Side};
use crate::session::{BlockSpot, Form, ReadError, Reader};

/// What a hit stands in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Located {
    /// The event.
    pub event: EventId,
    /// The bytes of the hit, counted from the first of the event's record.
    pub raw: Range<usize>,
    /// Where in a block; none where it stands in a key of the format, a name, an argument.
    pub block: Option<InBlock>,
}

/// Where in a block a hit stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InBlock {
    /// On which side of the output; what is said in a message is sent.
    pub side: Side,
    /// Which of the blocks of that side, from 0.
    pub number: usize,
    /// The bytes: of the text, or of the compact form of the JSON value.
    pub bytes: Range<usize>,
    /// The item of the top-level array, counted from 0; also where text holds the array.
    pub item: Option<u64>,
}

impl ReadAt for Reader {
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> std::io::Result<usize> {
        Self::read_at(self, offset, buffer)
    }

    fn len_bytes(&self) -> u64 {
        Self::len_bytes(self)
    }
}

/// What a hit stands in; none where no event is there, as in a header, or none is indexed yet.
///
/// # Errors
/// When the event's bytes cannot be read any more.
pub fn locate(
    reader: &mut Reader,
    hit: Hit,
    needle: &Needle,
) -> Result<Option<Located>, ReadError> {
    let Some(spot) = reader.spot(hit.offset)? else {
        return Ok(None);
    };
    let Some(record) = reader.index().record(spot.event) else {
        return Ok(None);
    };
    let start = usize::try_from(hit.offset - record.offset).unwrap_or(usize::MAX);
    let raw = start..start.saturating_add(hit.bytes as usize);
    let bytes = reader.raw(spot.event)?;
    let block = spot
        .block
        .and_then(|block| in_block(bytes, &block, start, needle));
    Ok(Some(Located {
        event: spot.event,
        raw,
        block,
    }))
}

fn in_block(record: &[u8], block: &BlockSpot, hit: usize, needle: &Needle) -> Option<InBlock> {
    let recorded = record.get(block.bytes.clone())?;
    let hit = hit.checked_sub(block.bytes.start)?;
    let found = |bytes: Range<usize>, item: Option<u64>| {
        Some(InBlock {
            side: block.side,
            number: block.number,
            bytes,
            item,
        })
    };
    match block.form {
        Form::Plain => {
            let text = String::from_utf8_lossy(recorded);
            let bytes = same_in_text(recorded, hit, &text, needle)?;
            found(bytes, None)
        }
        Form::Text => {
            let text = decode(recorded);
            let bytes = same_in_text(recorded, hit, &text, needle)?;
            let item = View::check(text.as_bytes())
                .ok()
                .and_then(|(array, _)| Some(item_at(array, bytes.start)?.0));
            found(bytes, item)
        }
        Form::Json => {
            let value = View::trusted(recorded);
            match item_at(value, hit) {
                Some((item, before, view)) => {
                    let bytes = same_in_compact(view, hit - view.span().start, needle)?;
                    found(before + bytes.start..before + bytes.end, Some(item))
                }
                None => found(same_in_compact(value, hit, needle)?, None),
            }
        }
    }
}

/// The item of a top-level array in which a byte stands: its number, where its compact form begins
/// in that of the array, and the item.
fn item_at(array: View<'_>, at: usize) -> Option<(u64, usize, View<'_>)> {
    if array.kind() != Kind::Array {
        return None;
    }
    let mut before = "[".len();
    for (number, item) in array.items().enumerate() {
        if item.span().contains(&at) {
            return Some((number as u64, before, item));
        }
        before += item.canonical_length() as usize + ",".len();
    }
    None
}

/// The hit in decoded text that is the same as the one at `hit` in its recorded form: the one with
/// as many before it.
fn same_in_text(recorded: &[u8], hit: usize, text: &str, needle: &Needle) -> Option<Range<usize>> {
    let before = hits_before(recorded, hit, needle);
    let hits = needle.find_text(text);
    hits.get(before).or(hits.first()).cloned()
}

/// The hit in the compact form of a value that is the same as the one at `hit` in its recorded form.
fn same_in_compact(value: View<'_>, hit: usize, needle: &Needle) -> Option<Range<usize>> {
    let before = hits_before(value.raw(), hit, needle);
    let compact = serde_json::to_string(&value.value()).ok()?;
    let hits = needle.find_recorded(compact.as_bytes());
    hits.get(before).or(hits.first()).cloned()
}

fn hits_before(recorded: &[u8], hit: usize, needle: &Needle) -> usize {
    needle
        .find_recorded(recorded)
        .iter()
        .take_while(|other| other.start < hit)
        .count()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::demo::DEMOS;
    use crate::query::scan;
    use crate::session::block::{Block, MediaSource};
    use crate::session::event::Body;

    /// The hits of a needle in a recording, at most about so many of them, with what they stand in.
    fn some_hits(reader: &mut Reader, text: &str, most: usize) -> Vec<Located> {
        let needle = Needle::new(text).unwrap();
        let mut hits = Vec::new();
        scan(reader, &needle, 0, &|| false, &mut |batch| {
            hits.extend(batch.hits);
        })
        .unwrap();
        let step = hits.len() / most + 1;
        hits.into_iter()
            .step_by(step)
            .filter_map(|hit| locate(reader, hit, &needle).unwrap())
            .collect()
    }

    fn hits(reader: &mut Reader, text: &str) -> Vec<Located> {
        some_hits(reader, text, usize::MAX)
    }

    fn demo(name: &str) -> Reader {
        let session = crate::demo::Demo::find(name).unwrap().open().unwrap();
        session.index_all().unwrap();
        session.reader()
    }

    /// The text of a block as a hit counts it.
    fn shown(body: &Body, place: &InBlock) -> String {
        let blocks = match body {
            Body::Message { blocks, .. } => blocks.as_slice(),
            Body::ToolOutput(output) => match place.side {
                Side::Returned => output.returned.as_deref().unwrap(),
                Side::Sent => output.sent.as_deref().unwrap(),
            },
            other => panic!("no blocks: {other:?}"),
        };
        match &blocks[place.number] {
            Block::Text(text) => text.clone(),
            Block::Json(json) => json.value.to_string(),
            Block::Envelope(envelope) => envelope.value.to_string(),
            Block::Document(media) => match &media.source {
                MediaSource::Text(text) => text.clone(),
                other => panic!("nothing to search: {other:?}"),
            },
            other => panic!("nothing to search: {other:?}"),
        }
    }

    #[test]
    fn the_hidden_issue_is_found_where_it_stands() {
        let mut reader = demo("released-too-early");
        let [hit] = &hits(&mut reader, "3966")[..] else {
            panic!("one hit");
        };
        assert_eq!(hit.event.index(), 6);
        let block = hit.block.as_ref().unwrap();
        assert_eq!(block.side, Side::Returned);
        assert_eq!(block.item, Some(260));
        let body = reader.event(hit.event).unwrap().body;
        assert_eq!(&shown(&body, block)[block.bytes.clone()], "3966");
    }

    #[test]
    fn every_hit_of_the_demos_stands_where_it_says() {
        for demo in DEMOS {
            let session = demo.open().unwrap();
            session.index_all().unwrap();
            let mut reader = session.reader();
            for text in [
                "e", "\n", "\"", "the", "é", "…", "login", "\u{1b}[", "\u{202e}",
            ] {
                let needle = Needle::new(text).unwrap();
                for hit in some_hits(&mut reader, text, 7) {
                    let Some(block) = hit.block else { continue };
                    let body = reader.event(hit.event).unwrap().body;
                    let (Body::Message { .. } | Body::ToolOutput(_)) = &body else {
                        panic!("{}: {text:?} in a block of {body:?}", demo.name);
                    };
                    let shown = shown(&body, &block);
                    let there = shown.get(block.bytes.clone()).unwrap();
                    let whole = needle.find_recorded(there.as_bytes());
                    assert_eq!(whole, vec![0..there.len()], "{}: {text:?}", demo.name);
                }
            }
        }
    }

    #[test]
    fn a_header_is_no_event() {
        let mut reader = demo("released-too-early");
        let header = hits(&mut reader, "threshold_bytes");
        assert!(header.is_empty());
    }
}
