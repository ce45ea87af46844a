//! The length of serde_json's compact form, without building the value.

use super::build::number;
use super::string::canonical_text_length;
use super::view::{Entries, Items, Kind, View};

enum Frame<'a> {
    Array {
        items: Items<'a>,
        length: u64,
        count: u64,
    },
    Object {
        entries: Entries<'a>,
        /// Length of what was counted so far, by key: of a repeated key only the last counts.
        members: Vec<(View<'a>, u64)>,
        key: View<'a>,
    },
}

/// The length of `serde_json::to_string` of the parsed value.
pub(super) fn canonical(view: View<'_>) -> u64 {
    let mut stack: Vec<Frame<'_>> = Vec::new();
    let mut next = Some(view);
    loop {
        let mut done = None;
        if let Some(view) = next.take() {
            match view.kind() {
                Kind::Array => stack.push(Frame::Array {
                    items: view.items(),
                    length: 0,
                    count: 0,
                }),
                Kind::Object => stack.push(Frame::Object {
                    entries: view.entries(),
                    members: Vec::new(),
                    key: view,
                }),
                _ => done = Some(scalar(view)),
            }
        }
        loop {
            match (stack.last_mut(), done.take()) {
                (None, Some(length)) => return length,
                (None, None) => return 0,
                (Some(frame), finished) => {
                    next = advance(frame, finished);
                    if next.is_some() {
                        break;
                    }
                    done = stack.pop().map(total);
                }
            }
        }
    }
}

/// Counts a finished member and gives the next one to measure.
fn advance<'a>(frame: &mut Frame<'a>, finished: Option<u64>) -> Option<View<'a>> {
    match frame {
        Frame::Array {
            items,
            length,
            count,
        } => {
            if let Some(finished) = finished {
                *length += finished;
                *count += 1;
            }
            items.next()
        }
        Frame::Object {
            entries,
            members,
            key,
        } => {
            if let Some(finished) = finished {
                members.push((*key, finished));
            }
            let (name, value) = entries.next()?;
            *key = name;
            Some(value)
        }
    }
}

fn total(frame: Frame<'_>) -> u64 {
    match frame {
        Frame::Array { length, count, .. } => 2 + length + count.saturating_sub(1),
        Frame::Object { mut members, .. } => {
            last_of_each(&mut members);
            let count = members.len() as u64;
            let sum: u64 = members
                .iter()
                .map(|(key, length)| {
                    canonical_text_length(key.inner().unwrap_or_default()) + 1 + length
                })
                .sum();
            2 + sum + count.saturating_sub(1)
        }
    }
}

/// Keeps the last member of every key.
fn last_of_each(members: &mut Vec<(View<'_>, u64)>) {
    let small = members.len() <= 32;
    let escaped = members
        .iter()
        .any(|(key, _)| key.inner().is_some_and(|inner| inner.contains(&b'\\')));
    if small && !escaped {
        let repeated = members.iter().enumerate().any(|(place, (key, _))| {
            members
                .iter()
                .skip(place + 1)
                .any(|(other, _)| other.raw() == key.raw())
        });
        if !repeated {
            return;
        }
    }
    let mut seen = std::collections::HashSet::new();
    let mut kept: Vec<_> = members
        .drain(..)
        .rev()
        .filter(|(key, _)| seen.insert(key.text().unwrap_or_default()))
        .collect();
    kept.reverse();
    *members = kept;
}

fn scalar(view: View<'_>) -> u64 {
    match view.kind() {
        Kind::String => canonical_text_length(view.inner().unwrap_or_default()),
        Kind::Number => {
            let raw = view.raw();
            // Up to 18 digits are an integer that is written as it was read.
            let plain = raw.strip_prefix(b"-").unwrap_or(raw);
            if plain.len() <= 18 && plain.iter().all(u8::is_ascii_digit) && raw != b"-0" {
                raw.len() as u64
            } else {
                match number(view) {
                    Some(number) => number.to_string().len() as u64,
                    None => raw.len() as u64 + 2,
                }
            }
        }
        Kind::Bool => view.raw().len() as u64,
        _ => 4,
    }
}
