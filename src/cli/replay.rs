//! `toolreel replay`: the result cache run again over every output.

use serde::Serialize;

use super::args::ReplayArguments;
use super::info::counted;
use super::print::Out;
use super::{CliError, open};
use crate::replay::Replay;
use crate::replay::rerun::{Recorded, Row, Totals};
use crate::text;

/// The last line of `--json`.
#[derive(Serialize)]
struct Last<'a> {
    totals: &'a Totals,
}

/// Runs the command.
pub fn run(arguments: &ReplayArguments) -> Result<(), CliError> {
    let session = open::whole(&arguments.path)?;
    let replay = Replay::of(&session);
    let recorded = replay.recorded_settings().settings;
    let settings = arguments.settings.given(recorded).unwrap_or(recorded);
    let rerun = replay.rerun(settings);
    let mut out = Out::new();
    if arguments.json {
        for row in rerun.rows() {
            out.json(&row)?;
        }
        out.json(&Last {
            totals: &rerun.totals,
        })?;
        return out.finish();
    }
    out.line(&format!(
        "result cache  threshold_bytes {}  page_size {}",
        text::grouped(settings.threshold_bytes),
        text::grouped(settings.page_size),
    ))?;
    for row in rerun.rows() {
        out.line(&in_words(&row))?;
    }
    let totals = &rerun.totals;
    out.line(&format!(
        "{} of {} cached · {} B before, {} B after · {} to read the rest",
        totals.cached,
        counted(totals.outputs, "output"),
        text::grouped(totals.bytes_before),
        text::grouped(totals.bytes_after),
        counted(totals.page_calls, "call"),
    ))?;
    out.finish()
}

fn in_words(row: &Row) -> String {
    let bytes = |bytes: Option<u64>| match bytes {
        Some(bytes) => format!("{} B", text::grouped(bytes)),
        None => "? B".to_owned(),
    };
    let mut words = match (&row.handle, row.reason) {
        (Some(handle), _) => format!(
            "{} to {}  {handle}  {} of {}, {} to read the rest",
            bytes(row.bytes_before),
            bytes(row.bytes_after),
            row.first_page_items.unwrap_or_default(),
            counted(row.total_items.unwrap_or_default(), "item"),
            counted(row.calls_to_read_all.unwrap_or_default(), "call"),
        ),
        (None, Some(reason)) => format!("{}  {}", bytes(row.bytes_before), reason.words()),
        (None, None) => bytes(row.bytes_before),
    };
    if row.recorded == Recorded::Differs {
        words.push_str("  not as recorded");
    }
    let call = row.call_id.as_deref().unwrap_or("-");
    format!("{:>6}  {:<12}  {words}", row.index, text::visible(call))
}
