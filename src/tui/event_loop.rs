//! The loop: input first, then what workers found out, then the clock; and a frame when something
//! changed, at most every 16 ms.

use std::future::{pending, poll_fn};
use std::io;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use crossterm::clipboard::CopyToClipboard;
use crossterm::event::{Event, EventStream};
use futures::StreamExt;
use notify::{RecommendedWatcher, RecursiveMode, Watcher};
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::time::{Instant, MissedTickBehavior, interval, sleep_until};

use super::app::{App, Effect};
use super::clipboard::{self, Way};
use super::message::{Message, Ticket, Wake};
use super::recording::{Opened, Recording};
use super::terminal::Guard;
use super::worker::Workers;
use super::{Ended, RunError, tabs_of_all};
use crate::demo::DEMOS;
use crate::session::Session;

/// One frame.
const FRAME: Duration = Duration::from_millis(16);
/// A followed file is looked at this often, whatever the system's hints say.
const LOOK: Duration = Duration::from_secs(1);
/// The first loss is jumped to if it is found in this time.
///
/// A build without optimisation takes many times as long for the same work; it is given the time
/// for it, so that its tests see what a user sees.
const FIRST_LOSS: Duration = Duration::from_millis(if cfg!(debug_assertions) { 2500 } else { 50 });
/// The first frame waits no longer than this for something to show.
const FIRST_FRAME: Duration = Duration::from_millis(20);
/// Messages of workers that may wait.
const WAITING: usize = 256;

/// What ended a wait.
enum Turn {
    Input(Option<io::Result<Event>>),
    Signal(Signal),
    Message(Message),
    Wake((Instant, Wake, Ticket)),
    Frame,
    Look,
}

/// Everything that the loop holds.
pub struct Loop {
    app: App,
    guard: Guard,
    workers: Option<Workers>,
    watcher: Option<RecommendedWatcher>,
    answers: Sender<Message>,
    messages: Receiver<Message>,
    wakes: Vec<(Instant, Wake, Ticket)>,
    ended: Option<Ended>,
    dirty: bool,
    drawn: Option<Instant>,
    began: Instant,
}

/// In a debug build, panics at a key where the environment asks for it: that the terminal is given
/// back then can only be tested from outside.
fn panic_if_asked() {
    #[cfg(debug_assertions)]
    assert!(
        std::env::var_os("TOOLREEL_PANIC").is_none(),
        "TOOLREEL_PANIC asked for this"
    );
}

impl Loop {
    /// A loop over a program and its terminal.
    pub fn new(app: App, guard: Guard) -> Self {
        let (answers, messages) = channel(WAITING);
        Self {
            app,
            guard,
            workers: None,
            watcher: None,
            answers,
            messages,
            wakes: Vec::new(),
            ended: None,
            dirty: true,
            drawn: None,
            began: Instant::now(),
        }
    }

    /// Runs until the program ends.
    pub async fn run(mut self, first: Vec<Effect>) -> Result<Ended, RunError> {
        let mut signals = Signals::new()?;
        let mut events = EventStream::new();
        let mut look = interval(LOOK);
        look.set_missed_tick_behavior(MissedTickBehavior::Delay);
        self.perform(first)?;
        loop {
            if let Some(ended) = self.ended {
                return Ok(ended);
            }
            self.draw_if_due()?;
            let follows = self.workers.is_some() && self.watcher.is_some();
            let next_frame = self.dirty.then(|| self.next_frame());
            let turn = tokio::select! {
                biased;
                event = events.next() => Turn::Input(event),
                signal = signals.next() => Turn::Signal(signal),
                Some(message) = self.messages.recv() => Turn::Message(message),
                wake = next_wake(&self.wakes) => Turn::Wake(wake),
                () = frame_due(next_frame) => Turn::Frame,
                _ = look.tick(), if follows => Turn::Look,
            };
            match turn {
                Turn::Input(event) => self.input(event)?,
                Turn::Signal(signal) => self.signal(&signal)?,
                Turn::Message(message) => self.message(message)?,
                Turn::Wake(wake) => self.wake(wake)?,
                Turn::Frame => {}
                Turn::Look => {
                    if let Some(workers) = &self.workers {
                        workers.refresh();
                    }
                }
            }
            // Everything that is there already is taken before anything is drawn.
            while self.ended.is_none()
                && let Poll::Ready(event) = there_now(&mut events).await
            {
                self.input(event)?;
                if self.is_frame_due() {
                    break;
                }
            }
            while self.ended.is_none()
                && !self.is_frame_due()
                && let Ok(message) = self.messages.try_recv()
            {
                self.message(message)?;
            }
        }
    }

