//! What was lost or is wrong in a recording, and the mark of every timeline row.

use std::sync::Arc;

use super::Replay;
use super::cut::CutFacts;
use super::facts::{Facts, Form};
use super::ledger::Sum;
use crate::policy::Unit;
use crate::session::event::{EventId, EventKind, EventRecord};
use crate::text::grouped;
use crate::tokens::Tokens;

/// One line of the list "lost or wrong".
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loss {
    /// Where.
    pub event: EventId,
    /// What kind.
    pub kind: LossKind,
    /// In words, for example `220 of 412 items never sent`.
    pub text: String,
}

/// The kinds of losses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LossKind {
    /// Items behind an envelope that no page brought.
    NeverSent,
    /// Text or values cut from what the model was sent.
    Cut,
    /// A page was asked for of a handle that was released or never known.
    AskedTooLate,
    /// An image whose declared type is not what its bytes are.
    WrongImageType,
}

impl LossKind {
    /// Whether data of an output was lost, rather than something being wrong with it.
    pub const fn loses_data(self) -> bool {
        matches!(self, Self::NeverSent | Self::Cut)
    }
}

/// The one mark of a timeline row, gravest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mark {
    /// The output is an error.
    Error,
    /// Something is wrong with it.
    Finding,
    /// The model was sent an envelope.
    Envelope,
    /// It holds an image.
    Image,
    /// It holds a document.
    Document,
    /// A call that nobody answered.
    Unanswered,
    /// A line without JSON structure.
    Bad,
}

impl Replay {
    /// What was lost or is wrong, in the order of the recording.
    pub fn losses(&self) -> &[Loss] {
        self.derived
            .losses
            .get_or_init(|| Arc::from(self.find_losses()))
    }

    /// How many outputs lost data.
    pub fn outputs_that_lost_data(&self) -> usize {
        let mut outputs: Vec<EventId> = self
            .losses()
            .iter()
            .filter(|loss| loss.kind.loses_data())
            .map(|loss| loss.event)
            .collect();
        outputs.dedup();
        outputs.len()
    }

    /// The gravest mark of a row.
    pub fn mark(&self, id: EventId, record: &EventRecord) -> Option<Mark> {
        if let Some(facts) = self.facts_of(id) {
            return facts.mark();
        }
        match record.kind {
            EventKind::Bad => Some(Mark::Bad),
            EventKind::ToolOutput if record.is_error => Some(Mark::Error),
            EventKind::ToolCall if record.pair.is_none() && !record.server => {
                Some(Mark::Unanswered)
            }
            _ => None,
        }
    }

    fn find_losses(&self) -> Vec<Loss> {
        let mut losses: Vec<Loss> = self
            .facts
            .iter()
            .flat_map(|facts| self.losses_of(facts))
            .collect();
        losses.extend(self.refused.iter().map(|event| Loss {
            event: *event,
            kind: LossKind::AskedTooLate,
            text: if self.was_released_before(*event) {
                "asked for a released handle".to_owned()
            } else {
                "asked for an unknown handle".to_owned()
            },
        }));
        losses.sort_by_key(|loss| loss.event);
        losses
    }

    fn was_released_before(&self, event: EventId) -> bool {
        self.lifetime_of(event)
            .and_then(|lifetime| lifetime.released)
            .is_some_and(|released| released < event)
    }

    fn losses_of(&self, facts: &Facts) -> Vec<Loss> {
        let loss = |kind, text| Loss {
            event: facts.event,
            kind,
            text,
        };
        let mut losses = Vec::new();
        if let Form::Envelope(_) = facts.form
            && facts.sent.is_some()
            && let Some(lifetime) = facts.lifetime.and_then(|at| self.lifetimes.get(at))
            && lifetime.output == Some(facts.event)
            && let never = lifetime.served(None).free_len()
            && never > 0
        {
            let text = format!(
                "{} of {} items never sent",
                grouped(never),
                grouped(lifetime.total)
            );
            losses.push(loss(LossKind::NeverSent, text));
        }
        if let Form::Cut(cut) = &facts.form
            && let Some(text) = cut_text(cut, facts.returned)
        {
            losses.push(loss(LossKind::Cut, text));
        }
        if let Some(wrong) = &facts.look.wrong_image {
            losses.push(loss(LossKind::WrongImageType, wrong.to_string()));
        }
        losses
    }
}

impl Facts {
    fn mark(&self) -> Option<Mark> {
        let enveloped = match &self.form {
            Form::Envelope(_) => true,
            Form::Cut(cut) => cut.is_bounded(),
            Form::Whole | Form::OneSide => false,
        };
        [
            (self.is_error, Mark::Error),
            (self.look.wrong_image.is_some(), Mark::Finding),
            (enveloped, Mark::Envelope),
            (self.look.image, Mark::Image),
            (self.look.document, Mark::Document),
        ]
        .into_iter()
        .find_map(|(holds, mark)| holds.then_some(mark))
    }
}

/// How much a cut lost, in words; none where nothing is missing at the end.
fn cut_text(cut: &CutFacts, returned: Option<Sum>) -> Option<String> {
    let never = cut.never();
    let returned = returned.unwrap_or_default();
    // A text that was replaced as a whole, or whose marker counts nothing.
    let uncounted = || {
        let client = cut.cut.as_ref()?.client.as_deref()?;
        Some(format!("cut by {client}"))
    };
    let counted = [
        (never.chars, returned.chars, Unit::Chars),
        (never.items, returned.items, Unit::Items),
        (never.bytes, returned.bytes, Unit::Bytes),
        (never.lines, returned.lines, Unit::Lines),
        (never.tokens.map(Tokens::rounded), None, Unit::Tokens),
    ];
    let Some((lost, of, unit)) = counted
        .into_iter()
        .find_map(|(lost, of, unit)| Some((lost?, of, unit)))
    else {
        return uncounted();
    };
    if lost == 0 {
        return None;
    }
    let word = if cut.read_by.is_empty() {
        "cut"
    } else {
        "never sent"
    };
    let words = unit.word(of.unwrap_or(lost));
    Some(match of {
        Some(of) => format!("{} of {} {words} {word}", grouped(lost), grouped(of)),
        None => format!("{} {words} {word}", grouped(lost)),
    })
}
