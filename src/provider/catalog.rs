//! What is known of providers: `assets/providers.toml`, read once.

use std::collections::HashMap;
use std::sync::LazyLock;

use serde::Deserialize;

use crate::tool::rig::{DocumentSourceKind, Image, ImageMediaType};

use super::Lens;
use super::call_id::IdRule;
use super::mixtape::Adapter;

static CATALOG: LazyLock<Catalog> = LazyLock::new(|| {
    let file: File = toml::from_str(include_str!("../../assets/providers.toml"))
        .expect("the provider table is part of the program and read by its tests");
    Catalog::from(file)
});

/// A column that the Providers tab has until others are chosen.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Column {
    /// The provider's whole name.
    pub name: String,
    /// The head over the column, at most nine cells.
    pub head: String,
}

/// The columns that the Providers tab has until others are chosen.
pub fn columns() -> &'static [Column] {
    &CATALOG.columns
}

/// Every provider name that a lens knows, whole.
pub fn names(lens: Lens) -> impl Iterator<Item = &'static str> {
    let (rig, mixtape): (&[Target], &[MixtapeTarget]) = match lens {
        Lens::Rig => (&CATALOG.rig, &[]),
        Lens::Mixtape => (&[], &CATALOG.mixtape),
    };
    let rig = rig.iter().map(|target| target.name.as_str());
    rig.chain(mixtape.iter().map(|target| target.name.as_str()))
}

/// The provider that a name means to rig: the whole name, or the first that begins with it and a
/// colon.
pub(super) fn rig_target(name: &str) -> Option<&'static Target> {
    let exact = CATALOG.rig.iter().find(|target| target.name == name);
    exact.or_else(|| {
        CATALOG.rig.iter().find(|target| {
            target
                .name
                .strip_prefix(name)
                .is_some_and(|rest| rest.starts_with(':'))
        })
    })
}

/// The adapter that a name means to mixtape, which takes any model after a colon.
pub(super) fn mixtape_target(name: &str) -> Option<&'static MixtapeTarget> {
    CATALOG.mixtape.iter().find(|target| {
        name.strip_prefix(&target.name)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(':'))
    })
}

/// The table as a program asks it.
struct Catalog {
    columns: Vec<Column>,
    rig: Vec<Target>,
    mixtape: Vec<MixtapeTarget>,
}

/// A provider and model with what it reads.
#[derive(Debug)]
pub(super) struct Target {
    name: String,
    behaviour: Behaviour,
}

impl Target {
    pub(super) fn key(&self) -> &str {
        &self.name
    }

    pub(super) const fn behaviour(&self) -> &Behaviour {
        &self.behaviour
    }
}

/// A provider with mixtape's adapter for it.
#[derive(Debug)]
pub(super) struct MixtapeTarget {
    pub(super) name: String,
    pub(super) adapter: Adapter,
}

/// The wire shapes of rig.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Shape {
    Anthropic,
    OpenaiChat,
    OpenaiResponses,
    Cohere,
    Ollama,
    Gemini,
    GeminiGrpc,
    Vertex,
    GeminiInteractions,
    Bedrock,
}

/// Variants of a shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Dialect {
    /// Results as arrays of parts.
    Array,
    /// Call ids are sent.
    Ids,
    /// Errors have a status.
    Status,
}

/// What a model reads on its wire.
#[derive(Debug, Clone)]
pub(super) struct Behaviour {
    pub(super) shape: Shape,
    pub(super) result: Option<ImageForms>,
    pub(super) user: Option<ImageForms>,
    pub(super) parts: bool,
    pub(super) tools: bool,
    pub(super) ids: IdRule,
    dialect: Option<Dialect>,
}

impl Behaviour {
    pub(super) fn is(&self, dialect: Dialect) -> bool {
        self.dialect == Some(dialect)
    }
}

/// The images that a wire carries at one place.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct ImageForms {
    pub(super) base64: Types,
    pub(super) url: Types,
    pub(super) string: Types,
    pub(super) s3: Types,
    pub(super) file_id: bool,
}

impl ImageForms {
    /// Whether the image can be sent in its form; rig has made base64 of raw bytes before it asks.
    pub(super) fn carry(&self, image: &Image) -> bool {
        let kind = image.media_type;
        match &image.data {
            DocumentSourceKind::Base64(_) => self.base64.hold(kind),
            DocumentSourceKind::Url(url) => {
                self.url.hold(kind) || (url.starts_with("s3://") && self.s3.hold(kind))
            }
            DocumentSourceKind::String(_) => self.string.hold(kind),
            DocumentSourceKind::FileId(_) => self.file_id,
            DocumentSourceKind::Raw(_) | DocumentSourceKind::Unknown => false,
        }
    }
}

/// A set of media types, with or without the image that has none.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Vec<String>")]
pub(super) struct Types {
    untyped: bool,
    all: bool,
    pub(super) listed: Vec<ImageMediaType>,
}

