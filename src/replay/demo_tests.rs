//! The figures that the demo recordings show, compared with those that their story was written for.

use serde_json::json;

use super::consequence::Direction;
use super::ledger::{Amount, Bar, Measure, SentAs};
use super::loss::Mark;
use super::page::{PageError, PageOf, PageRequest};
use super::pages::{AnswerResult, Ask, ReadAll};
use super::rerun::{Reason, Recorded};
use super::seen::{Never, Reach, SeenUnit};
use super::source::Events;
use super::uses::{Place, Search, Uses};
use super::why::Target;
use super::*;
use crate::demo::Demo;
use crate::session::Session;

fn event(index: usize) -> EventId {
    EventId::from_index(index).expect("from 1")
}

fn demo(name: &str) -> (Session, Replay) {
    let session = Demo::find(name).expect("a demo").open().expect("opens");
    session.index_all().expect("readable");
    let replay = Replay::of(&session);
    (session, replay)
}

fn measured(amount: Amount) -> Measure {
    *amount.measure().expect("known")
}

#[test]
fn the_ledger_of_the_first_loss() {
    let (_, replay) = demo("released-too-early");
    let ledger = replay.ledger(event(6)).expect("an output");
    let items_and_bytes = |amount: Amount| (measured(amount).items, measured(amount).bytes);
    assert_eq!(items_and_bytes(ledger.returned), (Some(412), Some(147_787)));
    assert_eq!(items_and_bytes(ledger.sent), (Some(64), Some(23_625)));
    assert_eq!(
        items_and_bytes(ledger.read_later),
        (Some(128), Some(46_273))
    );
    assert_eq!(
        items_and_bytes(ledger.never_sent),
        (Some(220), Some(78_272))
    );
    assert_eq!(ledger.read_by, [event(9), event(11)]);
    assert_eq!(ledger.sent_as, Some(SentAs::CachedEnvelope));
    // The call shows the ledger of its output.
    assert_eq!(replay.ledger(event(5)), Some(ledger));
}

#[test]
fn the_list_of_losses_and_the_marks_of_the_rows() {
    let (session, replay) = demo("released-too-early");
    let losses: Vec<_> = replay
        .losses()
        .iter()
        .map(|loss| (loss.event.index(), loss.text.as_str()))
        .collect();
    assert_eq!(
        losses,
        [
            (6, "220 of 412 items never sent"),
            (16, "image says jpeg, bytes are png"),
            (22, "27,204 of 31,204 chars cut"),
            (24, "25,011 of 29,011 chars cut"),
            (28, "asked for a released handle"),
        ]
    );
    assert_eq!(replay.outputs_that_lost_data(), 3);
    let mark = |index| replay.mark(event(index), &session.record(event(index)).unwrap());
    assert_eq!(mark(6), Some(Mark::Envelope));
    assert_eq!(mark(16), Some(Mark::Finding));
    assert_eq!(mark(22), Some(Mark::Error));
    assert_eq!(mark(24), None);
    assert_eq!(mark(28), Some(Mark::Error));
    let bar = |index| replay.bar(event(index), 5).unwrap();
    let cells = |sent, later, never| Bar {
        sent,
        later,
        never,
        unknown: 0,
    };
    assert_eq!(bar(6), cells(1, 1, 3));
    assert_eq!(bar(9), cells(5, 0, 0));
    assert_eq!(bar(22), cells(1, 0, 4));
}

#[test]
fn the_gutter_groups_an_array_by_what_the_model_got() {
    let (_, replay) = demo("released-too-early");
    let seen = replay.seen(event(6)).unwrap();
    let [block] = &*seen.blocks else {
        panic!("one block");
    };
    assert_eq!(block.unit, SeenUnit::Items);
    let spans: Vec<_> = block
        .spans
        .iter()
        .map(|span| (span.range.clone(), span.reach))
        .collect();
    let never = Reach::Never(Never::NotAsked);
    assert_eq!(
        spans,
        [
            (0..64, Reach::Sent),
            (64..128, Reach::ReadLater(event(9))),
            (128..192, Reach::ReadLater(event(11))),
            (192..256, Reach::Never(Never::AskedAfterRelease(event(28)))),
            (256..320, never),
            (320..384, never),
            (384..412, never),
        ]
    );
    let cut = replay.seen(event(22)).unwrap();
    let spans: Vec<_> = cut.blocks[0].spans.iter().map(|span| span.reach).collect();
    assert_eq!(spans, [Reach::Sent, Reach::Never(Never::Cut)]);
}

