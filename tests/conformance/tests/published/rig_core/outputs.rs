//! Outputs: built, told, written and read.

use conformance::{config, json, read_text, read_value, written};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use rig_core::message as published_message;
use rig_core::tool as published;
use serde_json::Value;
use toolreel::tool::rig as ours;

use super::blocks::{self, Pair};

/// What an output tells of itself.
fn ours_told(output: &ours::ToolOutput) -> [String; 6] {
    [
        output.render(),
        format!("{output:?}"),
        format!("{:?}", output.as_text()),
        format!("{:?}", output.as_json()),
        format!("{:?}", output.as_content()),
        written(output),
    ]
}

/// What the published output tells of itself.
fn published_told(output: &published::ToolOutput) -> [String; 6] {
    [
        output.render(),
        format!("{output:?}"),
        format!("{:?}", output.as_text()),
        format!("{:?}", output.as_json()),
        format!("{:?}", output.as_content()),
        written(output),
    ]
}

/// An output, built in the same way for both.
fn pair() -> BoxedStrategy<(ours::ToolOutput, published::ToolOutput)> {
    use ours::ToolOutput as O;
    use published::ToolOutput as P;
    prop_oneof![
        json::words().prop_map(|text| (O::text(&*text), P::text(text))),
        json::words().prop_map(|text| (O::from(text.as_str()), P::from(text.as_str()))),
        json::words().prop_map(|text| (O::from(text.clone()), P::from(text))),
        json::value().prop_map(|value| (O::json(value.clone()), P::json(value))),
        json::value().prop_map(|value| (O::from(value.clone()), P::from(value))),
        blocks::pair().prop_map(|(o, p)| (O::one(o), P::one(p))),
        blocks::pair().prop_map(|(o, p)| (O::from(o), P::from(p))),
    ]
    .boxed()
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn outputs_tell_the_same((ours, published) in pair()) {
        prop_assert_eq!(ours_told(&ours), published_told(&published));
        prop_assert_eq!(ours.clone() == ours, published.clone() == published);
        prop_assert_eq!(written(&ours.into_content()), written(&published.into_content()));
    }

    #[test]
    fn lists_of_blocks_are_taken_or_refused_alike(pairs in vec(blocks::pair(), 0..4)) {
        let (our_blocks, published_blocks): (Vec<_>, Vec<_>) = pairs.into_iter().unzip();
        for with_try_from in [false, true] {
            let (ours, published) = if with_try_from {
                (our_blocks.clone().try_into(), published_blocks.clone().try_into())
            } else {
                (ours::ToolOutput::content(our_blocks.clone()), published::ToolOutput::content(published_blocks.clone()))
            };
            match (ours, published) {
                (Ok(ours), Ok(published)) => prop_assert_eq!(ours_told(&ours), published_told(&published)),
                (Err(ours), Err(published)) => {
                    prop_assert_eq!(format!("{ours} {ours:?}"), format!("{published} {published:?}"));
                    prop_assert_eq!(written(&ours), written(&published));
                }
                (ours, published) => prop_assert!(false, "{:?} and {:?}", ours, published),
            }
        }
    }

    #[test]
    fn equality_is_the_same((a, published_a) in pair(), (b, published_b) in pair()) {
        prop_assert_eq!(a == b, published_a == published_b);
    }

    #[test]
    fn blocks_tell_the_same(pair in blocks::pair()) {
        let (ours, published): Pair = pair;
        prop_assert_eq!(format!("{ours:?}"), format!("{published:?}"));
        prop_assert_eq!(ours.as_text(), published.as_text());
        prop_assert_eq!(ours.as_json(), published.as_json());
        let told = |read: Result<Value, serde_json::Error>| read.map_err(|error| error.to_string());
        prop_assert_eq!(told(ours.deserialize_json()), told(published.deserialize_json()));
        let told = |read: Result<Vec<u8>, serde_json::Error>| read.map_err(|error| error.to_string());
        prop_assert_eq!(told(ours.deserialize_json()), told(published.deserialize_json()));
        if let (ours::ToolResultContent::Image(ours), published_message::ToolResultContent::Image(published)) = (ours, published) {
            prop_assert_eq!(ours.data.to_string(), published.data.to_string());
            prop_assert_eq!(ours.data.try_into_inner(), published.data.try_into_inner());
        }
    }

    #[test]
    fn stored_outputs_are_read_alike(stored in blocks::stored()) {
        prop_assert_eq!(read_value::<ours::ToolOutput>(&stored), read_value::<published::ToolOutput>(&stored));
        let text = stored.to_string();
        prop_assert_eq!(read_text::<ours::ToolOutput>(&text), read_text::<published::ToolOutput>(&text));
        // `Debug` of an output is redacted; that of its blocks is not.
        prop_assert_eq!(
            read_value::<Vec<ours::ToolResultContent>>(&stored),
            read_value::<Vec<published_message::ToolResultContent>>(&stored)
        );
        if let (Ok(ours), Ok(published)) = (
            serde_json::from_value::<ours::ToolOutput>(stored.clone()),
            serde_json::from_value::<published::ToolOutput>(stored),
        ) {
            prop_assert_eq!(ours_told(&ours), published_told(&published));
        }
    }

    #[test]
    fn any_json_is_read_or_refused_alike(text in json::text_with_keys(blocks::KEYS)) {
        for text in [format!("[{text}]"), text] {
            prop_assert_eq!(read_text::<ours::ToolOutput>(&text), read_text::<published::ToolOutput>(&text));
        }
    }

    /// What the generation before kept, 0.44 reads over and toolreel keeps; nothing else differs.
    #[test]
    fn extra_parameters_are_all_that_is_kept_beyond(stored in blocks::stored(), params in json::value()) {
        let mut with_params = stored.clone();
        for block in with_params.as_array_mut().into_iter().flatten() {
            if let Some(fields) = block.as_object_mut() {
                fields.insert("additional_params".to_owned(), params.clone());
            }
        }
        let parsed = |(json, debug): (String, String)| {
            (serde_json::from_str::<Value>(&json).expect("written JSON"), debug)
        };
        let mut ours = read_value::<ours::ToolOutput>(&with_params).map(parsed);
        if let Ok((blocks, _)) = &mut ours {
            for fields in blocks.as_array_mut().into_iter().flatten().filter_map(Value::as_object_mut) {
                if let Some(kept) = fields.shift_remove("additional_params") {
                    prop_assert_eq!(&kept, &params);
                    prop_assert!(kept.as_object().is_some_and(|params| !params.is_empty()));
                }
            }
        }
        prop_assert_eq!(ours, read_value::<published::ToolOutput>(&with_params).map(parsed));
    }

    #[test]
    fn names_of_types_and_details_are_read_alike(
        name in prop_oneof![
            select(&[
                "image/jpeg", "image/png", "image/gif", "image/webp", "image/heic", "image/heif", "image/svg+xml",
                "image/jpg", "image/svg", "IMAGE/PNG", "png", "", "low", "High", "AUTO", "loW",
            ][..]).prop_map(str::to_owned),
            json::words(),
        ],
    ) {
        let ours = ours::ImageMediaType::from_mime_type(&name);
        let published = <published_message::ImageMediaType as published_message::MimeType>::from_mime_type(&name);
        prop_assert_eq!(ours.map(ours::ImageMediaType::to_mime_type), published.as_ref().map(rig_core::message::MimeType::to_mime_type));
        prop_assert_eq!(format!("{ours:?}"), format!("{published:?}"));
        prop_assert_eq!(
            format!("{:?}", name.parse::<ours::ImageDetail>()),
            format!("{:?}", name.parse::<published_message::ImageDetail>())
        );
    }
}
