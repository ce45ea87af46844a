//! What was recorded, beside which a re-run stands: never what default settings would have made of it.

use super::Replay;
use super::facts::{Facts, Form};
use super::rerun::Rerun;
use crate::policy::cache::{DEFAULT_LIMIT, calls_to_reach, calls_to_read_all};
use crate::session::event::EventId;

/// How one output really reached the model, as far as the recording tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RecordedRow {
    /// It was sent as an envelope of the result cache.
    pub enveloped: bool,
    /// Bytes of what was sent at once; none where the recording does not know.
    pub sent_bytes: Option<u64>,
    /// Items that were sent at once, where an envelope carries some of them.
    pub first_page_items: Option<u64>,
    /// `cache.page` calls at limit 64 that read the rest: none are needed where everything was sent.
    /// None where the recording does not know, or no call brings what a cut left out.
    pub calls_to_read_all: Option<u64>,
}

/// All outputs of a recording, as they were recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RecordedTotals {
    /// Envelopes of the result cache in the recording; none where it tells of no sent side.
    pub enveloped: Option<u64>,
    /// Bytes sent at once; none where that is not known of every output.
    pub sent_bytes: Option<u64>,
    /// `cache.page` calls at limit 64 that read the rest of every envelope.
    pub page_calls: Option<u64>,
    /// Of these the envelopes that cannot be run again, because their items are not all recorded: they
    /// stay as they are under any settings.
    pub fixed: Fixed,
}

/// Envelopes that stay as they were recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Fixed {
    /// How many.
    pub enveloped: u64,
    /// Calls that read the rest of them.
    pub page_calls: u64,
}

impl Replay {
    /// How an output, or the output of a call, really reached the model.
    pub fn recorded_row(&self, id: EventId) -> Option<RecordedRow> {
        self.facts_of(id).map(RecordedRow::of)
    }

    /// All outputs that a re-run counts, as they were recorded.
    pub fn recorded_totals(&self) -> RecordedTotals {
        let (mut enveloped, mut bytes, mut calls) = (0, Some(0), 0);
        let mut fixed = Fixed::default();
        let mut tells = false;
        for facts in self.facts.iter().filter(|facts| !facts.server) {
            let row = RecordedRow::of(facts);
            tells |= row.enveloped || row.sent_bytes.is_some();
            bytes = bytes
                .zip(row.sent_bytes)
                .map(|(sum, sent): (u64, u64)| sum + sent);
            if !row.enveloped {
                continue;
            }
            let of_row = row.calls_to_read_all.unwrap_or(0);
            enveloped += 1;
            calls += of_row;
            let lifetime = facts.lifetime.and_then(|at| self.lifetimes.get(at));
            let known = facts.array.is_some()
                || lifetime.is_some_and(|lifetime| lifetime.all_items().is_some());
            if !known {
                fixed.enveloped += 1;
                fixed.page_calls += of_row;
            }
        }
        RecordedTotals {
            enveloped: tells.then_some(enveloped),
            sent_bytes: bytes.filter(|_| tells),
            page_calls: tells.then_some(calls),
            fixed,
        }
    }
}

impl Replay {
    /// Bytes that would be sent at once in a re-run: what the cache leaves alone is sent as it was
    /// recorded, cut by a client or as an envelope that cannot be run again.
    pub fn sent_at_once(&self, rerun: &Rerun) -> u64 {
        let start = rerun.totals.bytes_after;
        rerun.left_alone().fold(start, |total, (event, before)| {
            let facts = self.facts_of(event);
            let sent = facts
                .filter(|facts| match facts.form {
                    Form::Cut(_) => true,
                    // Counted with no size where its items are not known, whole where they are.
                    Form::Envelope(_) => before == 0,
                    Form::Whole | Form::OneSide => false,
                })
                .and_then(|facts| facts.sent?.bytes);
            sent.map_or(total, |sent| total.saturating_sub(before) + sent)
        })
    }
}

impl RecordedRow {
    /// Calls that reach an item; none where the recording does not know.
    pub fn calls_to_reach(&self, item: u64) -> Option<u64> {
        match self.first_page_items {
            Some(first) => calls_to_reach(item, first, DEFAULT_LIMIT),
            None => self.calls_to_read_all,
        }
    }

    fn of(facts: &Facts) -> Self {
        let sent_bytes = facts.sent.and_then(|sent| sent.bytes);
        match &facts.form {
            Form::Envelope(envelope) => Self {
                enveloped: true,
                sent_bytes,
                first_page_items: Some(envelope.first_page),
                calls_to_read_all: calls_to_read_all(
                    envelope.total,
                    envelope.first_page,
                    DEFAULT_LIMIT,
                ),
            },
            Form::Whole | Form::OneSide => Self {
                sent_bytes,
                calls_to_read_all: sent_bytes.map(|_| 0),
                ..Self::default()
            },
            Form::Cut(_) => Self {
                sent_bytes,
                ..Self::default()
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::{Input, Session};

    fn replay(text: &str) -> Replay {
        let input = Input::Bytes {
            name: "test".to_owned(),
            bytes: text.as_bytes().to_vec(),
        };
        let session = Session::open(input).expect("opens");
        session.index_all().expect("readable");
        Replay::of(&session)
    }

    #[test]
    fn an_array_sent_whole_was_recorded_as_it_is_whatever_a_default_would_make_of_it() {
        let items = format!("[{}]", vec!["\"0123456789\""; 10_000].join(","));
        let text = format!(
            "{{\"toolreel\":1}}\n\
             {{\"type\":\"tool_call\",\"id\":\"a\",\"tool\":\"t\",\"arguments\":{{}}}}\n\
             {{\"type\":\"tool_output\",\"id\":\"a\",\"returned\":{{\"value\":{items}}}}}\n"
        );
        let totals = replay(&text).recorded_totals();
        assert_eq!(totals.enveloped, Some(0));
        assert_eq!(totals.sent_bytes, Some(items.len() as u64));
        assert_eq!(totals.page_calls, Some(0));
    }

    #[test]
    fn nothing_is_known_of_what_was_sent_of_a_bare_value() {
        assert_eq!(
            replay("[1,2,3]").recorded_totals(),
            RecordedTotals::default()
        );
    }
}
