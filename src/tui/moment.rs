//! A moment: the command line that reopens exactly this view.

use super::app::Main;
use super::held::Held;
use super::tab::{Place, TabName};

/// The command line of what is on the screen.
pub fn command_line(main: &Main) -> String {
    let mut words = main.command.clone();
    if let Some(selected) = main.timeline.selected {
        words.extend(["--at".to_owned(), selected.index().to_string()]);
    }
    let tab = main.tabs.open;
    words.extend(["--tab".to_owned(), tab.name().to_owned()]);
    let item = match main.tabs.tab().and_then(Held::place) {
        Some(Place::Item(item))
            if matches!(tab, TabName::Blocks | TabName::Why | TabName::Pages) =>
        {
            Some(item)
        }
        _ => None,
    };
    if let Some(item) = item {
        words.extend(["--item".to_owned(), item.to_string()]);
    }
    if let Some(settings) = main.settings {
        let threshold = settings.threshold_bytes.to_string();
        let page = settings.page_size.to_string();
        words.extend(["--threshold-bytes".to_owned(), threshold]);
        words.extend(["--page-size".to_owned(), page]);
    }
    // An item names the place already; the search that led to it would only jump again.
    if item.is_none()
        && let Some(search) = &main.search
    {
        let text = search.needle.text();
        // As one word, so that a text which begins with a dash is no option.
        words.push(format!("--search={text}"));
    }
    words
        .iter()
        .map(|word| quoted(word))
        .collect::<Vec<_>>()
        .join(" ")
}

/// A word as a shell reads it back.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=@%+,~".contains(c);
    if !word.is_empty() && !word.starts_with('~') && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn words_are_quoted_for_a_shell() {
        assert_eq!(
            quoted("released-too-early.jsonl"),
            "released-too-early.jsonl"
        );
        assert_eq!(quoted("my file.jsonl"), "'my file.jsonl'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!(quoted("$HOME"), "'$HOME'");
        assert_eq!(quoted(""), "''");
    }
}
