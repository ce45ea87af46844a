//! What was searched, marked wherever it stands on a visible line.

use std::ops::Range;

use regex::Regex;

/// A text that was searched, as it was typed: a regular expression where it is one, in any case
/// unless it holds a capital letter.
#[derive(Debug, Clone)]
pub struct Pattern {
    typed: String,
    regex: Regex,
}

impl Pattern {
    /// Reads what was typed; none where there is nothing to find.
    pub fn new(typed: &str) -> Option<Self> {
        if typed.is_empty() {
            return None;
        }
        let build = |pattern: &str| {
            regex::RegexBuilder::new(pattern)
                .case_insensitive(!typed.chars().any(char::is_uppercase))
                .size_limit(1 << 20)
                .build()
        };
        let regex = build(typed)
            .or_else(|_| build(&regex::escape(typed)))
            .ok()?;
        Some(Self {
            typed: typed.to_owned(),
            regex,
        })
    }

    /// What was typed.
    pub fn typed(&self) -> &str {
        &self.typed
    }

    /// Where it stands in a line, in order and apart from each other.
    pub fn find(&self, line: &str) -> Vec<Range<usize>> {
        self.regex
            .find_iter(line)
            .map(|found| found.range())
            .filter(|range| !range.is_empty())
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Pattern;

    #[test]
    fn small_letters_find_capitals_and_what_is_no_expression_is_a_text() {
        let find = |typed: &str, line: &str| Pattern::new(typed).unwrap().find(line);
        assert_eq!(find("login", "Login login"), [0..5, 6..11]);
        assert_eq!(find("Login", "Login login").first(), Some(&(0..5)));
        assert_eq!(find("a(b", "xa(b").first(), Some(&(1..4)));
        assert!(Pattern::new("").is_none());
    }
}
