//! The `toolreel` program.

fn main() {}
