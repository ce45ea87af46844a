//! What is looked for, in all the spellings that JSON has for it.

use std::fmt::Write as _;
use std::ops::Range;

use memchr::memmem;
use regex::bytes::{Regex, RegexBuilder};

/// The longest needle, in characters: longer ones are cut.
const MAX_CHARS: usize = 1000;

/// Bytes before and after a hit that are looked at to judge it.
pub const MARGIN: usize = 512;

/// An unbroken run of base64 characters of at least this length is media and not text.
const BLOB: usize = 480;

/// A text to search for.
///
/// A needle without capitals is found in any case, one with capitals only as it stands. Quotes,
/// backslashes, control characters and characters outside ASCII are found escaped and raw, and any
/// character as `\uXXXX`.
#[derive(Debug, Clone)]
pub struct Needle {
    text: String,
    any_case: bool,
    /// Every character as it usually stands: literal, or with its short escape.
    usual: Regex,
    /// Every character in every spelling, `\uXXXX` included. Only used around a `\u`.
    spelled: Regex,
    /// The same over decoded text.
    plain: Regex,
    /// No spelling is longer than this, in bytes.
    longest: usize,
}

impl Needle {
    /// The needle of a typed text; none for an empty one.
    pub fn new(text: &str) -> Option<Self> {
        let text: String = text.chars().take(MAX_CHARS).collect();
        if text.is_empty() {
            return None;
        }
        let any_case = !text.chars().any(char::is_uppercase);
        let build = |pattern: &str| {
            RegexBuilder::new(pattern)
                .case_insensitive(any_case)
                .size_limit(64 << 20)
                .build()
                .ok()
        };
        let mut usual = String::new();
        let mut spelled = String::new();
        for char in text.chars() {
            push_usual(&mut usual, char);
            push_spelled(&mut spelled, char, any_case);
        }
        if text.contains('"') {
            // Quotes of JSON itself, around strings: all of them, since inside a string none is raw.
            usual.push('|');
            for char in text.chars() {
                match char {
                    '"' => usual.push('"'),
                    other => push_usual(&mut usual, other),
                }
            }
        }
        Some(Self {
            any_case,
            usual: build(&usual)?,
            spelled: build(&spelled)?,
            plain: build(&regex::escape(&text))?,
            longest: text.chars().map(|char| 6 * char.len_utf16()).sum(),
            text,
        })
    }

    /// The text as typed.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Capitals make no difference.
    pub const fn any_case(&self) -> bool {
        self.any_case
    }

    /// No hit is longer than this, in bytes.
    pub const fn longest(&self) -> usize {
        self.longest
    }

    /// The hits in recorded bytes, in order, none overlapping another.
    ///
    /// A hit that begins in the middle of an escape is none (`new` in `one\new line`), nor is one
    /// inside the base64 of an image.
    pub fn find_recorded(&self, bytes: &[u8]) -> Vec<Range<usize>> {
        let mut found = Self::texts(&self.usual, bytes, 0..bytes.len());
        let escapes = self.find_escaped(bytes);
        if !escapes.is_empty() {
            found.extend(escapes);
            found.sort_by_key(|hit| hit.start);
            found.dedup_by(|later, earlier| later.start < earlier.end);
        }
        found
    }

    /// The matches of a pattern within `part` that are text.
    fn texts(pattern: &Regex, bytes: &[u8], part: Range<usize>) -> Vec<Range<usize>> {
        let mut found = Vec::new();
        let searched = bytes.get(..part.end).unwrap_or_default();
        let mut at = part.start;
        while at < searched.len()
            && let Some(hit) = pattern.find_at(searched, at)
        {
            if is_text(bytes, &hit.range()) {
                found.push(hit.range());
                at = hit.end();
            } else {
                // One that is text may begin inside one that is none: `nn` in `\nnn`.
                at = hit.start() + 1;
            }
        }
        found
    }

