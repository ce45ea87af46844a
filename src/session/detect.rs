//! Telling what a recording is by its content, never by its name.

use super::format::{Format, FormatName, other};

/// How the records of a recording are laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Layout {
    /// One record a line.
    Lines,
    /// One record, the whole file.
    Whole,
}

/// What was found out from the beginning of a recording.
#[derive(Debug, Clone, Copy)]
pub(super) struct Detected {
    pub(super) format: FormatName,
    pub(super) layout: Layout,
    /// The first byte behind a byte order mark.
    pub(super) start: u64,
    /// Too little was there to be sure: look again when it has grown.
    pub(super) unsure: bool,
}

impl Detected {
    /// Whether more bytes mean that everything must be read again.
    pub(super) fn is_rewritten_whole(&self) -> bool {
        self.unsure || self.layout == Layout::Whole
    }

    pub(super) fn reader(&self) -> &'static dyn Format {
        match (self.format, self.layout) {
            (FormatName::Json, Layout::Lines) => &other::JsonLines,
            (format, _) => format.format(),
        }
    }
}

/// The UTF-8 byte order mark.
const BOM: &[u8] = b"\xEF\xBB\xBF";

/// Looks at the first bytes; `whole` says that they are all there is.
pub(super) fn detect(head: &[u8], whole: bool) -> Detected {
    let start = if head.starts_with(BOM) { BOM.len() } else { 0 };
    let bytes = head.get(start..).unwrap_or_default();
    let found = |format, layout, unsure| Detected {
        format,
        layout,
        start: start as u64,
        unsure,
    };
    let lines = bytes.split(|byte| *byte == b'\n');
    let mut seen = 0;
    for line in lines
        .map(<[u8]>::trim_ascii)
        .filter(|line| !line.is_empty())
        .take(50)
    {
        seen += 1;
        if let Ok((view, _)) = crate::json::View::check(line) {
            if view.get("toolreel").is_some() {
                return found(FormatName::Native, Layout::Lines, false);
            }
        }
    }
    if seen == 0 {
        return found(FormatName::Unknown, Layout::Lines, true);
    }
    let first = bytes.trim_ascii_start().first();
    if whole && crate::json::View::check(bytes).is_ok() {
        return found(FormatName::Json, Layout::Whole, true);
    }
    if matches!(first, Some(b'{' | b'[')) {
        return found(FormatName::Json, Layout::Lines, false);
    }
    found(FormatName::Text, Layout::Whole, true)
}
