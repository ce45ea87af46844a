//! The exact value types of the published systems, one module per origin.
//!
//! Three of the origins have a type called `ToolResult`, so nothing is re-exported here. What the
//! types do, down to the texts of their errors, is what the published crates do; the workspace member
//! `conformance` compares the two on generated values.

pub mod compact;
pub mod mixtape;
pub mod rig;
pub mod rig_compose;
pub mod rig_mcp;
