//! What a client makes of a text: parts of it, and words around them.

use std::fmt::Write as _;
use std::ops::Range;

use super::count::{HALF, Tear};
use super::text::ClientText;

/// One part of what the model gets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// A part of the output.
    Kept(Kept),
    /// Words that the client adds.
    Words(String),
}

/// A part of the output that the model gets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    /// Where it stands in the output, in UTF-8 bytes. An end inside a character means that the
    /// client tears it.
    pub range: Range<usize>,
    /// What is left of a character that an end falls into.
    pub tear: Tear,
    /// How it is written.
    pub form: Form,
}

/// How a kept part is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// As it stands.
    Plain,
    /// As a JSON string with quotes, everything but ASCII escaped, and the characters of HTML too.
    HtmlSafeJson,
}

impl Piece {
    /// A part of the output as it stands, cut between characters or UTF-16 units.
    pub const fn kept(range: Range<usize>) -> Self {
        Self::torn(range, Tear::Surrogate)
    }

    /// A part of the output as it stands.
    pub const fn torn(range: Range<usize>, tear: Tear) -> Self {
        Self::Kept(Kept {
            range,
            tear,
            form: Form::Plain,
        })
    }

    /// Added words.
    pub fn words(words: impl Into<String>) -> Self {
        Self::Words(words.into())
    }
}

/// Appends a piece, joined with the one before where the two were neighbours in the output.
pub fn push(pieces: &mut Vec<Piece>, piece: Piece) {
    match (pieces.last_mut(), piece) {
        (_, Piece::Kept(kept)) if kept.range.is_empty() && kept.form == Form::Plain => {}
        (_, Piece::Words(words)) if words.is_empty() => {}
        (Some(Piece::Kept(last)), Piece::Kept(kept))
            if last.range.end == kept.range.start
                && last.tear == kept.tear
                && last.form == Form::Plain
                && kept.form == Form::Plain =>
        {
            last.range.end = kept.range.end;
        }
        (Some(Piece::Words(last)), Piece::Words(words)) => last.push_str(&words),
        (_, piece) => pieces.push(piece),
    }
}

/// The pieces without empty ones, neighbours joined.
pub fn joined(pieces: impl IntoIterator<Item = Piece>) -> Vec<Piece> {
    let mut out = Vec::new();
    for piece in pieces {
        push(&mut out, piece);
    }
    out
}

/// The text that the pieces of `output` make.
pub fn render(pieces: &[Piece], output: &str) -> ClientText {
    let length = pieces
        .iter()
        .map(|piece| match piece {
            Piece::Kept(kept) => kept.range.len(),
            Piece::Words(words) => words.len(),
        })
        .sum();
    let mut text = ClientText::with_capacity(length);
    for piece in pieces {
        match piece {
            Piece::Words(words) => text.push_str(words),
            Piece::Kept(kept) => push_kept(&mut text, kept, output),
        }
    }
    text
}

fn push_kept(text: &mut ClientText, kept: &Kept, output: &str) {
    if kept.form == Form::HtmlSafeJson {
        let mut plain = ClientText::default();
        for fragment in fragments(kept, output) {
            push_fragment(&mut plain, &fragment, output);
        }
        text.push_str(&html_safe_json(plain.to_str_lossy()));
        return;
    }
    for fragment in fragments(kept, output) {
        push_fragment(text, &fragment, output);
    }
}

/// A run of a kept part: whole characters, or what is left of a torn one.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Fragment {
    Whole(Range<usize>),
    Torn(Range<usize>, Tear),
}

/// What a kept part is made of: the rest of a torn character, whole ones, the start of a torn one.
fn fragments(kept: &Kept, output: &str) -> impl Iterator<Item = Fragment> + use<> {
    let Range { start, end } = kept.range;
    let from = output.ceil_char_boundary(start).min(end);
    let to = output.floor_char_boundary(end).max(from);
    let tear = kept.tear;
    [
        Fragment::Torn(start..from, tear),
        Fragment::Whole(from..to),
        Fragment::Torn(to..end, tear),
    ]
    .into_iter()
    .filter(|fragment| !fragment.range().is_empty())
}