    fn next_frame(&self) -> Instant {
        match self.drawn {
            Some(drawn) => drawn + FRAME,
            // An empty frame before the first full one would only flicker.
            None => self.began + FIRST_FRAME,
        }
    }

    fn is_frame_due(&self) -> bool {
        self.dirty && Instant::now() >= self.next_frame()
    }

    fn draw_if_due(&mut self) -> Result<(), RunError> {
        let is_first_full = self.drawn.is_none() && self.app.has_something_to_show();
        if !(self.is_frame_due() || is_first_full) {
            return Ok(());
        }
        self.guard.draw(&self.app)?;
        self.dirty = false;
        self.drawn = Some(Instant::now());
        Ok(())
    }

    fn input(&mut self, event: Option<io::Result<Event>>) -> Result<(), RunError> {
        if let Some(Ok(event)) = event {
            panic_if_asked();
            self.dirty = true;
            let effects = self.app.event(event);
            return self.perform(effects);
        }
        // The terminal is gone: there is nobody left to ask.
        self.ended = Some(Ended::TerminalGone);
        Ok(())
    }

    fn message(&mut self, message: Message) -> Result<(), RunError> {
        self.dirty = true;
        let effects = self.app.receive(message);
        self.perform(effects)
    }

    fn wake(&mut self, (at, wake, ticket): (Instant, Wake, Ticket)) -> Result<(), RunError> {
        self.wakes.retain(|other| *other != (at, wake, ticket));
        // What came in time needs no new frame.
        if self.app.waits_for(wake, ticket) {
            self.message(Message::Woke(wake, ticket))?;
        }
        Ok(())
    }

    fn signal(&mut self, signal: &Signal) -> Result<(), RunError> {
        match signal {
            Signal::End(number) => self.ended = Some(Ended::Signal(*number)),
            Signal::Continued => {
                self.guard.retake()?;
                self.dirty = true;
            }
        }
        Ok(())
    }

    fn perform(&mut self, effects: Vec<Effect>) -> Result<(), RunError> {
        for effect in effects {
            self.perform_one(effect)?;
        }
        Ok(())
    }

    fn perform_one(&mut self, effect: Effect) -> Result<(), RunError> {
        match effect {
            Effect::Ask(ticket, job) => {
                if let Some(workers) = &self.workers {
                    workers.ask(ticket, job);
                }
            }
            Effect::Wake(time, wake, ticket) => {
                // A newer wait of a kind takes the place of the older one.
                self.wakes.retain(|(_, other, _)| *other != wake);
                self.wakes.push((Instant::now() + time, wake, ticket));
            }
            Effect::Copy { what, text } => self.copy(what, &text),
            Effect::Open(_, position) => self.open_demo(position)?,
            Effect::Work(ticket, recording) => self.work(ticket, recording)?,
            Effect::Rest => {
                self.watcher = None;
                self.workers = None;
                self.wakes.clear();
            }
            Effect::Suspend => {
                self.guard.suspend()?;
                let size = self.guard.size()?;
                let effects = self.app.resize(size.width, size.height);
                self.dirty = true;
                self.perform(effects)?;
            }
            Effect::Redraw => {
                self.guard.forget()?;
                self.dirty = true;
            }
            Effect::Quit => self.ended = Some(Ended::Quit),
        }
        Ok(())
    }

    fn copy(&mut self, what: &str, text: &str) {
        let size = crate::text::grouped(text.len() as u64);
        let copied = match clipboard::way(text.len()) {
            Way::Terminal => self
                .guard
                .write(CopyToClipboard::to_clipboard_from(text))
                .map(|()| format!("copied {what}, {size} B")),
            Way::File => clipboard::write_to_file(what, text).map(|path| {
                format!(
                    "{what} is {size} B, too large for the clipboard: written to {}",
                    path.display()
                )
            }),
        };
        match copied {
            Ok(said) => self.app.say(said),
            Err(error) => self.app.complain(format!("cannot copy: {error}")),
        }
    }

