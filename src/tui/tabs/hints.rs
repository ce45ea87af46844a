//! The keys of a tab, from the key table, in as few lines as the pane needs.

use super::line::{Ink, Line, width};
use crate::tui::keys::{Scope, table};

/// The lines that name the keys of a tab in a pane of so many columns.
pub fn hints(scope: Scope, columns: u16) -> Vec<Line> {
    let columns = usize::from(columns);
    let mut lines: Vec<Line> = Vec::new();
    for (key, word) in table().bar(scope) {
        let pair = Line::of(Ink::Key, key.to_owned()).and(Ink::Dim, format!(" {word}"));
        match lines.last_mut() {
            Some(last) if width(&last.left) + 2 + width(&pair.left) <= columns => {
                last.push(Ink::Dim, "  ");
                last.left.extend(pair.left);
            }
            _ => lines.push(pair),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_keys_of_pages_fit_two_lines_of_a_pane() {
        let lines = hints(Scope::Pages, 61);
        assert!(lines.len() <= 3, "{lines:?}");
        assert!(lines.iter().all(|line| width(&line.left) <= 61));
        assert!(
            lines
                .first()
                .is_some_and(|line| line.text().starts_with("l next"))
        );
    }
}
