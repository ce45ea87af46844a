//! Telling that a recorded output was cut by its client already.
//!
//! Most clients record what they sent and not what the tool returned, so the text of a recording is
//! often cut already; the marker in it says by whom, and claims how much is missing. Markers are data,
//! `[[policy.trace]]` in `assets/policies.toml`.

use std::ops::Range;
use std::sync::{Arc, LazyLock, OnceLock};

use regex::{Captures, Regex, RegexSet};

use super::ClientPolicy;
use super::catalogue::Catalogue;
use super::definition::{Omits, Trace};
use crate::text::grouped;

/// An output that was cut when it was recorded.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct RecordedCut {
    /// The id of the policy, or of the rule over the whole conversation.
    pub policy: String,
    /// Who cut it, in words: `Codex 0.59+`.
    pub by: String,
    /// How much the marker claims is missing.
    pub missing: Option<Claim>,
    /// How much the marker claims there was.
    pub total: Option<Claim>,
    /// Where the client has put the whole output.
    pub file: Option<String>,
    /// Where the marker stands in the text, in UTF-8 bytes.
    pub marker: Range<usize>,
    /// The text also has the frame or about the size that the client's rule gives. Markers leak into
    /// files, so one that stands alone somewhere inside a text may be just that.
    pub certain: bool,
}

/// A number that a marker claims.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Claim {
    /// How many.
    pub count: u64,
    /// Of what.
    pub unit: String,
}

impl std::fmt::Display for RecordedCut {
    /// `cut by OpenAI Codex CLI 0.59+ when recorded: 1,204 tokens missing`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "cut by {} when recorded", self.by)?;
        match (&self.missing, &self.total) {
            (Some(missing), _) => write!(f, ": {missing} missing"),
            (None, Some(total)) => write!(f, ": there were {total}"),
            (None, None) => Ok(()),
        }
    }
}

impl std::fmt::Display for Claim {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let unit = match self.count {
            1 => self.unit.strip_suffix('s').unwrap_or(&self.unit),
            _ => &self.unit,
        };
        write!(f, "{} {unit}", grouped(self.count))
    }
}

static BUILT_IN: LazyLock<Recogniser> = LazyLock::new(|| {
    Recogniser::new(Catalogue::built_in())
        .expect("the patterns that are compiled in are read by a test")
});

/// Who cut a text before it was recorded; none where no client's marker is in it.
///
/// The markers of clients can stand in a text for other reasons, such as a source file that writes
/// one; nobody can tell those apart.
pub fn recognise(text: &str) -> Option<RecordedCut> {
    BUILT_IN.recognise(text)
}

/// Words of which one is in every marker, so that most texts are looked at once and quickly.
const WORDS: &str = "truncated|TRUNCATED|omitted|elided|exceed|too large|too long|persisted|\
    Full output|clipped|larger|Showing l|previous |Content trunc|Offloaded|rimmed|cleared|MASKED|\
    tool_output_masked|Truncated";

/// Every marker that is known.
#[derive(Debug)]
pub struct Recogniser {
    words: Regex,
    patterns: RegexSet,
    marks: Vec<Mark>,
}

#[derive(Debug)]
struct Mark {
    policy: String,
    by: String,
    unit: Option<String>,
    pattern: String,
    with: Option<String>,
    /// Both, compiled when the set has found the pattern: most are never needed.
    compiled: OnceLock<Option<Patterns>>,
    /// The rule's limit and how it is counted, where that is one number.
    limit: Option<(usize, Omits)>,
}

#[derive(Debug)]
struct Patterns {
    pattern: Regex,
    with: Option<Regex>,
}

impl Patterns {
    fn of(mark: &Mark) -> Result<Self, regex::Error> {
        Ok(Self {
            pattern: Regex::new(&mark.pattern)?,
            with: mark.with.as_deref().map(Regex::new).transpose()?,
        })
    }
}

impl Recogniser {
    /// The markers of a catalogue.
    ///
    /// # Errors
    ///
    /// Where a pattern is none; a second pattern that is none only never matches.
    pub fn new(catalogue: &Catalogue) -> Result<Self, regex::Error> {
        let policies = catalogue.iter().flat_map(|policy| {
            let limit = ClientPolicy::new(Arc::clone(policy))
                .single_limit()
                .zip(policy.omits);
            policy
                .trace
                .iter()
                .map(move |trace| (policy.id.as_str(), policy.client.as_str(), limit, trace))
        });
        let rules = catalogue.conversation().flat_map(|rule| {
            rule.trace
                .iter()
                .map(|trace| (rule.id.as_str(), rule.client.as_str(), None, trace))
        });
        let mut marks = policies
            .chain(rules)
            .map(|(policy, client, limit, trace)| Mark::new(policy, client, limit, trace))
            .collect::<Vec<_>>();
        // A header and a marker together say more than the marker alone, which others write too.
        marks.sort_by_key(|mark| mark.with.is_none());
        Ok(Self {
            words: Regex::new(WORDS)?,
            patterns: RegexSet::new(marks.iter().map(|mark| &mark.pattern))?,
            marks,
        })
    }

