//! Generated values, for comparing toolreel's types with those of the published crates.
//!
//! The comparisons are in `tests/published`, the benches beside the published crates in `benches`.

pub mod json;
pub mod mutate;

use std::fmt::{Debug, Display};

use proptest::test_runner::Config;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// How many cases each comparison of a crate runs.
pub const CASES: u32 = 10_000;

/// The settings of a comparison: nothing is written beside the tests when one fails.
pub fn config() -> Config {
    Config {
        cases: CASES,
        failure_persistence: None,
        ..Config::default()
    }
}

/// What reading a value gave: its JSON and its `Debug`, or the text of the error.
pub type Read = Result<(String, String), String>;

/// Reads `value` as a `T` and tells what came of it.
pub fn read_value<T: DeserializeOwned + Serialize + Debug>(value: &Value) -> Read {
    told(serde_json::from_value::<T>(value.clone()))
}

/// Reads JSON text as a `T` and tells what came of it.
pub fn read_text<T: DeserializeOwned + Serialize + Debug>(text: &str) -> Read {
    told(serde_json::from_str::<T>(text))
}

fn told<T: Serialize + Debug>(read: Result<T, impl Display>) -> Read {
    match read {
        Ok(value) => Ok((written(&value), format!("{value:?}"))),
        Err(error) => Err(error.to_string()),
    }
}

/// The compact JSON of a value that has one.
///
/// # Panics
///
/// Where the value has no JSON form, which no compared type allows.
pub fn written<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).expect("every compared type has a JSON form")
}
