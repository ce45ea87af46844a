//! The tabs: what the right side shows of the selected event.
//!
//! Each has its data, computed once by a worker, and a small state that the keys move. What they
//! share lies here too: inked lines, the gutter, wrapped text, the foldable tree.

pub mod line;
pub mod mark;
pub mod pattern;
pub mod prose;
pub mod tree;
