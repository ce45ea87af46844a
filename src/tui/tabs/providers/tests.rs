use super::*;
use crate::session::event::{Body, EventId};
use crate::tui::tabs::testing::{Pane, demo, source};

fn output_with(name: &str, blocks: usize) -> usize {
    let session = demo(name);
    session
        .index()
        .iter()
        .map(|(id, _)| id)
        .find(|id| match session.event(*id).unwrap().body {
            Body::ToolOutput(output) => output.blocks().len() >= blocks,
            _ => false,
        })
        .map(EventId::index)
        .unwrap()
}

fn providers(name: &str, blocks: usize, size: (u16, u16)) -> Pane<ProvidersTab> {
    let index = output_with(name, blocks);
    Pane::new(source(demo(name), index, size))
}

#[test]
fn four_kinds_on_five_providers() {
    let mut pane = providers("four-kinds", 4, (61, 20));
    insta::assert_snapshot!(pane.screen());
    pane.act(&Action::Right);
    pane.act(&Action::Down);
    insta::assert_snapshot!(pane.screen_at(54, 18));
    assert_eq!(pane.tab.status(&pane.data).left, "openai-chat:gpt-5.2");
}

#[test]
fn an_image_that_is_not_what_it_says_is_refused_by_the_service() {
    let session = demo("bricked");
    let index = session
        .index()
        .iter()
        .map(|(id, _)| id)
        .find(|id| match session.event(*id).unwrap().body {
            Body::ToolOutput(output) => output
                .blocks()
                .iter()
                .any(|block| matches!(block, crate::session::block::Block::Image(_))),
            _ => false,
        })
        .unwrap()
        .index();
    let pane: Pane<ProvidersTab> = Pane::new(source(session, index, (61, 20)));
    let screen = pane.screen();
    assert!(screen.contains("native !"), "{screen}");
    assert!(
        screen
            .replace('\n', " ")
            .contains("says jpeg, bytes are png"),
        "{screen}"
    );
}

#[test]
fn enter_opens_the_wire_with_the_block_in_it() {
    let mut pane = providers("four-kinds", 4, (61, 20));
    pane.act(&Action::Down);
    pane.act(&Action::Into);
    insta::assert_snapshot!(pane.screen());
    assert!(pane.tab.status(&pane.data).left.starts_with(".messages"));
    pane.act(&Action::Left);
    pane.act(&Action::Out);
    assert!(pane.screen().contains("as rig 0.44 sends it"));
    assert_eq!(pane.act(&Action::Out), Outcome::Ignored);
}

#[test]
fn another_sender_is_named_in_the_head() {
    let mut pane = providers("four-kinds", 1, (61, 20));
    pane.act(&Action::OtherSender);
    insta::assert_snapshot!(pane.screen());
    pane.act(&Action::OtherSender);
    assert!(pane.screen().contains("as rig 0.44 sends it"));
}

#[test]
fn a_provider_is_added_by_a_part_of_its_name() {
    let mut pane = providers("four-kinds", 4, (61, 20));
    pane.act(&Action::AddProvider);
    pane.act(&Action::Answered("mistral".to_owned()));
    assert!(pane.tab.status(&pane.data).left.contains("mistral"));
    assert!(pane.screen().contains("mistral"), "{}", pane.screen());
    pane.act(&Action::AddProvider);
    let outcome = pane.act(&Action::Answered("nobody".to_owned()));
    assert_eq!(
        outcome,
        Outcome::with(Effect::Say("rig 0.44 knows no provider nobody".to_owned()))
    );
}

#[test]
fn the_wire_is_copied() {
    let mut pane = providers("four-kinds", 4, (61, 20));
    let outcome = pane.act(&Action::CopyValue);
    assert!(
        matches!(outcome, Outcome::Done(effects) if matches!(&effects[..],
            [Effect::Copy { what: "wire JSON", text }] if text.contains("messages")))
    );
}

#[test]
fn every_event_of_every_demo_is_drawn() {
    for name in ["bricked", "four-kinds"] {
        let session = demo(name);
        let count = session.index().len();
        let mut pane: Pane<ProvidersTab> = Pane::new(source(session, 1, (61, 20)));
        assert!(pane.screen().starts_with("no tool output"));
        for index in 1..=count {
            pane.select(index);
            for action in [Action::Bottom, Action::Right, Action::Into, Action::Bottom] {
                pane.act(&action);
                for (columns, rows) in [(0, 0), (14, 4), (55, 18)] {
                    pane.screen_at(columns, rows);
                }
            }
            pane.tab.ask.open = None;
        }
    }
}
