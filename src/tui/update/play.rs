//! Stepping through the session, and playing it.

use std::sync::Arc;
use std::time::Duration;

use crate::tui::app::{App, Effect, Main};
use crate::tui::message::Wake;
use crate::tui::timeline;

/// A session that plays never waits longer than this for its next event, whatever the recording
/// says, nor shorter than [`SHORTEST`].
const LONGEST: Duration = Duration::from_secs(2);
const SHORTEST: Duration = Duration::from_millis(350);

impl App {
    pub(super) fn step(&mut self, by: isize) -> Vec<Effect> {
        let rows = self.timeline_rows();
        if let Some(main) = &mut self.main {
            let recording = Arc::clone(&main.recording);
            let before = main.timeline.selected;
            main.timeline.step(recording.as_ref(), by, rows);
            if main.timeline.selected == before {
                let end = if by > 0 { "last" } else { "first" };
                self.say(format!("this is the {end} event"));
            } else {
                main.selected_other();
            }
        }
        Vec::new()
    }

    pub(super) fn play(&mut self) -> Vec<Effect> {
        let ticket = self.ticket();
        let Some(main) = &mut self.main else {
            return Vec::new();
        };
        if main.playing.take().is_some() {
            return Vec::new();
        }
        let Some(gap) = main.gap() else {
            self.say("this is the last event");
            return Vec::new();
        };
        main.playing = Some(ticket);
        vec![Effect::Wake(gap, Wake::Play, ticket)]
    }

    /// The next event of a session that plays.
    pub fn play_on(&mut self) -> Vec<Effect> {
        let mut effects = self.step(1);
        if let Some(main) = &mut self.main
            && let Some(ticket) = main.playing
        {
            match main.gap() {
                Some(gap) => effects.push(Effect::Wake(gap, Wake::Play, ticket)),
                None => main.playing = None,
            }
        }
        effects
    }
}

impl Main {
    /// How long a session that plays stays on the selected event; none at the end.
    fn gap(&self) -> Option<Duration> {
        let selected = self.timeline.selected?;
        let recording = self.recording.as_ref();
        let next = timeline::rows_after(recording, selected).next()?;
        let time = |id| recording.record(id).and_then(|record| record.time_ms);
        let gap = match (time(selected), time(next)) {
            (Some(from), Some(to)) => {
                Duration::from_millis(u64::try_from(to.saturating_sub(from)).unwrap_or(0))
            }
            _ => SHORTEST * 2,
        };
        Some(gap.clamp(SHORTEST, LONGEST))
    }
}
