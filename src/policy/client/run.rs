//! Client policies and presets as policies among others, and several of them in turn.

use super::definition::{Limit, Measure, Omits, RecoverKind, Step};
use super::preset::Preset;
use super::{ClientPolicy, Cut, Given, piece};
use crate::policy::{
    Content, Extent, Given as PolicyGiven, Omission, Outcome, Policy, Recover, Subject, Unit,
};

/// What each of several policies leaves of an output, one after the other: some clients cut twice.
///
/// Every cut is told in terms of the output itself, so that the last one says what of it the model
/// gets. Where a policy makes a value of it, the parts of the output are not known from there on.
pub fn in_turn(policies: &[ClientPolicy], subject: Subject<'_>) -> Vec<Cut> {
    let mut cuts: Vec<Cut> = Vec::with_capacity(policies.len());
    for policy in policies {
        let cut = match cuts.last() {
            None => policy.cut(subject),
            Some(before) => policy.cut_again(before, subject),
        };
        cuts.push(cut);
    }
    cuts
}

impl ClientPolicy {
    /// What the policy leaves of what another one has left.
    fn cut_again(&self, before: &Cut, subject: Subject<'_>) -> Cut {
        let held = match &before.given {
            Given::Text(text) => Content::Text(text.to_str_lossy()),
            Given::Value(value) => Content::Json(value),
        };
        let cut = self.cut(Subject {
            content: held,
            ..subject
        });
        let (Content::Text(output), Given::Text(_), Given::Text(_)) =
            (subject.content, &before.given, &cut.given)
        else {
            return Cut {
                changed: before.changed || cut.changed,
                ..cut
            };
        };
        let pieces = piece::compose(&before.pieces, cut.pieces, output);
        Cut::of(output, pieces, self.definition().omits, self.settings())
    }

    /// Whether an output of this size is certainly within every limit and gets no words around it.
    fn is_within(&self, extent: &Extent) -> bool {
        if self.definition().value.is_some() {
            return false;
        }
        let steps = &self.definition().step;
        // Strings inside a value are no longer than the value itself.
        steps
            .iter()
            .all(|step| self.step_leaves(step, extent.bytes))
    }

    /// Whether a step certainly leaves a text of so many bytes alone.
    fn step_leaves(&self, step: &Step, bytes: u64) -> bool {
        !step.over.is_empty()
            && step.fits.0.is_empty()
            && step.over.iter().all(|over| {
                let limit = over.above.as_ref().or(over.from.as_ref());
                let Some(limit) = limit.and_then(|limit| self.amount(limit)) else {
                    return true;
                };
                // No unit is finer than a byte, and there is one row more than there are line feeds.
                let most = match over.count {
                    Measure::Rows => bytes + 1,
                    Measure::Tokens if self.settings().number("tokens").is_some() => return false,
                    _ => bytes,
                };
                most < limit as u64 || (over.off_at_zero && limit == 0)
            })
    }
}

impl Policy for ClientPolicy {
    fn id(&self) -> &str {
        &self.definition().id
    }

    fn apply(&self, subject: Subject<'_>) -> Outcome {
        self.cut(subject).into_outcome(self)
    }

    fn leaves_alone(&self, extent: &Extent) -> bool {
        self.is_within(extent)
    }

    fn takes_errors(&self) -> bool {
        self.definition().value.is_none()
    }
}

impl Policy for Preset {
    fn id(&self) -> &str {
        &self.id
    }

    fn apply(&self, subject: Subject<'_>) -> Outcome {
        let policies = self.policies(&subject);
        let last = in_turn(policies, subject).pop().zip(policies.last());
        last.map_or_else(Outcome::unchanged, |(cut, policy)| cut.into_outcome(policy))
    }

    fn leaves_alone(&self, extent: &Extent) -> bool {
        self.rules
            .iter()
            .flat_map(|rule| &rule.policies)
            .all(|policy| policy.is_within(extent))
    }

    fn takes_errors(&self) -> bool {
        true
    }
}