impl Fragment {
    const fn range(&self) -> &Range<usize> {
        match self {
            Self::Whole(range) | Self::Torn(range, _) => range,
        }
    }
}

fn push_fragment(text: &mut ClientText, fragment: &Fragment, output: &str) {
    match fragment {
        Fragment::Whole(range) => text.push_str(output.get(range.clone()).unwrap_or_default()),
        Fragment::Torn(range, Tear::Surrogate) => {
            if let Some(unit) = half(range, output) {
                text.push_half(unit);
            }
        }
        Fragment::Torn(range, Tear::Bytes) => {
            let bytes = output.as_bytes().get(range.clone()).unwrap_or_default();
            text.push_str(&String::from_utf8_lossy(bytes));
        }
    }
}

/// The half of a surrogate pair that `range` covers.
fn half(range: &Range<usize>, output: &str) -> Option<u16> {
    let at = output.floor_char_boundary(range.start);
    let char = output.get(at..)?.chars().next()?;
    let mut units = [0; 2];
    let second = usize::from(range.start >= at + HALF);
    char.encode_utf16(&mut units).get(second).copied()
}

/// How long a fragment is in the text that [`render`] makes with halves as U+FFFD.
fn rendered_len(fragment: &Fragment, output: &str) -> usize {
    match fragment {
        Fragment::Whole(range) => range.len(),
        Fragment::Torn(_, Tear::Surrogate) => char::REPLACEMENT_CHARACTER.len_utf8(),
        Fragment::Torn(range, Tear::Bytes) => {
            let bytes = output.as_bytes().get(range.clone()).unwrap_or_default();
            String::from_utf8_lossy(bytes).len()
        }
    }
}

/// The pieces of `output` that a second step leaves: `second` are parts of the text that `first`
/// makes of it.
pub fn compose(first: &[Piece], second: Vec<Piece>, output: &str) -> Vec<Piece> {
    let mut out = Vec::new();
    for piece in second {
        match piece {
            Piece::Words(words) => push(&mut out, Piece::Words(words)),
            Piece::Kept(kept) => {
                let form = kept.form;
                if form == Form::Plain {
                    through(first, &kept, output, &mut out);
                } else {
                    // A form is put on a whole part of the output at the end, never on words.
                    let mut inner = Vec::new();
                    through(first, &kept, output, &mut inner);
                    out.extend(inner.into_iter().map(|piece| match piece {
                        Piece::Kept(kept) => Piece::Kept(Kept { form, ..kept }),
                        Piece::Words(words) => Piece::Words(html_safe_json(&words)),
                    }));
                    if kept.range.is_empty() {
                        out.push(Piece::Kept(Kept {
                            range: 0..0,
                            ..kept
                        }));
                    }
                }
            }
        }
    }
    out
}

/// Appends what `part`, a range of the text that `first` makes, is in terms of the output.
fn through(first: &[Piece], part: &Kept, output: &str, out: &mut Vec<Piece>) {
    let mut at = 0;
    for piece in first {
        if at >= part.range.end {
            break;
        }
        match piece {
            Piece::Words(words) => {
                let cut = overlap(&part.range, at, words.len());
                let bytes = words.as_bytes().get(cut).unwrap_or_default();
                push(out, Piece::words(String::from_utf8_lossy(bytes)));
                at += words.len();
            }
            Piece::Kept(kept) => {
                for fragment in fragments(kept, output) {
                    let length = rendered_len(&fragment, output);
                    let cut = overlap(&part.range, at, length);
                    at += length;
                    if cut.is_empty() {
                        continue;
                    }
                    push(
                        out,
                        match fragment {
                            Fragment::Whole(range) => Piece::torn(
                                range.start + cut.start..range.start + cut.end,
                                part.tear,
                            ),
                            Fragment::Torn(range, tear) => Piece::torn(range, tear),
                        },
                    );
                }
            }
        }
    }
}

/// The part of `range` that lies within `length` bytes from `at`, counted from `at`.
fn overlap(range: &Range<usize>, at: usize, length: usize) -> Range<usize> {
    let start = range.start.saturating_sub(at).min(length);
    let end = range.end.saturating_sub(at).min(length);
    start..end.max(start)
}