    /// Who cut a text: markers with a header go first, then the order of the catalogue.
    pub fn recognise(&self, text: &str) -> Option<RecordedCut> {
        if !self.words.is_match(text) {
            return None;
        }
        self.patterns
            .matches(text)
            .into_iter()
            .filter_map(|index| self.marks.get(index))
            .find_map(|mark| mark.read(text))
    }
}

impl Mark {
    fn new(policy: &str, client: &str, limit: Option<(usize, Omits)>, trace: &Trace) -> Self {
        let by = match &trace.by {
            Some(by) => by.clone(),
            None => format!("{client} {}", trace.version).trim_end().to_owned(),
        };
        Self {
            policy: policy.to_owned(),
            by,
            unit: trace.unit.clone(),
            pattern: ascii(&trace.pattern),
            with: trace.with.as_deref().map(ascii),
            compiled: OnceLock::new(),
            limit,
        }
    }

    fn read(&self, text: &str) -> Option<RecordedCut> {
        let patterns = self
            .compiled
            .get_or_init(|| Patterns::of(self).ok())
            .as_ref()?;
        let found = patterns.pattern.captures(text)?;
        let with = match &patterns.with {
            Some(with) => Some(with.captures(text)?),
            None => None,
        };
        let group = |name: &str| {
            named(&found, name).or_else(|| with.as_ref().and_then(|with| named(with, name)))
        };
        let number = |name: &str| group(name).and_then(count);
        let claim = |count: u64| self.unit.clone().map(|unit| Claim { count, unit });
        let total = number("total");
        let kept = match (number("from"), number("to")) {
            (Some(from), Some(to)) => Some(to.saturating_sub(from) + 1),
            _ => number("kept").map(|kept| kept + number("kept_too").unwrap_or(0)),
        };
        let missing = number("n").or_else(|| Some(total?.saturating_sub(kept?)));
        let marker = with
            .as_ref()
            .and_then(|with| with.get(0))
            .or_else(|| found.get(0))?
            .range();
        Some(RecordedCut {
            policy: self.policy.clone(),
            by: self.by.clone(),
            missing: missing.and_then(claim),
            total: total
                .and_then(claim)
                .or_else(|| group("size").and_then(size)),
            file: group("file").map(str::to_owned),
            certain: self.is_certain(text, &marker),
            marker,
        })
    }

    /// Whether the marker stands where only the client puts it, or the text around it is about as long
    /// as the client's limit.
    fn is_certain(&self, text: &str, marker: &Range<usize>) -> bool {
        self.with.is_some()
            || self.pattern.starts_with(r"\A")
            || self.pattern.ends_with(r"\z")
            || self.limit.is_some_and(|(limit, omits)| {
                let marker = text.get(marker.clone()).unwrap_or_default();
                let kept = omits.count(text).saturating_sub(omits.count(marker));
                kept.abs_diff(limit) <= limit / 10
            })
    }
}

/// A pattern whose digits are those of ASCII: no client writes others, and every digit of Unicode makes
/// large machines.
fn ascii(pattern: &str) -> String {
    pattern.replace(r"\d", "[0-9]")
}

fn named<'t>(captures: &Captures<'t>, name: &str) -> Option<&'t str> {
    captures.name(name).map(|group| group.as_str())
}

/// A number as clients write it in any country: only its digits count.
fn count(text: &str) -> Option<u64> {
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    digits.parse().ok()
}

