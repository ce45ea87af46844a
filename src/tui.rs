//! The screen: one `App` value, an `update` that turns actions into effects, and a `view`.

pub mod action;
pub mod area;
pub mod canvas;
pub mod clipboard;
pub mod fuzzy;
pub mod help;
pub mod keys;
pub mod palette;
pub mod prompt;
pub mod recording;
pub mod tab;
pub mod tabs;
pub mod theme;
