//! Why the model never got something: the chain of causes, and the cheapest ways to it.

use std::ops::Range;

use serde_json::{Value, json};

use super::Replay;
use super::cut::CutFacts;
use super::facts::{Facts, Form};
use super::ledger::Amount;
use super::lifetime::Lifetime;
use super::seen::{Never, Reach, Span};
use crate::policy::cache::{
    DEFAULT_LIMIT, answer_bytes, calls_to_read_all, envelope_bytes, page_token, served,
};
use crate::session::event::{EventId, Evidence};
use crate::text::grouped;

/// What is asked about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// An item of the output's array.
    Item(u64),
    /// Bytes of a block's text; blocks count from 0.
    Bytes {
        /// Which block.
        block: usize,
        /// Which bytes.
        range: Range<u64>,
    },
    /// The output as a whole: its first part that was never sent.
    Output,
}

/// The answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Why {
    /// The output.
    pub event: EventId,
    /// The question in words: `Why was item 260 never sent?`
    pub title: String,
    /// What led to it, in the order of the recording.
    pub causes: Vec<Cause>,
    /// Which of the causes decided it: where a reader wants to go first.
    pub decisive: usize,
    /// Until which event the ways were open, where something closed them.
    pub open_until: Option<EventId>,
    /// How it could have been reached, cheapest in effort last.
    pub ways: Vec<Way>,
    /// How the recording knows.
    pub evidence: Evidence,
}

/// One cause.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cause {
    /// The event to go to.
    pub event: EventId,
    /// In one or two words: `returned`, `cached`, `read`, `released`, `too late`, `cut`.
    pub word: &'static str,
    /// With the numbers.
    pub text: String,
}

/// One way to have reached it.
#[derive(Debug, Clone, PartialEq)]
pub struct Way {
    /// What it takes: `2 calls`, `1 call`, `page_size 261`.
    pub cost: String,
    /// What is done: `192.. then 256..`, `{"offset":260,"limit":1}`, or what would follow.
    pub text: String,
    /// Bytes that the model would have been sent for it, where they are known.
    pub bytes: Option<u64>,
    /// The calls' arguments, in order; empty for a setting.
    pub calls: Vec<Value>,
    /// The page size that would have sent it at once.
    pub page_size: Option<u64>,
}

/// Readers that are named one by one.
const NAMED_READERS: usize = 4;

impl Replay {
    /// Why the model never got something of an output; none where it did, and where the recording
    /// does not know.
    pub fn why(&self, id: EventId, target: &Target) -> Option<Why> {
        let facts = self.facts_of(id)?;
        match &facts.form {
            Form::Envelope(_) if facts.sent.is_some() => self.why_item(facts, target),
            Form::Cut(cut) if !cut.is_incomparable() => why_cut(facts, cut, target),
            _ => None,
        }
    }

    fn why_item(&self, facts: &Facts, target: &Target) -> Option<Why> {
        let lifetime = facts.lifetime.and_then(|at| self.lifetimes.get(at))?;
        let spans = lifetime.spans(None);
        let item = match target {
            Target::Item(item) => *item,
            Target::Output | Target::Bytes { .. } => spans
                .iter()
                .find(|span| matches!(span.reach, Reach::Never(_)))
                .map(|span| span.range.start)?,
        };
        let span = spans.iter().find(|span| span.range.contains(&item))?;
        let Reach::Never(never) = span.reach else {
            return None;
        };
        let mut causes = vec![
            returned(facts, &format!("{} items", grouped(lifetime.total))),
            self.cached(facts, lifetime),
        ];
        causes.extend(readers(lifetime));
        if let Some(released) = lifetime.released {
            causes.push(Cause {
                event: released,
                word: "released",
                text: format!("#{} cache.release {}", released.index(), lifetime.handle.0),
            });
        }
        causes.push(end(facts, lifetime, item, never));
        let decisive = causes
            .iter()
            .position(|cause| cause.word == "released")
            .unwrap_or(causes.len() - 1);
        Some(Why {
            event: facts.event,
            title: format!("Why was item {} never sent?", grouped(item)),
            causes,
            decisive,
            open_until: lifetime.released,
            ways: self.ways(facts, lifetime, &spans, item),
            evidence: facts.evidence,
        })
    }

    fn cached(&self, facts: &Facts, lifetime: &Lifetime) -> Cause {
        let threshold = self.recorded_settings().settings.threshold_bytes;
        let size = match &lifetime.whole {
            Some(whole) if whole.whole_bytes() > threshold => format!(
                "{} B > {} B, so ",
                grouped(whole.whole_bytes()),
                grouped(threshold)
            ),
            Some(whole) => format!("{} B, ", grouped(whole.whole_bytes())),
            None => String::new(),
        };
        let sent = match lifetime.first_page {
            0 => "no item was sent".to_owned(),
            1 => "only item 0 was sent".to_owned(),
            count => format!("only 0..{} were sent", grouped(count - 1)),
        };
        Cause {
            event: facts.event,
            word: "cached",
            text: size + &sent,
        }
    }

