//! The lines of the Re-run tab.

use super::RerunTab;
use super::build::{BoundOutcome, CacheOutcome, Changed, Outcome, RerunData, lost};
use super::settings::Chosen;
use crate::policy::cache::DEFAULT_LIMIT;
use crate::replay::recorded::Fixed;
use crate::replay::rerun::{Row, Totals};
use crate::text::{cells, fit, grouped};
use crate::tui::keys::Scope;
use crate::tui::tabs::hints::hints;
use crate::tui::tabs::line::{Ink, Line, width};
use crate::tui::tabs::rows::Rows;

/// Columns that leave room for words beside the values.
const WIDE: usize = 58;

/// Said first where the policy can touch nothing.
fn untouchable(data: &RerunData, rows: &mut Rows, columns: usize) {
    let Outcome::Cache(outcome) = &data.result else {
        return;
    };
    let totals = &outcome.now;
    if totals.outputs == 0 {
        let words = if data.loading {
            "The recording is still loading: no tool output has come yet."
        } else {
            "This recording has no tool outputs: no policy can touch it."
        };
        rows.wrapped(None, &Line::new(), Ink::Finding, words, columns);
    } else if let Some(cut) = outcome.bound_would_cut {
        let words = match totals.outputs {
            1 => "The one output is no array: cache cannot touch it.".to_owned(),
            count => format!(
                "0 of {} outputs are arrays: cache cannot touch them.",
                grouped(count)
            ),
        };
        let words = format!("{words} c: bound would cut {cut}");
        rows.wrapped(None, &Line::new(), Ink::Finding, &words, columns);
    }
}

/// Cells of the columns.
#[derive(Debug, Clone, Copy)]
struct Grid {
    /// Columns of the pane.
    columns: usize,
    /// Before a label.
    indent: usize,
    /// A label and what it is set in by.
    label: usize,
    /// The recorded value.
    before: usize,
    /// The value now.
    now: usize,
    /// Before what is said of them.
    gap: &'static str,
}

impl Grid {
    const fn of(columns: usize) -> Self {
        if columns >= WIDE {
            Self {
                columns,
                indent: 2,
                label: 24,
                before: 10,
                now: 12,
                gap: "  ",
            }
        } else {
            Self {
                columns,
                indent: 1,
                label: 22,
                before: 9,
                now: 10,
                gap: " ",
            }
        }
    }

    /// A label, a value before, a value now.
    fn pair(self, label: &str, before: &str, now: &str) -> Line {
        let ink = if before == now {
            Ink::Text
        } else {
            Ink::Changed
        };
        self.values(label, [(Ink::Text, before), (ink, now)])
    }

    /// A label and two values in their columns. A value too long for its column takes what it needs
    /// of what stands before it, so that two values never touch.
    fn values(self, label: &str, [before, now]: [(Ink, &str); 2]) -> Line {
        let end = self.label + self.before + self.now;
        let now_cells = self.now.max(cells(now.1) + 1);
        let before_end = end.saturating_sub(now_cells);
        let label_cells = before_end.saturating_sub(self.before.max(cells(before.1) + 1));
        let shown = fit(label, label_cells.saturating_sub(self.indent));
        Line::of(Ink::Text, " ".repeat(self.indent))
            .and(Ink::Text, shown.clone().into_owned())
            .cell_right(
                before.0,
                before.1,
                before_end.saturating_sub(self.indent + cells(&shown)),
            )
            .cell_right(now.0, now.1, now_cells)
    }

    /// Two sizes and their difference.
    fn sizes(self, label: &str, before: Option<u64>, now: Option<u64>) -> Line {
        self.pair(label, &bytes(before), &bytes(now))
            .and(Ink::Changed, percent(before, now, self.gap))
    }

    fn head(self, title: &str, before: &str, now: &str) -> Line {
        let shown = fit(title, self.label.saturating_sub(1)).into_owned();
        Line::new()
            .cell(Ink::Title, &shown, self.label)
            .cell_right(Ink::Dim, before, self.before)
            .cell_right(Ink::Dim, now, self.now)
    }
}

