//! What became of every block, and what else the wire still tells.

use std::io::Write as _;

use serde_json::{Value, json};

use crate::tokens::{self, Estimator, Tokens};
use crate::tool::compact;

use super::adapt;
use super::catalog::Behaviour;
use super::notes;
use super::search::{Found, How, Located, Spot, Step, locate};
use super::subject::{Facts, Stand, Subject};
use super::wire::Encoded;
use super::{BlockFate, ErrorFlag, Fate, Lens, Order, Rendering};

/// A rendering from what a sender wrote, or from the error it failed with.
pub(super) fn rendering(
    subject: &Subject,
    provider: &str,
    lens: Lens,
    outcome: Result<Encoded, String>,
    behaviour: Option<&Behaviour>,
) -> Rendering {
    let encoded = match outcome {
        Ok(encoded) => encoded,
        Err(error) => return refusal(subject, provider, lens, error),
    };
    let wire = json!({"messages": encoded.messages});
    // Only a result that is sent as a text of the user begins with a label.
    let label = match encoded.result {
        Some(_) => String::new(),
        None => adapt::label(&subject.tool, subject.is_error),
    };
    let located = locate(&wire, &subject.blocks, encoded.result, &label);
    let blocks = subject
        .blocks
        .iter()
        .zip(&located.blocks)
        .enumerate()
        .map(|(index, (block, found))| {
            let fate = fate(
                &block.facts,
                block.stand.as_ref(),
                found.as_ref(),
                encoded.result,
            );
            BlockFate {
                block: index + 1,
                fate,
                at: found.as_ref().map(|found| found.spot.pointer()),
                note: notes::note(index, fate, subject, &located, &wire, behaviour),
            }
        })
        .collect::<Vec<_>>();
    Rendering {
        provider: provider.to_owned(),
        lens,
        error_flag: subject.is_error.then(|| error_flag(&wire, encoded.result)),
        order: Some(order(&located)),
        bytes: compact::length(&wire) as u64,
        tokens: wire_tokens(subject, &wire, &located),
        blocks,
        error: None,
        wire: Some(wire),
    }
}

fn refusal(subject: &Subject, provider: &str, lens: Lens, error: String) -> Rendering {
    let blocks = (1..=subject.blocks.len())
        .map(|block| BlockFate {
            block,
            fate: Fate::Refused,
            at: None,
            note: None,
        })
        .collect();
    Rendering {
        provider: provider.to_owned(),
        lens,
        wire: None,
        blocks,
        error: Some(error),
        error_flag: subject.is_error.then_some(ErrorFlag::Lost),
        order: None,
        bytes: 0,
        tokens: Tokens::ZERO,
    }
}

fn fate(
    facts: &Facts,
    stand: Option<&Stand>,
    found: Option<&Found<'_>>,
    result: Option<&[&str]>,
) -> Fate {
    let Some(found) = found else {
        return Fate::Dropped;
    };
    match (found.how, facts, stand) {
        (How::Media, _, _) => match result {
            Some(keys) if found.spot.is_in_result(keys) => Fate::Native,
            _ => Fate::Moved,
        },
        (How::Value, _, _) | (How::Whole, Facts::Text(_), None) => Fate::Native,
        (_, _, Some(Stand::Description { .. })) => Fate::Described,
        _ => Fate::Converted,
    }
}

/// Whether a field says that the tool failed, or only the text does.
fn error_flag(wire: &Value, result: Option<&[&str]>) -> ErrorFlag {
    let first = wire.pointer("/messages/0");
    let node = result.and_then(|keys| {
        keys.iter().try_fold(first?, |node, key| match node {
            Value::Array(items) => items.get(key.parse::<usize>().ok()?),
            node => node.get(key),
        })
    });
    let flagged = node.is_some_and(|node| {
        node.get("is_error") == Some(&Value::Bool(true))
            || node.get("status").and_then(Value::as_str) == Some("error")
            || node
                .get("response")
                .is_some_and(|response| response.get("error").is_some())
    });
    if flagged {
        return ErrorFlag::Kept;
    }
    // What rig writes over a result without tools, and for one that says nothing; what mixtape wraps
    // around an error.
    let mut says = false;
    strings(wire, 0, &mut |text| {
        let head = text.lines().next().unwrap_or_default();
        says |= text.starts_with(adapt::NO_OUTPUT_ERROR)
            || (result.is_none() && head.starts_with("[tool ") && head.contains(" error] "))
            || (text.starts_with("{\"content\":") && text.ends_with(",\"is_error\":true}"));
    });
    if says {
        ErrorFlag::InText
    } else {
        ErrorFlag::Lost
    }
}

