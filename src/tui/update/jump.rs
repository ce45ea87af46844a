//! Jumps: to losses, errors, calls of a tool, page calls.

use crate::session::event::{EventId, EventKind, EventRecord};
use crate::tui::action::Action;
use crate::tui::app::{App, Effect, Main};
use crate::tui::timeline;

impl App {
    /// Jumps to the next or previous loss, error, call of this tool or page call.
    pub(super) fn jump(&mut self, action: &Action, times: usize) -> Vec<Effect> {
        let Some(main) = &self.main else {
            return Vec::new();
        };
        let Some(selected) = main.timeline.selected else {
            return Vec::new();
        };
        let forward = matches!(
            action,
            Action::NextLoss | Action::NextError | Action::NextCall | Action::NextPageCall
        );
        let (what, found) = match action {
            Action::NextLoss | Action::PreviousLoss => {
                ("loss", main.losses(selected, forward).nth(times - 1))
            }
            Action::NextError | Action::PreviousError => (
                "error",
                main.rows(selected, forward, &|record| record.is_error)
                    .nth(times - 1),
            ),
            Action::NextPageCall | Action::PreviousPageCall => (
                "page call",
                main.rows(selected, forward, &|record| {
                    record
                        .tool
                        .and_then(|tool| main.recording.name(tool))
                        .is_some_and(|name| name == "cache.page" || name.ends_with("__cache.page"))
                })
                .nth(times - 1),
            ),
            _ => {
                let tool = main
                    .recording
                    .record(selected)
                    .and_then(|record| record.tool);
                if tool.is_none() {
                    self.say("this event is no call of a tool");
                    return Vec::new();
                }
                (
                    "call of this tool",
                    main.rows(selected, forward, &|record| record.tool == tool)
                        .nth(times - 1),
                )
            }
        };
        if let Some(event) = found {
            return self.go_to(event);
        }
        let which = if forward { "next" } else { "previous" };
        let by_now = if main.complete {
            ""
        } else {
            " by now: still reading"
        };
        self.say(format!("no {which} {what}{by_now}"));
        Vec::new()
    }
}

impl Main {
    /// Events with losses, after or before an event.
    fn losses(&self, from: EventId, forward: bool) -> Box<dyn Iterator<Item = EventId> + '_> {
        let recording = self.recording.as_ref();
        let rows = self
            .replay
            .losses()
            .iter()
            .map(move |loss| timeline::row_of(recording, loss.event));
        if forward {
            let mut last = from;
            Box::new(rows.filter(move |event| {
                let is_further = *event > last;
                last = last.max(*event);
                is_further
            }))
        } else {
            let mut last = from;
            Box::new(rows.rev().filter(move |event| {
                let is_further = *event < last;
                last = last.min(*event);
                is_further
            }))
        }
    }

    /// Rows whose record is wanted, after or before an event.
    fn rows<'a>(
        &'a self,
        from: EventId,
        forward: bool,
        wanted: &'a dyn Fn(&EventRecord) -> bool,
    ) -> Box<dyn Iterator<Item = EventId> + 'a> {
        let recording = self.recording.as_ref();
        let is_wanted = move |event: &EventId| {
            recording
                .record(*event)
                .is_some_and(|record| record.kind != EventKind::Message && wanted(&record))
        };
        if forward {
            Box::new(timeline::rows_after(recording, from).filter(is_wanted))
        } else {
            Box::new(timeline::rows_before(recording, from).filter(is_wanted))
        }
    }
}
