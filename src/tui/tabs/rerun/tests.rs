use super::*;
use crate::session::event::EventId;
use crate::tui::tabs::testing::{Pane, demo, source};

fn rerun(name: &str, index: usize, size: (u16, u16)) -> Pane<RerunTab> {
    Pane::new(source(demo(name), index, size))
}

/// Does what is meant, and passes settings on as the screen does.
fn act(pane: &mut Pane<RerunTab>, action: &Action) -> Vec<Effect> {
    let outcome = pane.act(action);
    let Outcome::Done(effects) = outcome else {
        return Vec::new();
    };
    for effect in &effects {
        if let Effect::Settings(settings) = effect {
            pane.source.settings = *settings;
            pane.load();
        }
    }
    effects
}

fn typed(pane: &mut Pane<RerunTab>, digits: &str) {
    for digit in digits.chars() {
        act(pane, &Action::Type(digit));
    }
}

fn line(pane: &Pane<RerunTab>, begins: &str) -> String {
    pane.screen()
        .lines()
        .map(str::trim_start)
        .find(|line| {
            line.trim_start_matches('>')
                .trim_start()
                .starts_with(begins)
        })
        .unwrap_or_default()
        .to_owned()
}

#[test]
fn the_recorded_settings_are_shown_first() {
    insta::assert_snapshot!(rerun("released-too-early", 6, (61, 22)).screen());
}

#[test]
fn page_size_20_is_shown_beside_64() {
    let mut pane = rerun("released-too-early", 6, (61, 22));
    act(&mut pane, &Action::Down);
    typed(&mut pane, "20");
    act(&mut pane, &Action::Into);
    insta::assert_snapshot!(pane.screen());
    insta::assert_snapshot!(pane.screen_at(54, 17));
    assert_eq!(
        pane.source.settings,
        Some(CacheSettings {
            threshold_bytes: 65_536,
            page_size: 20
        })
    );
}

#[test]
fn values_never_touch_and_the_next_ones_are_named_in_a_narrow_pane() {
    let item = "x".repeat(5_436_000);
    let output = serde_json::json!({"type": "tool_output", "id": "c", "returned": {"value": item}});
    let text = format!("{}\n{output}\n", serde_json::json!({"toolreel": 1}));
    let session = crate::tui::tabs::testing::lines(&text);
    let pane: Pane<RerunTab> = Pane::new(source(session, 1, (42, 20)));
    let screen = pane.screen();
    assert!(screen.contains("5,436,002 B 5,436,002 B"), "{screen}");
    assert!(screen.contains("default settings"), "{screen}");
    assert!(screen.contains("The one output"), "{screen}");
    let pane = rerun("released-too-early", 6, (42, 20));
    assert!(pane.screen().contains("next: 1,804 (#4)  147,787 (#6)"));
}

#[test]
fn digits_act_at_once_and_are_one_change() {
    let mut pane = rerun("released-too-early", 6, (61, 22));
    act(&mut pane, &Action::Down);
    typed(&mut pane, "2");
    assert!(line(&pane, "page_size").contains("2_"), "{}", pane.screen());
    assert!(
        line(&pane, "first answer").contains("-96 %"),
        "{}",
        pane.screen()
    );
    typed(&mut pane, "0");
    assert!(line(&pane, "first answer").contains("7,600 B"));
    act(&mut pane, &Action::Undo);
    assert!(line(&pane, "first answer").ends_with("23,625 B"));
    assert_eq!(pane.source.settings, None);
}

#[test]
fn thresholds_move_by_consequence() {
    let mut pane = rerun("released-too-early", 6, (61, 22));
    let value = |pane: &Pane<RerunTab>| match pane.tab.chosen(&pane.data) {
        Chosen::Cache(settings) => settings.threshold_bytes,
        Chosen::Bound(_) => 0,
    };
    act(&mut pane, &Action::PreviousValue);
    let lower = value(&pane);
    assert!(lower < 65_536);
    assert_ne!(line(&pane, "enveloped"), "enveloped 1 1");
    act(&mut pane, &Action::NextValue);
    let up = value(&pane);
    assert!(up > lower);
    act(&mut pane, &Action::RecordedValues);
    assert_eq!(value(&pane), 65_536);
    act(&mut pane, &Action::NextValue);
    assert_eq!(value(&pane), 147_787);
    assert!(
        line(&pane, "sent whole").contains("147,787 B"),
        "{}",
        pane.screen()
    );
    let effects = act(&mut pane, &Action::NextValue);
    assert!(matches!(&effects[..], [Effect::Say(_)]));
}

