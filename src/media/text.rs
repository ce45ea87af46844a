//! Text documents: which kind, and their text.

use super::format::Format;

/// How the bytes of a text document are to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextEncoding {
    /// UTF-8, with or without a byte order mark.
    Utf8,
    /// UTF-16, least significant byte first.
    Utf16Le,
    /// UTF-16, most significant byte first.
    Utf16Be,
}

/// How many bytes decide what kind of text it is.
const HEAD: usize = 16 * 1024;

/// The text of a text document, byte order mark taken off, what is no text as U+FFFD.
///
/// None for documents that are no plain text.
pub fn plain_text(bytes: &[u8], format: Format) -> Option<String> {
    if !format.is_plain_text() {
        return None;
    }
    let (encoding, bytes) = encoding(bytes);
    Some(match encoding {
        TextEncoding::Utf8 => String::from_utf8_lossy(bytes).into_owned(),
        TextEncoding::Utf16Le => from_utf16(bytes, u16::from_le_bytes),
        TextEncoding::Utf16Be => from_utf16(bytes, u16::from_be_bytes),
    })
}

fn encoding(bytes: &[u8]) -> (TextEncoding, &[u8]) {
    match bytes {
        [0xEF, 0xBB, 0xBF, rest @ ..] => (TextEncoding::Utf8, rest),
        [0xFF, 0xFE, rest @ ..] => (TextEncoding::Utf16Le, rest),
        [0xFE, 0xFF, rest @ ..] => (TextEncoding::Utf16Be, rest),
        _ => (TextEncoding::Utf8, bytes),
    }
}

fn from_utf16(bytes: &[u8], unit: impl Fn([u8; 2]) -> u16) -> String {
    let (pairs, _) = bytes.as_chunks::<2>();
    char::decode_utf16(pairs.iter().map(|&pair| unit(pair)))
        .map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER))
        .collect()
}

/// Which kind of text these bytes are; none where they are no text.
///
/// Only marks that leave little doubt count; everything else that is text is plain text.
pub(super) fn guess(bytes: &[u8]) -> Option<Format> {
    if bytes.is_empty() {
        return None;
    }
    let (encoding, body) = encoding(bytes);
    let cut = body.get(..HEAD).unwrap_or(body);
    let head = match encoding {
        TextEncoding::Utf8 => {
            let valid = match std::str::from_utf8(cut) {
                Ok(text) => text,
                // The cut may go through a character.
                Err(error) if cut.len() < body.len() && error.error_len().is_none() => {
                    std::str::from_utf8(&cut[..error.valid_up_to()]).ok()?
                }
                Err(_) => return None,
            };
            if valid
                .bytes()
                .any(|byte| matches!(byte, 0..=8 | 14..=26 | 28..=31))
            {
                return None;
            }
            valid.to_owned()
        }
        TextEncoding::Utf16Le => from_utf16(cut, u16::from_le_bytes),
        TextEncoding::Utf16Be => from_utf16(cut, u16::from_be_bytes),
    };
    let start = head.trim_start();
    Some(if is_html(start) {
        Format::Html
    } else if start.starts_with("<?xml") {
        Format::Xml
    } else if is_json(start, cut.len() == body.len()) {
        Format::Json
    } else if let Some(format) = separated(start, cut.len() == body.len()) {
        format
    } else if is_markdown(start) {
        Format::Markdown
    } else {
        Format::Text
    })
}

fn is_html(start: &str) -> bool {
    let lower: String = start
        .chars()
        .take(256)
        .collect::<String>()
        .to_ascii_lowercase();
    ["<!doctype html", "<html", "<head>", "<body", "<!-- html"]
        .iter()
        .any(|tag| lower.starts_with(tag))
        || (lower.starts_with('<')
            && ["<html", "<title>", "<head"]
                .iter()
                .any(|tag| lower.contains(tag)))
}

/// A whole JSON object or array; of a longer text only its first sign is known.
fn is_json(start: &str, whole: bool) -> bool {
    if !start.starts_with(['{', '[']) {
        return false;
    }
    if whole {
        return serde_json::from_str::<serde::de::IgnoredAny>(start).is_ok();
    }
    start[1..]
        .trim_start()
        .starts_with(['"', '{', '[', '}', ']'])
}

/// Lines with the same number of separators, more than one line and more than none.
fn separated(start: &str, whole: bool) -> Option<Format> {
    for (separator, format) in [('\t', Format::Tsv), (',', Format::Csv), (';', Format::Csv)] {
        let lines: Vec<&str> = start.lines().take(32).collect();
        // The last line may be cut.
        let lines = if whole {
            &lines[..]
        } else {
            lines.split_last().map_or(&[][..], |(_, rest)| rest)
        };
        let lines: Vec<&str> = lines
            .iter()
            .copied()
            .filter(|line| !line.trim().is_empty())
            .collect();
        let counts = lines.iter().map(|line| unquoted(line, separator));
        let first = lines.first().map_or(0, |line| unquoted(line, separator));
        // Prose has a comma followed by a blank nearly always, tables nearly never.
        let spaced = lines
            .iter()
            .filter(|line| line.contains(&format!("{separator} ")[..]))
            .count();
        if lines.len() >= 2
            && first >= 1
            && counts.clone().all(|count| count == first)
            && spaced * 4 <= lines.len()
        {
            return Some(format);
        }
    }
    None
}

fn unquoted(line: &str, separator: char) -> usize {
    let mut quoted = false;
    line.chars()
        .filter(|&c| {
            quoted ^= c == '"';
            c == separator && !quoted
        })
        .count()
}

fn is_markdown(start: &str) -> bool {
    let mut marks = 0;
    for line in start.lines().take(200) {
        let heading = line.trim_start_matches('#');
        let depth = line.len() - heading.len();
        if (1..=6).contains(&depth) && heading.starts_with(' ') {
            marks += 1;
        }
        if line.starts_with("```")
            || line.starts_with("- [")
            || line.starts_with("| ---")
            || line.starts_with("|---")
        {
            marks += 1;
        }
        if line.contains("](http") || (line.contains("**") && line.matches("**").count() >= 2) {
            marks += 1;
        }
    }
    marks >= 2 || (marks == 1 && start.starts_with("# "))
}
