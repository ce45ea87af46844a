//! The terminal: taken on entry, and given back whatever happens.
//!
//! Quitting, an error, a signal and a panic all end in [`restore`], which undoes every mode that
//! [`Guard::enter`] set and may be called any number of times.

use std::io::{self, BufWriter, Stdout, Write};
use std::panic;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, ThreadId};

use crossterm::cursor::{Hide, Show};
use crossterm::event::{
    DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture,
};
use crossterm::terminal::{
    BeginSynchronizedUpdate, EndSynchronizedUpdate, EnterAlternateScreen, LeaveAlternateScreen,
    disable_raw_mode, enable_raw_mode,
};
use crossterm::{execute, queue};
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::layout::{Rect, Size};

use super::app::App;
use super::view;

/// The terminal is ours: raw, on its other screen, with the mouse.
static TAKEN: AtomicBool = AtomicBool::new(false);
/// The thread that draws. A panic on any other does not end the program.
static DRAWS: OnceLock<ThreadId> = OnceLock::new();

/// Holds the terminal, and gives it back when dropped.
pub struct Guard {
    terminal: Terminal<CrosstermBackend<BufWriter<Stdout>>>,
    mouse: bool,
}

impl Guard {
    /// Takes the terminal, and sees to it that a panic gives it back before it is reported.
    pub fn enter(mouse: bool) -> io::Result<Self> {
        restore_on_panic();
        take(mouse).inspect_err(|_| restore())?;
        // A frame leaves in one piece, or in few.
        let out = BufWriter::with_capacity(64 * 1024, io::stdout());
        let terminal = Terminal::new(CrosstermBackend::new(out)).inspect_err(|_| restore())?;
        Ok(Self { terminal, mouse })
    }

    /// Draws the program as it stands.
    pub fn draw(&mut self, app: &App) -> io::Result<()> {
        queue!(self.terminal.backend_mut(), BeginSynchronizedUpdate)?;
        self.terminal.draw(|frame| {
            let cursor = view::draw(app, frame.buffer_mut());
            if let Some(cursor) = cursor {
                frame.set_cursor_position(cursor);
            }
        })?;
        execute!(self.terminal.backend_mut(), EndSynchronizedUpdate)
    }

    /// The size of the terminal.
    pub fn size(&self) -> io::Result<Size> {
        self.terminal.size()
    }

    /// Forgets what was drawn, so that the next frame draws every cell.
    pub fn forget(&mut self) -> io::Result<()> {
        // Not `clear`: it asks the terminal where the cursor is, and the answer would reach the reader
        // of keys, which is not waiting for one.
        let size = self.terminal.size()?;
        self.terminal
            .resize(Rect::new(0, 0, size.width, size.height))
    }

    /// Gives the terminal to the shell until the program is continued.
    ///
    /// Only this process stops, not its group: what it reads from in a pipe is not ours to stop.
    pub fn suspend(&mut self) -> io::Result<()> {
        restore();
        #[cfg(unix)]
        {
            // The default of this signal stops the process; where no shell could continue it (an
            // orphaned group), the kernel ignores it, and the program goes on.
            signal_hook::low_level::raise(signal_hook::consts::SIGTSTP)?;
        }
        take(self.mouse)?;
        self.forget()
    }

    /// Takes the terminal again after somebody else stopped and continued the program.
    pub fn retake(&mut self) -> io::Result<()> {
        take(self.mouse)?;
        self.forget()
    }

    /// Writes bytes to the terminal between two frames: an OSC 52 sequence.
    pub fn write(&mut self, command: impl crossterm::Command) -> io::Result<()> {
        execute!(self.terminal.backend_mut(), command)
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        restore();
    }
}

fn take(mouse: bool) -> io::Result<()> {
    enable_raw_mode()?;
    TAKEN.store(true, Ordering::SeqCst);
    let mut out = io::stdout();
    queue!(out, EnterAlternateScreen, EnableBracketedPaste, Hide)?;
    if mouse {
        queue!(out, EnableMouseCapture)?;
    }
    out.flush()
}

/// Gives the terminal back, if it is ours. Never fails: there is nobody left to tell.
pub fn restore() {
    if !TAKEN.swap(false, Ordering::SeqCst) {
        return;
    }
    // Each step is tried whatever became of the one before it.
    let mut out = io::stdout();
    let _ = execute!(out, EndSynchronizedUpdate);
    let _ = execute!(out, DisableMouseCapture);
    let _ = execute!(out, DisableBracketedPaste);
    let _ = execute!(out, LeaveAlternateScreen);
    let _ = execute!(out, Show);
    let _ = disable_raw_mode();
}

/// A panic of the drawing thread gives the terminal back first and is reported then; one of a
/// worker is caught where the worker was started, and must not write into the screen.
fn restore_on_panic() {
    if DRAWS.set(thread::current().id()).is_err() {
        return;
    }
    let report = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if DRAWS.get() == Some(&thread::current().id()) {
            restore();
            report(info);
        } else if !TAKEN.load(Ordering::SeqCst) {
            report(info);
        }
    }));
}