#[test]
fn why_item_260_was_never_sent() {
    let (_, replay) = demo("released-too-early");
    let why = replay.why(event(6), &Target::Item(260)).unwrap();
    assert_eq!(why.title, "Why was item 260 never sent?");
    let causes: Vec<_> = why
        .causes
        .iter()
        .map(|cause| (cause.event.index(), cause.word, cause.text.as_str()))
        .collect();
    assert_eq!(
        causes,
        [
            (6, "returned", "#6 search_issues, 412 items"),
            (6, "cached", "147,787 B > 65,536 B, so only 0..63 were sent"),
            (9, "read", "#9 took 64..127, #11 took 128..191"),
            (26, "released", "#26 cache.release mcp-cache-0"),
            (
                28,
                "too late",
                "#28 asked 192..  unknown cached result handle"
            ),
        ]
    );
    assert_eq!(why.causes[why.decisive].event, event(26));
    assert_eq!(why.open_until, Some(event(26)));
    let ways: Vec<_> = why
        .ways
        .iter()
        .map(|way| (way.cost.as_str(), way.text.as_str(), way.bytes))
        .collect();
    assert_eq!(
        ways,
        [
            ("2 calls", "192.. then 256..", Some(45_191)),
            ("1 call", r#"{"offset":260,"limit":1}"#, Some(486)),
            (
                "page_size 261",
                "first answer 93,993 B, over the threshold",
                None
            ),
        ]
    );
    assert_eq!(replay.why(event(6), &Target::Item(63)), None);
    assert_eq!(replay.why(event(6), &Target::Item(412)), None);
    assert_eq!(replay.why(event(18), &Target::Output), None);
    let cut = replay.why(event(22), &Target::Output).unwrap();
    assert_eq!(cut.causes[1].word, "cut");
}

#[test]
fn answers_are_those_of_cache_page_as_of_the_event() {
    let (session, replay) = demo("released-too-early");
    let items = replay.items(&session, event(6)).unwrap();
    let ask = |token: &str, at: usize| Ask {
        arguments: Some(json!({ "page_token": token })),
        at: event(at),
        released_here: false,
        page_size: None,
    };
    let answer = replay.answer(&items, &ask("mcp-cache-0:offset:64", 6));
    assert_eq!((answer.range, answer.bytes), (64..128, Some(23_213)));
    assert_eq!(answer.next.as_deref(), Some("mcp-cache-0:offset:128"));
    assert!(answer.default_limit);

    let refused = AnswerResult::Refused("invalid argument: unknown cached result handle".into());
    for (token, at) in [
        ("mcp-cache-0:offset:192", 5),
        ("mcp-cache-0:offset:192", 26),
        ("mcp-cache-1:offset:0", 6),
    ] {
        assert_eq!(replay.answer(&items, &ask(token, at)).result, refused);
    }
    let released_here = Ask {
        released_here: true,
        ..ask("mcp-cache-0:offset:192", 6)
    };
    assert_eq!(replay.answer(&items, &released_here).result, refused);
    let broken = replay
        .answer(&items, &ask("mcp-cache-0:ofset:64", 6))
        .result;
    assert_eq!(
        broken,
        AnswerResult::Refused("invalid argument: invalid `page_token`".into())
    );

    let envelope = Ask {
        arguments: None,
        ..ask("", 6)
    };
    let envelope = replay.answer(&items, &envelope);
    assert_eq!((envelope.range, envelope.bytes), (0..64, Some(23_625)));
    assert_eq!(
        replay.read_all(event(6), None, None),
        Some(ReadAll {
            answers: 7,
            bytes: Some(148_625),
            whole_bytes: Some(147_787),
        })
    );
}

#[test]
fn the_re_run_with_a_page_size_of_20() {
    let (_, replay) = demo("released-too-early");
    let recorded = replay.recorded_settings().settings;
    assert_eq!(recorded, CacheSettings::default());
    let row = replay.rerun(recorded).row_of(event(6)).unwrap();
    assert_eq!(row.recorded, Recorded::Same);
    assert_eq!(
        (row.bytes_after, row.calls_to_read_all),
        (Some(23_625), Some(6))
    );

    let twenty = CacheSettings {
        page_size: 20,
        ..recorded
    };
    let rerun = replay.rerun(twenty);
    let row = rerun.row_of(event(6)).unwrap();
    assert_eq!(
        (row.bytes_after, row.calls_to_read_all),
        (Some(7_600), Some(7))
    );
    assert_eq!(row.recorded, Recorded::Differs);
    assert_eq!(row.page_token.as_deref(), Some("mcp-cache-0:offset:20"));
    let totals = &rerun.totals;
    assert_eq!(
        (totals.outputs, totals.cached, totals.not_array),
        (12, 1, 5)
    );
    assert_eq!(
        (totals.under_threshold, totals.errors, totals.cache_answers),
        (1, 2, 3)
    );
    let reason = |index| rerun.row_of(event(index)).unwrap().reason;
    assert_eq!(reason(4), Some(Reason::UnderThreshold));
    assert_eq!(reason(9), Some(Reason::CacheAnswer));
    assert_eq!(reason(14), Some(Reason::NotArray));
    assert_eq!(reason(28), Some(Reason::Error));

    // Nothing is left out any more, and the envelope costs more than the array.
    let all = CacheSettings {
        page_size: 412,
        ..recorded
    };
    let all_sent = replay.rerun(all);
    let row = all_sent.row_of(event(6)).unwrap();
    assert_eq!(
        row.remark(all).as_deref(),
        Some("envelope 147,895 B, 108 B more than the array, hides nothing, handle stays live")
    );
    assert_eq!((row.bytes_after, row.page_token), (Some(147_895), None));
    assert_eq!(
        all_sent.changed_from(&rerun).collect::<Vec<_>>(),
        [event(6)]
    );
    assert_eq!(rerun.changed_from(&rerun).count(), 0);
}

#[test]
fn settings_move_by_consequence() {
    let (_, replay) = demo("released-too-early");
    let settings = CacheSettings::default();
    let next = |settings, direction| {
        let next = replay.next_threshold(settings, direction)?;
        Some((next.value, next.event.index()))
    };
    assert_eq!(next(settings, Direction::Down), Some((1_804, 4)));
    assert_eq!(next(settings, Direction::Up), Some((147_787, 6)));
    let low = CacheSettings {
        threshold_bytes: 1_804,
        ..settings
    };
    assert_eq!(replay.rerun(low).totals.cached, 2);
    assert_eq!(next(low, Direction::Down), None);
    assert_eq!(next(low, Direction::Up), Some((1_805, 4)));
    let high = CacheSettings {
        threshold_bytes: 147_787,
        ..settings
    };
    assert_eq!(replay.rerun(high).totals.cached, 0);
    assert_eq!(replay.next_page_size(high, Direction::Up), None);
}

#[test]
fn page_as_the_command_line_asks() {
    let (session, replay) = demo("released-too-early");
    let request = |of: PageOf| PageRequest {
        of,
        offset: Some(260),
        limit: Some(1),
        page_token: None,
        at: None,
        settings: None,
    };
    let of_handle = request(PageOf::Handle("mcp-cache-0".into()));
    let unknown = PageError::Refused("invalid argument: unknown cached result handle".into());
    assert_eq!(replay.page(&session, &of_handle), Err(unknown.clone()));
    let before = PageRequest {
        at: Some(event(25)),
        ..of_handle
    };
    let answer = replay.page(&session, &before).unwrap();
    assert_eq!(answer["items"][0]["number"], 3_966);
    assert_eq!(answer.to_string().len(), 486);
    // A call stands for its output; another threshold gives its array another handle.
    let other = PageRequest {
        of: PageOf::Output(event(5)),
        settings: Some(CacheSettings {
            threshold_bytes: 0,
            page_size: 2,
        }),
        ..before.clone()
    };
    assert_eq!(
        replay.page(&session, &other).unwrap()["handle"],
        "mcp-cache-1"
    );
    let whole = PageRequest {
        of: PageOf::Output(event(4)),
        ..before.clone()
    };
    let error = replay.page(&session, &whole).unwrap_err();
    assert!(matches!(error, PageError::NotCached(_)), "{error}");
    let text = PageRequest {
        of: PageOf::Output(event(1)),
        ..before
    };
    assert_eq!(replay.page(&session, &text), Err(PageError::NoSuchOutput));
}

#[test]
fn the_cache_as_it_stood() {
    let (_, replay) = demo("released-too-early");
    let counts = |index| {
        let state = replay.cache_at(event(index));
        (state.live.len(), state.gone.len(), state.refused.len())
    };
    assert_eq!(counts(5), (0, 0, 0));
    assert_eq!(counts(6), (1, 0, 0));
    assert_eq!(counts(26), (0, 1, 0));
    assert_eq!(counts(29), (0, 1, 1));
    let state = replay.cache_at(event(9));
    assert_eq!(state.live[0].served_items, 128);
    assert_eq!(state.live[0].pages, [event(9)]);
}

fn uses(session: &Session, replay: &Replay) -> Uses {
    let mut search = Search::new();
    while !search.advance(replay, session, std::time::Duration::ZERO) {}
    search.uses()
}

#[test]
fn what_was_used_later_and_how_far_away_it_would_be() {
    let (session, replay) = demo("released-too-early");
    let uses = uses(&session, &replay);
    let hidden = |page_size| {
        let settings = CacheSettings {
            page_size,
            ..CacheSettings::default()
        };
        uses.hidden(&replay.rerun(settings))
    };
    for (page_size, calls) in [(64, 1), (20, 2)] {
        let hidden = hidden(page_size);
        let [used] = &*hidden else {
            panic!("one use: {hidden:?}");
        };
        assert_eq!(
            (used.value.as_str(), used.used_by, used.output),
            ("4296", 13, 6)
        );
        assert_eq!((used.place, used.calls), (Place::Item(126), Some(calls)));
    }
    assert!(hidden(127).is_empty());
    // It was read in time, by the page before the call.
    assert!(
        uses.hidden_as_recorded()
            .iter()
            .all(|used| used.value != "4296")
    );
}
