use super::*;
use crate::replay::seen::{Never, Reach, Seen, SeenBlock, SeenUnit, Span};
use crate::session::event::{Event, EventId};
use crate::tui::tabs::testing::{context, demo, drawn, event, lines};

fn id(index: usize) -> EventId {
    EventId::from_index(index).unwrap()
}

/// What the model had of #6 of the demo.
fn paged() -> Seen {
    let span = |range: std::ops::Range<u64>, reach| Span {
        range,
        reach,
        recorded: true,
    };
    Seen {
        blocks: vec![SeenBlock {
            unit: SeenUnit::Items,
            spans: vec![
                span(0..64, Reach::Sent),
                span(64..128, Reach::ReadLater(id(9))),
                span(128..192, Reach::ReadLater(id(11))),
                span(192..256, Reach::Never(Never::AskedAfterRelease(id(28)))),
                span(256..320, Reach::Never(Never::NotAsked)),
                span(320..384, Reach::Never(Never::NotAsked)),
                span(384..412, Reach::Never(Never::NotAsked)),
            ],
        }],
    }
}

struct Pane {
    tab: BlocksTab,
    data: BlocksData,
    size: (u16, u16),
}

impl Pane {
    fn new(event: &Event, seen: Option<&Seen>, size: (u16, u16)) -> Self {
        let call = None;
        let sheet = build::Shown {
            event,
            call,
            arguments_above: true,
            seen,
            items: None,
        }
        .sheet();
        let data = BlocksData {
            sheet,
            paging: seen.map(|_| Paging {
                handle: CachedResultHandle("mcp-cache-0".to_owned()),
                first_page: 64,
                total: 412,
            }),
            size,
            missing: false,
        };
        let mut tab = BlocksTab::default();
        tab.arrive(&data, false);
        Self { tab, data, size }
    }

    fn act(&mut self, action: &Action) -> Outcome {
        let context = context(self.size.0, self.size.1);
        self.tab.update(&self.data, action, context)
    }

    fn screen(&self) -> String {
        drawn(self.size.0, self.size.1, |canvas| {
            self.tab.view(&self.data, canvas, &Theme::plain());
        })
    }
}

fn search_issues(size: (u16, u16)) -> Pane {
    let session = demo("released-too-early");
    Pane::new(&event(&session, 6), Some(&paged()), size)
}

#[test]
fn the_main_screen_groups_the_array() {
    insta::assert_snapshot!(search_issues((61, 18)).screen());
}

#[test]
fn an_item_that_was_never_sent_is_shown_where_it_stands() {
    let mut pane = search_issues((61, 18));
    assert!(pane.tab.reveal(&pane.data, &Place::Item(260)));
    assert_eq!(
        pane.tab.status(&pane.data),
        Status {
            left: ".[260]".to_owned(),
            right: "item 260 \u{b7} answer 5 of 7".to_owned(),
        }
    );
    assert_eq!(pane.tab.place(&pane.data), Some(Place::Item(260)));
    insta::assert_snapshot!(pane.screen());
    assert_eq!(
        pane.act(&Action::CopyToken),
        Outcome::with(Effect::Copy {
            what: "token",
            text: "mcp-cache-0:offset:256".to_owned()
        })
    );
}

#[test]
fn a_search_hit_is_shown_at_its_bytes() {
    let mut pane = search_issues((55, 18));
    let Content::Tree(tree) = &pane.data.sheet.parts()[1].content else {
        panic!("the array is a tree");
    };
    let at = tree
        .doc()
        .bytes()
        .windows(4)
        .position(|bytes| bytes == b"3966")
        .unwrap();
    let place = Place::Bytes {
        block: 0,
        range: at..at + 4,
        pattern: "3966".to_owned(),
    };
    assert!(pane.tab.reveal(&pane.data, &place));
    assert_eq!(pane.tab.status(&pane.data).left, ".[260].number");
    insta::assert_snapshot!(pane.screen());
}

#[test]
fn what_was_never_sent_can_be_left_out() {
    let mut pane = search_issues((61, 18));
    pane.act(&Action::OnlySeen);
    let screen = pane.screen();
    assert!(!screen.contains('\u{2591}') || screen.lines().next().unwrap().contains('\u{2591}'));
    insta::assert_snapshot!(screen);
}

#[test]
fn keys_fold_unfold_and_back_out() {
    let mut pane = search_issues((61, 18));
    // The cursor begins on the first group, which shows its first two items.
    for (action, path) in [
        (Action::Into, ".[0:64]"),
        (Action::Down, ".[0]"),
        (Action::Into, ".[0]"),
        (Action::Into, ".[0].number"),
        (Action::Out, ".[0]"),
        (Action::Out, ".[0]"),
        (Action::Out, ".[0:64]"),
        (Action::Out, ".[0:64]"),
    ] {
        let outcome = pane.act(&action);
        assert_eq!(outcome, Outcome::done(), "{action:?}");
        if action == Action::Into && path == ".[0:64]" {
            // Into what is unfolded goes inside.
            assert_eq!(pane.tab.status(&pane.data).left, ".[0]");
            pane.act(&Action::Up);
            continue;
        }
        assert_eq!(pane.tab.status(&pane.data).left, path, "{action:?}");
    }
    assert_eq!(pane.act(&Action::Out), Outcome::Ignored);
}

#[test]
fn a_line_that_stands_for_more_gives_way_to_what_it_hides() {
    let mut pane = search_issues((61, 18));
    for action in [Action::Down, Action::Down, Action::Down] {
        pane.act(&action);
    }
    assert!(pane.screen().contains("62 more"));
    pane.act(&Action::Into);
    assert_eq!(pane.tab.status(&pane.data).left, ".[2]");
    assert!(!pane.screen().contains("62 more"));
}

