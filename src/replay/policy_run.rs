//! Any policy run again over the whole recording, output by output, on a worker thread.
//!
//! The result cache needs none of this: it is arithmetic ([`super::rerun`]). Policies that look at
//! values read only those outputs that their sizes do not already leave alone.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::Serialize;

use super::Replay;
use super::facts::{Facts, Form};
use super::rerun::Recorded;
use super::side::{self, Seen};
use super::source::{EventReader, Events};
use crate::policy::{Content, Given, Omission, Outcome, Policy, Subject};
use crate::session::event::{Body, Output};
use crate::tokens::{Tokens, estimate, estimate_value};
use crate::tool::compact;

/// One output under a policy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PolicyRow {
    /// The output's event, counted from 1.
    pub index: usize,
    /// The id of the call that it answers.
    pub call_id: Option<String>,
    /// The model gets something else than the tool returned.
    pub changed: bool,
    /// Why not; none when changed.
    pub reason: Option<Untouched>,
    /// Size before the policy, where it is known.
    pub bytes_before: Option<u64>,
    /// Size after the policy.
    pub bytes_after: Option<u64>,
    /// Estimated tokens before the policy.
    pub tokens_before: Option<u64>,
    /// Estimated tokens after the policy.
    pub tokens_after: Option<u64>,
    /// What was left out.
    pub omitted: Vec<Omission>,
    /// How this compares with what was recorded.
    pub recorded: Recorded,
}

/// Why a policy leaves an output alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Untouched {
    /// Within its limits.
    WithinLimits,
    /// An error, which this policy never sees.
    Error,
    /// Media, or several blocks.
    NotOneValue,
    /// What the tool returned is not in the recording.
    NotRecorded,
}

impl Untouched {
    /// In words.
    pub const fn words(self) -> &'static str {
        match self {
            Self::WithinLimits => "within the limits",
            Self::Error => "an error",
            Self::NotOneValue => "media or several blocks",
            Self::NotRecorded => "what the tool returned is not in this recording",
        }
    }
}

/// The totals of a policy over the recording, so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct PolicyTotals {
    /// Tool outputs.
    pub outputs: u64,
    /// Outputs that the policy changes.
    pub outputs_changed: u64,
    /// Outputs within its limits.
    pub within_limits: u64,
    /// Errors, which it never sees.
    pub errors: u64,
    /// Outputs of media or several blocks.
    pub not_one_value: u64,
    /// Outputs whose returned side is not recorded.
    pub not_recorded: u64,
    /// Known sizes before.
    pub bytes_before: u64,
    /// Known sizes after.
    pub bytes_after: u64,
    /// Estimated tokens before.
    pub tokens_before: Tokens,
    /// Estimated tokens after.
    pub tokens_after: Tokens,
}

/// A policy that is being run over a recording.
#[derive(Clone)]
pub struct PolicyRun {
    policy: Arc<dyn Policy>,
    /// Outputs of the replay that are done.
    done: usize,
    rows: Vec<PolicyRow>,
    totals: PolicyTotals,
}

impl fmt::Debug for PolicyRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PolicyRun")
            .field("policy", &self.policy.id())
            .field("done", &self.done)
            .field("totals", &self.totals)
            .finish_non_exhaustive()
    }
}

/// Sizes of one output, tokens unrounded.
#[derive(Clone, Copy, Default)]
struct Size {
    bytes: Option<u64>,
    tokens: Option<Tokens>,
}

impl PolicyRun {
    /// Nothing run yet.
    pub fn new(policy: Arc<dyn Policy>) -> Self {
        Self {
            policy,
            done: 0,
            rows: Vec::new(),
            totals: PolicyTotals::default(),
        }
    }

    /// Runs on for about as long as `time` at most; true when every output that the replay knows is
    /// done. A recording that grew is run on from where it ended.
    pub fn advance(&mut self, replay: &Replay, events: &dyn Events, time: Duration) -> bool {
        let start = Instant::now();
        let mut reader = events.reader();
        while let Some(facts) = replay.facts.get(self.done) {
            self.done += 1;
            if !facts.server {
                self.run(facts, &mut *reader);
            }
            if start.elapsed() >= time {
                break;
            }
        }
        self.done >= replay.facts.len()
    }

