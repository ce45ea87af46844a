//! The threads beside the screen: one grows the index and the replay, two look things up, one
//! searches.
//!
//! Requests wait in one slot per kind, so that a newer one takes the place of an older one; every
//! answer carries its ticket. Nobody waits for these threads: they are told to stop, and only read.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use tokio::sync::mpsc::Sender;

use super::message::{About, Grown, Job, Message, Ticket};
use super::rail;
use super::recording::{Change, Recording};
use super::summary::{Summary, summary};
use super::tab::Source;
use crate::replay::Builder;
use crate::replay::consequence::InferredFrom;
use crate::session::event::{EventId, EventKind};

/// How long the index grows before there is a first screen.
const FIRST: Duration = Duration::from_millis(2);
/// How long the index and the replay grow before the screen hears of it.
const STEP: Duration = Duration::from_millis(8);
/// The screen hears of growth no more often than this.
const FRAME: Duration = Duration::from_millis(16);
/// Telling the screen of it takes no more than one part in so many of the time.
const SHARE: u32 = 8;

/// The workers of one recording. Dropping it stops them.
pub struct Workers {
    shared: Arc<Shared>,
}

struct Shared {
    recording: Arc<dyn Recording>,
    ticket: Ticket,
    answers: Sender<Message>,
    stop: AtomicBool,
    slots: Mutex<[Option<(Ticket, Job)>; Job::KINDS]>,
    filled: Condvar,
    /// The newest search: an older one stops.
    search: AtomicU64,
    /// Somebody wants the file to be looked at.
    look: Mutex<bool>,
    looked: Condvar,
}

fn spawn(name: &str, shared: &Arc<Shared>, work: fn(&Shared)) -> std::io::Result<()> {
    let shared = Arc::clone(shared);
    thread::Builder::new()
        .name(format!("toolreel-{name}"))
        .spawn(move || work(&shared))?;
    Ok(())
}

/// A mutex that a panicking worker held is still a mutex: its slots are whole at any time.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Workers {
    /// Starts the workers of a recording. What grows carries `ticket`.
    pub fn start(
        recording: Arc<dyn Recording>,
        ticket: Ticket,
        answers: Sender<Message>,
    ) -> std::io::Result<Self> {
        let shared = Arc::new(Shared {
            recording,
            ticket,
            answers,
            stop: AtomicBool::new(false),
            slots: Mutex::new(std::array::from_fn(|_| None)),
            filled: Condvar::new(),
            search: AtomicU64::new(0),
            look: Mutex::new(false),
            looked: Condvar::new(),
        });
        spawn("grow", &shared, Shared::grow)?;
        spawn("look", &shared, Shared::look_things_up)?;
        spawn("look", &shared, Shared::look_things_up)?;
        spawn("search", &shared, Shared::search_on_request)?;
        Ok(Self { shared })
    }

    /// Gives them a job.
    pub fn ask(&self, ticket: Ticket, job: Job) {
        if matches!(job, Job::Search { .. }) {
            self.shared.search.store(ticket.0, Ordering::SeqCst);
        }
        let kind = job.kind();
        if let Some(slot) = lock(&self.shared.slots).get_mut(kind) {
            *slot = Some((ticket, job));
        }
        self.shared.filled.notify_all();
    }

    /// Has the file looked at: a hint came that it was changed, or a second has passed.
    pub fn refresh(&self) {
        self.shared.refresh();
    }

    /// The same, from another thread.
    pub fn refresher(&self) -> impl Fn() + Send + use<> {
        let shared = Arc::downgrade(&self.shared);
        move || {
            if let Some(shared) = shared.upgrade() {
                shared.refresh();
            }
        }
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        self.shared.stop.store(true, Ordering::SeqCst);
        self.shared.filled.notify_all();
        self.shared.looked.notify_all();
    }
}

impl Shared {
    fn stopped(&self) -> bool {
        self.stop.load(Ordering::SeqCst)
    }

    fn refresh(&self) {
        *lock(&self.look) = true;
        self.looked.notify_all();
    }

    /// Tells the screen; false when nobody listens any more.
    fn tell(&self, message: Message) -> bool {
        !self.stopped() && self.answers.blocking_send(message).is_ok()
    }

    /// Grows the index and the replay to the end, and then whenever the file was changed.
    fn grow(&self) {
        let worked = catch_unwind(AssertUnwindSafe(|| self.grow_on()));
        if worked.is_err() {
            self.tell(Message::Failed(self.ticket, "reading the recording"));
        }
    }

    fn grow_on(&self) {
        let recording = self.recording.as_ref();
        let mut builder = Builder::new();
        let mut told = Instant::now();
        let mut quiet = Duration::ZERO;
        let mut untold = true;
        let mut first = true;
        loop {
            if self.stopped() {
                return;
            }
            // The first screen needs the first events and nothing else.
            let (grow, advance) = if first {
                (FIRST, Duration::ZERO)
            } else {
                (STEP, STEP)
            };
            let indexed = recording.grow(grow);
            let progress = builder.advance(recording, advance);
            untold |= indexed || progress.changed;
            let complete =
                recording.is_complete() && (progress.complete || (!progress.changed && !indexed));
            if untold && (first || complete || told.elapsed() >= quiet) {
                let began = Instant::now();
                let grown = Box::new(grown(recording, &builder, complete));
                if !self.tell(Message::Grown(self.ticket, grown)) {
                    return;
                }
                quiet = FRAME.max(began.elapsed() * SHARE);
                told = Instant::now();
                untold = false;
                first = false;
            }
            if complete && !self.wait_for_change() {
                return;
            }
        }
    }

