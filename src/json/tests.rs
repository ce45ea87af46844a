use proptest::prelude::*;
use serde_json::Value;

use super::{Kind, MAX_DEPTH, Record, View, position_at};

/// JSON text as other programs write it: white space, escapes, repeated keys, numbers of all forms.
fn json_text() -> impl Strategy<Value = String> {
    let string = prop_oneof![
        "[ -!#-\\[\\]-~é😀]{0,12}".prop_map(|text| format!("\"{text}\"")),
        "(\\\\[\"\\\\/bfnrt]|\\\\u00[0-7][0-9a-fA-F]|\\\\u[0-9a-c][0-9a-fA-F]{3}|\\\\ud83d\\\\ude00|[a-z]){0,8}"
            .prop_map(|text| format!("\"{text}\"")),
        "[a-z]{60,140}".prop_map(|text| format!("\"{text}\"")),
    ];
    let number = prop_oneof![
        any::<i64>().prop_map(|number| number.to_string()),
        any::<u64>().prop_map(|number| number.to_string()),
        any::<f64>()
            .prop_filter("finite", |number| number.is_finite())
            .prop_map(|number| format!("{number:e}")),
        "-?(0|[1-9][0-9]{0,24})(\\.[0-9]{1,20})?([eE][+-]?[0-9]{1,2})?",
    ];
    let leaf = prop_oneof![
        Just("null".to_owned()),
        Just("true".to_owned()),
        Just("false".to_owned()),
        string,
        number,
    ];
    let space = "[ \t\n\r]{0,2}";
    leaf.prop_recursive(5, 60, 8, move |inner| {
        let member = (
            prop_oneof![
                Just("\"a\"".to_owned()),
                Just("\"\\u0061\"".to_owned()),
                "\"[a-d]{1,2}\"".prop_map(|key| key)
            ],
            inner.clone(),
            space,
        );
        prop_oneof![
            (prop::collection::vec(inner, 0..8), space).prop_map(|(items, space)| format!(
                "[{space}{}{space}]",
                items.join(&format!(",{space}"))
            )),
            prop::collection::vec(member, 0..8).prop_map(|members| {
                let members: Vec<_> = members
                    .into_iter()
                    .map(|(key, value, space)| format!("{space}{key}{space}:{space}{value}{space}"))
                    .collect();
                format!("{{{}}}", members.join(","))
            }),
        ]
    })
}

