//! Doing what was typed after `:`.

use crate::session::event::EventId;
use crate::tui::action::Action;
use crate::tui::app::{App, Effect, Goal};
use crate::tui::command::Command;
use crate::tui::tab::{Place, TabName};

impl App {
    /// Does a command.
    pub fn run(&mut self, command: Command) -> Vec<Effect> {
        if let Command::Action(action) = &command {
            return self.update_from_anywhere(action);
        }
        let Some(main) = &mut self.main else {
            self.complain("that needs an open recording");
            return Vec::new();
        };
        match command {
            Command::Action(_) => Vec::new(),
            Command::Event(index) => {
                main.at_end = false;
                let count = main.recording.count();
                match EventId::from_index(index) {
                    Some(event) if event.position() < count => {
                        self.update(&Action::GoToEvent(event), None)
                    }
                    _ if !main.complete => {
                        main.goal = Goal::Event(index);
                        self.say(format!("going to #{index} as soon as it is read"));
                        Vec::new()
                    }
                    _ => {
                        self.complain(format!("there is no #{index}; the last is #{count}"));
                        Vec::new()
                    }
                }
            }
            Command::Call(id) => {
                if let Some(event) = main.recording.find(&id) {
                    return self.update(&Action::GoToEvent(event), None);
                }
                self.complain(format!("no call with the id {id}"));
                Vec::new()
            }
            Command::AtEnd | Command::AtSelected => {
                main.at_end = command == Command::AtEnd;
                let text = if main.at_end {
                    "the result cache is asked as of the end; :at here goes back"
                } else {
                    "the result cache is asked as of the selected event"
                };
                self.say(text);
                self.settle()
            }
            Command::Tab(tab) => self.update(&Action::OpenTab(tab), None),
            Command::Item(item) => {
                let mut effects = self.open_tab(TabName::Blocks, Some(Place::Item(item)));
                effects.extend(self.settle());
                effects
            }
            Command::Search(text) => self.search_for(&text, true),
        }
    }
}