impl Cut {
    fn into_outcome(self, policy: &ClientPolicy) -> Outcome {
        if !self.changed {
            return Outcome::unchanged();
        }
        let definition = policy.definition();
        let unit = definition.omits.map_or(Unit::Bytes, Omits::unit);
        let omission = self
            .omitted
            .filter(|&count| count > 0)
            .map(|count| Omission {
                pointer: String::new(),
                unit,
                count,
            });
        let recover = match (&self.given, definition.recover) {
            _ if omission.is_none() => Recover::Nothing,
            (Given::Value(value), RecoverKind::Cursor) => match value.get("page_token") {
                Some(serde_json::Value::String(token)) => Recover::Page {
                    token: token.clone(),
                },
                _ => Recover::Nothing,
            },
            (_, RecoverKind::None) => Recover::Nothing,
            (_, RecoverKind::File) => Recover::File {
                how: definition.recover_how.clone(),
            },
            (_, RecoverKind::Page | RecoverKind::Cursor) => Recover::Call {
                how: definition.recover_how.clone(),
            },
        };
        Outcome {
            given: Some(match self.given {
                Given::Text(text) => PolicyGiven::Text(text.into_string_lossy()),
                Given::Value(value) => PolicyGiven::Json(value),
            }),
            omitted: omission.into_iter().collect(),
            recover,
        }
    }
}

impl Omits {
    /// The unit of the replay.
    const fn unit(self) -> Unit {
        match self {
            Self::Bytes => Unit::Bytes,
            Self::Chars => Unit::Chars,
            Self::Utf16 => Unit::Utf16,
            Self::Cells => Unit::Cells,
            Self::Rows | Self::Lines => Unit::Lines,
            Self::TokensOfBytes | Self::TokensOfChars => Unit::Tokens,
        }
    }
}

impl ClientPolicy {
    /// The limit in the one unit that the policy counts in, where it is one number.
    pub(super) fn single_limit(&self) -> Option<usize> {
        match self.definition().limit.as_ref()? {
            Limit::One(amount) => self.amount(amount),
            Limit::PerUnit(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Catalogue, Piece, Presets};
    use super::*;

    #[test]
    fn cline_cuts_twice_and_says_what_of_the_output_is_left() {
        let text = "q".repeat(60_000);
        let subject = Subject {
            tool: Some("run_commands"),
            ..Subject::of(Content::Text(&text))
        };
        let cuts = Presets::built_in().find("cline").unwrap().cuts(subject);
        let [command, request] = cuts.as_slice() else {
            panic!("two cuts");
        };
        assert_eq!(command.omitted, Some(12_000));
        assert_eq!(request.given.bytes(), 7_999, "Cline can be a unit short");
        let Some(Piece::Kept(tail)) = request.pieces.last() else {
            panic!("a tail");
        };
        assert_eq!(tail.range.end, text.len());
        let kept = 60_000 - request.omitted.unwrap() as usize;
        assert_eq!(
            request
                .pieces
                .iter()
                .filter_map(|piece| match piece {
                    Piece::Kept(kept) => Some(kept.range.len()),
                    Piece::Words(_) => None,
                })
                .sum::<usize>(),
            kept
        );
    }

    #[test]
    fn an_output_within_the_limits_need_not_be_read() {
        let policy = Catalogue::built_in().policy("codex.tokens").unwrap();
        let of = |bytes| Extent {
            bytes,
            ..Extent::default()
        };
        assert!(policy.leaves_alone(&of(39_999)));
        assert!(!policy.leaves_alone(&of(40_001)));
        let wraps = Catalogue::built_in().policy("swe-agent.default").unwrap();
        assert!(
            !wraps.leaves_alone(&of(0)),
            "it puts words before every output"
        );
        let goose = Presets::built_in().find("goose").unwrap();
        assert!(
            !goose.leaves_alone(&of(0)),
            "it tells that there is no output"
        );
        let none = Presets::built_in().find("none").unwrap();
        assert!(none.leaves_alone(&of(u64::MAX)));
    }

    #[test]
    fn the_outcome_says_how_to_get_the_rest() {
        let text = "y".repeat(50_001);
        let policy = Catalogue::built_in()
            .policy("claude-code.tool-result.persist")
            .unwrap();
        let outcome = policy.apply(Subject::of(Content::Text(&text)));
        assert!(matches!(outcome.recover, Recover::File { .. }));
        assert_eq!(
            outcome.omitted,
            [Omission {
                pointer: String::new(),
                unit: Unit::Chars,
                count: 48_001
            }]
        );
        assert!(!policy.apply(Subject::of(Content::Text("y"))).changed());
    }
}
