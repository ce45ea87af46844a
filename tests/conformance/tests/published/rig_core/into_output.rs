//! What becomes of values that tools return.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::rc::Rc;

use conformance::{config, json, written};
use proptest::collection::{btree_map, vec};
use proptest::option;
use proptest::prelude::*;
use rig_core::tool::IntoToolOutput as Published;
use serde::{Serialize, Serializer};
use serde_json::Value;
use serde_json::value::RawValue;
use toolreel::tool::rig::IntoToolOutput as Ours;

use super::blocks;

#[derive(Clone, Serialize)]
struct Newtype(String);

#[derive(Clone, Serialize)]
struct NewtypeOfNumber(i64);

#[derive(Clone, Serialize)]
struct Row {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<f64>,
    tags: Vec<String>,
}

#[derive(Clone, Serialize)]
struct Unit;

#[derive(Clone, Serialize)]
enum Kinds {
    Unit,
    Newtype(String),
    Tuple(i8, String),
    Struct { value: Value },
}

#[derive(Clone, Serialize)]
#[serde(untagged)]
enum Untagged {
    Text(String),
    Number(i64),
    List(Vec<String>),
}

/// A value whose serialisation fails.
#[derive(Clone)]
struct Unserialisable(String);

impl Serialize for Unserialisable {
    fn serialize<S: Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
        Err(serde::ser::Error::custom(&self.0))
    }
}

/// What became of a value, in both.
macro_rules! same {
    ($value:expr) => {{
        let value = $value;
        same!(value.clone(), value)
    }};
    ($ours:expr, $published:expr) => {
        match (
            Ours::into_tool_output($ours),
            Published::into_tool_output($published),
        ) {
            (Ok(ours), Ok(published)) => {
                prop_assert_eq!(written(&ours), written(&published));
                prop_assert_eq!(ours.render(), published.render());
            }
            (Err(ours), Err(published)) => {
                prop_assert_eq!(ours.to_string(), published.to_string());
                prop_assert_eq!(format!("{ours:?}"), format!("{published:?}"));
                prop_assert_eq!(written(&ours), written(&published));
                prop_assert_eq!(
                    ours.is::<serde_json::Error>(),
                    published.is::<serde_json::Error>()
                );
            }
            (ours, published) => prop_assert!(false, "{:?} and {:?}", ours, published),
        }
    };
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn text_and_numbers(
        text in json::words(),
        character in any::<char>(),
        truth in any::<bool>(),
        integer in any::<i64>(),
        byte in any::<u8>(),
        large in any::<u128>(),
        signed in any::<i128>(),
        double in any::<f64>(),
        single in any::<f32>(),
    ) {
        same!(text.clone());
        same!(text.clone().into_boxed_str());
        same!(Cow::<'static, str>::Owned(text.clone()));
        same!(Newtype(text.clone()));
        same!(NewtypeOfNumber(integer));
        same!(Box::new(text.clone()));
        same!(Some(text.clone()));
        same!(Some(Some(integer)));
        same!(Unserialisable(text));
        same!("a literal");
        same!(character);
        same!(truth);
        same!(integer);
        same!(byte);
        same!(u128::from(byte));
        same!(large);
        same!(signed);
        same!(double);
        same!(single);
        same!(f64::NAN);
        same!(f32::INFINITY);
        same!(());
        same!(Unit);
        same!(None::<String>);
        same!((integer, character));
        same!([byte; 3]);
        same!(Kinds::Unit);
    }

    #[test]
    fn json_and_structures(
        value in json::value(),
        name in json::words(),
        score in option::of(any::<f64>()),
        tags in vec(json::words(), 0..3),
        numbers in btree_map(any::<i16>(), json::words(), 0..3),
        pairs in btree_map((any::<u8>(), any::<u8>()), any::<bool>(), 0..2),
    ) {
        same!(value.clone());
        same!(Some(value.clone()));
        same!(vec![value.clone(), value.clone()]);
        same!(Box::new(value.clone()));
        same!(Row { name: name.clone(), score, tags: tags.clone() });
        same!(vec![Row { name: name.clone(), score, tags: tags.clone() }]);
        same!(Kinds::Newtype(name.clone()));
        same!(Kinds::Tuple(1, name.clone()));
        same!(Kinds::Struct { value: value.clone() });
        same!(Untagged::Text(name.clone()));
        same!(Untagged::Number(3));
        same!(Untagged::List(tags.clone()));
        same!(tags.clone());
        same!(numbers);
        same!(pairs);
        same!(BTreeMap::from([(name, value.clone())]));
        let raw = RawValue::from_string(value.to_string()).expect("JSON");
        same!(raw.clone());
    }

    #[test]
    fn blocks_pass_through((ours, published) in blocks::pair(), pairs in vec(blocks::pair(), 0..3)) {
        use rig_core::tool::ToolOutput as PublishedOutput;
        use toolreel::tool::rig::ToolOutput as OurOutput;
        let (our_list, published_list): (Vec<_>, Vec<_>) = pairs.into_iter().unzip();
        same!(ours.clone(), published.clone());
        same!(our_list, published_list);
        same!(OurOutput::one(ours.clone()), PublishedOutput::one(published.clone()));
        same!(Some(ours.clone()), Some(published.clone()));
        same!([ours.clone(), ours.clone()], [published.clone(), published.clone()]);
        same!(Box::new(ours.clone()), Box::new(published.clone()));
        same!(Some(OurOutput::one(ours)), Some(PublishedOutput::one(published)));
    }
}

/// A value that is not `Send` converts all the same.
#[test]
fn nothing_but_serialisation_is_asked_for() {
    #[derive(Serialize)]
    struct Local(
        #[serde(skip)]
        #[expect(dead_code, reason = "only its type matters")]
        Rc<()>,
        i32,
    );
    let ours = Ours::into_tool_output(Local(Rc::new(()), 1)).expect("a JSON form");
    let published = Published::into_tool_output(Local(Rc::new(()), 1)).expect("a JSON form");
    assert_eq!(written(&ours), written(&published));
}