    /// How the item could have been reached: page by page, alone, and by a larger page size.
    fn ways(&self, facts: &Facts, lifetime: &Lifetime, spans: &[Span], item: u64) -> Vec<Way> {
        let items = lifetime.all_items();
        let size = |offset: u64, limit: u64| {
            let items = items.as_deref()?;
            let count = served(lifetime.total, offset, limit);
            let of_items = items.array_bytes(offset..offset + count);
            Some(answer_bytes(
                &lifetime.handle,
                offset,
                limit,
                lifetime.total,
                count,
                of_items,
            ))
        };
        let mut ways = Vec::new();

        // The token after the last item before it that the model got.
        let start = spans
            .iter()
            .filter(|span| span.range.end <= item)
            .filter(|span| matches!(span.reach, Reach::Sent | Reach::ReadLater(_)))
            .map(|span| span.range.end)
            .max()
            .unwrap_or(0);
        if let Some(count) = calls_to_read_all(item + 1, start, DEFAULT_LIMIT) {
            let offsets = || (0..count).map(move |call| start + call * DEFAULT_LIMIT);
            ways.push(Way {
                cost: calls_word(count),
                text: offsets_in_words(start, count),
                bytes: offsets().map(|offset| size(offset, DEFAULT_LIMIT)).sum(),
                calls: offsets()
                    .map(|offset| json!({ "page_token": page_token(&lifetime.handle, offset) }))
                    .collect(),
                page_size: None,
            });
        }
        ways.push(Way {
            cost: calls_word(1),
            text: format!(r#"{{"offset":{item},"limit":1}}"#),
            bytes: size(item, 1),
            calls: vec![json!({ "handle": lifetime.handle.0, "offset": item, "limit": 1 })],
            page_size: None,
        });
        let page_size = item + 1;
        let first_answer = items.as_deref().map(|items| {
            let first = items.array_bytes(0..page_size);
            envelope_bytes(&lifetime.handle, lifetime.total, page_size, first)
        });
        let threshold = self.recorded_settings().settings.threshold_bytes;
        ways.push(Way {
            cost: format!("page_size {page_size}"),
            text: match (first_answer, facts.array.is_some()) {
                (Some(bytes), _) if bytes > threshold => {
                    format!("first answer {} B, over the threshold", grouped(bytes))
                }
                (Some(bytes), _) => format!("first answer {} B", grouped(bytes)),
                (None, _) => "the first answer would have carried it".to_owned(),
            },
            bytes: None,
            calls: Vec::new(),
            page_size: Some(page_size),
        });
        ways
    }
}

fn returned(facts: &Facts, size: &str) -> Cause {
    let tool = facts.tool.as_deref().unwrap_or("output");
    Cause {
        event: facts.event,
        word: "returned",
        text: format!("#{} {tool}, {size}", facts.event.index()),
    }
}

/// Who read pages of it, all in one cause.
fn readers(lifetime: &Lifetime) -> Option<Cause> {
    let answers: Vec<_> = lifetime
        .answers
        .iter()
        .filter(|answer| !answer.items.is_empty())
        .collect();
    let mut text: Vec<String> = answers
        .iter()
        .take(NAMED_READERS)
        .map(|answer| {
            format!(
                "#{} took {}",
                answer.event.index(),
                range(answer.offset..answer.offset + answer.items.len())
            )
        })
        .collect();
    if answers.len() > NAMED_READERS {
        text.push(format!("{} more", answers.len() - NAMED_READERS));
    }
    Some(Cause {
        event: answers.first()?.event,
        word: "read",
        text: text.join(", "),
    })
}

/// What happened to this item in the end.
fn end(facts: &Facts, lifetime: &Lifetime, item: u64, never: Never) -> Cause {
    let refusal = |event: EventId| {
        lifetime
            .refusals
            .iter()
            .find(|refusal| refusal.event == event)
    };
    let asked = |event: EventId, word| {
        let text = refusal(event).map_or_else(
            || format!("#{} asked", event.index()),
            |refusal| {
                let error = refusal.error.trim_start_matches("invalid argument: ");
                format!("#{} asked {}..  {error}", event.index(), refusal.offset)
            },
        );
        Cause { event, word, text }
    };
    // Somebody asked too late for what stands before this item: that is where its page chain ended.
    let late = lifetime
        .released
        .and_then(|released| {
            lifetime
                .refusals
                .iter()
                .find(|refusal| refusal.event > released && refusal.offset <= item)
        })
        .map(|refusal| refusal.event);
    match (never, late) {
        (Never::AskedAfterRelease(event), _) | (Never::NotAsked, Some(event)) => {
            asked(event, "too late")
        }
        (Never::Refused(event), _) => asked(event, "refused"),
        _ => Cause {
            event: lifetime
                .answers
                .last()
                .map_or(facts.event, |answer| answer.event),
            word: "not asked",
            text: format!("no cache.page call asked for item {}", grouped(item)),
        },
    }
}

fn why_cut(facts: &Facts, cut: &CutFacts, target: &Target) -> Option<Why> {
    let bounded = cut.is_bounded();
    let subject = match target {
        Target::Item(item) => format!("item {}", grouped(*item)),
        Target::Bytes { .. } => "this".to_owned(),
        Target::Output => "all of it".to_owned(),
    };
    if !is_missing(cut, target) {
        return None;
    }
    let size = match facts.returned.map(super::ledger::Sum::known) {
        Some(Amount::Known(measure)) => measure
            .chars
            .map(|chars| format!("{} chars", grouped(chars)))
            .or(measure
                .items
                .map(|items| format!("{} items", grouped(items))))
            .or(measure.bytes.map(|bytes| format!("{} B", grouped(bytes))))
            .unwrap_or_default(),
        _ => "size not in this file".to_owned(),
    };
    let mut causes = vec![returned(facts, &size)];
    let kept = match (cut.kept.chars, cut.kept.items) {
        (_, Some(items)) => format!("{} items sent", grouped(items)),
        (Some(chars), None) => format!("{} chars sent", grouped(chars)),
        _ => "some of it sent".to_owned(),
    };
    let by = match &cut.cut {
        None => "rig-compose bound".to_owned(),
        Some(cut) => match (cut.client.as_deref(), cut.rule.as_deref()) {
            (Some(client), Some(rule)) => format!("{client}, {rule}"),
            (Some(client), None) => client.to_owned(),
            _ => "no marker says by whom".to_owned(),
        },
    };
    causes.push(Cause {
        event: facts.event,
        word: if bounded { "bounded" } else { "cut" },
        text: format!("{by}: {kept}"),
    });
    for reader in cut.read_by.iter().take(NAMED_READERS) {
        causes.push(Cause {
            event: *reader,
            word: "read",
            text: format!("#{} read some of it from the file", reader.index()),
        });
    }
    let file = cut.cut.as_ref().and_then(|cut| cut.side_file.as_deref());
    let ways = file.map(|file| Way {
        cost: calls_word(1),
        text: format!("read {file}"),
        bytes: None,
        calls: Vec::new(),
        page_size: None,
    });
    Some(Why {
        event: facts.event,
        title: format!("Why was {subject} never sent?"),
        decisive: 1,
        causes,
        open_until: None,
        ways: ways.into_iter().collect(),
        evidence: facts.evidence,
    })
}

/// Whether what is asked about is missing at the end of the recording.
fn is_missing(cut: &CutFacts, target: &Target) -> bool {
    let free = |block: usize, wanted: Range<u64>| {
        cut.blocks
            .get(block)
            .and_then(|block| block.coverage.as_ref())
            .is_some_and(|coverage| {
                let wanted_end = wanted.end.max(wanted.start + 1);
                coverage
                    .free()
                    .any(|free| free.start < wanted_end && wanted.start < free.end)
            })
    };
    match target {
        Target::Item(item) => free(0, *item..item + 1),
        Target::Bytes { block, range } => free(*block, range.clone()),
        Target::Output => {
            cut.blocks.is_empty()
                || cut.blocks.iter().any(|block| {
                    block
                        .coverage
                        .as_ref()
                        .is_none_or(|coverage| coverage.free_len() > 0)
                })
        }
    }
}

fn calls_word(count: u64) -> String {
    match count {
        1 => "1 call".to_owned(),
        count => format!("{} calls", grouped(count)),
    }
}

/// `192.. then 256..`, and only the first and last of many.
fn offsets_in_words(start: u64, count: u64) -> String {
    let offset = |call: u64| format!("{}..", start + call * DEFAULT_LIMIT);
    match count {
        0..=3 => (0..count).map(offset).collect::<Vec<_>>().join(" then "),
        count => format!("{} {} … {}", offset(0), offset(1), offset(count - 1)),
    }
}

fn range(range: Range<u64>) -> String {
    if range.end == range.start + 1 {
        return range.start.to_string();
    }
    format!("{}..{}", range.start, range.end.saturating_sub(1))
}
