//! Lines, in the senses that clients give the word.

use std::ops::Range;

/// How many parts `text.split('\n')` has: one more than there are line feeds.
pub fn count(text: &str) -> usize {
    memchr::memchr_iter(b'\n', text.as_bytes()).count() + 1
}

/// How many line feeds there are.
pub fn newlines(text: &str) -> usize {
    memchr::memchr_iter(b'\n', text.as_bytes()).count()
}

/// The parts of a text between its line feeds.
#[derive(Debug, Clone)]
pub struct Rows {
    /// Where each line feed stands.
    newlines: Vec<usize>,
    len: usize,
}

impl Rows {
    /// The rows of `text`; an empty text is one empty row.
    pub fn of(text: &str) -> Self {
        Self {
            newlines: memchr::memchr_iter(b'\n', text.as_bytes()).collect(),
            len: text.len(),
        }
    }

    /// How many there are: at least one.
    pub fn count(&self) -> usize {
        self.newlines.len() + 1
    }

    /// Where a row stands, without its line feed; an empty range at the end for rows that do not
    /// exist.
    pub fn row(&self, index: usize) -> Range<usize> {
        let end = self.newlines.get(index).copied().unwrap_or(self.len);
        self.start(index)..end
    }

    /// Where a row starts.
    fn start(&self, index: usize) -> usize {
        match index.checked_sub(1) {
            None => 0,
            Some(before) => self.newlines.get(before).map_or(self.len, |at| at + 1),
        }
    }

    /// The rows from one to before another, with the line feeds between them but not the last.
    pub fn span(&self, rows: Range<usize>) -> Range<usize> {
        if rows.is_empty() || rows.start >= self.count() {
            let at = self.start(rows.start);
            return at..at;
        }
        self.start(rows.start)..self.row(rows.end - 1).end
    }

    /// The first `number` rows.
    pub fn head(&self, number: usize) -> Range<usize> {
        self.span(0..number.min(self.count()))
    }

    /// The first `number` rows, each with its line feed.
    pub fn head_with_newlines(&self, number: usize) -> Range<usize> {
        0..self.start(number.min(self.count()))
    }

    /// The last `number` rows.
    pub fn tail(&self, number: usize) -> Range<usize> {
        let number = number.min(self.count());
        if number == 0 {
            return self.len..self.len;
        }
        self.span(self.count() - number..self.count())
    }
}

/// Splits at every line end that Python's `str.splitlines` knows; each line with its end.
pub fn unicode_lines(text: &str) -> UnicodeLines<'_> {
    UnicodeLines { text, at: 0 }
}

/// See [`unicode_lines`].
#[derive(Debug, Clone)]
pub struct UnicodeLines<'a> {
    text: &'a str,
    at: usize,
}

/// A line and its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnicodeLine {
    /// Where the line stands, without its end.
    pub line: Range<usize>,
    /// Where the line's end ends.
    pub end: usize,
}

impl Iterator for UnicodeLines<'_> {
    type Item = UnicodeLine;

    fn next(&mut self) -> Option<UnicodeLine> {
        let rest = self.text.get(self.at..).filter(|rest| !rest.is_empty())?;
        let start = self.at;
        let mut chars = rest.char_indices().peekable();
        while let Some((at, char)) = chars.next() {
            if !is_line_end(char) {
                continue;
            }
            let line = start..start + at;
            let mut end = line.end + char.len_utf8();
            if char == '\r' && chars.peek().is_some_and(|(_, next)| *next == '\n') {
                end += 1;
            }
            self.at = end;
            return Some(UnicodeLine { line, end });
        }
        self.at = self.text.len();
        Some(UnicodeLine {
            line: start..self.at,
            end: self.at,
        })
    }
}

/// The line ends of Python's `str.splitlines`.
const fn is_line_end(char: char) -> bool {
    matches!(
        char,
        '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{1c}'..='\u{1e}' | '\u{85}' | '\u{2028}' | '\u{2029}'
    )
}

/// White space as Python's `str.strip` sees it.
pub fn is_python_space(char: char) -> bool {
    char.is_whitespace() || matches!(char, '\u{1c}'..='\u{1f}')
}

/// White space as JavaScript's `String.prototype.trim` sees it.
pub fn is_js_space(char: char) -> bool {
    (char.is_whitespace() && char != '\u{85}') || char == '\u{feff}'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_what_stands_between_line_feeds() {
        let text = "a\nbc\n\nd\n";
        let rows = Rows::of(text);
        assert_eq!(rows.count(), 5);
        assert_eq!(&text[rows.head(2)], "a\nbc");
        assert_eq!(&text[rows.head_with_newlines(2)], "a\nbc\n");
        assert_eq!(&text[rows.head_with_newlines(0)], "");
        assert_eq!(&text[rows.tail(2)], "d\n");
        assert_eq!(&text[rows.tail(0)], "");
        assert_eq!(&text[rows.tail(9)], text);
        assert_eq!(&text[rows.span(1..3)], "bc\n");
        assert_eq!(rows.span(7..9), 8..8);
        assert_eq!(Rows::of("").count(), 1);
    }

    #[test]
    fn lines_end_where_python_says() {
        let text = "a\r\nb\rc\u{2028}d\u{b}\n";
        let lines: Vec<_> = unicode_lines(text).map(|line| &text[line.line]).collect();
        assert_eq!(lines, ["a", "b", "c", "d", ""]);
        assert_eq!(unicode_lines("").count(), 0);
        assert_eq!(unicode_lines("x\n").count(), 1);
    }
}
