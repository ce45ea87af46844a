//! What every message of a worker does.

use std::sync::Arc;

use super::app::{App, Effect, Goal, Main, forget_recording};
use super::area::Pane;
use super::message::{Grown, Message, Ticket, Wake};
use super::recording::{Change, Found};
use super::tab::{Place, TabName};
use super::timeline;
use crate::session::event::EventId;

impl App {
    /// Takes what happened, and asks for what the screen then needs.
    pub fn receive(&mut self, message: Message) -> Vec<Effect> {
        let mut effects = self.take(message);
        effects.extend(self.settle());
        effects
    }

    fn take(&mut self, message: Message) -> Vec<Effect> {
        let rows = self.timeline_rows();
        let Some(main) = &mut self.main else {
            return Vec::new();
        };
        match message {
            Message::Grown(ticket, grown) if ticket == main.ticket => {
                main.grow(*grown, rows);
                let mut effects = self.reach_goal();
                effects.extend(self.place_again());
                self.say_again();
                effects
            }
            Message::Summaries(ticket, summaries) => {
                main.timeline.take(ticket, summaries);
                Vec::new()
            }
            Message::Tab {
                ticket,
                tab,
                event,
                data,
            } => {
                if main.tabs.arrive(ticket, tab, event, data) {
                    self.tab_arrived()
                } else {
                    Vec::new()
                }
            }
            Message::Reasons(ticket, reasons) => {
                if ticket == main.tabs.reasons_ticket {
                    main.tabs.reasons = reasons;
                }
                Vec::new()
            }
            Message::Rerun(ticket, rerun) => {
                if main.rerun_ticket == Some(ticket) {
                    main.rerun_ticket = None;
                    main.rerun = Some(rerun);
                }
                Vec::new()
            }
            Message::Hits(ticket, batch) => {
                if let Some(search) = &mut main.search
                    && search.ticket == ticket
                {
                    search.hits.add(&batch);
                    return self.jump_if_wanted();
                }
                Vec::new()
            }
            Message::Searched(ticket) => {
                if let Some(search) = &mut main.search
                    && search.ticket == ticket
                {
                    search.complete = true;
                    self.say_again();
                    return self.jump_if_wanted();
                }
                Vec::new()
            }
            Message::Placed(ticket, found) => self.placed(ticket, found),
            Message::Changed(ticket, change) if ticket == main.ticket => {
                self.file_changed(change);
                Vec::new()
            }
            Message::Failed(ticket, what) if ticket == main.ticket => {
                if let Some(search) = &mut main.search {
                    search.stay();
                }
                self.complain(format!("toolreel failed at {what}; the rest goes on"));
                Vec::new()
            }
            Message::Woke(wake, ticket) => self.woke(wake, ticket),
            Message::Grown(..) | Message::Changed(..) | Message::Failed(..) => Vec::new(),
        }
    }

    /// The end of a wait still means something.
    pub fn waits_for(&self, wake: Wake, ticket: Ticket) -> bool {
        self.main.as_ref().is_some_and(|main| match wake {
            Wake::Play => main.playing == Some(ticket),
            Wake::FirstLoss => main.ticket == ticket && main.may_jump,
            Wake::Reading => main.tabs.ticket == Some(ticket),
        })
    }

    fn woke(&mut self, wake: Wake, ticket: Ticket) -> Vec<Effect> {
        if !self.waits_for(wake, ticket) {
            return Vec::new();
        }
        match (wake, &mut self.main) {
            (Wake::Play, _) => return self.play_on(),
            (Wake::FirstLoss, Some(main)) => main.may_jump = false,
            (Wake::Reading, Some(main)) => main.tabs.slow = true,
            (_, None) => {}
        }
        Vec::new()
    }

    /// Goes where the command line wanted to go, or to the first loss, as soon as it is there.
    fn reach_goal(&mut self) -> Vec<Effect> {
        let Some(main) = &mut self.main else {
            return Vec::new();
        };
        let recording = Arc::clone(&main.recording);
        let to = match main.goal.clone() {
            Goal::Reached => return Vec::new(),
            Goal::Call(id) => match recording.find(&id) {
                Some(event) => event,
                None if main.complete => {
                    main.goal = Goal::Reached;
                    self.complain(format!("no call with the id {id}"));
                    return Vec::new();
                }
                None => return Vec::new(),
            },
            Goal::Start => {
                let first = main.replay.losses().first().map(|loss| loss.event);
                match first.filter(|_| main.may_jump) {
                    Some(first) => first,
                    None if main.may_jump && !main.complete => return Vec::new(),
                    None => {
                        main.goal = Goal::Reached;
                        return Vec::new();
                    }
                }
            }
            Goal::Event(index) => {
                let event = EventId::from_index(index);
                match event.filter(|event| event.position() < recording.count()) {
                    Some(event) => event,
                    None if main.complete => {
                        main.goal = Goal::Reached;
                        main.tabs.place = None;
                        let last = recording.count();
                        self.complain(format!("there is no #{index}; the last is #{last}"));
                        return Vec::new();
                    }
                    None => return Vec::new(),
                }
            }
            Goal::Follow => {
                if main.complete {
                    main.goal = Goal::Reached;
                }
                return Vec::new();
            }
            Goal::End => match timeline::last_row(recording.as_ref()) {
                Some(last) if main.complete => last,
                _ => return Vec::new(),
            },
        };
        // What is to be revealed there was asked for together with the place.
        let place = main.tabs.place.take();
        let effects = self.go_to(to);
        if let Some(main) = &mut self.main {
            main.tabs.place = place;
            // A search that came with the place goes on from there.
            let from = main.offset_of_selected();
            if let Some(search) = main.search.as_mut().filter(|search| !search.wanted) {
                search.from = from;
            }
        }
        effects
    }

