//! Searching, and going from hit to hit.

use crate::query::{Needle, Step};
use crate::tui::app::{App, Effect, Main};
use crate::tui::message::Job;
use crate::tui::search::Search;

impl App {
    /// Searches while it is typed; jumps to the first hit when it is given.
    pub fn search_for(&mut self, text: &str, given: bool) -> Vec<Effect> {
        let ticket = self.ticket();
        let Some(main) = &mut self.main else {
            return Vec::new();
        };
        let same = main
            .search
            .as_ref()
            .is_some_and(|search| search.needle.text() == text);
        let mut effects = Vec::new();
        if !same {
            let Some(needle) = Needle::new(text) else {
                main.search = None;
                return Vec::new();
            };
            let from = main.offset_of_selected();
            main.search = Some(Search::new(needle.clone(), from, ticket));
            effects.push(Effect::Ask(ticket, Job::Search { needle, from }));
        }
        if given {
            if let Some(search) = &mut main.search {
                search.wanted = true;
            }
            effects.extend(self.jump_if_wanted());
        }
        effects.extend(self.settle());
        effects
    }

    /// Jumps to the first hit if that is wanted and there is one by now.
    pub fn jump_if_wanted(&mut self) -> Vec<Effect> {
        let Some(main) = &mut self.main else {
            return Vec::new();
        };
        let Some(search) = &mut main.search else {
            return Vec::new();
        };
        if !search.wanted {
            return Vec::new();
        }
        let first = search
            .hits
            .at_or_after(search.from)
            // A hit over the end counts only when everything before it was searched.
            .filter(|step| !step.wrapped || search.complete);
        match first {
            Some(step) => self.go_to_hit(step),
            None if search.complete => {
                search.wanted = false;
                let text = search.needle.text().to_owned();
                main.tabs.waiting.clear();
                self.complain(format!("no hit for {text}"));
                Vec::new()
            }
            None => Vec::new(),
        }
    }

    pub(super) fn next_hit(&mut self, forward: bool, times: usize) -> Vec<Effect> {
        let Some(main) = &mut self.main else {
            return Vec::new();
        };
        let Some(search) = &mut main.search else {
            self.say("nothing was searched yet; / searches");
            return Vec::new();
        };
        let mut step = search.current;
        for _ in 0..times.min(1000) {
            let at = step.map_or(search.from, |step| step.hit.offset);
            step = if forward {
                search.hits.next(at)
            } else {
                search.hits.previous(at)
            };
        }
        if let Some(step) = step {
            return self.go_to_hit(step);
        }
        let text = search.needle.text().to_owned();
        self.say(format!("no hit for {text}"));
        Vec::new()
    }

    /// Asks what a hit stands in, to go there.
    pub fn go_to_hit(&mut self, step: Step) -> Vec<Effect> {
        let ticket = self.ticket();
        let Some(search) = self.main.as_mut().and_then(|main| main.search.as_mut()) else {
            return Vec::new();
        };
        search.stay();
        search.current = Some(step);
        search.placing = Some(ticket);
        let job = Job::Place {
            hit: step.hit,
            needle: search.needle.clone(),
        };
        vec![Effect::Ask(ticket, job)]
    }
}

impl Main {
    /// Where the selected row begins in the file: its call where it has one.
    pub fn offset_of_selected(&self) -> u64 {
        let record = |id| self.recording.record(id);
        let Some(selected) = self.timeline.selected.and_then(record) else {
            return 0;
        };
        let call = selected.pair.and_then(record).map(|call| call.offset);
        call.map_or(selected.offset, |call| call.min(selected.offset))
    }
}
