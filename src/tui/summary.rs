//! One event in a few words: what the timeline and the header say of it.

use serde_json::Value;

use crate::session::block::{Block, Media, MediaSource};
use crate::session::event::{Body, CacheOperation, Event};

/// No summary is longer, in characters: more than any screen shows of it.
const LONGEST: usize = 400;

/// An event in a few words. The texts are as recorded: they are made visible when drawn.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Summary {
    /// What stands after the name in the timeline: the beginning of a message, the most telling
    /// argument of a call.
    pub short: String,
    /// What stands after the name in the header: the arguments as compact JSON.
    pub long: String,
}

/// The summary of an event. That of an output is the one of its call, where the call is there.
pub fn summary(event: &Event) -> Summary {
    match &event.body {
        Body::Message { blocks, .. } => both(first_words(blocks)),
        Body::Thinking { text } if text.is_empty() => both("(not readable in this file)".into()),
        Body::Thinking { text } => both(line(text)),
        Body::ToolCall(call) => Summary {
            short: telling(&call.tool, &call.arguments),
            long: compact(&call.arguments),
        },
        Body::ToolOutput(output) => Summary {
            short: String::new(),
            long: output
                .call_id
                .as_ref()
                .map(|id| format!("answers {} (that call is not in this recording)", line(id)))
                .unwrap_or_default(),
        },
        Body::Cache(operation) => both(operation_words(operation)),
        Body::Note { caption } => both(line(caption)),
        Body::System { name, value } => Summary {
            short: line(name),
            long: compact(value),
        },
        Body::Unknown { value } => both(compact(value)),
        Body::Bad { reason, .. } => both(line(reason)),
    }
}

fn both(text: String) -> Summary {
    Summary {
        long: text.clone(),
        short: text,
    }
}

/// The first words of blocks: text if there is any, else what the first block is.
fn first_words(blocks: &[Block]) -> String {
    let text = blocks.iter().find_map(|block| match block {
        Block::Text(text) if !text.trim().is_empty() => Some(line(text)),
        _ => None,
    });
    text.or_else(|| blocks.first().map(block_words))
        .unwrap_or_default()
}

fn block_words(block: &Block) -> String {
    match block {
        Block::Text(_) => String::new(),
        Block::Json(json) => compact(&json.value),
        Block::Image(media) => media_words("image", media),
        Block::Document(media) => media_words("document", media),
        Block::Audio(media) => media_words("audio", media),
        Block::Video(media) => media_words("video", media),
        Block::Resource { uri, .. } | Block::ResourceLink { uri, .. } => line(uri),
        Block::Envelope(envelope) => compact(&envelope.value),
        Block::Unknown(value) => compact(value),
    }
}

fn media_words(kind: &str, media: &Media) -> String {
    let name = media.name.as_deref().or(media.declared.as_deref());
    let text = match (&media.source, name) {
        (MediaSource::Url(url), _) => url,
        (_, Some(name)) => name,
        (_, None) => return kind.to_owned(),
    };
    format!("{kind} {}", line(text))
}

fn operation_words(operation: &CacheOperation) -> String {
    match operation {
        CacheOperation::Store {
            handle,
            total_items,
        } => format!("store {} {total_items} items", line(handle)),
        CacheOperation::Page { arguments, answer } => {
            let refused = if answer.is_err() { " refused" } else { "" };
            format!("page {}{refused}", telling("cache.page", arguments))
        }
        CacheOperation::Release { arguments, answer } => {
            let refused = if answer.is_err() { " refused" } else { "" };
            format!("release {}{refused}", telling("cache.release", arguments))
        }
    }
}

/// The argument that tells the most of a call: where a page starts, which file, which command, else
/// the first text or number.
fn telling(tool: &str, arguments: &Value) -> String {
    let Value::Object(fields) = arguments else {
        return match arguments {
            Value::String(text) => line(text),
            Value::Null => String::new(),
            other => compact(other),
        };
    };
    if tool.ends_with("cache.page") {
        return page_start(arguments);
    }
    for key in ["file_path", "path", "file", "filename", "notebook_path"] {
        if let Some(Value::String(path)) = fields.get(key) {
            let name = path.trim_end_matches('/').rsplit(['/', '\\']).next();
            return line(name.unwrap_or(path));
        }
    }
    for key in ["command", "cmd"] {
        match fields.get(key) {
            Some(Value::String(command)) => return line(command),
            Some(Value::Array(words)) => {
                let words: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
                return line(&words.join(" "));
            }
            _ => {}
        }
    }
    fields
        .values()
        .find_map(|value| match value {
            Value::String(text) if !text.is_empty() => Some(line(text)),
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        })
        .unwrap_or_default()
}

/// Where a page call starts: `64..`; its handle where it does not say.
fn page_start(arguments: &Value) -> String {
    let text = |key| arguments.get(key).and_then(Value::as_str);
    if let Some((_, offset)) = text("page_token").and_then(|token| token.rsplit_once(":offset:")) {
        return format!("{}..", line(offset));
    }
    match arguments.get("offset").and_then(Value::as_u64) {
        Some(offset) => format!("{offset}.."),
        None => text("handle")
            .or(text("page_token"))
            .map(line)
            .unwrap_or_default(),
    }
}

/// The first line of a text that is not empty, cut.
fn line(text: &str) -> String {
    text.lines()
        .map(str::trim)
        .find(|line| !line.is_empty())
        .unwrap_or_default()
        .chars()
        .take(LONGEST)
        .collect()
}

/// The beginning of a value's compact form, without writing the rest of it.
fn compact(value: &Value) -> String {
    struct Beginning(Vec<u8>);
    impl std::io::Write for Beginning {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            if self.0.len() >= LONGEST * 4 {
                return Err(std::io::ErrorKind::WriteZero.into());
            }
            self.0.extend_from_slice(bytes);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let mut beginning = Beginning(Vec::new());
    // It fails where it is long enough.
    let _ = serde_json::to_writer(&mut beginning, value);
    String::from_utf8_lossy(&beginning.0)
        .chars()
        .take(LONGEST)
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_most_telling_argument() {
        let cases = [
            (
                "cache.page",
                json!({"page_token": "mcp-cache-0:offset:64"}),
                "64..",
            ),
            (
                "cache.page",
                json!({"handle": "mcp-cache-0", "offset": 192}),
                "192..",
            ),
            (
                "cache.page",
                json!({"handle": "mcp-cache-0"}),
                "mcp-cache-0",
            ),
            (
                "read_file",
                json!({"path": "/src/retry.rs", "limit": 4}),
                "retry.rs",
            ),
            ("shell", json!({"command": ["cargo", "test"]}), "cargo test"),
            ("get_issue", json!({"number": 4296}), "4296"),
            ("list_labels", json!({}), ""),
        ];
        for (tool, arguments, expected) in cases {
            assert_eq!(telling(tool, &arguments), expected, "{tool} {arguments}");
        }
    }

    #[test]
    fn a_long_value_is_begun_and_not_written() {
        let value = json!(vec!["x".repeat(100); 1000]);
        assert_eq!(compact(&value).chars().count(), LONGEST);
        assert_eq!(compact(&json!({"a": [1, null]})), r#"{"a":[1,null]}"#);
    }

    #[test]
    fn a_message_is_its_first_words() {
        let blocks = [Block::Text("\n  Find it\nnow".into())];
        assert_eq!(first_words(&blocks), "Find it");
    }
}
