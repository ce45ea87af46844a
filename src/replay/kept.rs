//! Which parts of a returned text stand in the text that was sent.
//!
//! What a client adds (an exit code, line numbers, a marker) is not the tool's and keeps nothing.

use std::collections::HashMap;
use std::ops::Range;

use memchr::memmem;

/// Texts beyond this are not compared.
pub(super) const MAX_COMPARED: usize = 32 << 20;

/// The parts of `returned` that stand in `sent`, in order and apart, given the pieces of `sent` that
/// are the tool's.
pub(super) fn kept(returned: &str, sent: &str, pieces: &[Range<usize>]) -> Vec<Range<usize>> {
    if returned.is_empty() {
        return Vec::new();
    }
    if memmem::find(sent.as_bytes(), returned.as_bytes()).is_some() {
        return one(0..returned.len());
    }
    let mut found = Vec::new();
    let mut cursor = 0;
    for (position, piece) in pieces.iter().enumerate() {
        let Some(text) = sent.get(piece.clone()).filter(|text| !text.is_empty()) else {
            continue;
        };
        let last = position + 1 == pieces.len() && pieces.len() > 1;
        let rest = returned.get(cursor..).unwrap_or_default();
        let at = if last && rest.ends_with(text) {
            Some(rest.len() - text.len())
        } else if rest.starts_with(text) {
            Some(0)
        } else {
            memmem::find(rest.as_bytes(), text.as_bytes())
        };
        let ranges = match at {
            Some(at) => one(cursor + at..cursor + at + text.len()),
            None => ends(rest, text)
                .or_else(|| lines(rest, text))
                .unwrap_or_default()
                .into_iter()
                .map(|range| range.start + cursor..range.end + cursor)
                .collect(),
        };
        cursor = ranges.last().map_or(cursor, |range| range.end);
        found.extend(ranges);
    }
    joined(returned, found)
}

/// A single range, as a list.
pub(super) fn one(range: Range<usize>) -> Vec<Range<usize>> {
    std::iter::once(range).collect()
}

/// The common beginning and end, where they make up most of what was sent.
fn ends(returned: &str, sent: &str) -> Option<Vec<Range<usize>>> {
    let head = common(returned.chars(), sent.chars());
    let tail = common(
        returned.get(head..)?.chars().rev(),
        sent.get(head..)?.chars().rev(),
    );
    if (head + tail) * 2 < sent.len() || head + tail == 0 {
        return None;
    }
    let ranges = [0..head, returned.len() - tail..returned.len()];
    Some(
        ranges
            .into_iter()
            .filter(|range| !range.is_empty())
            .collect(),
    )
}

/// Bytes of the chars that two texts have in common from here.
fn common(a: impl Iterator<Item = char>, b: impl Iterator<Item = char>) -> usize {
    a.zip(b)
        .take_while(|(a, b)| a == b)
        .map(|(a, _)| a.len_utf8())
        .sum()
}

/// Line by line, line numbers before them apart: each line sent is looked for after the one before.
fn lines(returned: &str, sent: &str) -> Option<Vec<Range<usize>>> {
    /// Shorter lines are found anywhere, so they only continue where the last one ended.
    const TELLING: usize = 8;
    let mut places: HashMap<&str, Vec<Range<usize>>> = HashMap::new();
    let mut at = 0;
    for line in returned.split_inclusive('\n') {
        let text = line.trim_end_matches(['\n', '\r']);
        places.entry(text).or_default().push(at..at + line.len());
        at += line.len();
    }
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut cursor = 0;
    for line in sent.lines() {
        let candidates = [Some(line), without_number(line)];
        let place = candidates.into_iter().flatten().find_map(|text| {
            let places = places.get(text)?;
            let next = places.partition_point(|place| place.start < cursor);
            let place = places.get(next)?;
            (place.start == cursor || text.trim().len() >= TELLING).then(|| place.clone())
        });
        if let Some(place) = place {
            cursor = place.end;
            found.push(place);
        }
    }
    (!found.is_empty()).then_some(found)
}

/// A line without the number that a file reader puts before it: `   300→text`, `12\ttext`, `7: text`.
fn without_number(line: &str) -> Option<&str> {
    let rest = line
        .trim_start()
        .trim_start_matches(|c: char| c.is_ascii_digit());
    let rest_of_number = line.len() - rest.len();
    if rest_of_number == 0 {
        return None;
    }
    rest.strip_prefix('→')
        .or_else(|| rest.strip_prefix('\t'))
        .or_else(|| rest.strip_prefix(": "))
        .or_else(|| rest.strip_prefix('|'))
}

/// Joins neighbours, and those with only blanks between them.
fn joined(returned: &str, found: Vec<Range<usize>>) -> Vec<Range<usize>> {
    let mut joined: Vec<Range<usize>> = Vec::new();
    for range in found {
        match joined.last_mut() {
            Some(last)
                if returned
                    .get(last.end..range.start)
                    .is_some_and(|between| between.trim().is_empty()) =>
            {
                last.end = range.end;
            }
            _ => joined.push(range),
        }
    }
    if let Some(first) = joined.first_mut()
        && returned
            .get(..first.start)
            .is_some_and(|before| before.trim().is_empty())
    {
        first.start = 0;
    }
    if let Some(last) = joined.last_mut()
        && returned
            .get(last.end..)
            .is_some_and(|after| after.trim().is_empty())
    {
        last.end = returned.len();
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(sent: &str) -> Vec<Range<usize>> {
        one(0..sent.len())
    }

    #[test]
    fn a_client_s_words_around_a_whole_text_cut_nothing() {
        let sent = "Exit code 1\nall of it\nPS: done";
        assert_eq!(kept("all of it", sent, &whole(sent)), one(0..9));
    }

    #[test]
    fn line_numbers_cut_nothing() {
        let returned = "fn main() {\n    work();\n}\n";
        let sent = "     1→fn main() {\n     2→    work();\n     3→}";
        assert_eq!(kept(returned, sent, &whole(sent)), one(0..returned.len()));
    }

    #[test]
    fn head_and_tail_are_found_without_a_known_marker() {
        let returned = format!("{}{}{}", "a".repeat(50), "x".repeat(500), "b".repeat(40));
        let sent = format!("{}[snip]{}", "a".repeat(50), "b".repeat(40));
        assert_eq!(kept(&returned, &sent, &whole(&sent)), [0..50, 550..590]);
    }

    #[test]
    fn the_last_piece_is_looked_for_at_the_end() {
        let returned = "one\nend\ntwo\nend\n";
        let sent = "one\n…end\n";
        assert_eq!(kept(returned, sent, &[0..4, 7..11]), [0..4, 12..16]);
    }

    #[test]
    fn lines_are_found_in_order() {
        let returned = "alpha line one\nbeta line two\ngamma line three\ndelta line four\n";
        let sent = "header\nbeta line two\n--\ndelta line four";
        let found = kept(returned, sent, &whole(sent));
        assert_eq!(found, [15..29, 46..returned.len()]);
    }

    #[test]
    fn nothing_in_common_keeps_nothing() {
        assert!(kept("abcdefghij", "0123", &whole("0123")).is_empty());
        assert!(kept("", "0123", &whole("0123")).is_empty());
    }

    #[test]
    fn characters_are_never_split() {
        let returned = "é日本語x".repeat(40);
        let sent = format!("{}…{}", "é日本語x".repeat(9), "é日本語y".repeat(2));
        for range in kept(&returned, &sent, &whole(&sent)) {
            assert!(returned.get(range).is_some());
        }
    }
}
