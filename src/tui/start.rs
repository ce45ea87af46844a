//! The list of recordings to pick from, when the program was started without one.

use super::action::Action;
use super::canvas::Canvas;
use super::fuzzy;
use super::theme::{Theme, glyph};
use crate::text;

/// A recording that can be picked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// Its name.
    pub name: String,
    /// What it shows.
    pub about: String,
    /// How much is in it.
    pub size: String,
}

/// The state of the list.
#[derive(Debug, Clone)]
pub struct Start {
    /// Everything that can be picked.
    pub choices: Vec<Choice>,
    /// What the list is narrowed by.
    filter: String,
    /// Positions of what is listed.
    listed: Vec<usize>,
    selected: usize,
    /// Why the last pick could not be opened.
    pub fault: Option<String>,
}

impl Start {
    /// A list.
    pub fn new(choices: Vec<Choice>) -> Self {
        let listed = (0..choices.len()).collect();
        Self {
            choices,
            filter: String::new(),
            listed,
            selected: 0,
            fault: None,
        }
    }

    /// What the list is narrowed by.
    pub fn filter(&self) -> &str {
        &self.filter
    }

    /// Narrows the list.
    pub fn narrow(&mut self, filter: &str) {
        filter.clone_into(&mut self.filter);
        // A name says more than what is said about it.
        let names = self.choices.iter().map(|choice| choice.name.as_str());
        self.listed = fuzzy::matches(filter, names);
        let about = self.choices.iter().map(|choice| choice.about.as_str());
        for position in fuzzy::matches(filter, about) {
            if !self.listed.contains(&position) {
                self.listed.push(position);
            }
        }
        self.selected = 0;
    }

    /// The position of the selected recording.
    pub fn selected(&self) -> Option<usize> {
        self.listed.get(self.selected).copied()
    }

    /// Moves; false if the action is not one of its own.
    pub fn update(&mut self, action: &Action, count: usize, rows: u16) -> bool {
        let last = self.listed.len().saturating_sub(1);
        let page = usize::from(rows).max(1);
        self.selected = match action {
            Action::Down => self.selected + count,
            Action::Up => self.selected.saturating_sub(count),
            Action::HalfDown => self.selected + page / 2,
            Action::HalfUp => self.selected.saturating_sub(page / 2),
            Action::PageDown => self.selected + page,
            Action::PageUp => self.selected.saturating_sub(page),
            Action::Top => 0,
            Action::Bottom => last,
            Action::Scroll(lines) => self.selected.saturating_add_signed(isize::from(*lines)),
            Action::Click(_, row) => match usize::from(*row).checked_sub(FIRST_ROW) {
                Some(position) if position <= last => position,
                _ => self.selected,
            },
            _ => return false,
        }
        .min(last);
        true
    }

    /// Draws the list.
    pub fn view(&self, canvas: &mut Canvas<'_>, theme: &Theme) {
        let width = canvas.columns();
        let rows = canvas.rows();
        canvas.put(1, 0, "toolreel", theme.title);
        canvas.put(12, 0, "pick a recording", theme.text);
        canvas.put_right(
            width.saturating_sub(1),
            0,
            "  / filter   ? help   q quit",
            theme.dim,
        );
        let after = canvas.put(1, 1, "DEMOS", theme.strong);
        if !self.filter.is_empty() {
            canvas.put(after + 2, 1, &format!("/{}", self.filter), theme.key);
        }
        if self.listed.is_empty() {
            canvas.put(
                3,
                2,
                "No recording with these letters. Esc takes them back.",
                theme.dim,
            );
        }
        let names = self.choices.iter().map(|choice| text::cells(&choice.name));
        let name_width = u16::try_from(names.max().unwrap_or(0))
            .unwrap_or(20)
            .clamp(8, 28);
        let room = usize::from(rows.saturating_sub(5)).max(1);
        let top = self.selected.saturating_sub(room - 1);
        let listed = self.listed.iter().enumerate().skip(top).take(room);
        let mut row = 2;
        for (position, choice) in listed {
            let Some(choice) = self.choices.get(*choice) else {
                continue;
            };
            let selected = position == self.selected;
            if selected {
                canvas.put(1, row, glyph::CURSOR, theme.strong);
            }
            canvas.field(3, row, name_width, &choice.name, theme.tool);
            let end = canvas.put_right(width.saturating_sub(2), row, &choice.size, theme.dim);
            let about = name_width + 7;
            canvas.field(
                about,
                row,
                end.saturating_sub(about + 2),
                &choice.about,
                theme.text,
            );
            if selected {
                canvas.style_row(row, theme.selection);
            }
            row += 1;
        }
        canvas.put(
            1,
            row + 1,
            "or: toolreel FILE      toolreel -      any JSON or text opens as one output",
            theme.dim,
        );
        if let Some(fault) = &self.fault {
            canvas.put(1, row + 2, fault, theme.error);
        }
    }
}

/// The row of the first recording.
const FIRST_ROW: usize = 2;

#[cfg(test)]
mod tests {
    use super::*;

    fn start() -> Start {
        let choice = |name: &str| Choice {
            name: name.to_owned(),
            about: String::new(),
            size: String::new(),
        };
        Start::new(vec![
            choice("released-too-early"),
            choice("four-kinds"),
            choice("bricked"),
        ])
    }

    #[test]
    fn moving_stops_at_the_ends_and_a_filter_narrows() {
        let mut start = start();
        start.update(&Action::Down, 9, 20);
        assert_eq!(start.selected(), Some(2));
        start.update(&Action::Top, 1, 20);
        assert_eq!(start.selected(), Some(0));
        start.narrow("brk");
        assert_eq!(start.selected(), Some(2));
        start.narrow("zzz");
        assert_eq!(start.selected(), None);
    }
}
