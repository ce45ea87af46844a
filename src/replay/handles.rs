//! The result cache's state at any event, derived from the recording and never stored.

use super::Replay;
use super::lifetime::Lifetime;
use crate::session::event::EventId;

/// The result cache as it stood after an event.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CacheState {
    /// Handles that could be asked, in the order they were stored.
    pub live: Vec<HandleState>,
    /// Handles that were released by then, or whose name was given to other items.
    pub gone: Vec<HandleState>,
    /// Asks by then for handles that were not live.
    pub refused: Vec<EventId>,
}

/// One handle as it stood after an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HandleState {
    /// The handle.
    pub handle: String,
    /// The output whose items it keeps, where the recording shows one.
    pub output: Option<EventId>,
    /// When the items were stored.
    pub stored: EventId,
    /// When it was released.
    pub released: Option<EventId>,
    /// How many items it keeps.
    pub total_items: u64,
    /// Items that came with the envelope.
    pub first_page_items: u64,
    /// The events whose answers served pages of it by then.
    pub pages: Vec<EventId>,
    /// Items that the model had by then.
    pub served_items: u64,
}

impl Replay {
    /// The result cache as it stood after an event.
    ///
    /// Read off the lifetimes of the handles, so that it costs the same in either direction.
    pub fn cache_at(&self, id: EventId) -> CacheState {
        let mut state = CacheState::default();
        for lifetime in self.lifetimes.iter() {
            if lifetime.stored > id {
                // Lifetimes are in the order of their stores.
                break;
            }
            let handle = HandleState::of(lifetime, id);
            if lifetime.is_live(id) {
                state.live.push(handle);
            } else {
                state.gone.push(handle);
            }
        }
        let refused = self.refused.partition_point(|event| *event <= id);
        state.refused = self.refused.iter().take(refused).copied().collect();
        state
    }

    /// How many handles could be asked after an event.
    pub fn live_handles_at(&self, id: EventId) -> usize {
        let stored = self
            .lifetimes
            .partition_point(|lifetime| lifetime.stored <= id);
        self.lifetimes
            .iter()
            .take(stored)
            .filter(|lifetime| lifetime.is_live(id))
            .count()
    }

    /// The lifetime that an event is about.
    pub(super) fn lifetime_of(&self, id: EventId) -> Option<&Lifetime> {
        let position = if let Some(facts) = self.facts_of(id) {
            facts.lifetime?
        } else {
            let at = self.operations.partition_point(|(event, _)| *event < id);
            let (event, position) = self.operations.get(at)?;
            (*event == id).then_some(*position)?
        };
        self.lifetimes.get(position)
    }
}

impl HandleState {
    fn of(lifetime: &Lifetime, at: EventId) -> Self {
        let served = lifetime.served(Some(at));
        Self {
            handle: lifetime.handle.0.clone(),
            output: lifetime.output.filter(|output| *output <= at),
            stored: lifetime.stored,
            released: lifetime.released.filter(|released| *released <= at),
            total_items: lifetime.total,
            first_page_items: lifetime.first_page,
            pages: lifetime
                .answers_by(Some(at))
                .iter()
                .map(|answer| answer.event)
                .collect(),
            served_items: lifetime.total - served.free_len(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::{Input, Session};

    #[test]
    fn a_store_told_after_its_envelope_is_the_same_life() {
        let text = concat!(
            r#"{"toolreel":1}"#,
            "\n",
            r#"{"type":"tool_output","id":"c","returned":{"value":[{"n":1},{"n":2}]},"sent":{"blocks":[{"type":"json","value":{"handle":"mcp-cache-0","total_items":2,"page_size":1,"first_page":[{"n":1}],"truncated":true,"omitted_items":1,"page_token":"mcp-cache-0:offset:1"}}]}}"#,
            "\n",
            r#"{"type":"cache","op":"store","handle":"mcp-cache-0","total_items":2}"#,
            "\n",
        );
        let input = Input::Bytes {
            name: "test".to_owned(),
            bytes: text.as_bytes().to_vec(),
        };
        let session = Session::open(input).expect("opens");
        session.index_all().expect("readable");
        let replay = Replay::of(&session);
        let last = EventId::from_index(2).expect("from 1");
        let state = replay.cache_at(last);
        assert_eq!((state.live.len(), state.gone.len()), (1, 0));
        let output = EventId::from_index(1);
        assert_eq!(state.live[0].output, output);
        assert_eq!(
            replay.lifetime_of(last).and_then(|life| life.output),
            output
        );
    }
}