#[test]
fn an_envelope_that_hides_nothing_is_said_so() {
    let mut pane = rerun("released-too-early", 6, (61, 22));
    act(&mut pane, &Action::Down);
    typed(&mut pane, "412");
    let screen = pane.screen().replace("\n     ", " ");
    assert!(
        screen.contains("page_size 412: envelope 147,895 B, 108 B more than the array"),
        "{screen}"
    );
    assert!(screen.contains("handle stays live"), "{screen}");
}

#[test]
fn what_the_cache_cannot_touch_is_said_first() {
    let pane = rerun("bricked", 4, (61, 22));
    let first = pane.screen().lines().take(2).collect::<Vec<_>>().join(" ");
    assert!(
        first.contains("The one output is no array: cache cannot touch it"),
        "{first}"
    );
}

#[test]
fn the_bound_is_another_policy() {
    let mut pane = rerun("released-too-early", 22, (61, 26));
    act(&mut pane, &Action::OtherPolicy);
    act(&mut pane, &Action::Answered(String::new()));
    insta::assert_snapshot!(pane.screen());
    act(&mut pane, &Action::Bottom);
    let effects = act(&mut pane, &Action::Into);
    assert!(matches!(&effects[..], [Effect::GoTo(_)]), "{effects:?}");
    act(&mut pane, &Action::OtherPolicy);
    act(&mut pane, &Action::Answered("ca".to_owned()));
    assert!(line(&pane, "cache").contains("rig-mcp"));
}

#[test]
fn two_settings_can_be_compared() {
    let mut pane = rerun("released-too-early", 6, (61, 22));
    act(&mut pane, &Action::Down);
    typed(&mut pane, "20");
    act(&mut pane, &Action::Into);
    act(&mut pane, &Action::Compare);
    typed(&mut pane, "30");
    let first = line(&pane, "first answer");
    assert!(
        first.contains("7,600 B") && first.contains("11,2"),
        "{first}"
    );
    assert_eq!(pane.tab.status(&pane.data).left, "a against b");
}

#[test]
fn settings_and_rows_are_copied() {
    let mut pane = rerun("released-too-early", 6, (61, 22));
    let effects = act(&mut pane, &Action::CopyValue);
    assert!(
        matches!(&effects[..], [Effect::Copy { what: "settings", text }] if text.contains("page_size = 64"))
    );
    let effects = act(&mut pane, &Action::CopyJson);
    assert!(
        matches!(&effects[..], [Effect::Copy { what: "JSON", text }] if text.starts_with("{\"index\":6,"))
    );
}

#[test]
fn an_item_that_is_asked_about_has_its_line() {
    let mut tab = RerunTab::default();
    tab.aim(Some(&Place::Item(260)));
    let source = source(demo("released-too-early"), 6, (61, 22));
    let data = RerunTab::load(&source, &tab.ask());
    tab.arrive(&data, false);
    let pane = Pane { tab, data, source };
    let line = line(&pane, "item 260");
    assert!(line.contains("4 calls"), "{}", pane.screen());
}

#[test]
fn every_size_and_event_is_drawn() {
    for name in ["released-too-early", "bricked"] {
        for index in [1, 6] {
            let mut pane = rerun(name, index, (61, 22));
            assert_eq!(pane.source.event, EventId::from_index(index).unwrap());
            for (columns, rows) in [(0, 0), (1, 1), (9, 3), (40, 8), (120, 50)] {
                pane.source.columns = columns;
                pane.source.rows = rows;
                for action in [
                    Action::Bottom,
                    Action::HalfUp,
                    Action::PageDown,
                    Action::Top,
                    Action::Click(2, 2),
                ] {
                    act(&mut pane, &action);
                    pane.screen();
                }
            }
        }
    }
}
