//! The replay over many outputs: reading them once, and running the result cache again after a key
//! press.

use std::fmt::Write as _;
use std::sync::LazyLock;

use divan::Bencher;
use toolreel::policy::cache::CacheSettings;
use toolreel::replay::Replay;
use toolreel::replay::consequence::Direction;
use toolreel::session::{Input, Session};

fn main() {
    divan::main();
}

/// A session of so many outputs, each an array of up to 200 small objects.
fn session(outputs: usize) -> Session {
    let mut lines = String::from("{\"toolreel\":1}\n");
    for number in 0..outputs {
        let mut items = String::new();
        for item in 0..(number * 37) % 200 {
            let comma = if item > 0 { "," } else { "" };
            let _ = write!(
                items,
                r#"{comma}{{"number":{item},"title":"item {number}"}}"#
            );
        }
        let _ = writeln!(
            lines,
            r#"{{"type":"tool_call","id":"c{number}","tool":"t","arguments":{{"n":{number}}}}}"#
        );
        let _ = writeln!(
            lines,
            r#"{{"type":"tool_output","id":"c{number}","returned":{{"value":[{items}]}}}}"#
        );
    }
    let session = Session::open(Input::Bytes {
        name: "bench".to_owned(),
        bytes: lines.into_bytes(),
    });
    let session = session.expect("bytes can be read");
    session.index_all().expect("bytes can be read");
    session
}

static TEN_THOUSAND: LazyLock<Session> = LazyLock::new(|| session(10_000));
static REPLAY: LazyLock<Replay> = LazyLock::new(|| Replay::of(&*TEN_THOUSAND));

#[divan::bench(sample_count = 5, sample_size = 1)]
fn read_10_000_outputs() -> Replay {
    Replay::of(&*TEN_THOUSAND)
}

#[divan::bench]
fn re_run_10_000_outputs(bencher: Bencher<'_, '_>) {
    let mut page_size = 0;
    LazyLock::force(&REPLAY);
    bencher.bench_local(|| {
        page_size = (page_size + 1) % 150;
        REPLAY.rerun(CacheSettings {
            threshold_bytes: 2_000,
            page_size,
        })
    });
}

#[divan::bench]
fn next_threshold_of_10_000_outputs(bencher: Bencher<'_, '_>) {
    LazyLock::force(&REPLAY);
    bencher.bench_local(|| REPLAY.next_threshold(CacheSettings::default(), Direction::Down));
}

#[divan::bench]
fn snapshot_of_10_000_outputs(bencher: Bencher<'_, '_>) {
    LazyLock::force(&REPLAY);
    bencher.bench_local(|| REPLAY.clone());
}