    /// The hits in decoded text.
    pub fn find_text(&self, text: &str) -> Vec<Range<usize>> {
        self.plain
            .find_iter(text.as_bytes())
            .map(|hit| hit.range())
            .collect()
    }

    /// The first hit in decoded text.
    pub fn first_in_text(&self, text: &str) -> Option<Range<usize>> {
        self.plain.find(text.as_bytes()).map(|hit| hit.range())
    }

    /// The hits that use a `\uXXXX`: looked for only around those, which most recordings have few of.
    fn find_escaped(&self, bytes: &[u8]) -> Vec<Range<usize>> {
        let mut found = Vec::new();
        let mut search = |near: Range<usize>| found.extend(Self::texts(&self.spelled, bytes, near));
        // The surroundings of escapes that lie close together are one stretch.
        let mut stretch: Option<Range<usize>> = None;
        for escape in memmem::find_iter(bytes, br"\u") {
            let from = escape.saturating_sub(self.longest);
            let to = (escape + self.longest + 6).min(bytes.len());
            stretch = Some(match stretch {
                Some(open) if from <= open.end => open.start..to,
                Some(done) => {
                    search(done);
                    from..to
                }
                None => from..to,
            });
        }
        if let Some(last) = stretch {
            search(last);
        }
        found
    }
}

/// Not the second half of an escape, and not media.
fn is_text(bytes: &[u8], hit: &Range<usize>) -> bool {
    backslashes_before(bytes, hit.start).is_multiple_of(2)
        && !inside_unicode_escape(bytes, hit.start)
        && !inside_blob(bytes, hit)
}

fn backslashes_before(bytes: &[u8], at: usize) -> usize {
    bytes
        .iter()
        .take(at)
        .rev()
        .take_while(|byte| **byte == b'\\')
        .count()
}

/// `at` is one of the four digits of a `\uXXXX`.
fn inside_unicode_escape(bytes: &[u8], at: usize) -> bool {
    (1..=4).any(|back| {
        let Some(letter) = at.checked_sub(back) else {
            return false;
        };
        bytes.get(letter) == Some(&b'u')
            && backslashes_before(bytes, letter) % 2 == 1
            && bytes
                .get(letter + 1..at)
                .is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
    })
}

fn inside_blob(bytes: &[u8], hit: &Range<usize>) -> bool {
    let of_base64 =
        |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(**byte, b'+' | b'/' | b'-' | b'_');
    let inside = bytes.get(hit.clone()).unwrap_or_default();
    if !inside.iter().all(|byte| of_base64(&byte)) {
        return false;
    }
    let before = bytes
        .iter()
        .take(hit.start)
        .rev()
        .take(MARGIN)
        .take_while(of_base64)
        .count();
    let after = bytes
        .iter()
        .skip(hit.end)
        .take(MARGIN)
        .take_while(of_base64)
        .count();
    before + inside.len() + after >= BLOB
}

const fn short_escape(char: char) -> Option<&'static str> {
    Some(match char {
        '"' => "\\\"",
        '\\' => "\\\\",
        '/' => "\\/",
        '\n' => "\\n",
        '\r' => "\\r",
        '\t' => "\\t",
        '\u{8}' => "\\b",
        '\u{c}' => "\\f",
        _ => return None,
    })
}

fn push_usual(pattern: &mut String, char: char) {
    let literal = regex::escape(char.encode_utf8(&mut [0; 4]));
    match short_escape(char) {
        // In a recorded string a backslash is always two of them, and a quote has one before it.
        Some(escaped) if matches!(char, '\\' | '"') => pattern.push_str(&regex::escape(escaped)),
        Some(escaped) => {
            // The escape is a letter of either case that must not follow the needle's case rule.
            let _ = write!(
                pattern,
                "(?:{literal}|(?-i:{escaped}))",
                escaped = regex::escape(escaped)
            );
        }
        None => pattern.push_str(&literal),
    }
}

