//! How fast a recording is indexed and measured, beside counting its newlines in the same run.
//!
//! Each row tells bytes a second over the same bytes: the ratios to `newlines` are what matters, not the
//! times of one machine.

#![allow(clippy::unwrap_used, missing_docs)]

use std::fs::File;
use std::io::Write;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use divan::Bencher;
use divan::counter::BytesCount;
use serde_json::json;
use toolreel::session::event::EventKind;
use toolreel::session::{Input, Session};

fn main() {
    // Written before anything is timed.
    LazyLock::force(&LINES);
    LazyLock::force(&DOCUMENT);
    divan::main();
}

/// How large the generated recordings are.
const SIZE: usize = 64 << 20;

/// A Claude Code session: lines of 1 to 20 KB, now and then one of a megabyte.
static LINES: LazyLock<PathBuf> = LazyLock::new(|| {
    let mut text = Text::new();
    write("toolreel-bench.jsonl", |file| {
        let mut size = 0;
        let mut number = 0_u64;
        while size < SIZE {
            number += 1;
            let id = format!("toolu_{number:016x}");
            let call = json!({"uuid": number.to_string(), "parentUuid": null, "type": "assistant",
                "timestamp": "2026-11-20T10:00:06.000Z", "sessionId": "s", "isSidechain": false,
                "cwd": "/home/dev/project", "version": "2.0.14", "message": {"id": format!("msg_{number}"),
                "type": "message", "role": "assistant", "model": "m", "content": [
                    {"type": "text", "text": text.take(300)},
                    {"type": "tool_use", "id": id, "name": "Bash", "input": {"command": text.take(2000)}}],
                "stop_reason": "tool_use", "usage": {"input_tokens": 10, "output_tokens": 20}}});
            let length = if number.is_multiple_of(1000) {
                1 << 20
            } else {
                400 + number as usize % 9000
            };
            let output = text.take(length);
            let answer = json!({"uuid": format!("{number}r"), "parentUuid": number.to_string(), "type": "user",
                "timestamp": "2026-11-20T10:00:09.000Z", "sessionId": "s", "isSidechain": false,
                "cwd": "/home/dev/project", "version": "2.0.14", "message": {"role": "user", "content": [
                    {"tool_use_id": id, "type": "tool_result", "content": output, "is_error": false}]},
                "toolUseResult": {"stdout": output, "stderr": "", "interrupted": false, "isImage": false}});
            for line in [call, answer] {
                let line = line.to_string();
                writeln!(file, "{line}").unwrap();
                size += line.len() + 1;
            }
        }
    })
});

/// One OpenAI Chat request with as many messages.
static DOCUMENT: LazyLock<PathBuf> = LazyLock::new(|| {
    let mut text = Text::new();
    write("toolreel-bench.json", |file| {
        write!(file, "{{\"model\":\"m\",\"messages\":[").unwrap();
        let mut size = 0;
        let mut number = 0_u64;
        while size < SIZE {
            number += 1;
            let id = format!("call_{number:016x}");
            let call = json!({"role": "assistant", "content": null, "tool_calls": [{"id": id,
                "type": "function", "function": {"name": "run", "arguments": text.take(2000)}}]});
            let answer = json!({"role": "tool", "tool_call_id": id,
                "content": text.take(400 + number as usize % 9000)});
            let separator = if number == 1 { "" } else { "," };
            let messages = format!("{separator}{call},{answer}");
            file.write_all(messages.as_bytes()).unwrap();
            size += messages.len();
        }
        write!(file, "]}}").unwrap();
    })
});

/// Text of words, quotes and line ends, as tools print it.
struct Text {
    pool: String,
    at: usize,
}

impl Text {
    fn new() -> Self {
        let words = [
            "fn",
            "let mut",
            "return",
            "error[E0308]:",
            "src/main.rs",
            "\"quoted\"",
            "日本語",
            "200",
            "\t",
        ];
        let mut pool = String::new();
        let mut state = 12345_u64;
        while pool.len() < 4 << 20 {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            pool.push_str(words[(state >> 33) as usize % words.len()]);
            pool.push(if (state >> 40).is_multiple_of(11) {
                '\n'
            } else {
                ' '
            });
        }
        Self { pool, at: 0 }
    }

    fn take(&mut self, length: usize) -> String {
        let start = self
            .pool
            .floor_char_boundary(self.at % (self.pool.len() - length));
        self.at += length + 97;
        self.pool[start..self.pool.floor_char_boundary(start + length)].to_owned()
    }
}

fn write(name: &str, fill: impl FnOnce(&mut std::io::BufWriter<File>)) -> PathBuf {
    let path = std::env::temp_dir().join(format!("{}-{name}", std::process::id()));
    let mut file = std::io::BufWriter::new(File::create(&path).unwrap());
    fill(&mut file);
    file.flush().unwrap();
    path
}

fn length(path: &Path) -> BytesCount {
    BytesCount::new(std::fs::metadata(path).unwrap().len())
}

fn count_newlines(path: &Path) -> usize {
    let file = File::open(path).unwrap();
    let mut buffer = vec![0; 256 << 10];
    let (mut at, mut lines) = (0, 0);
    loop {
        let read = file.read_at(&mut buffer, at).unwrap();
        if read == 0 {
            return lines;
        }
        lines += memchr::memchr_iter(b'\n', &buffer[..read]).count();
        at += read as u64;
    }
}

fn indexed(path: &Path) -> Session {
    let session = Session::open(Input::Path(path.to_owned())).unwrap();
    session.index_all().unwrap();
    session
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn newlines(bencher: Bencher<'_, '_>) {
    bencher
        .counter(length(&LINES))
        .bench(|| count_newlines(&LINES));
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn index_lines(bencher: Bencher<'_, '_>) {
    bencher.counter(length(&LINES)).bench(|| indexed(&LINES));
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn index_document(bencher: Bencher<'_, '_>) {
    bencher
        .counter(length(&DOCUMENT))
        .bench(|| indexed(&DOCUMENT));
}

#[divan::bench(sample_count = 3, sample_size = 1)]
fn measure_outputs(bencher: Bencher<'_, '_>) {
    let session = indexed(&LINES);
    bencher.counter(length(&LINES)).bench(|| {
        let mut reader = session.reader();
        let index = session.index();
        let outputs = index
            .iter()
            .filter(|(_, record)| record.kind == EventKind::ToolOutput);
        outputs
            .map(|(id, _)| reader.measures(id).unwrap().sent_bytes.unwrap_or_default())
            .sum::<u64>()
    });
}

/// From opening to the first events, which must not wait for the rest.
#[divan::bench(sample_count = 20, sample_size = 1, args = [false, true])]
fn first_events(bencher: Bencher<'_, '_>, document: bool) {
    let path: &Path = if document { &DOCUMENT } else { &LINES };
    bencher.bench(|| {
        let session = Session::open(Input::Path(path.to_owned())).unwrap();
        session
            .index_some(toolreel::session::Budget {
                bytes: 1 << 20,
                time: std::time::Duration::from_millis(16),
            })
            .unwrap()
            .events
    });
}