    /// The rows so far, one per output in order.
    pub fn rows(&self) -> &[PolicyRow] {
        &self.rows
    }

    /// The totals so far.
    pub const fn totals(&self) -> &PolicyTotals {
        &self.totals
    }

    fn run(&mut self, facts: &Facts, reader: &mut dyn EventReader) {
        let before = match (facts.returned, &facts.form) {
            (_, Form::Envelope(_)) if facts.array.is_none() => Size::default(),
            (returned, _) => {
                let sum = returned.or(facts.sent).unwrap_or_default();
                Size {
                    bytes: sum.bytes,
                    tokens: sum.tokens,
                }
            }
        };
        match self.outcome(facts, reader) {
            Ok((given, omitted, output)) => {
                let after = Size {
                    bytes: Some(match &given {
                        Given::Text(text) => text.len() as u64,
                        Given::Json(value) => compact::length(value) as u64,
                    }),
                    tokens: Some(match &given {
                        Given::Text(text) => estimate(text),
                        Given::Json(value) => estimate_value(value),
                    }),
                };
                let recorded = compare(&given, &output);
                self.add(facts, None, [before, after], omitted, recorded);
            }
            Err(reason) => {
                let recorded = match facts.form {
                    _ if facts.sent.is_none() => Recorded::None,
                    Form::Whole | Form::OneSide => Recorded::Same,
                    _ if reason == Untouched::NotRecorded => Recorded::Same,
                    _ => Recorded::Differs,
                };
                self.add(facts, Some(reason), [before, before], Vec::new(), recorded);
            }
        }
    }

    fn outcome(
        &self,
        facts: &Facts,
        reader: &mut dyn EventReader,
    ) -> Result<(Given, Vec<Omission>, Output), Untouched> {
        if facts.is_error && !self.policy.takes_errors() {
            return Err(Untouched::Error);
        }
        let Some(extent) = facts.extent else {
            return Err(match facts.form {
                Form::Envelope(_) => Untouched::NotRecorded,
                _ => Untouched::NotOneValue,
            });
        };
        if self.policy.leaves_alone(&extent) {
            return Err(Untouched::WithinLimits);
        }
        let Some(Body::ToolOutput(output)) = reader.event(facts.event).map(|event| event.body)
        else {
            return Err(Untouched::NotRecorded);
        };
        let seen = side::seen_by_policy(&output).ok_or(Untouched::NotOneValue)?;
        let subject = Subject {
            tool: facts.tool.as_deref(),
            is_error: facts.is_error,
            call_id: facts.call_id.as_deref(),
            ..Subject::of(match &seen {
                Seen::Text(text) => Content::Text(text),
                Seen::Json(value) => Content::Json(value),
            })
        };
        let Outcome { given, omitted, .. } = self.policy.apply(subject);
        match given {
            Some(given) => Ok((given, omitted, output)),
            None => Err(Untouched::WithinLimits),
        }
    }

    fn add(
        &mut self,
        facts: &Facts,
        reason: Option<Untouched>,
        [before, after]: [Size; 2],
        omitted: Vec<Omission>,
        recorded: Recorded,
    ) {
        let totals = &mut self.totals;
        totals.outputs += 1;
        *match reason {
            None => &mut totals.outputs_changed,
            Some(Untouched::WithinLimits) => &mut totals.within_limits,
            Some(Untouched::Error) => &mut totals.errors,
            Some(Untouched::NotOneValue) => &mut totals.not_one_value,
            Some(Untouched::NotRecorded) => &mut totals.not_recorded,
        } += 1;
        totals.bytes_before += before.bytes.unwrap_or(0);
        totals.bytes_after += after.bytes.unwrap_or(0);
        totals.tokens_before += before.tokens.unwrap_or_default();
        totals.tokens_after += after.tokens.unwrap_or_default();
        self.rows.push(PolicyRow {
            index: facts.event.index(),
            call_id: facts.call_id.as_deref().map(str::to_owned),
            changed: reason.is_none(),
            reason,
            bytes_before: before.bytes,
            bytes_after: after.bytes,
            tokens_before: before.tokens.map(Tokens::rounded),
            tokens_after: after.tokens.map(Tokens::rounded),
            omitted,
            recorded,
        });
    }
}

