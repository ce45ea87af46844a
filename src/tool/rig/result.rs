//! How one execution of a tool ended.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::error::{ToolErrorKind, ToolExecutionError};
use super::output::ToolOutput;

/// How one execution of a tool ended.
///
/// Not the part of a message that carries a result, and not mixtape's type of the same name.
#[derive(Clone, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ToolResult {
    disposition: ToolDisposition,
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(tag = "status", content = "value", rename_all = "snake_case")]
enum ToolDisposition {
    Success(ToolOutput),
    Error(ToolExecutionError),
    Refused(ToolExecutionError),
    Skipped(ToolOutput),
}

impl ToolResult {
    /// The tool answered.
    pub fn success(output: ToolOutput) -> Self {
        Self {
            disposition: ToolDisposition::Success(output),
        }
    }

    /// The tool failed, or refused where the error says so.
    pub fn failed(error: ToolExecutionError) -> Self {
        let disposition = if error.is_refusal() {
            ToolDisposition::Refused(error)
        } else {
            ToolDisposition::Error(error)
        };
        Self { disposition }
    }

    /// The tool was not run, for this reason.
    pub fn skipped(reason: impl Into<String>) -> Self {
        Self {
            disposition: ToolDisposition::Skipped(ToolOutput::text(reason)),
        }
    }

    /// The same with another output for the model.
    #[must_use]
    pub fn with_output(self, output: ToolOutput) -> Self {
        let disposition = match self.disposition {
            ToolDisposition::Success(_) => ToolDisposition::Success(output),
            ToolDisposition::Skipped(_) => ToolDisposition::Skipped(output),
            ToolDisposition::Error(error) => {
                ToolDisposition::Error(error.with_model_output(output))
            }
            ToolDisposition::Refused(error) => {
                ToolDisposition::Refused(error.with_model_output(output))
            }
        };
        Self { disposition }
    }

    /// What the model is told.
    pub const fn output(&self) -> &ToolOutput {
        match &self.disposition {
            ToolDisposition::Success(output) | ToolDisposition::Skipped(output) => output,
            ToolDisposition::Error(error) | ToolDisposition::Refused(error) => error.model_output(),
        }
    }

    /// Why it failed, where it failed and did not refuse.
    pub const fn error(&self) -> Option<&ToolExecutionError> {
        match &self.disposition {
            ToolDisposition::Error(error) => Some(error),
            ToolDisposition::Success(_)
            | ToolDisposition::Refused(_)
            | ToolDisposition::Skipped(_) => None,
        }
    }

    /// Why it refused.
    pub const fn refusal(&self) -> Option<&ToolExecutionError> {
        match &self.disposition {
            ToolDisposition::Refused(error) => Some(error),
            ToolDisposition::Success(_)
            | ToolDisposition::Error(_)
            | ToolDisposition::Skipped(_) => None,
        }
    }

    /// It answered.
    pub const fn is_success(&self) -> bool {
        matches!(self.disposition, ToolDisposition::Success(_))
    }

    /// It failed; a refusal is none.
    pub const fn is_error(&self) -> bool {
        matches!(self.disposition, ToolDisposition::Error(_))
    }

    /// It was not run.
    pub const fn is_skipped(&self) -> bool {
        matches!(self.disposition, ToolDisposition::Skipped(_))
    }

    /// It refused.
    pub const fn is_refused(&self) -> bool {
        matches!(self.disposition, ToolDisposition::Refused(_))
    }

    /// It failed in this way; a refusal never did.
    pub fn is_error_kind(&self, kind: ToolErrorKind) -> bool {
        self.error().is_some_and(|error| error.kind() == kind)
    }

    /// The output, or why there is none.
    pub fn into_result(self) -> Result<ToolOutput, ToolExecutionError> {
        match self.disposition {
            ToolDisposition::Success(output) | ToolDisposition::Skipped(output) => Ok(output),
            ToolDisposition::Error(error) | ToolDisposition::Refused(error) => Err(error),
        }
    }

    /// The name that telemetry uses: `denied` where JSON says `refused`.
    pub const fn status_name(&self) -> &'static str {
        match self.disposition {
            ToolDisposition::Success(_) => "success",
            ToolDisposition::Error(_) => "error",
            ToolDisposition::Refused(_) => "denied",
            ToolDisposition::Skipped(_) => "skipped",
        }
    }
}

/// The disposition without messages and outputs.
impl fmt::Debug for ToolResult {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let error = self.error().or_else(|| self.refusal());
        formatter
            .debug_struct("ToolResult")
            .field("status", &self.status_name())
            .field("error_kind", &error.map(ToolExecutionError::kind))
            .field("retryable", &error.and_then(ToolExecutionError::retryable))
            .field("code", &error.and_then(ToolExecutionError::code))
            .field(
                "http_status",
                &error.and_then(ToolExecutionError::http_status),
            )
            .finish()
    }
}
