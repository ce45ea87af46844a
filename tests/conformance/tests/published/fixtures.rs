//! That the vectors which the project's own tests rest on are what the published crates answer.

use rig_mcp::ResultCache as _;
use serde_json::{Value, json};

fn data(name: &str) -> Value {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../data")
        .join(name);
    let text = std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn the_calls_of_the_result_cache() {
    let cache = std::sync::Arc::new(rig_mcp::MemoryResultCache::new());
    cache.store((0..10).map(|id| json!({ "id": id })).collect());
    cache.store(Vec::new());
    cache.store((0..200).map(Value::from).collect());
    let (page, release) = (
        rig_mcp::cache_page_tool(cache.clone()),
        rig_mcp::cache_release_tool(cache),
    );
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .expect("a runtime");
    for row in data("cache_tools.json")["rows"].as_array().expect("rows") {
        let tool = if row["tool"] == rig_mcp::CACHE_PAGE_TOOL {
            &page
        } else {
            &release
        };
        match runtime.block_on(tool.invoke(row["args"].clone())) {
            Ok(answer) => assert_eq!(answer, row["ok"], "{row}"),
            Err(error) => assert_eq!(error.to_string(), row["err"]["display"], "{row}"),
        }
    }
}

#[test]
fn the_bounded_payloads() {
    for row in data("result_envelope.json").as_array().expect("rows") {
        let config = serde_json::from_value(row["config"].clone()).expect("settings");
        let envelope = rig_compose::ToolResultEnvelope::bound(row["in"].clone(), &config);
        assert_eq!(
            serde_json::to_value(envelope).expect("an envelope has a JSON form"),
            row["out"],
            "{row}"
        );
    }
}

#[test]
fn the_canonical_outputs() {
    for case in data("cases.json").as_array().expect("cases") {
        let ours: Vec<toolreel::tool::rig::ToolResultContent> =
            serde_json::from_value(case["content"].clone())
                .unwrap_or_else(|error| panic!("{case}: {error}"));
        let published: Vec<rig_core::message::ToolResultContent> =
            serde_json::from_value(case["content"].clone())
                .unwrap_or_else(|error| panic!("{case}: {error}"));
        assert_eq!(format!("{ours:?}"), format!("{published:?}"), "{case}");
        let ours = toolreel::tool::rig::ToolOutput::content(ours).map(|output| output.render());
        let published =
            rig_core::tool::ToolOutput::content(published).map(|output| output.render());
        assert_eq!(
            ours.map_err(|error| error.to_string()),
            published.map_err(|error| error.to_string()),
            "{case}"
        );
    }
}
