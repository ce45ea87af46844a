//! Images, documents and other media: what they are by their bytes, and what can be seen of them.

use std::borrow::Cow;

use crate::media::{
    self, Facts, Format, Limits, PictureError, Thumbnail, base64_length, compare, data_url,
    decode_base64, sniff, thumbnail,
};
use crate::session::block::{BlockKind, Media, MediaSource};
use crate::text::grouped;
use crate::tui::tabs::line::{Ink, Line};
use crate::tui::tabs::mark::Mark;
use crate::tui::tabs::picture::{MOST_COLUMNS, MOST_ROWS, Picture};
use crate::tui::tabs::prose::Prose;
use crate::tui::tabs::sheet::Sheet;

/// What can be told of a media block.
pub struct Look<'a> {
    media: &'a Media,
    bytes: Result<Cow<'a, [u8]>, String>,
    facts: Option<Facts>,
    size: Option<u64>,
}

impl<'a> Look<'a> {
    /// Decodes the block's bytes where the recording holds them, and reads what they are.
    pub fn at(media: &'a Media) -> Self {
        let (bytes, size) = match &media.source {
            MediaSource::Bytes(bytes) => (
                Ok(Cow::Borrowed(bytes.as_slice())),
                Some(bytes.len() as u64),
            ),
            MediaSource::Base64(text) => decoded(text),
            MediaSource::Text(text) => {
                (Ok(Cow::Borrowed(text.as_bytes())), Some(text.len() as u64))
            }
            MediaSource::Url(url) => match data_url(url) {
                Some((_, text)) => decoded(text),
                None => (Err("at an address, never fetched".to_owned()), None),
            },
            MediaSource::FileId(_) => (Err("kept by the provider".to_owned()), None),
            MediaSource::String(_) => (Err("named by a string".to_owned()), None),
            MediaSource::Absent => (Err("not in this recording".to_owned()), None),
        };
        let facts = bytes.as_ref().ok().and_then(|bytes| sniff(bytes));
        Self {
            media,
            bytes,
            facts,
            size,
        }
    }

    /// The format, by the bytes.
    pub fn format(&self) -> Option<Format> {
        self.facts.map(|facts| facts.format)
    }

    /// The rest of the block's heading: format, pixels, bytes, name.
    pub fn headline(&self, mut line: Line) -> Line {
        match self.facts {
            Some(facts) => {
                line = line.and(Ink::Text, format!("  {}", facts.format.name()));
                if let Some(size) = facts.size {
                    line = line.and(Ink::Text, format!("  {}x{}", size.width, size.height));
                }
                if facts.animated {
                    line = line.and(Ink::Dim, "  animated");
                }
            }
            None => {
                if let Some(declared) = &self.media.declared {
                    line = line.and(Ink::Dim, format!("  says {declared}"));
                }
            }
        }
        if let Some(size) = self.size {
            line = line.and(Ink::Text, format!("  {} B", grouped(size)));
        }
        line
    }

    /// The lines of facts below the heading.
    pub fn facts(&self) -> Vec<Line> {
        let mut lines = Vec::new();
        if let Some(name) = &self.media.name {
            lines.push(Line::of(Ink::Name, "name    ").and(Ink::Text, name.clone()));
        }
        if let Some(declared) = &self.media.declared {
            lines.push(Line::of(Ink::Name, "says    ").and(Ink::Text, declared.clone()));
        }
        if let Some(facts) = self.facts {
            if let Some(mismatch) = compare(self.media.declared.as_deref(), facts.format) {
                lines.push(Line::of(Ink::Finding, format!("! {mismatch}")));
            }
        } else if self.size == Some(0) {
            lines.push(Line::of(Ink::Finding, "! empty: there are no bytes"));
        } else if self.bytes.is_ok() {
            lines.push(Line::of(
                Ink::Finding,
                "! the bytes are no format known here",
            ));
        }
        if let Some(detail) = &self.media.detail {
            lines.push(Line::of(Ink::Name, "detail  ").and(Ink::Text, detail.clone()));
        }
        if let Some((word, text)) = match &self.media.source {
            MediaSource::Url(url) if data_url(url).is_none() => Some(("url     ", url)),
            MediaSource::FileId(id) => Some(("file    ", id)),
            MediaSource::String(text) => Some(("string  ", text)),
            _ => None,
        } {
            lines.push(Line::of(Ink::Name, word).and(Ink::Text, text.clone()));
        }
        if let Err(reason) = &self.bytes {
            lines.push(Line::of(Ink::Dim, reason.clone()));
        }
        lines
    }

    /// What can be seen: an image drawn, the text of a document.
    pub fn contents(&self, kind: BlockKind, mark: Mark, block: usize, sheet: &mut Sheet) {
        let Ok(bytes) = &self.bytes else { return };
        if kind == BlockKind::Image {
            match thumbnail(bytes, MOST_COLUMNS, MOST_ROWS, Limits::default()) {
                Ok(small) => {
                    if let Some(words) = thin(&small) {
                        sheet.lines(vec![Line::of(Ink::Dim, words)], Some(mark));
                    }
                    sheet.picture(Picture::new(small), mark);
                }
                // Said above already.
                Err(PictureError::NotAnImage) if bytes.is_empty() => {}
                Err(error) => {
                    let line = match error {
                        PictureError::Broken { .. } => Line::of(Ink::Finding, format!("! {error}")),
                        _ => Line::of(Ink::Dim, format!("not drawn: {error}")),
                    };
                    sheet.lines(vec![line], Some(mark));
                }
            }
            return;
        }
        let text = match (&self.media.source, self.facts) {
            (MediaSource::Text(text), _) => Some(text.clone()),
            (_, Some(facts)) => media::plain_text(bytes, facts.format),
            (_, None) => None,
        };
        if let Some(text) = text {
            sheet.prose(Prose::new(text, mark), Some(block));
        } else if let Some(format) = self.facts.map(|facts| facts.format) {
            sheet.lines(vec![Line::of(Ink::Dim, not_text(format))], Some(mark));
        }
    }
}

/// Said of a picture of which one row or column of pixels is left, easily taken for nothing at all.
fn thin(small: &Thumbnail) -> Option<String> {
    let original = small.original;
    let of = format!("{}x{}", original.width, original.height);
    match (small.width, small.height) {
        (1, 1) if original.width.max(original.height) == 1 => Some("a single pixel:".to_owned()),
        (_, 1) => Some(format!("{of} is one line here:")),
        (1, _) => Some(format!("{of} is one column here:")),
        _ => None,
    }
}

fn not_text(format: Format) -> String {
    match format.kind() {
        media::Kind::Document => {
            format!("{} is not plain text: its bytes are in Raw", format.name())
        }
        _ => "its bytes are in Raw".to_owned(),
    }
}

fn decoded(text: &str) -> (Result<Cow<'_, [u8]>, String>, Option<u64>) {
    match decode_base64(text) {
        Ok(bytes) => {
            let size = bytes.len() as u64;
            (Ok(Cow::Owned(bytes)), Some(size))
        }
        Err(error) => (
            Err(format!("base64 that cannot be decoded: {error}")),
            Some(base64_length(text)),
        ),
    }
}
