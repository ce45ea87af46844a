//! The tabs: what the right side shows of the selected event.
//!
//! Each has its data, computed once by a worker, and a small state that the keys move. What they
//! share lies here too: inked lines, the gutter, wrapped text, the foldable tree.

pub mod blocks;
pub mod envelope;
mod hints;
pub mod line;
pub mod mark;
pub mod pages;
pub mod picture;
pub mod prose;
pub mod providers;
pub mod raw;
pub mod rerun;
mod rows;
pub mod sheet;
#[cfg(test)]
mod testing;
pub mod tree;
pub mod why;
