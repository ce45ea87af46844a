//! The whole program as one value.
//!
//! `input` and `update` turn keys and actions into effects, `receive` takes what workers found out,
//! `view` draws. Nothing here reads a file, parses or waits.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use ratatui::style::Style;

use super::area::{Areas, Pane, Wanted};
use super::held::Held;
use super::help::Help;
use super::keys::{Pending, Scope};
use super::message::{Job, Ticket, Wake};
use super::open_tabs::OpenTabs;
use super::palette::Palette;
use super::prompt::Prompt;
use super::rail::Rail;
use super::recording::{Caption, Recording};
use super::search::Search;
use super::start::Start;
use super::tab::{Context, TabName};
use super::theme::Theme;
use super::timeline::{self, Timeline};
use super::title::Counts;
use crate::policy::cache::CacheSettings;
use crate::replay::Replay;
use crate::replay::rerun::Rerun;
use crate::session::event::EventId;

/// Something that the event loop has to do.
pub enum Effect {
    /// Give a job to the workers of the recording.
    Ask(Ticket, Job),
    /// Copy text, and say what it is.
    Copy {
        /// What it is, in a word.
        what: &'static str,
        /// The text.
        text: String,
    },
    /// Tell when a time is over.
    Wake(Duration, Wake, Ticket),
    /// Open the recording at a position of the start list.
    Open(Ticket, usize),
    /// Start workers for the recording that is shown.
    Work(Ticket, Arc<dyn Recording>),
    /// Stop the workers: the recording is left.
    Rest,
    /// Give the terminal to the shell for a while.
    Suspend,
    /// Draw every cell anew.
    Redraw,
    /// The end.
    Quit,
}

/// A layer over the screen.
#[derive(Debug)]
pub enum Layer {
    /// The help.
    Help(Help),
    /// The palette.
    Palette(Palette),
}

/// Where to go as soon as the index knows the place.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Goal {
    /// The first event, and the first loss if it is found at once.
    #[default]
    Start,
    /// An event, counted from 1.
    Event(usize),
    /// The event of a call id.
    Call(String),
    /// The last event.
    End,
    /// The last event that is known, until the index is whole.
    Follow,
    /// It was reached, or the user went somewhere.
    Reached,
}

/// Something said on the bottom line until the next key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    /// The text.
    pub text: String,
    /// It is a complaint.
    pub complaint: bool,
}

/// The program.
pub struct App {
    /// Columns and rows of the terminal.
    pub size: (u16, u16),
    /// How everything is drawn.
    pub theme: Theme,
    /// The list of recordings, if the program began with it.
    pub start: Option<Start>,
    /// The recording that is shown.
    pub main: Option<Box<Main>>,
    /// A layer over the screen.
    pub layer: Option<Layer>,
    /// A line of text that is being typed.
    pub prompt: Option<Prompt>,
    /// Keys that are not complete yet.
    pub pending: Pending,
    /// What was said last.
    pub said: Option<Said>,
    /// The recording that is being opened.
    pub opening: Ticket,
    pub(super) last_ticket: u64,
}

/// A recording on the screen.
pub struct Main {
    /// The recording.
    pub recording: Arc<dyn Recording>,
    /// The workers' ticket: what grows, carries it.
    pub ticket: Ticket,
    /// The words of the command line that opens it, for `ym`.
    pub command: Vec<String>,
    /// What is known of the outputs.
    pub replay: Arc<Replay>,
    /// Index and replay have reached the end.
    pub complete: bool,
    /// How often it has grown.
    pub grown: u64,
    /// Which state of the file it is.
    pub generation: u64,
    /// How much is in it.
    pub counts: Counts,
    /// How much of the file the index has passed, in percent.
    pub percent: u64,
    /// The whole session on one line.
    pub rail: Rail,
    /// Its captions.
    pub captions: Vec<Caption>,
    /// The settings of its result cache, where it tells of one.
    pub recorded: Option<CacheSettings>,
    /// The pane with the focus.
    pub focus: Pane,
    /// The list of events.
    pub timeline: Timeline,
    /// The tabs.
    pub tabs: OpenTabs,
    /// The search.
    pub search: Option<Search>,
    /// The session plays.
    pub playing: Option<Ticket>,
    /// The settings of the re-run that is shown beside what was recorded.
    pub settings: Option<CacheSettings>,
    /// That re-run.
    pub rerun: Option<Arc<Rerun>>,
    /// The request for it that is out.
    pub rerun_ticket: Option<Ticket>,
    /// With which settings and on which state of the index it was asked for last.
    pub(super) rerun_asked: Option<(CacheSettings, u64)>,
    /// The last row when the index grew last.
    pub last_known: Option<EventId>,
    /// The result cache is asked as of the end, and not as of the selected event.
    pub at_end: bool,
    /// Where to go.
    pub goal: Goal,
    /// The first loss may still be jumped to.
    pub may_jump: bool,
    /// What happened to the file.
    pub banner: Option<String>,
}

impl Main {
    /// A recording, before anything of it is known.
    pub fn new(
        recording: Arc<dyn Recording>,
        ticket: Ticket,
        command: Vec<String>,
        held: Vec<Box<dyn Held>>,
    ) -> Self {
        Self {
            recording,
            ticket,
            command,
            replay: Arc::default(),
            complete: false,
            grown: 0,
            generation: 0,
            counts: Counts::default(),
            percent: 0,
            rail: Rail::default(),
            captions: Vec::new(),
            recorded: None,
            focus: Pane::Timeline,
            timeline: Timeline::default(),
            tabs: OpenTabs::new(held),
            search: None,
            playing: None,
            settings: None,
            rerun: None,
            rerun_ticket: None,
            rerun_asked: None,
            last_known: None,
            at_end: false,
            goal: Goal::Start,
            may_jump: true,
            banner: None,
        }
    }

