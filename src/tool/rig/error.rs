//! Why a tool failed, and what the model is told of it.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::output::ToolOutput;

/// The kind of a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolErrorKind {
    /// The arguments do not fit.
    InvalidArgs,
    /// It took too long.
    Timeout,
    /// It was cancelled.
    Cancelled,
    /// The tool or what it looked for is not there.
    NotFound,
    /// It is not allowed.
    PermissionDenied,
    /// Too many calls.
    RateLimited,
    /// The service behind the tool failed.
    Provider,
    /// The service could not be reached.
    Network,
    /// Anything else.
    Other,
}

impl ToolErrorKind {
    /// The name, as JSON has it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::InvalidArgs => "invalid_args",
            Self::Timeout => "timeout",
            Self::Cancelled => "cancelled",
            Self::NotFound => "not_found",
            Self::PermissionDenied => "permission_denied",
            Self::RateLimited => "rate_limited",
            Self::Provider => "provider",
            Self::Network => "network",
            Self::Other => "other",
        }
    }

    /// Whether trying again may help; none where only the tool can tell.
    pub const fn default_retryable(self) -> Option<bool> {
        match self {
            Self::Timeout | Self::RateLimited | Self::Network => Some(true),
            Self::InvalidArgs | Self::Cancelled | Self::NotFound | Self::PermissionDenied => {
                Some(false)
            }
            Self::Provider | Self::Other => None,
        }
    }
}

impl fmt::Display for ToolErrorKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// Why a tool failed: a message for its operator, and apart from it what the model is told.
#[derive(Clone, Serialize, Deserialize)]
pub struct ToolExecutionError {
    kind: ToolErrorKind,
    message: String,
    model_output: ToolOutput,
    retryable: Option<bool>,
    code: Option<String>,
    http_status: Option<u16>,
    refusal: bool,
    #[serde(skip)]
    source: Option<Arc<dyn Error + Send + Sync + 'static>>,
}

impl ToolExecutionError {
    /// A failure of this kind whose message the model is told.
    pub fn new(kind: ToolErrorKind, message: impl Into<String>) -> Self {
        let message = message.into();
        Self {
            kind,
            model_output: ToolOutput::text(message.clone()),
            message,
            retryable: kind.default_retryable(),
            code: None,
            http_status: None,
            refusal: false,
            source: None,
        }
    }

    /// The arguments do not fit.
    pub fn invalid_args(message: impl Into<String>) -> Self {
        Self::new(ToolErrorKind::InvalidArgs, message)
    }

    /// It took too long.
    pub fn timeout(message: impl Into<String>) -> Self {
        Self::new(ToolErrorKind::Timeout, message)
    }

    /// It was cancelled.
    pub fn cancelled(message: impl Into<String>) -> Self {
        Self::new(ToolErrorKind::Cancelled, message)
    }

    /// The tool or what it looked for is not there.
    pub fn not_found(message: impl Into<String>) -> Self {
        Self::new(ToolErrorKind::NotFound, message)
    }

    /// It is not allowed. A tool that itself declines says [`Self::refused`].
    pub fn permission_denied(message: impl Into<String>) -> Self {
        Self::new(ToolErrorKind::PermissionDenied, message)
    }

    /// Too many calls.
    pub fn rate_limited(message: impl Into<String>) -> Self {
        Self::new(ToolErrorKind::RateLimited, message)
    }

    /// The service behind the tool failed.
    pub fn provider(message: impl Into<String>) -> Self {
        Self::new(ToolErrorKind::Provider, message)
    }

    /// The service could not be reached.
    pub fn network(message: impl Into<String>) -> Self {
        Self::new(ToolErrorKind::Network, message)
    }

    /// Anything else.
    pub fn other(message: impl Into<String>) -> Self {
        Self::new(ToolErrorKind::Other, message)
    }

