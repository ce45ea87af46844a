//! What the tests of the tabs share.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use std::sync::Arc;

use crate::demo::Demo;
use crate::replay::Replay;
use crate::session::event::{Event, EventId};
use crate::session::{Input, Session};
use crate::tui::action::Action;
use crate::tui::canvas::Canvas;
use crate::tui::recording::Opened;
use crate::tui::tab::{Context, Effect, Outcome, Source, Tab};
use crate::tui::theme::Theme;

/// A demo recording, indexed whole.
pub fn demo(name: &str) -> Session {
    let session = Demo::find(name)
        .expect("there is such a demo")
        .open()
        .expect("it opens");
    session.index_all().expect("it can be read");
    session
}

/// An event of a recording by the number that people see, as a worker gets it.
pub fn source(session: Session, index: usize, size: (u16, u16)) -> Source {
    let replay = Replay::of(&session);
    let event = EventId::from_index(index).expect("counted from 1");
    Source {
        recording: Arc::new(Opened::new(session)),
        replay: Arc::new(replay),
        event,
        at: event,
        settings: None,
        columns: size.0,
        rows: size.1,
    }
}

/// A tab with its data, as the screen holds it.
pub struct Pane<T: Tab> {
    /// The tab.
    pub tab: T,
    /// Its data.
    pub data: T::Data,
    /// What a worker computes from.
    pub source: Source,
}

impl<T: Tab> Pane<T> {
    /// The tab for an event.
    pub fn new(source: Source) -> Self {
        let mut tab = T::default();
        let data = T::load(&source, &tab.ask());
        tab.arrive(&data, false);
        Self { tab, data, source }
    }

    /// Another event is selected.
    pub fn select(&mut self, index: usize) {
        self.source.event = EventId::from_index(index).expect("counted from 1");
        self.source.at = self.source.event;
        self.data = T::load(&self.source, &self.tab.ask());
        self.tab.arrive(&self.data, false);
    }

    /// Does what is meant; loads if the tab asks for it.
    pub fn act(&mut self, action: &Action) -> Outcome {
        let context = context(self.source.columns, self.source.rows);
        let outcome = self.tab.update(&self.data, action, context);
        if let Outcome::Done(effects) = &outcome
            && effects.contains(&Effect::Load)
        {
            self.load();
        }
        outcome
    }

    /// Computes the data again.
    pub fn load(&mut self) {
        self.data = T::load(&self.source, &self.tab.ask());
        self.tab.arrive(&self.data, true);
    }

    /// What is drawn.
    pub fn screen(&self) -> String {
        self.screen_at(self.source.columns, self.source.rows)
    }

    /// What is drawn at another size.
    pub fn screen_at(&self, columns: u16, rows: u16) -> String {
        drawn(columns, rows, |canvas| {
            self.tab.view(&self.data, canvas, &Theme::plain());
        })
    }
}

/// A recording of these lines.
pub fn lines(text: &str) -> Session {
    let session = Session::open(Input::Bytes {
        name: "test.jsonl".to_owned(),
        bytes: text.as_bytes().to_vec(),
    })
    .expect("bytes open");
    session.index_all().expect("bytes can be read");
    session
}

/// An event by the number that people see.
pub fn event(session: &Session, index: usize) -> Event {
    let id = EventId::from_index(index).expect("counted from 1");
    session.event(id).expect("the event is there")
}

/// What is drawn in a pane of so many columns and rows, without blanks at the ends.
pub fn drawn(columns: u16, rows: u16, draw: impl FnOnce(&mut Canvas<'_>)) -> String {
    let buffer = buffer(columns, rows, draw);
    text(&buffer)
}

/// The cells of a pane.
pub fn buffer(columns: u16, rows: u16, draw: impl FnOnce(&mut Canvas<'_>)) -> Buffer {
    let area = Rect::new(0, 0, columns, rows);
    let mut buffer = Buffer::empty(area);
    draw(&mut Canvas::new(&mut buffer, area));
    assert!(
        buffer
            .content
            .iter()
            .all(|cell| !cell.symbol().contains(is_unsafe)),
        "something unsafe was drawn: {}",
        text(&buffer)
    );
    buffer
}

fn is_unsafe(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200b}'..='\u{200f}')
}

fn text(buffer: &Buffer) -> String {
    let width = usize::from(buffer.area.width).max(1);
    let rows: Vec<String> = buffer
        .content
        .chunks(width)
        .map(|row| {
            let text: String = row.iter().map(ratatui::buffer::Cell::symbol).collect();
            text.trim_end().to_owned()
        })
        .collect();
    rows.join("\n").trim_end().to_owned()
}

/// The surroundings of a key in a pane of this size.
pub const fn context(columns: u16, rows: u16) -> Context {
    Context {
        columns,
        rows,
        count: None,
    }
}
