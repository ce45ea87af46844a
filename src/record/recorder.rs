//! The recorder: one line an event, appended and flushed as it happens.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::Value;

use crate::session::event::Role;
use crate::session::format::native::{Block, Header, Line, Operation, Payload, Time};

/// Why something cannot be recorded.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// The file cannot be made or opened.
    #[error("cannot record to {}: {source}", path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A line cannot be written.
    #[error("cannot record an event: {0}")]
    Write(#[from] io::Error),
    /// A value cannot be written as JSON.
    #[error("cannot record an event: {0}")]
    Json(#[from] serde_json::Error),
}

/// Writes the native format.
///
/// Every event is one line, written whole and flushed before the call returns: a program that is killed
/// leaves a recording of all that it did. A line that could not be written whole spoils no other.
#[derive(Debug)]
pub struct Recorder<W: Write = File> {
    out: W,
    /// The last line may have been written in part.
    torn: bool,
}

impl Recorder<File> {
    /// Makes a recording and writes its header.
    ///
    /// # Errors
    /// When the file exists already or cannot be made.
    pub fn create(path: impl AsRef<Path>, header: &Header) -> Result<Self, RecordError> {
        let path = path.as_ref();
        let file = OpenOptions::new().append(true).create_new(true).open(path);
        let out = file.map_err(|source| RecordError::Open {
            path: path.to_owned(),
            source,
        })?;
        Self::new(out, header)
    }

    /// Goes on with a recording that exists; what it holds stays.
    ///
    /// # Errors
    /// When the file does not exist or cannot be opened.
    pub fn resume(path: impl AsRef<Path>) -> Result<Self, RecordError> {
        let path = path.as_ref();
        let file = OpenOptions::new().append(true).open(path);
        let out = file.map_err(|source| RecordError::Open {
            path: path.to_owned(),
            source,
        })?;
        // The program before may have been killed in the middle of a line.
        Ok(Self { out, torn: true })
    }
}

impl<W: Write> Recorder<W> {
    /// Records to a writer, beginning with the header.
    ///
    /// # Errors
    /// When it cannot be written to.
    pub fn new(out: W, header: &Header) -> Result<Self, RecordError> {
        let mut recorder = Self { out, torn: false };
        recorder.line(header)?;
        Ok(recorder)
    }

    /// Records any event as it is given.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&mut self, line: &Line) -> Result<(), RecordError> {
        self.line(line)
    }

    fn line(&mut self, line: &impl Serialize) -> Result<(), RecordError> {
        let mut bytes = Vec::new();
        if self.torn {
            bytes.push(b'\n');
        }
        serde_json::to_writer(&mut bytes, line)?;
        bytes.push(b'\n');
        self.torn = true;
        self.out.write_all(&bytes)?;
        self.out.flush()?;
        self.torn = false;
        Ok(())
    }

    /// Something said.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn message(&mut self, role: Role, text: impl Into<String>) -> Result<(), RecordError> {
        let text = text.into();
        self.write(&Line::Message {
            time: Some(Time::now()),
            role,
            content: vec![Block::Text { text }],
        })
    }

    /// The model asks for a tool.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn call(
        &mut self,
        id: impl Into<String>,
        tool: impl Into<String>,
        arguments: &Value,
    ) -> Result<(), RecordError> {
        self.write(&Line::ToolCall {
            time: Some(Time::now()),
            id: Some(id.into()),
            tool: tool.into(),
            arguments: arguments.clone(),
            arguments_text: None,
        })
    }

    /// What a tool returned, which the model was sent as it is.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn output(
        &mut self,
        id: impl Into<String>,
        returned: impl Into<Payload>,
    ) -> Result<(), RecordError> {
        self.write(&answer(id.into(), Some(returned.into()), None, false))
    }

    /// What a tool returned, and what the model was sent instead.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn output_sent_as(
        &mut self,
        id: impl Into<String>,
        returned: impl Into<Payload>,
        sent: impl Into<Payload>,
    ) -> Result<(), RecordError> {
        self.write(&answer(
            id.into(),
            Some(returned.into()),
            Some(sent.into()),
            false,
        ))
    }

    /// A tool failed, and the model was told this.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn error(
        &mut self,
        id: impl Into<String>,
        told: impl Into<String>,
    ) -> Result<(), RecordError> {
        let told = Payload::from(told.into());
        self.write(&answer(id.into(), Some(told), None, true))
    }

    /// An operation of the result cache, with its answer.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn cache(&mut self, operation: Operation) -> Result<(), RecordError> {
        self.write(&Line::Cache {
            time: Some(Time::now()),
            operation,
        })
    }

    /// A caption at this moment.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn note(&mut self, caption: impl Into<String>) -> Result<(), RecordError> {
        self.write(&Line::Note {
            time: Some(Time::now()),
            at: None,
            tab: None,
            caption: caption.into(),
        })
    }

    /// The writer back.
    pub fn into_inner(self) -> W {
        self.out
    }
}

