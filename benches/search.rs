//! Searching a recording beside counting its newlines: what a rare hit costs.

use divan::Bencher;
use divan::counter::BytesCount;
use toolreel::query::{Needle, scan};

/// Bytes of the recording.
const SIZE: usize = 64 << 20;

fn main() {
    divan::main();
}

/// A long recording: the demos, again and again.
fn recording() -> Vec<u8> {
    let demos: Vec<u8> = toolreel::demo::DEMOS
        .iter()
        .flat_map(|demo| demo.bytes().iter().copied())
        .collect();
    demos.iter().copied().cycle().take(SIZE).collect()
}

#[divan::bench]
fn newlines(bencher: Bencher<'_, '_>) {
    let recording = recording();
    bencher
        .counter(BytesCount::new(SIZE))
        .bench(|| memchr::memchr_iter(b'\n', &recording).count());
}

/// As it stands, in any case, with an escape, beyond ASCII.
#[divan::bench(args = ["NEEDLE_c0ffee", "needle_c0ffee", "never \"quoted\"", "nigdy więcej"])]
fn rare(bencher: Bencher<'_, '_>, text: &str) {
    let recording = recording();
    let needle = Needle::new(text).expect("a needle");
    bencher.counter(BytesCount::new(SIZE)).bench(|| {
        let mut hits = 0;
        let searched = scan(recording.as_slice(), &needle, 0, &|| false, &mut |batch| {
            hits += batch.hits.len();
        });
        searched.map(|_| hits)
    });
}
