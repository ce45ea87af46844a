//! Rows of `cut --json` and `policies --json`.

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};
use serde_json::Value;

use super::catalogue::Catalogue;
use super::definition::{Compare, Confidence, Definition, Keep, RecoverKind, Status};
use super::preset::Presets;
use super::{ClientPolicy, Cut, Given};

/// The row of `cut --json`: `{policy, changed, text or value, unit, limit, omitted, recover}`.
#[derive(Debug, Clone, PartialEq)]
pub struct CutRow {
    /// The policy's id.
    pub policy: String,
    /// The model gets something else than the tool returned.
    pub changed: bool,
    /// What it gets: `text`, or `value`.
    pub given: Given,
    /// What the policy counts in.
    pub unit: String,
    /// What it allows under these settings.
    pub limit: Value,
    /// How much is left out, in `unit`; where that names several, in the finest of them.
    pub omitted: Option<u64>,
    /// How the rest can be asked for.
    pub recover: RecoverKind,
}

impl CutRow {
    /// The row of what `policy` makes of an output.
    pub fn of(policy: &ClientPolicy, cut: Cut) -> Self {
        let definition = policy.definition();
        Self {
            policy: definition.id.clone(),
            changed: cut.changed,
            given: cut.given,
            unit: definition.unit.clone(),
            limit: policy.limit(),
            omitted: cut.omitted,
            recover: definition.recover,
        }
    }
}

impl Serialize for CutRow {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut row = serializer.serialize_struct("CutRow", 7)?;
        row.serialize_field("policy", &self.policy)?;
        row.serialize_field("changed", &self.changed)?;
        match &self.given {
            Given::Text(text) => row.serialize_field("text", text)?,
            Given::Value(value) => row.serialize_field("value", value)?,
        }
        row.serialize_field("unit", &self.unit)?;
        row.serialize_field("limit", &self.limit)?;
        row.serialize_field("omitted", &self.omitted)?;
        row.serialize_field("recover", &self.recover)?;
        row.end()
    }
}

/// One row of `policies --json`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PolicyRow {
    /// Its id.
    pub id: String,
    /// Another name for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alias: Option<String>,
    /// Whose it is.
    pub client: String,
    /// In which versions.
    pub version: String,
    /// Whether clients of today do this.
    pub status: Status,
    /// Which of the client's tools it is for.
    pub applies_to: Vec<String>,
    /// What it counts in.
    pub unit: String,
    /// What it allows with its own settings.
    pub limit: Value,
    /// Whether an output of exactly the limit is cut.
    pub limit_compare: Compare,
    /// Whether the client's words count towards the limit.
    pub marker_in_budget: bool,
    /// What it keeps.
    pub keep: Keep,
    /// The client's words.
    pub marker: String,
    /// Whether and how the model can ask for the rest.
    pub recover: RecoverKind,
    /// What it has to call for that.
    pub recover_how: String,
    /// What `--set` can change, with the values where nobody does; null where a setting is off.
    pub settings: serde_json::Map<String, Value>,
    /// What in the client's own configuration changes it.
    pub config_key: String,
    /// The rule in words.
    pub rule: String,
    /// How sure that is.
    pub confidence: Confidence,
    /// Where it was read or seen.
    pub source: String,
    /// What else is known.
    pub notes: String,
    /// The presets that use it.
    pub presets: Vec<String>,
}

impl PolicyRow {
    fn of(definition: &std::sync::Arc<Definition>, presets: &Presets) -> Self {
        let policy = ClientPolicy::new(std::sync::Arc::clone(definition));
        Self {
            id: definition.id.clone(),
            alias: definition.alias.clone(),
            client: definition.client.clone(),
            version: definition.version.clone(),
            status: definition.status,
            applies_to: definition.applies_to.clone(),
            unit: definition.unit.clone(),
            limit: policy.limit(),
            limit_compare: definition.compare,
            marker_in_budget: definition.marker_in_budget,
            keep: definition.keep.clone(),
            marker: definition.marker.clone(),
            recover: definition.recover,
            recover_how: definition.recover_how.clone(),
            settings: settings(definition),
            config_key: definition.config_key.clone(),
            rule: definition.rule.clone(),
            confidence: definition.confidence,
            source: definition.source.clone(),
            notes: definition.notes.clone(),
            presets: presets
                .iter()
                .filter(|preset| preset.uses(&definition.id))
                .map(|preset| preset.id.clone())
                .collect(),
        }
    }
}

/// What a policy can be set to.
fn settings(definition: &Definition) -> serde_json::Map<String, Value> {
    let defaults = definition.settings.defaults.iter().map(|(name, value)| {
        let value = serde_json::to_value(value).unwrap_or_default();
        (name.clone(), value)
    });
    let optional = definition
        .settings
        .optional
        .keys()
        .map(|name| (name.clone(), Value::Null));
    defaults.chain(optional).collect()
}

/// The rows of `policies --json`: every policy of a catalogue, clients of today first.
pub fn policies(catalogue: &Catalogue, presets: &Presets) -> Vec<PolicyRow> {
    let mut rows: Vec<_> = catalogue
        .iter()
        .map(|definition| PolicyRow::of(definition, presets))
        .collect();
    rows.sort_by_key(|row| row.status == Status::Legacy);
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::{Content, Subject};

    #[test]
    fn a_row_has_text_or_value() {
        let policy = Catalogue::built_in()
            .choose("cline.v4.command-output", ["max_chars=3"])
            .unwrap();
        let row = CutRow::of(&policy, policy.cut(Subject::of(Content::Text("a😀bcd"))));
        let json = serde_json::to_string(&row).unwrap();
        assert!(json.contains(r#""text":"a\ud83d\n[..."#), "{json}");
        assert!(
            json.ends_with(r#""unit":"UTF-16 units","limit":3,"omitted":3,"recover":"none"}"#),
            "{json}"
        );

        let policy = Catalogue::built_in()
            .choose("cache", ["threshold_bytes=4"])
            .unwrap();
        let null = Value::Null;
        let row = CutRow::of(&policy, policy.cut(Subject::of(Content::Json(&null))));
        assert_eq!(
            serde_json::to_string(&row).unwrap(),
            r#"{"policy":"rig-mcp.cache-if-large","changed":false,"value":null,"unit":"bytes of compact JSON","limit":4,"omitted":0,"recover":"cursor"}"#
        );
    }

    #[test]
    fn every_policy_has_a_row() {
        let rows = policies(Catalogue::built_in(), Presets::built_in());
        assert_eq!(rows.len(), 59);
        let cline = rows
            .iter()
            .find(|row| row.id == "cline.v4.message-builder")
            .unwrap();
        assert_eq!(cline.presets, ["cline"]);
        assert_eq!(cline.settings["max_chars"], 8000);
    }
}
