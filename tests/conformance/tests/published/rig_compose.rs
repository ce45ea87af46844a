//! rig-compose's bounded envelope.

use conformance::json::{self, object, words};
use conformance::mutate::nearly;
use conformance::{config, read_text, read_value, written};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use rig_compose as published;
use serde_json::Value;
use toolreel::tool::rig_compose as ours;

/// A place in the payload that a policy names, or a pointer that is none.
#[derive(Debug, Clone)]
enum Named {
    Place(Index),
    Below(Index, String),
    Other(String),
}

impl Named {
    fn pointer(&self, places: &[String]) -> String {
        match self {
            Self::Place(index) => index.get(places).clone(),
            Self::Below(index, rest) => format!("{}{rest}", index.get(places)),
            Self::Other(text) => text.clone(),
        }
    }
}

fn named() -> impl Strategy<Value = Named> {
    prop_oneof![
        6 => any::<Index>().prop_map(Named::Place),
        1 => (any::<Index>(), select(&["/x", "/0", "x", "/"][..]))
            .prop_map(|(index, rest)| Named::Below(index, rest.to_owned())),
        1 => words().prop_map(Named::Other),
    ]
}

/// A redaction policy over the places of a payload still to come.
#[derive(Debug, Clone)]
struct Policy {
    deny: Vec<(Named, Option<String>)>,
    allow: Option<Vec<Named>>,
    default_replacement: Option<String>,
}

fn policy() -> impl Strategy<Value = Policy> {
    (
        vec((named(), option::of(words())), 0..4),
        option::weighted(0.4, vec(named(), 0..4)),
        option::of(words()),
    )
        .prop_map(|(deny, allow, default_replacement)| Policy {
            deny,
            allow,
            default_replacement,
        })
}

/// A limit, mostly one that decides something, else the largest.
fn limit(small: usize) -> impl Strategy<Value = usize> {
    prop_oneof![6 => 0..small, 1 => Just(usize::MAX)]
}

#[derive(Debug, Clone, Copy)]
enum Bytes {
    At(usize),
    BelowLength(usize),
}

fn bytes() -> impl Strategy<Value = Bytes> {
    prop_oneof![
        2 => limit(120).prop_map(Bytes::At),
        1 => (0..12_usize).prop_map(Bytes::BelowLength),
    ]
}

/// The same settings for both, as JSON.
fn settings(
    payload: &Value,
    chars: usize,
    items: usize,
    bytes: Bytes,
    policy: Option<&Policy>,
) -> Value {
    let places = json::pointers(payload);
    let bytes = match bytes {
        Bytes::At(bytes) => bytes,
        Bytes::BelowLength(less) => payload.to_string().len().saturating_sub(less),
    };
    let redaction = policy.map_or(Value::Null, |policy| {
        let deny = policy
            .deny
            .iter()
            .map(|(named, replacement)| {
                object([
                    ("pointer", named.pointer(&places).into()),
                    ("replacement", replacement.clone().into()),
                ])
            })
            .collect();
        let allow = policy.allow.as_ref().map_or(Value::Null, |allow| {
            Value::Array(
                allow
                    .iter()
                    .map(|named| named.pointer(&places).into())
                    .collect(),
            )
        });
        let default_replacement = policy
            .default_replacement
            .as_deref()
            .unwrap_or("[redacted]");
        object([
            ("deny", Value::Array(deny)),
            ("allow", allow),
            ("default_replacement", default_replacement.into()),
        ])
    });
    object([
        ("max_string_chars", chars.into()),
        ("max_array_items", items.into()),
        ("max_total_bytes", bytes.into()),
        ("redaction", redaction),
    ])
}

/// Payloads: any value, and the containers and texts that the byte budget works on.
fn payload() -> impl Strategy<Value = Value> {
    prop_oneof![
        4 => json::value(),
        3 => json::array().prop_map(Value::Array),
        2 => vec((words(), json::value()), 0..8).prop_map(|fields| Value::Object(fields.into_iter().collect())),
        2 => vec(words(), 0..6).prop_map(|words| Value::from(words.concat())),
    ]
}

/// JSON that is an envelope, or nearly one.
fn stored_envelope() -> BoxedStrategy<Value> {
    let right =
        (payload(), 0..20_usize, 0..6_usize, bytes()).prop_map(|(payload, chars, items, bytes)| {
            let config = settings(&payload, chars, items, bytes, None);
            let config = serde_json::from_value(config).expect("settings");
            serde_json::to_value(ours::ToolResultEnvelope::bound(payload, &config))
                .expect("an envelope has a JSON form")
        });
    nearly(
        right.boxed(),
        &[
            "payload",
            "omitted_values",
            "redacted_values",
            "omitted_segments",
            "page_token",
            "reason",
            "extra",
        ],
    )
}

fn stored_settings() -> BoxedStrategy<Value> {
    let right = (
        json::value(),
        limit(9),
        limit(9),
        bytes(),
        option::of(policy()),
    )
        .prop_map(|(payload, chars, items, bytes, policy)| {
            settings(&payload, chars, items, bytes, policy.as_ref())
        });
    nearly(
        right.boxed(),
        &[
            "deny",
            "allow",
            "pointer",
            "replacement",
            "default_replacement",
            "redaction",
            "extra",
        ],
    )
}

