//! A borrowed, unparsed JSON value inside recorded bytes.

use std::borrow::Cow;
use std::ops::Range;

use serde_json::Value;

use super::check::{Broken, Fault, Record};
use super::scan::{LONG, container_end, scalar_end, skip_space, string_end};
use super::{build, length, string};

/// What kind of JSON value a view is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool,
    /// A number.
    Number,
    /// A string.
    String,
    /// An array.
    Array,
    /// An object.
    Object,
}

/// A JSON value as it stands in a record, neither copied nor parsed.
///
/// Made from checked bytes; on bytes that were not checked its methods may find less, but never panic.
#[derive(Clone, Copy)]
pub struct View<'a> {
    record: &'a [u8],
    skips: &'a [(u32, u32)],
    start: usize,
    end: usize,
}

impl std::fmt::Debug for View<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let raw = self.raw();
        let shown = raw.get(..raw.len().min(80)).unwrap_or_default();
        f.debug_struct("View")
            .field("start", &self.start)
            .field("bytes", &raw.len())
            .field("begins", &String::from_utf8_lossy(shown))
            .finish()
    }
}

impl<'a> View<'a> {
    pub(super) const fn remembering(
        record: &'a [u8],
        skips: &'a [(u32, u32)],
        start: usize,
        end: usize,
    ) -> Self {
        Self {
            record,
            skips,
            start,
            end,
        }
    }

    /// Checks the whole structure of `bytes` and gives the value with the faults in its strings.
    ///
    /// # Errors
    /// Where the structure breaks: not JSON, cut off, or too deep.
    pub fn check(bytes: &'a [u8]) -> Result<(Self, Vec<Fault>), Broken> {
        let mut record = Record::new();
        record.check(bytes)?;
        let Range { start, end } = record.view(bytes).span();
        let view = Self::remembering(bytes, &[], start, end);
        Ok((view, record.into_faults()))
    }

    /// The value of bytes that were checked before.
    pub fn trusted(bytes: &'a [u8]) -> Self {
        let start = skip_space(bytes, 0);
        let end = start
            + bytes
                .get(start..)
                .unwrap_or_default()
                .trim_ascii_end()
                .len();
        Self::remembering(bytes, &[], start, end)
    }

    /// The value's bytes exactly as recorded.
    pub fn raw(&self) -> &'a [u8] {
        self.record.get(self.start..self.end).unwrap_or_default()
    }

    /// Where the value stands in its record.
    pub const fn span(&self) -> Range<usize> {
        self.start..self.end
    }

    /// What kind of value it is, told by its first byte.
    pub fn kind(&self) -> Kind {
        match self.record.get(self.start) {
            Some(b'{') => Kind::Object,
            Some(b'[') => Kind::Array,
            Some(b'"') => Kind::String,
            Some(b't' | b'f') => Kind::Bool,
            Some(b'-' | b'0'..=b'9') => Kind::Number,
            _ => Kind::Null,
        }
    }

    /// Whether it is an object.
    pub fn is_object(&self) -> bool {
        self.kind() == Kind::Object
    }

    /// Whether it is an array.
    pub fn is_array(&self) -> bool {
        self.kind() == Kind::Array
    }

    /// Whether it is a string.
    pub fn is_string(&self) -> bool {
        self.kind() == Kind::String
    }

    /// Whether it is `null`.
    pub fn is_null(&self) -> bool {
        self.kind() == Kind::Null
    }

    /// The value of `key` in an object; of a repeated key the last.
    pub fn get(&self, key: &str) -> Option<View<'a>> {
        let [found] = self.fields([key]);
        found
    }

    /// The values of several keys in one pass; of a repeated key the last.
    pub fn fields<const N: usize>(&self, keys: [&str; N]) -> [Option<View<'a>>; N] {
        let mut found = [None; N];
        for (key, value) in self.entries() {
            for (wanted, slot) in keys.iter().zip(found.iter_mut()) {
                if key.is_text(wanted) {
                    *slot = Some(value);
                    break;
                }
            }
        }
        found
    }

    /// The entries of an object in recorded order, repeated keys included; none for other kinds.
    pub fn entries(&self) -> Entries<'a> {
        Entries {
            walk: self.walk(b'{'),
        }
    }

    /// The items of an array; none for other kinds.
    pub fn items(&self) -> Items<'a> {
        Items {
            walk: self.walk(b'['),
        }
    }

    fn walk(&self, open: u8) -> Walk<'a> {
        let at = if self.record.get(self.start) == Some(&open) {
            self.start + 1
        } else {
            self.end
        };
        Walk {
            record: self.record.get(..self.end).unwrap_or_default(),
            skips: self.skips,
            at,
        }
    }

    /// The text of a string: escapes resolved, what is no Unicode replaced by U+FFFD.
    pub fn text(&self) -> Option<Cow<'a, str>> {
        self.inner().map(string::decode)
    }

    /// The bytes between the quotes of a string, as recorded.
    pub fn inner(&self) -> Option<&'a [u8]> {
        if !self.is_string() {
            return None;
        }
        let raw = self.raw();
        raw.get(1..raw.len().checked_sub(1)?)
    }

    /// Whether it is a string with exactly this text.
    pub fn is_text(&self, text: &str) -> bool {
        match self.inner() {
            None => false,
            Some(inner) if inner == text.as_bytes() => !text.as_bytes().contains(&b'\\'),
            Some(inner) => inner.contains(&b'\\') && string::decode(inner) == text,
        }
    }

    /// The value of a boolean.
    pub fn bool(&self) -> Option<bool> {
        match self.raw() {
            b"true" => Some(true),
            b"false" => Some(false),
            _ => None,
        }
    }

    /// The value of a non-negative integer in range.
    pub fn u64(&self) -> Option<u64> {
        std::str::from_utf8(self.raw()).ok()?.parse().ok()
    }

    /// The value of an integer in range.
    pub fn i64(&self) -> Option<i64> {
        std::str::from_utf8(self.raw()).ok()?.parse().ok()
    }

    /// The value, parsed: lossy where strings hold no Unicode, with a bounded stack.
    ///
    /// Equals what serde_json parses wherever serde_json parses it. A number out of range becomes its
    /// own text as a string.
    pub fn value(&self) -> Value {
        build::value(*self)
    }

    /// The value that a JSON pointer of RFC 6901 names.
    pub fn pointer(&self, pointer: &str) -> Option<View<'a>> {
        if pointer.is_empty() {
            return Some(*self);
        }
        let mut view = *self;
        for token in pointer.strip_prefix('/')?.split('/') {
            view = match view.kind() {
                Kind::Object => view.get(&token.replace("~1", "/").replace("~0", "~"))?,
                Kind::Array => {
                    let plain = token == "0" || !token.starts_with(['0', '+']);
                    let index = token.parse().ok().filter(|_| plain)?;
                    view.items().nth(index)?
                }
                _ => return None,
            };
        }
        Some(view)
    }

    /// The length of serde_json's compact form of the parsed value, without building it.
    pub fn canonical_length(&self) -> u64 {
        length::canonical(*self)
    }
}

