//! A value in one line.

use crate::json::{Kind, View};
use crate::text;

/// So many entries of an object are looked at for a summary.
const LOOKED_AT: usize = 24;

/// So many bytes of a value are looked at for what fits on a line.
const ENOUGH: usize = 1024;

/// Names of fields that say what an object is called, the better ones first.
const TITLES: [&str; 14] = [
    "title",
    "name",
    "path",
    "file",
    "filename",
    "message",
    "summary",
    "subject",
    "headline",
    "text",
    "description",
    "label",
    "url",
    "type",
];

/// Names of fields that tell an object from others, the better ones first.
const IDS: [&str; 7] = ["number", "id", "key", "iid", "line", "sha", "uuid"];

/// The beginning of a value as it stands, as much as a line can use.
pub fn beginning(raw: &[u8]) -> String {
    let cut = raw.get(..raw.len().min(ENOUGH)).unwrap_or_default();
    String::from_utf8_lossy(cut).into_owned()
}

/// What an item is called: `4612  Login button dead on Safari`; for what has no such fields the
/// beginning of its JSON.
pub fn of(view: View<'_>) -> String {
    let named = match view.kind() {
        Kind::Object => of_object(view),
        _ => None,
    };
    named.unwrap_or_else(|| beginning(view.raw()))
}

fn of_object(view: View<'_>) -> Option<String> {
    let mut id: Option<(usize, String)> = None;
    let mut title: Option<(usize, String)> = None;
    for (key, value) in view.entries().take(LOOKED_AT) {
        let Some(key) = key.text() else { continue };
        let better = |names: &[&str], found: &Option<(usize, String)>| {
            names
                .iter()
                .position(|name| *name == key)
                .filter(|rank| found.as_ref().is_none_or(|(best, _)| rank < best))
        };
        if let Some(rank) = better(&IDS, &id) {
            id = scalar(value).map(|text| (rank, text)).or(id);
        }
        if let Some(rank) = better(&TITLES, &title) {
            title = scalar(value)
                .filter(|_| value.is_string())
                .map(|text| (rank, text))
                .or(title);
        }
    }
    match (id, title) {
        (Some((_, id)), Some((_, title))) => Some(format!("{id}  {title}")),
        (None, Some((_, title))) => Some(title),
        (Some((_, id)), None) if view.entries().nth(1).is_none() => Some(id),
        _ => None,
    }
}

/// A scalar as people read it: the text of a string, else as it stands.
fn scalar(view: View<'_>) -> Option<String> {
    match view.kind() {
        Kind::String => {
            let inner = view.inner()?;
            let cut = inner.get(..inner.len().min(ENOUGH))?;
            Some(crate::json::decode(cut).into_owned())
        }
        Kind::Number | Kind::Bool => Some(beginning(view.raw())),
        _ => None,
    }
}

/// How many are inside: `8 keys`, `1 item`.
pub fn count(kind: Kind, count: usize) -> String {
    let word = match (kind, count) {
        (Kind::Object, 1) => "key",
        (Kind::Object, _) => "keys",
        (_, 1) => "item",
        _ => "items",
    };
    format!("{} {word}", text::grouped(count as u64))
}

/// A value in the header of its block: `array of 412`, `object of 3`, `string`.
pub fn headline(view: View<'_>, children: usize) -> String {
    match view.kind() {
        Kind::Array => format!("array of {}", text::grouped(children as u64)),
        Kind::Object => format!("object of {}", text::grouped(children as u64)),
        Kind::String => "string".to_owned(),
        Kind::Number => "number".to_owned(),
        Kind::Bool => "boolean".to_owned(),
        Kind::Null => "null".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_item_is_called_by_its_number_and_title() {
        for (json, summary) in [
            (r#"{"number":4612,"title":"Login"}"#, "4612  Login"),
            (r#"{"name":"bug","id":7,"color":"red"}"#, "7  bug"),
            (r#"{"title":"only"}"#, "only"),
            (r#"{"a":1,"b":2}"#, r#"{"a":1,"b":2}"#),
            ("[1,2]", "[1,2]"),
            ("\"x\"", "\"x\""),
        ] {
            assert_eq!(of(View::trusted(json.as_bytes())), summary);
        }
    }
}
