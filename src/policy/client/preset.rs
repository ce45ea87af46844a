//! Presets: which policies a client applies to which tool, in order.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use super::catalogue::{Catalogue, ChooseError};
use super::{ClientPolicy, Cut, in_turn};
use crate::policy::Subject;

/// The clients, as data.
const BUILT_IN: &str = include_str!("../../../assets/presets.toml");

static PRESETS: LazyLock<Presets> = LazyLock::new(|| {
    Presets::read(BUILT_IN, Catalogue::built_in())
        .expect("the presets that are compiled in are read by a test")
});

/// Presets in the order in which they are offered: clients of today before older versions.
#[derive(Debug, Clone, Default)]
pub struct Presets(Vec<Preset>);

/// What one version of a client does.
#[derive(Debug, Clone)]
pub struct Preset {
    /// Its id, such as `claude-code`.
    pub id: String,
    /// Whose it is.
    pub client: String,
    /// In which versions.
    pub version: String,
    /// Whether this is what the client does today.
    pub current: bool,
    /// Names of the formats of recordings that the client itself writes.
    pub formats: Vec<String>,
    /// Ids of rules that need the whole conversation, which are told and not run.
    pub conversation: Vec<String>,
    /// The rules, of which the first that fits holds.
    pub rules: Vec<Rule>,
}

/// What a client does with the outputs of some tools.
#[derive(Debug, Clone)]
pub struct Rule {
    /// Names of tools; `*` stands for anything.
    pub tools: Vec<String>,
    /// For which outcome.
    pub on: On,
    /// Exit codes that count as a success although they are not 0.
    pub exit: Vec<Exit>,
    /// The policies, in the order in which they are applied; none where nothing is cut.
    pub policies: Vec<ClientPolicy>,
    /// What else is known.
    pub note: String,
}

/// For which outcome a rule is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum On {
    /// Any.
    #[default]
    Any,
    /// A success.
    Ok,
    /// A failure.
    Error,
}

/// An exit code that counts as a success for some commands.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exit {
    /// The code.
    pub code: i64,
    /// The commands, by how they begin.
    pub commands: Vec<String>,
}

