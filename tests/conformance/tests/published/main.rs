//! toolreel's value types compared with the published crates on generated values.

mod compact;
mod fixtures;
mod mixtape;
mod rig_compose;
mod rig_core;
mod rig_mcp;