fn answer(id: String, returned: Option<Payload>, sent: Option<Payload>, is_error: bool) -> Line {
    Line::ToolOutput {
        time: Some(Time::now()),
        id: Some(id),
        tool: None,
        returned,
        sent,
        is_error,
        tokens: None,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::session::block::Block as Shown;
    use crate::session::event::{Body, EventId, EventKind};
    use crate::session::{Input, Session};
    use crate::tool::mixtape::ToolResult;
    use crate::tool::rig::{ToolOutput, ToolResultContent};

    fn read(bytes: Vec<u8>) -> Session {
        let name = "recorded".to_owned();
        let session = Session::open(Input::Bytes { name, bytes }).unwrap();
        session.index_all().unwrap();
        session
    }

    fn blocks(session: &Session, index: usize) -> Vec<Shown> {
        match session
            .event(EventId::from_index(index).unwrap())
            .unwrap()
            .body
        {
            Body::ToolOutput(output) => output.returned.unwrap(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn what_is_recorded_is_read() {
        let mut recorder = Recorder::new(Vec::new(), &Header::default()).unwrap();
        recorder.call("a", "t", &json!({"q": 1})).unwrap();
        recorder.output("a", json!([1, 2])).unwrap();
        let output = ToolOutput::content(vec![
            ToolResultContent::text("x"),
            ToolResultContent::json(json!({"k": null})),
        ]);
        recorder.output("b", &output.unwrap()).unwrap();
        recorder.output("c", &ToolResult::text("y")).unwrap();
        recorder.output_sent_as("d", "all of it", "a part").unwrap();
        recorder.error("e", "boom").unwrap();
        recorder.note("here").unwrap();
        let session = read(recorder.into_inner());
        let info = session.info();
        assert_eq!(
            (info.events, info.calls, info.outputs, info.bad_lines),
            (7, 1, 5, 0)
        );
        assert!(
            matches!(&blocks(&session, 2)[..], [Shown::Json(json)] if json.value == json!([1, 2]))
        );
        assert!(matches!(&blocks(&session, 3)[..], [Shown::Text(x), Shown::Json(_)] if x == "x"));
        assert!(matches!(&blocks(&session, 4)[..], [Shown::Text(y)] if y == "y"));
        let index = session.index();
        assert!(
            index
                .record(EventId::from_index(6).unwrap())
                .unwrap()
                .is_error
        );
        let note = index.record(EventId::from_index(7).unwrap()).unwrap();
        assert_eq!(note.kind, EventKind::Note);
    }

    #[test]
    fn a_killed_program_goes_on_in_a_new_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("r.jsonl");
        let mut recorder = Recorder::create(&path, &Header::default()).unwrap();
        recorder.message(Role::User, "one").unwrap();
        assert!(Recorder::create(&path, &Header::default()).is_err());
        let mut file = OpenOptions::new().append(true).open(&path).unwrap();
        file.write_all(b"{\"type\":\"mess").unwrap();
        let mut recorder = Recorder::resume(&path).unwrap();
        recorder.message(Role::Assistant, "two").unwrap();
        let info = read(std::fs::read(&path).unwrap()).info();
        assert_eq!((info.events, info.bad_lines), (3, 1));
    }
}
