//! The program without a terminal: keys go in, and everything that workers would do is done at once.
//! For tests.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, LazyLock, Mutex};
use std::time::Duration;

use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers, MouseEvent, MouseEventKind};
use ratatui::Terminal;
use ratatui::backend::TestBackend;

use super::app::{App, Effect};
use super::message::{Grown, Job, Message, Ticket, Wake};
use super::recording::{Opened, Recording};
use super::start::Start;
use super::theme::Theme;
use super::{choice, tabs_of_all, view, worker};
use crate::demo::{DEMOS, Demo};
use crate::replay::Builder;
use crate::session::event::EventId;
use crate::session::{Input, Session};

/// A program that is played with.
pub struct Played {
    /// The program.
    pub app: App,
    /// What was copied, newest last.
    pub copied: Vec<String>,
    /// It wants to end.
    pub quit: bool,
    /// It wants to be suspended.
    pub suspended: bool,
    /// The waits that it asked for.
    pub wakes: Vec<(Wake, Ticket)>,
    /// Jobs are kept back until `catch_up`.
    pub lazy: bool,
    kept: VecDeque<(Ticket, Job)>,
    recording: Option<(Ticket, Arc<dyn Recording>, Builder)>,
    /// What is known already of the recording.
    grown: Option<Grown>,
}

/// A demo and what is known of it: it is the same in every test, and costs time only once.
fn known(demo: &'static Demo) -> (Arc<dyn Recording>, Grown) {
    type Known = HashMap<&'static str, (Arc<dyn Recording>, Grown)>;
    static KNOWN: LazyLock<Mutex<Known>> = LazyLock::new(Mutex::default);
    let mut known = KNOWN.lock().unwrap();
    let one = known.entry(demo.name).or_insert_with(|| {
        let recording: Arc<dyn Recording> = Arc::new(Opened::new(demo.open().unwrap()));
        while recording.grow(Duration::MAX) {}
        let mut builder = Builder::new();
        builder.finish(recording.as_ref());
        let grown = worker::grown(recording.as_ref(), &builder, true);
        (recording, grown)
    });
    one.clone()
}

impl Played {
    fn of(size: (u16, u16)) -> Self {
        Self {
            app: App::new(size, Theme::plain()),
            copied: Vec::new(),
            quit: false,
            suspended: false,
            wakes: Vec::new(),
            lazy: false,
            kept: VecDeque::new(),
            recording: None,
            grown: None,
        }
    }

    /// The list of demos.
    pub fn start(size: (u16, u16)) -> Self {
        let mut played = Self::of(size);
        played.app.start = Some(Start::new(DEMOS.iter().map(choice).collect()));
        played
    }

    /// A demo.
    pub fn demo(name: &str, size: (u16, u16)) -> Self {
        Self::aimed(name, size, None, None, None)
    }

    /// A recording of these bytes.
    pub fn bytes(bytes: &[u8], size: (u16, u16)) -> Self {
        let session = Session::open(Input::Bytes {
            name: "test.jsonl".to_owned(),
            bytes: bytes.to_vec(),
        });
        Self::session(session.unwrap(), size)
    }

    /// A session.
    pub fn session(session: Session, size: (u16, u16)) -> Self {
        let mut played = Self::of(size);
        let command = vec!["toolreel".to_owned(), "test.jsonl".to_owned()];
        let effects = played
            .app
            .show(Arc::new(Opened::new(session)), command, tabs_of_all());
        played.perform(effects);
        played
    }

    /// Opened as with these options of the command line.
    pub fn aimed(
        name: &str,
        size: (u16, u16),
        at: Option<super::At>,
        tab: Option<super::TabName>,
        item: Option<u64>,
    ) -> Self {
        Self::open(Self::of(size), name, at, tab, item)
    }

    /// A demo whose events nobody reads before `catch_up`: for what needs none of them.
    pub fn unread(name: &str, size: (u16, u16)) -> Self {
        let mut played = Self::of(size);
        played.lazy = true;
        Self::open(played, name, None, None, None)
    }

    fn open(
        mut played: Self,
        name: &str,
        at: Option<super::At>,
        tab: Option<super::TabName>,
        item: Option<u64>,
    ) -> Self {
        let demo = Demo::find(name).unwrap();
        let command = ["toolreel", "demo", demo.name].map(str::to_owned).to_vec();
        let (recording, grown) = known(demo);
        played.grown = Some(grown);
        let effects = played.app.show(recording, command, tabs_of_all());
        played.app.aim(at, tab, item);
        played.perform(effects);
        played
    }

    fn perform(&mut self, effects: Vec<Effect>) {
        let mut effects = VecDeque::from(effects);
        while let Some(effect) = effects.pop_front() {
            match effect {
                Effect::Ask(ticket, job) if self.lazy => self.kept.push_back((ticket, job)),
                Effect::Ask(ticket, job) => effects.extend(self.answer(ticket, job)),
                Effect::Copy { text, .. } => self.copied.push(text),
                Effect::Wake(_, wake, ticket) => self.wakes.push((wake, ticket)),
                Effect::Open(_, position) => {
                    let session = DEMOS[position].open().unwrap();
                    effects.extend(self.app.show_session(session, vec!["toolreel".to_owned()]));
                }
                Effect::Work(ticket, recording) => {
                    self.recording = Some((ticket, recording, Builder::new()));
                    effects.extend(self.grow());
                }
                Effect::Rest => self.recording = None,
                Effect::Suspend => self.suspended = true,
                Effect::Redraw => {}
                Effect::Quit => self.quit = true,
            }
        }
    }

