//! What text and image blocks share when they are read.

use std::fmt;
use std::marker::PhantomData;

use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

/// Reads the extra parameters that 0.42 and 0.43 kept on a block.
///
/// `null` and `{}` are none there, and so is what is no object: 0.44 reads over it.
pub(super) fn additional_params<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Map<String, Value>>, D::Error> {
    Ok(match Option::deserialize(deserializer)? {
        Some(Value::Object(params)) if !params.is_empty() => Some(params),
        _ => None,
    })
}

/// Reads a block from an object as `Fields`, or from a positional array as `Positions`.
///
/// Arrays are a by-way that the published types have because they are derived. They hold the fields of
/// 0.44 and no more, while an object may hold the `additional_params` of before as well. `name` is what
/// the error messages call the block.
pub(super) fn fields_or_positions<'de, D, Fields, Positions>(
    deserializer: D,
    name: &'static str,
    fields: &'static [&'static str],
) -> Result<Fields, D::Error>
where
    D: Deserializer<'de>,
    Fields: Deserialize<'de>,
    Positions: Deserialize<'de> + Into<Fields>,
{
    struct Either<Fields, Positions> {
        name: &'static str,
        types: PhantomData<(Fields, Positions)>,
    }

    impl<'de, Fields, Positions> Visitor<'de> for Either<Fields, Positions>
    where
        Fields: Deserialize<'de>,
        Positions: Deserialize<'de> + Into<Fields>,
    {
        type Value = Fields;

        fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(formatter, "struct {}", self.name)
        }

        fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Fields, A::Error> {
            Fields::deserialize(MapAccessDeserializer::new(map))
        }

        fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Fields, A::Error> {
            Positions::deserialize(SeqAccessDeserializer::new(seq)).map(Into::into)
        }
    }

    deserializer.deserialize_struct(
        name,
        fields,
        Either::<Fields, Positions> {
            name,
            types: PhantomData,
        },
    )
}