fn push_spelled(pattern: &mut String, char: char, any_case: bool) {
    let mut cases = vec![char];
    if any_case {
        cases.extend(single(char.to_uppercase()));
        cases.extend(single(char.to_lowercase()));
        cases.dedup();
    }
    pattern.push_str("(?:");
    push_usual(pattern, char);
    for char in cases {
        pattern.push('|');
        for unit in char.encode_utf16(&mut [0; 2]) {
            let _ = write!(pattern, r"(?-i:\\u)(?i:{unit:04x})");
        }
    }
    pattern.push(')');
}

/// The one character of a case mapping; none where it maps to several.
fn single(mut mapped: impl Iterator<Item = char>) -> Option<char> {
    let first = mapped.next()?;
    mapped.next().is_none().then_some(first)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn count(needle: &str, recorded: &str) -> usize {
        Needle::new(needle)
            .unwrap()
            .find_recorded(recorded.as_bytes())
            .len()
    }

    #[test]
    fn every_spelling_is_found() {
        for recorded in [
            r#""caf\u00e9""#,
            r#""caf\u00E9""#,
            "\"café\"",
            r#""c\u0061f\u00e9""#,
            r#""\u0063\u0061\u0066\u00e9""#,
        ] {
            assert_eq!(count("café", recorded), 1, "{recorded}");
        }
        assert_eq!(count("/x", r#""a\/x" "a/x" "a\u002fx""#), 3);
        assert_eq!(count("a\"b", r#""a\"b" "a\u0022b""#), 2);
        assert_eq!(count("a\\b", r#""a\\b" "a\u005cb""#), 2);
        assert_eq!(count("a\nb", r#""a\nb" "a\u000ab" "a\u000Ab""#), 3);
        assert_eq!(count("😀", r#""😀" "\ud83d\ude00" "\uD83D\uDE00""#), 3);
    }

    #[test]
    fn an_escape_is_not_taken_apart() {
        assert_eq!(count("new", r#""one\new two""#), 0);
        assert_eq!(count("new", r#""one\\new two""#), 1);
        assert_eq!(count("nnew", r#""one\nnew""#), 0);
        assert_eq!(count("00e9", r#""caf\u00e9""#), 0);
        assert_eq!(count("e9", r#""caf\u00e9 e9""#), 1);
        assert_eq!(count("u00e9", r#""\\u00e9""#), 1);
        assert_eq!(count("\"", r#"\"a\\\"b"#), 2);
        assert_eq!(count("nn", r#""one\nnn""#), 1);
        assert_eq!(count("\"\"", r#"{"k":"\"\""}"#), 1);
        assert_eq!(count("\"k\":1", r#"{"k":1,"s":"{\"k\":1}"}"#), 2);
    }

    #[test]
    fn capitals_decide_about_case() {
        assert_eq!(count("login", "Login LOGIN login"), 3);
        assert_eq!(count("Login", "Login LOGIN login"), 1);
        assert_eq!(count("é", r"É \u00c9 é"), 3);
        // The short escape of a newline is no capital N.
        assert_eq!(count("a\nb", r"a\Nb"), 0);
    }

    #[test]
    fn base64_is_no_text() {
        let blob = "QUJD".repeat(300);
        assert_eq!(count("QUJD", &format!(r#""data":"{blob}""#)), 0);
        assert_eq!(count("QUJD", r#""data":"QUJDQUJD""#), 2);
    }

    #[test]
    fn no_spelling_is_longer_than_it_says() {
        let needle = Needle::new("a😀\n").unwrap();
        assert_eq!(needle.longest(), 6 + 12 + 6);
        let recorded = br"\u0061\ud83d\ude00\u000a";
        assert_eq!(needle.find_recorded(recorded), vec![0..recorded.len()]);
    }

    #[test]
    fn nothing_is_no_needle() {
        assert!(Needle::new("").is_none());
        assert!(Needle::new(&"x".repeat(100_000)).is_some());
    }
}