/// A file of presets that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PresetError {
    /// It is no TOML, or not of a preset's form.
    #[error("{0}")]
    Form(String),
    /// A preset names a policy that does not exist, or a setting that it has not.
    #[error("preset `{preset}`: {error}")]
    Policy {
        /// The preset.
        preset: String,
        /// What is wrong.
        error: ChooseError,
    },
    /// No preset of that name.
    #[error("no preset `{id}`; there are {known}")]
    Unknown {
        /// What was asked for.
        id: String,
        /// The presets that there are.
        known: String,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    preset: Vec<PresetForm>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PresetForm {
    id: String,
    client: String,
    version: String,
    #[serde(default = "yes")]
    current: bool,
    #[serde(default)]
    formats: Vec<String>,
    #[serde(default)]
    conversation: Vec<String>,
    #[serde(default)]
    rule: Vec<RuleForm>,
}

const fn yes() -> bool {
    true
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RuleForm {
    tools: Vec<String>,
    #[serde(default)]
    on: On,
    #[serde(default)]
    exit: Vec<Exit>,
    policies: Vec<PolicyForm>,
    #[serde(default)]
    note: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PolicyForm {
    id: String,
    #[serde(default)]
    set: BTreeMap<String, toml::Value>,
}

impl PolicyForm {
    fn policy(&self, catalogue: &Catalogue) -> Result<ClientPolicy, ChooseError> {
        let mut policy = catalogue.policy(&self.id)?;
        for (name, value) in &self.set {
            let text = value
                .as_str()
                .map_or_else(|| value.to_string(), str::to_owned);
            policy.set(name, &text)?;
        }
        Ok(policy)
    }
}

impl Presets {
    /// The presets that are compiled in.
    pub fn built_in() -> &'static Self {
        &PRESETS
    }

    /// Reads presets as `assets/presets.toml` has them, of the policies of `catalogue`.
    ///
    /// # Errors
    ///
    /// Where the text is no such file, or names what does not exist.
    pub fn read(toml: &str, catalogue: &Catalogue) -> Result<Self, PresetError> {
        let file: File =
            toml::from_str(toml).map_err(|error| PresetError::Form(error.to_string()))?;
        let mut presets = file
            .preset
            .into_iter()
            .map(|form| form.preset(catalogue))
            .collect::<Result<Vec<_>, _>>()?;
        presets.sort_by_key(|preset| !preset.current);
        Ok(Self(presets))
    }

    /// All presets, clients of today first.
    pub fn iter(&self) -> impl Iterator<Item = &Preset> {
        self.0.iter()
    }

    /// The presets of today's clients.
    pub fn current(&self) -> impl Iterator<Item = &Preset> {
        self.iter().filter(|preset| preset.current)
    }

    /// The preset of the client that writes recordings of a format, as it is today.
    pub fn of_format(&self, format: &str) -> Option<&Preset> {
        self.iter()
            .find(|preset| preset.formats.iter().any(|name| name == format))
    }

    /// The preset of an id.
    ///
    /// # Errors
    ///
    /// Where there is none.
    pub fn find(&self, id: &str) -> Result<&Preset, PresetError> {
        self.iter()
            .find(|preset| preset.id == id)
            .ok_or_else(|| PresetError::Unknown {
                id: id.to_owned(),
                known: self
                    .iter()
                    .map(|preset| format!("`{}`", preset.id))
                    .collect::<Vec<_>>()
                    .join(", "),
            })
    }
}

impl PresetForm {
    fn preset(self, catalogue: &Catalogue) -> Result<Preset, PresetError> {
        let Self {
            id,
            client,
            version,
            current,
            formats,
            conversation,
            rule,
        } = self;
        let rules = rule
            .into_iter()
            .map(|rule| rule.rule(catalogue))
            .collect::<Result<_, _>>()
            .map_err(|error| PresetError::Policy {
                preset: id.clone(),
                error,
            })?;
        Ok(Preset {
            id,
            client,
            version,
            current,
            formats,
            conversation,
            rules,
        })
    }
}

impl RuleForm {
    fn rule(self, catalogue: &Catalogue) -> Result<Rule, ChooseError> {
        Ok(Rule {
            policies: self
                .policies
                .iter()
                .map(|policy| policy.policy(catalogue))
                .collect::<Result<_, _>>()?,
            tools: self.tools,
            on: self.on,
            exit: self.exit,
            note: self.note,
        })
    }
}

impl Preset {
    /// The rule for an output; none where the client does not cut it.
    pub fn rule(&self, subject: &Subject<'_>) -> Option<&Rule> {
        self.rules.iter().find(|rule| rule.fits(subject))
    }

    /// Whether any of its rules applies a policy.
    pub fn uses(&self, policy: &str) -> bool {
        self.rules
            .iter()
            .flat_map(|rule| &rule.policies)
            .any(|used| used.id() == policy)
    }

    /// The policies for an output, in the order in which they are applied.
    pub fn policies(&self, subject: &Subject<'_>) -> &[ClientPolicy] {
        self.rule(subject)
            .map_or(&[], |rule| rule.policies.as_slice())
    }

    /// What each of the policies leaves of an output, told in terms of the output itself.
    pub fn cuts(&self, subject: Subject<'_>) -> Vec<Cut> {
        in_turn(self.policies(&subject), subject)
    }
}

impl Rule {
    /// Whether it is for an output.
    fn fits(&self, subject: &Subject<'_>) -> bool {
        let tool = subject.tool.unwrap_or_default();
        let failed = subject.is_error || subject.exit_status.is_some_and(|status| status != 0);
        let outcome = match self.on {
            On::Any => true,
            On::Error => failed,
            On::Ok => !failed || self.exit.iter().any(|exit| exit.excuses(subject)),
        };
        outcome && self.tools.iter().any(|pattern| fits(pattern, tool))
    }
}

impl Exit {
    /// Whether an output's exit status is one that its command uses for an answer.
    fn excuses(&self, subject: &Subject<'_>) -> bool {
        subject.exit_status == Some(self.code)
            && subject.command.is_some_and(|command| {
                let command = command.trim_start();
                self.commands.iter().any(|begin| {
                    command.strip_prefix(begin.as_str()).is_some_and(|rest| {
                        rest.is_empty() || rest.starts_with(char::is_whitespace)
                    })
                })
            })
    }
}

/// Whether a name fits a pattern in which `*` stands for anything.
fn fits(pattern: &str, name: &str) -> bool {
    let Some((first, more)) = pattern.split_once('*') else {
        return pattern == name;
    };
    let Some(mut rest) = name.strip_prefix(first) else {
        return false;
    };
    let mut parts: Vec<_> = more.split('*').collect();
    let last = parts.pop().unwrap_or_default();
    for part in parts {
        match rest.split_once(part) {
            Some((_, after)) => rest = after,
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::Content;

    #[test]
    fn a_star_stands_for_anything() {
        for (pattern, name, does) in [
            ("Bash", "Bash", true),
            ("Bash", "BashOutput", false),
            ("*", "", true),
            ("*", "anything", true),
            ("mcp__*", "mcp__github__search", true),
            ("mcp__*", "amcp__", false),
            ("*__search", "mcp__search", true),
            ("*__search", "mcp__search_all", false),
            ("a*b*c", "a-b-c", true),
            ("a*b*c", "abcc", true),
            ("a*b*c", "acb", false),
        ] {
            assert_eq!(fits(pattern, name), does, "{pattern} {name}");
        }
    }

    #[test]
    fn claude_code_takes_an_exit_code_of_grep_for_an_answer() {
        let preset = Presets::built_in().find("claude-code").unwrap();
        let id = |command, exit_status| {
            let subject = Subject {
                tool: Some("Bash"),
                command,
                exit_status,
                ..Subject::of(Content::Text("x"))
            };
            preset.policies(&subject)[0].id().to_owned()
        };
        assert_eq!(id(Some("rg -n x src"), Some(1)), "claude-code.bash.success");
        assert_eq!(id(Some("git diff"), Some(1)), "claude-code.bash.success");
        assert_eq!(id(Some("grep -n x"), Some(2)), "claude-code.bash.failure");
        assert_eq!(id(Some("cargo test"), Some(1)), "claude-code.bash.failure");
        assert_eq!(id(Some("grepx"), Some(1)), "claude-code.bash.failure");
        assert_eq!(id(None, Some(0)), "claude-code.bash.success");
    }

    #[test]
    fn a_preset_sets_what_its_client_sets() {
        let presets = Presets::built_in();
        let codex = presets.find("codex-gpt-5.2").unwrap();
        let policy = &codex.policies(&Subject::of(Content::Text("")))[0];
        assert_eq!(policy.settings().word("mode"), Some("bytes"));
        let openhands = presets.find("openhands").unwrap();
        let limit = |tool| {
            let subject = Subject {
                tool: Some(tool),
                ..Subject::of(Content::Text(""))
            };
            openhands.policies(&subject)[0].limit()
        };
        assert_eq!(limit("terminal"), 30_000);
        assert_eq!(limit("file_editor"), 16_000);
        assert_eq!(limit("browser"), 50_000);
    }

    #[test]
    fn todays_clients_come_first() {
        let current: Vec<_> = Presets::built_in()
            .iter()
            .map(|preset| preset.current)
            .collect();
        assert!(current.is_sorted_by(|a, b| a >= b));
        assert!(Presets::built_in().find("vim").is_err());
    }
}
