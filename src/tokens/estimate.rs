//! One pass over bytes: a weight where the class of character changes, and one for how long a class
//! goes on.

use std::io;

use serde_json::Value;

use super::Tokens;
use super::weights::{CHANGE, CLASS, CONTINUATION, RUN, RUN_LENGTHS, START};

/// The estimate for a text.
pub fn estimate(text: &str) -> Tokens {
    let mut estimator = Estimator::new();
    estimator.push(text.as_bytes());
    estimator.tokens()
}

/// The estimate for the compact form of a JSON value, without writing it out.
pub fn estimate_value(value: &Value) -> Tokens {
    let mut estimator = Estimator::new();
    match serde_json::to_writer(&mut estimator, value) {
        Ok(()) => estimator.tokens(),
        // A value always serialises, and the estimator takes every byte.
        Err(_) => Tokens::ZERO,
    }
}

/// The estimate for recorded JSON as its compact form: blanks between tokens are not counted,
/// escapes of characters that serde_json writes as they are count as the character. Numbers are
/// taken in their recorded form.
pub fn estimate_json_bytes(json: &[u8]) -> Tokens {
    let mut estimator = Estimator::new();
    estimator.push_json(json);
    estimator.tokens()
}

/// The estimate for an item of an array, given as JSON, with the comma that follows it.
///
/// It stands after an item that ends like itself, which is what makes the items of a list add up to
/// about the estimate of its text.
pub fn estimate_item(json: &[u8]) -> Tokens {
    let mut estimator = Estimator {
        total: 0,
        class: CLASS[b',' as usize],
        run: structure_at_end(json).min(RUN_LENGTHS - 1),
    };
    estimator.push_json(json);
    estimator.push(b",");
    estimator.tokens()
}

/// How many characters of the comma's class the compact form of a JSON value ends with.
fn structure_at_end(json: &[u8]) -> usize {
    let mut count = 0;
    let mut in_string = false;
    for &byte in json.iter().rev() {
        let blank = matches!(byte, b' ' | b'\n' | b'\r' | b'\t');
        if blank && !in_string {
            continue;
        }
        if CLASS[byte as usize] != CLASS[b',' as usize] {
            break;
        }
        count += 1;
        if count == RUN_LENGTHS {
            break;
        }
        in_string |= byte == b'"';
    }
    count
}

impl Estimator {
    /// Takes recorded JSON as its compact form.
    fn push_json(&mut self, json: &[u8]) {
        let mut rest = json;
        let mut in_string = false;
        while let Some(&first) = rest.first() {
            // A run that the compact form has as it is.
            let run = if in_string {
                memchr::memchr2(b'"', b'\\', rest).unwrap_or(rest.len())
            } else {
                rest.iter()
                    .position(|byte| matches!(byte, b'"' | b' ' | b'\n' | b'\r' | b'\t'))
                    .unwrap_or(rest.len())
            };
            if run > 0 {
                self.push(&rest[..run]);
                rest = &rest[run..];
                continue;
            }
            let taken = match first {
                b'"' => {
                    in_string = !in_string;
                    self.push(b"\"");
                    1
                }
                b'\\' => self.push_escape(rest),
                _ => 1,
            };
            rest = rest.get(taken..).unwrap_or_default();
        }
    }
}

/// Takes bytes piece by piece and estimates the whole.
#[derive(Debug, Clone)]
pub struct Estimator {
    total: u64,
    class: u8,
    run: usize,
}

impl Default for Estimator {
    fn default() -> Self {
        Self::new()
    }
}

impl Estimator {
    /// Nothing taken yet.
    pub const fn new() -> Self {
        Self {
            total: 0,
            class: START,
            run: 0,
        }
    }

    /// Takes the next bytes.
    pub fn push(&mut self, bytes: &[u8]) {
        let Self {
            mut total,
            mut class,
            mut run,
        } = *self;
        for &byte in bytes {
            let next = CLASS[byte as usize];
            if next == CONTINUATION {
                continue;
            }
            if next == class {
                run = (run + 1).min(RUN_LENGTHS - 1);
                total += u64::from(RUN[next as usize][run]);
            } else {
                run = 0;
                total += u64::from(CHANGE[class as usize][next as usize]);
                class = next;
            }
        }
        *self = Self { total, class, run };
    }

    /// The estimate so far.
    pub const fn tokens(&self) -> Tokens {
        Tokens::from_thousandths(self.total)
    }

    /// One escape of a JSON string, and how many bytes it is.
    fn push_escape(&mut self, rest: &[u8]) -> usize {
        match rest.get(1) {
            Some(b'/') => {
                self.push(b"/");
                2
            }
            Some(b'u') => {
                let code = |at: usize| {
                    let digits = std::str::from_utf8(rest.get(at..at + 4)?).ok()?;
                    u32::from_str_radix(digits, 16).ok()
                };
                let Some(first) = code(2) else {
                    self.push(b"\\u");
                    return 2;
                };
                let second = if rest.get(6..8) == Some(b"\\u") {
                    code(8)
                } else {
                    None
                };
                let (c, length) = match (first, second) {
                    (0xD800..=0xDBFF, Some(second @ 0xDC00..=0xDFFF)) => (
                        char::from_u32(0x1_0000 + ((first - 0xD800) << 10) + second - 0xDC00),
                        12,
                    ),
                    _ => (char::from_u32(first), 6),
                };
                match c {
                    // serde_json keeps the escape for these, and a lone half has no other form.
                    Some('\0'..='\u{1f}' | '"' | '\\') | None => {
                        self.push(rest.get(..length).unwrap_or_default());
                    }
                    Some(c) => self.push(c.encode_utf8(&mut [0; 4]).as_bytes()),
                }
                length
            }
            Some(_) => {
                self.push(rest.get(..2).unwrap_or_default());
                2
            }
            None => {
                self.push(b"\\");
                1
            }
        }
    }
}

impl io::Write for Estimator {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.push(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
