//! One line of text that is asked for at the bottom: a search, a command, a filter, a tab's question.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use tui_input::{Input, InputRequest};

use super::canvas::Canvas;
use super::theme::Theme;
use crate::text;

/// What the text is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Purpose {
    /// Search all text of the recording.
    Search,
    /// A command.
    Command,
    /// Narrow the list of recordings.
    Filter,
    /// Narrow the help.
    HelpSearch,
    /// A question of the open tab, which draws the text itself if it is in place.
    Tab {
        /// What is asked.
        label: String,
        /// The tab draws the text.
        in_place: bool,
    },
}

/// A line of text that is being typed.
#[derive(Debug, Clone)]
pub struct Prompt {
    /// What for.
    pub purpose: Purpose,
    /// Why the text cannot be taken, until it is changed.
    pub fault: Option<String>,
    input: Input,
    /// The text that it began with, while nothing else was done to it.
    begun: String,
}

/// What a key did to a prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Typed {
    /// The text was changed.
    Changed,
    /// The cursor moved, or nothing happened.
    Nothing,
    /// Enter: take the text.
    Given,
    /// Esc, or Backspace on nothing: forget it.
    Dropped,
}

impl Prompt {
    /// Asks, beginning with a text.
    pub fn new(purpose: Purpose, text: &str) -> Self {
        Self {
            purpose,
            fault: None,
            input: Input::new(text.to_owned()),
            begun: text.to_owned(),
        }
    }

    /// The text so far.
    pub fn text(&self) -> &str {
        self.input.value()
    }

    /// The text, given. Who was offered a beginning and typed it all the same meant it once.
    pub fn given(&self) -> &str {
        let text = self.text();
        match text.strip_prefix(self.begun.as_str()) {
            Some(rest) if !self.begun.is_empty() && rest.starts_with(&self.begun) => rest,
            _ => text,
        }
    }

    /// Takes a key.
    pub fn key(&mut self, key: KeyEvent) -> Typed {
        use InputRequest as Do;
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        let request = match (key.code, control) {
            (KeyCode::Enter, _) => return Typed::Given,
            (KeyCode::Esc, _) | (KeyCode::Char('c'), true) => return Typed::Dropped,
            (KeyCode::Backspace, _) | (KeyCode::Char('h'), true)
                if self.input.value().is_empty() =>
            {
                return Typed::Dropped;
            }
            (KeyCode::Backspace, _) | (KeyCode::Char('h'), true) => Do::DeletePrevChar,
            (KeyCode::Delete, _) | (KeyCode::Char('d'), true) => Do::DeleteNextChar,
            (KeyCode::Left, true) => Do::GoToPrevWord,
            (KeyCode::Right, true) => Do::GoToNextWord,
            (KeyCode::Left, false) | (KeyCode::Char('b'), true) => Do::GoToPrevChar,
            (KeyCode::Right, false) | (KeyCode::Char('f'), true) => Do::GoToNextChar,
            (KeyCode::Home, _) | (KeyCode::Char('a'), true) => Do::GoToStart,
            (KeyCode::End, _) | (KeyCode::Char('e'), true) => Do::GoToEnd,
            (KeyCode::Char('u'), true) => Do::DeleteLine,
            (KeyCode::Char('w'), true) => Do::DeletePrevWord,
            (KeyCode::Char('k'), true) => Do::DeleteTillEnd,
            (KeyCode::Char(character), false) => Do::InsertChar(character),
            _ => return Typed::Nothing,
        };
        self.apply(request)
    }

    /// Takes text from the clipboard: its first line, without what cannot be typed.
    pub fn paste(&mut self, text: &str) -> Typed {
        let line = text.trim_start().lines().next().unwrap_or_default();
        let mut typed = Typed::Nothing;
        for character in line.trim_end().chars().filter(|c| !c.is_control()) {
            if self.apply(InputRequest::InsertChar(character)) == Typed::Changed {
                typed = Typed::Changed;
            }
        }
        typed
    }

