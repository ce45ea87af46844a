//! What other settings would have made of the recording, computed by a worker.

use std::sync::Arc;
use std::time::Duration;

use super::settings::Chosen;
use crate::policy::Unit;
use crate::policy::bound::BoundSettings;
use crate::policy::cache::{CacheSettings, DEFAULT_LIMIT, calls_to_reach, calls_to_read_all};
use crate::replay::Replay;
use crate::replay::consequence::{BoundSetting, Consequence, Direction, Inferred, InferredFrom};
use crate::replay::policy_run::{PolicyRow, PolicyRun, PolicyTotals};
use crate::replay::recorded::{RecordedRow, RecordedTotals};
use crate::replay::rerun::{Rerun, Row, Totals};
use crate::session::event::EventId;
use crate::tui::tab::Source;

/// A policy that reads values is given this long before what it has is shown.
const PATIENCE: Duration = Duration::from_secs(8);

/// So many changed outputs are listed.
const LISTED: usize = 200;

/// What the tab wants computed.
#[derive(Debug, Clone, Default)]
pub struct RerunAsk {
    /// The settings of the bound, while it is looked at; none looks at the result cache, whose
    /// settings the screen knows.
    pub bound: Option<BoundSettings>,
    /// Compared against these settings instead of the recorded ones.
    pub against: Option<Chosen>,
    /// An item that is wanted.
    pub item: Option<u64>,
    /// A run of the bound that may be gone on with.
    pub run: Option<(BoundSettings, Arc<PolicyRun>)>,
}

/// What the tab shows.
#[derive(Debug, Default)]
pub struct RerunData {
    /// The selected output, if it is one.
    pub output: Option<EventId>,
    /// Its tool.
    pub tool: String,
    /// The settings that this was computed with.
    pub chosen: Chosen,
    /// What the recording was made with.
    pub inferred: Option<Inferred>,
    /// What is known, for the next values that change anything.
    pub replay: Replay,
    /// For every setting the next smaller and the next larger value that changes anything.
    pub next: Vec<[Option<Consequence>; 2]>,
    /// The result.
    pub result: Outcome,
    /// Outputs that change, the first few.
    pub changed: Vec<Changed>,
    /// How many change.
    pub changed_count: usize,
    /// The settings it is compared against; none compares against the recording.
    pub against: Option<Chosen>,
    /// Columns and rows of the pane.
    pub size: (u16, u16),
    /// The index has not come to the end yet.
    pub loading: bool,
}

impl RerunData {
    /// Nothing in the recording tells the settings of a result cache: what stands beside the chosen
    /// ones is what the defaults would have made of it.
    pub fn are_defaults(&self) -> bool {
        self.inferred
            .is_some_and(|known| known.from == InferredFrom::Defaults)
    }
}

/// What a policy makes of the recording.
#[derive(Debug)]
pub enum Outcome {
    /// The result cache.
    Cache(Box<CacheOutcome>),
    /// The bound.
    Bound(Box<BoundOutcome>),
}

impl Default for Outcome {
    fn default() -> Self {
        Self::Cache(Box::default())
    }
}

/// What the result cache makes of it, before and now.
#[derive(Debug, Default)]
pub struct CacheOutcome {
    /// With the settings it is compared against.
    pub before: Totals,
    /// With the chosen settings.
    pub now: Totals,
    /// Bytes that are sent at once now, what the cache leaves alone as it was recorded.
    pub sent_now: u64,
    /// The selected output before and now.
    pub rows: Option<[Row; 2]>,
    /// What was recorded, where that is what it is compared against.
    pub recorded: Option<(RecordedTotals, RecordedRow)>,
    /// Calls that read all of it at a limit of the page size.
    pub calls_at_page_size: Option<u64>,
    /// A wanted item, and the calls that reach it before and now.
    pub item: Option<(u64, [Option<u64>; 2])>,
    /// How many outputs the bound would cut, told where the cache can touch none.
    pub bound_would_cut: Option<u64>,
}

/// What the bound makes of it.
#[derive(Debug, Default)]
pub struct BoundOutcome {
    /// All outputs so far.
    pub totals: PolicyTotals,
    /// All outputs are done.
    pub complete: bool,
    /// The selected output.
    pub row: Option<PolicyRow>,
    /// The run, to be gone on with.
    pub run: Option<(BoundSettings, Arc<PolicyRun>)>,
}

/// An output that reaches the model otherwise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changed {
    /// The output.
    pub event: EventId,
    /// Its tool.
    pub tool: String,
    /// Its size before.
    pub before: Option<u64>,
    /// Its size now.
    pub now: Option<u64>,
    /// What is lost of it, in words.
    pub lost: String,
}

/// The next value of a setting at which any output changes.
pub fn next(
    replay: &Replay,
    chosen: Chosen,
    field: usize,
    direction: Direction,
) -> Option<Consequence> {
    match (chosen, field) {
        (Chosen::Cache(settings), 0) => replay.next_threshold(settings, direction),
        (Chosen::Cache(settings), 1) => replay.next_page_size(settings, direction),
        (Chosen::Bound(settings), field) => {
            let setting = match field {
                0 => BoundSetting::StringChars,
                1 => BoundSetting::ArrayItems,
                _ => BoundSetting::TotalBytes,
            };
            replay.next_bound(settings, setting, direction)
        }
        _ => None,
    }
}

