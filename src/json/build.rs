//! Building serde_json values from views, with an explicit stack.

use serde_json::{Map, Number, Value};

use super::view::{Entries, Items, Kind, View};

enum Frame<'a> {
    Array(Vec<Value>, Items<'a>),
    Object(Map<String, Value>, Entries<'a>, String),
}

/// The value of a view. Of a repeated key the last value wins and keeps the place of the first, as
/// serde_json does it.
pub(super) fn value(view: View<'_>) -> Value {
    let mut stack: Vec<Frame<'_>> = Vec::new();
    let mut next = Some(view);
    loop {
        let mut done = None;
        if let Some(view) = next.take() {
            match view.kind() {
                Kind::Array => stack.push(Frame::Array(Vec::new(), view.items())),
                Kind::Object => {
                    stack.push(Frame::Object(Map::new(), view.entries(), String::new()));
                }
                _ => done = Some(scalar(view)),
            }
        }
        loop {
            match (stack.last_mut(), done.take()) {
                (None, Some(value)) => return value,
                (None, None) => return Value::Null,
                (Some(frame), finished) => {
                    if let Some(value) = finished {
                        match frame {
                            Frame::Array(items, _) => items.push(value),
                            Frame::Object(map, _, key) => {
                                map.insert(std::mem::take(key), value);
                            }
                        }
                    }
                    next = match frame {
                        Frame::Array(_, items) => items.next(),
                        Frame::Object(_, entries, key) => entries.next().map(|(name, value)| {
                            *key = name.text().unwrap_or_default().into_owned();
                            value
                        }),
                    };
                    if next.is_some() {
                        break;
                    }
                    done = Some(match stack.pop() {
                        Some(Frame::Array(items, _)) => Value::Array(items),
                        Some(Frame::Object(map, ..)) => Value::Object(map),
                        None => return Value::Null,
                    });
                }
            }
        }
    }
}

/// The value of anything but an array or object.
fn scalar(view: View<'_>) -> Value {
    match view.kind() {
        Kind::String => Value::String(view.text().unwrap_or_default().into_owned()),
        Kind::Bool => Value::Bool(view.raw() == b"true"),
        Kind::Number => number(view).map_or_else(
            || Value::String(String::from_utf8_lossy(view.raw()).into_owned()),
            Value::Number,
        ),
        _ => Value::Null,
    }
}

/// The number as serde_json holds it; none where it is out of range.
pub(super) fn number(view: View<'_>) -> Option<Number> {
    serde_json::from_slice(view.raw()).ok()
}