    /// Sleeps until the file was changed; false at the end.
    fn wait_for_change(&self) -> bool {
        loop {
            let look = lock(&self.look);
            let mut look = self
                .looked
                .wait_while(look, |look| !*look && !self.stopped())
                .unwrap_or_else(PoisonError::into_inner);
            *look = false;
            drop(look);
            if self.stopped() {
                return false;
            }
            match self.recording.refresh() {
                Change::Unchanged => {}
                Change::Grew => return true,
                change @ Change::Replaced => {
                    return self.tell(Message::Changed(self.ticket, change));
                }
                change @ Change::Unreadable(_) => {
                    if !self.tell(Message::Changed(self.ticket, change)) {
                        return false;
                    }
                }
            }
        }
    }

    /// Waits for a job of one of these kinds.
    fn next_job(&self, kinds: std::ops::Range<usize>) -> Option<(Ticket, Job)> {
        let mut slots = lock(&self.slots);
        loop {
            if self.stopped() {
                return None;
            }
            let own = slots.get_mut(kinds.clone())?;
            if let Some(job) = own.iter_mut().find_map(Option::take) {
                return Some(job);
            }
            slots = self
                .filled
                .wait(slots)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn look_things_up(&self) {
        while let Some((ticket, job)) = self.next_job(0..Job::SEARCH) {
            let answer = catch_unwind(AssertUnwindSafe(|| answer(&self.recording, ticket, job)));
            let message = match answer {
                Ok(Some(message)) => message,
                Ok(None) => continue,
                Err(_) => Message::Failed(self.ticket, "showing this event"),
            };
            if !self.tell(message) {
                return;
            }
        }
    }

    fn search_on_request(&self) {
        while let Some((ticket, job)) = self.next_job(Job::SEARCH..Job::KINDS) {
            let Job::Search { needle, from } = job else {
                continue;
            };
            let cancelled = || self.stopped() || self.search.load(Ordering::SeqCst) != ticket.0;
            let searched = catch_unwind(AssertUnwindSafe(|| {
                self.recording
                    .search(&needle, from, &cancelled, &mut |batch| {
                        self.tell(Message::Hits(ticket, batch));
                    });
            }));
            let message = match searched {
                Ok(()) => Message::Searched(ticket),
                Err(_) => Message::Failed(self.ticket, "searching"),
            };
            if !cancelled() && !self.tell(message) {
                return;
            }
        }
    }
}

/// What is known of a recording by now.
pub fn grown(recording: &dyn Recording, builder: &Builder, complete: bool) -> Grown {
    let replay = builder.replay();
    let (rail, counts) = rail::survey(recording, &replay);
    let inferred = replay.recorded_settings();
    let is_told = inferred.from != InferredFrom::Defaults;
    Grown {
        recorded: is_told.then_some(inferred.settings),
        replay: Arc::new(replay),
        complete,
        counts,
        rail,
        captions: recording.captions(),
        percent: recording.percent(),
        generation: recording.generation(),
    }
}

/// Does a job; none for a search, which has a thread of its own.
pub fn answer(recording: &Arc<dyn Recording>, ticket: Ticket, job: Job) -> Option<Message> {
    Some(match job {
        Job::Summaries(events) => {
            Message::Summaries(ticket, summaries(recording.as_ref(), &events))
        }
        Job::Tab { tab, load, about } => Message::Tab {
            ticket,
            tab,
            event: about.event,
            data: load(&source(recording, &about)),
        },
        Job::Reasons { nothing, about } => {
            let source = source(recording, &about);
            let reasons = nothing.into_iter().map(|reason| reason(&source));
            Message::Reasons(ticket, reasons.collect())
        }
        Job::Rerun(settings, replay) => Message::Rerun(ticket, Arc::new(replay.rerun(settings))),
        Job::Place { hit, needle } => Message::Placed(ticket, recording.place(hit, &needle)),
        Job::Search { .. } => return None,
    })
}

fn source(recording: &Arc<dyn Recording>, about: &About) -> Source {
    Source {
        recording: Arc::clone(recording),
        replay: about.replay.clone(),
        event: about.event,
        at: about.at,
        settings: about.settings,
        columns: about.columns,
        rows: about.rows,
    }
}

fn summaries(recording: &dyn Recording, events: &[EventId]) -> Vec<(EventId, Arc<Summary>)> {
    let mut found = Vec::with_capacity(events.len());
    let mut reader = recording.reader();
    for &id in events {
        let Some(record) = recording.record(id) else {
            continue;
        };
        // An output's words are those of its call: the output, which may be large, is not read.
        let told_by = match (record.kind, record.pair) {
            (EventKind::ToolOutput, Some(call)) => call,
            _ => id,
        };
        let summary = reader.event(told_by).map(|event| summary(&event));
        found.push((id, Arc::new(summary.unwrap_or_default())));
    }
    found
}
