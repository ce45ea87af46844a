//! What every action does.

mod commands;
mod hits;
mod jump;
mod play;
mod tabs;

use std::sync::Arc;

use super::action::Action;
use super::app::{App, Effect, Goal, Layer, Main, tab_of};
use super::area::Pane;
use super::help::Help;
use super::moment;
use super::palette::Palette;
use super::prompt::Purpose;
use super::tab::Outcome;
use super::timeline;
use crate::session::event::EventId;

impl App {
    /// Does what is meant, and asks for what the screen then needs.
    pub fn update(&mut self, action: &Action, count: Option<u32>) -> Vec<Effect> {
        let mut effects = self.apply(action, count);
        effects.extend(self.settle());
        effects
    }

    /// An action that was chosen by its words: the tab that it belongs to is opened for it.
    pub fn update_from_anywhere(&mut self, action: &Action) -> Vec<Effect> {
        let mut effects = Vec::new();
        if let (Some(tab), Some(main)) = (tab_of(action), &self.main)
            && (main.tabs.open != tab || main.focus != Pane::Detail)
        {
            effects.extend(self.update(&Action::OpenTab(tab), None));
        }
        effects.extend(self.update(action, None));
        effects
    }

    fn apply(&mut self, action: &Action, count: Option<u32>) -> Vec<Effect> {
        match action {
            Action::Quit => return vec![Effect::Quit],
            Action::Suspend => return vec![Effect::Suspend],
            Action::Redraw => return vec![Effect::Redraw],
            Action::Help if self.layer.is_none() => {
                self.layer = Some(Layer::Help(Help::default()));
                return Vec::new();
            }
            Action::Palette => {
                self.layer = Some(Layer::Palette(Palette::default()));
                return Vec::new();
            }
            Action::Command => {
                self.layer = None;
                self.ask(Purpose::Command, "");
                return Vec::new();
            }
            Action::Close => return self.close(),
            _ => {}
        }
        let times = count.map_or(1, |count| count.max(1) as usize);
        let rows = self.size.1;
        match &mut self.layer {
            Some(Layer::Help(help)) => {
                match action {
                    Action::Search => self.ask(Purpose::HelpSearch, ""),
                    Action::Out | Action::Leave if !help.filter.is_empty() => help.filter.clear(),
                    Action::Out | Action::Leave | Action::Help => self.layer = None,
                    _ => {
                        help.update(action, times, rows);
                    }
                }
                return Vec::new();
            }
            Some(Layer::Palette(_)) => return Vec::new(),
            None => {}
        }
        if self.main.is_some() {
            self.apply_to_main(action, count)
        } else {
            self.apply_to_start(action, times)
        }
    }

    /// Closes the top layer, and at the bottom the program.
    fn close(&mut self) -> Vec<Effect> {
        if self.layer.take().is_some() {
            return Vec::new();
        }
        let Some(main) = &mut self.main else {
            return vec![Effect::Quit];
        };
        if main.focus == Pane::Detail {
            // A tab may have a layer of its own.
            let context = self.context(None);
            if let Some(main) = &mut self.main {
                if let Outcome::Done(effects) = main.tabs.update(&Action::Close, context) {
                    return self.tab_effects(effects);
                }
                if main.tabs.close_why() {
                    return Vec::new();
                }
            }
        }
        if self.start.is_some() {
            self.main = None;
            self.pending = super::keys::Pending::default();
            return vec![Effect::Rest];
        }
        vec![Effect::Quit]
    }

    fn apply_to_start(&mut self, action: &Action, times: usize) -> Vec<Effect> {
        let rows = self.size.1;
        let Some(start) = &mut self.start else {
            return Vec::new();
        };
        match action {
            Action::Filter | Action::Search => {
                let filter = start.filter().to_owned();
                self.ask(Purpose::Filter, &filter);
            }
            Action::Into => {
                start.fault = None;
                if let Some(position) = start.selected() {
                    let ticket = self.ticket();
                    self.opening = ticket;
                    return vec![Effect::Open(ticket, position)];
                }
            }
            Action::Out | Action::Leave => start.narrow(""),
            Action::Click(_, row) => {
                let before = start.selected();
                start.update(action, times, rows);
                // A click on what is selected opens it.
                if start.selected() == before && *row >= 2 {
                    return self.apply_to_start(&Action::Into, times);
                }
            }
            _ => {
                start.update(action, times, rows);
            }
        }
        Vec::new()
    }

