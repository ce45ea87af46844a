//! What no format knows: any JSON, JSON Lines or text, so that everything can be looked at and re-run.

use crate::json::View;
use crate::session::event::{EventKind, Evidence, Side};
use crate::session::part::{CacheRule, Content, Lazy, LazyOutput, Part};
use crate::session::piece::Piece;

use super::{Format, Place};

/// A whole JSON document is one output, a JSON line among others an unknown event.
#[derive(Debug)]
pub(in crate::session) struct Json;

impl Format for Json {
    fn read<'a>(&self, record: View<'a>, place: Place, each: &mut dyn FnMut(Part<'a>)) {
        if place == Place::System {
            each(Part::unknown(record));
            return;
        }
        let content = Content::One(Piece::Json(record));
        each(Part::output(record, None, returned(content)));
    }
}

/// Lines of JSON without a known meaning: an object may be anybody's event, anything else is a value
/// that a tool may have returned.
#[derive(Debug)]
pub(in crate::session) struct JsonLines;

impl Format for JsonLines {
    fn read<'a>(&self, record: View<'a>, place: Place, each: &mut dyn FnMut(Part<'a>)) {
        if record.is_object() {
            each(Part::unknown(record));
        } else {
            Json.read(record, place, each);
        }
    }
}

/// The whole file is one output of one text block.
#[derive(Debug)]
pub(in crate::session) struct Text;

impl Format for Text {
    fn read<'a>(&self, record: View<'a>, _: Place, each: &mut dyn FnMut(Part<'a>)) {
        self.read_text(record.raw(), each);
    }

    fn read_text<'a>(&self, record: &'a [u8], each: &mut dyn FnMut(Part<'a>)) -> bool {
        // Decoded only when the block is: the index does not pay for the whole file.
        let content = Content::Bytes(record);
        let lazy = Lazy::Output(returned(content));
        each(Part::new(
            EventKind::ToolOutput,
            View::trusted(b"null"),
            lazy,
        ));
        true
    }
}

fn returned(content: Content<'_>) -> LazyOutput<'_> {
    LazyOutput {
        returned: Some(content),
        sent: None,
        evidence: Evidence::Log,
        wire: Side::Returned,
        rule: CacheRule::Value,
        recorded_tokens: None,
    }
}
