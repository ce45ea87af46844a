//! The bound of rig-compose: strings, arrays and the whole payload are cut to limits, without a
//! way to ask for the rest.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Content, Extent, Given, Omission, Outcome, Policy, Recover, Subject, Unit};
use crate::tool::rig_compose::{ToolResultEnvelope, ToolResultEnvelopeConfig};

/// Settings of the bound, with rig-compose's defaults.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct BoundSettings {
    /// Strings keep this many chars.
    pub max_string_chars: u64,
    /// Arrays keep this many items.
    pub max_array_items: u64,
    /// The payload's compact JSON may be this long.
    pub max_total_bytes: u64,
}

impl Default for BoundSettings {
    fn default() -> Self {
        Self {
            max_string_chars: 4000,
            max_array_items: 64,
            max_total_bytes: 256_000,
        }
    }
}

impl BoundSettings {
    /// The published configuration, without redaction.
    pub fn config(self) -> ToolResultEnvelopeConfig {
        let count = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        ToolResultEnvelopeConfig::new(count(self.max_string_chars))
            .with_max_array_items(count(self.max_array_items))
            .with_max_total_bytes(count(self.max_total_bytes))
    }
}

impl Policy for BoundSettings {
    fn id(&self) -> &'static str {
        "rig-compose.envelope"
    }

    /// The envelope where something was left out. A text is to the bound a JSON string.
    fn apply(&self, subject: Subject<'_>) -> Outcome {
        let payload = match subject.content {
            Content::Text(text) => Value::String(text.to_owned()),
            Content::Json(value) => value.clone(),
        };
        let envelope = ToolResultEnvelope::bound(payload, &self.config());
        if !envelope.truncated {
            return Outcome::unchanged();
        }
        let omitted = [
            (Unit::Chars, envelope.omitted_chars),
            (Unit::Items, envelope.omitted_items),
            (Unit::Values, envelope.omitted_values),
        ];
        let omitted = omitted
            .into_iter()
            .filter(|(_, count)| *count > 0)
            .map(|(unit, count)| Omission {
                pointer: String::new(),
                unit,
                count: count as u64,
            })
            .collect();
        Outcome {
            // An envelope always serialises.
            given: serde_json::to_value(&envelope).ok().map(Given::Json),
            omitted,
            recover: Recover::Nothing,
        }
    }

    fn leaves_alone(&self, extent: &Extent) -> bool {
        extent.longest_string <= self.max_string_chars
            && extent.longest_array <= self.max_array_items
            && extent.bytes <= self.max_total_bytes
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_within_its_limits_is_left_alone() {
        let settings = BoundSettings {
            max_string_chars: 3,
            max_array_items: 2,
            max_total_bytes: 30,
        };
        for (value, bytes, longest_string, longest_array) in [
            (json!({ "a": "abc", "b": [1, 2] }), 21, 3, 2),
            (json!({ "a": "abcd" }), 12, 4, 0),
            (json!([[1, 2, 3]]), 9, 0, 3),
            (
                json!({ "aaaaaaaaaaaaaaa": 1, "bbbbbbbbbbbbbbb": 2 }),
                41,
                0,
                0,
            ),
        ] {
            let extent = Extent {
                bytes,
                longest_string,
                longest_array,
            };
            let outcome = settings.apply(Subject::of(Content::Json(&value)));
            assert_eq!(
                settings.leaves_alone(&extent),
                !outcome.changed(),
                "{value}"
            );
        }
    }

    #[test]
    fn what_was_left_out_is_counted() {
        let settings = BoundSettings {
            max_string_chars: 3,
            ..BoundSettings::default()
        };
        let outcome = settings.apply(Subject::of(Content::Text("abcdef")));
        let expected = Omission {
            pointer: String::new(),
            unit: Unit::Chars,
            count: 3,
        };
        assert_eq!(outcome.omitted, [expected]);
        assert_eq!(outcome.recover, Recover::Nothing);
    }
}
