//! What every action does.

use std::sync::Arc;
use std::time::Duration;

use super::action::Action;
use super::app::{App, Effect, Goal, Layer, Main, tab_of};
use super::area::Pane;
use super::command::Command;
use super::help::Help;
use super::message::{Job, Wake};
use super::moment;
use super::palette::Palette;
use super::prompt::Purpose;
use super::search::Search;
use super::tab::{self, Outcome, Place, TabName};
use super::timeline;
use crate::query::{Needle, Step};
use crate::session::event::{EventId, EventKind, EventRecord};

/// A session that plays never waits longer than this for its next event, whatever the recording
/// says, nor shorter than [`SHORTEST`].
const LONGEST: Duration = Duration::from_secs(2);
const SHORTEST: Duration = Duration::from_millis(350);

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

    fn step(&mut self, by: isize) -> Vec<Effect> {
        let rows = self.timeline_rows();
        if let Some(main) = &mut self.main {
            let recording = Arc::clone(&main.recording);
            let before = main.timeline.selected;
            main.timeline.step(recording.as_ref(), by, rows);
            if main.timeline.selected == before {
                let end = if by > 0 { "last" } else { "first" };
                self.say(format!("this is the {end} event"));
            } else {
                main.selected_other();
            }
        }
        Vec::new()
    }

    fn play(&mut self) -> Vec<Effect> {
        let ticket = self.ticket();
        let Some(main) = &mut self.main else {
            return Vec::new();
        };
        if main.playing.take().is_some() {
            return Vec::new();
        }
        let Some(gap) = main.gap() else {
            self.say("this is the last event");
            return Vec::new();
        };
        main.playing = Some(ticket);
        vec![Effect::Wake(gap, Wake::Play, ticket)]
    }

    /// The next event of a session that plays.
    pub fn play_on(&mut self) -> Vec<Effect> {
        let mut effects = self.step(1);
        if let Some(main) = &mut self.main
            && let Some(ticket) = main.playing
        {
            match main.gap() {
                Some(gap) => effects.push(Effect::Wake(gap, Wake::Play, ticket)),
                None => main.playing = None,
            }
        }
        effects
    }

    fn open_tab(&mut self, tab: TabName, place: Option<Place>) -> Vec<Effect> {
        if let Some(main) = &mut self.main {
            main.tabs.open(tab, place);
            main.focus = Pane::Detail;
        }
        self.reveal_if_ready();
        Vec::new()
    }

    /// Opens Why for the place of the cursor, or for the whole output.
    fn why(&mut self) -> Vec<Effect> {
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
        let place = main.tabs.tab().and_then(super::held::Held::place);
        self.open_tab(TabName::Why, place)
    }

    fn reveal_if_ready(&mut self) {
        let Some(main) = &mut self.main else { return };
        let Some(selected) = main.timeline.selected else {
            return;
        };
        if main.tabs.is_ready(selected) && !main.tabs.reveal_waiting() {
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
    fn out(&mut self) -> Vec<Effect> {
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

    /// Jumps to the next or previous loss, error, call of this tool or page call.
    fn jump(&mut self, action: &Action, times: usize) -> Vec<Effect> {
        let Some(main) = &self.main else {
            return Vec::new();
        };
        let Some(selected) = main.timeline.selected else {
            return Vec::new();
        };
        let forward = matches!(
            action,
            Action::NextLoss | Action::NextError | Action::NextCall | Action::NextPageCall
        );
        let (what, found) = match action {
            Action::NextLoss | Action::PreviousLoss => {
                ("loss", main.losses(selected, forward).nth(times - 1))
            }
            Action::NextError | Action::PreviousError => (
                "error",
                main.rows(selected, forward, &|record| record.is_error)
                    .nth(times - 1),
            ),
            Action::NextPageCall | Action::PreviousPageCall => (
                "page call",
                main.rows(selected, forward, &|record| {
                    record
                        .tool
                        .and_then(|tool| main.recording.name(tool))
                        .is_some_and(|name| name == "cache.page" || name.ends_with("__cache.page"))
                })
                .nth(times - 1),
            ),
            _ => {
                let tool = main
                    .recording
                    .record(selected)
                    .and_then(|record| record.tool);
                if tool.is_none() {
                    self.say("this event is no call of a tool");
                    return Vec::new();
                }
                (
                    "call of this tool",
                    main.rows(selected, forward, &|record| record.tool == tool)
                        .nth(times - 1),
                )
            }
        };
        if let Some(event) = found {
            return self.go_to(event);
        }
        let which = if forward { "next" } else { "previous" };
        let by_now = if main.complete {
            ""
        } else {
            " by now: still reading"
        };
        self.say(format!("no {which} {what}{by_now}"));
        Vec::new()
    }

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

    fn next_hit(&mut self, forward: bool, times: usize) -> Vec<Effect> {
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

impl Main {
    /// A jump, or the data of the open tab, are not there yet: what stands under the cursor, and so
    /// what the next key means, is decided by them.
    fn is_on_its_way(&self) -> bool {
        let is_jumping = self.search.as_ref().is_some_and(Search::is_jumping);
        let ready = self
            .timeline
            .selected
            .is_some_and(|selected| self.tabs.is_ready(selected));
        is_jumping || self.tabs.place.is_some() || !ready
    }

    /// Another event is selected.
    pub fn selected_other(&mut self) {
        self.tabs.leave_event();
        self.goal = Goal::Reached;
    }

    /// How long a session that plays stays on the selected event; none at the end.
    fn gap(&self) -> Option<Duration> {
        let selected = self.timeline.selected?;
        let recording = self.recording.as_ref();
        let next = timeline::rows_after(recording, selected).next()?;
        let time = |id| recording.record(id).and_then(|record| record.time_ms);
        let gap = match (time(selected), time(next)) {
            (Some(from), Some(to)) => {
                Duration::from_millis(u64::try_from(to.saturating_sub(from)).unwrap_or(0))
            }
            _ => SHORTEST * 2,
        };
        Some(gap.clamp(SHORTEST, LONGEST))
    }

    /// Events with losses, after or before an event.
    fn losses(&self, from: EventId, forward: bool) -> Box<dyn Iterator<Item = EventId> + '_> {
        let recording = self.recording.as_ref();
        let rows = self
            .replay
            .losses()
            .iter()
            .map(move |loss| timeline::row_of(recording, loss.event));
        if forward {
            let mut last = from;
            Box::new(rows.filter(move |event| {
                let is_further = *event > last;
                last = last.max(*event);
                is_further
            }))
        } else {
            let mut last = from;
            Box::new(rows.rev().filter(move |event| {
                let is_further = *event < last;
                last = last.min(*event);
                is_further
            }))
        }
    }

    /// Rows whose record is wanted, after or before an event.
    fn rows<'a>(
        &'a self,
        from: EventId,
        forward: bool,
        wanted: &'a dyn Fn(&EventRecord) -> bool,
    ) -> Box<dyn Iterator<Item = EventId> + 'a> {
        let recording = self.recording.as_ref();
        let is_wanted = move |event: &EventId| {
            recording
                .record(*event)
                .is_some_and(|record| record.kind != EventKind::Message && wanted(&record))
        };
        if forward {
            Box::new(timeline::rows_after(recording, from).filter(is_wanted))
        } else {
            Box::new(timeline::rows_before(recording, from).filter(is_wanted))
        }
    }

    /// Where the selected row begins in the file: its call where it has one.
    fn offset_of_selected(&self) -> u64 {
        let record = |id| self.recording.record(id);
        let Some(selected) = self.timeline.selected.and_then(record) else {
            return 0;
        };
        let call = selected.pair.and_then(record).map(|call| call.offset);
        call.map_or(selected.offset, |call| call.min(selected.offset))
    }
}