/// Every value of a view is found as serde_json finds it.
fn agrees(view: View<'_>, value: &Value) {
    match value {
        Value::Null => assert_eq!(view.kind(), Kind::Null),
        Value::Bool(flag) => assert_eq!(view.bool(), Some(*flag)),
        Value::Number(number) => {
            assert_eq!(view.kind(), Kind::Number);
            if let Some(number) = number.as_u64().filter(|_| !view.raw().contains(&b'-')) {
                assert_eq!(view.u64(), Some(number));
            }
        }
        Value::String(text) => {
            assert_eq!(view.text().as_deref(), Some(text.as_str()));
            assert!(view.is_text(text));
        }
        Value::Array(items) => {
            let views: Vec<_> = view.items().collect();
            assert_eq!(views.len(), items.len());
            for (view, item) in views.into_iter().zip(items) {
                agrees(view, item);
            }
        }
        Value::Object(map) => {
            assert_eq!(view.kind(), Kind::Object);
            for (key, value) in map {
                agrees(view.get(key).expect("the key is there"), value);
                let pointer = format!("/{}", key.replace('~', "~0").replace('/', "~1"));
                assert!(view.pointer(&pointer).is_some());
            }
            assert!(view.get("no such key").is_none());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn agrees_with_serde_json(text in json_text()) {
        match serde_json::from_str::<Value>(&text) {
            Ok(value) => {
                let mut record = Record::new();
                prop_assert!(record.check(text.as_bytes()).is_ok());
                prop_assert_eq!(record.faults(), &[]);
                let view = record.view(text.as_bytes());
                prop_assert_eq!(&view.value(), &value);
                prop_assert_eq!(view.canonical_length(), serde_json::to_string(&value).unwrap().len() as u64);
                agrees(view, &value);
                let (scanned, _) = View::check(text.as_bytes()).unwrap();
                prop_assert_eq!(&scanned.value(), &value);
                agrees(View::trusted(text.as_bytes()), &value);
            }
            // Only numbers out of range are JSON by its grammar and refused by serde_json.
            Err(error) => {
                prop_assert!(error.to_string().contains("number out of range"), "{}: {}", error, text);
                prop_assert!(View::check(text.as_bytes()).is_ok());
            }
        }
    }

    #[test]
    fn never_panics(bytes in prop::collection::vec(prop_oneof![
        4 => prop::sample::select(b"{}[]\",:\\u0dD8t1eE.-+ \n".to_vec()), 1 => any::<u8>()
    ], 0..200)) {
        let view = View::trusted(&bytes);
        let _ = (view.value(), view.canonical_length(), view.get("a"), view.pointer("/a/0"));
        if let Ok((view, faults)) = View::check(&bytes) {
            let _ = (view.value(), view.canonical_length());
            // Refused by serde_json only for what is told.
            if serde_json::from_slice::<Value>(&bytes).is_err() {
                let number = |view: View<'_>| view.kind() == Kind::Number;
                prop_assert!(!faults.is_empty() || number(view) || bytes.contains(&b'e') || bytes.contains(&b'E'));
            }
        } else if let Ok(value) = serde_json::from_slice::<Value>(&bytes) {
            prop_assert!(false, "refused {value}");
        }
    }

    #[test]
    fn cut_text_is_refused(text in json_text(), cut in 0.0..1.0_f64) {
        let bytes = text.as_bytes();
        let cut = (bytes.len() as f64 * cut) as usize;
        let cut = bytes.get(..cut).unwrap();
        let refused = serde_json::from_slice::<serde::de::IgnoredAny>(cut).is_err();
        if std::str::from_utf8(cut).is_ok() {
            prop_assert_eq!(View::check(cut).is_err(), refused);
        }
    }
}

#[test]
fn faults_in_strings_keep_the_structure() {
    let bytes = b"{\"a\":\"x\\ud83d\",\"b\":\"\xff\xfe y\",\"c\":\"\x00\x1b[0m\",\"d\":\"\\q\"}";
    let (view, faults) = View::check(bytes).unwrap();
    let told: Vec<_> = faults
        .iter()
        .map(|fault| (fault.reason, fault.offset))
        .collect();
    assert_eq!(
        told,
        [
            ("lone surrogate", 7),
            ("invalid UTF-8", 20),
            ("invalid UTF-8", 21),
            ("raw control byte", 31),
            ("unknown escape", 43)
        ]
    );
    assert_eq!(
        view.value(),
        serde_json::json!({"a": "x\u{FFFD}", "b": "\u{FFFD}\u{FFFD} y", "c": "\0\u{1b}[0m", "d": "\\q"})
    );
    assert_eq!(
        view.canonical_length(),
        serde_json::to_string(&view.value()).unwrap().len() as u64
    );
}

#[test]
fn depth_is_bounded_without_recursion() {
    let nest = |levels: usize| [vec![b'['; levels], vec![b']'; levels]].concat();
    assert!(View::check(&nest(MAX_DEPTH)).is_ok());
    let broken = View::check(&nest(MAX_DEPTH + 1)).unwrap_err();
    assert_eq!(broken.reason, "deeper than 512 levels");
    assert_eq!(broken.offset, MAX_DEPTH);
    let broken = View::check(&nest(1_000_000)).unwrap_err();
    assert_eq!(broken.offset, MAX_DEPTH);
    let whole = nest(MAX_DEPTH);
    assert_eq!(
        View::trusted(&whole).canonical_length(),
        MAX_DEPTH as u64 * 2
    );
}

#[test]
fn what_breaks_is_told_with_its_place() {
    let cases: [(&[u8], &str, usize); 8] = [
        (b"{\"a\":1", "cut off", 6),
        (b"{\"a\":\"x", "cut off", 7),
        (b"{\"a\" 1}", "expected :", 5),
        (b"{a:1}", "expected a key or }", 1),
        (b"[1,]", "expected a value", 3),
        (b"{} x", "something follows the value", 3),
        (b"NaN", "expected a value", 0),
        (b"01", "something follows the value", 1),
    ];
    for (bytes, reason, offset) in cases {
        let broken = View::check(bytes).unwrap_err();
        assert_eq!((broken.reason.as_ref(), broken.offset), (reason, offset));
    }
}

#[test]
fn bytes_map_to_characters() {
    let inner = "aé\\n\\ud83d\\ude00z".as_bytes();
    let at = |offset| position_at(inner, offset);
    assert_eq!((at(0), at(1), at(3), at(4)), (0, 1, 2, 2));
    assert_eq!((at(5), at(16), at(17)), (3, 3, 4));
}
