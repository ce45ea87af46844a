//! What a tab is: data that a worker computes once, and a small state that the keys move.

use std::ops::Range;
use std::sync::Arc;

use crate::policy::cache::CacheSettings;
use crate::replay::Replay;
use crate::session::event::EventId;

use super::action::Action;
use super::canvas::Canvas;
use super::recording::Recording;
use super::theme::Theme;

/// The tabs, in the order of the bar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TabName {
    /// Each block of the output.
    Blocks,
    /// Every field of the envelope.
    Envelope,
    /// The life of the handle.
    Pages,
    /// What each provider would receive.
    Providers,
    /// Other settings.
    Rerun,
    /// The exact recorded bytes.
    Raw,
    /// Why something was not seen. Not in the bar: `w` opens it over the tab below.
    Why,
}

impl TabName {
    /// The tabs of the bar.
    pub const BAR: [Self; 6] = [
        Self::Blocks,
        Self::Envelope,
        Self::Pages,
        Self::Providers,
        Self::Rerun,
        Self::Raw,
    ];

    /// The name after `--tab` and `:tab`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Blocks => "blocks",
            Self::Envelope => "envelope",
            Self::Pages => "pages",
            Self::Providers => "providers",
            Self::Rerun => "rerun",
            Self::Raw => "raw",
            Self::Why => "why",
        }
    }

    /// The word in the bar.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Blocks => "Blocks",
            Self::Envelope => "Envelope",
            Self::Pages => "Pages",
            Self::Providers => "Providers",
            Self::Rerun => "Re-run",
            Self::Raw => "Raw",
            Self::Why => "Why",
        }
    }

    /// The tab of a name, whole or any beginning of it (`re` is `rerun` before `raw` is asked).
    pub fn from_name(name: &str) -> Option<Self> {
        let all = Self::BAR.into_iter().chain([Self::Why]);
        let wanted = name.to_ascii_lowercase().replace('-', "");
        if wanted.is_empty() {
            return None;
        }
        all.clone()
            .find(|tab| tab.name() == wanted)
            .or_else(|| all.clone().find(|tab| tab.name().starts_with(&wanted)))
    }
}

/// A place inside the selected output: what `--item`, a search hit and `w` name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// An item of the array, counted from 0.
    Item(u64),
    /// Bytes of a block's text, or of the compact form of its JSON: the block counts from 0.
    /// `pattern` is what was searched, to be marked wherever it stands on the visible lines.
    Bytes {
        /// Which block, from 0.
        block: usize,
        /// The bytes.
        range: Range<usize>,
        /// The text that was searched, as typed.
        pattern: String,
    },
    /// The arguments of the call, above its output.
    Arguments {
        /// The text that was searched, as typed.
        pattern: String,
    },
    /// Bytes of the recorded event, for Raw.
    Raw {
        /// The bytes, from the first of the event.
        range: Range<usize>,
        /// The text that was searched, as typed.
        pattern: String,
    },
}

/// What surrounds a tab when a key reaches it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Context {
    /// Columns that the tab has on the screen.
    pub columns: u16,
    /// Rows that the tab has on the screen.
    pub rows: u16,
    /// The count typed before the key (`12j`), if any.
    pub count: Option<u32>,
}

impl Context {
    /// The count, 1 where none was typed.
    pub fn times(&self) -> usize {
        self.count.map_or(1, |count| count.max(1) as usize)
    }
}

/// What became of an action that was given to a tab.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// The tab did what was meant, and asks for these.
    Done(Vec<Effect>),
    /// Not the tab's: the shell does what it does with it everywhere (`Out` leaves the tab,
    /// `Into` on nothing does nothing, a copy key says that there is nothing to copy).
    Ignored,
}

impl Outcome {
    /// Done, and nothing more to do.
    pub const fn done() -> Self {
        Self::Done(Vec::new())
    }

    /// Done, with one effect.
    pub fn with(effect: Effect) -> Self {
        Self::Done(vec![effect])
    }
}

