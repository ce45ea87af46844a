//! mixtape-core's tool result.

use conformance::json::{self, object, words};
use conformance::mutate::nearly;
use conformance::{config, read_text, read_value, written};
use mixtape_core as published;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::Value;
use toolreel::tool::mixtape as ours;

const IMAGES: [(ours::ImageFormat, published::ImageFormat); 4] = {
    use ours::ImageFormat as O;
    use published::ImageFormat as P;
    [
        (O::Png, P::Png),
        (O::Jpeg, P::Jpeg),
        (O::Gif, P::Gif),
        (O::Webp, P::Webp),
    ]
};

const DOCUMENTS: [(ours::DocumentFormat, published::DocumentFormat); 9] = {
    use ours::DocumentFormat as O;
    use published::DocumentFormat as P;
    [
        (O::Pdf, P::Pdf),
        (O::Csv, P::Csv),
        (O::Doc, P::Doc),
        (O::Docx, P::Docx),
        (O::Html, P::Html),
        (O::Md, P::Md),
        (O::Txt, P::Txt),
        (O::Xls, P::Xls),
        (O::Xlsx, P::Xlsx),
    ]
};

/// The same result, built with the constructors of both.
fn pair() -> BoxedStrategy<(ours::ToolResult, published::ToolResult)> {
    let bytes = || vec(any::<u8>(), 0..8);
    prop_oneof![
        words().prop_map(|text| (
            ours::ToolResult::text(&*text),
            published::ToolResult::text(&*text)
        )),
        words().prop_map(|text| (text.clone().into(), text.into())),
        words().prop_map(|text| (text.as_str().into(), text.as_str().into())),
        json::value().prop_map(|value| {
            let read = "a value has a JSON form";
            (
                ours::ToolResult::json(&value).expect(read),
                published::ToolResult::json(&value).expect(read),
            )
        }),
        (select(&IMAGES[..]), bytes()).prop_map(|((o, p), data)| {
            (
                ours::ToolResult::image(o, data.clone()),
                published::ToolResult::image(p, data),
            )
        }),
        (select(&DOCUMENTS[..]), bytes()).prop_map(|((o, p), data)| {
            (
                ours::ToolResult::document(o, data.clone()),
                published::ToolResult::document(p, data),
            )
        }),
        (select(&DOCUMENTS[..]), bytes(), words()).prop_map(|((o, p), data, name)| {
            (
                ours::ToolResult::document_with_name(o, data.clone(), &*name),
                published::ToolResult::document_with_name(p, data, name),
            )
        }),
    ]
    .boxed()
}

/// JSON that is a result, or nearly one.
fn stored() -> BoxedStrategy<Value> {
    let right = prop_oneof![
        3 => pair().prop_map(|(ours, _)| serde_json::to_value(ours).expect("a result has a JSON form")),
        1 => json::value().prop_map(|value| object([("Json", value)])),
    ];
    nearly(
        right.boxed(),
        &[
            "Text", "Json", "Image", "Document", "format", "data", "name", "extra",
        ],
    )
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn results_are_told_and_written_alike((ours, published) in pair()) {
        prop_assert_eq!(ours.as_text(), published.as_text());
        prop_assert_eq!(ours.as_str(), published.as_str());
        prop_assert_eq!(written(&ours), written(&published));
        prop_assert_eq!(format!("{ours:?}"), format!("{published:?}"));
        prop_assert_eq!(written(&ours.clone()), written(&published.clone()));
    }

    #[test]
    fn stored_results_are_read_alike(stored in stored()) {
        prop_assert_eq!(read_value::<ours::ToolResult>(&stored), read_value::<published::ToolResult>(&stored));
        let text = stored.to_string();
        prop_assert_eq!(read_text::<ours::ToolResult>(&text), read_text::<published::ToolResult>(&text));
    }

    #[test]
    fn any_json_is_read_or_refused_alike(
        text in json::text_with_keys(&["Text", "Json", "Image", "Document", "format", "data", "name"])
    ) {
        prop_assert_eq!(read_text::<ours::ToolResult>(&text), read_text::<published::ToolResult>(&text));
    }
}

#[test]
fn what_has_no_json_form_is_refused_alike() {
    let ours = ours::ToolResult::json(u128::MAX).expect_err("too large");
    let published = published::ToolResult::json(u128::MAX).expect_err("too large");
    assert_eq!(ours.to_string(), published.to_string());
}