    fn apply(&mut self, request: InputRequest) -> Typed {
        let changed = self
            .input
            .handle(request)
            .is_some_and(|change| change.value);
        if changed {
            self.fault = None;
            return Typed::Changed;
        }
        Typed::Nothing
    }

    /// What stands before the text.
    fn sign(&self) -> String {
        match &self.purpose {
            Purpose::Search | Purpose::Filter | Purpose::HelpSearch => "/".to_owned(),
            Purpose::Command => ":".to_owned(),
            Purpose::Tab { label, .. } => format!("{label}: "),
        }
    }

    /// Draws the line, with `note` at its right end, and tells the column of the cursor.
    pub fn view(&self, canvas: &mut Canvas<'_>, theme: &Theme, note: &str) -> u16 {
        let start = canvas.put(0, 0, &self.sign(), theme.key);
        let note = self.fault.as_deref().unwrap_or(note);
        let note_style = if self.fault.is_some() {
            theme.error
        } else {
            theme.dim
        };
        let width = canvas.columns();
        // A note gives way to the text, and not the text to the note.
        let typed = u16::try_from(text::cells(self.text())).unwrap_or(u16::MAX);
        let least = typed.saturating_add(2).min(width.saturating_sub(start) / 2);
        let note_room = width.saturating_sub(start + least + 2);
        let note = text::fit(note, usize::from(note_room));
        let note_start = canvas.put_right(width.saturating_sub(1), 0, &note, note_style);
        let room = note_start.saturating_sub(start + 1);
        let before: String = self.text().chars().take(self.input.cursor()).collect();
        let shown = text::visible(self.text());
        let cursor = u16::try_from(text::cells(&before)).unwrap_or(u16::MAX);
        let scrolled = cursor.saturating_sub(room.saturating_sub(1));
        let mut part = canvas.part(start, 0, room, 1);
        part.clear();
        part.put(0, 0, after_cells(&shown, scrolled), theme.prompt);
        (start + cursor.saturating_sub(scrolled)).min(width.saturating_sub(1))
    }
}

/// A text without its first cells.
fn after_cells(shown: &str, cells: u16) -> &str {
    let mut gone = 0;
    let mut rest = shown.chars();
    while gone < usize::from(cells) {
        let Some(character) = rest.next() else { break };
        gone += text::cells(character.encode_utf8(&mut [0; 4]));
    }
    rest.as_str()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn press(prompt: &mut Prompt, code: KeyCode) -> Typed {
        prompt.key(KeyEvent::new(code, KeyModifiers::NONE))
    }

    #[test]
    fn typing_taking_back_and_giving() {
        let mut prompt = Prompt::new(Purpose::Search, "");
        for character in "3966".chars() {
            assert_eq!(press(&mut prompt, KeyCode::Char(character)), Typed::Changed);
        }
        assert_eq!(press(&mut prompt, KeyCode::Backspace), Typed::Changed);
        assert_eq!(prompt.text(), "396");
        assert_eq!(press(&mut prompt, KeyCode::Enter), Typed::Given);
        for _ in 0..3 {
            press(&mut prompt, KeyCode::Backspace);
        }
        assert_eq!(press(&mut prompt, KeyCode::Backspace), Typed::Dropped);
    }

    #[test]
    fn a_beginning_that_was_offered_and_pasted_again_is_meant_once() {
        let purpose = Purpose::Tab {
            label: "page token".to_owned(),
            in_place: false,
        };
        let mut prompt = Prompt::new(purpose, "mcp-cache-0:offset:");
        prompt.paste("mcp-cache-0:offset:256");
        assert_eq!(prompt.given(), "mcp-cache-0:offset:256");
        press(&mut prompt, KeyCode::Backspace);
        assert_eq!(prompt.given(), "mcp-cache-0:offset:25");
    }

    #[test]
    fn a_paste_is_one_line_without_controls() {
        let mut prompt = Prompt::new(Purpose::Search, "");
        prompt.paste("  mcp-cache-0:\u{1b}offset:256\nsecond");
        assert_eq!(prompt.text(), "mcp-cache-0:offset:256");
    }
}
