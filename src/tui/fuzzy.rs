//! Lists narrowed by a few letters, best first.

use nucleo_matcher::pattern::{CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};

/// The positions of the texts that a pattern matches, best first; all of them, in order, for an
/// empty one.
pub fn matches<'a>(pattern: &str, texts: impl Iterator<Item = &'a str>) -> Vec<usize> {
    let pattern = Pattern::parse(pattern, CaseMatching::Smart, Normalization::Smart);
    let mut matcher = Matcher::new(Config::DEFAULT);
    let mut buffer = Vec::new();
    let mut found: Vec<(u32, usize)> = texts
        .enumerate()
        .filter_map(|(position, text)| {
            let score = pattern.score(Utf32Str::new(text, &mut buffer), &mut matcher)?;
            Some((score, position))
        })
        .collect();
    found.sort_by_key(|&(score, position)| (std::cmp::Reverse(score), position));
    found.into_iter().map(|(_, position)| position).collect()
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn best_first_and_everything_for_nothing() {
        let texts = ["four-kinds", "released-too-early", "bricked"];
        assert_eq!(matches("", texts.into_iter()), [0, 1, 2]);
        assert_eq!(matches("rte", texts.into_iter()), [1]);
        assert_eq!(matches("zzz", texts.into_iter()), Vec::<usize>::new());
    }
}
