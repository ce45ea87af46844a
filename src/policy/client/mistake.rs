//! Mistakes in a policy that is data: what it names must be there.

use super::definition::{
    Amount, Conditions, Definition, Limit, Shape, Share, Snap, Step, Variants,
};

/// A mistake in a policy.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Mistake {
    /// A setting that the policy does not declare.
    #[error("there is no setting `{0}`")]
    Setting(String),
    /// A slot that nothing fills.
    #[error("nothing fills `{{{0}}}`")]
    Slot(String),
    /// A condition on something that nobody finds out.
    #[error("nothing tells `{0}`")]
    Condition(String),
    /// A shape without what it needs.
    #[error("a step of shape `{shape}` needs `{needs}`")]
    Shape {
        /// The shape.
        shape: &'static str,
        /// What it needs.
        needs: &'static str,
    },
    /// A step without words.
    #[error("a step needs `words`")]
    Words,
}

/// Parts of the output that a template can show.
const PARTS: [&str; 3] = ["text", "head", "tail"];

/// What steps find out, besides what a policy's own code does.
const FACTS: [&str; 48] = [
    "blank",
    "bytes",
    "bytes_and_fence",
    "beyond",
    "by_bytes",
    "by_lines",
    "chars",
    "copied_lines",
    "cut",
    "cut_bytes",
    "cut_chars",
    "cut_lines",
    "cut_n",
    "cut_newlines",
    "cut_rows",
    "dropped",
    "dropped_bytes",
    "empty",
    "excess",
    "excess_rows",
    "excess_tokens",
    "failed",
    "few_lines",
    "file_rows",
    "first",
    "first_row_bytes",
    "first_row_too_long",
    "head_n",
    "hit",
    "kept_bytes",
    "kept_rows",
    "last",
    "last_row_bytes",
    "lead",
    "lines",
    "marker",
    "next",
    "observed_bytes",
    "observed_lines",
    "over",
    "rows",
    "rows_are",
    "tail_n",
    "tokens",
    "tokens_of_bytes",
    "total",
    "unicode_lines",
    "utf16",
];

/// What a policy's own code finds out for its markers.
const OWN_FACTS: [&str; 10] = [
    "line",
    "lines_omitted",
    "marker_only",
    "omitted",
    "part",
    "removed",
    "saved",
    "tail_empty",
    "wide",
    "window",
];

impl Definition {
    /// The first mistake, if there is one.
    pub(super) fn mistake(&self) -> Option<Mistake> {
        let limits: Vec<&Amount> = match &self.limit {
            None => Vec::new(),
            Some(Limit::One(amount)) => vec![amount],
            Some(Limit::PerUnit(units)) => units.values().collect(),
        };
        limits
            .into_iter()
            .find_map(|amount| self.wrong_amount(amount))
            .or_else(|| self.step.iter().find_map(|step| self.wrong_step(step)))
    }

    fn wrong_step(&self, step: &Step) -> Option<Mistake> {
        wrong_shape(step)
            .or_else(|| self.wrong_condition(&step.when))
            .or_else(|| amounts(step).find_map(|amount| self.wrong_amount(amount)))
            .or_else(|| {
                [&step.words, &step.fits, &step.marker]
                    .into_iter()
                    .find_map(|variants| self.wrong_words(variants))
            })
    }

    fn wrong_amount(&self, amount: &Amount) -> Option<Mistake> {
        let name = amount.setting.as_ref()?;
        (!self.has(name)).then(|| Mistake::Setting(name.clone()))
    }

    fn wrong_words(&self, variants: &Variants) -> Option<Mistake> {
        variants.0.iter().find_map(|variant| {
            self.wrong_condition(&variant.when).or_else(|| {
                variant
                    .text
                    .slots()
                    .find(|slot| !PARTS.contains(slot) && !is_fact(slot) && !self.has(slot))
                    .map(|slot| Mistake::Slot(slot.to_owned()))
            })
        })
    }

    fn wrong_condition(&self, conditions: &Conditions) -> Option<Mistake> {
        conditions
            .0
            .keys()
            .find(|name| !is_fact(name) && !self.has(name))
            .map(|name| Mistake::Condition(name.clone()))
    }

    fn has(&self, setting: &str) -> bool {
        self.settings.names().any(|name| name == setting)
    }
}