    fn answer(&mut self, ticket: Ticket, job: Job) -> Vec<Effect> {
        let Some((_, recording, _)) = &self.recording else {
            return Vec::new();
        };
        let recording = Arc::clone(recording);
        if let Job::Search { needle, from } = &job {
            let mut effects = Vec::new();
            recording.search(needle, *from, &|| false, &mut |batch| {
                effects.extend(self.app.receive(Message::Hits(ticket, batch)));
            });
            effects.extend(self.app.receive(Message::Searched(ticket)));
            return effects;
        }
        match worker::answer(&recording, ticket, job) {
            Some(message) => self.app.receive(message),
            None => Vec::new(),
        }
    }

    /// Grows the index and the replay to the end.
    fn grow(&mut self) -> Vec<Effect> {
        let Some((ticket, recording, builder)) = &mut self.recording else {
            return Vec::new();
        };
        let grown = self.grown.take().unwrap_or_else(|| {
            while recording.grow(Duration::MAX) {}
            builder.finish(recording.as_ref());
            worker::grown(recording.as_ref(), builder, true)
        });
        self.app.receive(Message::Grown(*ticket, Box::new(grown)))
    }

    /// The file was changed: what a worker does then.
    pub fn look_at_file(&mut self) {
        let Some((ticket, recording, _)) = &self.recording else {
            return;
        };
        let change = recording.refresh();
        let mut effects = self.app.receive(Message::Changed(*ticket, change));
        effects.extend(self.grow());
        self.perform(effects);
    }

    /// Does the jobs that were kept back.
    pub fn catch_up(&mut self) {
        self.lazy = false;
        while let Some((ticket, job)) = self.kept.pop_front() {
            let effects = self.answer(ticket, job);
            self.perform(effects);
        }
    }

    /// A wait is over.
    pub fn wake(&mut self, wake: Wake, ticket: Ticket) {
        let effects = self.app.receive(Message::Woke(wake, ticket));
        self.perform(effects);
    }

    /// Gives it an event of the terminal.
    pub fn event(&mut self, event: Event) {
        let effects = self.app.event(event);
        self.perform(effects);
    }

    /// Presses keys: characters as they are, `<Enter>`, `<Esc>`, `<C-d>` and so on.
    pub fn press(&mut self, keys: &str) -> &mut Self {
        let mut rest = keys;
        while let Some(first) = rest.chars().next() {
            let named = rest
                .strip_prefix('<')
                .and_then(|named| named.split_once('>'))
                .and_then(|(name, after)| Some((named_key(name)?, after)));
            let (key, after) = named.unwrap_or_else(|| {
                let key = KeyEvent::new(KeyCode::Char(first), KeyModifiers::NONE);
                (key, &rest[first.len_utf8()..])
            });
            rest = after;
            self.event(Event::Key(key));
        }
        self
    }

    /// Uses the mouse at a column and row.
    pub fn mouse(&mut self, kind: MouseEventKind, column: u16, row: u16) {
        self.event(Event::Mouse(MouseEvent {
            kind,
            column,
            row,
            modifiers: KeyModifiers::NONE,
        }));
    }

    /// The screen, drawn by a terminal that is none.
    pub fn screen(&self) -> Terminal<TestBackend> {
        let (columns, rows) = self.app.size;
        let mut terminal = Terminal::new(TestBackend::new(columns, rows)).unwrap();
        let drawn = terminal.draw(|frame| {
            view::draw(&self.app, frame.buffer_mut());
        });
        drawn.unwrap();
        terminal
    }

    /// The screen as lines of text without blanks at their ends.
    pub fn text(&self) -> String {
        let terminal = self.screen();
        let buffer = terminal.backend().buffer();
        let mut text = String::new();
        for row in buffer.content.chunks(usize::from(self.app.size.0).max(1)) {
            let mut hidden = 0;
            let mut line = String::new();
            for cell in row {
                // A wide symbol hides the cell after it.
                if hidden == 0 {
                    line.push_str(cell.symbol());
                    hidden = crate::text::cells(cell.symbol()).max(1);
                }
                hidden -= 1;
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }

    /// The number of the selected event.
    pub fn selected(&self) -> usize {
        let main = self.app.main.as_ref();
        main.and_then(|main| main.timeline.selected)
            .map_or(0, EventId::index)
    }

    /// What was said last.
    pub fn said(&self) -> &str {
        self.app.said.as_ref().map_or("", |said| &said.text)
    }
}

fn named_key(name: &str) -> Option<KeyEvent> {
    if let Some(letter) = name.strip_prefix("C-") {
        let letter = letter.chars().next()?;
        return Some(KeyEvent::new(KeyCode::Char(letter), KeyModifiers::CONTROL));
    }
    let code = match name {
        "Enter" => KeyCode::Enter,
        "Esc" => KeyCode::Esc,
        "Tab" => KeyCode::Tab,
        "S-Tab" => KeyCode::BackTab,
        "Space" => KeyCode::Char(' '),
        "Up" => KeyCode::Up,
        "Down" => KeyCode::Down,
        "Backspace" => KeyCode::Backspace,
        _ => return None,
    };
    Some(KeyEvent::new(code, KeyModifiers::NONE))
}
