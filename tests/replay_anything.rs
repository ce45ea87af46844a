//! The replay over every recording at hand, none of which was written for it: it answers everything
//! without a panic, and what it says of an output adds up.

#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::time::Duration;

use toolreel::demo::DEMOS;
use toolreel::policy::cache::CacheSettings;
use toolreel::replay::Replay;
use toolreel::replay::page::{PageOf, PageRequest};
use toolreel::replay::seen::Reach;
use toolreel::replay::source::Events;
use toolreel::replay::uses::Search;
use toolreel::replay::why::Target;
use toolreel::session::event::EventId;
use toolreel::session::{Input, Session};

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            files(&path, found);
        } else if path.metadata().is_ok_and(|file| file.len() < 2 << 20) {
            found.push(path);
        }
    }
}

fn ask_everything(name: &str, session: &Session) {
    session.index_all().unwrap();
    let replay = Replay::of(session);
    assert_eq!(replay.taken(), session.count(), "{name}");
    let settings = replay.recorded_settings().settings;
    let small = CacheSettings {
        threshold_bytes: 100,
        page_size: 2,
    };
    let reruns = [replay.rerun(settings), replay.rerun(small)];
    for rerun in &reruns {
        assert_eq!(rerun.rows().count() as u64, rerun.totals.outputs, "{name}");
        assert_eq!(rerun.totals.outputs, session.info().outputs, "{name}");
    }
    let mut search = Search::new();
    while !search.advance(&replay, session, Duration::from_millis(50)) {}
    let uses = search.uses();
    let _ = (
        uses.hidden_as_recorded(),
        uses.hidden(&reruns[1]),
        uses.from_nowhere(),
    );

    for position in 0..session.count() {
        let id = EventId::from_position(position);
        let record = session.record(id).unwrap();
        let _ = (
            replay.mark(id, &record),
            replay.cache_at(id),
            replay.array_inside(id),
        );
        if let Some(pages) = replay.pages(id) {
            let total: u64 = pages
                .cells
                .iter()
                .map(|cell| cell.range.end - cell.range.start)
                .sum();
            assert_eq!(total, pages.total_items, "{name} {id:?}");
            let _ = replay.read_all(id, None, None);
        }
        let Some(ledger) = replay.ledger(id) else {
            continue;
        };
        let bar = replay.bar(id, 5).unwrap();
        assert_eq!(
            bar.sent + bar.later + bar.never + bar.unknown,
            5,
            "{name} {id:?}"
        );
        let seen = replay.seen(id).unwrap();
        let mut lost = false;
        for block in &seen.blocks {
            let mut end = 0;
            for span in &block.spans {
                assert_eq!(span.range.start, end, "{name} {id:?}");
                end = span.range.end;
                lost |= matches!(span.reach, Reach::Never(_)) && !span.range.is_empty();
            }
        }
        assert!(
            !lost || replay.why(id, &Target::Output).is_some(),
            "{name} {id:?}"
        );
        let _ = replay.items(session, id);
        let request = PageRequest {
            of: PageOf::Output(ledger.event),
            offset: Some(1),
            limit: None,
            page_token: None,
            at: None,
            settings: Some(small),
        };
        let row = reruns[1].row_of(ledger.event);
        let is_cached = row.is_some_and(|row| row.cached);
        let page = replay.page(session, &request);
        // A handle that the recording releases is gone at its end.
        assert!(page.is_err() || is_cached, "{name} {id:?}");
    }
}

#[test]
fn the_demos() {
    for demo in DEMOS {
        ask_everything(demo.name, &demo.open().unwrap());
    }
}

#[test]
fn every_sample() {
    let shared = std::env::var_os("TOOLREEL_SHARED").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared"),
        PathBuf::from,
    );
    let mut found = Vec::new();
    for folder in ["samples", "pain"] {
        files(&shared.join(folder), &mut found);
    }
    if found.is_empty() {
        println!("skipped: no samples beside the checkout");
    }
    found.sort();
    for path in found {
        let name = path.display().to_string();
        let session = Session::open(Input::Path(path)).unwrap();
        ask_everything(&name, &session);
    }
}
