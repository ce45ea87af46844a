//! Which output answers which call: by id, and by order where ids are absent.

use std::collections::{HashMap, VecDeque};

use super::event::{EventId, NameId};

/// What is known of one call id within a scope.
#[derive(Debug, Clone, Copy)]
struct Slot {
    scope: u32,
    /// The first call with this id.
    first: Option<EventId>,
    /// The first call that waits for its output.
    open: Option<EventId>,
    /// An output that came before its call.
    early: Option<EventId>,
}

/// How a call or an output was paired.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pair {
    /// Nothing answers or is answered yet.
    None,
    /// The two belong together.
    Both(EventId),
    /// A further output of a call that is answered already: it knows its call, the call keeps its
    /// first output.
    Again(EventId),
}

/// Calls that wait for their outputs.
#[derive(Debug, Default)]
pub(super) struct Pairing {
    /// By the number of the call id's name.
    slots: Vec<Option<Slot>>,
    /// More calls that wait under one id.
    further: HashMap<NameId, VecDeque<EventId>>,
    /// Calls without an id, oldest first, with their tool.
    nameless: VecDeque<(EventId, Option<NameId>)>,
    scope: u32,
}

impl Pairing {
    /// Forgets all calls: the next record is a conversation of its own.
    pub(super) fn new_scope(&mut self) {
        self.scope += 1;
        self.further.clear();
        self.nameless.clear();
    }

    fn slot(&mut self, id: NameId) -> &mut Slot {
        let place = id.0 as usize;
        if self.slots.len() <= place {
            self.slots.resize(place + 1, None);
        }
        let scope = self.scope;
        let fresh = Slot {
            scope,
            first: None,
            open: None,
            early: None,
        };
        // The resize above made room for `place`; the fallback of an empty table cannot happen.
        let slot = self.slots.get_mut(place).expect("resized to hold it");
        match slot {
            Some(slot) if slot.scope == scope => {}
            _ => *slot = Some(fresh),
        }
        slot.get_or_insert(fresh)
    }

    /// Whether there was a call with this id.
    pub(super) fn knows(&mut self, id: NameId) -> bool {
        self.first(id).is_some()
    }

    /// The first call with this id.
    pub(super) fn first(&mut self, id: NameId) -> Option<EventId> {
        self.slot(id).first
    }

    /// A call was found.
    pub(super) fn call(
        &mut self,
        event: EventId,
        id: Option<NameId>,
        tool: Option<NameId>,
    ) -> Pair {
        let Some(id) = id else {
            self.nameless.push_back((event, tool));
            return Pair::None;
        };
        let slot = self.slot(id);
        slot.first = slot.first.or(Some(event));
        if let Some(early) = slot.early.take() {
            return Pair::Both(early);
        }
        if slot.open.is_none() {
            slot.open = Some(event);
        } else {
            self.further.entry(id).or_default().push_back(event);
        }
        Pair::None
    }

    /// An output was found.
    pub(super) fn output(
        &mut self,
        event: EventId,
        id: Option<NameId>,
        tool: Option<NameId>,
    ) -> Pair {
        let Some(id) = id else {
            let same_tool = self
                .nameless
                .iter()
                .position(|(_, other)| tool.is_none() || *other == tool || other.is_none());
            let Some(place) = same_tool else {
                return Pair::None;
            };
            return self
                .nameless
                .remove(place)
                .map_or(Pair::None, |(call, _)| Pair::Both(call));
        };
        let slot = self.slot(id);
        match (slot.open.take(), slot.first) {
            (Some(call), _) => {
                if !self.further.is_empty() {
                    let next = self.further.get_mut(&id).and_then(VecDeque::pop_front);
                    self.slot(id).open = next;
                }
                Pair::Both(call)
            }
            (None, Some(first)) => Pair::Again(first),
            (None, None) => {
                slot.early = slot.early.or(Some(event));
                Pair::None
            }
        }
    }
}
