//! The palette: every action found by a few letters of what it does.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::action::Action;
use super::canvas::Canvas;
use super::fuzzy;
use super::keys::{self, Scope};
use super::prompt::{Prompt, Purpose, Typed};
use super::theme::{Theme, glyph};

/// The state of the palette.
#[derive(Debug, Clone)]
pub struct Palette {
    prompt: Prompt,
    found: Vec<&'static Action>,
    selected: usize,
}

/// What a key did to the palette.
#[derive(Debug, Clone, PartialEq)]
pub enum Chosen {
    /// Nothing yet.
    Nothing,
    /// This action.
    Action(Action),
    /// Nothing, and the palette is closed.
    Dropped,
}

impl Default for Palette {
    fn default() -> Self {
        let mut palette = Self {
            prompt: Prompt::new(Purpose::Command, ""),
            found: Vec::new(),
            selected: 0,
        };
        palette.search();
        palette
    }
}

impl Palette {
    fn search(&mut self) {
        let found = fuzzy::matches(self.prompt.text(), Action::NAMED.iter().map(Action::doc));
        self.found = found
            .into_iter()
            .filter_map(|position| Action::NAMED.get(position))
            // Choosing it would only open what is open.
            .filter(|action| **action != Action::Palette)
            .collect();
        self.selected = 0;
    }

    /// Takes a key.
    pub fn key(&mut self, key: KeyEvent) -> Chosen {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        let last = self.found.len().saturating_sub(1);
        match (key.code, control) {
            (KeyCode::Down, _) | (KeyCode::Char('n' | 'j'), true) => {
                self.selected = (self.selected + 1).min(last);
            }
            (KeyCode::Up, _) | (KeyCode::Char('p' | 'k'), true) => {
                self.selected = self.selected.saturating_sub(1);
            }
            _ => match self.prompt.key(key) {
                Typed::Changed => self.search(),
                Typed::Nothing => {}
                Typed::Dropped => return Chosen::Dropped,
                Typed::Given => {
                    return match self.found.get(self.selected) {
                        Some(action) => Chosen::Action((*action).clone()),
                        None => Chosen::Nothing,
                    };
                }
            },
        }
        Chosen::Nothing
    }

    /// Takes text from the clipboard.
    pub fn paste(&mut self, text: &str) {
        self.prompt.paste(text);
        self.search();
    }

    /// Draws it, and tells where its cursor stands.
    pub fn view(&self, canvas: &mut Canvas<'_>, theme: &Theme, chain: &[Scope]) -> (u16, u16) {
        let width = canvas.columns();
        let listed = canvas.rows().saturating_sub(1);
        let note = format!("{} of {}", self.found.len(), Action::NAMED.len() - 1);
        let cursor = self.prompt.view(
            &mut canvas.part(1, 0, width.saturating_sub(2), 1),
            theme,
            &note,
        );
        let top = self
            .selected
            .saturating_sub(usize::from(listed).saturating_sub(1));
        if self.found.is_empty() {
            canvas.put(2, 1, "No action with these letters.", theme.dim);
        }
        let shown = self.found.iter().enumerate().skip(top);
        for (row, (position, action)) in (1..=listed).zip(shown) {
            let selected = position == self.selected;
            if selected {
                canvas.put(0, row, glyph::CURSOR, theme.strong);
            }
            let keys = keys::table()
                .shown_for(action, chain)
                .or_else(|| keys::table().shown_anywhere(action));
            let end = match keys {
                Some(keys) => canvas.put_right(width.saturating_sub(1), row, keys, theme.key),
                None => width,
            };
            canvas.field(2, row, end.saturating_sub(3), action.doc(), theme.text);
            if selected {
                canvas.style_row(row, theme.selection);
            }
        }
        (cursor + 1, 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(palette: &mut Palette, text: &str) {
        for character in text.chars() {
            palette.key(KeyEvent::new(KeyCode::Char(character), KeyModifiers::NONE));
        }
    }

    #[test]
    fn an_action_is_found_by_letters_of_what_it_does() {
        let mut palette = Palette::default();
        typed(&mut palette, "next loss");
        let enter = KeyEvent::new(KeyCode::Enter, KeyModifiers::NONE);
        assert_eq!(palette.key(enter), Chosen::Action(Action::NextLoss));
    }

    #[test]
    fn letters_that_match_nothing_choose_nothing() {
        let mut palette = Palette::default();
        typed(&mut palette, "zzzzqq");
        let enter = KeyEvent::new(KeyCode::Enter, KeyModifiers::NONE);
        assert_eq!(palette.key(enter), Chosen::Nothing);
        let escape = KeyEvent::new(KeyCode::Esc, KeyModifiers::NONE);
        assert_eq!(palette.key(escape), Chosen::Dropped);
    }
}