fn is_fact(name: &str) -> bool {
    FACTS.contains(&name) || OWN_FACTS.contains(&name)
}

fn wrong_shape(step: &Step) -> Option<Mistake> {
    let needs = |shape, needs| Some(Mistake::Shape { shape, needs });
    match step.shape {
        _ if step.words.0.is_empty() => Some(Mistake::Words),
        Shape::Ends if step.count.is_none() => needs("ends", "count"),
        Shape::Ends if step.head.is_none() && step.tail.is_none() => needs("ends", "head or tail"),
        Shape::Window if step.count.is_none() => needs("window", "count"),
        Shape::Window if step.budget.is_none() => needs("window", "budget"),
        Shape::RowsTail if step.budget.is_none() => needs("rows-tail", "budget"),
        Shape::RowsEnds if step.budget.is_none() => needs("rows-ends", "budget"),
        Shape::RowsEnds if step.head.is_none() || step.tail.is_none() => {
            needs("rows-ends", "head and tail")
        }
        Shape::EveryRow if step.width.is_none() => needs("every-row", "width"),
        Shape::Own if step.own.is_none() => needs("own", "own"),
        _ => None,
    }
}

/// Every amount of a step.
fn amounts(step: &Step) -> impl Iterator<Item = &Amount> {
    let shares = [&step.head, &step.tail]
        .into_iter()
        .flatten()
        .filter_map(|share| match share {
            Share::Own(amount) => Some(amount),
            _ => None,
        });
    let snap = step.snap.iter().filter_map(|snap| match snap {
        Snap::Within(amount) => Some(amount),
        Snap::Any | Snap::Past(_) => None,
    });
    let over = step
        .over
        .iter()
        .flat_map(|over| [over.above.as_ref(), over.from.as_ref()])
        .flatten();
    let width = step
        .width
        .iter()
        .flat_map(|width| [&width.above, &width.from, &width.keep])
        .flatten();
    [&step.budget, &step.start, &step.bytes]
        .into_iter()
        .flatten()
        .chain(shares)
        .chain(snap)
        .chain(over)
        .chain(width)
}

#[cfg(test)]
mod tests {
    use super::super::{Catalogue, Given, ReadError};
    use crate::policy::{Content, Subject};

    /// A policy of one's own with one step.
    fn own(step: &str) -> Result<Catalogue, ReadError> {
        Catalogue::read(&format!(
            r#"
            [[policy]]
            id = "mine"
            limit = "most"
            [policy.settings]
            defaults = {{ most = 4 }}
            [[policy.step]]
            {step}
            "#
        ))
    }

    #[test]
    fn a_policy_of_ones_own_needs_little() {
        let mine = own(r#"
            over = [{ count = "chars", above = "most" }]
            shape = "ends"
            count = "chars"
            budget = "most"
            head = "half"
            tail = "rest"
            words = "{head} [{cut_n:,} left out] {tail}"
        "#)
        .unwrap();
        let all = Catalogue::built_in().with(&mine);
        let policy = all.choose("mine", ["most=5"]).unwrap();
        let cut = policy.cut(Subject::of(Content::Text("abcdefghij")));
        assert_eq!(cut.given, Given::Text("ab [5 left out] hij".into()));
        assert_eq!(all.iter().count(), 60);
    }

    #[test]
    fn a_mistake_is_told_with_the_policy_it_is_in() {
        let said = |step: &str| own(step).map(|_| ()).unwrap_err().to_string();
        assert_eq!(
            said(
                r#"shape = "ends"
                words = "{head}""#
            ),
            "policy `mine`: a step of shape `ends` needs `count`"
        );
        assert_eq!(
            said(
                r#"shape = "whole"
                words = "{heda}""#
            ),
            "policy `mine`: nothing fills `{heda}`"
        );
        assert_eq!(
            said(
                r#"shape = "nothing"
                over = [{ count = "chars", above = "max" }]
                words = """#
            ),
            "policy `mine`: there is no setting `max`"
        );
        assert_eq!(
            said(
                r#"shape = "nothing"
                when = { tuesday = true }
                words = """#
            ),
            "policy `mine`: nothing tells `tuesday`"
        );
        assert!(said("shape = \"square\"").contains("unknown variant `square`"));
        assert!(said("shape = \"whole\"\nwords = \"{\"").contains("words"));
    }
}
