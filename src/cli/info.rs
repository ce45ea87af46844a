//! `toolreel info`: what a recording is and how much is in it.

use serde::Serialize;

use super::args::InfoArguments;
use super::print::Out;
use super::{CliError, open};
use crate::session::Info;
use crate::text;

/// The row of one recording in a folder.
#[derive(Serialize)]
struct Named<'a> {
    path: &'a str,
    #[serde(flatten)]
    info: &'a Info,
}

/// Runs the command.
pub fn run(arguments: &InfoArguments) -> Result<(), CliError> {
    let mut out = Out::new();
    if arguments.path.is_dir() {
        for path in open::below(&arguments.path)? {
            let name = path.display().to_string();
            match open::whole(&path) {
                Ok(session) => {
                    let info = session.info();
                    if arguments.json {
                        out.json(&Named {
                            path: &name,
                            info: &info,
                        })?;
                    } else {
                        out.line(&format!("{}: {}", text::visible(&name), in_words(&info)))?;
                    }
                }
                // One file that cannot be read does not hide the others.
                Err(error) => {
                    if let Some(words) = error.words() {
                        super::print::complain(&words)?;
                    }
                }
            }
        }
        return out.finish();
    }
    let session = open::whole(&arguments.path)?;
    let info = session.info();
    if arguments.json {
        out.json(&info)?;
    } else {
        let name = arguments.path.display().to_string();
        out.line(&format!("{}: {}", text::visible(&name), in_words(&info)))?;
    }
    out.finish()
}

/// One line for a person: what is there, and only what is there.
fn in_words(info: &Info) -> String {
    let mut parts = vec![
        info.format.to_string(),
        counted(info.events, "event"),
        counted(info.calls, "call"),
        counted(info.outputs, "output"),
    ];
    for (count, one) in [
        (info.unanswered_calls, "unanswered call"),
        (info.orphan_outputs, "orphan output"),
        (info.bad_lines, "bad line"),
    ] {
        if count > 0 {
            parts.push(counted(count, one));
        }
    }
    parts.push(format!("{} B", text::grouped(info.bytes)));
    parts.join(" · ")
}

/// `1 event`, `29 events`.
pub fn counted(count: u64, one: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{} {one}{plural}", text::grouped(count))
}
