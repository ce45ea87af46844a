//! `toolreel policies`: how clients cut outputs, and which of them a preset puts together.

use serde_json::Value;

use super::CliError;
use super::args::PoliciesArguments;
use super::print::Out;
use crate::policy::client::row::{PolicyRow, policies};
use crate::policy::client::{Catalogue, Presets, RecoverKind};
use crate::text::{fit, grouped, padded};

/// Runs the command.
pub fn run(arguments: &PoliciesArguments) -> Result<(), CliError> {
    let rows = policies(Catalogue::built_in(), Presets::built_in());
    let mut out = Out::new();
    if arguments.json {
        for row in &rows {
            out.json(row)?;
        }
        return out.finish();
    }
    let id_width = rows.iter().map(|row| row.id.len()).max().unwrap_or(0);
    for row in &rows {
        out.line(&line(row, id_width))?;
    }
    out.line("")?;
    for preset in Presets::built_in().iter() {
        let id = padded(&preset.id, id_width);
        let old = if preset.current { "" } else { "  (old)" };
        out.line(&format!(
            "preset {id}  {} {}{old}",
            preset.client, preset.version
        ))?;
    }
    out.finish()
}

/// One policy for a person: id, limit in its unit, how the rest can be had.
fn line(row: &PolicyRow, id_width: usize) -> String {
    let amount = |limit: &Value| limit.as_u64().map(grouped);
    let limit = match &row.limit {
        Value::Object(units) => units
            .iter()
            .filter_map(|(unit, limit)| {
                Some(format!("{} {}", amount(limit)?, unit.replace('_', " ")))
            })
            .collect::<Vec<_>>()
            .join(", "),
        limit => match amount(limit) {
            Some(limit) => format!("{limit} {}", row.unit),
            None => "no limit".to_owned(),
        },
    };
    let rest = match row.recover {
        _ if row.limit.is_null() => "",
        RecoverKind::None => "rest is lost",
        RecoverKind::File => "rest in a file",
        RecoverKind::Page => "rest by pages",
        RecoverKind::Cursor => "rest by token",
    };
    format!(
        "{}  {}  {}  {}",
        padded(&row.id, id_width),
        padded(&limit, 40),
        padded(rest, 14),
        fit(&row.client, 40)
    )
}
