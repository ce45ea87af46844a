//! What has been found so far: drafts merged in order into names, pairs, counts and the index.

use std::collections::HashMap;
use std::sync::Arc;

use super::draft::{Draft, DraftRecord, Drafts};
use super::event::{EventId, EventKind, EventRecord, NameId};
use super::index::{Builder, Index, Packed};
use super::indexer::{Caption, Head};
use super::names::Names;
use super::pairing::{Pair, Pairing};

/// What is counted while the index grows. Tools that a provider ran itself do not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Counts {
    pub(super) calls: u64,
    pub(super) outputs: u64,
    pub(super) unanswered_calls: u64,
    pub(super) orphan_outputs: u64,
    pub(super) bad_lines: u64,
}

/// Records that tell the returned side of an output which stands elsewhere.
#[derive(Debug, Default)]
struct Companions {
    by_call: HashMap<NameId, EventId>,
    by_output: Arc<HashMap<EventId, EventId>>,
}

/// What has been found so far.
#[derive(Debug, Default)]
pub(super) struct Facts {
    names: Names,
    pairing: Pairing,
    builder: Builder,
    companions: Companions,
    pub(super) counts: Counts,
    pub(super) captions: Vec<Caption>,
    pub(super) head: Head,
}

impl Facts {
    /// How many events there are.
    pub(super) fn len(&self) -> usize {
        self.builder.len()
    }

    /// A snapshot of the index.
    pub(super) fn publish(&self, complete: bool, generation: u64) -> Index {
        let mut index = self
            .builder
            .publish(self.names.publish(), complete, generation);
        index.companions = Arc::clone(&self.companions.by_output);
        index
    }

    /// Adds a stretch, which begins behind `line` lines.
    pub(super) fn merge(&mut self, drafts: &Drafts, line: u32) {
        if let Some(header) = &drafts.header {
            self.head = Head {
                title: header.title.clone(),
                result_cache: header.result_cache,
            };
        }
        self.captions
            .extend(drafts.captions.iter().filter_map(|caption| {
                let at = usize::try_from(caption.at).ok();
                Some(Caption {
                    at: at.and_then(EventId::from_index)?,
                    tab: caption.tab.clone(),
                    text: caption.text.clone(),
                })
            }));
        let mut events = drafts.events.iter();
        for record in &drafts.records {
            if record.conversation {
                self.pairing.new_scope();
            }
            if record.bad {
                self.bad(record, line);
            }
            for part in 0..record.events {
                if let Some(draft) = events.next() {
                    self.event(drafts, draft, record, part, line);
                }
            }
        }
    }

    /// Takes the last event back: a cut line that has grown since.
    pub(super) fn withdraw_bad(&mut self) {
        self.builder.pop();
        self.counts.bad_lines = self.counts.bad_lines.saturating_sub(1);
    }

    fn bad(&mut self, record: &DraftRecord, line: u32) {
        self.counts.bad_lines += 1;
        let event = base(record, EventKind::Bad, line);
        self.builder.push(Packed::new(&event, record.system));
    }

    fn event(
        &mut self,
        drafts: &Drafts,
        draft: &Draft,
        record: &DraftRecord,
        part: u32,
        line: u32,
    ) {
        let call_id = draft.call_id.map(|id| self.names.intern(drafts.name(id)));
        let mut tool = draft.tool.map(|tool| self.names.intern(drafts.name(tool)));
        // Shown alike, paired apart: `"2"` is another id than `2`.
        let pair_id = match draft.call_id.filter(|_| draft.quoted_id) {
            Some(id) => Some(self.names.intern(&format!("\"{}\"", drafts.name(id)))),
            None => call_id,
        };
        let kind = match (draft.unless_answering, pair_id) {
            (Some(otherwise), id) if !id.is_some_and(|id| self.pairing.knows(id)) => otherwise,
            _ => draft.kind,
        };
        let id = EventId::from_position(self.builder.len());
        let pair = self.pair(id, kind, pair_id, &mut tool, draft.counted);
        let event = EventRecord {
            role: draft.role,
            part,
            tool,
            call_id,
            is_error: draft.is_error,
            server: draft.server,
            faulty: draft.faulty,
            time_ms: draft.time_ms,
            ..base(record, kind, line)
        };
        self.builder.push(Packed::new(&event, record.system));
        match pair {
            Pair::Both(other) => {
                self.builder.set_pair(id, other);
                self.builder.set_pair(other, id);
            }
            Pair::Again(call) => self.builder.set_pair(id, call),
            Pair::None => {}
        }
        if let Some(call) = draft.companion {
            let call = self.names.intern(drafts.name(call));
            self.companion(id, call);
        } else if kind == EventKind::ToolOutput
            && let Some(companion) = call_id.and_then(|id| self.companions.by_call.get(&id))
        {
            Arc::make_mut(&mut self.companions.by_output).insert(id, *companion);
        }
    }

    /// An event tells the returned side of the output of a call, which may have come before it.
    fn companion(&mut self, id: EventId, call: NameId) {
        self.companions.by_call.insert(call, id);
        let output = self
            .pairing
            .first(call)
            .and_then(|call| self.builder.pair(call));
        if let Some(output) = output {
            Arc::make_mut(&mut self.companions.by_output).insert(output, id);
        }
    }

    fn pair(
        &mut self,
        id: EventId,
        kind: EventKind,
        call_id: Option<NameId>,
        tool: &mut Option<NameId>,
        counted: bool,
    ) -> Pair {
        let counted = u64::from(counted);
        match kind {
            EventKind::ToolCall => {
                self.counts.calls += counted;
                let pair = self.pairing.call(id, call_id, *tool);
                if pair == Pair::None {
                    self.counts.unanswered_calls += counted;
                } else {
                    self.counts.orphan_outputs -= counted.min(self.counts.orphan_outputs);
                }
                pair
            }
            EventKind::ToolOutput => {
                self.counts.outputs += counted;
                let pair = self.pairing.output(id, call_id, *tool);
                match pair {
                    Pair::Both(call) => {
                        self.counts.unanswered_calls -= counted.min(self.counts.unanswered_calls);
                        *tool = tool.or_else(|| self.builder.tool(call));
                    }
                    Pair::Again(call) => *tool = tool.or_else(|| self.builder.tool(call)),
                    Pair::None => self.counts.orphan_outputs += counted,
                }
                pair
            }
            _ => Pair::None,
        }
    }
}

/// The event of a record of which nothing more is known.
const fn base(record: &DraftRecord, kind: EventKind, line: u32) -> EventRecord {
    EventRecord {
        kind,
        role: None,
        line: line.saturating_add(record.line),
        offset: record.offset,
        bytes: record.length,
        part: 0,
        tool: None,
        call_id: None,
        pair: None,
        is_error: false,
        server: false,
        faulty: false,
        time_ms: None,
    }
}
