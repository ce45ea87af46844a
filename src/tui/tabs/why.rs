//! Why: what led to something not being sent, and the cheapest ways in which it could have been;
//! else what is wrong with it.
//!
//! ```text
//!  Why was item 260 never sent?                        Esc back
//!  1 returned    #6 search_issues, 412 items
//! >4 released    #26 cache.release mcp-cache-0
//!  To reach it before #26:
//!    2 calls     192.. then 256..                      45,191 B
//! ```

mod wrong;

use super::hints::hints;
use super::line::{Ink, Line};
use super::rows::Rows;
use crate::policy::Unit;
use crate::replay::ledger::{Ledger, Measure};
use crate::replay::seen::{Reach, SeenUnit};
use crate::replay::why::{Target, Why};
use crate::session::event::Evidence;
use crate::text::{cells, grouped};
use crate::tui::action::Action;
use crate::tui::canvas::Canvas;
use crate::tui::keys::Scope;
use crate::tui::tab::{Context, Effect, Outcome, Place, Source, Status, Tab, TabName};
use crate::tui::theme::Theme;

/// From this many rows on the keys are named below the answer.
const ROOM_FOR_KEYS: u16 = 12;

/// Cells of a cause's word.
const WORD: usize = 12;

/// The question about an output of which a part was cut, before its ledger is asked how much.
const ALL_OF_IT: &str = "Why was all of it never sent?";

/// What the tab shows.
#[derive(Debug, Default)]
pub struct WhyData {
    answer: Option<Why>,
    /// What is said below the answer, or where there is none.
    words: String,
    /// What was asked about.
    place: Option<Place>,
    /// The settings that the recording was made with.
    threshold: u64,
    columns: u16,
}

/// The state of the tab.
#[derive(Debug, Default)]
pub struct WhyTab {
    place: Option<Place>,
    chosen: usize,
    top: usize,
}

impl WhyData {
    fn choices(&self) -> usize {
        self.answer
            .as_ref()
            .map_or(0, |why| why.causes.len() + why.ways.len())
    }

    fn rows(&self, columns: u16) -> Rows {
        let columns = usize::from(columns).saturating_sub(1);
        let mut rows = Rows::default();
        let Some(why) = &self.answer else {
            rows.wrapped(None, &Line::new(), Ink::Text, &self.words, columns);
            rows.tell(Line::of(Ink::Dim, "Esc back"));
            return rows;
        };
        let back = "Esc back";
        if cells(&why.title) + back.len() < columns {
            rows.tell(Line::of(Ink::Title, why.title.clone()).right(Ink::Dim, back));
        } else {
            rows.wrapped(None, &Line::new(), Ink::Title, &why.title, columns);
            rows.tell(Line::of(Ink::Dim, back));
        }
        for (place, cause) in why.causes.iter().enumerate() {
            let decisive = place == why.decisive;
            let first = Line::of(Ink::Dim, format!("{} ", place + 1)).cell(
                if decisive { Ink::Error } else { Ink::Name },
                cause.word,
                WORD,
            );
            rows.wrapped(Some(place), &first, Ink::Text, &cause.text, columns);
        }
        if !why.ways.is_empty() {
            rows.tell(Line::of(
                Ink::Title,
                match why.open_until {
                    Some(event) => format!("To reach it before #{}:", event.index()),
                    None => "To reach it:".to_owned(),
                },
            ));
        }
        for (place, way) in why.ways.iter().enumerate() {
            let mut line = Line::of(Ink::Text, "  ")
                .cell(Ink::Strong, &way.cost, WORD)
                .and(Ink::Text, way.text.clone());
            if way.page_size.is_some() {
                line = Line::of(Ink::Text, "  ")
                    .and(Ink::Strong, way.cost.clone())
                    .and(Ink::Text, format!("   {}", way.text));
            }
            if let Some(bytes) = way.bytes {
                line = line.right(Ink::Text, format!("{} B", grouped(bytes)));
            }
            rows.choose(why.causes.len() + place, line);
        }
        let first = Line::of(Ink::Name, "Evidence: ");
        rows.wrapped(None, &first, Ink::Text, &evidence(why), columns);
        if !self.words.is_empty() {
            let first = Line::of(Ink::Name, "At the cursor: ");
            rows.wrapped(None, &first, Ink::Text, &self.words, columns);
        }
        rows
    }
}

