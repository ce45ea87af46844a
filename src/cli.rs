//! The command line: thin, over the same library calls as the screen.
//!
//! One file per command. Every command prints to an `Out`, and says what went wrong as a
//! [`CliError`], which knows its exit code.

mod args;
mod cut;
mod error;
mod info;
mod list;
mod open;
mod page;
mod policies;
mod print;
mod render;
mod replay;
mod screen;
mod show;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Parser;

pub use args::{Arguments, Command};
pub use error::CliError;

/// Runs the command of `arguments`, the program's name first, and says how it ended.
///
/// 0 is success, 1 a refusal that is an answer in itself, 2 anything that kept the command from its
/// work. A reader that went away is success.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments = match Arguments::try_parse_from(arguments) {
        Ok(arguments) => arguments,
        Err(asked) => {
            // Help and version go to standard output and are no error.
            let failed = asked.use_stderr();
            let _ = asked.print();
            return ExitCode::from(if failed { 2 } else { 0 });
        }
    };
    match perform(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            if let Some(words) = error.words() {
                let _ = print::complain(&words);
            }
            error.exit_code()
        }
    }
}

fn perform(arguments: Arguments) -> Result<(), CliError> {
    match arguments.command {
        None => screen::run(arguments.path.as_deref(), &arguments.view),
        Some(Command::Demo(demo)) => screen::demo(demo.name.as_deref(), &demo.view),
        Some(Command::Info(info)) => info::run(&info),
        Some(Command::List(list)) => list::run(&list),
        Some(Command::Show(show)) => show::run(&show),
        Some(Command::Replay(replay)) => replay::run(&replay),
        Some(Command::Page(page)) => page::run(&page),
        Some(Command::Render(render)) => render::run(&render),
        Some(Command::Cut(cut)) => cut::run(&cut),
        Some(Command::Policies(policies)) => policies::run(&policies),
    }
}
