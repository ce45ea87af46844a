use proptest::prelude::*;
use serde_json::json;

use super::walk::Reader;
use super::*;
use crate::tui::action::Action;
use crate::tui::tabs::testing::{context, drawn};
use crate::tui::tabs::tree::Doc;
use crate::tui::theme::Theme;

fn sheet() -> Sheet {
    let mut sheet = Sheet::new();
    sheet.heading(Line::plain("first"));
    sheet.prose(
        Prose::marked(
            "one two three four five six seven\nkept\ncut".to_owned(),
            vec![(38, Mark::Sent), (42, Mark::Never)],
        ),
        Some(0),
    );
    sheet.heading(Line::plain("second"));
    sheet.tree(
        Tree::new(
            Doc::of_value(&json!({"a": [1, 2, {"b": "c"}], "d": "e"})),
            Mark::Later,
        ),
        Some(1),
    );
    sheet.lines(
        vec![Line::plain("fact"), Line::plain("other")],
        Some(Mark::Sent),
    );
    sheet
}

fn screen(sheet: &Sheet, state: &SheetState, (columns, rows): (u16, u16)) -> String {
    drawn(columns, rows, |canvas| {
        state.view(sheet, canvas, &Theme::plain());
    })
}

#[test]
fn a_heading_stays_while_its_block_is_shown() {
    let sheet = sheet();
    let mut state = SheetState::default();
    state.start(&sheet, (16, 5));
    for _ in 0..5 {
        state.update(&sheet, &Action::Down, context(16, 5));
    }
    insta::assert_snapshot!(screen(&sheet, &state, (16, 5)), @"
    first
    ┃ four five six
    ┃ seven
    ┃ kept
    ░ cut
    ");
    state.update(&sheet, &Action::Bottom, context(16, 5));
    insta::assert_snapshot!(screen(&sheet, &state, (16, 5)), @r#"
    second
    ┆ ▸ "a": [1,2,{…
    ┆   "d": "e"
    ┃ fact
    ┃ other
    "#);
}

#[test]
fn a_heading_folds_its_block() {
    let sheet = sheet();
    let mut state = SheetState::default();
    state.start(&sheet, (16, 8));
    state.update(&sheet, &Action::Fold, context(16, 8));
    insta::assert_snapshot!(screen(&sheet, &state, (16, 8)), @r#"
    ▸ first
    second
    ┆ ▸ "a": [1,2,{…
    ┆   "d": "e"
    ┃ fact
    ┃ other
    "#);
    state.update(&sheet, &Action::Into, context(16, 8));
    assert!(screen(&sheet, &state, (16, 8)).contains("one two"));
}

#[test]
fn what_was_cut_can_be_left_out() {
    let sheet = sheet();
    let mut state = SheetState::default();
    state.start(&sheet, (16, 8));
    state.update(&sheet, &Action::OnlySeen, context(16, 8));
    assert!(!screen(&sheet, &state, (16, 8)).contains("cut"));
}

#[test]
fn a_click_selects_and_a_second_one_unfolds() {
    let sheet = sheet();
    let mut state = SheetState::default();
    state.start(&sheet, (20, 10));
    let row = screen(&sheet, &state, (20, 10))
        .lines()
        .position(|line| line.contains("\"a\""))
        .unwrap() as u16;
    state.update(&sheet, &Action::Click(4, row), context(20, 10));
    assert_eq!(state.path(&sheet).as_deref(), Some(".a"));
    state.update(&sheet, &Action::Click(4, row), context(20, 10));
    assert!(screen(&sheet, &state, (20, 10)).contains("▾ \"a\": ["));
}

#[test]
fn a_hit_in_text_is_marked_where_it_stands() {
    let sheet = sheet();
    let mut state = SheetState::default();
    state.start(&sheet, (16, 5));
    assert!(state.reveal_bytes(&sheet, 0, &(14..18), "four"));
    let buffer = crate::tui::tabs::testing::buffer(16, 5, |canvas| {
        state.view(&sheet, canvas, &Theme::colour());
    });
    let marked: String = buffer
        .content
        .iter()
        .filter(|cell| Some(cell.bg) == Theme::colour().hit.bg)
        .map(ratatui::buffer::Cell::symbol)
        .collect();
    assert_eq!(marked, "four");
}

fn actions() -> impl Strategy<Value = Action> {
    prop_oneof![
        Just(Action::Down),
        Just(Action::Up),
        Just(Action::Top),
        Just(Action::Bottom),
        Just(Action::HalfDown),
        Just(Action::HalfUp),
        Just(Action::PageDown),
        Just(Action::PageUp),
        Just(Action::Into),
        Just(Action::Out),
        Just(Action::Fold),
        Just(Action::FoldAll),
        Just(Action::UnfoldAll),
        Just(Action::OnlySeen),
        Just(Action::CopyValue),
        Just(Action::CopyJson),
        (-9_i16..9).prop_map(Action::Scroll),
        (0_u16..30, 0_u16..12).prop_map(|(column, row)| Action::Click(column, row)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn the_cursor_is_always_in_view(
        steps in prop::collection::vec((actions(), 0_u16..30, 0_u16..12), 0..30),
        size in (1_u16..30, 2_u16..12),
    ) {
        let sheet = sheet();
        let mut state = SheetState::default();
        state.start(&sheet, size);
        for (action, columns, rows) in steps {
            state.update(&sheet, &action, context(columns, rows));
            screen(&sheet, &state, (columns, rows));
        }
        state.update(&sheet, &Action::Scroll(0), context(size.0, size.1));
        state.update(&sheet, &Action::Up, context(size.0, size.1));
        let reader = Reader { sheet: &sheet, state: &state, columns: size.0 };
        let top = reader.settle(state.top());
        prop_assert_eq!(top.as_ref(), Some(state.top()));
        prop_assert!(reader.window(state.top(), size.1).contains(state.cursor()));
    }
}