impl RerunTab {
    /// The lines in a pane of so many columns.
    pub(super) fn rows(&self, data: &RerunData, columns: u16) -> Rows {
        let columns = usize::from(columns).saturating_sub(1);
        let mut rows = Rows::default();
        let chosen = self.chosen(data);
        untouchable(data, &mut rows, columns);
        let is_default = data.are_defaults() && chosen == self.recorded(data);
        let title =
            Line::of(Ink::Title, chosen.name()).and(Ink::Dim, format!("  {}", chosen.published()));
        let (key, other, defaults) = ("c", " other policy", "  default settings");
        let used = width(&title.left) + key.len() + other.len() + 1;
        let fits = used + defaults.len() <= columns;
        let told = if is_default && fits { defaults } else { "" };
        rows.tell(
            title
                .and(Ink::Dim, told)
                .right(Ink::Key, key)
                .right(Ink::Dim, other),
        );
        if is_default && !fits {
            rows.tell(Line::of(Ink::Dim, defaults));
        }
        for (field, (name, value)) in chosen.fields().into_iter().enumerate() {
            for line in self.field(data, field, name, value, columns) {
                rows.choose(field, line);
            }
        }
        let grid = Grid::of(columns);
        match &data.result {
            Outcome::Cache(outcome) => cache(data, outcome, &mut rows, grid),
            Outcome::Bound(outcome) => bound(data, outcome, &mut rows, grid),
        }
        changed(data, chosen.fields().len(), &mut rows, grid);
        for line in hints(Scope::Rerun, columns as u16) {
            rows.tell(line);
        }
        rows
    }

    fn field(
        &self,
        data: &RerunData,
        field: usize,
        name: &str,
        value: u64,
        columns: usize,
    ) -> Vec<Line> {
        let typed = self.typed.as_ref().filter(|_| self.at == field);
        let recorded = self.recorded(data);
        let was = recorded.fields().get(field).map(|(_, value)| *value);
        let mut line = Line::of(Ink::Text, " ").cell(Ink::Name, name, 16);
        line = match typed {
            Some(typed) => line.cell_right(Ink::Prompt, &format!("{typed}_"), 9),
            None if was == Some(value) => line.cell_right(Ink::Strong, &grouped(value), 9),
            None => line.cell_right(Ink::Changed, &grouped(value), 9),
        };
        if let Some(was) = was.filter(|was| *was != value) {
            let words = format!("   {} {}", self.recorded_word(data), grouped(was));
            return vec![line.and(Ink::Dim, words)];
        }
        // While the data for what was typed last are on their way, the old ones would be wrong.
        let known = data
            .next
            .get(field)
            .filter(|_| self.chosen(data) == data.chosen);
        let [down, up] = known.copied().unwrap_or_default().map(|next| {
            next.map(|next| format!("{} (#{})", grouped(next.value), next.event.index()))
        });
        let words = match (down, up) {
            (None, None) => return vec![line],
            (Some(down), Some(up)) => format!("{down}  {up}"),
            (Some(one), None) | (None, Some(one)) => one,
        };
        let words = format!("   next: {words}");
        if width(&line.left) + cells(&words) <= columns {
            vec![line.and(Ink::Dim, words)]
        } else {
            vec![line, Line::of(Ink::Dim, words)]
        }
    }

    /// How the recorded settings are known, in a word.
    fn recorded_word(&self, data: &RerunData) -> &'static str {
        match self.chosen(data) {
            Chosen::Cache(_) if !data.are_defaults() => "recorded",
            _ => "default",
        }
    }
}

fn bytes(bytes: Option<u64>) -> String {
    bytes.map_or_else(|| "-".to_owned(), |bytes| format!("{} B", grouped(bytes)))
}

/// How much less or more, in percent: `-68 %`.
fn percent(before: Option<u64>, now: Option<u64>, gap: &str) -> String {
    match (before, now) {
        (Some(before), Some(now)) if before > 0 && before != now => {
            let change = (now as f64 - before as f64) * 100.0 / before as f64;
            match change.round() as i64 {
                0 => format!("{gap}{} B", difference(before, now)),
                change => format!("{gap}{change:+} %"),
            }
        }
        _ => String::new(),
    }
}

fn difference(before: u64, now: u64) -> String {
    if now >= before {
        format!("+{}", grouped(now - before))
    } else {
        format!("-{}", grouped(before - now))
    }
}

fn calls(count: Option<u64>) -> String {
    match count {
        Some(1) => "1 call".to_owned(),
        Some(count) => format!("{} calls", grouped(count)),
        None => "never".to_owned(),
    }
}

/// The names of the two columns.
fn sides(data: &RerunData) -> [&'static str; 2] {
    match data.against {
        Some(_) => ["a", "b"],
        None => ["recorded", "now"],
    }
}

