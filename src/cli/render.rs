//! `toolreel render`: an output as providers would receive it.

use super::args::RenderArguments;
use super::print::Out;
use super::{CliError, open};
use crate::provider::{self, ErrorFlag, Lens, Order, Rendering};
use crate::session::convert;
use crate::session::event::Body;
use crate::text;

/// Runs the command.
pub fn run(arguments: &RenderArguments) -> Result<(), CliError> {
    let session = open::whole(&arguments.path)?;
    let failed = |reason: &dyn std::fmt::Display| CliError::of(session.name(), reason);
    let id = open::output(&session, &arguments.call)?;
    let mut reader = session.reader();
    let record = reader.index().record(id);
    let call = match record.and_then(|record| record.pair) {
        Some(call) => Some(reader.event(call).map_err(|error| failed(&error))?),
        None => None,
    };
    let call = call.and_then(|event| match event.body {
        Body::ToolCall(call) => Some(call),
        _ => None,
    });
    let event = reader.event(id).map_err(|error| failed(&error))?;
    let Body::ToolOutput(output) = event.body else {
        return Err(failed(&format!("event #{} is no tool output", id.index())));
    };
    let lens: Lens = arguments
        .lens
        .parse()
        .map_err(|error: provider::UnknownLens| CliError::Failed(error.to_string()))?;
    let subject = convert::subject(call.as_ref(), &output);
    let names = names(&arguments.providers, lens);
    // All names are looked up before anything is printed: a misspelt one prints nothing.
    let renderings = names
        .into_iter()
        .map(|name| provider::render(&subject, name, lens))
        .collect::<Result<Vec<_>, _>>()
        .map_err(|error| CliError::Failed(error.to_string()))?;
    let mut out = Out::new();
    for rendering in &renderings {
        if arguments.json {
            out.json(rendering)?;
        } else {
            in_words(&mut out, rendering, lens)?;
        }
    }
    out.finish()
}

/// The providers to render for: those asked for, all of the lens, or those of the screen.
fn names(asked: &[String], lens: Lens) -> Vec<&str> {
    match (asked, lens) {
        ([], Lens::Rig) => provider::columns()
            .iter()
            .map(|column| column.name.as_str())
            .collect(),
        ([], _) => provider::names(lens).collect(),
        (asked, _) => asked
            .iter()
            .flat_map(|name| match name.as_str() {
                "all" => provider::names(lens).collect(),
                name => vec![name],
            })
            .collect(),
    }
}

fn in_words(out: &mut Out, rendering: &Rendering, lens: Lens) -> Result<(), CliError> {
    out.line(&format!(
        "{}  as {} sends it  {} B  ~{} tok",
        rendering.provider,
        lens.sender(),
        text::grouped(rendering.bytes),
        text::grouped(rendering.tokens.rounded()),
    ))?;
    if let Some(error) = &rendering.error {
        out.line(&format!("  refused: {}", text::visible(error)))?;
    }
    for block in &rendering.blocks {
        let note = block.note.as_deref().unwrap_or_default();
        out.line(&format!(
            "  {}  {:<9}  {}",
            block.block,
            block.fate.name(),
            text::visible(note)
        ))?;
    }
    if rendering.error_flag == Some(ErrorFlag::Lost) {
        out.line("  the error flag is lost")?;
    }
    if rendering.order == Some(Order::Lost) {
        out.line("  the order of the blocks is lost")?;
    }
    if let Some(wire) = &rendering.wire {
        out.line(&format!("  {}", text::visible(&wire.to_string())))?;
    }
    Ok(())
}
