//! Markers that clients leave where they cut a text: who cut it, and which pieces are the tool's.
//!
//! Markers leak into files, so a marker in a text alone is believed only where the text also has the
//! size or the frame that the client's rule gives; beside what the tool returned it is believed where
//! the pieces around it are found there.

use std::ops::Range;
use std::sync::{Arc, LazyLock};

use regex::Regex;

use super::ledger::Cut;
use crate::policy::Unit;

/// A text with a client's marker, taken apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Marked {
    /// The pieces that the tool wrote, in order, as bytes of the text.
    pub pieces: Vec<Range<usize>>,
    /// Who cut it and what the marker claims.
    pub cut: Cut,
    /// The text has the frame or the size that the client's rule gives, so that it can be believed
    /// without the other side.
    pub framed: bool,
}

/// A marker in the middle of a text.
struct Middle {
    client: &'static str,
    rule: &'static str,
    unit: Option<Unit>,
    /// The marker; group 1 is the number it claims.
    pattern: Regex,
    frame: fn(&Around<'_>) -> bool,
}

/// A text around a marker.
struct Around<'a> {
    text: &'a str,
    head: &'a str,
    tail: &'a str,
}

fn middle(
    client: &'static str,
    rule: &'static str,
    unit: Option<Unit>,
    pattern: &str,
    frame: fn(&Around<'_>) -> bool,
) -> Option<Middle> {
    Some(Middle {
        client,
        rule,
        unit,
        pattern: Regex::new(pattern).ok()?,
        frame,
    })
}

fn chars(text: &str) -> usize {
    text.chars().count()
}

static MIDDLES: LazyLock<Vec<Middle>> = LazyLock::new(|| {
    [
        middle(
            "Claude Code",
            "failure: 5,000 + 5,000 chars",
            Some(Unit::Chars),
            r"\n\n\.\.\. \[(\d+) characters truncated\] \.\.\.\n\n",
            |around| chars(around.head) == 5_000 && chars(around.tail) == 5_000,
        ),
        middle(
            "Claude Code",
            "before 2.1.2: half + half of 30,000 chars",
            Some(Unit::Lines),
            r"\n\n\.\.\. \[(\d+) lines truncated\] \.\.\.\n\n",
            |around| chars(around.head) == 15_000 && chars(around.tail) >= 14_000,
        ),
        middle(
            "Codex",
            "half + half of 10,000 tokens",
            Some(Unit::Tokens),
            r"…(\d+) tokens truncated…",
            |around| codex_header(around.text) || around.text.len() > 8_000,
        ),
        middle(
            "Codex",
            "half + half of 10,000 bytes",
            Some(Unit::Chars),
            r"…(\d+) chars truncated…",
            |around| codex_header(around.text) || around.text.len() > 8_000,
        ),
        middle(
            "Codex",
            "128 + 128 lines",
            Some(Unit::Lines),
            r"\n\[\.\.\. omitted (\d+) of \d+ lines \.\.\.\]\n\n?",
            |around| codex_header(around.text) || around.head.lines().count() >= 100,
        ),
        middle(
            "Gemini CLI",
            "first fifth + last four fifths of 40,000 UTF-16 units",
            Some(Unit::Utf16),
            r"\n\n\.\.\. \[([\d,.]+) characters omitted\] \.\.\.\n\n",
            |around| around.text.starts_with("Output too large. Showing first "),
        ),
        middle(
            "OpenCode",
            "whole lines of 2,000 lines and 51,200 bytes",
            Some(Unit::Lines),
            r"\n\n\.\.\.(\d+) lines truncated\.\.\.\n\n",
            |around| {
                around
                    .text
                    .contains("The tool call succeeded but the output was truncated")
            },
        ),
        middle(
            "OpenCode",
            "whole lines of 2,000 lines and 51,200 bytes",
            Some(Unit::Bytes),
            r"\n\n\.\.\.(\d+) bytes truncated\.\.\.\n\n",
            |around| {
                around
                    .text
                    .contains("The tool call succeeded but the output was truncated")
            },
        ),
        middle(
            "Cline",
            "half + half of 8,000 UTF-16 units",
            Some(Unit::Utf16),
            r"\n\n\.\.\.\[truncated (\d+) chars\]\.\.\.\n\n",
            |around| (7_800..=8_200).contains(&around.text.encode_utf16().count()),
        ),
        middle(
            "OpenHands",
            "half + half of 30,000 chars",
            None,
            r"\[\.\.\. Observation truncated due to length \.\.\.\]",
            |around| chars(around.text) >= 9_900,
        ),
    ]
    .into_iter()
    .flatten()
    .collect()
});

fn codex_header(text: &str) -> bool {
    text.starts_with("Total output lines: ") || text.starts_with("Warning: truncated output ")
}

/// Takes a text apart at the marker of a client; none where it carries none that is known.
pub(super) fn find(text: &str) -> Option<Marked> {
    persisted(text).or_else(|| middle_cut(text))
}

/// Claude Code's block for an output that it kept in a file.
fn persisted(text: &str) -> Option<Marked> {
    let open = "<persisted-output>\n";
    let body = text.trim_start().strip_prefix(open)?;
    let path = body
        .split_once("saved to: ")
        .and_then(|(_, after)| after.lines().next())
        .map(str::trim)
        .filter(|path| !path.is_empty());
    let preview = body.find("\nPreview (first ").and_then(|at| {
        let line_end = body.get(at + 1..)?.find('\n')? + at + 2;
        let close = ["\n...\n</persisted-output>", "\n</persisted-output>"]
            .into_iter()
            .find_map(|close| body.rfind(close))
            .unwrap_or(body.len());
        (line_end <= close).then_some(line_end..close)
    });
    let base = text.len() - body.len();
    Some(Marked {
        pieces: preview
            .map(|range| range.start + base..range.end + base)
            .into_iter()
            .collect(),
        cut: Cut {
            client: Some("Claude Code"),
            rule: Some("kept in a file, first 2,000 chars sent"),
            claimed: None,
            side_file: path.map(Arc::from),
        },
        framed: true,
    })
}

fn middle_cut(text: &str) -> Option<Marked> {
    MIDDLES.iter().find_map(|middle| {
        let found = middle.pattern.captures(text)?;
        let whole = found.get(0)?;
        let around = Around {
            text,
            head: text.get(..whole.start())?,
            tail: text.get(whole.end()..)?,
        };
        let claimed = found.get(1).and_then(|number| {
            let digits: String = number
                .as_str()
                .chars()
                .filter(char::is_ascii_digit)
                .collect();
            digits.parse().ok()
        });
        Some(Marked {
            pieces: vec![
                header_end(around.head)..whole.start(),
                whole.end()..text.len(),
            ],
            cut: Cut {
                client: Some(middle.client),
                rule: Some(middle.rule),
                claimed: claimed.zip(middle.unit),
                side_file: None,
            },
            framed: (middle.frame)(&around),
        })
    })
}

/// Where the tool's own text begins after the lines that clients put before it.
fn header_end(head: &str) -> usize {
    const HEADERS: [&str; 4] = [
        "Exit code ",
        "Warning: truncated output ",
        "Total output lines: ",
        "Output too large. Showing first ",
    ];
    let mut at = 0;
    while let Some(rest) = head.get(at..)
        && HEADERS.iter().any(|header| rest.starts_with(header))
    {
        let Some(line) = rest.find('\n') else { break };
        at += line + 1;
        // A blank line after a header belongs to it.
        if !rest.starts_with("Exit code ")
            && head.get(at..).is_some_and(|rest| rest.starts_with('\n'))
        {
            at += 1;
        }
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces<'a>(text: &'a str, marked: &Marked) -> Vec<&'a str> {
        marked
            .pieces
            .iter()
            .map(|range| &text[range.clone()])
            .collect()
    }

    #[test]
    fn every_marker_compiles() {
        assert_eq!(MIDDLES.len(), 10);
    }

    #[test]
    fn a_persisted_output_is_its_preview_and_a_file() {
        let text = "<persisted-output>\nOutput too large (73.1KB). Full output saved to: /t/x.txt\n\n\
                    Preview (first 2KB):\nline 1\nline 2\n...\n</persisted-output>";
        let marked = find(text).expect("marked");
        assert_eq!(pieces(text, &marked), ["line 1\nline 2"]);
        assert_eq!(marked.cut.side_file.as_deref(), Some("/t/x.txt"));
        assert!(marked.framed);
    }

    #[test]
    fn a_middle_cut_is_two_pieces_without_the_client_s_lines() {
        let text = format!(
            "Exit code 1\n{}\n\n... [90819 characters truncated] ...\n\n{}",
            "a".repeat(4_988),
            "b".repeat(5_000)
        );
        let marked = find(&text).expect("marked");
        assert_eq!(
            pieces(&text, &marked),
            ["a".repeat(4_988), "b".repeat(5_000)]
        );
        assert_eq!(marked.cut.claimed, Some((90_819, Unit::Chars)));
        assert!(marked.framed);
    }

    #[test]
    fn a_marker_inside_a_file_has_no_frame() {
        let text = "code\n\n... [12 characters truncated] ...\n\nmore code";
        assert!(!find(text).expect("found").framed);
        assert_eq!(find("nothing of the kind"), None);
    }

    #[test]
    fn codex_headers_are_the_client_s() {
        let text = "Warning: truncated output (original token count: 12)\nTotal output lines: 3\n\nhead…7 tokens truncated…tail";
        let marked = find(text).expect("marked");
        assert_eq!(pieces(text, &marked), ["head", "tail"]);
        assert_eq!(marked.cut.claimed, Some((7, Unit::Tokens)));
        assert!(marked.framed);
    }
}
