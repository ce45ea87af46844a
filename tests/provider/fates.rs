//! What became of each block.

use base64::Engine as _;
use proptest::prelude::*;
use serde_json::{Value, json};
use toolreel::provider::{ErrorFlag, Fate, Lens, Order, Rendering, names, render};
use toolreel::session::block::{Block, Json, Media, MediaSource};

use super::{case, lookup};

fn rig(name: &str, case_name: &str) -> Rendering {
    render(&case(case_name), name, Lens::Rig).expect("a known provider")
}

/// The first letters of the fates, in order: `n`ative, `c`onverted, `m`oved, `d`ropped, `r`efused.
fn letters(rendering: &Rendering) -> String {
    rendering
        .blocks
        .iter()
        .map(|block| &block.fate.name()[..1])
        .collect()
}

/// The published table: text, empty text, JSON object, JSON array, png, image URL, svg, text and
/// image, text and JSON, two texts.
#[test]
fn the_fates_are_those_of_the_published_table() {
    let cases = [
        "text",
        "text_empty",
        "json_object",
        "json_array",
        "image_png_b64",
        "image_url",
        "image_b64_svg",
        "text+image",
        "text+json",
        "text+text",
    ];
    for (name, expected) in [
        ("anthropic", "n d c c n n d nn nc nn"),
        ("anthropic-format:zai", "n d c c d d d cd cc cc"),
        ("openai-chat", "n d c c m m m cm cc cc"),
        ("openai-chat:gpt-3.5-turbo", "n d c c d d d cd cc cc"),
        ("openai-chat-array", "n d c c m m m nm nc nn"),
        ("openai-responses", "n d c c n n n nn nc nn"),
        ("openai-responses:o1-mini", "c d c c d d d cd cc cc"),
        ("hyperbolic", "c d c c m m m cm cc cc"),
        ("llamacpp", "n d c c n n n nn cc cc"),
        ("ollama-compat:llava", "n d c c m d m cm cc cc"),
        (
            "cohere-native:command-a-vision-07-2025",
            "n d c c m m m cm cc cc",
        ),
        ("ollama-native", "n d c c m d m cm cc cc"),
        ("gemini:gemini-2.5-flash", "n d n n m d d cm cc cc"),
        ("gemini:gemini-3-pro-preview", "n d n n n d d nn nn nn"),
        ("vertexai:gemini-3-pro-preview", "n d n n n d d nn nn nn"),
        (
            "gemini-interactions:gemini-3-pro-preview",
            "n d n n n d d nn nc nn",
        ),
        ("bedrock", "n d n n n d d nn nn nn"),
        ("bedrock:amazon.nova-micro-v1:0", "n d n n d d d cd cc cc"),
    ] {
        let found: Vec<String> = cases.iter().map(|case| letters(&rig(name, case))).collect();
        assert_eq!(found.join(" "), expected, "{name}");
    }
}

#[test]
fn the_error_flag_is_kept_or_lost_as_published() {
    let flag = |name, case| rig(name, case).error_flag.expect("an error");
    for (name, text, image) in [
        ("anthropic", ErrorFlag::Kept, ErrorFlag::Kept),
        ("openai-chat", ErrorFlag::Lost, ErrorFlag::Lost),
        ("openai-responses", ErrorFlag::Lost, ErrorFlag::Lost),
        (
            "openai-responses:o1-mini",
            ErrorFlag::InText,
            ErrorFlag::InText,
        ),
        ("cohere-native", ErrorFlag::Lost, ErrorFlag::Lost),
        ("ollama-native", ErrorFlag::Lost, ErrorFlag::Lost),
        ("gemini:gemini-2.5-flash", ErrorFlag::Kept, ErrorFlag::Kept),
        (
            "gemini:gemini-3-pro-preview",
            ErrorFlag::Kept,
            ErrorFlag::Lost,
        ),
        ("gemini-interactions", ErrorFlag::Kept, ErrorFlag::Kept),
        ("bedrock", ErrorFlag::Kept, ErrorFlag::Kept),
        (
            "bedrock:us.meta.llama4-maverick-17b-instruct-v1:0",
            ErrorFlag::Lost,
            ErrorFlag::Lost,
        ),
    ] {
        assert_eq!(
            (flag(name, "err_text"), flag(name, "err_image")),
            (text, image),
            "{name}"
        );
    }
    assert_eq!(flag("openai-chat", "err_empty"), ErrorFlag::InText);
    assert_eq!(rig("anthropic", "text").error_flag, None);
}

#[test]
fn the_order_is_lost_where_fields_tell_none() {
    for (name, order) in [
        ("anthropic", Order::Kept),
        ("openai-chat", Order::Kept),
        ("openai-responses", Order::Kept),
        ("gemini:gemini-2.5-flash", Order::Kept),
        ("gemini:gemini-3-pro-preview", Order::Lost),
        ("gemini-interactions:gemini-3-pro-preview", Order::Kept),
        ("bedrock", Order::Kept),
    ] {
        for case in ["text+image+json", "image+text"] {
            assert_eq!(rig(name, case).order, Some(order), "{name} {case}");
        }
        assert_eq!(rig(name, "text+json").order, Some(Order::Kept), "{name}");
    }
}

