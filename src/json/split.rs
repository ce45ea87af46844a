//! Taking one huge JSON document apart while its bytes stream by: where the parts of interest begin
//! and end, without holding or building any of them.

use memchr::memchr2;

/// Longer keys are of no interest and are cut to this many bytes.
const LONGEST_KEY: usize = 64;

/// How deep the splitter follows the structure itself; what lies deeper is passed over as one value.
const DEEPEST: usize = 8;

/// What to do with a value that begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Want<T> {
    /// Pass over it.
    Skip,
    /// It is a part; the tag comes back with it.
    Part(T),
    /// An object or array to look into. When nothing in it turns out to be a part, it is one itself.
    Descend(T),
    /// An array whose items are parts.
    Items(T),
}

/// One level that the splitter stands in.
#[derive(Debug, Clone)]
pub struct Level<T> {
    object: bool,
    key: Vec<u8>,
    start: u64,
    found: bool,
    items: Option<T>,
    itself: Option<T>,
}

impl<T> Level<T> {
    /// The key whose value begins, in objects.
    pub fn key(&self) -> Option<&[u8]> {
        self.object.then_some(self.key.as_slice())
    }
}

/// A part that was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span<T> {
    /// First byte.
    pub start: u64,
    /// The byte after it.
    pub end: u64,
    /// The tag that the rule gave.
    pub tag: T,
    /// The bytes are no JSON from here on, or end too early.
    pub broken: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Before a whole value, or at the end of everything.
    Root,
    /// Before a value.
    Value,
    /// Behind `{`.
    FirstKey,
    /// Behind `[`.
    FirstItem,
    /// Behind a comma in an object.
    Key,
    InKey {
        escaped: bool,
    },
    Colon,
    /// Behind a value.
    After,
    /// Inside a value that is passed over.
    Inside {
        depth: u32,
        string: bool,
        escaped: bool,
    },
    /// Inside a number or literal.
    Scalar,
    /// Nothing can be read any more.
    Broken,
}

/// The splitter. Fed with bytes in order, it gives out parts as soon as they end.
#[derive(Debug)]
pub struct Splitter<T> {
    rule: fn(&[Level<T>], u8) -> Want<T>,
    levels: Vec<Level<T>>,
    state: State,
    /// Offset of the next byte.
    at: u64,
    /// The value being passed over, with its tag where it is a part.
    start: u64,
    tag: Option<T>,
    fallback: T,
}

impl<T: Copy> Splitter<T> {
    /// Splits by `rule`, which is asked for every value that begins outside of parts: with the levels
    /// around it and its first byte. `fallback` tags what breaks.
    pub fn new(at: u64, fallback: T, rule: fn(&[Level<T>], u8) -> Want<T>) -> Self {
        Self {
            rule,
            levels: Vec::new(),
            state: State::Root,
            at,
            start: at,
            tag: None,
            fallback,
        }
    }

    /// Whether the structure broke.
    pub fn is_broken(&self) -> bool {
        self.state == State::Broken
    }

    /// Where the part begins that the bytes so far end in.
    pub fn open_part(&self) -> Option<u64> {
        self.tag.is_some().then_some(self.start)
    }

    /// Takes the next bytes.
    pub fn feed(&mut self, bytes: &[u8], each: &mut dyn FnMut(Span<T>)) {
        let mut at = 0;
        while at < bytes.len() && self.state != State::Broken {
            at = match self.state {
                State::Inside {
                    depth,
                    string,
                    escaped,
                } => self.inside(bytes, at, depth, string, escaped, each),
                State::InKey { escaped } => self.in_key(bytes, at, escaped),
                State::Scalar => self.scalar(bytes, at, each),
                _ => self.structure(bytes, at, each),
            };
        }
        self.at += bytes.len() as u64;
    }

