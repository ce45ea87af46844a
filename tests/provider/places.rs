//! Blocks that read the same, and payloads that are empty: each is found at a place of its kind.

use serde_json::{Value, json};
use toolreel::provider::{Fate, Lens, Order, Rendering, names, render};
use toolreel::session::block::{Block, Json, Media, MediaSource};

use super::lookup;

const PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/// The providers of the first columns, and one of every other place that media have.
const PROVIDERS: &[&str] = &[
    "anthropic",
    "openai-chat",
    "openai-responses",
    "gemini:gemini-3-pro-preview",
    "gemini-interactions:gemini-3-pro-preview",
    "bedrock",
    "llamacpp",
    "cohere-native:command-a-vision-07-2025",
    "ollama-native",
];

fn png(data: &str) -> Block {
    Block::Image(Media {
        declared: Some("image/png".to_owned()),
        name: None,
        source: MediaSource::Base64(data.to_owned()),
        detail: None,
    })
}

fn text(text: &str) -> Block {
    Block::Text(text.to_owned())
}

fn sent(blocks: &[Block], name: &str, lens: Lens) -> Rendering {
    render(&lookup(blocks, false), name, lens).expect("a known provider")
}

/// The last key of every block's place.
fn keys(rendering: &Rendering) -> Vec<&str> {
    rendering
        .blocks
        .iter()
        .map(|block| {
            let at = block.at.as_deref().unwrap_or_default();
            at.rsplit('/')
                .find(|key| key.parse::<usize>().is_err())
                .unwrap_or_default()
        })
        .collect()
}

#[test]
fn an_empty_image_is_found_where_it_is_sent() {
    for (name, fate, at) in [
        (
            "anthropic",
            Fate::Native,
            "/messages/0/content/0/content/0/source/data",
        ),
        (
            "openai-chat",
            Fate::Moved,
            "/messages/1/content/1/image_url/url",
        ),
        (
            "openai-responses",
            Fate::Native,
            "/messages/0/output/0/image_url",
        ),
        (
            "gemini:gemini-3-pro-preview",
            Fate::Native,
            "/messages/0/parts/0/functionResponse/parts/0/inlineData/data",
        ),
        (
            "gemini-interactions:gemini-3-pro-preview",
            Fate::Native,
            "/messages/0/result/0/data",
        ),
        (
            "bedrock",
            Fate::Native,
            "/messages/0/content/0/toolResult/content/0/image/source/bytes",
        ),
        ("ollama-native", Fate::Moved, "/messages/1/images/0"),
    ] {
        let rendering = sent(&[png("")], name, Lens::Rig);
        let wire = rendering.wire.as_ref().expect("a wire");
        let block = &rendering.blocks[0];
        assert_eq!(
            (block.fate, block.at.as_deref()),
            (fate, Some(at)),
            "{name}"
        );
        let found = wire.pointer(at).and_then(Value::as_str);
        assert!(
            found.is_some_and(|data| data.is_empty() || data == "data:image/png;base64,"),
            "{name} {wire}"
        );
    }
}

#[test]
fn no_note_lists_nothing_or_what_it_says_is_missing() {
    for name in names(Lens::Rig) {
        for block in [png(""), png(PNG)] {
            let rendering = sent(&[text(""), block], name, Lens::Rig);
            for note in rendering
                .blocks
                .iter()
                .filter_map(|block| block.note.as_deref())
            {
                assert!(!note.contains("takes ,"), "{name} {note}");
                assert!(!note.contains("the block says png"), "{name} {note}");
            }
        }
    }
}