#[test]
fn the_notes_say_what_a_reader_should_know() {
    let note = |name, case, block: usize| {
        let rendering = rig(name, case);
        let fate = rendering
            .blocks
            .into_iter()
            .nth(block - 1)
            .expect("a block");
        (fate.at.unwrap_or_default(), fate.note.unwrap_or_default())
    };
    for (name, case, block, at, words) in [
        (
            "openai-chat",
            "text+image+json",
            3,
            "/messages/0/content",
            "as its compact JSON; joined with \"\\n\" into one string with block 1 and the notice for block 2",
        ),
        (
            "openai-chat",
            "text+image+json",
            2,
            "/messages/1/content/1/image_url/url",
            "to the user's message after the result, which holds \"(see attached image)\"",
        ),
        (
            "anthropic",
            "image_b64_svg",
            1,
            "",
            "this wire takes jpeg, png, gif and webp, and the block says svg; in its place: \
             \"(tool image omitted: model does not support images)\"",
        ),
        (
            "anthropic",
            "image_png_b64_low",
            1,
            "/messages/0/content/0/content/0/source/data",
            "without its detail setting, low",
        ),
        (
            "openai-responses",
            "image_png_b64_low",
            1,
            "/messages/0/output/0/image_url",
            "",
        ),
        (
            "bedrock",
            "json_array",
            1,
            "/messages/0/content/0/toolResult/content/0/json/result",
            "inside {\"result\": …}: this field takes objects only",
        ),
        (
            "gemini",
            "json_string",
            1,
            "/messages/0/parts/0/functionResponse/response/result",
            "a bare string: reads the same as text",
        ),
        (
            "gemini",
            "json_array",
            1,
            "/messages/0/parts/0/functionResponse/response/result",
            "",
        ),
        ("bedrock", "empty+text", 1, "", "blank text is left out"),
        (
            "anthropic",
            "text_blank",
            1,
            "",
            "blank; in its place: \"(no tool output)\"",
        ),
        (
            "mira",
            "text",
            1,
            "/messages/0/content",
            "in a text of the user that begins with \"[tool lookup result]\"",
        ),
        (
            "openai-chat:gpt-3.5-turbo",
            "text+image",
            1,
            "/messages/0/content",
            "joined with \"\\n\" into one string with the notice for block 2",
        ),
    ] {
        assert_eq!(
            note(name, case, block),
            (at.to_owned(), words.to_owned()),
            "{name} {case}"
        );
    }
}

#[test]
fn a_wrong_label_is_told_where_the_image_is_sent() {
    let png = base64::prelude::BASE64_STANDARD.encode(b"\x89PNG\r\n\x1a\n");
    let image = Block::Image(Media {
        declared: Some("image/jpeg".to_owned()),
        name: None,
        source: MediaSource::Base64(png),
        detail: None,
    });
    let rendering = render(&lookup(&[image], false), "anthropic", Lens::Rig).expect("known");
    assert_eq!(rendering.blocks[0].fate, Fate::Native);
    assert_eq!(
        rendering.blocks[0].note.as_deref(),
        Some("says jpeg, bytes are png")
    );
}

#[test]
fn media_that_rig_has_no_block_for_is_described_or_told_as_text() {
    let media = |declared: &str, source| Media {
        declared: Some(declared.to_owned()),
        name: Some("notes".to_owned()),
        source,
        detail: None,
    };
    let blocks = [
        Block::Document(media(
            "application/pdf",
            MediaSource::Bytes(b"%PDF-1.7 and more".to_vec()),
        )),
        Block::Document(media(
            "text/markdown",
            MediaSource::Bytes(b"# Heading\n\ntext".to_vec()),
        )),
        Block::Audio(media(
            "audio/wav",
            MediaSource::Base64("QUJDRA==".to_owned()),
        )),
        Block::Resource {
            uri: "file:///a.txt".to_owned(),
            media: media("text/plain", MediaSource::Text("body".to_owned())),
        },
        Block::ResourceLink {
            uri: "file:///b".to_owned(),
            value: json!({"uri": "file:///b"}),
        },
    ];
    let rendering = render(&lookup(&blocks, false), "anthropic", Lens::Rig).expect("known");
    let fates: Vec<Fate> = rendering.blocks.iter().map(|block| block.fate).collect();
    assert_eq!(
        fates,
        [
            Fate::Described,
            Fate::Converted,
            Fate::Described,
            Fate::Converted,
            Fate::Converted
        ]
    );
    let wire = rendering.wire.expect("a wire");
    let told =
        |index: usize| wire.pointer(rendering.blocks[index].at.as_deref().unwrap_or_default());
    assert_eq!(told(0), Some(&json!("[Document: Pdf, notes, 17 bytes]")));
    assert_eq!(told(1), Some(&json!("# Heading\n\ntext")));
    assert_eq!(told(2), Some(&json!("[Audio: Wav, notes, 4 bytes]")));
    assert_eq!(told(3), Some(&json!("body")));
    assert_eq!(
        rendering.blocks[0].note.as_deref(),
        Some("no document block here: a line tells of it")
    );
}

