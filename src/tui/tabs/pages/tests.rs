use super::*;
use crate::policy::cache::CacheSettings;
use crate::tui::tabs::testing::{Pane, demo, source};

fn pages(index: usize, size: (u16, u16)) -> Pane<PagesTab> {
    Pane::new(source(demo("released-too-early"), index, size))
}

fn gets(pane: &Pane<PagesTab>) -> String {
    pane.screen()
        .lines()
        .find(|line| line.starts_with("gets"))
        .unwrap_or_default()
        .to_owned()
}

#[test]
fn the_envelope_is_the_first_answer() {
    insta::assert_snapshot!(pages(6, (61, 20)).screen());
}

#[test]
fn the_second_answer_is_drawn_as_it_was_meant() {
    let mut pane = pages(6, (61, 20));
    pane.act(&Action::NextAnswer);
    insta::assert_snapshot!(pane.screen());
    assert_eq!(pane.tab.status(&pane.data).right, "answer 2 of 7");
}

#[test]
fn steps_jumps_and_their_ends() {
    let mut pane = pages(6, (61, 20));
    for (action, answer) in [
        (Action::NextAnswer, "items 64..127"),
        (Action::NextAnswer, "items 128..191"),
        (Action::PreviousAnswer, "items 64..127"),
        (Action::LastAnswer, "items 384..411"),
        (Action::NextAnswer, "items 384..411"),
        (Action::FirstAnswer, "items 0..63"),
        (Action::PreviousAnswer, "items 0..63"),
        (Action::LastAnswer, "items 384..411"),
        (Action::PreviousAnswer, "items 320..383"),
    ] {
        pane.act(&action);
        assert!(gets(&pane).contains(answer), "{action:?}: {}", gets(&pane));
    }
}

#[test]
fn a_pasted_token_is_asked_as_it_is() {
    let mut pane = pages(6, (61, 20));
    let asked = pane.act(&Action::AskToken);
    assert!(
        matches!(asked, Outcome::Done(effects) if matches!(&effects[..], [Effect::Ask { .. }]))
    );
    pane.act(&Action::Answered("mcp-cache-0:offset:256".to_owned()));
    assert!(gets(&pane).contains("items 256..319  64 items  22,504 B"));
    assert_eq!(pane.tab.status(&pane.data).right, "answer 5 of 7");
    insta::assert_snapshot!(pane.screen());
    for (token, error) in [
        ("garbage", "invalid argument: invalid `page_token`"),
        (
            "mcp-cache-0:offset:x",
            "invalid argument: invalid `page_token` offset",
        ),
        (
            "mcp-cache-9:offset:0",
            "invalid argument: unknown cached result handle",
        ),
    ] {
        pane.act(&Action::AskToken);
        pane.act(&Action::Answered(token.to_owned()));
        assert!(gets(&pane).ends_with(error), "{}", gets(&pane));
    }
}

#[test]
fn an_offset_and_a_limit_are_asked_with_the_caches_own_errors() {
    let mut pane = pages(6, (61, 20));
    pane.act(&Action::AskOffset);
    pane.act(&Action::Answered("260".to_owned()));
    assert!(gets(&pane).contains("items 260..323"));
    pane.act(&Action::AskLimit);
    pane.act(&Action::Answered("1".to_owned()));
    assert!(
        gets(&pane).contains("items 260..260  1 item  486 B"),
        "{}",
        gets(&pane)
    );
    pane.act(&Action::AskLimit);
    pane.act(&Action::Answered("many".to_owned()));
    assert!(gets(&pane).ends_with("invalid argument: `limit` must be an integer"));
    pane.act(&Action::AskLimit);
    pane.act(&Action::Answered(String::new()));
    pane.act(&Action::AskOffset);
    pane.act(&Action::Answered("-1".to_owned()));
    assert!(gets(&pane).ends_with("invalid argument: `offset` must be an integer"));
    pane.act(&Action::AskOffset);
    pane.act(&Action::Answered("500".to_owned()));
    assert!(gets(&pane).contains("no items"));
}

