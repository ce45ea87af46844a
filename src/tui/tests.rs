//! Keys in, state and screen out.

use crossterm::event::{Event, MouseButton, MouseEventKind};
use proptest::prelude::*;

use super::action::Action;
use super::app::Layer;
use super::area::Pane;
use super::message::Wake;
use super::played::Played;
use super::tab::TabName;
use super::{At, theme};

const WIDE: (u16, u16) = (100, 30);

fn paging() -> Played {
    Played::demo("released-too-early", WIDE)
}

/// Keys, and then: the selected event, the pane with the focus, the open tab.
#[test]
fn keys_lead_where_they_should() {
    use Pane::{Detail, Timeline};
    use TabName::{Blocks, Pages, Providers, Raw, Rerun};
    let table = [
        // It opens on the first loss.
        ("", 6, Timeline, Blocks),
        ("j", 7, Timeline, Blocks),
        ("k", 4, Timeline, Blocks),
        ("3j", 11, Timeline, Blocks),
        ("11j", 26, Timeline, Blocks),
        ("99j", 29, Timeline, Blocks),
        ("99k", 1, Timeline, Blocks),
        ("gg", 1, Timeline, Blocks),
        ("G", 29, Timeline, Blocks),
        ("16G", 16, Timeline, Blocks),
        // A call stands in the row of its output.
        ("15G", 16, Timeline, Blocks),
        ("999G", 29, Timeline, Blocks),
        // Digits before a key are a count, and Esc takes them back.
        ("12<Esc>j", 7, Timeline, Blocks),
        // Losses, errors, calls of a tool, page calls.
        ("]l", 16, Timeline, Blocks),
        ("2]l", 22, Timeline, Blocks),
        ("]l]l]l]l", 28, Timeline, Blocks),
        ("]l]l]l]l]l", 28, Timeline, Blocks),
        ("G[l", 28, Timeline, Blocks),
        ("G[l[l", 24, Timeline, Blocks),
        ("]e", 22, Timeline, Blocks),
        ("]e]e", 28, Timeline, Blocks),
        ("]p", 9, Timeline, Blocks),
        ("]p]p]p", 28, Timeline, Blocks),
        ("G[p", 28, Timeline, Blocks),
        ("22G]c", 24, Timeline, Blocks),
        ("24G[c", 22, Timeline, Blocks),
        // Into the output and out again; Esc never quits.
        ("l", 6, Detail, Blocks),
        ("<Enter>", 6, Detail, Blocks),
        ("l<Esc>", 6, Timeline, Blocks),
        ("<Esc><Esc><Esc>", 6, Timeline, Blocks),
        // Letters open tabs from both panes.
        ("p", 6, Detail, Pages),
        ("x", 6, Detail, Raw),
        ("lx", 6, Detail, Raw),
        ("v", 6, Detail, Providers),
        ("r", 6, Detail, Rerun),
        ("rb", 6, Detail, Blocks),
        // One event forward and back, from both panes.
        (".", 7, Timeline, Blocks),
        (",", 4, Timeline, Blocks),
        ("l.", 7, Detail, Blocks),
        ("l..,", 7, Detail, Blocks),
        // Commands.
        (":26<Enter>", 26, Timeline, Blocks),
        (":at 26<Enter>", 26, Timeline, Blocks),
        (":at #26<Enter>", 26, Timeline, Blocks),
        (":at call_02<Enter>", 6, Timeline, Blocks),
        (":tab raw<Enter>", 6, Detail, Raw),
        (":next-loss<Enter>", 16, Timeline, Blocks),
        (":26<Esc>", 6, Timeline, Blocks),
        // A search lands in the output.
        ("/3966<Enter>", 6, Detail, Blocks),
        ("gg/released<Enter>", 26, Detail, Blocks),
    ];
    for (keys, selected, focus, tab) in table {
        let mut played = if keys.contains('/') {
            paging()
        } else {
            Played::unread("released-too-early", WIDE)
        };
        played.press(keys);
        let main = played.app.main.as_ref().unwrap();
        assert_eq!(played.selected(), selected, "{keys}");
        assert_eq!(main.focus, focus, "{keys}");
        assert_eq!(main.tabs.open, tab, "{keys}");
        assert!(!played.quit, "{keys}");
    }
}