#[test]
fn a_text_that_looks_like_the_senders_own_is_still_found() {
    for text in [
        "(see attached image)",
        "[tool lookup result] x",
        "call_1",
        "lookup",
        "user",
        "(no tool output)",
    ] {
        let subject = lookup(&[Block::Text(text.to_owned())], false);
        for name in names(Lens::Rig) {
            let rendering = render(&subject, name, Lens::Rig).expect("known");
            assert_ne!(rendering.blocks[0].fate, Fate::Dropped, "{name} {text}");
        }
    }
}

fn json_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        "[a-z\n\"é]{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map("[a-z]{1,6}|result|type|text", inner, 0..4)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

fn block() -> impl Strategy<Value = Block> {
    let declared = prop_oneof![
        Just(None),
        Just(Some("png")),
        Just(Some("image/svg+xml")),
        Just(Some("image/jpeg"))
    ];
    let source = prop_oneof![
        prop::collection::vec(any::<u8>(), 0..30)
            .prop_map(|bytes| MediaSource::Base64(base64::prelude::BASE64_STANDARD.encode(bytes))),
        prop::collection::vec(any::<u8>(), 0..30).prop_map(MediaSource::Bytes),
        "https://[a-z]{4,9}/[a-z]{4}".prop_map(MediaSource::Url),
        "file_[a-z]{5}".prop_map(MediaSource::FileId),
        Just(MediaSource::Absent),
    ];
    prop_oneof![
        "[ -~\n\té漢]{0,30}".prop_map(Block::Text),
        "[a-z]{1,3}(\n[a-z]{1,3}){0,3}".prop_map(Block::Text),
        "[ \n]{0,2}|\\(see attached image\\)|\\(no tool output\\)|\"x\"|x".prop_map(Block::Text),
        Just(Block::Json(Json {
            value: json!("x"),
            structured_content: false
        })),
        json_value().prop_map(|value| Block::Json(Json {
            value,
            structured_content: false
        })),
        (declared, source).prop_map(|(declared, source)| Block::Image(Media {
            declared: declared.map(str::to_owned),
            name: None,
            source,
            detail: None,
        })),
    ]
}

/// Whether the value at a pointer holds the block, by means other than the library's search.
fn holds(value: &Value, block: &Block) -> bool {
    let string = |wanted: &str| value.as_str().is_some_and(|text| text.contains(wanted));
    match block {
        Block::Text(text) => string(text),
        Block::Json(json) => *value == json.value || string(&json.value.to_string()),
        Block::Image(media) => match &media.source {
            MediaSource::Base64(data) => string(data),
            MediaSource::Bytes(bytes) => string(&base64::prelude::BASE64_STANDARD.encode(bytes)),
            MediaSource::Url(text) | MediaSource::FileId(text) => string(text),
            _ => false,
        },
        _ => false,
    }
}

proptest! {
    #[test]
    fn no_rendering_claims_what_it_does_not_carry(
        blocks in prop::collection::vec(block(), 0..6),
        is_error: bool,
    ) {
        let subject = lookup(&blocks, is_error);
        for name in names(Lens::Rig) {
            let rendering = render(&subject, name, Lens::Rig).expect("known");
            prop_assert_eq!(rendering.blocks.len(), blocks.len());
            let Some(wire) = &rendering.wire else { continue };
            let written = wire.to_string();
            prop_assert_eq!(rendering.bytes, written.len() as u64);
            for (block, fate) in blocks.iter().zip(&rendering.blocks) {
                let Some(at) = &fate.at else {
                    prop_assert_eq!(fate.fate, Fate::Dropped, "{}", name);
                    // What is dropped is blank, or an image that stands nowhere.
                    match block {
                        Block::Text(text) => prop_assert!(text.trim().is_empty(), "{} {:?} {}", name, text, wire),
                        Block::Image(media) => {
                            if let MediaSource::Url(sign) | MediaSource::FileId(sign) = &media.source {
                                prop_assert!(!written.contains(sign.as_str()), "{} {}", name, wire);
                            }
                        }
                        other => prop_assert!(false, "{} {:?} {}", name, other, wire),
                    }
                    continue;
                };
                let value = wire.pointer(at);
                prop_assert!(value.is_some_and(|value| holds(value, block)), "{} {:?} {}", name, fate, wire);
                prop_assert!(!matches!(fate.fate, Fate::Dropped | Fate::Refused));
            }
        }
    }
}