    /// The tool declines: of the kind [`ToolErrorKind::PermissionDenied`], and a refusal.
    pub fn refused(message: impl Into<String>) -> Self {
        Self {
            refusal: true,
            ..Self::new(ToolErrorKind::PermissionDenied, message)
        }
    }

    /// A failure that `error` caused. Its message is for the operator alone; the model is told only that
    /// the tool failed. An error that is a `ToolExecutionError` already is returned as it is.
    pub fn from_error<E: Error + Send + Sync + 'static>(error: E) -> Self {
        let source: Box<dyn Error + Send + Sync> = Box::new(error);
        match source.downcast::<Self>() {
            Ok(error) => *error,
            Err(source) => {
                let mut error =
                    Self::other(source.to_string()).with_model_feedback("the tool failed");
                error.source = Some(Arc::from(source));
                error
            }
        }
    }

    /// The same, the model told this text.
    #[must_use]
    pub fn with_model_feedback(self, feedback: impl Into<String>) -> Self {
        self.with_model_output(ToolOutput::text(feedback))
    }

    /// The same, the model told this output.
    #[must_use]
    pub fn with_model_output(self, model_output: ToolOutput) -> Self {
        Self {
            model_output,
            ..self
        }
    }

    /// The same, known to be worth another try or not.
    #[must_use]
    pub fn with_retryable(self, retryable: bool) -> Self {
        Self {
            retryable: Some(retryable),
            ..self
        }
    }

    /// The same with a code.
    #[must_use]
    pub fn with_code(self, code: impl Into<String>) -> Self {
        Self {
            code: Some(code.into()),
            ..self
        }
    }

    /// The same with an HTTP status.
    #[must_use]
    pub fn with_http_status(self, status: u16) -> Self {
        Self {
            http_status: Some(status),
            ..self
        }
    }

    /// The same with its cause.
    #[must_use]
    pub fn with_source<E: Error + Send + Sync + 'static>(self, source: E) -> Self {
        Self {
            source: Some(Arc::new(source)),
            ..self
        }
    }

    /// The kind.
    pub const fn kind(&self) -> ToolErrorKind {
        self.kind
    }

    /// The message for the operator.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// What the model is told, where that is plain text.
    pub fn model_feedback(&self) -> Option<&str> {
        self.model_output.as_text()
    }

    /// What the model is told.
    pub const fn model_output(&self) -> &ToolOutput {
        &self.model_output
    }

    /// Whether trying again may help.
    pub const fn retryable(&self) -> Option<bool> {
        self.retryable
    }

    /// The code.
    pub fn code(&self) -> Option<&str> {
        self.code.as_deref()
    }

    /// The HTTP status.
    pub const fn http_status(&self) -> Option<u16> {
        self.http_status
    }

    /// The tool itself declined.
    pub const fn is_refusal(&self) -> bool {
        self.refusal
    }

    /// The cause, where it is an `E`.
    pub fn downcast_ref<E: Error + Send + Sync + 'static>(&self) -> Option<&E> {
        self.source.as_deref()?.downcast_ref()
    }

    /// The cause is an `E`.
    pub fn is<E: Error + Send + Sync + 'static>(&self) -> bool {
        self.downcast_ref::<E>().is_some()
    }
}

impl fmt::Display for ToolExecutionError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

/// Everything but the message and what the model is told: both may hold secrets, and errors end up in logs.
#[expect(
    clippy::missing_fields_in_debug,
    reason = "the message is left out on purpose, as the published crate does"
)]
impl fmt::Debug for ToolExecutionError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("ToolExecutionError")
            .field("kind", &self.kind)
            .field("retryable", &self.retryable)
            .field("code", &self.code)
            .field("http_status", &self.http_status)
            .field("refusal", &self.refusal)
            .field("model_output", &"<redacted>")
            .field("source_configured", &self.source.is_some())
            .finish()
    }
}

impl Error for ToolExecutionError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source
            .as_deref()
            .map(|source| source as &(dyn Error + 'static))
    }
}