    /// Opens a demo: it lies in memory.
    fn open_demo(&mut self, position: usize) -> Result<(), RunError> {
        let Some(demo) = DEMOS.get(position) else {
            return Ok(());
        };
        match demo.open() {
            Ok(session) => {
                let command = ["toolreel", "demo", demo.name].map(str::to_owned).to_vec();
                let effects = self.app.show_session(session, command);
                self.perform(effects)
            }
            Err(error) => {
                if let Some(start) = &mut self.app.start {
                    start.fault = Some(error.to_string());
                }
                Ok(())
            }
        }
    }

    fn work(&mut self, ticket: Ticket, recording: Arc<dyn Recording>) -> Result<(), RunError> {
        let path = recording.path();
        let workers = Workers::start(recording, ticket, self.answers.clone())?;
        // A watch that cannot be had is no error: the file is looked at every second anyway.
        self.watcher = path.and_then(|path| watch(&path, workers.refresher()));
        self.workers = Some(workers);
        let wake = (Instant::now() + FIRST_LOSS, Wake::FirstLoss, ticket);
        self.wakes.push(wake);
        Ok(())
    }
}

impl App {
    /// Shows a session that was opened.
    pub fn show_session(&mut self, session: Session, command: Vec<String>) -> Vec<Effect> {
        self.show(Arc::new(Opened::new(session)), command, tabs_of_all())
    }

    /// The first frame would show more than an empty screen.
    pub fn has_something_to_show(&self) -> bool {
        match &self.main {
            Some(main) => main.complete || (main.grown > 0 && main.tabs.ticket.is_none()),
            None => true,
        }
    }
}

/// Watches the folder of a file: editors and rotation replace the file itself.
fn watch(
    path: &std::path::Path,
    changed: impl Fn() + Send + 'static,
) -> Option<RecommendedWatcher> {
    let name = path.file_name()?.to_owned();
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => std::path::Path::new("."),
    };
    let mut watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
        // Reading is no change; and a hint without a name may be about this file.
        let concerns = event.is_ok_and(|event| {
            !event.kind.is_access()
                && (event.paths.is_empty()
                    || event
                        .paths
                        .iter()
                        .any(|path| path.file_name() == Some(&name)))
        });
        if concerns {
            changed();
        }
    })
    .ok()?;
    watcher.watch(folder, RecursiveMode::NonRecursive).ok()?;
    Some(watcher)
}

/// What the terminal has told already, without waiting.
///
/// Polled with this task's own waker: the stream keeps the first waker that it is given, and with a
/// waker of nobody it would never wake this loop again.
async fn there_now(events: &mut EventStream) -> Poll<Option<io::Result<Event>>> {
    poll_fn(|context| Poll::Ready(events.poll_next_unpin(context))).await
}

/// The next wait that ends.
async fn next_wake(wakes: &[(Instant, Wake, Ticket)]) -> (Instant, Wake, Ticket) {
    match wakes.iter().min_by_key(|(at, _, _)| *at) {
        Some(wake) => {
            sleep_until(wake.0).await;
            *wake
        }
        None => pending().await,
    }
}

/// The time for the next frame, if there is something to draw.
async fn frame_due(at: Option<Instant>) {
    match at {
        Some(at) => sleep_until(at).await,
        None => pending().await,
    }
}

/// A signal.
enum Signal {
    /// The program has to end.
    End(i32),
    /// It was continued by somebody who had stopped it.
    Continued,
}

/// The signals that are taken.
#[cfg(unix)]
struct Signals {
    terminate: tokio::signal::unix::Signal,
    hangup: tokio::signal::unix::Signal,
    interrupt: tokio::signal::unix::Signal,
    continued: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Signals {
    fn new() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            hangup: signal(SignalKind::hangup())?,
            interrupt: signal(SignalKind::interrupt())?,
            continued: signal(SignalKind::from_raw(signal_hook::consts::SIGCONT))?,
        })
    }

    async fn next(&mut self) -> Signal {
        tokio::select! {
            _ = self.terminate.recv() => Signal::End(signal_hook::consts::SIGTERM),
            _ = self.hangup.recv() => Signal::End(signal_hook::consts::SIGHUP),
            _ = self.interrupt.recv() => Signal::End(signal_hook::consts::SIGINT),
            _ = self.continued.recv() => Signal::Continued,
        }
    }
}

#[cfg(not(unix))]
struct Signals;

#[cfg(not(unix))]
impl Signals {
    fn new() -> io::Result<Self> {
        Ok(Self)
    }

    async fn next(&mut self) -> Signal {
        let _ = tokio::signal::ctrl_c().await;
        Signal::End(2)
    }
}
