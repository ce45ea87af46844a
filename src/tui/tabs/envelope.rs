//! Envelope: every field of the envelope that stood in for an output, what the model saw of the
//! output, and what is odd.
//!
//! ```text
//! cached envelope  rig-mcp  23,625 B
//! ┃ handle           mcp-cache-0   live #6 to #26
//! ┃ total_items      412
//! nothing odd  every field agrees with the others
//! first_page  array of 64
//! ┃ ▸ 0  4612  Login button dead on Safari
//! ```

mod build;
mod odd;
#[cfg(test)]
mod tests;

use build::{Shown, envelope_of};

use super::sheet::{Sheet, SheetState};
use crate::session::event::{Body, Event};
use crate::tui::action::Action;
use crate::tui::canvas::Canvas;
use crate::tui::tab::{Context, Effect, Outcome, Place, Source, Status, Tab, TabName};
use crate::tui::theme::Theme;

/// What the tab shows.
#[derive(Debug, Default)]
pub struct EnvelopeData {
    sheet: Sheet,
    token: Option<String>,
    reason: Option<String>,
    size: (u16, u16),
}

/// The state of the tab.
#[derive(Debug, Default)]
pub struct EnvelopeTab {
    sheet: SheetState,
}

impl Tab for EnvelopeTab {
    type Data = EnvelopeData;
    type Ask = ();

    const NAME: TabName = TabName::Envelope;
    const LIVE: bool = true;

    fn ask(&self) -> Self::Ask {}

    fn load(source: &Source, (): &Self::Ask) -> EnvelopeData {
        let size = (source.columns, source.rows);
        let event = source.recording.event(source.event);
        let Some((output, envelope)) = event.as_ref().and_then(envelope_of) else {
            return EnvelopeData {
                reason: Self::nothing(source),
                size,
                ..EnvelopeData::default()
            };
        };
        let life = source
            .replay
            .pages(source.event)
            .filter(|life| life.output == Some(source.event));
        let ledger = source.replay.ledger(source.event);
        let recorded = source.replay.recorded_settings();
        let token = envelope.value.get("page_token");
        EnvelopeData {
            token: token.and_then(|token| token.as_str().map(str::to_owned)),
            sheet: Shown {
                output,
                envelope,
                life: life.as_ref(),
                ledger: ledger.as_ref(),
                threshold: Some(recorded.settings.threshold_bytes),
            }
            .sheet(),
            reason: None,
            size,
        }
    }

    fn arrive(&mut self, data: &EnvelopeData, same_event: bool) {
        if same_event {
            self.sheet.keep(&data.sheet, data.size);
        } else {
            self.sheet.start(&data.sheet, data.size);
            self.sheet.enter(&data.sheet);
        }
    }

    fn update(&mut self, data: &EnvelopeData, action: &Action, context: Context) -> Outcome {
        match (action, &data.token) {
            (Action::CopyToken, Some(token)) => Outcome::with(Effect::Copy {
                what: "token",
                text: token.clone(),
            }),
            _ => self.sheet.update(&data.sheet, action, context),
        }
    }

    fn view(&self, data: &EnvelopeData, canvas: &mut Canvas<'_>, theme: &Theme) {
        match &data.reason {
            Some(reason) => {
                canvas.put(0, 0, reason, theme.dim);
            }
            None => self.sheet.view(&data.sheet, canvas, theme),
        }
    }

    fn reveal(&mut self, data: &EnvelopeData, place: &Place) -> bool {
        match place {
            Place::Item(item) => self.sheet.reveal_item(&data.sheet, *item),
            _ => false,
        }
    }

    fn status(&self, data: &EnvelopeData) -> Status {
        Status {
            left: self.sheet.path(&data.sheet).unwrap_or_default(),
            right: String::new(),
        }
    }

    fn place(&self, data: &EnvelopeData) -> Option<Place> {
        self.sheet.item(&data.sheet).map(Place::Item)
    }

    fn nothing(source: &Source) -> Option<String> {
        let event = source.recording.event(source.event)?;
        match envelope_of(&event) {
            Some(_) => None,
            None => Some(no_envelope(source, &event).to_owned()),
        }
    }
}

/// What is true of an event that shows no envelope.
fn no_envelope(source: &Source, event: &Event) -> &'static str {
    match &event.body {
        Body::ToolOutput(output) if output.sent.is_none() => {
            "no envelope here: what the model was sent is not in this recording"
        }
        Body::ToolOutput(_) => {
            let cut = source
                .replay
                .ledger(source.event)
                .is_some_and(|ledger| ledger.sent_as.is_some());
            if cut {
                "no envelope: the model was sent a cut text"
            } else {
                "no envelope: the model was sent the output itself"
            }
        }
        Body::ToolCall(_) => "no envelope: a call without an output here",
        Body::Cache(_) => "no envelope: an operation of the result cache",
        Body::Message { .. } | Body::Thinking { .. } => "no envelope: a message, not an output",
        Body::Bad { .. } => "no envelope: a line that cannot be read",
        Body::Note { .. } | Body::System { .. } | Body::Unknown { .. } => {
            "no envelope: not an output of a tool"
        }
    }
}
