//! Reading bytes as JSON without recursion, without refusing, and without building values.
//!
//! serde_json's `Value` refuses lone surrogates and stops at 127 levels, and fast readers recurse or
//! skip what they do not look at. Recordings hold all of that, so this module reads them itself:
//! [`Record::check`] proves the structure of one record in one pass and remembers where long values
//! end, and [`View`] then looks single fields up without touching the rest.
//!
//! Faults that lie inside strings (lone surrogates, invalid UTF-8, raw control bytes, unknown
//! escapes) cost nothing but themselves: the record keeps its structure and the fault is told.

mod build;
mod check;
mod length;
mod scan;
mod split;
mod string;
mod view;

pub use check::{Broken, Fault, MAX_DEPTH, Record};
pub use split::{Level, Span, Splitter, Want};
pub use string::{canonical_text_length, decode, decoded_length, position_at};
pub use view::{Entries, Items, Kind, View};

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
