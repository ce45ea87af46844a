//! What a client's policy makes of one recorded output.

use std::borrow::Cow;

use serde_json::Value;

use super::side::{Seen, seen_by_policy};
use crate::json::View;
use crate::policy::client::row::CutRow;
use crate::policy::client::{ClientPolicy, Cut, Presets, RecordedCut, recognise};
use crate::policy::{Content, Subject};
use crate::session::block::Block;
use crate::session::event::{Body, Call, EventId, Output};
use crate::session::{ReadError, Session};

/// How an output is put before a policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Reading {
    /// As the recording has it: a value where the result cache would see one, else text.
    #[default]
    AsRecorded,
    /// As text: JSON in its compact form.
    Text,
    /// As a JSON value.
    Json,
}

/// What became of an output.
#[derive(Debug, Clone, PartialEq)]
pub struct ClientCut {
    /// The row of `cut --json`.
    pub row: CutRow,
    /// Who had cut the output when it was recorded; it is not cut again then.
    pub recorded: Option<RecordedCut>,
}

/// Why an output cannot be put before a policy.
#[derive(Debug, thiserror::Error)]
pub enum CutError {
    /// The recording cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The event is no output.
    #[error("this event is no tool output")]
    NoOutput,
    /// There is neither text nor JSON.
    #[error("this output has no text")]
    NoText,
    /// It is no JSON.
    #[error("no JSON: {0}")]
    NoJson(String),
}

/// Cuts a recorded output as a client would.
///
/// An output that certainly carries a client's marker is left as it is, unless `force` says to cut it
/// again.
///
/// # Errors
///
/// Where the recording cannot be read, or the output has no text or JSON.
pub fn cut(
    session: &Session,
    output: EventId,
    policy: &ClientPolicy,
    reading: Reading,
    force: bool,
) -> Result<ClientCut, CutError> {
    let Body::ToolOutput(recorded) = session.event(output)?.body else {
        return Err(CutError::NoOutput);
    };
    let pair = session
        .index()
        .record(output)
        .and_then(|record| record.pair);
    let call = match pair
        .map(|call| session.event(call))
        .transpose()?
        .map(|event| event.body)
    {
        Some(Body::ToolCall(call)) => Some(call),
        _ => None,
    };
    let held = Held::of(&recorded, reading, policy)?;
    let told = Told::of(&recorded, call.as_ref(), session.format().as_str(), policy);
    let already = held
        .text()
        .and_then(recognise)
        .filter(|cut| cut.certain && !force);
    let cut = match (&already, held.text()) {
        (Some(_), Some(text)) => Cut::whole(text),
        _ => policy.cut(told.subject(&recorded, held.content())),
    };
    Ok(ClientCut {
        row: CutRow::of(policy, cut),
        recorded: already,
    })
}

/// Cuts bytes that are no recording: one text, or one JSON value.
///
/// What is not UTF-8 in a text is replaced, as in every client.
///
/// # Errors
///
/// Where the bytes should be JSON and are not.
pub fn cut_bytes(
    bytes: &[u8],
    policy: &ClientPolicy,
    reading: Reading,
) -> Result<CutRow, CutError> {
    let cut = if reading == Reading::Json {
        let (view, _) =
            View::check(bytes).map_err(|broken| CutError::NoJson(broken.to_string()))?;
        policy.cut(Subject::of(Content::Json(&view.value())))
    } else {
        let text = String::from_utf8_lossy(bytes);
        policy.cut(Subject::of(Content::Text(&text)))
    };
    Ok(CutRow::of(policy, cut))
}

/// What is put before the policy.
enum Held<'a> {
    Text(Cow<'a, str>),
    Json(Cow<'a, Value>),
}

impl<'a> Held<'a> {
    fn of(output: &'a Output, reading: Reading, policy: &ClientPolicy) -> Result<Self, CutError> {
        let seen = seen_by_policy(output);
        let takes_values =
            policy.definition().value.is_some() || policy.definition().nested_strings;
        match (reading, seen) {
            (Reading::Json, Some(Seen::Json(value))) => Ok(Self::Json(Cow::Borrowed(value))),
            (Reading::AsRecorded, Some(Seen::Json(value))) if takes_values => {
                Ok(Self::Json(Cow::Borrowed(value)))
            }
            (Reading::Json, seen) => {
                let text = match seen {
                    Some(Seen::Text(text)) => text,
                    _ => words(output).ok_or(CutError::NoText)?,
                };
                let (view, _) = View::check(text.as_bytes())
                    .map_err(|broken| CutError::NoJson(broken.to_string()))?;
                Ok(Self::Json(Cow::Owned(view.value())))
            }
            (_, Some(Seen::Text(text))) => Ok(Self::Text(text)),
            (_, Some(Seen::Json(_)) | None) => {
                words(output).map(Self::Text).ok_or(CutError::NoText)
            }
        }
    }

    fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Json(_) => None,
        }
    }

    fn content(&self) -> Content<'_> {
        match self {
            Self::Text(text) => Content::Text(text),
            Self::Json(value) => Content::Json(value),
        }
    }
}

/// The text of an output's blocks, JSON in its compact form; none where there is only media.
fn words(output: &Output) -> Option<Cow<'_, str>> {
    let texts: Vec<_> = output.fullest().iter().filter_map(block_text).collect();
    match texts.len() {
        0 => None,
        1 => texts.into_iter().next(),
        _ => Some(Cow::Owned(texts.join("\n"))),
    }
}

