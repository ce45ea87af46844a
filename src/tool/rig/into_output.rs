//! How any value that a tool returns becomes its output.

use std::any::Any;

use serde::Serialize;
use serde_json::Value;

use super::content::ToolResultContent;
use super::error::ToolExecutionError;
use super::output::ToolOutput;

/// Conversion into a tool's output.
///
/// Everything serialisable has it. What serialises as a string becomes text; an explicit JSON string
/// stays JSON; anything else becomes JSON. An output, a block and a list of blocks pass through unchanged.
pub trait IntoToolOutput {
    /// Converts.
    ///
    /// # Errors
    ///
    /// A value without a JSON form, and an empty list of blocks.
    fn into_tool_output(self) -> Result<ToolOutput, ToolExecutionError>;
}

impl<T: Serialize + 'static> IntoToolOutput for T {
    fn into_tool_output(self) -> Result<ToolOutput, ToolExecutionError> {
        let mut value = Some(self);
        if let Some(output) = take::<ToolOutput, T>(&mut value) {
            return Ok(output);
        }
        if let Some(block) = take::<ToolResultContent, T>(&mut value) {
            return Ok(ToolOutput::one(block));
        }
        if let Some(blocks) = take::<Vec<ToolResultContent>, T>(&mut value) {
            return ToolOutput::content(blocks);
        }
        if let Some(explicit) = take::<Value, T>(&mut value) {
            return Ok(ToolOutput::json(explicit));
        }
        match serde_json::to_value(value) {
            Ok(Value::String(text)) => Ok(ToolOutput::text(text)),
            Ok(value) => Ok(ToolOutput::json(value)),
            Err(error) => Err(ToolExecutionError::other(format!(
                "failed to serialize tool output: {error}"
            ))
            .with_source(error)),
        }
    }
}

/// Takes the value out where its type is `Wanted`: moved, not cloned.
fn take<Wanted: 'static, T: 'static>(value: &mut Option<T>) -> Option<Wanted> {
    (value as &mut dyn Any)
        .downcast_mut::<Option<Wanted>>()?
        .take()
}
