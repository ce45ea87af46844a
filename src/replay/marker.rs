//! A text that a client cut when it was recorded, taken apart at its marker.
//!
//! Who cut it is told by the markers of [`client::recognise`]. Markers leak into files, so a marker in
//! a text alone is believed only where the client's policy would really have made such a text; beside
//! what the tool returned it is believed where the pieces around it are found there.

use std::ops::Range;
use std::sync::Arc;

use super::ledger::Cut;
use crate::policy::client::{self, Catalogue, ClientPolicy, Definition, RecordedCut};
use crate::policy::{Content, Subject, Unit};

/// A text with a client's marker, taken apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Marked {
    /// The pieces that the tool wrote, in order, as bytes of the text.
    pub pieces: Vec<Range<usize>>,
    /// Who cut it and what the marker claims.
    pub cut: Cut,
    /// The client's policy makes texts of this size, so that the marker can be believed without the
    /// other side.
    pub framed: bool,
}

/// Takes a text apart at the marker of a client; none where it carries none that is known.
pub(super) fn find(text: &str) -> Option<Marked> {
    let found = client::recognise(text)?;
    let definition = Catalogue::built_in().find(&found.policy);
    let pieces = preview(text).map_or_else(|| around(text, &found.marker), |piece| vec![piece]);
    let framed = definition
        .is_none_or(|definition| found.marker.start == 0 || is_made_by(definition, text, &pieces));
    Some(Marked {
        pieces,
        cut: cut_of(&found, definition.map(Arc::as_ref)),
        framed,
    })
}

fn cut_of(found: &RecordedCut, definition: Option<&Definition>) -> Cut {
    Cut {
        client: Some(definition.map_or(found.by.as_str(), |of| &of.client).into()),
        rule: definition.map(|definition| rule(definition).into()),
        policy: Some(found.policy.as_str().into()),
        claimed: found
            .missing
            .as_ref()
            .and_then(|missing| Some((missing.count, unit(&missing.unit)?))),
        side_file: found.file.as_deref().map(Arc::from),
    }
}

/// What the policy keeps, in words: `failure: first 5,000 chars + last 5,000 chars`.
fn rule(definition: &Definition) -> String {
    let name = definition.id.rsplit('.').next().unwrap_or_default();
    let kept: Vec<&str> = [&definition.keep.head, &definition.keep.tail]
        .into_iter()
        .map(String::as_str)
        .filter(|kept| !kept.is_empty() && !kept.starts_with("none"))
        .collect();
    format!("{name}: {}", kept.join(" + "))
}

fn unit(word: &str) -> Option<Unit> {
    Some(match word {
        "chars" | "characters" => Unit::Chars,
        "bytes" => Unit::Bytes,
        "lines" => Unit::Lines,
        "tokens" => Unit::Tokens,
        "items" => Unit::Items,
        word if word.starts_with("UTF-16") => Unit::Utf16,
        _ => return None,
    })
}

/// Whether the policy would leave a text like the kept pieces alone, and would cut one half as long
/// again: then what was kept is about as long as its limit.
fn is_made_by(definition: &Arc<Definition>, text: &str, pieces: &[Range<usize>]) -> bool {
    let policy = ClientPolicy::new(Arc::clone(definition));
    let kept: String = pieces
        .iter()
        .filter_map(|piece| text.get(piece.clone()))
        .collect();
    let cuts = |text: &str| {
        let subject = Subject {
            recorded_by_client: true,
            ..Subject::of(Content::Text(text))
        };
        !policy.cut(subject).left_out.is_empty()
    };
    let middle = (0..=kept.len() / 2)
        .rev()
        .find(|at| kept.is_char_boundary(*at))
        .unwrap_or(0);
    let longer = format!("{kept}\n{}", kept.get(middle..).unwrap_or_default());
    !cuts(&kept) && cuts(&longer)
}

/// The preview inside Claude Code's block for an output that it kept in a file.
fn preview(text: &str) -> Option<Range<usize>> {
    let body = text.strip_prefix("<persisted-output>\n")?;
    let base = text.len() - body.len();
    let head = body.find("\nPreview (first ")? + 1;
    let start = head + body.get(head..)?.find('\n')? + 1;
    let end = ["\n...\n</persisted-output>", "\n</persisted-output>"]
        .into_iter()
        .find_map(|close| body.rfind(close))
        .unwrap_or(body.len());
    (start <= end).then_some(base + start..base + end)
}

/// What stands before and after a marker, without the lines that clients put at the beginning.
fn around(text: &str, marker: &Range<usize>) -> Vec<Range<usize>> {
    let head = text.get(..marker.start).unwrap_or_default();
    [header_end(head)..marker.start, marker.end..text.len()]
        .into_iter()
        .filter(|piece| !piece.is_empty())
        .collect()
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
        let blank = head.get(at..).is_some_and(|rest| rest.starts_with('\n'));
        if blank && !rest.starts_with("Exit code ") {
            at += 1;
        }
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces<'a>(text: &'a str, marked: &Marked) -> Vec<&'a str> {
        let pieces = marked.pieces.iter();
        pieces.map(|range| &text[range.clone()]).collect()
    }

    #[test]
    fn a_persisted_output_is_its_preview_and_a_file() {
        let text = "<persisted-output>\nOutput too large (73.1KB). Full output saved to: /t/x.txt\n\n\
                    Preview (first 2KB):\nline 1\nline 2\n...\n</persisted-output>";
        let marked = find(text).expect("marked");
        assert_eq!(pieces(text, &marked), ["line 1\nline 2"]);
        assert_eq!(marked.cut.side_file.as_deref(), Some("/t/x.txt"));
        assert_eq!(marked.cut.client.as_deref(), Some("Claude Code"));
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
        assert_eq!(
            marked.cut.rule.as_deref(),
            Some("failure: first 5,000 chars + last 5,000 chars")
        );
        assert!(marked.framed);
    }

    #[test]
    fn a_marker_inside_a_file_is_not_believed_alone() {
        let marker = "\n\n... [12 characters truncated] ...\n\n";
        let short = format!("code{marker}more code");
        assert!(!find(&short).expect("found").framed);
        let long = format!("{}{marker}more code", "code\n".repeat(9_000));
        assert!(!find(&long).expect("found").framed);
        assert_eq!(find("nothing of the kind"), None);
    }

    #[test]
    fn codex_headers_are_the_client_s() {
        let text = "Warning: truncated output (original token count: 12)\nTotal output lines: 3\n\n\
                    head…7 tokens truncated…tail";
        let marked = find(text).expect("marked");
        assert_eq!(pieces(text, &marked), ["head", "tail"]);
        assert_eq!(marked.cut.claimed, Some((7, Unit::Tokens)));
    }
}