#[test]
fn the_ends_are_reached() {
    let mut pane = search_issues((61, 10));
    pane.act(&Action::UnfoldAll);
    pane.act(&Action::Bottom);
    assert!(pane.tab.status(&pane.data).left.starts_with(".[411]."));
    pane.act(&Action::Top);
    pane.act(&Action::HalfDown);
    pane.act(&Action::PageDown);
    pane.act(&Action::PageUp);
    pane.act(&Action::HalfUp);
    pane.act(&Action::Scroll(3));
    pane.act(&Action::Scroll(-30));
    assert!(pane.screen().starts_with("1 of 1  json"));
}

#[test]
fn every_block_of_four_kinds_is_shown() {
    let session = demo("four-kinds");
    let output = session
        .index()
        .iter()
        .map(|(id, _)| session.event(id).unwrap())
        .find(|event| match &event.body {
            Body::ToolOutput(output) => output.fullest().len() >= 4,
            _ => false,
        })
        .expect("one output has four blocks");
    let mut pane = Pane::new(&output, None, (62, 40));
    insta::assert_snapshot!(pane.screen());
    pane.act(&Action::Bottom);
    insta::assert_snapshot!(pane.screen());
}

#[test]
fn every_event_of_every_demo_is_drawn_safely_with_a_gutter() {
    for name in ["released-too-early", "four-kinds", "bricked", "hostile"] {
        let session = demo(name);
        for (id, _) in session.index().iter() {
            let event = session.event(id).unwrap();
            for size in [(3, 2), (55, 18)] {
                let mut pane = Pane::new(&event, None, size);
                for action in [
                    Action::UnfoldAll,
                    Action::Bottom,
                    Action::HalfUp,
                    Action::Into,
                    Action::Out,
                    Action::FoldAll,
                    Action::OnlySeen,
                    Action::CopyValue,
                    Action::CopyJson,
                    Action::CopyPath,
                    Action::Click(3, 1),
                    Action::Click(3, 1),
                ] {
                    pane.act(&action);
                    pane.screen();
                }
            }
            let pane = Pane::new(&event, None, (55, 18));
            let headings = pane
                .data
                .sheet
                .parts()
                .iter()
                .filter(|part| matches!(part.content, Content::Heading(_)))
                .count();
            let bare = pane
                .screen()
                .lines()
                .filter(|line| {
                    !line.is_empty() && !line.starts_with(['\u{2503}', '\u{2506}', '\u{2591}', '?'])
                })
                .count();
            assert!(bare <= headings + 3, "{name} {id:?}\n{}", pane.screen());
        }
    }
}

#[test]
fn messages_thinking_notes_and_bad_lines_have_views() {
    let session = lines(
        "{\"toolreel\":1}\n\
         {\"type\":\"message\",\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"Find it.\"}]}\n\
         {\"type\":\"note\",\"caption\":\"The tool returned 412 issues.\"}\n\
         {\"type\":\"what\",\"a\":1}\n\
         {\"type\":\"tool_call\",\"id\":\"c\",\"tool\":\"t\",\"arguments\":{\"q\":\"x\"}}\n\
         not json at all\n",
    );
    let screens: Vec<String> = session
        .index()
        .iter()
        .map(|(id, _)| Pane::new(&session.event(id).unwrap(), None, (55, 7)).screen())
        .collect();
    insta::assert_snapshot!(screens.join("\n────\n"));
}

#[test]
fn the_place_stays_when_the_recording_grows() {
    let mut pane = search_issues((61, 18));
    pane.tab.reveal(&pane.data, &Place::Item(300));
    let grown = {
        let mut seen = paged();
        let spans = &mut seen.blocks[0].spans;
        spans[4].range = 256..290;
        spans.insert(
            5,
            Span {
                range: 290..320,
                reach: Reach::ReadLater(id(31)),
                recorded: true,
            },
        );
        let session = demo("released-too-early");
        Pane::new(&event(&session, 6), Some(&seen), (61, 18)).data
    };
    pane.tab.arrive(&grown, true);
    pane.data = grown;
    assert_eq!(pane.tab.status(&pane.data).left, ".[300]");
}

fn image(bytes: &[u8]) -> String {
    use base64::Engine as _;
    let data = base64::engine::general_purpose::STANDARD.encode(bytes);
    let data = serde_json::json!({"type": "base64", "value": data});
    let block = serde_json::json!({"type": "image", "media_type": "png", "data": data});
    let output = serde_json::json!({"type": "tool_output", "id": "c", "sent": {"blocks": [block]}});
    let text = format!("{}\n{output}\n", serde_json::json!({"toolreel": 1}));
    let session = lines(&text);
    Pane::new(&event(&session, 1), None, (76, 14)).screen()
}

#[test]
fn an_image_that_is_not_drawn_says_why() {
    let encoded = |width, height| {
        let mut png = std::io::Cursor::new(Vec::new());
        image::DynamicImage::new_rgb8(width, height)
            .write_to(&mut png, image::ImageFormat::Png)
            .unwrap();
        png.into_inner()
    };
    let png = encoded(30, 30);
    for (bytes, words) in [
        (
            &png[..png.len() / 2],
            "! broken png: unexpected end of file",
        ),
        (&png[..20], "! broken png: unexpected end of file"),
        (&[], "! empty: there are no bytes"),
        (&encoded(9_000, 1), "9000x1 is one line here"),
    ] {
        let screen = image(bytes);
        assert!(screen.contains(words), "{screen}");
    }
}
