//! What a tool returned, in the forms that Rust programs have it in.

use serde::Serialize;
use serde_json::Value;

use crate::session::format::native::{Block, Payload};
use crate::tool::{mixtape, rig};

impl From<Value> for Payload {
    /// A JSON value; a string stays JSON.
    fn from(value: Value) -> Self {
        Self::Value(value)
    }
}

impl From<&str> for Payload {
    /// Text.
    fn from(text: &str) -> Self {
        Self::from(text.to_owned())
    }
}

impl From<String> for Payload {
    /// Text.
    fn from(text: String) -> Self {
        Self::Blocks(vec![Block::Text { text }])
    }
}

impl From<Vec<Block>> for Payload {
    fn from(blocks: Vec<Block>) -> Self {
        Self::Blocks(blocks)
    }
}

impl From<&rig::ToolOutput> for Payload {
    /// The blocks of rig's output.
    fn from(output: &rig::ToolOutput) -> Self {
        Self::Blocks(output.as_content().iter().map(block).collect())
    }
}

impl From<&mixtape::ToolResult> for Payload {
    /// mixtape's result as it serialises.
    fn from(result: &mixtape::ToolResult) -> Self {
        Self::Result(json(result))
    }
}

/// rig's blocks are written as rig serialises them, which is how the native format has them.
fn block(content: &rig::ToolResultContent) -> Block {
    let value = json(content);
    serde_json::from_value(value.clone()).unwrap_or(Block::Unknown { value })
}

fn json(value: &impl Serialize) -> Value {
    serde_json::to_value(value).unwrap_or_default()
}
