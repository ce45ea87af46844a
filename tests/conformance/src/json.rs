//! Generated JSON: as text first, in the many ways that a recording may write it, then parsed.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::Union;
use serde_json::{Map, Value};

/// Any JSON value, a few levels deep.
pub fn value() -> BoxedStrategy<Value> {
    text().prop_map(|text| parsed(&text)).boxed()
}

/// An array, now and then of many items of one length.
pub fn array() -> BoxedStrategy<Vec<Value>> {
    prop_oneof![
        3 => vec(value(), 0..8),
        1 => (leaf(), 0..70_usize).prop_map(|(item, count)| vec![parsed(&item); count]),
    ]
    .boxed()
}

/// JSON text: numbers of all forms, escapes, blanks, repeated keys.
pub fn text() -> BoxedStrategy<String> {
    text_with_keys(&["a", "b", "ab", "", "a/b", "m~n", "é", "\\u0061", "\\n"])
}

/// JSON text whose objects have keys of this list, as they stand between the quotes, and others.
pub fn text_with_keys(keys: &'static [&'static str]) -> BoxedStrategy<String> {
    let key = prop_oneof![4 => select(keys).prop_map(str::to_owned), 1 => inside_quotes()];
    leaf()
        .prop_recursive(4, 24, 5, move |inner| {
            let field = (key.clone(), inner.clone(), blank())
                .prop_map(|(key, value, blank)| format!("\"{key}\"{blank}:{blank}{value}"));
            prop_oneof![
                vec(inner, 0..6).prop_map(|items| format!("[{}]", items.join(","))),
                (vec(field, 0..5), blank()).prop_map(|(fields, blank)| {
                    format!("{{{blank}{}{blank}}}", fields.join(","))
                }),
            ]
        })
        .boxed()
}

/// A scalar, as text.
fn leaf() -> BoxedStrategy<String> {
    prop_oneof![
        1 => select(&["null", "true", "false"][..]).prop_map(str::to_owned),
        3 => number(),
        3 => inside_quotes().prop_map(|inside| format!("\"{inside}\"")),
    ]
    .boxed()
}

/// A number in one of its many spellings.
pub fn number() -> BoxedStrategy<String> {
    const SPELLINGS: &[&str] = &[
        "0",
        "-0",
        "-0.0",
        "0.0",
        "1.0",
        "1.10",
        "1e2",
        "1E+2",
        "1e-7",
        "0.1",
        "0.30000000000000004",
        "1e15",
        "1e16",
        "1e21",
        "123456789012345678901",
        "18446744073709551615",
        "18446744073709551616",
        "-9223372036854775808",
        "-9223372036854775809",
        "9007199254740993",
        "5e-324",
        "2.2250738585072014e-308",
        "1.7976931348623157e308",
        "3.141592653589793238462643383279",
        "100000000000000000000000.5",
    ];
    prop_oneof![
        select(SPELLINGS).prop_map(str::to_owned),
        (-300..300_i32).prop_map(|number| number.to_string()),
        any::<i64>().prop_map(|number| number.to_string()),
        any::<u64>().prop_map(|number| number.to_string()),
        finite().prop_map(|number| format!("{number:?}")),
        finite().prop_map(|number| format!("{number:e}")),
        any::<f32>()
            .prop_filter("finite", |number| number.is_finite())
            .prop_map(|number| format!("{number:?}")),
        (any::<i32>(), 0..1000_u32).prop_map(|(whole, part)| format!("{whole}.{part:03}")),
    ]
    .boxed()
}

fn finite() -> impl Strategy<Value = f64> {
    any::<f64>().prop_filter("JSON has no others", |number| number.is_finite())
}

/// What stands between the quotes of a JSON string.
fn inside_quotes() -> BoxedStrategy<String> {
    const PIECES: &[&str] = &[
        "",
        "a",
        "word",
        "two words",
        "é",
        "e\u{301}",
        "日本",
        "😀",
        "\u{7f}",
        "\u{80}",
        "\u{2028}",
        "\u{202e}",
        "\\\"",
        "\\\\",
        "\\/",
        "/",
        "~",
        "\\b",
        "\\f",
        "\\n",
        "\\r",
        "\\t",
        "\\u0000",
        "\\u000b",
        "\\u001b",
        "\\u001F",
        "\\u00e9",
        "\\u0041",
        "\\ud83d\\ude00",
        "'",
        "<",
    ];
    let any_character = any::<char>().prop_map(|character| {
        let quoted = Value::from(character.to_string()).to_string();
        quoted[1..quoted.len() - 1].to_owned()
    });
    let piece = Union::new_weighted(vec![
        (6, select(PIECES).prop_map(str::to_owned).boxed()),
        (1, any_character.boxed()),
    ]);
    vec(piece, 0..6).prop_map(|pieces| pieces.concat()).boxed()
}

/// Text, as Rust has it.
pub fn words() -> BoxedStrategy<String> {
    inside_quotes()
        .prop_map(|inside| match parsed(&format!("\"{inside}\"")) {
            Value::String(text) => text,
            other => other.to_string(),
        })
        .boxed()
}

fn blank() -> impl Strategy<Value = &'static str> {
    select(&["", "", "", " ", "\n\t"][..])
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("generated {text}: {error}"))
}

/// All places in a value, as JSON pointers, the value itself first.
pub fn pointers(value: &Value) -> Vec<String> {
    let mut found = vec![String::new()];
    let mut open = vec![(String::new(), value)];
    while let Some((pointer, value)) = open.pop() {
        let children: Vec<(String, &Value)> = match value {
            Value::Array(items) => items
                .iter()
                .enumerate()
                .map(|(index, item)| (index.to_string(), item))
                .collect(),
            Value::Object(fields) => fields
                .iter()
                .map(|(key, value)| (key.replace('~', "~0").replace('/', "~1"), value))
                .collect(),
            _ => Vec::new(),
        };
        for (segment, child) in children {
            let pointer = format!("{pointer}/{segment}");
            found.push(pointer.clone());
            open.push((pointer, child));
        }
    }
    found
}

/// An object of these fields.
pub fn object<const N: usize>(fields: [(&str, Value); N]) -> Value {
    Value::Object(
        fields
            .map(|(key, value)| (key.to_owned(), value))
            .into_iter()
            .collect::<Map<_, _>>(),
    )
}