/// Moves over the inside of one object or array.
#[derive(Debug, Clone)]
struct Walk<'a> {
    record: &'a [u8],
    skips: &'a [(u32, u32)],
    at: usize,
}

impl<'a> Walk<'a> {
    /// The next value, after white space and one separator.
    fn next_value(&mut self) -> Option<View<'a>> {
        let mut at = skip_space(self.record, self.at);
        if let Some(b',' | b':') = self.record.get(at) {
            at = skip_space(self.record, at + 1);
        }
        let end = match self.record.get(at)? {
            b'}' | b']' | b',' | b':' => None,
            b'"' => self.long_end(at, short_string_end),
            b'{' | b'[' => self.long_end(at, container_end),
            _ => Some(scalar_end(self.record, at)),
        };
        let Some(end) = end else {
            self.at = self.record.len();
            return None;
        };
        self.at = end;
        Some(View::remembering(self.record, self.skips, at, end))
    }

    /// The end of a value: looked for nearby, then in what was remembered, then far away.
    fn long_end(
        &self,
        at: usize,
        find: fn(&'a [u8], usize, usize) -> Option<usize>,
    ) -> Option<usize> {
        if let Some(end) = find(self.record, at, LONG) {
            return Some(end);
        }
        let key = u32::try_from(at).ok();
        let slot = key.and_then(|key| {
            self.skips
                .binary_search_by_key(&key, |(start, _)| *start)
                .ok()
        });
        match slot.and_then(|slot| self.skips.get(slot)) {
            Some((_, end)) => Some(*end as usize),
            None => find(self.record, at, usize::MAX),
        }
    }
}

fn short_string_end(bytes: &[u8], at: usize, limit: usize) -> Option<usize> {
    let bytes = bytes.get(..bytes.len().min(at.saturating_add(limit)))?;
    string_end(bytes, at + 1)
}

/// The entries of an object, in recorded order.
#[derive(Debug, Clone)]
pub struct Entries<'a> {
    walk: Walk<'a>,
}

impl<'a> Iterator for Entries<'a> {
    type Item = (View<'a>, View<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        let key = self.walk.next_value()?;
        let value = self.walk.next_value()?;
        Some((key, value))
    }
}

/// The items of an array, in order.
#[derive(Debug, Clone)]
pub struct Items<'a> {
    walk: Walk<'a>,
}

impl<'a> Iterator for Items<'a> {
    type Item = View<'a>;

    fn next(&mut self) -> Option<View<'a>> {
        self.walk.next_value()
    }
}