#[test]
fn after_a_release_the_next_page_is_refused() {
    let mut pane = pages(6, (61, 20));
    pane.act(&Action::NextAnswer);
    pane.act(&Action::ReleaseHere);
    assert!(gets(&pane).ends_with("invalid argument: unknown cached result handle"));
    pane.act(&Action::NextAnswer);
    assert!(gets(&pane).ends_with("invalid argument: unknown cached result handle"));
    insta::assert_snapshot!(pane.screen());
    pane.act(&Action::ReleaseHere);
    assert!(gets(&pane).contains("items 128..191"));
}

#[test]
fn reading_all_tells_its_cost() {
    let mut pane = pages(6, (61, 20));
    let outcome = pane.act(&Action::ReadAll);
    let words = "148,625 B in 7 answers against 147,787 B in one";
    assert!(
        matches!(outcome, Outcome::Done(effects) if effects.contains(&Effect::Say(words.to_owned())))
    );
    assert!(pane.screen().contains(words));
    assert!(gets(&pane).contains("items 384..411"));
    pane.act(&Action::PreviousAnswer);
    assert!(pane.screen().contains(words), "{}", pane.screen());
}

#[test]
fn a_limit_ends_with_the_question_it_was_set_for() {
    let mut pane = pages(6, (61, 20));
    pane.act(&Action::AskOffset);
    pane.act(&Action::Answered("260".to_owned()));
    pane.act(&Action::AskLimit);
    pane.act(&Action::Answered("1".to_owned()));
    pane.act(&Action::AskToken);
    pane.act(&Action::Answered("mcp-cache-0:offset:256".to_owned()));
    assert!(gets(&pane).contains("items 256..319"), "{}", gets(&pane));
}

#[test]
fn what_is_asked_is_wrapped_and_not_cut() {
    let mut pane = pages(6, (61, 20));
    pane.act(&Action::AskToken);
    pane.act(&Action::Answered("x".repeat(100)));
    let xs = pane.screen().matches('x').count();
    assert!(xs >= 100, "{}", pane.screen());
    assert!(gets(&pane).ends_with("invalid argument: invalid `page_token`"));
}

#[test]
fn a_page_call_shows_its_own_answer() {
    let mut pane = pages(9, (61, 20));
    assert!(gets(&pane).contains("items 64..127"));
    // At that event the handle was released already, and the exact error is there.
    pane.select(28);
    assert!(gets(&pane).ends_with("invalid argument: unknown cached result handle"));
}

#[test]
fn another_event_begins_anew() {
    let mut pane = pages(6, (61, 20));
    pane.act(&Action::LastAnswer);
    pane.select(4);
    assert!(pane.screen().starts_with("sent whole"), "{}", pane.screen());
    pane.select(6);
    assert!(gets(&pane).contains("items 0..63"));
    assert!(pane.screen().contains("1 answer 23,625 B"));
}

#[test]
fn another_page_size_changes_the_first_answer_only() {
    let mut source = source(demo("released-too-early"), 6, (61, 20));
    source.settings = Some(CacheSettings {
        threshold_bytes: 65_536,
        page_size: 20,
    });
    let mut pane: Pane<PagesTab> = Pane::new(source);
    assert!(
        gets(&pane).contains("items 0..19  20 items  7,600 B"),
        "{}",
        gets(&pane)
    );
    pane.act(&Action::NextAnswer);
    assert!(gets(&pane).contains("items 20..83  64 items"));
    insta::assert_snapshot!(pane.screen());
}

#[test]
fn a_click_on_the_map_asks_for_that_answer() {
    let mut pane = pages(6, (61, 20));
    pane.act(&Action::Click(26, 1));
    assert!(gets(&pane).contains("items 256..319"), "{}", gets(&pane));
}

#[test]
fn every_size_and_event_is_drawn() {
    for name in ["released-too-early"] {
        let count = demo(name).index().len();
        let mut pane: Pane<PagesTab> = Pane::new(source(demo(name), 1, (61, 20)));
        for index in 1..=count {
            pane.select(index);
            for (columns, rows) in [(0, 0), (5, 4), (55, 18)] {
                pane.screen_at(columns, rows);
            }
        }
    }
}
