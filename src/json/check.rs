//! Proving that a record has JSON structure, in one pass and without recursion.

use std::borrow::Cow;
use std::ops::Range;

use super::scan::{LONG, has_control, next_quote, next_special, skip_space};
use super::view::View;

/// How deep a record may nest and still be read.
pub const MAX_DEPTH: usize = 512;

/// How many faults of one record are told; more of them say nothing new.
const MAX_FAULTS: usize = 100;

/// Why bytes are no JSON, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason} at byte {offset}")]
pub struct Broken {
    /// What is wrong, in a few words.
    pub reason: Cow<'static, str>,
    /// Where in the bytes that were checked.
    pub offset: usize,
}

/// Something wrong inside a string of bytes that are JSON otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fault {
    /// What is wrong, in a few words.
    pub reason: &'static str,
    /// Where in the bytes that were checked.
    pub offset: usize,
}

/// One checked record: its bytes, where its long values end, and the faults in its strings.
///
/// Can be used again for the next record, so that an index pass does not allocate per line.
#[derive(Debug, Default)]
pub struct Record {
    skips: Vec<(u32, u32)>,
    faults: Vec<Fault>,
    open: Vec<u32>,
    span: Range<usize>,
}

impl Record {
    /// Nothing checked yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Checks that `bytes` are exactly one JSON value, which [`Record::view`] then gives.
    ///
    /// # Errors
    /// The first place where the structure breaks: not JSON, cut off, or deeper than [`MAX_DEPTH`].
    pub fn check(&mut self, bytes: &[u8]) -> Result<(), Broken> {
        let end = self.check_first(bytes)?;
        let rest = skip_space(bytes, end);
        if rest < bytes.len() {
            return Err(Broken {
                reason: "something follows the value".into(),
                offset: rest,
            });
        }
        self.invalid_utf8(bytes);
        Ok(())
    }

    /// Checks the value that begins at `start` of `bytes`, whatever follows it, and gives it as a view
    /// whose places count from the beginning of `bytes`.
    ///
    /// # Errors
    /// As [`Record::check`].
    pub fn check_at<'a>(&mut self, bytes: &'a [u8], start: usize) -> Result<View<'a>, Broken> {
        let end = self.check_first(bytes.get(start..).unwrap_or_default())?;
        let start = start + self.span.start;
        let end = start + end - self.span.start;
        Ok(View::remembering(bytes, &[], start, end))
    }

    /// Checks the first value of `bytes`, whatever follows, and gives the byte after it.
    fn check_first(&mut self, bytes: &[u8]) -> Result<usize, Broken> {
        self.skips.clear();
        self.faults.clear();
        self.open.clear();
        self.span = 0..0;
        let mut checker = Checker {
            bytes,
            at: 0,
            clean: !has_control(bytes),
            kinds: [0; MAX_DEPTH / 64],
            // Positions are kept as u32; a record of 4 GB is scanned again instead.
            remember: u32::try_from(bytes.len()).is_ok(),
            record: self,
        };
        let span = checker.value()?;
        let end = span.end;
        self.span = span;
        Ok(end)
    }

    /// The value of the bytes that were checked last.
    pub fn view<'a>(&'a self, bytes: &'a [u8]) -> View<'a> {
        View::remembering(bytes, &self.skips, self.span.start, self.span.end)
    }

    /// The faults of the record that was checked last, in order of their place.
    pub fn faults(&self) -> &[Fault] {
        &self.faults
    }

    pub(super) fn into_faults(self) -> Vec<Fault> {
        self.faults
    }

    fn invalid_utf8(&mut self, bytes: &[u8]) {
        let mut from = 0;
        let before = self.faults.len();
        while let Some(rest) = bytes.get(from..) {
            let Err(error) = std::str::from_utf8(rest) else {
                break;
            };
            let at = from + error.valid_up_to();
            if self.faults.len() < MAX_FAULTS {
                self.faults.push(Fault {
                    reason: "invalid UTF-8",
                    offset: at,
                });
            } else {
                break;
            }
            match error.error_len() {
                Some(length) => from = at + length,
                None => break,
            }
        }
        if self.faults.len() > before && before > 0 {
            self.faults.sort_by_key(|fault| fault.offset);
        }
    }
}