/// A size such as `223.5KB`, in bytes as far as its decimals tell.
fn size(text: &str) -> Option<Claim> {
    let (number, unit) = match text.strip_suffix("KB") {
        Some(number) => (number, 1024.0),
        None => (text.strip_suffix("MB")?, 1024.0 * 1024.0),
    };
    let bytes = number.parse::<f64>().ok()? * unit;
    Some(Claim {
        count: bytes.round() as u64,
        unit: "bytes".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::client::Given;
    use crate::policy::{Content, Subject};

    fn said(text: &str) -> String {
        recognise(text).map_or_else(String::new, |cut| cut.to_string())
    }

    #[test]
    fn every_client_is_recognised_by_what_it_makes() {
        let rows = "a row of a long text\nand another one\n".repeat(8_000);
        for definition in Catalogue::built_in().iter() {
            if definition.value.is_some() || definition.id == "none" {
                continue;
            }
            let mut policy = Catalogue::built_in().policy(&definition.id).unwrap();
            // Limits that no text of a test is over are lowered.
            for name in ["threshold", "max_line", "max_bytes", "max_chars"] {
                if policy
                    .settings()
                    .number(name)
                    .is_some_and(|limit| limit > 500_000)
                {
                    policy.set(name, "20").unwrap();
                }
            }
            if definition.id == "gemini-cli.tool-output.v0.5" {
                let preamble = "Tool output was too large and has been truncated.\nThe full output has been saved to: /f\n";
                policy.set("preamble", preamble).unwrap();
            }
            let cut = policy.cut(Subject::of(Content::Text(&rows)));
            let Given::Text(text) = &cut.given else {
                unreachable!("a text policy gives text");
            };
            let found = recognise(text.to_str_lossy());
            let found = found.unwrap_or_else(|| panic!("{} is not recognised", definition.id));
            // The same words are written by the same client's other rules, or by another client.
            let same = |ids: &[&str]| ids.contains(&definition.id.as_str());
            let wanted = match found.policy.as_str() {
                "claude-code.bash.success" => definition.id.starts_with("claude-code."),
                "claude-code.bash.legacy" => same(&["claude-code.bash.legacy", "crush.bash"]),
                "codex.formatted" => same(&["codex.formatted", "openai-agents.sandbox-shell"]),
                "smolagents.middle" => definition.id.starts_with("smolagents."),
                id => id == definition.id,
            };
            assert!(wanted, "{} is taken for {}", definition.id, found.policy);
        }
    }

    #[test]
    fn a_marker_says_who_and_how_much() {
        assert_eq!(
            said("abc…1204 tokens truncated…def"),
            "cut by OpenAI Codex CLI 0.59+ when recorded: 1,204 tokens missing"
        );
        assert_eq!(
            said("Exit code 1\nx\n\n... [19488 characters truncated] ...\n\ny"),
            "cut by Claude Code 2.1+ when recorded: 19,488 chars missing"
        );
        assert_eq!(
            said("c\nd\n\n[Showing lines 3-4 of 9. Full output: /tmp/pi]"),
            "cut by pi when recorded: 7 lines missing"
        );
        assert_eq!(
            said("[Old tool result content cleared]"),
            "cut by Claude Code, OpenCode or OpenClaw when recorded"
        );
        let cut = recognise(
            "<persisted-output>\nOutput too large (223.5KB). Full output saved to: /x/b.txt\n\nPreview (first 2KB):\n1\n...\n</persisted-output>",
        )
        .unwrap();
        assert_eq!(cut.file.as_deref(), Some("/x/b.txt"));
        assert!(cut.certain);
        assert_eq!(
            cut.to_string(),
            "cut by Claude Code 2.1.2+ when recorded: there were 228,864 bytes"
        );
    }

    #[test]
    fn a_marker_alone_is_believed_where_the_text_has_its_clients_length() {
        let certain = |kept: usize| {
            let half = "y".repeat(kept / 2);
            let text = format!("{half}\n\n... [99 characters truncated] ...\n\n{half}");
            recognise(&text).unwrap().certain
        };
        assert!(certain(10_000));
        assert!(!certain(400));
    }

    #[test]
    fn what_only_talks_about_cuts_is_not_taken_for_one() {
        for text in [
            "",
            "The output was truncated because the file is too large.",
            "tokens truncated: 12; 3 lines omitted",
            "File content is 12 tokens",
            "{\"truncated\":true,\"omitted_items\":3}",
        ] {
            assert_eq!(recognise(text), None, "{text}");
        }
    }

    #[test]
    fn every_marker_has_a_word_that_is_looked_for_first() {
        let words = Regex::new(WORDS).unwrap();
        let recogniser = Recogniser::new(Catalogue::built_in()).unwrap();
        for mark in &recogniser.marks {
            assert!(Patterns::of(mark).is_ok(), "{mark:?}");
            let with = mark.with.as_deref().unwrap_or_default();
            let pattern = format!("{}{with}", mark.pattern).replace('\\', "");
            assert!(words.is_match(&pattern), "{pattern}");
        }
    }
}