    /// The data of the open tab are there: go where it was wanted, and do what was typed meanwhile.
    fn tab_arrived(&mut self) -> Vec<Effect> {
        let mut effects = Vec::new();
        let Some(main) = &mut self.main else {
            return effects;
        };
        let Some(selected) = main.timeline.selected else {
            return effects;
        };
        let tab = main.tabs.tab().and_then(super::held::Held::event);
        if tab != Some(selected) {
            return effects;
        }
        self.reveal();
        effects.extend(self.do_waiting());
        effects
    }

    /// Does what was typed while something was on its way.
    pub fn do_waiting(&mut self) -> Vec<Effect> {
        let mut effects = Vec::new();
        let waiting = match &mut self.main {
            Some(main) => std::mem::take(&mut main.tabs.waiting),
            None => return effects,
        };
        for (action, count) in waiting {
            effects.extend(self.update(&action, count));
        }
        effects
    }

    /// What was said of a hit is said anew when more is known, as long as it still stands there.
    fn say_again(&mut self) {
        let Some(main) = &mut self.main else { return };
        let Some(search) = &mut main.search else {
            return;
        };
        let Some((found, before)) = search.stands.take() else {
            return;
        };
        if self.said.as_ref().is_some_and(|said| said.text == before) {
            let row = timeline::row_of(main.recording.as_ref(), found.event);
            let status = search.status(&found, row, &main.replay);
            search.stands = Some((found, status.clone()));
            self.say(status);
        }
    }

    /// The index has grown: a hit that lay behind it may be placed now.
    fn place_again(&mut self) -> Vec<Effect> {
        let search = self.main.as_mut().and_then(|main| main.search.as_mut());
        match search {
            Some(search) if search.ahead => {
                search.ahead = false;
                search
                    .current
                    .map_or_else(Vec::new, |step| self.go_to_hit(step))
            }
            _ => Vec::new(),
        }
    }

    fn placed(&mut self, ticket: Ticket, found: Option<Found>) -> Vec<Effect> {
        let Some(main) = &mut self.main else {
            return Vec::new();
        };
        let Some(search) = &mut main.search else {
            return Vec::new();
        };
        if search.placing != Some(ticket) {
            return Vec::new();
        }
        search.placing = None;
        let Some(found) = found else {
            if main.complete {
                main.tabs.waiting.clear();
                self.complain("that hit stands in no event; n goes to the next");
            } else {
                search.ahead = true;
            }
            return Vec::new();
        };
        let row = timeline::row_of(main.recording.as_ref(), found.event);
        let status = search.status(&found, row, &main.replay);
        search.stands = Some((found.clone(), status.clone()));
        let tab = match found.place {
            Place::Raw { .. } => TabName::Raw,
            Place::Item(_) | Place::Bytes { .. } | Place::Arguments { .. } => TabName::Blocks,
        };
        // What was typed since belongs to the hit, not to the event before it.
        let waiting = std::mem::take(&mut main.tabs.waiting);
        let mut effects = self.go_to(found.event);
        if let Some(main) = &mut self.main {
            main.focus = Pane::Detail;
            main.tabs.open(tab, Some(found.place));
            main.tabs.waiting = waiting;
            let selected = main.timeline.selected;
            if selected.is_some_and(|selected| main.tabs.is_ready(selected)) {
                effects.extend(self.tab_arrived());
            }
        }
        self.say(status);
        effects
    }

    fn file_changed(&mut self, change: Change) {
        let Some(main) = &mut self.main else { return };
        match change {
            Change::Unchanged | Change::Grew => {}
            Change::Replaced => {
                main.banner = Some("the file was replaced: read anew".to_owned());
            }
            Change::Unreadable(why) => {
                main.banner = Some(format!("cannot be read any more: {why}"));
            }
        }
    }
}

impl Main {
    fn grow(&mut self, grown: Grown, rows: u16) {
        let recording = Arc::clone(&self.recording);
        if grown.generation != self.generation && self.grown > 0 {
            forget_recording(self);
        }
        let follows = self.goal == Goal::Follow;
        let was_last = (self.complete || follows)
            && self.counts.events > 0
            && self.timeline.selected == self.last_known;
        let had = self.last_known;
        if self.complete {
            // The last line may have been half written, and may have more hits behind it.
            let last = self.counts.events.checked_sub(1);
            if let Some(last) = last.map(EventId::from_position) {
                self.timeline.read_again(last);
            }
            if let Some(search) = &mut self.search {
                search.stale = true;
            }
        }
        self.generation = grown.generation;
        self.replay = grown.replay;
        self.counts = grown.counts;
        self.rail = grown.rail;
        self.captions = grown.captions;
        self.recorded = grown.recorded;
        self.percent = grown.percent;
        self.complete = grown.complete;
        self.grown += 1;
        self.last_known = timeline::last_row(recording.as_ref());
        // Who stands at the end follows it, and only who stands there.
        if was_last
            && self.last_known > had
            && let Some(last) = self.last_known
        {
            self.timeline.select(recording.as_ref(), last, rows);
            self.selected_other();
            if follows {
                self.goal = Goal::Follow;
            }
        }
        // A file that became shorter may have lost the selected event.
        if let Some(selected) = self.timeline.selected
            && selected.position() >= recording.count()
        {
            match self.last_known {
                Some(last) => self.timeline.select(recording.as_ref(), last, rows),
                None => self.timeline.forget(),
            }
            self.tabs.leave_event();
        }
    }
}