const fn outputs(count: u64) -> &'static str {
    if count == 1 { "output" } else { "outputs" }
}

/// All outputs, in words.
fn all(count: u64) -> String {
    match count {
        1 => "The one output".to_owned(),
        count => format!("All {} outputs", grouped(count)),
    }
}

fn cache(data: &RerunData, outcome: &CacheOutcome, rows: &mut Rows, grid: Grid) {
    let [left, right] = sides(data);
    if let (Some(output), Some([before, now])) = (data.output, &outcome.rows) {
        let title = format!("#{} {}", output.index(), data.tool);
        if now.reason.is_some() && before.reason == now.reason {
            let reason = now.reason.map_or("", crate::replay::rerun::Reason::words);
            let first = Line::of(Ink::Title, title).and(Ink::Dim, "  not touched: ");
            rows.wrapped(None, &first, Ink::Text, reason, grid.columns);
        } else {
            rows.tell(grid.head(&title, left, right));
            selected(data, outcome, [before, now], rows, grid);
        }
    }
    let (before, now) = (&outcome.before, &outcome.now);
    let title = all(now.outputs);
    rows.tell(grid.head(&title, left, right));
    let known = |count: Option<u64>| count.map_or("-".to_owned(), grouped);
    let (was, fixed) = match &outcome.recorded {
        Some((recorded, _)) => (
            [recorded.enveloped, recorded.page_calls, recorded.sent_bytes],
            recorded.fixed,
        ),
        None => (
            [before.cached, before.page_calls, before.bytes_after].map(Some),
            Fixed::default(),
        ),
    };
    for (label, was, now) in [
        ("enveloped", was[0], now.cached + fixed.enveloped),
        (
            "calls to read all",
            was[1],
            now.page_calls + fixed.page_calls,
        ),
    ] {
        rows.tell(grid.pair(label, &known(was), &grouped(now)));
    }
    let sent = match outcome.recorded {
        Some(_) => outcome.sent_now,
        None => now.bytes_after,
    };
    rows.tell(grid.sizes("sent at once", was[2], Some(sent)));
    let first = Line::of(Ink::Dim, "  not touched: ");
    rows.wrapped(None, &first, Ink::Dim, &not_touched(now), grid.columns);
}

fn selected(
    data: &RerunData,
    outcome: &CacheOutcome,
    [before, now]: [&Row; 2],
    rows: &mut Rows,
    grid: Grid,
) {
    let (was, was_calls) = match &outcome.recorded {
        Some((_, recorded)) => (recorded.sent_bytes, recorded.calls_to_read_all),
        None => (before.bytes_after, before.calls_to_read_all),
    };
    let what = if now.cached {
        "first answer"
    } else {
        "sent whole"
    };
    rows.tell(grid.sizes(what, was, now.bytes_after));
    let at = |limit: u64| format!("{}at limit {}", grid.gap, grouped(limit));
    let count = |calls: Option<u64>| calls.map_or("-".to_owned(), grouped);
    rows.tell(
        grid.pair(
            "calls to read it all",
            &count(was_calls),
            &count(now.calls_to_read_all),
        )
        .and(Ink::Dim, at(DEFAULT_LIMIT)),
    );
    if let (Some(calls), Chosen::Cache(settings)) = (outcome.calls_at_page_size, data.chosen)
        && settings.page_size != DEFAULT_LIMIT
    {
        rows.tell(
            grid.pair("", "", &grouped(calls))
                .and(Ink::Dim, at(settings.page_size)),
        );
    }
    if let Some((item, reached)) = outcome.item {
        let label = format!("item {}", grouped(item));
        let words = |count| match count {
            Some(0) => "at once".to_owned(),
            other => calls(other),
        };
        let before = match (reached[0], &outcome.recorded) {
            (None, Some(_)) => "-".to_owned(),
            (count, _) => words(count),
        };
        let now = words(reached[1]);
        rows.tell(grid.pair(&label, &before, &now));
    }
    for words in oddities(data, now) {
        let first = Line::of(Ink::Finding, "  ! ");
        rows.wrapped(None, &first, Ink::Finding, &words, grid.columns);
    }
}

