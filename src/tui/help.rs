//! The help: the key table, read out. It scrolls and can be narrowed.

use super::action::Action;
use super::canvas::Canvas;
use super::command;
use super::keys::{self, Entry, Scope};
use super::theme::Theme;

/// The state of the help.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Help {
    /// First line shown.
    pub top: usize,
    /// Only lines with these words.
    pub filter: String,
}

enum Line {
    Heading(&'static str),
    Keys(&'static Entry),
    Command(&'static str, &'static str),
    Empty,
}

impl Help {
    /// Lines that match the filter, each group under its heading.
    fn lines(&self) -> Vec<Line> {
        let entries = keys::table().entries();
        let mut groups: Vec<&'static str> = Vec::new();
        for entry in entries {
            if !groups.contains(&entry.group.as_str()) {
                groups.push(&entry.group);
            }
        }
        let mut lines = Vec::new();
        for group in groups {
            let mut found = entries
                .iter()
                .filter(|entry| entry.group == group && self.takes(entry))
                .peekable();
            if found.peek().is_none() {
                continue;
            }
            if !lines.is_empty() {
                lines.push(Line::Empty);
            }
            lines.push(Line::Heading(group));
            lines.extend(found.map(Line::Keys));
        }
        let mut commands = command::LIST
            .iter()
            .filter(|(command, doc)| self.has_words(&format!("{command} {doc} commands")))
            .peekable();
        if commands.peek().is_some() {
            lines.extend((!lines.is_empty()).then_some(Line::Empty));
            lines.push(Line::Heading("Commands"));
            lines.extend(commands.map(|(command, doc)| Line::Command(command, doc)));
        }
        lines
    }

    fn takes(&self, entry: &Entry) -> bool {
        let text = format!("{} {} {}", entry.keys.join(" "), entry.doc(), entry.group);
        self.has_words(&text)
    }

    fn has_words(&self, text: &str) -> bool {
        let text = text.to_lowercase();
        self.filter
            .to_lowercase()
            .split_whitespace()
            .all(|word| text.contains(word))
    }

    /// Moves; tells whether the action was one of its own.
    pub fn update(&mut self, action: &Action, count: usize, rows: u16) -> bool {
        let page = usize::from(rows.saturating_sub(2)).max(1);
        let last = self.lines().len().saturating_sub(page);
        self.top = match action {
            Action::Down => self.top + count,
            Action::Up => self.top.saturating_sub(count),
            Action::HalfDown => self.top + page / 2,
            Action::HalfUp => self.top.saturating_sub(page / 2),
            Action::PageDown => self.top + page,
            Action::PageUp => self.top.saturating_sub(page),
            Action::Top => 0,
            Action::Bottom => last,
            Action::Scroll(lines) => self.top.saturating_add_signed(isize::from(*lines)),
            _ => return false,
        }
        .min(last);
        true
    }

    /// Draws it.
    pub fn view(&self, canvas: &mut Canvas<'_>, theme: &Theme) {
        let rows = canvas.rows();
        let width = canvas.columns();
        let after = canvas.put(1, 0, "Keys", theme.title);
        let after = canvas.put(after + 2, 0, "digits before a key are a count", theme.dim);
        if after + 34 < width {
            canvas.put_right(width - 1, 0, "j k scroll   / search   Esc back", theme.dim);
        }
        let lines = self.lines();
        if lines.is_empty() {
            canvas.put(2, 2, "No key with these words.", theme.text);
        }
        for (row, line) in (2..rows).zip(lines.iter().skip(self.top)) {
            match line {
                Line::Empty => {}
                Line::Heading(group) => {
                    let after = canvas.put(1, row, group, theme.strong);
                    canvas.put(after + 1, row, heading_note(group), theme.dim);
                }
                Line::Command(command, doc) => {
                    let after = canvas.put(3, row, command, theme.key);
                    canvas.put(after.max(20) + 1, row, doc, theme.text);
                }
                Line::Keys(entry) => {
                    let after = canvas.put(3, row, &entry.keys.join("  "), theme.key);
                    canvas.put(after.max(20) + 1, row, entry.doc(), theme.text);
                }
            }
        }
    }
}

/// Where the keys of a group hold, if that is not everywhere.
fn heading_note(group: &str) -> &'static str {
    let scope = keys::table()
        .entries()
        .iter()
        .find(|entry| entry.group == group)
        .map(|entry| entry.scope);
    match scope {
        Some(Scope::Main) => "both panes",
        Some(Scope::Pages | Scope::Rerun | Scope::Providers | Scope::Blocks | Scope::Raw) => {
            "in this tab"
        }
        Some(Scope::Why) => "in the answer to w",
        Some(Scope::Start) => "in the list of recordings",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use ratatui::buffer::{Buffer, Cell};
    use ratatui::layout::Rect;

    use super::*;

    #[test]
    fn every_binding_is_in_the_help() {
        let help = Help::default();
        let shown = help
            .lines()
            .iter()
            .filter(|line| matches!(line, Line::Keys(_)))
            .count();
        assert_eq!(shown, keys::table().entries().len());
    }

    #[test]
    fn the_help_is_narrowed_by_words_in_any_order() {
        let help = Help {
            filter: "LOSS next".to_owned(),
            top: 0,
        };
        let mut buffer = Buffer::empty(Rect::new(0, 0, 60, 6));
        help.view(
            &mut Canvas::new(&mut buffer, Rect::new(0, 0, 60, 6)),
            &Theme::plain(),
        );
        let text: String = buffer.content.iter().map(Cell::symbol).collect();
        assert!(text.contains("]l") && text.contains("Next loss"), "{text}");
        assert!(!text.contains("Previous"), "{text}");
    }

    #[test]
    fn it_scrolls_to_its_end_and_no_further() {
        let mut help = Help::default();
        help.update(&Action::Bottom, 1, 24);
        let bottom = help.top;
        assert!(bottom > 0);
        help.update(&Action::PageDown, 1, 24);
        assert_eq!(help.top, bottom);
        help.update(&Action::Top, 1, 24);
        assert_eq!(help.top, 0);
    }
}
