//! Lengths without writing, against what serde_json writes.

use conformance::{config, json};
use proptest::prelude::*;
use toolreel::tool::compact;

proptest! {
    #![proptest_config(config())]

    #[test]
    fn lengths_are_those_of_what_is_written(value in json::value(), limit in 0..200_usize) {
        let length = value.to_string().len();
        prop_assert_eq!(compact::length(&value), length);
        prop_assert_eq!(compact::length_within(&value, limit), (length <= limit).then_some(length));
        prop_assert_eq!(compact::length_within(&value, length), Some(length));
    }
}
