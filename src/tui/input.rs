//! Keys, mouse and paste: what a person did, turned into actions.

use crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use ratatui::layout::{Position, Rect};

use super::action::Action;
use super::app::{App, Effect, Layer};
use super::area::{Areas, Pane};
use super::command;
use super::keys::{self, Key, Pending, Resolved};
use super::losses;
use super::palette::Chosen;
use super::prompt::{Prompt, Purpose, Typed};
use super::view;

/// Lines that one turn of the wheel scrolls.
const WHEEL: i16 = 3;

impl App {
    /// Takes what the terminal tells.
    pub fn event(&mut self, event: Event) -> Vec<Effect> {
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.key(key),
            Event::Mouse(mouse) => self.mouse(mouse),
            Event::Paste(text) => self.paste(&text),
            Event::Resize(columns, rows) => self.resize(columns, rows),
            _ => Vec::new(),
        }
    }

    /// Takes a key.
    pub fn key(&mut self, key: KeyEvent) -> Vec<Effect> {
        self.touch();
        if self.prompt.is_some() {
            return self.prompt_key(key);
        }
        if let Some(Layer::Palette(palette)) = &mut self.layer {
            return match palette.key(key) {
                Chosen::Nothing => Vec::new(),
                Chosen::Dropped => {
                    self.layer = None;
                    Vec::new()
                }
                Chosen::Action(action) => {
                    self.layer = None;
                    self.update_from_anywhere(&action)
                }
            };
        }
        // Esc takes back what was begun before it means anything else.
        if key.code == KeyCode::Esc && !self.pending.is_empty() {
            self.pending = Pending::default();
            return Vec::new();
        }
        let chain = self.chain();
        let before = self.pending.show();
        match keys::table().resolve(&mut self.pending, &chain, Key::from(key)) {
            Resolved::Pending => Vec::new(),
            Resolved::Action(action, count) => self.update(&action, count),
            Resolved::Nothing => {
                if !before.is_empty() {
                    self.complain(format!(
                        "{before} and then that key means nothing; ? lists the keys"
                    ));
                }
                Vec::new()
            }
        }
    }

    /// The user did something: what was said is read, and no jump comes unasked any more.
    fn touch(&mut self) {
        self.said = None;
        if let Some(main) = &mut self.main {
            main.may_jump = false;
            main.banner = None;
        }
    }

    fn prompt_key(&mut self, key: KeyEvent) -> Vec<Effect> {
        let Some(prompt) = &mut self.prompt else {
            return Vec::new();
        };
        if key.modifiers.contains(KeyModifiers::CONTROL) && key.code == KeyCode::Char('z') {
            return self.update(&Action::Suspend, None);
        }
        match prompt.key(key) {
            Typed::Nothing => Vec::new(),
            Typed::Changed => self.prompt_changed(),
            Typed::Given => self.prompt_given(),
            Typed::Dropped => self.prompt_dropped(),
        }
    }

    fn prompt_changed(&mut self) -> Vec<Effect> {
        let Some(prompt) = &self.prompt else {
            return Vec::new();
        };
        let text = prompt.text().to_owned();
        match &prompt.purpose {
            Purpose::Search => self.search_for(&text, false),
            Purpose::Command => Vec::new(),
            Purpose::Filter => {
                if let Some(start) = &mut self.start {
                    start.narrow(&text);
                }
                Vec::new()
            }
            Purpose::HelpSearch => {
                if let Some(Layer::Help(help)) = &mut self.layer {
                    help.filter = text;
                    help.top = 0;
                }
                Vec::new()
            }
            Purpose::Tab { .. } => self.update_tab(&Action::Edited(text), None),
        }
    }

    fn prompt_given(&mut self) -> Vec<Effect> {
        let Some(mut prompt) = self.prompt.take() else {
            return Vec::new();
        };
        let text = prompt.given().to_owned();
        match &prompt.purpose {
            Purpose::Search => self.search_for(&text, true),
            Purpose::Command => match command::read(&text) {
                Ok(command) => self.run(command),
                Err(fault) => {
                    // The text is not lost.
                    prompt.fault = Some(fault);
                    self.prompt = Some(prompt);
                    Vec::new()
                }
            },
            Purpose::Filter => self.update(&Action::Into, None),
            Purpose::HelpSearch => Vec::new(),
            Purpose::Tab { .. } => self.update_tab(&Action::Answered(text), None),
        }
    }

    fn prompt_dropped(&mut self) -> Vec<Effect> {
        let Some(prompt) = self.prompt.take() else {
            return Vec::new();
        };
        match &prompt.purpose {
            Purpose::Search => {
                if let Some(main) = &mut self.main {
                    main.search = None;
                }
                vec![]
            }
            Purpose::Command => Vec::new(),
            Purpose::Filter => {
                if let Some(start) = &mut self.start {
                    start.narrow("");
                }
                Vec::new()
            }
            Purpose::HelpSearch => {
                if let Some(Layer::Help(help)) = &mut self.layer {
                    help.filter.clear();
                }
                Vec::new()
            }
            Purpose::Tab { .. } => self.update_tab(&Action::Out, None),
        }
    }

    /// Asks for a line of text.
    pub fn ask(&mut self, purpose: Purpose, text: &str) {
        self.prompt = Some(Prompt::new(purpose, text));
    }

    fn paste(&mut self, text: &str) -> Vec<Effect> {
        self.touch();
        if let Some(prompt) = &mut self.prompt {
            return match prompt.paste(text) {
                Typed::Changed => self.prompt_changed(),
                _ => Vec::new(),
            };
        }
        if let Some(Layer::Palette(palette)) = &mut self.layer {
            palette.paste(text);
        } else {
            self.say("nothing takes a paste here; / searches, : takes a command");
        }
        Vec::new()
    }

    fn mouse(&mut self, mouse: MouseEvent) -> Vec<Effect> {
        let at = (mouse.column, mouse.row);
        match mouse.kind {
            MouseEventKind::ScrollDown => self.wheel(WHEEL, at),
            MouseEventKind::ScrollUp => self.wheel(-WHEEL, at),
            MouseEventKind::Down(MouseButton::Left) => {
                self.touch();
                self.pending = Pending::default();
                self.click(at)
            }
            _ => Vec::new(),
        }
    }

    fn wheel(&mut self, lines: i16, (column, row): (u16, u16)) -> Vec<Effect> {
        if self.layer.is_some() || self.main.is_none() {
            return self.update(&Action::Scroll(lines), None);
        }
        let Some(areas) = self.areas() else {
            return Vec::new();
        };
        match areas.pane_at(column, row) {
            Some(Pane::Timeline) => self.scroll_timeline(lines),
            Some(Pane::Detail) => self.update_tab(&Action::Scroll(lines), None),
            None => Vec::new(),
        }
    }

    fn click(&mut self, (column, row): (u16, u16)) -> Vec<Effect> {
        if self.layer.is_some() || self.prompt.is_some() {
            return Vec::new();
        }
        let Some(areas) = self.areas() else {
            return self.update(&Action::Click(column, row), None);
        };
        let at = Position::new(column, row);
        let inside = |area: Rect| area.contains(at);
        if inside(areas.timeline) {
            self.click_timeline(row.saturating_sub(areas.timeline.y))
        } else if inside(areas.losses) {
            self.click_losses(&areas, row)
        } else if inside(areas.tabs) {
            match view::tab_at(self, areas.tabs, column) {
                Some(tab) => self.update(&Action::OpenTab(tab), None),
                None => Vec::new(),
            }
        } else if inside(areas.tab) {
            self.focus(Pane::Detail);
            let action = Action::Click(column - areas.tab.x, row - areas.tab.y);
            self.update_tab(&action, None)
        } else if inside(areas.rail) {
            let event = self
                .main
                .as_ref()
                .and_then(|main| main.rail.event_at(areas.rail.width, column));
            event.map_or_else(Vec::new, |event| {
                self.update(&Action::GoToEvent(event), None)
            })
        } else {
            Vec::new()
        }
    }

    fn click_timeline(&mut self, row: u16) -> Vec<Effect> {
        let rows = self.timeline_rows();
        let event = self.main.as_ref().and_then(|main| {
            let position = usize::from(row.checked_sub(1)?);
            let visible = main.timeline.visible(main.recording.as_ref(), rows);
            visible.get(position).copied()
        });
        self.focus(Pane::Timeline);
        event.map_or_else(Vec::new, |event| {
            self.update(&Action::GoToEvent(event), None)
        })
    }

    fn click_losses(&mut self, areas: &Areas, row: u16) -> Vec<Effect> {
        let event = self.main.as_ref().and_then(|main| {
            let row = row.checked_sub(areas.losses.y)?;
            let losses = main.replay.losses();
            losses::at(losses, main.timeline.selected, areas.losses.height, row)
        });
        match event.map(|loss| loss.event) {
            Some(event) => self.update(&Action::GoToEvent(event), None),
            None => Vec::new(),
        }
    }

    fn focus(&mut self, pane: Pane) {
        if let Some(main) = &mut self.main {
            main.focus = pane;
        }
    }
}