/// Computes the data.
pub fn load(source: &Source, ask: &RerunAsk) -> RerunData {
    let inferred = source.replay.recorded_settings();
    let output = source.replay.output_of(source.event);
    let mut data = RerunData {
        output,
        tool: output
            .map(|output| tool(source, output))
            .unwrap_or_default(),
        inferred: Some(inferred),
        replay: source.replay.as_ref().clone(),
        against: ask.against,
        size: (source.columns, source.rows),
        loading: !source.recording.is_complete(),
        ..RerunData::default()
    };
    if let Some(settings) = ask.bound {
        data.chosen = Chosen::Bound(settings);
        bound(source, ask, settings, &mut data);
    } else {
        let settings = source.settings.unwrap_or(inferred.settings);
        data.chosen = Chosen::Cache(settings);
        cache(source, ask, settings, &mut data);
    }
    data.next = (0..data.chosen.fields().len())
        .map(|field| {
            [Direction::Down, Direction::Up]
                .map(|direction| next(&source.replay, data.chosen, field, direction))
        })
        .collect();
    data
}

fn tool(source: &Source, output: EventId) -> String {
    source
        .recording
        .record(output)
        .and_then(|record| record.tool)
        .and_then(|name| source.recording.name(name))
        .unwrap_or_else(|| "output".to_owned())
}

fn cache(source: &Source, ask: &RerunAsk, settings: CacheSettings, data: &mut RerunData) {
    let base = match ask.against {
        Some(Chosen::Cache(against)) => against,
        _ => source.replay.recorded_settings().settings,
    };
    let before = source.replay.rerun(base);
    let now = source.replay.rerun(settings);
    let rows = data
        .output
        .and_then(|output| Some([before.row_of(output)?, now.row_of(output)?]));
    let recorded = ask.against.is_none().then(|| {
        let row = data
            .output
            .and_then(|output| source.replay.recorded_row(output));
        (source.replay.recorded_totals(), row.unwrap_or_default())
    });
    let calls_at_page_size = rows.as_ref().and_then(|[_, row]| {
        let (total, first) = (row.total_items?, row.first_page_items?);
        calls_to_read_all(total, first, settings.page_size)
    });
    let item = ask.item.and_then(|item| {
        let rows = rows.as_ref()?;
        let calls = |row: &Row| match (row.cached, row.first_page_items) {
            (true, Some(first)) => calls_to_reach(item, first, DEFAULT_LIMIT),
            _ => Some(0),
        };
        let [before, now] = rows.each_ref().map(calls);
        let before = match recorded {
            Some((_, row)) => row.calls_to_reach(item),
            None => before,
        };
        (item < rows[0].total_items?).then_some((item, [before, now]))
    });
    let touchable = now.totals.cached + now.totals.under_threshold > 0;
    let bound_would_cut = (!touchable && !now.is_empty()).then(|| {
        let mut run = PolicyRun::new(Arc::new(BoundSettings::default()));
        run.advance(&source.replay, &*source.recording, PATIENCE);
        run.totals().outputs_changed
    });
    list_changed(source, [&before, &now], data);
    data.result = Outcome::Cache(Box::new(CacheOutcome {
        before: before.totals.clone(),
        now: now.totals.clone(),
        sent_now: source.replay.sent_at_once(&now),
        rows,
        recorded,
        calls_at_page_size,
        item,
        bound_would_cut,
    }));
}

fn list_changed(source: &Source, [before, now]: [&Rerun; 2], data: &mut RerunData) {
    for (before, now) in before.rows().zip(now.rows()) {
        if before.cached == now.cached && before.first_page_items == now.first_page_items {
            continue;
        }
        data.changed_count += 1;
        if data.changed.len() >= LISTED {
            continue;
        }
        let Some(event) = EventId::from_index(now.index) else {
            continue;
        };
        data.changed.push(Changed {
            event,
            tool: tool(source, event),
            before: before.bytes_after,
            now: now.bytes_after,
            lost: match (now.cached, now.omitted_items) {
                (true, Some(omitted)) if omitted > 0 => {
                    let word = Unit::Items.word(omitted);
                    format!("{} {word} behind pages", crate::text::grouped(omitted))
                }
                _ => String::new(),
            },
        });
    }
}

fn bound(source: &Source, ask: &RerunAsk, settings: BoundSettings, data: &mut RerunData) {
    let mut run = match &ask.run {
        Some((of, run)) if *of == settings => run.as_ref().clone(),
        _ => PolicyRun::new(Arc::new(settings)),
    };
    let complete = run.advance(&source.replay, &*source.recording, PATIENCE);
    let row = data.output.and_then(|output| {
        let rows = run.rows();
        let place = rows.binary_search_by_key(&output.index(), |row| row.index);
        rows.get(place.ok()?).cloned()
    });
    for row in run.rows().iter().filter(|row| row.changed) {
        data.changed_count += 1;
        if data.changed.len() >= LISTED {
            continue;
        }
        let Some(event) = EventId::from_index(row.index) else {
            continue;
        };
        data.changed.push(Changed {
            event,
            tool: tool(source, event),
            before: row.bytes_before,
            now: row.bytes_after,
            lost: lost(row),
        });
    }
    data.result = Outcome::Bound(Box::new(BoundOutcome {
        totals: *run.totals(),
        complete,
        row,
        run: Some((settings, Arc::new(run))),
    }));
}

/// What a row leaves out, in words: `25,011 chars, 3 items`.
pub fn lost(row: &PolicyRow) -> String {
    let mut sums: Vec<(Unit, u64)> = Vec::new();
    for omission in &row.omitted {
        match sums.iter_mut().find(|(unit, _)| *unit == omission.unit) {
            Some((_, sum)) => *sum += omission.count,
            None => sums.push((omission.unit, omission.count)),
        }
    }
    let words: Vec<String> = sums
        .into_iter()
        .map(|(unit, count)| format!("{} {}", crate::text::grouped(count), unit.word(count)))
        .collect();
    words.join(", ")
}