    /// Says that no bytes follow.
    pub fn finish(&mut self, each: &mut dyn FnMut(Span<T>)) {
        match self.state {
            State::Broken => return,
            State::Root => {}
            State::Scalar => {
                self.end_value(self.at, each);
                if !self.levels.is_empty() {
                    self.cut(self.at, each);
                }
            }
            State::Inside { .. } => {
                let start = if self.tag.is_some() {
                    self.start
                } else {
                    self.at
                };
                self.cut(start, each);
            }
            _ => self.cut(self.at, each),
        }
        self.state = State::Broken;
    }

    fn cut(&mut self, start: u64, each: &mut dyn FnMut(Span<T>)) {
        self.state = State::Broken;
        each(Span {
            start,
            end: self.at,
            tag: self.tag.unwrap_or(self.fallback),
            broken: true,
        });
    }

    /// One byte of the structure outside of parts.
    fn structure(&mut self, bytes: &[u8], at: usize, each: &mut dyn FnMut(Span<T>)) -> usize {
        let Some(&byte) = bytes.get(at) else {
            return at + 1;
        };
        let here = self.at + at as u64;
        match (self.state, byte) {
            (_, b' ' | b'\n' | b'\r' | b'\t') => {}
            (State::FirstKey | State::Key, b'"') => {
                if let Some(level) = self.levels.last_mut() {
                    level.key.clear();
                }
                self.state = State::InKey { escaped: false };
            }
            (State::Colon, b':') => self.state = State::Value,
            (State::FirstKey, b'}') | (State::FirstItem, b']') => self.close(here + 1, each),
            (State::After, b',') => {
                let object = self.levels.last().is_some_and(|level| level.object);
                self.state = if object { State::Key } else { State::Value };
            }
            (State::After, b'}' | b']') => {
                let object = self.levels.last().is_some_and(|level| level.object);
                if object != (byte == b'}') {
                    return self.broken(here, bytes.len(), each);
                }
                self.close(here + 1, each);
            }
            (State::Root | State::Value | State::FirstItem, b'{' | b'[' | b'"') => {
                self.begin(here, byte);
            }
            (
                State::Root | State::Value | State::FirstItem,
                b'-' | b'0'..=b'9' | b't' | b'f' | b'n',
            ) => self.begin(here, byte),
            _ => return self.broken(here, bytes.len(), each),
        }
        at + 1
    }

    fn broken(&mut self, here: u64, all: usize, each: &mut dyn FnMut(Span<T>)) -> usize {
        self.state = State::Broken;
        each(Span {
            start: here,
            end: u64::MAX,
            tag: self.fallback,
            broken: true,
        });
        all
    }

    /// A value begins at `here`.
    fn begin(&mut self, here: u64, byte: u8) {
        let items = self.levels.last().and_then(|level| level.items);
        let want = match items {
            Some(tag) => Want::Part(tag),
            None if self.levels.len() >= DEEPEST => Want::Skip,
            None => (self.rule)(&self.levels, byte),
        };
        let container = matches!(byte, b'{' | b'[');
        match want {
            Want::Descend(tag) if container => self.open(here, byte, Some(tag), None),
            Want::Items(tag) if byte == b'[' => self.open(here, byte, None, Some(tag)),
            Want::Part(tag) | Want::Descend(tag) | Want::Items(tag) => {
                self.enter(here, byte, Some(tag));
            }
            Want::Skip => self.enter(here, byte, None),
        }
    }

    fn open(&mut self, start: u64, byte: u8, itself: Option<T>, items: Option<T>) {
        self.levels.push(Level {
            object: byte == b'{',
            key: Vec::new(),
            start,
            found: items.is_some(),
            items,
            itself,
        });
        self.state = if byte == b'{' {
            State::FirstKey
        } else {
            State::FirstItem
        };
    }

    fn enter(&mut self, start: u64, byte: u8, tag: Option<T>) {
        self.start = start;
        self.tag = tag;
        self.state = match byte {
            b'"' => State::Inside {
                depth: 0,
                string: true,
                escaped: false,
            },
            b'{' | b'[' => State::Inside {
                depth: 1,
                string: false,
                escaped: false,
            },
            _ => State::Scalar,
        };
    }