/// The strings of a wire; values below the depth of any shape belong to a payload.
fn strings<'w>(node: &'w Value, depth: usize, visit: &mut dyn FnMut(&'w str)) {
    match node {
        Value::String(text) => visit(text),
        Value::Array(items) if depth < 12 => items
            .iter()
            .for_each(|item| strings(item, depth + 1, visit)),
        Value::Object(fields) if depth < 12 => {
            fields
                .values()
                .for_each(|value| strings(value, depth + 1, visit));
        }
        _ => {}
    }
}

/// Kept where every block comes after the one before it, in one list or one string: the fields of an
/// object tell no order.
fn order(located: &Located<'_>) -> Order {
    // A moved image has its place where the notice for it stands.
    let spots: Vec<&Spot<'_>> = located
        .blocks
        .iter()
        .flatten()
        .map(|found| found.notice.as_ref().unwrap_or(&found.spot))
        .collect();
    let kept = spots
        .iter()
        .zip(spots.iter().skip(1))
        .all(|(before, after)| follows(before, after));
    if kept { Order::Kept } else { Order::Lost }
}

fn follows(before: &Spot<'_>, after: &Spot<'_>) -> bool {
    let apart = before
        .path
        .iter()
        .zip(&after.path)
        .find(|(one, other)| one != other);
    match apart {
        None => before.offset <= after.offset,
        Some((Step::Item(one), Step::Item(other))) => one < other,
        // Two fields of one object.
        Some(_) => false,
    }
}

/// The blocks' own estimates, where they are carried as text or JSON, and the rest of the wire.
fn wire_tokens(subject: &Subject, wire: &Value, located: &Located<'_>) -> Tokens {
    let carried = |found: &Option<Found<'_>>| {
        found
            .as_ref()
            .is_some_and(|found| !matches!(found.how, How::Media | How::Escaped))
    };
    let payload: Tokens = subject
        .blocks
        .iter()
        .zip(&located.blocks)
        .filter(|(_, found)| carried(found))
        .map(|(block, _)| block.tokens())
        .sum();
    let emptied: Vec<&Value> = located
        .blocks
        .iter()
        .flatten()
        .filter(|found| found.how != How::Escaped)
        .map(|found| found.node)
        .collect();
    let mut skeleton = Estimator::new();
    estimate_without(wire, &emptied, &mut skeleton);
    let left: Tokens = located.left.iter().map(|text| tokens::estimate(text)).sum();
    payload + skeleton.tokens() + left
}

/// Estimates the JSON of a wire with the values of the blocks left out.
fn estimate_without(node: &Value, emptied: &[&Value], estimator: &mut Estimator) {
    if emptied.iter().any(|emptied| std::ptr::eq(*emptied, node)) {
        estimator.push(b"\"\"");
        return;
    }
    match node {
        Value::Array(items) => {
            estimator.push(b"[");
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    estimator.push(b",");
                }
                estimate_without(item, emptied, estimator);
            }
            estimator.push(b"]");
        }
        Value::Object(fields) => {
            estimator.push(b"{");
            for (index, (key, value)) in fields.iter().enumerate() {
                if index > 0 {
                    estimator.push(b",");
                }
                // An estimator takes every byte.
                let _ = write!(estimator, "\"{key}\":");
                estimate_without(value, emptied, estimator);
            }
            estimator.push(b"}");
        }
        scalar => {
            let _ = serde_json::to_writer(estimator, scalar);
        }
    }
}