fn evidence(why: &Why) -> String {
    let cached = why.causes.iter().any(|cause| cause.word == "cached");
    match why.evidence {
        Evidence::Recorded if cached => "recorded (this file holds output and envelope)",
        Evidence::Recorded => "recorded (this file holds both sides)",
        Evidence::Request => "request (a body that was sent)",
        Evidence::Log => "log (an agent's own account)",
        Evidence::Server => "server (what the server gave, not what the model got)",
        Evidence::ReRun => "re-run (computed, not recorded)",
    }
    .to_owned()
}

/// The question with the numbers of the ledger: `Why were 25,011 of 29,011 chars never sent?`.
fn how_much(ledger: &Ledger) -> Option<String> {
    let never = ledger.never_sent.measure();
    let known = |unit: fn(&Measure) -> Option<u64>| {
        let never = unit(never?).filter(|never| *never > 0)?;
        Some((never, ledger.returned.measure().and_then(unit)))
    };
    let counted = [
        (known(|measure| measure.chars), Unit::Chars),
        (known(|measure| measure.items), Unit::Items),
        (known(|measure| measure.bytes), Unit::Bytes),
        (known(|measure| measure.lines), Unit::Lines),
        (known(|measure| measure.tokens), Unit::Tokens),
    ];
    let found = counted
        .into_iter()
        .find_map(|(known, unit)| Some((known?, unit)));
    let Some(((never, of), unit)) = found else {
        return Some("Why was some of it never sent?".to_owned());
    };
    let be = if never == 1 { "was" } else { "were" };
    let word = unit.word(of.unwrap_or(never));
    Some(match of {
        Some(of) if of == never => return None,
        Some(of) => format!(
            "Why {be} {} of {} {word} never sent?",
            grouped(never),
            grouped(of)
        ),
        None => format!("Why {be} {} {word} never sent?", grouped(never)),
    })
}

/// What is said of something that was sent, or of which nobody knows.
fn no_why(source: &Source, target: &Target) -> String {
    let Some(seen) = source.replay.seen(source.event) else {
        return "Only outputs of tools are kept from the model; this is none.".to_owned();
    };
    let reach = match target {
        Target::Item(item) => seen
            .blocks
            .iter()
            .filter(|block| block.unit == SeenUnit::Items)
            .flat_map(|block| &block.spans)
            .find(|span| span.range.contains(item)),
        Target::Bytes { block, range } => seen.blocks.get(*block).and_then(|block| {
            block
                .spans
                .iter()
                .find(|span| block.unit == SeenUnit::Whole || span.range.contains(&range.start))
        }),
        Target::Output => None,
    }
    .map(|span| span.reach);
    let subject = match target {
        Target::Item(item) => format!("Item {}", grouped(*item)),
        Target::Bytes { .. } => "This".to_owned(),
        Target::Output => "All of this output".to_owned(),
    };
    let any = |wanted: fn(Reach) -> bool| {
        seen.blocks
            .iter()
            .flat_map(|block| &block.spans)
            .any(|span| wanted(span.reach))
    };
    match reach {
        Some(Reach::Sent) => format!("{subject} was sent at once."),
        Some(Reach::ReadLater(by)) => format!("{subject} was read later, by #{}.", by.index()),
        None if any(|reach| matches!(reach, Reach::Sent))
            && !any(|reach| reach == Reach::Unknown) =>
        {
            format!("{subject} was sent.")
        }
        _ => "What the model was sent of this is not in this recording.".to_owned(),
    }
}

fn target(place: Option<&Place>) -> Target {
    match place {
        Some(Place::Item(item)) => Target::Item(*item),
        Some(Place::Bytes { block, range, .. }) => Target::Bytes {
            block: *block,
            range: range.start as u64..range.end as u64,
        },
        Some(Place::Arguments { .. } | Place::Raw { .. }) | None => Target::Output,
    }
}

impl WhyTab {
    fn step(&mut self, data: &WhyData, context: Context, to: usize) -> Outcome {
        self.chosen = to.min(data.choices().saturating_sub(1));
        self.settle(data, context.columns, context.rows);
        Outcome::done()
    }

    fn settle(&mut self, data: &WhyData, columns: u16, rows: u16) {
        let shown = usize::from(rows);
        self.top = data.rows(columns).top(self.chosen, self.top, shown);
    }

    fn follow(&self, data: &WhyData) -> Outcome {
        let Some(why) = &data.answer else {
            return Outcome::Ignored;
        };
        if let Some(cause) = why.causes.get(self.chosen) {
            return Outcome::with(Effect::GoTo(cause.event));
        }
        let Some(way) = why.ways.get(self.chosen.saturating_sub(why.causes.len())) else {
            return Outcome::Ignored;
        };
        match way.page_size {
            Some(page_size) => Outcome::Done(vec![
                Effect::Settings(Some(crate::policy::cache::CacheSettings {
                    threshold_bytes: data.threshold,
                    page_size,
                })),
                Effect::Open(TabName::Rerun, data.place.clone()),
            ]),
            None => Outcome::with(Effect::Open(TabName::Pages, data.place.clone())),
        }
    }
}