    /// The event as of which the result cache is asked.
    pub fn at(&self, selected: EventId) -> EventId {
        if self.at_end {
            timeline::last_row(self.recording.as_ref()).unwrap_or(selected)
        } else {
            selected
        }
    }

    /// The re-run to be shown beside what was recorded: while its tab is open.
    pub fn shown_rerun(&self) -> Option<&Rerun> {
        self.rerun
            .as_deref()
            .filter(|_| self.tabs.open == TabName::Rerun)
    }

    /// The caption of what is on the screen: of the open tab at the selected event if there is one,
    /// else of the event.
    pub fn caption(&self) -> Option<&str> {
        let selected = self.timeline.selected?;
        let here = || {
            self.captions
                .iter()
                .filter(|caption| timeline::row_of(self.recording.as_ref(), caption.at) == selected)
        };
        let of_tab = here().find(|caption| caption.tab.as_deref() == Some(self.tabs.open.name()));
        let of_event = || here().find(|caption| caption.tab.is_none());
        of_tab
            .or_else(of_event)
            .map(|caption| caption.text.as_str())
    }

    /// The parts of the screen.
    pub fn areas(&self, size: (u16, u16)) -> Option<Areas> {
        Areas::of(
            size,
            Wanted {
                focus: self.focus,
                losses: self.replay.losses().len(),
            },
        )
    }

    /// Where keys are looked up, narrowest first.
    pub fn chain(&self) -> Vec<Scope> {
        match self.focus {
            Pane::Timeline => Scope::TIMELINE.to_vec(),
            Pane::Detail => Scope::of_tab(self.tabs.open).to_vec(),
        }
    }
}

impl App {
    /// The program before anything is opened.
    pub fn new(size: (u16, u16), theme: Theme) -> Self {
        Self {
            size,
            theme,
            start: None,
            main: None,
            layer: None,
            prompt: None,
            pending: Pending::default(),
            said: None,
            opening: Ticket::default(),
            last_ticket: 0,
        }
    }

    /// A ticket that nobody has.
    pub fn ticket(&mut self) -> Ticket {
        self.last_ticket += 1;
        Ticket(self.last_ticket)
    }

    /// Says something until the next key.
    pub fn say(&mut self, text: impl Into<String>) {
        self.said = Some(Said {
            text: text.into(),
            complaint: false,
        });
    }

    /// Complains until the next key.
    pub fn complain(&mut self, text: impl Into<String>) {
        self.said = Some(Said {
            text: text.into(),
            complaint: true,
        });
    }

    /// How what was said is drawn.
    pub fn said_style(&self) -> Style {
        match &self.said {
            Some(said) if said.complaint => self.theme.finding,
            _ => self.theme.strong,
        }
    }

    /// Where keys are looked up, narrowest first.
    pub fn chain(&self) -> Vec<Scope> {
        match (&self.layer, &self.main) {
            (Some(_), _) => Scope::HELP.to_vec(),
            (None, Some(main)) => main.chain(),
            (None, None) => Scope::START.to_vec(),
        }
    }

    /// The parts of the main screen; none where there is no recording, or no room.
    pub fn areas(&self) -> Option<Areas> {
        self.main.as_ref().and_then(|main| main.areas(self.size))
    }

    /// Rows of the list of events, without its heading.
    pub fn timeline_rows(&self) -> u16 {
        self.areas()
            .map_or(0, |areas| areas.timeline.height.saturating_sub(1))
    }

    /// What surrounds the open tab.
    pub fn context(&self, count: Option<u32>) -> Context {
        let tab = self.areas().unwrap_or_default().tab;
        Context {
            columns: tab.width,
            rows: tab.height,
            count,
        }
    }

    /// The terminal has another size: the selection stays in view.
    pub fn resize(&mut self, columns: u16, rows: u16) -> Vec<Effect> {
        self.size = (columns, rows);
        self.settle()
    }

    /// Shows a recording, before anything of it is known.
    pub fn show(
        &mut self,
        recording: Arc<dyn Recording>,
        command: Vec<String>,
        held: Vec<Box<dyn Held>>,
    ) -> Vec<Effect> {
        let ticket = self.ticket();
        let main = Main::new(Arc::clone(&recording), ticket, command, held);
        self.main = Some(Box::new(main));
        self.layer = None;
        self.prompt = None;
        let mut effects = vec![Effect::Work(ticket, recording)];
        effects.extend(self.settle());
        effects
    }
}

/// Forgets what was known of a recording whose file was replaced; the place stays.
pub fn forget_recording(main: &mut Main) {
    main.timeline.summaries = HashMap::new();
    main.timeline.asked = Vec::new();
    main.tabs.forget();
    main.search = None;
    main.rerun = None;
    main.playing = None;
}

/// The tab that an action belongs to, where it belongs to one.
pub fn tab_of(action: &super::action::Action) -> Option<TabName> {
    use super::action::Action as A;
    Some(match action {
        A::OpenBlocks => TabName::Blocks,
        A::OpenEnvelope => TabName::Envelope,
        A::OpenPages
        | A::NextAnswer
        | A::PreviousAnswer
        | A::FirstAnswer
        | A::LastAnswer
        | A::AskOffset
        | A::AskLimit
        | A::AskToken
        | A::ReadAll
        | A::ReleaseHere => TabName::Pages,
        A::OpenProviders | A::AddProvider | A::OtherSender => TabName::Providers,
        A::OpenRerun
        | A::NextValue
        | A::PreviousValue
        | A::Undo
        | A::RecordedValues
        | A::Compare
        | A::OtherPolicy => TabName::Rerun,
        A::OpenRaw => TabName::Raw,
        _ => return None,
    })
}
