//! toolreel: what the model received of a tool's output, and what it was never sent.
//!
//! Data flows one way, and a lower floor never names a higher one:
//!
//! ```text
//! bytes ──▶ session ──▶ replay ──▶ query ──▶ tui · cli
//!             │           │
//!             ▼           ▼
//!   tool · json · text · tokens · media      policy · provider
//! ```

pub mod cli;
pub mod demo;
pub mod json;
pub mod media;
pub mod policy;
pub mod provider;
pub mod query;
pub mod record;
pub mod replay;
pub mod session;
pub mod text;
pub mod tokens;
pub mod tool;
pub mod tui;