impl Tab for WhyTab {
    type Data = WhyData;
    type Ask = Option<Place>;

    const NAME: TabName = TabName::Why;
    const LIVE: bool = true;

    fn ask(&self) -> Option<Place> {
        self.place.clone()
    }

    fn aim(&mut self, place: Option<&Place>) {
        self.place = place.cloned();
    }

    fn load(source: &Source, ask: &Option<Place>) -> WhyData {
        let target = target(ask.as_ref());
        let mut answer = source.replay.why(source.event, &target);
        let mut words = String::new();
        if answer.is_none() {
            // What was asked about was sent: the first part that was not is explained, else what is
            // wrong with the event.
            words = no_why(source, &target);
            answer = source
                .replay
                .why(source.event, &Target::Output)
                .or_else(|| wrong::finding(source));
            if target == Target::Output && answer.is_some() {
                words.clear();
            }
        }
        if let Some(why) = &mut answer
            && why.title == ALL_OF_IT
            && let Some(title) = source
                .replay
                .ledger(source.event)
                .and_then(|ledger| how_much(&ledger))
        {
            why.title = title;
        }
        WhyData {
            answer,
            words,
            place: ask.clone(),
            threshold: source.replay.recorded_settings().settings.threshold_bytes,
            columns: source.columns,
        }
    }

    fn arrive(&mut self, data: &WhyData, same_event: bool) {
        if !same_event || data.place != self.place || self.chosen == 0 {
            self.chosen = data.answer.as_ref().map_or(0, |why| why.decisive);
            self.top = 0;
        }
    }

    fn update(&mut self, data: &WhyData, action: &Action, context: Context) -> Outcome {
        let times = context.times();
        let last = data.choices().saturating_sub(1);
        match action {
            Action::Down => self.step(data, context, self.chosen.saturating_add(times)),
            Action::Up => self.step(data, context, self.chosen.saturating_sub(times)),
            Action::Top => self.step(data, context, context.count.map_or(0, |n| n as usize - 1)),
            Action::Bottom | Action::PageDown | Action::HalfDown => self.step(data, context, last),
            Action::PageUp | Action::HalfUp => self.step(data, context, 0),
            Action::Scroll(lines) => {
                let far = usize::from(lines.unsigned_abs());
                let to = if *lines < 0 {
                    self.chosen.saturating_sub(far)
                } else {
                    self.chosen + far
                };
                self.step(data, context, to)
            }
            Action::Click(_, row) => {
                let rows = data.rows(context.columns);
                let choice = rows
                    .iter()
                    .nth(self.top + usize::from(*row))
                    .and_then(|row| row.choice);
                match choice {
                    Some(choice) if choice == self.chosen => self.follow(data),
                    Some(choice) => self.step(data, context, choice),
                    None => Outcome::done(),
                }
            }
            Action::Into => self.follow(data),
            Action::CopyValue => Outcome::with(Effect::Copy {
                what: "text",
                text: data.rows(data.columns.max(60)).text(),
            }),
            Action::CopyJson => {
                let calls = data
                    .answer
                    .as_ref()
                    .and_then(|why| why.ways.get(self.chosen.checked_sub(why.causes.len())?))
                    .filter(|way| !way.calls.is_empty())
                    .and_then(|way| serde_json::to_string(&way.calls).ok());
                match calls {
                    Some(text) => Outcome::with(Effect::Copy { what: "JSON", text }),
                    None => Outcome::Ignored,
                }
            }
            _ => Outcome::Ignored,
        }
    }

    fn view(&self, data: &WhyData, canvas: &mut Canvas<'_>, theme: &Theme) {
        let (columns, rows) = (canvas.columns(), canvas.rows());
        let shown = data.rows(columns);
        let keys = hints(Scope::Why, columns.saturating_sub(1));
        let free = usize::from(rows).saturating_sub(shown.len());
        let top = shown.top(self.chosen, self.top, usize::from(rows));
        shown.draw(self.chosen, top, canvas, theme);
        if data.answer.is_some() && rows >= ROOM_FOR_KEYS && free > keys.len() {
            for (line, row) in keys.iter().zip(shown.len() as u16..) {
                line.draw(canvas, 1, row, theme);
            }
        }
    }

