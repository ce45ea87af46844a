//! What `cache.page` answers for a call or a handle of a recording, with its exact errors.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use serde_json::{Map, Value};

use super::Replay;
use super::lifetime::Lifetime;
use super::pages::{Items, items_of};
use super::rerun::{Reason, Rerun};
use super::source::Events;
use crate::policy::cache::CacheSettings;
use crate::session::event::EventId;
use crate::tool::rig_mcp::{CachedResultHandle, ResultCache, cache_page};

/// A question to the result cache, as the command line asks it.
#[derive(Debug, Clone, PartialEq)]
pub struct PageRequest {
    /// Whose items.
    pub of: PageOf,
    /// Where to start.
    pub offset: Option<u64>,
    /// How many items.
    pub limit: Option<u64>,
    /// A token; it wins over handle and offset.
    pub page_token: Option<String>,
    /// As of which event; the end where none.
    pub at: Option<EventId>,
    /// The settings; inferred from the recording where none.
    pub settings: Option<CacheSettings>,
}

/// Whose items a page is asked of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PageOf {
    /// Those of an output, by its event or its call's.
    Output(EventId),
    /// Those under a handle.
    Handle(String),
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PageError {
    /// The cache refuses, with its exact words.
    #[error("{0}")]
    Refused(String),
    /// The event is no output and has none.
    #[error("no tool output there")]
    NoSuchOutput,
    /// The output is not cached under these settings.
    #[error("not cached under these settings: {0}")]
    NotCached(&'static str),
    /// The cache would answer, but the recording does not hold the items.
    #[error("items {} to {} are not in this recording", .0.start, .0.end - 1)]
    NotRecorded(Range<u64>),
}

impl Replay {
    /// What `cache.page` answers for a call or a handle.
    ///
    /// With settings, the handles are those that a re-run gives out; without, those that the
    /// recording shows, or those of a re-run with the inferred settings where it shows none, or none
    /// for the output in question.
    ///
    /// # Errors
    ///
    /// The cache's own refusal, or why the cache cannot be asked.
    pub fn page(&self, events: &dyn Events, request: &PageRequest) -> Result<Value, PageError> {
        let rerun = match request.settings {
            Some(settings) => Some(self.rerun(settings)),
            None if self.shows_handle_of(&request.of) => None,
            None => Some(self.rerun(self.recorded_settings().settings)),
        };
        let cache = CacheAt {
            replay: self,
            events,
            rerun: rerun.as_ref(),
            at: request.at,
            read: Mutex::default(),
        };
        let handle = match &request.of {
            PageOf::Handle(handle) => handle.clone(),
            PageOf::Output(id) => cache.handle_of(*id)?,
        };
        let mut arguments = Map::new();
        arguments.insert("handle".to_owned(), Value::String(handle));
        if let Some(token) = &request.page_token {
            arguments.insert("page_token".to_owned(), Value::String(token.clone()));
        }
        for (key, number) in [("offset", request.offset), ("limit", request.limit)] {
            if let Some(number) = number {
                arguments.insert(key.to_owned(), Value::from(number));
            }
        }
        let answer = cache_page(&cache, &Value::Object(arguments));
        let missing = cache
            .read
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner)
            .missing;
        match (missing, answer) {
            (Some(missing), _) => Err(PageError::NotRecorded(missing)),
            (None, Ok(answer)) => Ok(answer),
            (None, Err(error)) => Err(PageError::Refused(error.to_string())),
        }
    }
}

impl Replay {
    /// Whether the recording itself shows a handle for what is asked about.
    fn shows_handle_of(&self, of: &PageOf) -> bool {
        match of {
            PageOf::Handle(_) => self.lifetimes.len() > 0,
            PageOf::Output(id) => self
                .facts_of(*id)
                .is_some_and(|facts| facts.cache_answer || self.lifetime_of(*id).is_some()),
        }
    }
}

