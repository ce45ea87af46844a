//! The tabs of the selected event: which one is open, what it waits for.

use std::collections::VecDeque;

use super::action::Action;
use super::canvas::Canvas;
use super::held::{Data, Held};
use super::message::Ticket;
use super::tab::{Context, Outcome, Place, TabName};
use super::theme::Theme;
use crate::policy::cache::CacheSettings;
use crate::session::event::EventId;

/// Actions that are kept for a tab whose data are on their way. More are not typed in that time.
const WAITING: usize = 256;

/// What a tab's data depend on. They are asked for again when it is another.
#[derive(Debug, Clone, PartialEq)]
pub struct Want {
    /// Which tab.
    pub tab: TabName,
    /// For which event.
    pub event: EventId,
    /// As of which event.
    pub at: EventId,
    /// The settings of the re-run that is shown.
    pub settings: Option<CacheSettings>,
    /// Columns and rows, where the tab depends on them.
    pub size: Option<(u16, u16)>,
    /// How often the index has grown, where the tab depends on it.
    pub grown: Option<u64>,
    /// The replay has seen the whole recording.
    pub complete: bool,
    /// How often the tab itself has asked.
    pub times: u64,
}

/// The tabs.
pub struct OpenTabs {
    held: Vec<Box<dyn Held>>,
    /// The tab that is open.
    pub open: TabName,
    /// The tab that Why lies over.
    under: TabName,
    /// What was asked for last, and the request that is still out.
    pub asked: Option<Want>,
    /// The request that is still out.
    pub ticket: Option<Ticket>,
    /// It takes long: say so.
    pub slow: bool,
    /// How often the open tab has asked for its data.
    pub times: u64,
    /// Where to go when the data are there.
    pub place: Option<Place>,
    /// Actions to be done when the data are there.
    pub waiting: VecDeque<(Action, Option<u32>)>,
    /// Why tabs have nothing to say, in the order of the bar.
    pub reasons: Vec<Option<String>>,
    /// The request for them, and for which event and state they were asked.
    pub reasons_asked: Option<(EventId, bool)>,
    /// The request for the reasons that is out.
    pub reasons_ticket: Ticket,
}

impl OpenTabs {
    /// The tabs, with Blocks open.
    pub fn new(held: Vec<Box<dyn Held>>) -> Self {
        Self {
            held,
            open: TabName::Blocks,
            under: TabName::Blocks,
            asked: None,
            ticket: None,
            slow: false,
            times: 0,
            place: None,
            waiting: VecDeque::new(),
            reasons: Vec::new(),
            reasons_asked: None,
            reasons_ticket: Ticket::default(),
        }
    }

    fn position(&self, name: TabName) -> Option<usize> {
        self.held.iter().position(|held| held.name() == name)
    }

    /// The open tab.
    pub fn tab(&self) -> Option<&dyn Held> {
        let position = self.position(self.open)?;
        self.held.get(position).map(Box::as_ref)
    }

    /// The open tab, to be moved.
    pub fn tab_mut(&mut self) -> Option<&mut Box<dyn Held>> {
        let position = self.position(self.open)?;
        self.held.get_mut(position)
    }

    /// Every tab of the bar.
    pub fn bar(&self) -> impl Iterator<Item = &dyn Held> {
        TabName::BAR
            .into_iter()
            .filter_map(|name| self.held.get(self.position(name)?).map(Box::as_ref))
    }

    /// Why the tab has nothing to say of the selected event.
    pub fn reason(&self, name: TabName) -> Option<&str> {
        let position = TabName::BAR.iter().position(|tab| *tab == name)?;
        self.reasons.get(position)?.as_deref()
    }