#[test]
fn an_empty_payload_of_mixtapes_is_found_where_it_is_sent() {
    let image = Block::Image(Media {
        declared: Some("webp".to_owned()),
        name: None,
        source: MediaSource::Bytes(Vec::new()),
        detail: None,
    });
    let document = |name: Option<&str>| {
        Block::Document(Media {
            declared: Some("txt".to_owned()),
            name: name.map(str::to_owned),
            source: MediaSource::Bytes(Vec::new()),
            detail: None,
        })
    };
    for (block, anthropic, converse) in [
        (
            image,
            "/messages/0/content/0/content/0/source/data",
            "/messages/0/content/0/toolResult/content/0/image/source/bytes",
        ),
        (
            document(Some("")),
            "/messages/0/content/0/content/0/source/data",
            "/messages/0/content/0/toolResult/content/0/document/source/bytes",
        ),
        (
            document(None),
            "/messages/0/content/0/content/0/source/data",
            "/messages/0/content/0/toolResult/content/0/document/source/bytes",
        ),
    ] {
        for (name, at) in [("anthropic", anthropic), ("bedrock", converse)] {
            let rendering = sent(std::slice::from_ref(&block), name, Lens::Mixtape);
            assert_eq!(rendering.blocks[0].fate, Fate::Native, "{name} {at}");
            assert_eq!(rendering.blocks[0].at.as_deref(), Some(at), "{name}");
            assert_eq!(rendering.blocks[0].note, None, "{name} {at}");
        }
    }
}

#[test]
fn a_text_that_is_the_data_of_an_image_stays_a_text() {
    for data in [PNG, ""] {
        for name in PROVIDERS {
            let alone = keys(&sent(&[png(data)], name, Lens::Rig))[0].to_owned();
            for texts_first in [true, false] {
                let mut blocks = [text(PNG), png(data)];
                if !texts_first {
                    blocks.reverse();
                }
                let rendering = sent(&blocks, name, Lens::Rig);
                let (said, seen) = if texts_first { (0, 1) } else { (1, 0) };
                let keys = keys(&rendering);
                assert_eq!(keys[seen], alone, "{name}");
                assert!(
                    ["text", "content", "output", "result"].contains(&keys[said]),
                    "{name} {keys:?}"
                );
                for block in &rendering.blocks {
                    assert_ne!(block.fate, Fate::Dropped, "{name}");
                }
                // Gemini's fields tell no order.
                let told = if name.starts_with("gemini:") {
                    Order::Lost
                } else {
                    Order::Kept
                };
                assert_eq!(rendering.order, Some(told), "{name}");
            }
        }
    }
}

#[test]
fn a_document_that_is_sent_as_text_takes_no_place_of_an_image_with_its_bytes() {
    let document = Block::Document(Media {
        declared: Some("image/png".to_owned()),
        name: None,
        source: MediaSource::Base64(PNG.to_owned()),
        detail: None,
    });
    for name in PROVIDERS {
        let rendering = sent(&[document.clone(), png(PNG)], name, Lens::Rig);
        assert_eq!(rendering.blocks[0].fate, Fate::Described, "{name}");
        assert!(
            matches!(rendering.blocks[1].fate, Fate::Native | Fate::Moved),
            "{name}"
        );
    }
}

#[test]
fn json_that_reads_as_a_part_of_the_wire_is_no_part_of_it() {
    let value = |value: Value| {
        Block::Json(Json {
            value,
            structured_content: false,
        })
    };
    let source = json!({"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG}});
    let rendering = sent(&[value(source), png(PNG)], "anthropic", Lens::Rig);
    assert_eq!(keys(&rendering), ["text", "data"]);
    assert_eq!(rendering.blocks[0].fate, Fate::Converted);
    assert_eq!(rendering.blocks[1].fate, Fate::Native);

    // Converse wraps what is no object; what reads as wrapped may be a block itself.
    let rendering = sent(
        &[value(json!(5)), value(json!({"result": 5}))],
        "bedrock",
        Lens::Rig,
    );
    let places: Vec<_> = rendering
        .blocks
        .iter()
        .map(|block| block.at.as_deref().unwrap_or_default())
        .collect();
    assert_eq!(
        places,
        [
            "/messages/0/content/0/toolResult/content/0/json/result",
            "/messages/0/content/0/toolResult/content/1/json"
        ]
    );
    // A value inside another's is not a block.
    let rendering = sent(
        &[value(json!([[1]])), value(json!([1]))],
        "gemini:gemini-3-pro-preview",
        Lens::Rig,
    );
    assert_eq!(
        rendering.blocks[1].at.as_deref(),
        Some("/messages/0/parts/0/functionResponse/response/result/1")
    );
}
