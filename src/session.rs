//! Recordings: bytes, format detection, the index, events and their blocks, pairing.

pub mod block;
pub mod event;