impl Types {
    pub(super) fn hold(&self, kind: Option<ImageMediaType>) -> bool {
        match kind {
            None => self.untyped,
            Some(kind) => self.all || self.listed.contains(&kind),
        }
    }

    /// Nothing is in it.
    pub(super) const fn is_empty(&self) -> bool {
        !self.untyped && !self.all && self.listed.is_empty()
    }
}

impl TryFrom<Vec<String>> for Types {
    type Error = String;

    fn try_from(names: Vec<String>) -> Result<Self, String> {
        let mut types = Self::default();
        for name in names {
            match name.as_str() {
                "any" => (types.untyped, types.all) = (true, true),
                "typed" => types.all = true,
                name => {
                    let value = serde_json::Value::from(name);
                    let kind = serde_json::from_value(value).map_err(|error| error.to_string())?;
                    types.listed.push(kind);
                }
            }
        }
        Ok(types)
    }
}

/// The table as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    columns: Vec<Column>,
    images: HashMap<String, ImageForms>,
    rig: RigFile,
    mixtape: MixtapeFile,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RigFile {
    #[serde(rename = "source")]
    _source: String,
    #[serde(rename = "date")]
    _date: String,
    behaviours: HashMap<String, BehaviourFile>,
    providers: Vec<ProviderFile<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MixtapeFile {
    #[serde(rename = "source")]
    _source: String,
    #[serde(rename = "date")]
    _date: String,
    providers: Vec<ProviderFile<Adapter>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ProviderFile<B> {
    name: String,
    behaviour: B,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BehaviourFile {
    shape: Shape,
    result: Option<String>,
    user: Option<String>,
    #[serde(default)]
    parts: bool,
    #[serde(default = "yes")]
    tools: bool,
    #[serde(default)]
    ids: IdRule,
    dialect: Option<Dialect>,
}

const fn yes() -> bool {
    true
}

impl From<File> for Catalog {
    fn from(file: File) -> Self {
        let forms = |name: Option<&String>| name.and_then(|name| file.images.get(name)).cloned();
        let rig = file
            .rig
            .providers
            .iter()
            .filter_map(|provider| {
                let behaviour = file.rig.behaviours.get(&provider.behaviour)?;
                Some(Target {
                    name: provider.name.clone(),
                    behaviour: Behaviour {
                        shape: behaviour.shape,
                        result: forms(behaviour.result.as_ref()),
                        user: forms(behaviour.user.as_ref()),
                        parts: behaviour.parts,
                        tools: behaviour.tools,
                        ids: behaviour.ids,
                        dialect: behaviour.dialect,
                    },
                })
            })
            .collect();
        let mixtape = file
            .mixtape
            .providers
            .into_iter()
            .map(|provider| MixtapeTarget {
                name: provider.name,
                adapter: provider.behaviour,
            })
            .collect();
        Self {
            columns: file.columns,
            rig,
            mixtape,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_names_nothing_that_it_does_not_hold() {
        let file: File =
            toml::from_str(include_str!("../../assets/providers.toml")).expect("a valid table");
        for behaviour in file.rig.behaviours.values() {
            for name in [&behaviour.result, &behaviour.user].into_iter().flatten() {
                assert!(file.images.contains_key(name), "{name}");
            }
        }
        for provider in &file.rig.providers {
            assert!(
                file.rig.behaviours.contains_key(&provider.behaviour),
                "{}",
                provider.behaviour
            );
        }
        for name in file.rig.behaviours.keys() {
            assert!(
                file.rig
                    .providers
                    .iter()
                    .any(|provider| provider.behaviour == *name),
                "{name} is unused"
            );
        }
        for column in &file.columns {
            assert!(rig_target(&column.name).is_some_and(|target| target.name == column.name));
            assert!(column.head.len() <= 9, "{}", column.head);
        }
    }

    #[test]
    fn a_part_means_the_first_model_with_it() {
        let key = |name| rig_target(name).map(Target::key);
        assert_eq!(key("anthropic"), Some("anthropic:claude-sonnet-4-6"));
        assert_eq!(
            key("anthropic-format:zai"),
            Some("anthropic-format:zai:glm-4.6")
        );
        assert_eq!(key("gemini"), Some("gemini:gemini-2.5-flash"));
        assert_eq!(
            key("bedrock:amazon.nova-pro-v1:0"),
            Some("bedrock:amazon.nova-pro-v1:0")
        );
        assert_eq!(key("groq"), Some("groq:llama-3.3-70b-versatile"));
        assert_eq!(key("anth"), None);
        assert_eq!(key(""), None);
        let adapter = |name| mixtape_target(name).map(|target| target.name.as_str());
        assert_eq!(adapter("bedrock"), Some("bedrock"));
        assert_eq!(adapter("bedrock:any.model"), Some("bedrock"));
        assert_eq!(adapter("bedrock-chat"), Some("bedrock-chat"));
        assert_eq!(adapter("openai-chat"), None);
    }
}
