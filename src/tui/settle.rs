//! Asking for everything that the screen needs and does not have.

use std::time::Duration;

use super::app::{App, Effect, Main};
use super::held::Held;
use super::message::{About, Job, Ticket, Wake};
use super::open_tabs::Want;
use super::timeline;

/// After this time, what is not there yet is said to be being read.
const READING_AFTER: Duration = Duration::from_millis(150);

impl App {
    /// Asks for everything that the screen needs and does not have. Called after every change, so
    /// that no other place has to think of it.
    pub fn settle(&mut self) -> Vec<Effect> {
        let mut effects = Vec::new();
        let rows = self.timeline_rows();
        let tab = self.areas().map(|areas| areas.tab).unwrap_or_default();
        let mut tickets = Tickets(self.last_ticket);
        if let Some(main) = &mut self.main {
            main.settle_selection(rows);
            main.settle_summaries(rows, &mut tickets, &mut effects);
            main.settle_tab((tab.width, tab.height), &mut tickets, &mut effects);
            main.settle_rerun(&mut tickets, &mut effects);
            main.settle_search(&mut tickets, &mut effects);
        }
        self.last_ticket = tickets.0;
        effects
    }
}

struct Tickets(u64);

impl Tickets {
    fn next(&mut self) -> Ticket {
        self.0 += 1;
        Ticket(self.0)
    }
}

impl Main {
    fn settle_selection(&mut self, rows: u16) {
        let recording = self.recording.as_ref();
        match self.timeline.selected {
            None => {
                if let Some(first) = timeline::first_row(recording) {
                    self.timeline.select(recording, first, rows);
                }
            }
            // A call stands in the row of its output as soon as the output is there.
            Some(selected) if timeline::row_of(recording, selected) != selected => {
                self.timeline.select(recording, selected, rows);
                self.tabs.leave_event();
            }
            Some(_) => {}
        }
        self.timeline.fit(recording, rows);
        if let Some(top) = self.timeline.top {
            self.timeline.top = Some(timeline::row_of(recording, top));
        }
    }

    fn settle_summaries(&mut self, rows: u16, tickets: &mut Tickets, effects: &mut Vec<Effect>) {
        let missing = self.timeline.missing(self.recording.as_ref(), rows);
        if !missing.is_empty() && missing != self.timeline.asked {
            self.timeline.ticket = tickets.next();
            self.timeline.asked.clone_from(&missing);
            effects.push(Effect::Ask(self.timeline.ticket, Job::Summaries(missing)));
        }
    }

    /// A file that has grown is searched again; the hits that are known stay.
    fn settle_search(&mut self, tickets: &mut Tickets, effects: &mut Vec<Effect>) {
        let Some(search) = &mut self.search else {
            return;
        };
        // One search is waited for before the next: a file may grow all the time.
        if !(search.stale && search.complete && self.complete) {
            return;
        }
        search.stale = false;
        search.complete = false;
        search.ticket = tickets.next();
        let job = Job::Search {
            needle: search.needle.clone(),
            from: search.from,
        };
        effects.push(Effect::Ask(search.ticket, job));
    }

    fn settle_rerun(&mut self, tickets: &mut Tickets, effects: &mut Vec<Effect>) {
        let Some(settings) = self.settings else {
            self.rerun = None;
            self.rerun_ticket = None;
            self.rerun_asked = None;
            return;
        };
        let want = Some((settings, self.grown));
        let only_grown = self.rerun_asked.is_some_and(|(asked, _)| asked == settings);
        if self.rerun_asked == want || (only_grown && self.rerun_ticket.is_some()) {
            return;
        }
        let ticket = tickets.next();
        self.rerun_asked = want;
        self.rerun_ticket = Some(ticket);
        let job = Job::Rerun(settings, self.replay.clone());
        effects.push(Effect::Ask(ticket, job));
    }

    fn settle_tab(&mut self, size: (u16, u16), tickets: &mut Tickets, effects: &mut Vec<Effect>) {
        let Some(selected) = self.timeline.selected else {
            return;
        };
        let at = self.at(selected);
        let about = About {
            event: selected,
            at,
            replay: self.replay.clone(),
            settings: self.settings,
            columns: size.0,
            rows: size.1,
        };
        if self.tabs.reasons_asked != Some((selected, self.complete)) {
            self.tabs.reasons_asked = Some((selected, self.complete));
            self.tabs.reasons_ticket = tickets.next();
            let nothing = self.tabs.bar().map(Held::nothing).collect();
            let job = Job::Reasons {
                nothing,
                about: about.clone(),
            };
            effects.push(Effect::Ask(self.tabs.reasons_ticket, job));
        }
        let Some(tab) = self.tabs.tab() else { return };
        let is_live = tab.is_live();
        let want = Want {
            tab: self.tabs.open,
            event: selected,
            at,
            settings: self.settings,
            size: tab.is_sized().then_some(size),
            grown: is_live.then_some(self.grown),
            complete: self.complete,
            times: self.tabs.times,
        };
        let asked = self.tabs.asked.as_ref();
        // While the index grows, one answer is waited for before the next is asked for.
        let only_grown = asked.is_some_and(|asked| {
            Want {
                grown: want.grown,
                ..asked.clone()
            } == want
        });
        if asked == Some(&want) || (only_grown && self.tabs.ticket.is_some()) {
            return;
        }
        let ticket = tickets.next();
        let job = Job::Tab {
            tab: want.tab,
            load: tab.load(),
            about,
        };
        self.tabs.ticket = Some(ticket);
        self.tabs.asked = Some(want);
        effects.push(Effect::Ask(ticket, job));
        effects.push(Effect::Wake(READING_AFTER, Wake::Reading, ticket));
    }
}
