//! What of a payload is replaced before anything is cut.

use serde::{Deserialize, Serialize};

/// One place that is replaced.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RedactionRule {
    /// The JSON pointer of the place.
    pub pointer: String,
    /// What stands in its place; else the policy's default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replacement: Option<String>,
}

/// What of a payload is replaced: what is denied, and with an allow list all that is not allowed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RedactionPolicy {
    /// What is replaced; of two rules for one place the first holds.
    pub deny: Vec<RedactionRule>,
    /// What is kept, with all above and below it; everything, where there is no list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allow: Option<Vec<String>>,
    /// What stands in place of what is replaced, where the rule says nothing else.
    pub default_replacement: String,
}

impl RedactionPolicy {
    /// Replaces what these JSON pointers name.
    #[must_use]
    pub fn deny_pointers<I, S>(pointers: I) -> Self
    where
        I: IntoIterator<Item = S>,
        S: Into<String>,
    {
        let rule = |pointer: S| RedactionRule {
            pointer: pointer.into(),
            replacement: None,
        };
        Self {
            deny: pointers.into_iter().map(rule).collect(),
            allow: None,
            default_replacement: default_replacement(),
        }
    }

    /// Replaces all but what these JSON pointers name.
    #[must_use]
    pub fn allow_pointers<I, S>(pointers: I) -> Self
    where
        I: IntoIterator<Item = S>,
        S: Into<String>,
    {
        Self {
            deny: Vec::new(),
            allow: Some(pointers.into_iter().map(Into::into).collect()),
            default_replacement: default_replacement(),
        }
    }

    /// The same with another default replacement.
    #[must_use]
    pub fn with_default_replacement(self, replacement: impl Into<String>) -> Self {
        Self {
            default_replacement: replacement.into(),
            ..self
        }
    }

    /// The same with this replacement for this JSON pointer, whose rule is added where there is none.
    #[must_use]
    pub fn with_replacement(
        mut self,
        pointer: impl Into<String>,
        replacement: impl Into<String>,
    ) -> Self {
        let pointer = pointer.into();
        let replacement = Some(replacement.into());
        match self.deny.iter_mut().find(|rule| rule.pointer == pointer) {
            Some(rule) => rule.replacement = replacement,
            None => self.deny.push(RedactionRule {
                pointer,
                replacement,
            }),
        }
        self
    }

    /// What stands in place of the value at `pointer`; none where the value stays.
    pub(super) fn replacement(&self, pointer: &str) -> Option<&str> {
        if let Some(rule) = self.deny.iter().find(|rule| rule.pointer == pointer) {
            return Some(
                rule.replacement
                    .as_deref()
                    .unwrap_or(&self.default_replacement),
            );
        }
        let allow = self.allow.as_ref()?;
        let kept = allow
            .iter()
            .any(|allowed| is_within(pointer, allowed) || is_within(allowed, pointer));
        (!kept).then_some(&self.default_replacement)
    }
}

/// `pointer` is `ancestor` or lies below it, by whole segments: `/ab` is not within `/a`.
fn is_within(pointer: &str, ancestor: &str) -> bool {
    match pointer.strip_prefix(ancestor) {
        // Below the root is everything, also what is no pointer, since allow lists are not checked.
        Some(rest) => rest.is_empty() || ancestor.is_empty() || rest.starts_with('/'),
        None => false,
    }
}

fn default_replacement() -> String {
    "[redacted]".to_owned()
}
