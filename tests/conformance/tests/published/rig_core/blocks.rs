//! The same blocks for both, and JSON that is nearly blocks.

use conformance::json::{self, object, words};
use conformance::mutate::nearly;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use rig_core::message as published;
use serde_json::Value;
use toolreel::tool::rig as ours;

/// A block, in both types.
pub type Pair = (ours::ToolResultContent, published::ToolResultContent);

const TYPES: [(ours::ImageMediaType, published::ImageMediaType); 7] = {
    use ours::ImageMediaType as O;
    use published::ImageMediaType as P;
    [
        (O::JPEG, P::JPEG),
        (O::PNG, P::PNG),
        (O::GIF, P::GIF),
        (O::WEBP, P::WEBP),
        (O::HEIC, P::HEIC),
        (O::HEIF, P::HEIF),
        (O::SVG, P::SVG),
    ]
};

const DETAILS: [(ours::ImageDetail, published::ImageDetail); 3] = {
    use ours::ImageDetail as O;
    use published::ImageDetail as P;
    [(O::Low, P::Low), (O::High, P::High), (O::Auto, P::Auto)]
};

/// A block, built in the same way for both.
pub fn pair() -> BoxedStrategy<Pair> {
    use ours::ToolResultContent as O;
    use published::ToolResultContent as P;
    prop_oneof![
        4 => words().prop_map(|text| (O::text(&*text), P::text(text))),
        1 => words().prop_map(|text| (O::from(text.clone()), P::from(text))),
        4 => json::value().prop_map(|value| (O::json(value.clone()), P::json(value))),
        5 => (source(), option::of(select(&TYPES[..])), option::of(select(&DETAILS[..]))).prop_map(
            |(source, media_type, detail)| {
                let (our_type, published_type) = media_type.unzip();
                let (our_detail, published_detail) = detail.unzip();
                image(source, (our_type, our_detail), (published_type, published_detail))
            },
        ),
        1 => (words(), json::value(), any::<u64>()).prop_map(|(text, item, fingerprint)| {
            let native = object([("item", item), ("fingerprint", format!("{fingerprint:016x}").into())]);
            let mut ours = ours::Text::new(&*text);
            ours.native = serde_json::from_value(native.clone()).expect("an item");
            let mut published = published::Text::new(text);
            published.native = serde_json::from_value(native).expect("an item");
            (O::Text(ours), P::Text(published))
        }),
    ]
    .boxed()
}

/// Where an image is.
#[derive(Debug, Clone)]
enum Source {
    Base64(String),
    Raw(Vec<u8>),
    Url(String),
    FileId(String),
    Text(String),
    Unknown,
}

fn source() -> impl Strategy<Value = Source> {
    prop_oneof![
        select(&["", "QUJD", "!"][..]).prop_map(|data| Source::Base64(data.to_owned())),
        vec(any::<u8>(), 0..5).prop_map(Source::Raw),
        words().prop_map(Source::Url),
        words().prop_map(Source::FileId),
        words().prop_map(Source::Text),
        Just(Source::Unknown),
    ]
}

fn image(
    source: Source,
    (our_type, our_detail): (Option<ours::ImageMediaType>, Option<ours::ImageDetail>),
    (published_type, published_detail): (
        Option<published::ImageMediaType>,
        Option<published::ImageDetail>,
    ),
) -> Pair {
    use ours::ToolResultContent as O;
    use published::ToolResultContent as P;
    let (our_data, published_data) = match source {
        Source::Base64(data) => {
            return (
                O::image_base64(&*data, our_type, our_detail),
                P::image_base64(data, published_type, published_detail),
            );
        }
        Source::Raw(data) => {
            return (
                O::image_raw(data.clone(), our_type, our_detail),
                P::image_raw(data, published_type, published_detail),
            );
        }
        Source::Url(data) => {
            return (
                O::image_url(&*data, our_type, our_detail),
                P::image_url(data, published_type, published_detail),
            );
        }
        Source::FileId(id) => (
            ours::DocumentSourceKind::file_id(&*id),
            published::DocumentSourceKind::file_id(id),
        ),
        Source::Text(text) => (
            ours::DocumentSourceKind::string(&*text),
            published::DocumentSourceKind::string(text),
        ),
        Source::Unknown => (
            ours::DocumentSourceKind::Unknown,
            published::DocumentSourceKind::Unknown,
        ),
    };
    let ours = ours::Image {
        data: our_data,
        media_type: our_type,
        detail: our_detail,
        ..Default::default()
    };
    let published = published::Image {
        data: published_data,
        media_type: published_type,
        detail: published_detail,
        ..Default::default()
    };
    (O::Image(ours), P::Image(published))
}

/// JSON that is a list of blocks, or nearly one.
pub fn stored() -> BoxedStrategy<Value> {
    let block = prop_oneof![
        3 => pair().prop_map(|(ours, _)| serde_json::to_value(ours).expect("a block has a JSON form")),
        1 => (words(), citations()).prop_map(|(text, citations)| {
            object([("type", "text".into()), ("text", text.into()), ("citations", citations)])
        }),
        1 => (json::value(), json::value()).prop_map(|(item, fingerprint)| {
            let native = object([("item", item), ("fingerprint", fingerprint)]);
            object([("type", "text".into()), ("text", "t".into()), ("native", native)])
        }),
    ];
    nearly(vec(block, 0..4).prop_map(Value::from).boxed(), KEYS)
}

/// The keys of blocks. Not among them is `additional_params`, which 0.44 reads over and toolreel keeps.
pub const KEYS: &[&str] = &[
    "type",
    "text",
    "value",
    "data",
    "media_type",
    "detail",
    "native",
    "citations",
    "extra",
];

fn citations() -> impl Strategy<Value = Value> {
    let location = select(
        &[
            r#"{"type":"document","index":1,"within":{"unit":"pages","start":1,"end":2}}"#,
            r#"{"type":"document","id":"d","within":{"unit":"chars","start":0,"end":18446744073709551615}}"#,
            r#"{"type":"document","within":{"unit":"blocks","start":0,"end":1}}"#,
            r#"{"type":"url","url":"https://e.x"}"#,
            r#"{"type":"file","file_id":"f","filename":"n","container_id":"c"}"#,
            r#"{"type":"search_result","index":0,"source":"s","blocks":{"start":0,"end":1}}"#,
            r#"{"type":"tool_output","id":"call_1"}"#,
        ][..],
    )
    .prop_map(|text| serde_json::from_str::<Value>(text).expect("test data"));
    let source = (
        location,
        option::of(words()),
        option::of(any::<f32>().prop_filter("finite", |f| f.is_finite())),
    )
        .prop_map(|(location, title, confidence)| {
            object([
                ("location", location),
                ("title", title.clone().into()),
                ("cited_text", title.into()),
                ("confidence", confidence.into()),
            ])
        });
    let span = option::of((0..6_usize, 0..6_usize)).prop_map(|span| {
        span.map_or(Value::Null, |(start, end)| {
            object([("start", start.into()), ("end", end.into())])
        })
    });
    let citation = (span, vec(source, 0..2))
        .prop_map(|(span, sources)| object([("span", span), ("sources", sources.into())]));
    (vec(citation, 0..3), any::<u64>()).prop_map(|(list, fingerprint)| {
        object([
            ("fingerprint", format!("{fingerprint:x}").into()),
            ("list", list.into()),
        ])
    })
}
