//! The ledger of an output: what the tool returned, what the model was sent, what it read later
//! through pages, and what it was never sent.

use std::sync::Arc;

use super::Replay;
use super::facts::{Facts, Form};
use super::lifetime::Lifetime;
use crate::policy::Unit;
use crate::session::event::{EventId, Evidence};
use crate::tokens::Tokens;

/// How much of something there is, in every unit that is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Measure {
    /// Items of an array.
    pub items: Option<u64>,
    /// UTF-8 bytes: of text, of the compact form of JSON, of decoded media.
    pub bytes: Option<u64>,
    /// Unicode scalar values, for text: those of what the tool returned, wrappers apart.
    pub chars: Option<u64>,
    /// Lines, where a client's marker tells no other unit.
    pub lines: Option<u64>,
    /// Estimated tokens, or those that the recording tells.
    pub tokens: Option<u64>,
}

/// What is added up of one side of an output; tokens are rounded only when it is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Sum {
    pub items: Option<u64>,
    pub bytes: Option<u64>,
    pub chars: Option<u64>,
    pub lines: Option<u64>,
    pub tokens: Option<Tokens>,
}

impl Sum {
    pub fn measure(self) -> Measure {
        Measure {
            items: self.items,
            bytes: self.bytes,
            chars: self.chars,
            lines: self.lines,
            tokens: self.tokens.map(Tokens::rounded),
        }
    }

    pub fn known(self) -> Amount {
        Amount::Known(self.measure())
    }

    /// Nothing, in the units that are known.
    pub fn nothing(self) -> Self {
        Self {
            items: self.items.map(|_| 0),
            bytes: self.bytes.map(|_| 0),
            chars: self.chars.map(|_| 0),
            lines: self.lines.map(|_| 0),
            tokens: self.tokens.map(|_| Tokens::ZERO),
        }
    }

    /// Adds what both know.
    pub fn plus(self, other: Self) -> Self {
        fn add<T: std::ops::Add<Output = T>>(a: Option<T>, b: Option<T>) -> Option<T> {
            a.zip(b).map(|(a, b)| a + b)
        }
        Self {
            items: add(self.items, other.items),
            bytes: add(self.bytes, other.bytes),
            chars: add(self.chars, other.chars),
            lines: add(self.lines, other.lines),
            tokens: add(self.tokens, other.tokens),
        }
    }
}

/// One line of the ledger.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Amount {
    /// So much.
    Known(Measure),
    /// The recording cannot know.
    Unknown(Unknown),
}

impl Amount {
    /// The measure, where known.
    pub const fn measure(&self) -> Option<&Measure> {
        match self {
            Self::Known(measure) => Some(measure),
            Self::Unknown(_) => None,
        }
    }
}

/// Why the recording cannot know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Unknown {
    /// An agent's log without the tool's own side.
    LogKeepsSent,
    /// A request body holds what was sent.
    RequestKeepsSent,
    /// A server's side: what the client passed on is not in the file.
    ServerKeepsReturned,
    /// Without the returned side nobody can say what is missing of it.
    ReturnedUnknown,
    /// Without the sent side nobody can say what is missing of it.
    SentUnknown,
    /// Something else was sent, without a word of what was returned.
    SidesDiffer,
}

impl Unknown {
    /// The words that stand where a number would.
    pub const fn words(self) -> &'static str {
        match self {
            Self::LogKeepsSent => "not in this file (the log keeps what was sent)",
            Self::RequestKeepsSent => "not in this file (a request keeps what was sent)",
            Self::ServerKeepsReturned => "not in this file (the server's side only)",
            Self::ReturnedUnknown => "unknown: what the tool returned is not in this file",
            Self::SentUnknown => "unknown: what the model was sent is not in this file",
            Self::SidesDiffer => "unknown: what was sent has nothing of what was returned",
        }
    }
}

/// In what form an output was sent, where that is not simply the output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SentAs {
    /// As an envelope of rig-mcp's result cache.
    CachedEnvelope,
    /// As a bounded envelope of rig-compose.
    BoundedEnvelope,
    /// Cut, by whom its marker says, or by somebody unknown.
    Cut(Cut),
    /// As another text: nothing tells what it has of what was returned.
    Replaced,
}

/// A cut of text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Cut {
    /// The client whose marker it carries.
    pub client: Option<Arc<str>>,
    /// What the client's rule keeps, in words: `failure: first 5,000 chars + last 5,000 chars`.
    pub rule: Option<Arc<str>>,
    /// The id of the policy, as `toolreel policies` lists it.
    pub policy: Option<Arc<str>>,
    /// What the marker claims is missing.
    pub claimed: Option<(u64, Unit)>,
    /// The file that the client says it kept the whole output in.
    pub side_file: Option<Arc<str>>,
}