    /// Opens a tab, at a place.
    pub fn open(&mut self, name: TabName, place: Option<Place>) {
        if name == TabName::Why && self.open != TabName::Why {
            self.under = self.open;
        }
        if name != self.open {
            self.waiting.clear();
            self.ticket = None;
            self.asked = None;
            self.slow = false;
        }
        self.open = name;
        if let Some(tab) = self.tab_mut() {
            tab.aim(place.as_ref());
        }
        if name == TabName::Why {
            // The place is the question, not where to go in the answer.
            self.times += 1;
            self.forget_open();
        } else {
            self.place = place;
        }
    }

    /// Data of another question are no answer to this one.
    fn forget_open(&mut self) {
        self.place = None;
        self.asked = None;
    }

    /// Closes Why; false if it is not open.
    pub fn close_why(&mut self) -> bool {
        if self.open != TabName::Why {
            return false;
        }
        self.open(self.under, None);
        true
    }

    /// The next or previous tab that has something to say.
    pub fn cycle(&mut self, forward: bool) {
        let from = if self.open == TabName::Why {
            self.under
        } else {
            self.open
        };
        let count = TabName::BAR.len();
        let here = TabName::BAR
            .iter()
            .position(|tab| *tab == from)
            .unwrap_or(0);
        let next = (1..count)
            .map(|by| if forward { here + by } else { here + count - by } % count)
            .filter_map(|position| TabName::BAR.get(position))
            .find(|tab| self.reason(**tab).is_none());
        if let Some(tab) = next {
            self.open(*tab, None);
        }
    }

    /// The open tab has data of this event.
    pub fn is_ready(&self, event: EventId) -> bool {
        let current = self
            .asked
            .as_ref()
            .is_some_and(|want| want.event == event && want.tab == self.open);
        let loading_first = self.ticket.is_some() && self.open == TabName::Why;
        current && !loading_first && self.tab().and_then(Held::event) == Some(event)
    }

    /// Another event is selected: what waited for the old one is void.
    pub fn leave_event(&mut self) {
        self.waiting.clear();
        self.place = None;
        self.reasons.clear();
        self.close_why();
    }

    /// Another recording has come.
    pub fn forget(&mut self) {
        self.leave_event();
        for held in &mut self.held {
            held.forget();
        }
        self.asked = None;
        self.ticket = None;
        self.reasons_asked = None;
    }

    /// Keeps an action until the data are there.
    pub fn wait(&mut self, action: Action, count: Option<u32>) {
        if self.waiting.len() < WAITING {
            self.waiting.push_back((action, count));
        }
    }

    /// Takes data of a tab; false if nobody waits for them any more.
    pub fn arrive(&mut self, ticket: Ticket, name: TabName, event: EventId, data: Data) -> bool {
        if self.ticket != Some(ticket) || name != self.open {
            return false;
        }
        self.ticket = None;
        self.slow = false;
        if let Some(tab) = self.tab_mut() {
            tab.arrive(data, event);
        }
        true
    }

    /// Goes to the place that waited for the data; false if the tab cannot show it.
    pub fn reveal_waiting(&mut self) -> bool {
        let Some(place) = self.place.take() else {
            return true;
        };
        self.tab_mut().is_some_and(|tab| tab.reveal(&place))
    }

    /// Gives the open tab an action.
    pub fn update(&mut self, action: &Action, context: Context) -> Outcome {
        match self.tab_mut() {
            Some(tab) => tab.update(action, context),
            None => Outcome::Ignored,
        }
    }

    /// Draws the open tab.
    pub fn view(&self, canvas: &mut Canvas<'_>, event: Option<EventId>, theme: &Theme) {
        let Some(tab) = self.tab() else { return };
        let fresh = tab.event().is_some() && tab.event() == event;
        if let Some(reason) = self
            .reason(self.open)
            .filter(|_| !fresh || tab.event().is_none())
        {
            canvas.put(1, 0, reason, theme.dim);
            return;
        }
        // For a moment the old event stays, so that nothing flickers; then it would be a lie.
        if fresh || !self.slow {
            tab.view(canvas, theme);
        } else {
            canvas.put(1, 0, "reading…", theme.dim);
        }
    }
}