#[test]
fn a_search_says_where_it_landed_and_whether_the_model_had_it() {
    let mut played = paging();
    played.press("/3966<Enter>");
    assert_eq!(played.said(), "1/1  #6 item 260  never sent");
    assert!(played.text().contains("\"number\": 3966"));
    played.press("/nowhere in it<Enter>");
    assert_eq!(played.said(), "no hit for nowhere in it");
}

#[test]
fn hits_are_walked_with_n_and_their_wrap_is_said() {
    let mut played = paging();
    played.press("gg/4296<Enter>");
    let first = played.said().to_owned();
    assert!(first.starts_with("1/"), "{first}");
    played.press("n");
    assert!(played.said().starts_with("2/"), "{}", played.said());
    played.press("NN");
    assert!(
        played.said().ends_with("(from the top)"),
        "{}",
        played.said()
    );
}

#[test]
fn keys_that_come_before_the_data_wait_for_them() {
    let mut played = paging();
    played.lazy = true;
    played.press("/3966<Enter>ym");
    assert_eq!(played.copied, Vec::<String>::new());
    played.catch_up();
    assert_eq!(
        played.copied,
        ["toolreel demo released-too-early --at 6 --tab blocks --item 260"]
    );
}

#[test]
fn the_copied_command_reopens_the_view() {
    let played = Played::aimed(
        "released-too-early",
        WIDE,
        Some(At::Event(6)),
        Some(TabName::Blocks),
        Some(260),
    );
    assert_eq!(played.selected(), 6);
    assert!(played.text().contains("▾ 260 {"), "{}", played.text());
    let played = Played::aimed("released-too-early", WIDE, Some(At::Event(99)), None, None);
    assert_eq!(played.said(), "there is no #99; the last is #29");
    let call = At::Call("call_02".to_owned());
    let played = Played::aimed("released-too-early", WIDE, Some(call), None, None);
    assert_eq!(played.selected(), 6);
    let played = Played::aimed("released-too-early", WIDE, Some(At::End), None, None);
    assert_eq!(played.selected(), 29);
}

#[test]
fn a_bracket_alone_lists_what_may_follow() {
    let mut played = paging();
    played.press("]");
    let text = played.text();
    for expected in ["]l", "Next loss", "]e", "Next error", "]c", "]p"] {
        assert!(text.contains(expected), "{expected}\n{text}");
    }
    played.press("<Esc>");
    assert!(!played.text().contains("Next error"));
}

#[test]
fn q_closes_the_top_layer_and_then_quits() {
    let mut played = paging();
    played.press("?");
    assert!(matches!(played.app.layer, Some(Layer::Help(_))));
    played.press("q");
    assert!(played.app.layer.is_none() && !played.quit);
    played.press("q");
    assert!(played.quit);

    let mut played = Played::start(WIDE);
    played.press("<Enter>");
    assert_eq!(played.selected(), 6);
    played.press("q");
    assert!(played.app.main.is_none() && !played.quit);
    played.press("q");
    assert!(played.quit);
}

#[test]
fn the_help_is_searched_and_the_palette_does_what_it_finds() {
    let mut played = paging();
    played.press("?/next loss<Enter>");
    let text = played.text();
    assert!(
        text.contains("Next loss") && !text.contains("Half a screen"),
        "{text}"
    );
    played.press("<Esc><Esc>");
    assert!(played.app.layer.is_none());
    played.press("<C-p>next loss<Enter>");
    assert_eq!(played.selected(), 16);
    // An action of a tab opens the tab.
    played.press("<C-p>paste a token<Esc>");
    played.press("<C-p>read all answers<Enter>");
    assert_eq!(played.app.main.as_ref().unwrap().tabs.open, TabName::Pages);
}

#[test]
fn a_command_that_is_none_keeps_its_text_and_says_so() {
    let mut played = paging();
    played.press(":tab nope<Enter>");
    let prompt = played.app.prompt.as_ref().unwrap();
    assert_eq!(prompt.text(), "tab nope");
    assert!(
        played.text().contains("no tab of that name"),
        "{}",
        played.text()
    );
}

