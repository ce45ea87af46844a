//! The line above the ledger: what the selected event is.

use super::app::Main;
use super::canvas::Canvas;
use super::theme::Theme;
use crate::session::event::{EventId, EventKind, EventRecord, Role};
use crate::text;

/// Draws `#6 search_issues {"q":"login is:open"}            ok  1.9 s`.
pub fn view(main: &Main, selected: EventId, line: &mut Canvas<'_>, theme: &Theme) {
    let recording = main.recording.as_ref();
    let Some(record) = recording.record(selected) else {
        return;
    };
    let after = line.put(1, 0, &format!("#{}", selected.index()), theme.dim);
    let name = name(main, &record);
    let after = line.put(after + 1, 0, &name, theme.tool);
    let state = state(main, &record);
    let style = if record.is_error {
        theme.error
    } else {
        theme.good
    };
    let end = line.put_right(line.columns().saturating_sub(1), 0, &state, style);
    if let Some(summary) = main.timeline.summaries.get(&selected) {
        let room = usize::from(end.saturating_sub(after + 2));
        line.put(after + 1, 0, &text::fit(&summary.long, room), theme.dim);
    }
}

fn name(main: &Main, record: &EventRecord) -> String {
    let who = match record.role {
        Some(Role::User) => "user",
        Some(Role::Assistant) => "assistant",
        Some(Role::System) => "system",
        None => "message",
    };
    match record.kind {
        EventKind::ToolCall | EventKind::ToolOutput => record
            .tool
            .and_then(|tool| main.recording.name(tool))
            .unwrap_or_else(|| "(no tool named)".to_owned()),
        EventKind::Message => who.to_owned(),
        EventKind::Thinking => "thinking".to_owned(),
        EventKind::Cache => "result cache".to_owned(),
        EventKind::Note => "note".to_owned(),
        EventKind::System => "system".to_owned(),
        EventKind::Unknown => "other record".to_owned(),
        EventKind::Bad => "bad line".to_owned(),
    }
}

/// `ok  1.9 s`, `error  0.1 s`; for a call without an answer, that it has none.
fn state(main: &Main, record: &EventRecord) -> String {
    let mut parts: Vec<String> = Vec::new();
    match record.kind {
        EventKind::ToolOutput if record.is_error => parts.push("error".to_owned()),
        EventKind::ToolOutput => parts.push("ok".to_owned()),
        EventKind::ToolCall if main.complete => parts.push("no answer".to_owned()),
        _ => {}
    }
    if record.server {
        parts.push("run by the provider".to_owned());
    }
    let call = record.pair.and_then(|call| main.recording.record(call));
    if let (EventKind::ToolOutput, Some(to), Some(from)) = (
        record.kind,
        record.time_ms,
        call.and_then(|call| call.time_ms),
    ) {
        parts.push(took(to.saturating_sub(from)));
    }
    parts.join("  ")
}

/// A duration in few cells.
fn took(milliseconds: i64) -> String {
    match milliseconds {
        ..0 => String::new(),
        0..60_000 => format!("{}.{} s", milliseconds / 1000, milliseconds % 1000 / 100),
        _ => format!("{} min", milliseconds / 60_000),
    }
}

/// What stands in the ledger's place for an event that has none.
pub fn without_ledger(main: &Main, selected: EventId) -> &'static str {
    let record = main.recording.record(selected);
    match record.map(|record| record.kind) {
        Some(EventKind::ToolCall) if main.complete => "no output in this recording",
        Some(EventKind::ToolOutput | EventKind::ToolCall) => "reading…",
        Some(EventKind::Message | EventKind::Thinking) => "said, not returned by a tool: no ledger",
        Some(EventKind::Bad) => "no JSON here: the rest of the recording is read all the same",
        _ => "no tool output: no ledger",
    }
}

#[cfg(test)]
mod tests {
    use super::took;

    #[test]
    fn durations_in_few_cells() {
        assert_eq!(took(1900), "1.9 s");
        assert_eq!(took(40), "0.0 s");
        assert_eq!(took(120_000), "2 min");
    }
}
