//! What fits into a number of bytes, taken in order.

/// Bytes of compact JSON that the parts of one container are taken into, in order, each whole or not at
/// all: a large part is passed over and later small ones still fit.
#[derive(Debug, Clone)]
pub struct Budget {
    left: Option<usize>,
    separator: usize,
}

impl Budget {
    /// For an array or object of at most `max_bytes`.
    ///
    /// The brackets are written whether they fit or not.
    pub const fn container(max_bytes: usize) -> Self {
        Self {
            left: max_bytes.checked_sub(2),
            separator: 0,
        }
    }

    /// For a string of at most `max_bytes`, quotes included.
    pub const fn text(max_bytes: usize) -> Self {
        Self {
            left: max_bytes.checked_sub(2),
            separator: 0,
        }
    }

    /// How long the next part of the container may be.
    pub fn room(&self) -> Option<usize> {
        self.left?.checked_sub(self.separator)
    }

    /// Takes a part of `length` bytes into the container where there is room; tells whether there was.
    pub fn take_part(&mut self, length: usize) -> bool {
        let taken = self.take_character(length + self.separator);
        if taken {
            self.separator = 1;
        }
        taken
    }

    /// Takes a character of `length` bytes into the string where there is room; tells whether there was.
    pub fn take_character(&mut self, length: usize) -> bool {
        match self.left.and_then(|left| left.checked_sub(length)) {
            Some(left) => {
                self.left = Some(left);
                true
            }
            None => false,
        }
    }
}