#[test]
fn a_session_plays_and_pauses() {
    let mut played = paging();
    played.press("27G ");
    let (wake, ticket) = *played
        .wakes
        .iter()
        .rfind(|(wake, _)| *wake == Wake::Play)
        .unwrap();
    assert!(played.text().contains('●'));
    played.wake(wake, ticket);
    assert_eq!(played.selected(), 29);
    assert!(
        played.app.main.as_ref().unwrap().playing.is_none(),
        "stops at the end"
    );
    played.press("gg  ");
    played.wake(wake, ticket);
    assert_eq!(played.selected(), 1, "a pause holds");
}

#[test]
fn the_mouse_scrolls_what_is_under_it_and_selects() {
    let mut played = Played::demo("released-too-early", (80, 12));
    played.press("gg");
    played.mouse(MouseEventKind::ScrollDown, 5, 4);
    assert_eq!(played.selected(), 1, "the wheel moves no selection");
    assert!(!played.text().contains("Find the ol…│"));
    played.press("j");
    assert_eq!(played.selected(), 2);

    let mut played = paging();
    played.mouse(MouseEventKind::Down(MouseButton::Left), 10, 3);
    assert_eq!(played.selected(), 2);
    let losses = played
        .text()
        .lines()
        .position(|line| line.contains("lost or wrong"));
    let row = u16::try_from(losses.unwrap()).unwrap() + 2;
    played.mouse(MouseEventKind::Down(MouseButton::Left), 10, row);
    assert_eq!(played.selected(), 16);
    let tabs = played
        .text()
        .lines()
        .position(|line| line.contains("x:Raw"));
    let row = u16::try_from(tabs.unwrap()).unwrap();
    played.mouse(MouseEventKind::Down(MouseButton::Left), 97, row);
    assert_eq!(played.app.main.as_ref().unwrap().tabs.open, TabName::Raw);
}

#[test]
fn a_resize_keeps_the_selection_in_view() {
    let mut played = paging();
    played.press("G");
    for size in [(80, 24), (40, 10), (200, 60), (1, 1), (60, 12), (100, 30)] {
        played.event(Event::Resize(size.0, size.1));
        assert_eq!(played.selected(), 29);
        if size.0 >= 60 && size.1 >= 12 {
            assert!(played.text().contains("29   asst"), "{}", played.text());
        }
    }
}

#[test]
fn captions_stand_above_the_rail() {
    let mut played = paging();
    let caption = "The tool returned 412 issues. The model was sent 64.";
    assert!(played.text().contains(caption));
    played.press("p");
    assert!(
        played
            .text()
            .contains("The token is handle and offset, nothing more.")
    );
    played.press("gg");
    assert!(!played.text().contains(caption));
}

#[test]
fn a_file_that_grows_is_followed_without_losing_the_place() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("growing.jsonl");
    let demo = crate::demo::Demo::find("released-too-early").unwrap();
    let lines: Vec<&[u8]> = demo
        .bytes()
        .split_inclusive(|byte| *byte == b'\n')
        .collect();
    std::fs::write(&path, lines[..10].concat()).unwrap();
    let session = crate::session::Session::open(crate::session::Input::Path(path.clone()));
    let mut played = Played::session(session.unwrap(), WIDE);
    assert_eq!(played.selected(), 6);
    std::fs::write(&path, lines[..20].concat()).unwrap();
    played.look_at_file();
    assert_eq!(played.selected(), 6, "the place stays");
    played.press("G");
    let end = played.selected();
    std::fs::write(&path, lines.concat()).unwrap();
    played.look_at_file();
    assert!(played.selected() > end, "who stands at the end follows it");
    // Shorter than before: read anew, and said so.
    std::fs::write(&path, lines[..4].concat()).unwrap();
    played.look_at_file();
    assert!(played.text().contains("read anew"), "{}", played.text());
    assert_eq!(played.selected(), 3);
}

