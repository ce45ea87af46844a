//! What the tests of the tabs share.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::session::event::{Event, EventId};
use crate::session::{Input, Session};
use crate::tui::canvas::Canvas;
use crate::tui::tab::Context;

/// A demo recording, indexed whole.
pub fn demo(name: &str) -> Session {
    let path = format!("{}/sessions/{name}.jsonl", env!("CARGO_MANIFEST_DIR"));
    let session = Session::open(Input::Path(path.into())).expect("the demo is there");
    session.index_all().expect("the demo can be read");
    session
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
