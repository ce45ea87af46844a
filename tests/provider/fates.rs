//! What became of each block.
