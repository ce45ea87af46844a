//! The screen: one `App` value, an `update` that turns actions into effects, and a `view`.

pub mod action;
pub mod canvas;
pub mod keys;
pub mod tab;
pub mod theme;