    fn apply_to_main(&mut self, action: &Action, count: Option<u32>) -> Vec<Effect> {
        let rows = self.timeline_rows();
        let Some(main) = &mut self.main else {
            return Vec::new();
        };
        let times = count.map_or(1, |count| count.max(1) as usize);
        // Until a jump has landed nobody knows what the next key means. Esc stays where it is.
        if let Some(search) = main.search.as_mut().filter(|search| search.is_jumping()) {
            if *action != Action::Leave {
                main.tabs.wait(action.clone(), count);
                return Vec::new();
            }
            search.stay();
            main.tabs.waiting.clear();
            return Vec::new();
        }
        match action {
            Action::GoToEvent(event) => self.go_to(*event),
            Action::OpenTab(tab) => self.open_tab(*tab, None),
            Action::OpenBlocks
            | Action::OpenEnvelope
            | Action::OpenPages
            | Action::OpenProviders
            | Action::OpenRerun
            | Action::OpenRaw => match tab_of(action) {
                Some(tab) => self.open_tab(tab, None),
                None => Vec::new(),
            },
            Action::OpenWhy => self.why(),
            Action::NextTab | Action::PreviousTab => {
                main.tabs.cycle(*action == Action::NextTab);
                Vec::new()
            }
            Action::Into if main.focus == Pane::Timeline => {
                main.focus = Pane::Detail;
                Vec::new()
            }
            Action::StepForward | Action::StepBack => {
                main.playing = None;
                let by = times as isize;
                self.step(if *action == Action::StepForward {
                    by
                } else {
                    -by
                })
            }
            Action::Play => self.play(),
            Action::NextLoss
            | Action::PreviousLoss
            | Action::NextError
            | Action::PreviousError
            | Action::NextCall
            | Action::PreviousCall
            | Action::NextPageCall
            | Action::PreviousPageCall => self.jump(action, times),
            Action::Search => {
                self.ask(Purpose::Search, "");
                Vec::new()
            }
            Action::NextHit | Action::PreviousHit => {
                self.next_hit(*action == Action::NextHit, times)
            }
            Action::CopyMoment => {
                if main.is_on_its_way() {
                    main.tabs.wait(action.clone(), count);
                    return Vec::new();
                }
                let text = moment::command_line(main);
                vec![Effect::Copy {
                    what: "command line",
                    text,
                }]
            }
            Action::Reveal(place) => {
                main.tabs.place = Some(place.clone());
                self.reveal_if_ready();
                Vec::new()
            }
            Action::CopyValue
            | Action::CopyPath
            | Action::CopyToken
            | Action::CopyJson
            | Action::Fold
            | Action::FoldAll
            | Action::UnfoldAll
            | Action::OnlySeen => self.update_tab(action, count),
            _ if main.focus == Pane::Detail => self.update_tab(action, count),
            _ => {
                Self::move_in_timeline(main, action, count, rows);
                Vec::new()
            }
        }
    }

    fn move_in_timeline(main: &mut Main, action: &Action, count: Option<u32>, rows: u16) {
        let recording = Arc::clone(&main.recording);
        let recording = recording.as_ref();
        let times = count.map_or(1, |count| count.max(1) as isize);
        let page = isize::from(rows.max(2) as i16);
        let before = main.timeline.selected;
        match action {
            Action::Down => main.timeline.step(recording, times, rows),
            Action::Up => main.timeline.step(recording, -times, rows),
            Action::HalfDown => main.timeline.step(recording, page / 2 * times, rows),
            Action::HalfUp => main.timeline.step(recording, -page / 2 * times, rows),
            Action::PageDown => main.timeline.step(recording, (page - 1) * times, rows),
            Action::PageUp => main.timeline.step(recording, -(page - 1) * times, rows),
            Action::Top | Action::Bottom => {
                let to = match (count, action) {
                    (Some(index), _) => EventId::from_index(index as usize)
                        .map(|id| id.min(EventId::from_position(recording.count().max(1) - 1))),
                    (None, Action::Top) => timeline::first_row(recording),
                    (None, _) => timeline::last_row(recording),
                };
                if let Some(to) = to {
                    main.timeline.select(recording, to, rows);
                }
                main.goal = Goal::Reached;
            }
            _ => {}
        }
        if main.timeline.selected != before {
            main.selected_other();
        }
        if *action == Action::Bottom && count.is_none() && !main.complete {
            main.goal = Goal::Follow;
            main.last_known = main.timeline.selected;
        }
    }

    /// Scrolls the list of events without moving its selection.
    pub fn scroll_timeline(&mut self, lines: i16) -> Vec<Effect> {
        let rows = self.timeline_rows();
        if let Some(main) = &mut self.main {
            let recording = Arc::clone(&main.recording);
            main.timeline
                .scroll(recording.as_ref(), isize::from(lines), rows);
        }
        self.settle()
    }

    /// Selects an event; the focus stays where it is.
    pub fn go_to(&mut self, event: EventId) -> Vec<Effect> {
        let rows = self.timeline_rows();
        if let Some(main) = &mut self.main {
            let recording = Arc::clone(&main.recording);
            let before = main.timeline.selected;
            main.timeline.select(recording.as_ref(), event, rows);
            main.goal = Goal::Reached;
            if main.timeline.selected != before {
                main.selected_other();
            }
        }
        Vec::new()
    }
}

impl Main {
    /// Another event is selected.
    pub fn selected_other(&mut self) {
        self.tabs.leave_event();
        self.goal = Goal::Reached;
    }
}