fn block_text(block: &Block) -> Option<Cow<'_, str>> {
    match block {
        Block::Text(text) => Some(Cow::Borrowed(text)),
        Block::Json(json) => Some(Cow::Owned(json.value.to_string())),
        Block::Envelope(envelope) => Some(match &envelope.read_from_text {
            Some(text) => Cow::Borrowed(text.as_str()),
            None => Cow::Owned(envelope.value.to_string()),
        }),
        _ => None,
    }
}

/// What a recording tells of an output besides its content.
#[derive(Debug, Clone, Default)]
pub(super) struct Told {
    command: Option<String>,
    exit_status: Option<i64>,
    recorded_by_client: bool,
}

impl Told {
    /// Of an output and the call that it answers.
    pub fn of(output: &Output, call: Option<&Call>, format: &str, policy: &ClientPolicy) -> Self {
        let client = Presets::built_in()
            .of_format(format)
            .map(|preset| preset.client.as_str());
        Self {
            command: call.and_then(command),
            exit_status: exit_status(output),
            recorded_by_client: client == Some(policy.definition().client.as_str()),
        }
    }

    fn subject<'a>(&'a self, output: &'a Output, content: Content<'a>) -> Subject<'a> {
        Subject {
            tool: output.tool.as_deref(),
            is_error: output.is_error,
            exit_status: self.exit_status,
            command: self.command.as_deref(),
            call_id: output.call_id.as_deref(),
            recorded_by_client: self.recorded_by_client,
            ..Subject::of(content)
        }
    }
}

/// The command of a call, as tools that run one take it: a text, or a list of words.
fn command(call: &Call) -> Option<String> {
    let given = call
        .arguments
        .get("command")
        .or_else(|| call.arguments.get("cmd"))?;
    match given {
        Value::String(command) => Some(command.clone()),
        Value::Array(words) => {
            let words: Option<Vec<_>> = words.iter().map(Value::as_str).collect();
            // `bash -lc COMMAND` runs the last word.
            match words?.as_slice() {
                [shell, flag, command] if shell.ends_with("sh") && flag.starts_with('-') => {
                    Some((*command).to_owned())
                }
                words => Some(words.join(" ")),
            }
        }
        _ => None,
    }
}

/// The exit status, where the client writes it before the output: `Exit code 1`.
fn exit_status(output: &Output) -> Option<i64> {
    let Some(Block::Text(text)) = output.blocks().first() else {
        return None;
    };
    let rest = text.strip_prefix("Exit code ")?;
    rest.split('\n').next()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::client::{Catalogue, Given};
    use crate::session::Input;

    fn session(lines: &str) -> Session {
        let session = Session::open(Input::Bytes {
            name: "test".to_owned(),
            bytes: lines.as_bytes().to_vec(),
        })
        .unwrap();
        session.index_all().unwrap();
        session
    }

    fn claude(text: &str) -> String {
        let call = serde_json::json!({"type":"assistant","uuid":"a","sessionId":"s","timestamp":"2026-01-01T00:00:00Z","message":{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"cargo test"}}]}});
        let output = serde_json::json!({"type":"user","uuid":"b","sessionId":"s","timestamp":"2026-01-01T00:00:01Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","is_error":true,"content":text}]}});
        format!("{call}\n{output}\n")
    }

    fn given(cut: &ClientCut) -> &str {
        match &cut.row.given {
            Given::Text(text) => text.to_str_lossy(),
            Given::Value(_) => panic!("text"),
        }
    }

    #[test]
    fn the_exit_code_of_a_recorded_failure_is_not_told_twice() {
        let text = format!("Exit code 101\n{}", "y".repeat(10_300));
        let session = session(&claude(&text));
        let output = session.find("#2").unwrap();
        let policy = Catalogue::built_in()
            .policy("claude-code.bash.failure")
            .unwrap();
        let cut = cut(&session, output, &policy, Reading::AsRecorded, false).unwrap();
        assert!(given(&cut).starts_with("Exit code 101\ny"));
        assert_eq!(cut.row.omitted, Some(314));
    }

    #[test]
    fn what_was_cut_when_recorded_is_not_cut_again() {
        let half = "y".repeat(5_000);
        let text = format!("{half}\n\n... [77 characters truncated] ...\n\n{half}");
        let session = session(&claude(&text));
        let output = session.find("#2").unwrap();
        let policy = Catalogue::built_in()
            .choose("cline.v4.message-builder", ["max_chars=100"])
            .unwrap();
        let kept = cut(&session, output, &policy, Reading::AsRecorded, false).unwrap();
        assert_eq!(given(&kept), text);
        assert!(kept.recorded.is_some());
        let forced = cut(&session, output, &policy, Reading::AsRecorded, true).unwrap();
        assert!(given(&forced).len() <= 100);
    }

    #[test]
    fn a_list_of_words_is_a_command() {
        let command = |value: Value| {
            command(&Call {
                tool: "shell".to_owned(),
                id: None,
                arguments: serde_json::json!({ "command": value }),
                arguments_text: None,
            })
        };
        assert_eq!(command("rg x".into()).as_deref(), Some("rg x"));
        assert_eq!(
            command(serde_json::json!(["bash", "-lc", "rg x"])).as_deref(),
            Some("rg x")
        );
        assert_eq!(
            command(serde_json::json!(["git", "diff"])).as_deref(),
            Some("git diff")
        );
        assert_eq!(command(7.into()), None);
    }
}
