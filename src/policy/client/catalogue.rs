//! Every client policy that the program knows, by its id.

use std::sync::{Arc, LazyLock};

use serde::Deserialize;

use super::ClientPolicy;
use super::definition::{Definition, Trace};
use super::mistake::Mistake;
use super::settings::SettingError;

/// The policies of the clients, as data.
const BUILT_IN: &str = include_str!("../../../assets/policies.toml");

static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| {
    Catalogue::read(BUILT_IN).expect("the policies that are compiled in are read by a test")
});

/// Policies by their ids.
#[derive(Debug, Clone, Default)]
pub struct Catalogue {
    policies: Vec<Arc<Definition>>,
    conversation: Vec<Arc<ConversationRule>>,
}

/// A rule that needs the whole conversation and not one output; told, but not run.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, serde::Serialize)]
#[serde(deny_unknown_fields)]
pub struct ConversationRule {
    /// Its id.
    pub id: String,
    /// Whose it is.
    pub client: String,
    /// When it acts.
    pub trigger: String,
    /// What it leaves alone.
    pub keep: String,
    /// What stands in the place of the rest.
    pub replaces_with: String,
    /// What it can be set to.
    #[serde(default)]
    pub options: String,
    /// How the rest can be had again.
    pub recover: String,
    /// Where it was read or seen.
    pub source: String,
    /// How what it leaves is recognised.
    #[serde(default, skip_serializing)]
    pub trace: Vec<Trace>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    policy: Vec<Definition>,
    #[serde(default)]
    conversation: Vec<ConversationRule>,
}

/// A policy that cannot be had.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ChooseError {
    /// No policy of that name.
    #[error("no policy `{id}`{}", suggestion(.near))]
    Unknown {
        /// What was asked for.
        id: String,
        /// Ids that are close to it.
        near: Vec<String>,
    },
    /// A setting that cannot be.
    #[error(transparent)]
    Setting(#[from] SettingError),
}

/// A file of policies that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// It is no TOML, or not of a policy's form.
    #[error("{0}")]
    Form(String),
    /// Two policies have the same id.
    #[error("there are two policies `{0}`")]
    Twice(String),
    /// A policy names what is not there.
    #[error("policy `{id}`: {mistake}")]
    Policy {
        /// The policy.
        id: String,
        /// What is wrong.
        mistake: Mistake,
    },
}

fn suggestion(near: &[String]) -> String {
    if near.is_empty() {
        "; `toolreel policies` lists them".to_owned()
    } else {
        format!("; did you mean `{}`?", near.join("` or `"))
    }
}

impl Catalogue {
    /// The policies that are compiled in.
    pub fn built_in() -> &'static Self {
        &CATALOGUE
    }

    /// Reads policies as `assets/policies.toml` has them.
    ///
    /// # Errors
    ///
    /// Where the text is no such file, has an id twice, or names what is not there.
    pub fn read(toml: &str) -> Result<Self, ReadError> {
        let file: File =
            toml::from_str(toml).map_err(|error| ReadError::Form(error.to_string()))?;
        let mut catalogue = Self::default();
        for policy in file.policy {
            if catalogue.find(&policy.id).is_some() {
                return Err(ReadError::Twice(policy.id));
            }
            if let Some(mistake) = policy.mistake() {
                let id = policy.id;
                return Err(ReadError::Policy { id, mistake });
            }
            catalogue.policies.push(Arc::new(policy));
        }
        catalogue.conversation = file.conversation.into_iter().map(Arc::new).collect();
        Ok(catalogue)
    }

    /// These policies with a user's own, which replace those of the same id.
    #[must_use]
    pub fn with(&self, own: &Self) -> Self {
        let mut all = self.clone();
        for policy in &own.policies {
            match all.policies.iter_mut().find(|known| known.id == policy.id) {
                Some(known) => *known = Arc::clone(policy),
                None => all.policies.push(Arc::clone(policy)),
            }
        }
        all.conversation.extend(own.conversation.iter().cloned());
        all
    }

    /// All policies, in the order of their file.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<Definition>> {
        self.policies.iter()
    }

    /// Rules that need the whole conversation.
    pub fn conversation(&self) -> impl Iterator<Item = &Arc<ConversationRule>> {
        self.conversation.iter()
    }

    /// The policy of an id or another name.
    pub fn find(&self, id: &str) -> Option<&Arc<Definition>> {
        self.policies
            .iter()
            .find(|policy| policy.id == id || policy.alias.as_deref() == Some(id))
    }

    /// A policy with its defaults.
    ///
    /// # Errors
    ///
    /// Where there is none of that id.
    pub fn policy(&self, id: &str) -> Result<ClientPolicy, ChooseError> {
        self.find(id)
            .map(|definition| ClientPolicy::new(Arc::clone(definition)))
            .ok_or_else(|| ChooseError::Unknown {
                id: id.to_owned(),
                near: self.near(id),
            })
    }

    /// A policy with settings, each written `name=value`.
    ///
    /// # Errors
    ///
    /// Where there is none of that id, or a setting cannot be.
    pub fn choose<S: AsRef<str>>(
        &self,
        id: &str,
        settings: impl IntoIterator<Item = S>,
    ) -> Result<ClientPolicy, ChooseError> {
        let mut policy = self.policy(id)?;
        for pair in settings {
            policy.set_pair(pair.as_ref())?;
        }
        Ok(policy)
    }

    /// Ids that hold what was asked for, or begin as it does.
    fn near(&self, id: &str) -> Vec<String> {
        let wanted = id.to_ascii_lowercase();
        let stem = wanted.split(['.', '-', ' ']).next().unwrap_or(&wanted);
        let ids = || self.policies.iter().map(|policy| policy.id.as_str());
        let mut near: Vec<_> = ids().filter(|known| known.contains(&wanted)).collect();
        if near.is_empty() && stem.len() >= 2 {
            near = ids().filter(|known| known.starts_with(stem)).collect();
        }
        near.truncate(5);
        near.into_iter().map(str::to_owned).collect()
    }
}