/// The parts of an output of `length` bytes that no piece keeps, in order.
pub fn omitted(pieces: &[Piece], length: usize) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    let mut at = 0;
    for range in kept(pieces) {
        if range.start > at {
            out.push(at..range.start);
        }
        at = at.max(range.end);
    }
    if at < length {
        out.push(at..length);
    }
    out
}

/// The parts of an output that the pieces keep, in order, without overlaps.
pub fn kept(pieces: &[Piece]) -> Vec<Range<usize>> {
    let mut ranges: Vec<_> = pieces
        .iter()
        .filter_map(|piece| match piece {
            Piece::Kept(kept) if !kept.range.is_empty() => Some(kept.range.clone()),
            _ => None,
        })
        .collect();
    ranges.sort_by_key(|range| range.start);
    let mut out: Vec<Range<usize>> = Vec::with_capacity(ranges.len());
    for range in ranges {
        match out.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => out.push(range),
        }
    }
    out
}

/// A JSON string as Jinja's `tojson` writes it: ASCII only, and nothing that HTML would read.
fn html_safe_json(text: &str) -> String {
    let mut json = String::with_capacity(text.len() + 2);
    json.push('"');
    for char in text.chars() {
        match char {
            '"' => json.push_str("\\\""),
            '\\' => json.push_str("\\\\"),
            '\n' => json.push_str("\\n"),
            '\r' => json.push_str("\\r"),
            '\t' => json.push_str("\\t"),
            '\u{8}' => json.push_str("\\b"),
            '\u{c}' => json.push_str("\\f"),
            ' '..='~' if !matches!(char, '<' | '>' | '&' | '\'') => json.push(char),
            _ => {
                for unit in char.encode_utf16(&mut [0; 2]) {
                    let _ = write!(json, "\\u{unit:04x}");
                }
            }
        }
    }
    json.push('"');
    json
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(pieces: &[Piece], output: &str) -> String {
        render(pieces, output).into_string_lossy()
    }

    #[test]
    fn torn_characters_are_halves_or_bytes() {
        let output = "a😀b";
        let half = render(&[Piece::kept(0..3)], output);
        assert_eq!(half.to_json().unwrap(), r#""a\ud83d""#);
        let other = render(&[Piece::kept(3..6)], output);
        assert_eq!(other.to_json().unwrap(), r#""\ude00b""#);
        let bytes = [
            Piece::torn(0..3, Tear::Bytes),
            Piece::words("|"),
            Piece::torn(3..6, Tear::Bytes),
        ];
        assert_eq!(text(&bytes, output), "a\u{fffd}|\u{fffd}\u{fffd}b");
        let whole = joined([Piece::kept(0..3), Piece::kept(3..6)]);
        assert_eq!(text(&whole, output), output);
    }

    #[test]
    fn a_second_step_is_told_in_terms_of_the_output() {
        let output = "abcdefghij";
        let first = [Piece::kept(0..3), Piece::words("..."), Piece::kept(7..10)];
        let second = vec![Piece::kept(2..5), Piece::words("!"), Piece::kept(8..9)];
        let both = compose(&first, second, output);
        assert_eq!(text(&both, output), "c..!j");
        assert_eq!(
            both,
            [Piece::kept(2..3), Piece::words("..!"), Piece::kept(9..10)]
        );
        assert_eq!(omitted(&both, output.len()), [0..2, 3..9]);
    }

    #[test]
    fn a_torn_character_stays_torn_through_a_second_step() {
        let output = "😀😀";
        let first = [Piece::kept(0..2), Piece::words("-"), Piece::kept(6..8)];
        let shown = text(&first, output);
        let both = compose(&first, vec![Piece::kept(0..shown.len())], output);
        assert_eq!(both, first);
    }

    #[test]
    fn what_is_kept_twice_is_kept_once() {
        let pieces = [Piece::kept(0..5), Piece::words("x"), Piece::kept(3..8)];
        assert_eq!(kept(&pieces).as_slice(), std::slice::from_ref(&(0..8)));
        assert_eq!(omitted(&pieces, 8), Vec::<Range<usize>>::new());
    }
}
