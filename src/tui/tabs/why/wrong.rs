//! What is wrong with an event of which nothing was lost, told by the events that led to it.

use crate::replay::loss::{Loss, LossKind};
use crate::replay::why::{Cause, Target, Why};
use crate::session::event::Evidence;
use crate::text::grouped;
use crate::tui::tab::Source;

/// The entries of "lost or wrong" for the selected event that are findings and refusals.
pub(super) fn finding(source: &Source) -> Option<Why> {
    let causes: Vec<Cause> = source
        .replay
        .losses()
        .iter()
        .filter(|loss| loss.event == source.event)
        .flat_map(|loss| match loss.kind {
            LossKind::AskedTooLate => refusal(source, loss),
            LossKind::WrongImageType => image(loss),
            LossKind::NeverSent | LossKind::Cut => Vec::new(),
        })
        .collect();
    Some(Why {
        event: source.event,
        title: format!("What is wrong with #{}?", source.event.index()),
        decisive: causes.len().checked_sub(1)?,
        causes,
        open_until: None,
        ways: Vec::new(),
        evidence: source
            .replay
            .ledger(source.event)
            .map_or(Evidence::Recorded, |ledger| ledger.evidence),
    })
}

/// Stored, released, asked for: a page of a handle that is gone.
fn refusal(source: &Source, loss: &Loss) -> Vec<Cause> {
    let mut causes = Vec::new();
    let life = source.replay.pages(loss.event);
    if let Some(life) = &life {
        causes.push(Cause {
            event: life.stored,
            word: "stored",
            text: format!(
                "#{} stored {} items as {}",
                life.stored.index(),
                grouped(life.total_items),
                life.handle
            ),
        });
        if let Some(released) = life.released.filter(|released| *released < loss.event) {
            causes.push(Cause {
                event: released,
                word: "released",
                text: format!("#{} released {}", released.index(), life.handle),
            });
        }
    }
    // The output that lost items by it knows what was asked and the exact error.
    let asked = life
        .and_then(|life| source.replay.why(life.output?, &Target::Output))
        .and_then(|why| {
            let mut causes = why.causes.into_iter();
            causes.find(|cause| cause.event == loss.event)
        });
    causes.push(Cause {
        event: loss.event,
        word: "refused",
        text: asked.map_or_else(
            || format!("#{} {}", loss.event.index(), loss.text),
            |asked| asked.text,
        ),
    });
    causes
}

/// A declared type that the bytes contradict.
fn image(loss: &Loss) -> Vec<Cause> {
    vec![Cause {
        event: loss.event,
        word: "image",
        text: format!(
            "{}: a provider that trusts the declared type may refuse it",
            loss.text
        ),
    }]
}