struct Checker<'a, 'r> {
    bytes: &'a [u8],
    at: usize,
    record: &'r mut Record,
    clean: bool,
    /// One bit per level: set for objects.
    kinds: [u64; MAX_DEPTH / 64],
    remember: bool,
}

impl Checker<'_, '_> {
    fn broken<T>(&self, reason: &'static str) -> Result<T, Broken> {
        let cut = self.at >= self.bytes.len();
        Err(Broken {
            reason: if cut { "cut off" } else { reason }.into(),
            offset: self.at.min(self.bytes.len()),
        })
    }

    /// Checks one value, however deep, and gives where it starts and ends.
    fn value(&mut self) -> Result<Range<usize>, Broken> {
        self.at = skip_space(self.bytes, self.at);
        let start = self.at;
        if start >= self.bytes.len() {
            return Err(Broken {
                reason: "empty".into(),
                offset: start,
            });
        }
        let mut depth = 0_usize;
        loop {
            // At the first byte of a value.
            match self.bytes.get(self.at) {
                Some(&open @ (b'{' | b'[')) => {
                    if depth == MAX_DEPTH {
                        return self.broken("deeper than 512 levels");
                    }
                    self.open(open == b'{', depth);
                    depth += 1;
                    self.at = skip_space(self.bytes, self.at + 1);
                    match (open, self.bytes.get(self.at)) {
                        (b'{', Some(b'"')) => {
                            self.key()?;
                            continue;
                        }
                        (b'{', Some(b'}')) | (b'[', Some(b']')) => {}
                        (b'[', Some(_)) => continue,
                        _ => return self.broken("expected a key or }"),
                    }
                }
                Some(b'"') => self.string()?,
                Some(b'-' | b'0'..=b'9') => self.number()?,
                Some(b't') => self.literal(b"true")?,
                Some(b'f') => self.literal(b"false")?,
                Some(b'n') => self.literal(b"null")?,
                _ => return self.broken("expected a value"),
            }
            // After a value, or on the closing byte of an empty container.
            loop {
                if depth == 0 {
                    return Ok(start..self.at);
                }
                self.at = skip_space(self.bytes, self.at);
                let object = self.is_object(depth - 1);
                match (self.bytes.get(self.at), object) {
                    (Some(b','), true) => {
                        self.at = skip_space(self.bytes, self.at + 1);
                        if self.bytes.get(self.at) != Some(&b'"') {
                            return self.broken("expected a key");
                        }
                        self.key()?;
                        break;
                    }
                    (Some(b','), false) => {
                        self.at = skip_space(self.bytes, self.at + 1);
                        break;
                    }
                    (Some(b'}'), true) | (Some(b']'), false) => {
                        self.at += 1;
                        depth -= 1;
                        self.close();
                    }
                    (_, true) => return self.broken("expected , or }"),
                    (_, false) => return self.broken("expected , or ]"),
                }
            }
        }
    }

    fn is_object(&self, level: usize) -> bool {
        self.kinds
            .get(level / 64)
            .is_some_and(|word| word >> (level % 64) & 1 == 1)
    }

    fn open(&mut self, object: bool, depth: usize) {
        if let Some(word) = self.kinds.get_mut(depth / 64) {
            *word = *word & !(1 << (depth % 64)) | u64::from(object) << (depth % 64);
        }
        if self.remember {
            self.record.open.push(self.record.skips.len() as u32);
            self.record.skips.push((self.at as u32, 0));
        }
    }

    fn close(&mut self) {
        let Some(index) = self.record.open.pop() else {
            return;
        };
        let index = index as usize;
        let Some(slot) = self.record.skips.get_mut(index) else {
            return;
        };
        if self.at - slot.0 as usize >= LONG {
            slot.1 = self.at as u32;
        } else {
            // Everything inside is shorter still and already forgotten.
            self.record.skips.truncate(index);
        }
    }

    fn key(&mut self) -> Result<(), Broken> {
        self.string()?;
        self.at = skip_space(self.bytes, self.at);
        if self.bytes.get(self.at) != Some(&b':') {
            return self.broken("expected :");
        }
        self.at = skip_space(self.bytes, self.at + 1);
        Ok(())
    }