/// What a tab asks the shell to do.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Compute the tab's data again from what `Tab::ask` now says.
    Load,
    /// Put text into the clipboard, and say so (`copied 1,204 bytes: path`).
    Copy {
        /// What it is, in a word: `value`, `path`, `token`, `JSON`, `settings`.
        what: &'static str,
        /// The text.
        text: String,
    },
    /// Ask the person for a line of text; the tab gets `Edited` while it is typed, `Answered` at
    /// Enter, and `Out` at Esc.
    Ask {
        /// What is asked, for example `offset`.
        label: String,
        /// The text to begin with.
        text: String,
        /// The tab draws the text in its own place; without it the bottom line does.
        in_place: bool,
    },
    /// Select an event.
    GoTo(EventId),
    /// Open a tab of the selected event, at a place.
    Open(TabName, Option<Place>),
    /// Open Why for a place of the selected output.
    Why(Place),
    /// Say something on the status line until the next key.
    Say(String),
    /// Show a re-run with these settings beside what was recorded, in the timeline and the ledger;
    /// none shows what was recorded alone.
    Settings(Option<CacheSettings>),
}

/// The two ends of the line below a tab.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Status {
    /// Where the cursor stands, for example `.[260].created_at`.
    pub left: String,
    /// More of it, for example `item 260 · answer 5 of 7`.
    pub right: String,
}

/// One tab. The state lives as long as the program and is told of new data with `arrive`.
///
/// `update` and `view` never read, parse, decode or lay out more than what is visible: that is
/// done in `load`, on a worker thread. Everything is drawn through the `Canvas`.
pub trait Tab: Default + Send + 'static {
    /// What a worker computed for the selected event.
    type Data: Send + Sync + 'static;
    /// What the tab wants computed: its settings, its offset. The default for a fresh event.
    type Ask: Clone + Send + 'static;

    /// Which tab this is.
    const NAME: TabName;
    /// `load` depends on the size of the pane: it is called again when that changes.
    const SIZED: bool = false;
    /// `load` depends on events after the selected one: it is called again when the index grows.
    const LIVE: bool = false;

    /// What to compute now.
    fn ask(&self) -> Self::Ask;

    /// Told before `ask` when the tab is opened for a place: what Why is asked about. The other
    /// tabs wait for `reveal`.
    fn aim(&mut self, place: Option<&Place>) {
        let _ = place;
    }

    /// Computes the data. On a worker thread; may take its time; a newer request wins.
    fn load(source: &Source, ask: &Self::Ask) -> Self::Data;

    /// New data came: for another event (the state starts anew) or for the same one.
    fn arrive(&mut self, data: &Self::Data, same_event: bool);

    /// Does what is meant.
    fn update(&mut self, data: &Self::Data, action: &Action, context: Context) -> Outcome;

    /// Draws the tab.
    fn view(&self, data: &Self::Data, canvas: &mut Canvas<'_>, theme: &Theme);

    /// Brings a place into view with the cursor on it; false if this tab cannot show it.
    fn reveal(&mut self, data: &Self::Data, place: &Place) -> bool;

    /// The line below the tab.
    fn status(&self, data: &Self::Data) -> Status;

    /// The place of the cursor, for `w` and for the command that `ym` copies.
    fn place(&self, data: &Self::Data) -> Option<Place>;

    /// Why the tab has nothing to say of this event, for the dim word in the bar. On a worker.
    fn nothing(source: &Source) -> Option<String>;
}

/// What a worker has at hand to compute a tab's data.
pub struct Source {
    /// The events of the recording, with their names and bytes.
    pub recording: Arc<dyn Recording>,
    /// What is known of its outputs.
    pub replay: Arc<Replay>,
    /// The selected event: the output where the row has one.
    pub event: EventId,
    /// As of which event the result cache is asked: the selected one, or the last under `:at end`.
    pub at: EventId,
    /// The settings of the re-run that is shown beside what was recorded, while there is one.
    pub settings: Option<CacheSettings>,
    /// Columns of the pane.
    pub columns: u16,
    /// Rows of the pane.
    pub rows: u16,
}

#[cfg(test)]
mod tests {
    use super::TabName;

    #[test]
    fn a_tab_is_found_by_its_beginning() {
        assert_eq!(TabName::from_name("re"), Some(TabName::Rerun));
        assert_eq!(TabName::from_name("Re-run"), Some(TabName::Rerun));
        assert_eq!(TabName::from_name("raw"), Some(TabName::Raw));
        assert_eq!(TabName::from_name(""), None);
        assert_eq!(TabName::from_name("nope"), None);
    }
}