/// Compares what the policy gives with what was recorded as sent.
fn compare(given: &Given, output: &Output) -> Recorded {
    let Some(sent) = output.sent.as_deref() else {
        return Recorded::None;
    };
    let same = match given {
        Given::Text(text) => side::text_of(sent) == *text,
        Given::Json(value) => side::value_of(sent).as_ref() == Some(value),
    };
    if same {
        Recorded::Same
    } else {
        Recorded::Differs
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::policy::bound::BoundSettings;
    use crate::session::{Input, Session};
    use crate::tool::rig_compose::ToolResultEnvelope;

    fn session(outputs: &[Value]) -> Session {
        let mut lines = vec![json!({ "toolreel": 1 }).to_string()];
        for (number, output) in outputs.iter().enumerate() {
            let id = format!("call_{number}");
            let call = json!({ "type": "tool_call", "id": id, "tool": "t", "arguments": {} });
            let mut line = json!({ "type": "tool_output", "id": id });
            for (key, value) in output.as_object().unwrap() {
                line[key] = value.clone();
            }
            lines.extend([call.to_string(), line.to_string()]);
        }
        let session = Session::open(Input::Bytes {
            name: "made".to_owned(),
            bytes: lines.join("\n").into_bytes(),
        });
        let session = session.unwrap();
        session.index_all().unwrap();
        session
    }

    #[test]
    fn the_bound_run_again_equals_the_bound() {
        let settings = BoundSettings {
            max_string_chars: 5,
            max_array_items: 2,
            max_total_bytes: 100,
        };
        let values = [
            json!([1, 2, 3]),
            json!({ "a": "abcdefgh" }),
            json!("short"),
            json!({ "k": [[1, 2, 3, 4]] }),
        ];
        let bounded = |value: &Value| ToolResultEnvelope::bound(value.clone(), &settings.config());
        let mut outputs: Vec<Value> = values
            .iter()
            .map(|value| json!({ "returned": { "value": value } }))
            .collect();
        // This one was sent as the bound gives it, and the last is an error.
        outputs[0]["sent"] = json!({ "value": serde_json::to_value(bounded(&values[0])).unwrap() });
        outputs.push(json!({ "returned": { "value": [1, 2, 3] }, "is_error": true }));
        let session = session(&outputs);
        let replay = Replay::of(&session);
        let mut run = PolicyRun::new(Arc::new(settings));
        assert!(run.advance(&replay, &session, Duration::MAX));
        for (value, row) in values.iter().zip(run.rows()) {
            let envelope = bounded(value);
            assert_eq!(row.changed, envelope.truncated, "{value}");
            assert_eq!(row.bytes_before, Some(value.to_string().len() as u64));
            if envelope.truncated {
                let written = serde_json::to_string(&envelope).unwrap();
                assert_eq!(row.bytes_after, Some(written.len() as u64));
            }
        }
        let recorded: Vec<_> = run.rows().iter().map(|row| row.recorded).collect();
        assert_eq!(recorded[0], Recorded::Same);
        assert_eq!(recorded[1], Recorded::Differs);
        assert_eq!(recorded[2], Recorded::Same);
        let totals = run.totals();
        assert_eq!((totals.outputs, totals.outputs_changed), (5, 3));
        assert_eq!((totals.within_limits, totals.errors), (1, 1));
    }

    #[test]
    fn it_runs_on_where_it_ended() {
        let outputs = [
            json!({ "returned": { "value": "abcdef" } }),
            json!({ "returned": { "value": 1 } }),
        ];
        let (first, both) = (session(&outputs[..1]), session(&outputs));
        let mut run = PolicyRun::new(Arc::new(BoundSettings::default()));
        assert!(run.advance(&Replay::of(&first), &first, Duration::ZERO));
        assert!(!run.advance(&Replay::of(&both), &both, Duration::ZERO) || run.rows().len() == 2);
        assert_eq!(run.rows().len(), 2);
    }
}
