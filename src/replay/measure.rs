//! An array measured once: how long and how many tokens each item is, as sums over any range.
//!
//! This is what makes a re-run arithmetic. An item costs eight bytes here and a stride of
//! 64 items sixteen more, so that a range is added up from at most two strides of items.

use std::ops::Range;

use serde_json::Value;

use super::ledger::Sum;
use crate::tokens::{Tokens, estimate_item};

/// Items between two running sums.
const STRIDE: usize = 64;

/// Lengths and tokens of the items of an array, or of a page of one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ItemMeasures {
    /// Compact length and thousandths of a token of each item.
    items: Box<[Item]>,
    /// Sums before items 0, 64, 128, …
    sums: Box<[Sums]>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Item {
    bytes: u32,
    thousandths: u32,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Sums {
    bytes: u64,
    thousandths: u64,
}

impl ItemMeasures {
    /// Measures the items of an array, writing each once.
    pub fn of(values: &[Value]) -> Self {
        let mut written = Vec::new();
        let items = values.iter().map(|value| {
            written.clear();
            // A value always serialises, and a list of bytes takes them all.
            let _ = serde_json::to_writer(&mut written, value);
            Item {
                bytes: saturate(written.len() as u64),
                thousandths: saturate(estimate_item(&written).thousandths()),
            }
        });
        Self::from_items(items.collect())
    }

    /// Puts pages together that follow one another.
    pub fn joined<'a>(pieces: impl IntoIterator<Item = (&'a Self, Range<usize>)>) -> Self {
        let mut items = Vec::new();
        for (piece, range) in pieces {
            items.extend_from_slice(piece.items.get(range).unwrap_or_default());
        }
        Self::from_items(items)
    }

    fn from_items(items: Vec<Item>) -> Self {
        let mut sum = Sums::default();
        let mut sums = Vec::with_capacity(items.len() / STRIDE + 1);
        for (position, item) in items.iter().enumerate() {
            if position % STRIDE == 0 {
                sums.push(sum);
            }
            sum.bytes += u64::from(item.bytes);
            sum.thousandths += u64::from(item.thousandths);
        }
        sums.push(sum);
        Self {
            items: items.into_boxed_slice(),
            sums: sums.into_boxed_slice(),
        }
    }

    /// How many items.
    pub const fn len(&self) -> u64 {
        self.items.len() as u64
    }

    /// Whether there is no item.
    pub const fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Compact length of the items of a range as an array, brackets and commas included.
    pub fn array_bytes(&self, range: Range<u64>) -> u64 {
        let count = self.clamp(&range).len() as u64;
        self.item_bytes(range) + count.saturating_sub(1) + 2
    }

    /// Compact length of the items of a range, without anything between them.
    pub fn item_bytes(&self, range: Range<u64>) -> u64 {
        let range = self.clamp(&range);
        self.between(range).bytes
    }

    /// Estimated tokens of the items of a range: each item's own, so that parts add up to the whole.
    pub fn tokens(&self, range: Range<u64>) -> Tokens {
        let range = self.clamp(&range);
        Tokens::from_thousandths(self.between(range).thousandths)
    }

    /// Compact length of the whole array.
    pub fn whole_bytes(&self) -> u64 {
        self.array_bytes(0..self.len())
    }

    /// Estimated tokens of the whole array.
    pub fn whole_tokens(&self) -> Tokens {
        self.tokens(0..self.len())
    }

    /// The size of the whole array.
    pub(super) fn sum(&self) -> Sum {
        Sum {
            items: Some(self.len()),
            bytes: Some(self.whole_bytes()),
            tokens: Some(self.whole_tokens()),
            ..Sum::default()
        }
    }

    /// Bytes of memory held.
    pub const fn held(&self) -> usize {
        size_of_val(&*self.items) + size_of_val(&*self.sums)
    }

    fn clamp(&self, range: &Range<u64>) -> Range<usize> {
        let end =
            usize::try_from(range.end).map_or(self.items.len(), |end| end.min(self.items.len()));
        let start = usize::try_from(range.start).map_or(end, |start| start.min(end));
        start..end
    }

    fn between(&self, range: Range<usize>) -> Sums {
        let (end, start) = (self.before(range.end), self.before(range.start));
        Sums {
            bytes: end.bytes - start.bytes,
            thousandths: end.thousandths - start.thousandths,
        }
    }

    /// Sums of all items before a position, which is at most the number of items.
    fn before(&self, position: usize) -> Sums {
        let stride = position / STRIDE;
        let mut sum = self.sums.get(stride).copied().unwrap_or_default();
        for item in self
            .items
            .get(stride * STRIDE..position)
            .unwrap_or_default()
        {
            sum.bytes += u64::from(item.bytes);
            sum.thousandths += u64::from(item.thousandths);
        }
        sum
    }
}

/// A single item beyond 4 GB does not occur in a recording that is read in lines; it would count
/// as 4 GB.
fn saturate(count: u64) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;

    fn items() -> impl Strategy<Value = Vec<Value>> {
        prop::collection::vec(
            prop_oneof![
                any::<i64>().prop_map(Value::from),
                ".{0,12}".prop_map(Value::from),
                ("[a-z\"\n]{0,5}", any::<bool>()).prop_map(|(k, v)| json!({ k: v })),
                Just(json!([1, [2.5, null]])),
            ],
            0..200,
        )
    }

    proptest! {
        #[test]
        fn every_range_has_the_length_that_serde_json_writes(values in items(), a in 0_u64..210, b in 0_u64..210) {
            let measures = ItemMeasures::of(&values);
            let (a, b) = (a.min(b), a.max(b));
            let end = values.len().min(b as usize);
            let slice = &values[end.min(a as usize)..end];
            prop_assert_eq!(measures.array_bytes(a..b), Value::from(slice.to_vec()).to_string().len() as u64);
        }

        #[test]
        fn the_tokens_of_the_parts_add_up_to_those_of_the_items(values in items(), cut in 0_u64..210) {
            let measures = ItemMeasures::of(&values);
            let expected: Tokens = values.iter().map(|value| estimate_item(value.to_string().as_bytes())).sum();
            prop_assert_eq!(measures.whole_tokens(), expected);
            let parts = measures.tokens(0..cut) + measures.tokens(cut..measures.len());
            prop_assert_eq!(parts, expected);
        }

        #[test]
        fn pages_put_together_measure_like_the_array(values in items(), cut in 0_usize..200) {
            let cut = cut.min(values.len());
            let (head, tail) = (ItemMeasures::of(&values[..cut]), ItemMeasures::of(&values[cut..]));
            let whole = ItemMeasures::of(&values);
            let joined = ItemMeasures::joined([(&head, 0..cut), (&tail, 0..values.len() - cut)]);
            prop_assert_eq!(joined.whole_bytes(), whole.whole_bytes());
            prop_assert_eq!(joined.len(), whole.len());
        }
    }
}