    fn reveal(&mut self, _: &WhyData, _: &Place) -> bool {
        false
    }

    fn status(&self, _: &WhyData) -> Status {
        Status::default()
    }

    fn place(&self, data: &WhyData) -> Option<Place> {
        data.place.clone()
    }

    fn nothing(_: &Source) -> Option<String> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::event::EventId;
    use crate::tui::tabs::testing::{Pane, demo, source};

    fn why(index: usize, place: Option<&Place>, size: (u16, u16)) -> Pane<WhyTab> {
        let mut tab = WhyTab::default();
        tab.aim(place);
        let source = source(demo("released-too-early"), index, size);
        let data = WhyTab::load(&source, &tab.ask());
        tab.arrive(&data, false);
        Pane { tab, data, source }
    }

    #[test]
    fn why_item_260_was_never_sent() {
        let pane = why(6, Some(&Place::Item(260)), (62, 18));
        insta::assert_snapshot!(pane.screen());
    }

    #[test]
    fn enter_goes_to_the_event_that_decided_it() {
        let mut pane = why(6, Some(&Place::Item(260)), (62, 18));
        let to = |index| Outcome::with(Effect::GoTo(EventId::from_index(index).unwrap()));
        assert_eq!(pane.act(&Action::Into), to(26));
        pane.act(&Action::Down);
        assert_eq!(pane.act(&Action::Into), to(28));
        pane.act(&Action::Top);
        assert_eq!(pane.act(&Action::Into), to(6));
        pane.act(&Action::Bottom);
        let settings = crate::policy::cache::CacheSettings {
            threshold_bytes: 65_536,
            page_size: 261,
        };
        assert_eq!(
            pane.act(&Action::Into),
            Outcome::Done(vec![
                Effect::Settings(Some(settings)),
                Effect::Open(TabName::Rerun, Some(Place::Item(260))),
            ])
        );
    }

    #[test]
    fn what_was_sent_is_said_so() {
        for (index, place, words) in [
            (6, Some(Place::Item(3)), "Item 3 was sent at once."),
            (6, Some(Place::Item(70)), "Item 70 was read later, by #9."),
            (4, None, "All of this output was sent."),
            (1, None, "Only outputs of tools are kept"),
        ] {
            let screen = why(index, place.as_ref(), (62, 18)).screen();
            assert!(screen.contains(words), "{screen}");
        }
    }

    #[test]
    fn a_cut_is_asked_about_with_the_numbers_of_the_ledger() {
        let sent = Place::Bytes {
            block: 0,
            range: 0..1,
            pattern: String::new(),
        };
        for place in [None, Some(&sent)] {
            let screen = why(24, place, (62, 18)).screen();
            let title = "Why were 25,011 of 29,011 chars never sent?";
            assert!(screen.trim_start().starts_with(title), "{screen}");
        }
    }

    #[test]
    fn what_is_wrong_is_said_where_all_was_sent() {
        let screen = why(28, None, (80, 18)).screen();
        assert!(screen.contains("What is wrong with #28?"), "{screen}");
        for words in [
            "#6 stored 412 items as mcp-cache-0",
            "#26 released mcp-cache-0",
            "#28 asked 192..  unknown cached result handle",
        ] {
            assert!(screen.contains(words), "{screen}");
        }
        assert!(!screen.contains("All of this output was sent."), "{screen}");
        let screen = why(16, None, (80, 18)).screen();
        assert!(
            screen.contains("image says jpeg, bytes are png"),
            "{screen}"
        );
    }

    #[test]
    fn a_narrow_pane_wraps_and_keeps_the_choice_in_view() {
        let mut pane = why(6, Some(&Place::Item(260)), (40, 6));
        assert!(pane.screen().contains(">4 released"), "{}", pane.screen());
        pane.act(&Action::Bottom);
        assert!(
            pane.screen().contains(">  page_size 261"),
            "{}",
            pane.screen()
        );
        for (columns, rows) in [(0, 0), (1, 1), (9, 3), (120, 50)] {
            pane.screen_at(columns, rows);
        }
    }

    #[test]
    fn the_whole_answer_is_copied_as_text() {
        let mut pane = why(6, Some(&Place::Item(260)), (62, 18));
        let Outcome::Done(effects) = pane.act(&Action::CopyValue) else {
            panic!("copies");
        };
        let [Effect::Copy { text, .. }] = &effects[..] else {
            panic!("copies");
        };
        assert!(
            text.contains("4 released    #26 cache.release mcp-cache-0"),
            "{text}"
        );
    }
}
