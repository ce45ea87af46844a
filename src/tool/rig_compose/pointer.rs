//! Where in a payload the bound is: a chain of segments, written as a JSON pointer only where one is
//! wanted.

use std::fmt::Write;

/// A place in a payload, as the chain of steps that lead to it.
#[derive(Clone, Copy)]
pub(super) enum Place<'a> {
    /// The payload itself.
    Root,
    /// A field of an object.
    Field(&'a Place<'a>, &'a str),
    /// An item of an array.
    Item(&'a Place<'a>, usize),
}

impl Place<'_> {
    /// Writes the JSON pointer of the place behind what `pointer` holds.
    pub(super) fn write(&self, pointer: &mut String) {
        match self {
            Self::Root => {}
            Self::Field(parent, key) => {
                parent.write(pointer);
                pointer.push('/');
                for character in key.chars() {
                    match character {
                        '~' => pointer.push_str("~0"),
                        '/' => pointer.push_str("~1"),
                        other => pointer.push(other),
                    }
                }
            }
            Self::Item(parent, index) => {
                parent.write(pointer);
                // Writing to a string does not fail.
                let _ = write!(pointer, "/{index}");
            }
        }
    }

    /// The JSON pointer of the place.
    pub(super) fn pointer(&self) -> String {
        let mut pointer = String::new();
        self.write(&mut pointer);
        pointer
    }
}
