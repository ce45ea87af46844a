//! The open tab: what is given to it, and what it asks for.

use crate::tui::action::Action;
use crate::tui::app::{App, Effect, Main};
use crate::tui::area::Pane;
use crate::tui::held::Held;
use crate::tui::prompt::Purpose;
use crate::tui::search::Search;
use crate::tui::tab::{self, Outcome, Place, TabName};

impl App {
    pub(super) fn open_tab(&mut self, tab: TabName, place: Option<Place>) -> Vec<Effect> {
        if let Some(main) = &mut self.main {
            main.tabs.open(tab, place);
            main.focus = Pane::Detail;
        }
        self.reveal_if_ready();
        Vec::new()
    }

    /// Opens Why for the place of the cursor, or for the whole output.
    pub(super) fn why(&mut self) -> Vec<Effect> {
        let Some(main) = &mut self.main else {
            return Vec::new();
        };
        if main.timeline.selected.is_none() {
            return Vec::new();
        }
        if main.is_on_its_way() {
            main.tabs.wait(Action::OpenWhy, None);
            return Vec::new();
        }
        if main.tabs.open == TabName::Why {
            return Vec::new();
        }
        let place = main.tabs.tab().and_then(Held::place);
        self.open_tab(TabName::Why, place)
    }

    /// Goes to the place that is wanted, if the data of the open tab are there.
    pub(super) fn reveal_if_ready(&mut self) {
        let is_ready = self.main.as_ref().is_some_and(|main| {
            let selected = main.timeline.selected;
            selected.is_some_and(|selected| main.tabs.is_ready(selected))
        });
        if is_ready {
            self.reveal();
        }
    }

    /// Goes to the place that is wanted in the open tab.
    pub fn reveal(&mut self) {
        let Some(main) = &mut self.main else { return };
        // The name of a tool stands in the header: there is nothing to go to.
        let is_call = matches!(main.tabs.place, Some(Place::Arguments { .. }));
        if !main.tabs.reveal_waiting() && !is_call {
            let name = main.tabs.open.title();
            self.complain(format!("{name} cannot show that place"));
        }
    }

    /// Gives an action to the open tab, now or as soon as its data are there.
    pub fn update_tab(&mut self, action: &Action, count: Option<u32>) -> Vec<Effect> {
        let context = self.context(count);
        let Some(main) = &mut self.main else {
            return Vec::new();
        };
        let Some(selected) = main.timeline.selected else {
            return Vec::new();
        };
        let is_out = matches!(action, Action::Out | Action::Leave);
        if is_out && !main.tabs.is_ready(selected) {
            // Nobody has to wait to get out.
            main.tabs.waiting.clear();
            return self.out();
        }
        // Esc leaves a tree or a text at once; where something was opened in a tab, it closes that.
        let is_plain = matches!(
            main.tabs.open,
            TabName::Blocks | TabName::Envelope | TabName::Raw
        );
        let action = match action {
            Action::Leave if is_plain => return self.out(),
            Action::Leave => &Action::Out,
            other => other,
        };
        if main.is_on_its_way() {
            main.tabs.wait(action.clone(), count);
            return Vec::new();
        }
        match main.tabs.update(action, context) {
            Outcome::Done(effects) => self.tab_effects(effects),
            Outcome::Ignored => self.ignored_by_tab(action),
        }
    }

    fn ignored_by_tab(&mut self, action: &Action) -> Vec<Effect> {
        match action {
            Action::Out => self.out(),
            Action::CopyValue | Action::CopyPath | Action::CopyJson => {
                self.say("nothing to copy here");
                Vec::new()
            }
            Action::CopyToken => {
                self.say("no page token here; p opens Pages");
                Vec::new()
            }
            Action::Fold | Action::FoldAll | Action::UnfoldAll => {
                self.say("nothing to fold here");
                Vec::new()
            }
            Action::OnlySeen => {
                self.say("nothing to hide here: zs is for Blocks");
                Vec::new()
            }
            _ => Vec::new(),
        }
    }

    /// Back out one layer. Never quits.
    pub(super) fn out(&mut self) -> Vec<Effect> {
        if let Some(main) = &mut self.main
            && !main.tabs.close_why()
        {
            main.focus = Pane::Timeline;
        }
        Vec::new()
    }

    /// Does what a tab asked for.
    pub fn tab_effects(&mut self, wanted: Vec<tab::Effect>) -> Vec<Effect> {
        let mut effects = Vec::new();
        for effect in wanted {
            effects.extend(self.tab_effect(effect));
        }
        effects.extend(self.settle());
        effects
    }

    fn tab_effect(&mut self, effect: tab::Effect) -> Vec<Effect> {
        match effect {
            tab::Effect::Load => {
                if let Some(main) = &mut self.main {
                    main.tabs.times += 1;
                }
                Vec::new()
            }
            tab::Effect::Copy { what, text } => vec![Effect::Copy { what, text }],
            tab::Effect::Ask {
                label,
                text,
                in_place,
            } => {
                self.ask(Purpose::Tab { label, in_place }, &text);
                Vec::new()
            }
            tab::Effect::GoTo(event) => {
                if let Some(main) = &mut self.main {
                    main.tabs.close_why();
                }
                self.go_to(event)
            }
            tab::Effect::Open(tab, place) => self.open_tab(tab, place),
            tab::Effect::Why(place) => self.open_tab(TabName::Why, Some(place)),
            tab::Effect::Say(text) => {
                self.say(text);
                Vec::new()
            }
            tab::Effect::Settings(settings) => {
                if let Some(main) = &mut self.main {
                    main.settings = settings;
                }
                Vec::new()
            }
        }
    }
}

impl Main {
    /// A jump, or the data of the open tab, are not there yet: what stands under the cursor, and so
    /// what the next key means, is decided by them.
    pub(super) fn is_on_its_way(&self) -> bool {
        let is_jumping = self.search.as_ref().is_some_and(Search::is_jumping);
        let ready = self
            .timeline
            .selected
            .is_some_and(|selected| self.tabs.is_ready(selected));
        is_jumping || self.tabs.place.is_some() || !ready
    }
}
