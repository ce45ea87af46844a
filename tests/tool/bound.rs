//! The bound of one payload.

use serde_json::Value;
use toolreel::tool::rig_compose::{ToolResultEnvelope, ToolResultEnvelopeConfig};

#[test]
fn every_payload_is_bounded_as_recorded() {
    let vectors = super::data("result_envelope.json");
    let rows = vectors.as_array().expect("rows");
    assert_eq!(rows.len(), 76);
    for row in rows {
        let config: ToolResultEnvelopeConfig = serde_json::from_value(row["config"].clone())
            .unwrap_or_else(|error| panic!("{row}: {error}"));
        let envelope = ToolResultEnvelope::bound(row["in"].clone(), &config);
        let written = serde_json::to_value(&envelope).expect("an envelope has a JSON form");
        assert_eq!(written, row["out"], "{}", row["label"]);
        let read: ToolResultEnvelope =
            serde_json::from_value(row["out"].clone()).expect("a recorded envelope");
        assert_eq!(read, envelope, "{}", row["label"]);
    }
}

#[test]
fn fields_keep_the_order_of_the_payload() {
    let payload: Value =
        serde_json::from_str(r#"{"z":1,"big":"xxxxxxxxxx","a":2}"#).expect("test data");
    let config = ToolResultEnvelopeConfig::default().with_max_total_bytes(13);
    let envelope = ToolResultEnvelope::bound(payload, &config);
    assert_eq!(envelope.payload.to_string(), r#"{"z":1,"a":2}"#);
    assert_eq!(envelope.omitted_segments[0].pointer, "/big");
}