/// Sizes that work against the setting, in words.
fn oddities(data: &RerunData, now: &Row) -> Vec<String> {
    let Chosen::Cache(settings) = data.chosen else {
        return Vec::new();
    };
    let (Some(after), Some(before), true) = (now.bytes_after, now.bytes_before, now.cached) else {
        return Vec::new();
    };
    let page_size = grouped(settings.page_size);
    let mut words = Vec::new();
    if now.omitted_items == Some(0) && after > before {
        words.push(format!(
            "page_size {page_size}: envelope {} B, {} B more than the array, handle stays live",
            grouped(after),
            grouped(after - before)
        ));
    } else if after > before {
        words.push(format!(
            "envelope {} B, {} B more than the array",
            grouped(after),
            grouped(after - before)
        ));
    }
    if after > settings.threshold_bytes {
        words.push(format!(
            "the envelope is {} B over the threshold itself",
            grouped(after - settings.threshold_bytes)
        ));
    }
    words
}

fn not_touched(totals: &Totals) -> String {
    let words: Vec<String> = [
        (totals.not_array, "no top-level array", "no top-level array"),
        (totals.under_threshold, "small", "small"),
        (totals.errors, "error", "errors"),
        (
            totals.cache_answers,
            "answer of the cache itself",
            "answers of the cache itself",
        ),
        (
            totals.items_not_recorded,
            "with items that are not recorded",
            "with items that are not recorded",
        ),
    ]
    .into_iter()
    .filter(|(count, ..)| *count > 0)
    .map(|(count, one, many)| format!("{} {}", grouped(count), if count == 1 { one } else { many }))
    .collect();
    if words.is_empty() {
        "none".to_owned()
    } else {
        words.join(", ")
    }
}

fn bound(data: &RerunData, outcome: &BoundOutcome, rows: &mut Rows, grid: Grid) {
    let heads = |title: &str| grid.head(title, "returned", "now");
    if let (Some(output), Some(row)) = (data.output, &outcome.row) {
        let title = format!("#{} {}", output.index(), data.tool);
        if let Some(reason) = row.reason {
            let first = Line::of(Ink::Title, title).and(Ink::Dim, "  not touched: ");
            rows.wrapped(None, &first, Ink::Text, reason.words(), grid.columns);
        } else {
            rows.tell(heads(&title));
            rows.tell(grid.sizes("bounded envelope", row.bytes_before, row.bytes_after));
            let first = Line::of(Ink::Text, "  left out  ");
            rows.wrapped(None, &first, Ink::Error, &lost(row), grid.columns);
            let words = "the bound has no way to ask for the rest";
            rows.tell(Line::of(Ink::Dim, format!("  {words}")));
        }
    }
    let totals = &outcome.totals;
    let title = if outcome.complete {
        all(totals.outputs)
    } else {
        format!(
            "First {} {}",
            grouped(totals.outputs),
            outputs(totals.outputs)
        )
    };
    rows.tell(heads(&title));
    rows.tell(grid.pair("cut", "", &grouped(totals.outputs_changed)));
    let sent = [totals.bytes_before, totals.bytes_after].map(Some);
    rows.tell(grid.sizes("sent at once", sent[0], sent[1]));
    let words: Vec<String> = [
        (totals.within_limits, "within the limits"),
        (totals.errors, "errors"),
        (totals.not_one_value, "media or several blocks"),
        (totals.not_recorded, "not recorded"),
    ]
    .into_iter()
    .filter(|(count, _)| *count > 0)
    .map(|(count, word)| format!("{} {word}", grouped(count)))
    .collect();
    if !words.is_empty() {
        let first = Line::of(Ink::Dim, "  not touched: ");
        rows.wrapped(None, &first, Ink::Dim, &words.join(", "), grid.columns);
    }
}

fn changed(data: &RerunData, fields: usize, rows: &mut Rows, grid: Grid) {
    if data.changed.is_empty() {
        return;
    }
    let count = grouped(data.changed_count as u64);
    let word = outputs(data.changed_count as u64);
    rows.tell(Line::of(Ink::Title, format!("{count} {word} changed")));
    for (place, output) in data.changed.iter().enumerate() {
        rows.choose(fields + place, changed_line(output, grid));
    }
    if let Some(more) = data.changed_count.checked_sub(data.changed.len() + 1) {
        let more = grouped(more as u64 + 1);
        rows.tell(Line::of(Ink::Dim, format!("  {more} more")));
    }
}

fn changed_line(output: &Changed, grid: Grid) -> Line {
    let name = format!("#{} {}", output.event.index(), output.tool);
    let (before, now) = (bytes(output.before), bytes(output.now));
    grid.values(&name, [(Ink::Text, &before), (Ink::Changed, &now)])
        .and(Ink::Dim, format!("{}{}", grid.gap, output.lost))
}