/// The result cache as it stood after an event, in the recording or in a re-run.
struct CacheAt<'a> {
    replay: &'a Replay,
    events: &'a dyn Events,
    /// Handles count over the outputs that this re-run caches; else they are the recorded ones.
    rerun: Option<&'a Rerun>,
    at: Option<EventId>,
    read: Mutex<Read>,
}

/// What was read for a call: `cache.page` asks for the length and then for the items.
#[derive(Default)]
struct Read {
    items: HashMap<String, Items>,
    missing: Option<Range<u64>>,
}

impl CacheAt<'_> {
    /// The handle that keeps an output's items.
    fn handle_of(&self, id: EventId) -> Result<String, PageError> {
        let facts = self.replay.facts_of(id).ok_or(PageError::NoSuchOutput)?;
        if let Some(rerun) = self.rerun {
            let row = rerun.row_of(facts.event).ok_or(PageError::NoSuchOutput)?;
            return row
                .handle
                .ok_or_else(|| PageError::NotCached(row.reason.map_or("unknown", Reason::words)));
        }
        if facts.cache_answer {
            return Err(PageError::NotCached(Reason::CacheAnswer.words()));
        }
        let lifetime = self.replay.lifetime_of(id);
        lifetime
            .map(|lifetime| lifetime.handle.0.clone())
            .ok_or(PageError::NotCached(Reason::NotArray.words()))
    }

    /// Whether something that lived from one event to another was there.
    fn was_there(&self, stored: EventId, ends: [Option<EventId>; 2]) -> bool {
        let by = |event: EventId| self.at.is_none_or(|at| event <= at);
        by(stored) && !ends.into_iter().flatten().any(by)
    }

    fn read(&self, handle: &str) -> Option<Items> {
        let Some(rerun) = self.rerun else {
            let is_there = |lifetime: &&Lifetime| {
                lifetime.handle.0 == handle
                    && self.was_there(lifetime.stored, [lifetime.released, lifetime.replaced])
            };
            let lifetime = self.replay.lifetimes.iter().filter(is_there).last()?;
            return Some(items_of(self.events, lifetime));
        };
        let output = rerun.output_of(handle)?;
        let lifetime = self
            .replay
            .lifetime_of(output)
            .filter(|lifetime| lifetime.output == Some(output));
        let released = lifetime.and_then(|lifetime| lifetime.released);
        if !self.was_there(output, [released, None]) {
            return None;
        }
        match lifetime {
            Some(lifetime) => Some(items_of(self.events, lifetime)),
            None => self.replay.array_of(self.events, output),
        }
    }

    fn with<T>(
        &self,
        handle: &CachedResultHandle,
        answer: impl FnOnce(&Items, &mut Option<Range<u64>>) -> T,
    ) -> Option<T> {
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        if !read.items.contains_key(&handle.0) {
            let items = self.read(&handle.0)?;
            read.items.insert(handle.0.clone(), items);
        }
        let Read { items, missing } = &mut *read;
        Some(answer(items.get(&handle.0)?, missing))
    }
}

impl ResultCache for CacheAt<'_> {
    /// Nothing is stored into a recording: the handle given is one that nobody knows.
    fn store(&self, _: Vec<Value>) -> CachedResultHandle {
        CachedResultHandle(String::new())
    }

    fn page(&self, handle: &CachedResultHandle, offset: usize, limit: usize) -> Option<Vec<Value>> {
        self.with(handle, |items, missing| {
            let start = (offset as u64).min(items.total);
            let end = start.saturating_add(limit as u64).min(items.total);
            items.range(start..end).unwrap_or_else(|gaps| {
                *missing = gaps.into_iter().next();
                Vec::new()
            })
        })
    }

    fn len(&self, handle: &CachedResultHandle) -> Option<usize> {
        self.with(handle, |items, _| usize::try_from(items.total).ok())?
    }

    /// Nothing is released in a recording.
    fn release(&self, _: &CachedResultHandle) -> bool {
        false
    }
}
