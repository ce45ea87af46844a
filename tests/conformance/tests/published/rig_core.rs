//! rig-core's tool output, its blocks, and why a tool failed.

mod blocks;
mod errors;
mod into_output;
mod outputs;