/// The ledger of one output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ledger {
    /// The output.
    pub event: EventId,
    /// What the tool returned.
    pub returned: Amount,
    /// What the model was sent in its place at once.
    pub sent: Amount,
    /// The form of it.
    pub sent_as: Option<SentAs>,
    /// What the model read of it later: the items or bytes that were new, at the size of the
    /// answers that brought them.
    pub read_later: Amount,
    /// The events that read it, in order.
    pub read_by: Vec<EventId>,
    /// What never reached the model.
    pub never_sent: Amount,
    /// How the recording knows.
    pub evidence: Evidence,
}

/// The five cells of a timeline row, or any other number of cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Bar {
    /// Cells sent at once.
    pub sent: u8,
    /// Cells read later.
    pub later: u8,
    /// Cells never sent.
    pub never: u8,
    /// Cells that nobody can say anything about.
    pub unknown: u8,
}

impl Bar {
    /// Shares cells by weight: the largest remainders win, and what is there at all has a cell.
    pub(super) fn share(cells: u8, weights: [u64; 3]) -> Self {
        let total: u64 = weights.iter().sum();
        if total == 0 {
            return Self {
                sent: cells,
                ..Self::default()
            };
        }
        let total = u128::from(total);
        let exact = weights.map(|weight| u128::from(weight) * u128::from(cells));
        let mut shares = exact.map(|exact| (exact / total) as u8);
        let mut order = [0, 1, 2];
        order.sort_by_key(|at: &usize| std::cmp::Reverse(exact[*at] % total));
        let left = cells - shares.iter().sum::<u8>();
        for at in order.into_iter().take(usize::from(left)) {
            shares[at] += 1;
        }
        for at in 0..3 {
            let largest = (0..3).max_by_key(|other| shares[*other]).unwrap_or(at);
            if weights[at] > 0 && shares[at] == 0 && shares[largest] > 1 {
                shares[largest] -= 1;
                shares[at] += 1;
            }
        }
        Self {
            sent: shares[0],
            later: shares[1],
            never: shares[2],
            unknown: 0,
        }
    }
}

impl Replay {
    /// The ledger of an output, or of the output of a call.
    pub fn ledger(&self, id: EventId) -> Option<Ledger> {
        self.facts_of(id).map(|facts| self.ledger_of(facts))
    }

    /// The bar of a timeline row, in so many cells.
    pub fn bar(&self, id: EventId, cells: u8) -> Option<Bar> {
        let facts = self.facts_of(id)?;
        if facts.sent.is_none() {
            return Some(Bar {
                unknown: cells,
                ..Bar::default()
            });
        }
        let ledger = self.ledger_of(facts);
        if matches!(facts.form, Form::Cut(_)) && ledger.never_sent.measure().is_none() {
            // Cut, and nobody tells how much.
            return Some(Bar {
                sent: cells.min(1),
                unknown: cells.saturating_sub(1),
                ..Bar::default()
            });
        }
        let units: &[fn(&Measure) -> Option<u64>] = match facts.form {
            Form::Envelope(_) => &[|measure| measure.items],
            Form::Cut(_) => &[
                |measure| measure.items,
                |measure| measure.chars,
                |measure| measure.bytes,
                |measure| measure.lines,
                |measure| measure.tokens,
            ],
            Form::Whole | Form::OneSide => &[],
        };
        let measures = [&ledger.sent, &ledger.read_later, &ledger.never_sent]
            .map(|amount| amount.measure().copied().unwrap_or_default());
        let shares = units.iter().find_map(|unit| {
            let [sent, later, never] = measures.each_ref().map(unit);
            Some([sent?, later.unwrap_or(0), never?])
        });
        Some(match (&facts.form, shares) {
            (_, Some(shares)) => Bar::share(cells, shares),
            // What is missing is told in a unit in which nobody counted what was sent.
            (Form::Cut(_), None) => Bar {
                sent: cells.min(1),
                never: cells.saturating_sub(1).min(1),
                unknown: cells.saturating_sub(2),
                ..Bar::default()
            },
            (_, None) => Bar {
                sent: cells,
                ..Bar::default()
            },
        })
    }

