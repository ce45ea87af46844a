//! Values that are nearly right: what a type's own JSON becomes when something in it is changed.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::Value;

use crate::json;

/// One change to a value.
#[derive(Debug, Clone)]
enum Change {
    /// Another value in this place.
    Replace(Value),
    /// A field or item less.
    Remove,
    /// A field or item more.
    Add(String, Value),
    /// An object's values in an array, as derived types read them too.
    Positions,
    /// The string in other case.
    Case,
}

/// Values of `right`, most of them changed in a place or two.
pub fn nearly(right: BoxedStrategy<Value>, keys: &'static [&'static str]) -> BoxedStrategy<Value> {
    let change = prop_oneof![
        4 => json::value().prop_map(Change::Replace),
        2 => Just(Change::Remove),
        2 => (select(keys), json::value()).prop_map(|(key, value)| Change::Add(key.to_owned(), value)),
        1 => Just(Change::Positions),
        1 => Just(Change::Case),
    ];
    (right, vec((any::<Index>(), change), 0..3))
        .prop_map(|(mut value, changes)| {
            for (place, change) in changes {
                let pointers = json::pointers(&value);
                let pointer = place.get(&pointers);
                apply(&mut value, pointer, change);
            }
            value
        })
        .boxed()
}

fn apply(root: &mut Value, pointer: &str, change: Change) {
    if let Change::Remove = change {
        let Some((parent, segment)) = pointer.rsplit_once('/') else {
            return;
        };
        let segment = segment.replace("~1", "/").replace("~0", "~");
        match root.pointer_mut(parent) {
            Some(Value::Object(fields)) => {
                fields.shift_remove(&segment);
            }
            Some(Value::Array(items)) => {
                if let Ok(index) = segment.parse::<usize>() {
                    items.remove(index);
                }
            }
            _ => {}
        }
        return;
    }
    let Some(place) = root.pointer_mut(pointer) else {
        return;
    };
    match (change, place) {
        (Change::Replace(value), place) => *place = value,
        (Change::Add(key, value), Value::Object(fields)) => {
            fields.insert(key, value);
        }
        (Change::Add(_, value), Value::Array(items)) => items.push(value),
        (Change::Positions, place @ Value::Object(_)) => {
            if let Value::Object(fields) = place.take() {
                *place = Value::Array(fields.into_iter().map(|(_, value)| value).collect());
            }
        }
        (Change::Case, Value::String(text)) => *text = text.to_uppercase(),
        _ => {}
    }
}
