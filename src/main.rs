//! The `toolreel` program.

use std::process::ExitCode;

fn main() -> ExitCode {
    // Only panics are reported by it: what can go wrong in use has its own words.
    if let Err(error) = color_eyre::install() {
        eprintln!("toolreel: {error}");
    }
    toolreel::cli::run(std::env::args_os())
}