    pub(super) fn ledger_of(&self, facts: &Facts) -> Ledger {
        let lifetime = match facts.form {
            Form::Envelope(_) => facts.lifetime.and_then(|at| self.lifetimes.get(at)),
            _ => None,
        };
        let returned = facts.returned.map_or_else(
            || {
                Amount::Unknown(match facts.evidence {
                    Evidence::Request => Unknown::RequestKeepsSent,
                    _ => Unknown::LogKeepsSent,
                })
            },
            Sum::known,
        );
        let sent = match (facts.sent, &facts.form) {
            (None, _) => Amount::Unknown(Unknown::ServerKeepsReturned),
            (Some(sum), Form::Cut(cut)) if !cut.is_incomparable() => Sum {
                items: cut.kept.items.or_else(|| cut.no_items()),
                // Of a value no chars are counted.
                chars: cut
                    .kept
                    .chars
                    .filter(|chars| *chars > 0 || cut.missing.chars.is_some()),
                ..sum
            }
            .known(),
            // All of it was sent; what a client put around it is not the tool's.
            (Some(sum), Form::Whole) => Sum {
                items: facts.returned.and_then(|returned| returned.items),
                chars: facts.returned.and_then(|returned| returned.chars),
                ..sum
            }
            .known(),
            (Some(sum), _) => sum.known(),
        };
        let (read_later, read_by, never_sent) = rest_of(facts, lifetime);
        Ledger {
            event: facts.event,
            returned,
            sent,
            sent_as: match &facts.form {
                Form::Envelope(_) => Some(SentAs::CachedEnvelope),
                Form::Cut(cut) if cut.is_incomparable() => Some(SentAs::Replaced),
                Form::Cut(cut) => {
                    Some(cut.cut.clone().map_or(SentAs::BoundedEnvelope, SentAs::Cut))
                }
                Form::Whole | Form::OneSide => None,
            },
            read_later,
            read_by,
            never_sent,
            evidence: facts.evidence,
        }
    }
}

/// What was read later, by whom, and what never reached the model.
fn rest_of(facts: &Facts, lifetime: Option<&Lifetime>) -> (Amount, Vec<EventId>, Amount) {
    if facts.sent.is_none() {
        let unknown = Amount::Unknown(Unknown::SentUnknown);
        return (unknown, Vec::new(), unknown);
    }
    match (&facts.form, lifetime) {
        (Form::Envelope(_), Some(lifetime)) => {
            let (later, by) = lifetime.read_later();
            (later.known(), by, lifetime.never_sent().known())
        }
        (Form::Cut(cut), _) if cut.is_incomparable() => {
            let unknown = Amount::Unknown(Unknown::SidesDiffer);
            (unknown, Vec::new(), unknown)
        }
        (Form::Cut(cut), _) => {
            let never = match &cut.never() {
                never if *never == Sum::default() => Amount::Unknown(Unknown::ReturnedUnknown),
                never => never.known(),
            };
            (cut.later.known(), cut.read_by.clone(), never)
        }
        (Form::Whole, _) => {
            let nothing = facts.returned.map(Sum::nothing).unwrap_or_default().known();
            (nothing, Vec::new(), nothing)
        }
        (Form::OneSide | Form::Envelope(_), _) => {
            let unknown = Amount::Unknown(Unknown::ReturnedUnknown);
            (unknown, Vec::new(), unknown)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bar(sent: u8, later: u8, never: u8) -> Bar {
        Bar {
            sent,
            later,
            never,
            unknown: 0,
        }
    }

    #[test]
    fn cells_are_shared_by_the_largest_remainder() {
        assert_eq!(Bar::share(5, [64, 128, 220]), bar(1, 1, 3));
        assert_eq!(Bar::share(5, [4_000, 0, 27_204]), bar(1, 0, 4));
        assert_eq!(Bar::share(5, [1, 0, 0]), bar(5, 0, 0));
        assert_eq!(Bar::share(5, [0, 0, 0]), bar(5, 0, 0));
        assert_eq!(Bar::share(5, [0, 0, 3]), bar(0, 0, 5));
    }

    #[test]
    fn what_is_there_at_all_has_a_cell() {
        assert_eq!(Bar::share(5, [1, 1, 1_000_000]), bar(1, 1, 3));
        assert_eq!(Bar::share(5, [1_000_000, 0, 1]), bar(4, 0, 1));
        assert_eq!(Bar::share(1, [1, 1, 1]), Bar::share(1, [1, 1, 1]));
        let shared = Bar::share(5, [u64::MAX / 4, u64::MAX / 4, 1]);
        assert_eq!(shared.sent + shared.later + shared.never, 5);
    }
}