    /// The level ends before `end`.
    fn close(&mut self, end: u64, each: &mut dyn FnMut(Span<T>)) {
        if let Some(level) = self.levels.pop() {
            if let (false, Some(tag)) = (level.found, level.itself) {
                each(Span {
                    start: level.start,
                    end,
                    tag,
                    broken: false,
                });
            }
            // An empty array of items is what it is, not a reason to take the whole for a part.
            if let Some(outer) = self.levels.last_mut() {
                outer.found |= level.found || level.itself.is_some();
            }
        }
        self.behind_value();
    }

    fn behind_value(&mut self) {
        if self.levels.is_empty() {
            self.state = State::Root;
        } else {
            self.state = State::After;
        }
    }

    fn end_value(&mut self, end: u64, each: &mut dyn FnMut(Span<T>)) {
        if let Some(tag) = self.tag.take() {
            for level in &mut self.levels {
                level.found = true;
            }
            each(Span {
                start: self.start,
                end,
                tag,
                broken: false,
            });
        }
        self.behind_value();
    }

    /// Passes over an object, array or string as fast as its bytes can be looked at.
    fn inside(
        &mut self,
        bytes: &[u8],
        mut at: usize,
        mut depth: u32,
        mut string: bool,
        mut escaped: bool,
        each: &mut dyn FnMut(Span<T>),
    ) -> usize {
        loop {
            if escaped {
                // The byte behind a backslash, which may be the first of a window.
                at += 1;
                escaped = false;
            }
            if string {
                match bytes.get(at..).and_then(|rest| memchr2(b'"', b'\\', rest)) {
                    None => at = bytes.len(),
                    Some(found) => {
                        at += found + 1;
                        if bytes.get(at - 1) == Some(&b'\\') {
                            escaped = at >= bytes.len();
                            at += usize::from(!escaped);
                        } else {
                            string = false;
                        }
                    }
                }
            } else {
                match bytes.get(at) {
                    Some(b'"') => string = true,
                    Some(b'{' | b'[') => depth += 1,
                    Some(b'}' | b']') => depth = depth.saturating_sub(1),
                    _ => {}
                }
                at += 1;
            }
            if depth == 0 && !string {
                self.end_value(self.at + at as u64, each);
                return at;
            }
            if at >= bytes.len() {
                self.state = State::Inside {
                    depth,
                    string,
                    escaped,
                };
                return at;
            }
        }
    }

    fn in_key(&mut self, bytes: &[u8], at: usize, escaped: bool) -> usize {
        let Some(&byte) = bytes.get(at) else {
            return at + 1;
        };
        let escaped = match (escaped, byte) {
            (false, b'"') => {
                self.state = State::Colon;
                return at + 1;
            }
            (false, b'\\') => true,
            _ => false,
        };
        if let Some(level) = self.levels.last_mut()
            && level.key.len() < LONGEST_KEY
        {
            level.key.push(byte);
        }
        self.state = State::InKey { escaped };
        at + 1
    }