#[test]
fn the_copied_command_tells_the_settings_of_a_re_run() {
    use crate::policy::cache::CacheSettings;
    let mut played = Played::aimed(
        "released-too-early",
        WIDE,
        Some(At::Event(6)),
        Some(TabName::Rerun),
        None,
    );
    let main = played.app.main.as_mut().unwrap();
    main.settings = Some(CacheSettings {
        threshold_bytes: 1_804,
        page_size: 20,
    });
    played.press("jkym");
    assert_eq!(
        played.copied,
        [
            "toolreel demo released-too-early --at 6 --tab rerun --threshold-bytes 1804 --page-size 20"
        ]
    );
    let text = played.text();
    assert!(text.contains("re-run 1,804 B / page 20"), "{text}");
}

/// A file of a user's messages that other lines can be appended to.
struct Growing {
    _folder: tempfile::TempDir,
    path: std::path::PathBuf,
}

impl Growing {
    fn new(text: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("growing.jsonl");
        std::fs::write(&path, text).unwrap();
        Self {
            _folder: folder,
            path,
        }
    }

    fn append(&self, text: &str) {
        use std::io::Write;
        let mut options = std::fs::OpenOptions::new();
        let mut file = options.append(true).open(&self.path).unwrap();
        file.write_all(text.as_bytes()).unwrap();
    }

    fn played(&self, size: (u16, u16)) -> Played {
        let input = crate::session::Input::Path(self.path.clone());
        Played::session(crate::session::Session::open(input).unwrap(), size)
    }
}

fn messages(texts: std::ops::Range<usize>) -> String {
    let lines = texts.map(|number| {
        format!(
            "{}\n",
            serde_json::json!({"role": "user", "content": format!("word {number}")})
        )
    });
    lines.collect()
}

#[test]
fn a_line_that_is_completed_is_read_again() {
    let line = messages(3..4);
    let (begun, rest) = line.split_at(20);
    let file = Growing::new(&(messages(0..3) + begun));
    let mut played = file.played(WIDE);
    assert!(!played.text().contains("word 3"), "{}", played.text());
    let before = played.text();
    file.append(rest);
    played.look_at_file();
    let text = played.text();
    assert!(text.contains("word 3"), "{before}\n{text}");
    assert!(!text.contains("cut off"), "{text}");
}

#[test]
fn a_search_finds_what_was_appended() {
    let file = Growing::new(&messages(0..3));
    let mut played = file.played(WIDE);
    played.press("/word<Enter>");
    assert!(played.said().starts_with("1/3 "), "{}", played.said());
    file.append(&messages(3..5));
    played.look_at_file();
    played.press("nnn");
    assert!(played.said().starts_with("4/5 "), "{}", played.said());
    assert_eq!(played.selected(), 4);
}

#[test]
fn the_end_is_followed_until_the_index_is_whole() {
    let file = Growing::new(&messages(0..3));
    let mut played = file.played(WIDE);
    played.app.main.as_mut().unwrap().complete = false;
    played.press("G");
    assert_eq!(played.selected(), 3);
    file.append(&messages(3..60));
    played.look_at_file();
    assert_eq!(played.selected(), 60);
    assert!(played.text().contains(" 60   user"), "{}", played.text());
    // Who leaves the end is let go.
    played.app.main.as_mut().unwrap().complete = false;
    played.press("Gk");
    file.append(&messages(60..70));
    played.look_at_file();
    assert_eq!(played.selected(), 59);
}

#[test]
fn a_list_that_gets_room_is_filled() {
    let file = Growing::new(&messages(0..40));
    let mut played = file.played((100, 12));
    played.press("G");
    played.event(Event::Resize(100, 60));
    let text = played.text();
    assert!(
        text.contains("word 0") && text.contains("word 39"),
        "{text}"
    );
}

#[test]
fn a_narrow_screen_shows_one_pane_and_a_small_one_says_what_it_needs() {
    let mut played = Played::demo("released-too-early", (50, 20));
    assert!(played.text().contains("get_issue 4296"));
    played.press("<Enter>");
    let text = played.text();
    assert!(
        text.contains("NEVER SENT") && !text.contains("get_issue"),
        "{text}"
    );
    played.press("<Esc>");
    assert!(played.text().contains("get_issue 4296"));
    let small = Played::demo("released-too-early", (39, 12)).text();
    assert!(small.contains("toolreel needs 40x10"), "{small}");
}