/// Tokens: right ones, nearly right ones, and others.
fn token() -> BoxedStrategy<String> {
    let json = (
        words(),
        select(&["string_chars", "array_items", "total_bytes", "TotalBytes"][..]),
        limit(9),
    )
        .prop_map(|(pointer, reason, limit)| {
            object([
                ("pointer", pointer.into()),
                ("reason", reason.into()),
                ("limit", limit.into()),
            ])
        });
    let json = nearly(json.boxed(), &["pointer", "reason", "limit", "extra"])
        .prop_map(|json| json.to_string());
    let inside = prop_oneof![6 => json, 1 => json::text(), 1 => words()];
    let hex = (inside, any::<bool>()).prop_map(|(inside, upper)| {
        inside
            .bytes()
            .map(|byte| {
                if upper {
                    format!("{byte:02X}")
                } else {
                    format!("{byte:02x}")
                }
            })
            .collect()
    });
    let damaged = (
        hex,
        any::<Index>(),
        select(&["", "", "", "0", "g", "é", " ", "\u{ff10}"][..]),
    )
        .prop_map(|(hex, place, piece): (String, Index, &str)| {
            let at = place.index(hex.len() + 1);
            format!("{}{piece}{}", &hex[..at], &hex[at..])
        });
    (
        select(&["v1:", "v1:", "v1:", "v1:", "v2:", "", " v1:", "V1:", "v1"][..]),
        damaged,
    )
        .prop_map(|(prefix, hex)| format!("{prefix}{hex}"))
        .boxed()
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn payloads_are_bounded_alike(
        payload in payload(),
        chars in limit(8),
        items in limit(5),
        bytes in bytes(),
        policy in option::weighted(0.5, policy()),
    ) {
        let config = settings(&payload, chars, items, bytes, policy.as_ref());
        let ours_config: ours::ToolResultEnvelopeConfig = serde_json::from_value(config.clone()).expect("settings");
        let published_config: published::ToolResultEnvelopeConfig = serde_json::from_value(config).expect("settings");
        let ours = ours::ToolResultEnvelope::bound(payload.clone(), &ours_config);
        let published = published::ToolResultEnvelope::bound(payload, &published_config);
        prop_assert_eq!(written(&ours), written(&published));
        prop_assert_eq!(format!("{ours:?}"), format!("{published:?}"));
        for segment in &ours.omitted_segments {
            let read = ours::decode_tool_result_page_token(&segment.page_token).expect("a token of our own");
            prop_assert_eq!(&read.pointer, &segment.pointer);
            prop_assert_eq!(read.encode(), segment.page_token.as_str());
        }
    }

    #[test]
    fn the_default_bound_is_the_same(payload in payload()) {
        prop_assert_eq!(
            written(&ours::bound_tool_result(payload.clone())),
            written(&published::bound_tool_result(payload))
        );
    }

    #[test]
    fn tokens_are_read_alike(token in token()) {
        prop_assert_eq!(
            format!("{:?}", ours::decode_tool_result_page_token(&token)),
            format!("{:?}", published::decode_tool_result_page_token(&token))
        );
    }

    #[test]
    fn stored_envelopes_are_read_alike(stored in stored_envelope()) {
        prop_assert_eq!(
            read_value::<ours::ToolResultEnvelope>(&stored),
            read_value::<published::ToolResultEnvelope>(&stored)
        );
        let text = stored.to_string();
        prop_assert_eq!(
            read_text::<ours::ToolResultEnvelope>(&text),
            read_text::<published::ToolResultEnvelope>(&text)
        );
    }

    #[test]
    fn stored_settings_are_read_alike(stored in stored_settings()) {
        prop_assert_eq!(
            read_value::<ours::ToolResultEnvelopeConfig>(&stored),
            read_value::<published::ToolResultEnvelopeConfig>(&stored)
        );
    }

    #[test]
    fn policies_are_built_alike(
        pointers in vec(select(&["", "/a", "/b", "/a/b"][..]), 0..4),
        replacements in vec((select(&["", "/a", "/b", "/c"][..]), words()), 0..4),
        default_replacement in option::of(words()),
        limits in (limit(9), limit(9), limit(9)),
    ) {
        macro_rules! built {
            ($crate_of:ident, $from:ident) => {{
                let mut policy = $crate_of::RedactionPolicy::$from(pointers.clone());
                for (pointer, replacement) in &replacements {
                    policy = policy.with_replacement(*pointer, replacement);
                }
                if let Some(replacement) = &default_replacement {
                    policy = policy.with_default_replacement(replacement);
                }
                let config = $crate_of::ToolResultEnvelopeConfig::new(limits.0)
                    .with_max_array_items(limits.1)
                    .with_max_total_bytes(limits.2)
                    .with_redaction_policy(policy);
                (written(&config), format!("{config:?}"))
            }};
        }
        prop_assert_eq!(built!(ours, deny_pointers), built!(published, deny_pointers));
        prop_assert_eq!(built!(ours, allow_pointers), built!(published, allow_pointers));
    }
}
