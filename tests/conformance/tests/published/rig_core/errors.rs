//! Why a tool failed, and how one execution ended.

use std::error::Error;
use std::io;

use conformance::json::{self, words};
use conformance::mutate::nearly;
use conformance::{config, read_text, read_value, written};
use proptest::collection::vec;
use proptest::prelude::*;
use rig_core::tool as published;
use serde_json::Value;
use toolreel::tool::rig as ours;

/// How an error is made.
#[derive(Debug, Clone)]
enum Start {
    /// By the named constructor with this number.
    Named(u8, String),
    FromError(String),
    FromItself(String),
}

/// What is added to an error.
#[derive(Debug, Clone)]
enum With {
    Feedback(String),
    Json(Value),
    Retryable(bool),
    Code(String),
    Status(u16),
    Source(String),
}

fn start() -> impl Strategy<Value = Start> {
    prop_oneof![
        6 => (0..10_u8, words()).prop_map(|(kind, message)| Start::Named(kind, message)),
        1 => words().prop_map(Start::FromError),
        1 => words().prop_map(Start::FromItself),
    ]
}

fn with() -> impl Strategy<Value = With> {
    prop_oneof![
        words().prop_map(With::Feedback),
        json::value().prop_map(With::Json),
        any::<bool>().prop_map(With::Retryable),
        words().prop_map(With::Code),
        any::<u16>().prop_map(With::Status),
        words().prop_map(With::Source),
    ]
}

/// The error that `start` and `with` make in a crate.
macro_rules! error {
    ($origin:ident, $start:expr, $with:expr) => {{
        use $origin::{ToolExecutionError, ToolOutput};
        let start = match $start.clone() {
            Start::Named(0, message) => ToolExecutionError::invalid_args(message),
            Start::Named(1, message) => ToolExecutionError::timeout(message),
            Start::Named(2, message) => ToolExecutionError::cancelled(message),
            Start::Named(3, message) => ToolExecutionError::not_found(message),
            Start::Named(4, message) => ToolExecutionError::permission_denied(message),
            Start::Named(5, message) => ToolExecutionError::rate_limited(message),
            Start::Named(6, message) => ToolExecutionError::provider(message),
            Start::Named(7, message) => ToolExecutionError::network(message),
            Start::Named(8, message) => ToolExecutionError::other(message),
            Start::Named(_, message) => ToolExecutionError::refused(message),
            Start::FromError(message) => ToolExecutionError::from_error(io::Error::other(message)),
            Start::FromItself(message) => {
                ToolExecutionError::from_error(ToolExecutionError::refused(message))
            }
        };
        $with.iter().cloned().fold(start, |error, with| match with {
            With::Feedback(text) => error.with_model_feedback(text),
            With::Json(value) => error.with_model_output(ToolOutput::json(value)),
            With::Retryable(retryable) => error.with_retryable(retryable),
            With::Code(code) => error.with_code(code),
            With::Status(status) => error.with_http_status(status),
            With::Source(message) => error.with_source(io::Error::other(message)),
        })
    }};
}

/// What an error tells of itself.
macro_rules! told {
    ($error:expr) => {{
        let error = &$error;
        (
            (error.to_string(), format!("{error:?}"), written(error)),
            (
                error.kind().to_string(),
                error.kind().default_retryable(),
                format!("{:?}", error.kind()),
            ),
            (
                error.message().to_owned(),
                error.model_feedback().map(str::to_owned),
                error.model_output().render(),
            ),
            (
                error.retryable(),
                error.code().map(str::to_owned),
                error.http_status(),
                error.is_refusal(),
            ),
            (
                error.source().map(ToString::to_string),
                error.is::<io::Error>(),
                error.downcast_ref::<io::Error>().map(ToString::to_string),
                error.is::<std::fmt::Error>(),
            ),
        )
    }};
}

/// What the end of an execution tells of itself.
macro_rules! result_told {
    ($result:expr) => {{
        let result = &$result;
        (
            (format!("{result:?}"), written(result), result.status_name()),
            (
                result.is_success(),
                result.is_error(),
                result.is_skipped(),
                result.is_refused(),
            ),
            (
                result.error().map(ToString::to_string),
                result.refusal().map(ToString::to_string),
            ),
            result.output().render(),
            result
                .clone()
                .into_result()
                .map(|output| output.render())
                .map_err(|error| error.to_string()),
        )
    }};
}

/// JSON that is an error, or nearly one.
fn stored_error() -> BoxedStrategy<Value> {
    let right = (start(), vec(with(), 0..3)).prop_map(|(start, with)| {
        serde_json::to_value(error!(ours, start, with)).expect("an error has a JSON form")
    });
    nearly(
        right.boxed(),
        &[
            "kind",
            "message",
            "model_output",
            "retryable",
            "code",
            "http_status",
            "refusal",
            "source",
        ],
    )
}

/// JSON that is the end of an execution, or nearly one.
fn stored_result() -> BoxedStrategy<Value> {
    let right = (0..3_u8, start(), words()).prop_map(|(which, start, text)| {
        let result = match which {
            0 => ours::ToolResult::success(ours::ToolOutput::text(text)),
            1 => ours::ToolResult::skipped(text),
            _ => ours::ToolResult::failed(error!(ours, start, [])),
        };
        serde_json::to_value(result).expect("a result has a JSON form")
    });
    nearly(right.boxed(), &["status", "value", "kind", "extra"])
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn errors_tell_the_same(start in start(), with in vec(with(), 0..5)) {
        prop_assert_eq!(told!(error!(ours, start, with)), told!(error!(published, start, with)));
    }

    #[test]
    fn stored_errors_are_read_alike(stored in stored_error()) {
        prop_assert_eq!(
            read_value::<ours::ToolExecutionError>(&stored),
            read_value::<published::ToolExecutionError>(&stored)
        );
        let text = stored.to_string();
        prop_assert_eq!(
            read_text::<ours::ToolExecutionError>(&text),
            read_text::<published::ToolExecutionError>(&text)
        );
    }

    #[test]
    fn ends_tell_the_same(start in start(), text in words(), replaced in any::<bool>()) {
        macro_rules! ends {
            ($origin:ident) => {{
                use $origin::{ToolOutput, ToolResult};
                [
                    ToolResult::success(ToolOutput::text(&*text)),
                    ToolResult::skipped(&*text),
                    ToolResult::failed(error!($origin, start, [])),
                ]
                .map(|end| if replaced { end.with_output(ToolOutput::text("replaced")) } else { end })
                .map(|end| (result_told!(end), end.is_error_kind($origin::ToolErrorKind::PermissionDenied)))
            }};
        }
        prop_assert_eq!(ends!(ours), ends!(published));
    }

    #[test]
    fn stored_ends_are_read_alike(stored in stored_result()) {
        prop_assert_eq!(read_value::<ours::ToolResult>(&stored), read_value::<published::ToolResult>(&stored));
        let text = stored.to_string();
        prop_assert_eq!(read_text::<ours::ToolResult>(&text), read_text::<published::ToolResult>(&text));
    }
}
