//! The settings that are edited, whichever policy they are of.

use crate::policy::bound::BoundSettings;
use crate::policy::cache::CacheSettings;

/// A policy with its settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Chosen {
    /// rig-mcp's result cache.
    Cache(CacheSettings),
    /// rig-compose's bound.
    Bound(BoundSettings),
}

impl Default for Chosen {
    fn default() -> Self {
        Self::Cache(CacheSettings::default())
    }
}

impl Chosen {
    /// The names that a person chooses by.
    pub const NAMES: [&'static str; 2] = ["cache", "bound"];

    /// Its name.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Cache(_) => "cache",
            Self::Bound(_) => "bound",
        }
    }

    /// Who published it.
    pub const fn published(&self) -> &'static str {
        match self {
            Self::Cache(_) => "rig-mcp 0.2.5",
            Self::Bound(_) => "rig-compose 0.5",
        }
    }

    /// Its settings, by name and value.
    pub fn fields(&self) -> Vec<(&'static str, u64)> {
        match self {
            Self::Cache(settings) => vec![
                ("threshold_bytes", settings.threshold_bytes),
                ("page_size", settings.page_size),
            ],
            Self::Bound(settings) => vec![
                ("max_string_chars", settings.max_string_chars),
                ("max_array_items", settings.max_array_items),
                ("max_total_bytes", settings.max_total_bytes),
            ],
        }
    }

    /// With another value of a setting.
    #[must_use]
    pub const fn with(mut self, field: usize, value: u64) -> Self {
        match (&mut self, field) {
            (Self::Cache(settings), 0) => settings.threshold_bytes = value,
            (Self::Cache(settings), 1) => settings.page_size = value,
            (Self::Bound(settings), 0) => settings.max_string_chars = value,
            (Self::Bound(settings), 1) => settings.max_array_items = value,
            (Self::Bound(settings), 2) => settings.max_total_bytes = value,
            _ => {}
        }
        self
    }

    /// The settings as TOML.
    pub fn toml(&self) -> String {
        let id = match self {
            Self::Cache(_) => "rig-mcp.cache-if-large",
            Self::Bound(_) => "rig-compose.envelope",
        };
        let mut text = format!("[{id:?}]\n");
        for (name, value) in self.fields() {
            text.extend([name, " = ", &value.to_string(), "\n"]);
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_toml() {
        let text = Chosen::default().with(1, 20).toml();
        assert_eq!(
            text,
            "[\"rig-mcp.cache-if-large\"]\nthreshold_bytes = 65536\npage_size = 20\n"
        );
        assert!(toml::from_str::<toml::Value>(&text).is_ok());
    }
}