    fn string(&mut self) -> Result<(), Broken> {
        let start = self.at;
        self.at += 1;
        loop {
            let found = if self.clean {
                next_quote(self.bytes, self.at)
            } else {
                next_special(self.bytes, self.at)
            };
            self.at = found;
            match self.bytes.get(found) {
                Some(b'"') => break,
                Some(b'\\') => self.escape()?,
                Some(_) => {
                    self.fault("raw control byte", found);
                    while self.bytes.get(self.at).is_some_and(|byte| *byte < 0x20) {
                        self.at += 1;
                    }
                }
                None => return self.broken("cut off"),
            }
        }
        self.at += 1;
        if self.remember && self.at - start >= LONG {
            self.record.skips.push((start as u32, self.at as u32));
        }
        Ok(())
    }

    /// On a backslash: moves behind the escape, pairing surrogates.
    fn escape(&mut self) -> Result<(), Broken> {
        let start = self.at;
        match self.bytes.get(start + 1) {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => self.at += 2,
            Some(b'u') => match hex4(self.bytes, start + 2) {
                None => {
                    self.fault("unknown escape", start);
                    self.at += 2;
                }
                Some(0xD800..=0xDBFF) => {
                    self.at += 6;
                    let low = match (self.bytes.get(self.at), self.bytes.get(self.at + 1)) {
                        (Some(b'\\'), Some(b'u')) => hex4(self.bytes, self.at + 2),
                        _ => None,
                    };
                    if matches!(low, Some(0xDC00..=0xDFFF)) {
                        self.at += 6;
                    } else {
                        self.fault("lone surrogate", start);
                    }
                }
                Some(0xDC00..=0xDFFF) => {
                    self.fault("lone surrogate", start);
                    self.at += 6;
                }
                Some(_) => self.at += 6,
            },
            Some(_) => {
                self.fault("unknown escape", start);
                self.at += 1;
                // A control byte or the first byte of a character: judged by the loop.
                if self.bytes.get(self.at).is_some_and(u8::is_ascii_graphic) {
                    self.at += 1;
                }
            }
            None => {
                self.at += 1;
                return self.broken("cut off");
            }
        }
        Ok(())
    }

    fn fault(&mut self, reason: &'static str, offset: usize) {
        if self.record.faults.len() < MAX_FAULTS {
            self.record.faults.push(Fault { reason, offset });
        }
    }

    fn literal(&mut self, word: &[u8]) -> Result<(), Broken> {
        for byte in word {
            if self.bytes.get(self.at) != Some(byte) {
                return self.broken("expected a value");
            }
            self.at += 1;
        }
        Ok(())
    }

    fn digits(&mut self) -> Result<(), Broken> {
        if !self.bytes.get(self.at).is_some_and(u8::is_ascii_digit) {
            return self.broken("expected a digit");
        }
        while self.bytes.get(self.at).is_some_and(u8::is_ascii_digit) {
            self.at += 1;
        }
        Ok(())
    }

    fn number(&mut self) -> Result<(), Broken> {
        if self.bytes.get(self.at) == Some(&b'-') {
            self.at += 1;
        }
        if self.bytes.get(self.at) == Some(&b'0') {
            self.at += 1;
        } else {
            self.digits()?;
        }
        if self.bytes.get(self.at) == Some(&b'.') {
            self.at += 1;
            self.digits()?;
        }
        if let Some(b'e' | b'E') = self.bytes.get(self.at) {
            self.at += 1;
            if let Some(b'+' | b'-') = self.bytes.get(self.at) {
                self.at += 1;
            }
            self.digits()?;
        }
        Ok(())
    }
}

/// The four hexadecimal digits at `at`.
pub(super) fn hex4(bytes: &[u8], at: usize) -> Option<u16> {
    let digits = bytes.get(at..at + 4)?;
    digits.iter().try_fold(0_u16, |value, &digit| {
        let digit = char::from(digit).to_digit(16)?;
        Some(value << 4 | digit as u16)
    })
}