#[test]
fn the_screen_at_four_sizes() {
    for (columns, rows) in [(80, 24), (100, 30), (200, 60), (40, 10)] {
        let played = Played::demo("released-too-early", (columns, rows));
        insta::assert_snapshot!(format!("main_{columns}x{rows}"), played.text());
    }
}

#[test]
fn the_list_of_recordings() {
    insta::assert_snapshot!("start_100x30", Played::start(WIDE).text());
    let mut narrowed = Played::start((80, 24));
    narrowed.press("/brk");
    insta::assert_snapshot!("start_filtered_80x24", narrowed.text());
}

#[test]
fn the_help_and_the_palette() {
    let mut played = Played::demo("bricked", (80, 24));
    played.press("?");
    insta::assert_snapshot!("help_80x24", played.text());
    played.press("q<C-p>copy");
    insta::assert_snapshot!("palette_80x24", played.text());
}

#[test]
fn an_empty_recording_and_one_that_is_no_recording() {
    for bytes in [
        &b""[..],
        b"\n\n",
        b"not json at all",
        b"{\"a\":",
        b"[]",
        b"\xff\xfe\x00",
    ] {
        let mut played = Played::bytes(bytes, (80, 24));
        for key in [
            "j", "k", "G", "gg", "l", "]l", "w", "p", "r", "v", "e", "x", "ym", "<Esc>",
        ] {
            played.press(key);
            played.screen();
        }
    }
}

#[test]
fn ascii_draws_ascii_alone() {
    let mut played = Played::demo("hostile", WIDE);
    played.app.theme.ascii = true;
    for _ in 0..25 {
        assert!(played.text().is_ascii(), "{}", played.text());
        played.press("j");
    }
    assert_eq!(theme::glyph::SENT, "┃");
}

fn is_unsafe(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, ..ProptestConfig::default() })]

    #[test]
    fn no_keys_and_no_size_panic_and_nothing_unsafe_is_drawn(
        demo in prop::sample::select(vec!["released-too-early", "four-kinds", "bricked", "hostile"]),
        size in (0_u16..130, 0_u16..45),
        then in (0_u16..130, 0_u16..45),
        keys in prop::collection::vec(
            prop::sample::select(vec![
                "j", "k", "l", "h", "gg", "G", "<C-d>", "<C-u>", "<C-f>", "<Enter>", "<Esc>", "<Tab>",
                "<S-Tab>", "b", "e", "p", "v", "r", "x", "w", "]l", "[l", "]e", "]c", "]p", "za", "zM",
                "zR", "zs", "yy", "yp", "yt", "yj", "ym", "n", "N", ".", ",", " ", "?", "<C-p>", ":",
                "/", "3", "0", "$", "+", "-", "o", "t", "a", "i", "e", "A", "R", "u", "=", "d", "B",
            ]),
            0..30,
        ),
        mouse in prop::collection::vec((0_u16..130, 0_u16..45, 0_u8..3), 0..4),
    ) {
        let mut played = Played::demo(demo, size);
        for key in keys {
            played.press(key);
        }
        for (column, row, kind) in mouse {
            let kind = match kind {
                0 => MouseEventKind::Down(MouseButton::Left),
                1 => MouseEventKind::ScrollDown,
                _ => MouseEventKind::ScrollUp,
            };
            played.mouse(kind, column, row);
            played.screen();
        }
        played.event(Event::Resize(then.0, then.1));
        let terminal = played.screen();
        for cell in &terminal.backend().buffer().content {
            prop_assert!(!cell.symbol().chars().any(is_unsafe), "{:?}", cell.symbol());
        }
    }
}

#[test]
fn every_action_can_be_meant_on_every_screen() {
    for open in [true, false] {
        let mut played = if open { paging() } else { Played::start(WIDE) };
        for action in Action::NAMED {
            let effects = played.app.update(action, None);
            drop(effects);
            played.screen();
            played.app.layer = None;
            played.app.prompt = None;
        }
    }
}

#[test]
fn why_and_a_move_that_were_typed_before_the_hit_is_there() {
    let mut played = paging();
    played.lazy = true;
    played.press("/3966<Enter>wj");
    played.catch_up();
    assert!(played.text().contains("w:WHY"), "{}", played.text());
}