    fn scalar(&mut self, bytes: &[u8], at: usize, each: &mut dyn FnMut(Span<T>)) -> usize {
        let end = super::scan::scalar_end(bytes, at);
        if end < bytes.len() {
            self.end_value(self.at + end as u64, each);
        }
        end
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use proptest::prelude::*;
    use serde_json::Value;

    use super::*;

    fn rule(levels: &[Level<u8>], byte: u8) -> Want<u8> {
        match (levels.last().and_then(Level::key), levels.len()) {
            (None, 0) if byte == b'[' => Want::Items(0),
            (None, 0) => Want::Descend(1),
            (Some(b"messages"), _) => Want::Items(2),
            (Some(b"request"), _) => Want::Descend(3),
            (Some(b"system"), _) => Want::Part(4),
            _ => Want::Skip,
        }
    }

    fn split(text: &str, window: usize) -> Vec<(String, u8, bool)> {
        let mut spans = Vec::new();
        let mut splitter = Splitter::new(0, 9, rule);
        for bytes in text.as_bytes().chunks(window) {
            splitter.feed(bytes, &mut |span| spans.push(span));
        }
        splitter.finish(&mut |span| spans.push(span));
        let end = |end: u64| (end as usize).min(text.len());
        spans
            .into_iter()
            .map(|span| {
                let range = span.start as usize..end(span.end);
                (text[range].to_owned(), span.tag, span.broken)
            })
            .collect()
    }

    #[test]
    fn parts_come_out_whole_whatever_the_windows() {
        let text = r#" {"model":"a\"b","system":[1],"request":{"messages" : [ {"a":"}]\\"} , "x\"", 12 ,[[]]],
            "after":{"messages":[0]}},"tools":[{}], "messages":[]} "#;
        let expected = [
            ("[1]", 4),
            (r#"{"a":"}]\\"}"#, 2),
            (r#""x\"""#, 2),
            ("12", 2),
            ("[[]]", 2),
        ];
        for window in 1..text.len() {
            let found = split(text, window);
            let found: Vec<_> = found
                .iter()
                .map(|(text, tag, broken)| {
                    assert!(!broken);
                    (text.as_str(), *tag)
                })
                .collect();
            assert_eq!(found, expected, "window {window}");
        }
    }

    #[test]
    fn what_holds_no_part_is_one() {
        assert_eq!(split("{\"a\":1}", 3), [("{\"a\":1}".to_owned(), 1, false)]);
        assert_eq!(split("[1,2]", 3).len(), 2);
        assert_eq!(
            split("{\"request\":{\"b\":2}}", 3),
            [("{\"b\":2}".to_owned(), 3, false)]
        );
        assert_eq!(split("7 \"x\"", 1).len(), 2);
        assert_eq!(split("{}{}", 9).len(), 2);
        assert_eq!(split("", 1), []);
    }

    #[test]
    fn what_is_cut_keeps_what_was_whole() {
        let text = r#"{"messages":[{"a":1},{"b":"#;
        assert_eq!(
            split(text, 5),
            [
                ("{\"a\":1}".to_owned(), 2, false),
                ("{\"b\":".to_owned(), 2, true)
            ]
        );
        assert_eq!(
            split("{\"messages\":[1,", 5).last(),
            Some(&(String::new(), 9, true))
        );
        assert_eq!(
            split("{\"a\":1,}", 5).last(),
            Some(&("}".to_owned(), 9, true))
        );
        assert_eq!(
            split("{\"messages\":[1}", 5).last(),
            Some(&("}".to_owned(), 9, true))
        );
    }

    proptest! {
        #[test]
        fn never_panics(bytes in prop::collection::vec(prop::sample::select(b"{}[]\",:\\ a1tn".to_vec()), 0..80), window in 1..9_usize) {
            let mut splitter = Splitter::new(0, 9, rule);
            let mut last = 0;
            let mut check = |span: Span<u8>| {
                assert!(span.start >= last && span.start <= span.end);
                last = span.end;
            };
            for bytes in bytes.chunks(window) {
                splitter.feed(bytes, &mut check);
            }
            splitter.finish(&mut check);
        }

        #[test]
        fn messages_of_any_document(items in prop::collection::vec("[a-z\"\\\\\\[\\]{}é]{0,20}", 0..9), window in 1..40_usize) {
            let items: Vec<Value> = items.into_iter().map(|text| serde_json::json!({"content": text, "n": [1, null]})).collect();
            let text = serde_json::to_string(&serde_json::json!({"model": "m", "messages": items})).unwrap();
            let found: Vec<Value> = split(&text, window).into_iter().map(|(text, ..)| serde_json::from_str(&text).unwrap()).collect();
            prop_assert_eq!(found, items);
        }
    }
}
