use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::query::Needle;
use crate::tui::tabs::prose::WrapCache;

/// A tree with its folds, as a tab holds it.
struct Bench {
    tree: Tree,
    folds: Folds,
    cache: WrapCache,
    width: usize,
}

impl Bench {
    fn new(value: &Value) -> Self {
        Self {
            tree: Tree::new(Doc::of_value(value), Mark::Sent),
            folds: Folds::default(),
            cache: WrapCache::default(),
            width: 60,
        }
    }

    fn walk(&self) -> Walk<'_> {
        Walk {
            tree: &self.tree,
            folds: &self.folds,
            width: self.width,
            cache: &self.cache,
        }
    }

    fn unfold(&mut self) -> Unfold<'_> {
        Unfold {
            tree: &self.tree,
            folds: &mut self.folds,
            width: self.width,
            cache: &self.cache,
        }
    }

    fn spots(&self) -> Vec<Spot> {
        let walk = self.walk();
        std::iter::successors(walk.first(), |spot| walk.next(spot)).collect()
    }

    fn lines(&self) -> Vec<String> {
        let walk = self.walk();
        self.spots()
            .iter()
            .map(|spot| {
                let (line, mark) = walk.line(spot, Marked::default());
                format!("{} {}", mark.glyph(), line.text())
            })
            .collect()
    }
}

fn issues(count: u64) -> Value {
    (0..count)
        .map(|n| json!({"number": 4000 + n, "title": format!("Title {n}"), "open": true, "labels": [], "body": null}))
        .collect()
}

fn paged() -> Bench {
    let mut bench = Bench::new(&issues(12));
    let group = |items: Range<u64>, mark, words: &str| Group {
        first: Some(items.start as u32),
        items,
        mark,
        words: words.to_owned(),
    };
    bench.tree = bench.tree.grouped(vec![
        group(0..4, Mark::Sent, "in the envelope"),
        group(4..8, Mark::Later, "read by #9"),
        group(8..12, Mark::Never, "never asked"),
    ]);
    bench
}

#[test]
fn an_array_is_grouped_by_what_the_model_got() {
    let mut bench = paged();
    bench.folds.set(Key::Group(0), Fold::Open(Shown::first(2)));
    insta::assert_snapshot!(bench.lines().join("\n"), @"
    ┃ ▾ [0..3]    in the envelope  281 B
    ┃   ▸ 0  4000  Title 0
    ┃   ▸ 1  4001  Title 1
    ┃     2 more
    ┆ ▸ [4..7]    read by #9  281 B
    ░ ▸ [8..11]   never asked  283 B
    ");
}

#[test]
fn an_item_is_revealed_with_its_first_fields() {
    let mut bench = paged();
    let spot = bench.unfold().item(9).unwrap();
    assert_eq!(bench.walk().path(&spot), ".[9]");
    assert_eq!(bench.walk().item(&spot), Some(9));
    insta::assert_snapshot!(bench.lines().join("\n"), @r#"
    ┃ ▸ [0..3]    in the envelope  281 B
    ┆ ▸ [4..7]    read by #9  281 B
    ░ ▾ [8..11]   never asked  283 B
    ░     1 more
    ░   ▾ 9  {
    ░       "number": 4009,
    ░       "title": "Title 9",
    ░       "open": true,
    ░       2 more keys
    ░     2 more
    "#);
}

#[test]
fn a_byte_is_revealed_where_it_stands() {
    let mut bench = paged();
    let text = String::from_utf8(bench.tree.doc().bytes().to_vec()).unwrap();
    let at = text.find("4010").unwrap();
    let spot = bench.unfold().byte(at).unwrap();
    assert_eq!(bench.walk().path(&spot), ".[10].number");
    let range = at..at + 4;
    let marked = Marked {
        range: Some(&range),
        needle: None,
    };
    let (line, mark) = bench.walk().line(&spot, marked);
    assert_eq!(mark, Mark::Never);
    let hit: Vec<_> = line
        .left
        .iter()
        .filter(|piece| piece.ink == crate::tui::tabs::line::Ink::Hit)
        .map(|piece| piece.text.as_ref())
        .collect();
    assert_eq!(hit, ["4010"]);
}

#[test]
fn what_was_never_sent_can_be_left_out() {
    let mut bench = paged();
    bench.folds.only_seen = true;
    assert_eq!(bench.lines().len(), 2);
    let hidden = Spot {
        path: vec![2, 9],
        line: SpotLine::Head,
    };
    let settled = bench.walk().settle(&hidden).unwrap();
    assert_eq!(settled.path, [1]);
}

#[test]
fn items_that_are_not_recorded_are_no_items() {
    let mut bench = Bench::new(&issues(2));
    bench.tree = bench.tree.grouped(vec![
        Group {
            items: 0..2,
            first: Some(0),
            mark: Mark::Sent,
            words: "in the envelope".to_owned(),
        },
        Group {
            items: 2..90,
            first: None,
            mark: Mark::Unknown,
            words: "not recorded".to_owned(),
        },
    ]);
    let spot = bench.unfold().item(50).unwrap();
    assert_eq!(spot.path, [1]);
    assert!(!bench.unfold().open(&spot));
    assert_eq!(bench.tree.group_bytes(&bench.tree.groups()[1]), None);
    assert_eq!(bench.lines().last().unwrap(), "?   [2..89]   not recorded");
}

#[test]
fn json_in_a_text_opens_in_place() {
    let inner = json!({"deep": {"er": [1, 2]}, "text": "x"}).to_string();
    let mut bench = Bench::new(&json!({"arguments": inner, "n": 1}));
    let spot = bench.walk().first().unwrap();
    assert!(bench.unfold().open(&spot));
    insta::assert_snapshot!(bench.lines().join("\n"), @r#"
    ┃ ▾ "arguments": JSON in text, object of 2
    ┃   ▸ "deep": {"er":[1,2]},
    ┃     "text": "x"
    ┃   "n": 1
    "#);
    let inside = bench.walk().next(&spot).unwrap();
    assert_eq!(bench.walk().path(&inside), ".arguments | fromjson | .deep");
    assert!(bench.unfold().open(&inside));
    assert_eq!(bench.lines().len(), 5);
    assert!(bench.unfold().close(&spot));
    assert_eq!(bench.lines().len(), 2);
}

#[test]
fn a_long_text_unfolds_to_rows() {
    let mut bench = Bench::new(&json!(["word ".repeat(40)]));
    let spot = bench.walk().first().unwrap();
    assert!(bench.unfold().open(&spot));
    bench.width = 42;
    let lines = bench.lines();
    assert_eq!(lines[0], "┃ ▾ 0 text, 200 B");
    assert_eq!(lines.len(), 6);
    let row = bench.spots()[3].clone();
    assert_eq!(bench.unfold().parent(&row), Some(spot));
}

#[test]
fn a_folded_text_shows_its_hit() {
    let text = format!("{}needle{}", "a".repeat(500), "b".repeat(500));
    let mut bench = Bench::new(&json!({"body": text}));
    let at = bench
        .tree
        .doc()
        .bytes()
        .windows(6)
        .position(|w| w == b"needle")
        .unwrap();
    let spot = bench.unfold().byte(at).unwrap();
    let range = at..at + 6;
    let marked = Marked {
        range: Some(&range),
        needle: None,
    };
    let (line, _) = bench.walk().line(&spot, marked);
    let shown = line.text();
    assert!(shown.find("needle").is_some_and(|at| at < 60), "{shown}");
    assert!(
        line.left
            .iter()
            .any(|piece| piece.ink == crate::tui::tabs::line::Ink::Hit && piece.text == "needle")
    );
}

#[test]
fn a_repeated_key_is_shown_twice() {
    let mut bench = Bench::new(&json!(null));
    bench.tree = Tree::new(Doc::of_compact(br#"{"a":1,"a":2}"#.to_vec()), Mark::Sent);
    assert_eq!(bench.lines(), [r#"┃   "a": 1,"#, r#"┃   "a": 2"#]);
}

#[test]
fn empty_values_and_scalars_have_one_line() {
    for (value, line) in [
        (json!([]), "┃   []"),
        (json!({}), "┃   {}"),
        (json!(null), "┃   null"),
        (json!("x"), "┃   \"x\""),
        (json!(1.5), "┃   1.5"),
    ] {
        assert_eq!(Bench::new(&value).lines(), [line]);
    }
}

#[test]
fn a_needle_is_marked_wherever_it_stands() {
    let bench = Bench::new(&json!(["login", "x LOGIN"]));
    let needle = Needle::new("login").unwrap();
    let marked = Marked {
        range: None,
        needle: Some(&needle),
    };
    for spot in bench.spots() {
        let (line, _) = bench.walk().line(&spot, marked);
        assert!(
            line.left
                .iter()
                .any(|piece| piece.ink == crate::tui::tabs::line::Ink::Hit)
        );
    }
}

/// Ten megabytes are walked without a list of their lines: a screen costs the same everywhere.
#[test]
fn a_large_array_is_walked_lazily() {
    let mut bench = Bench::new(&issues(100_000));
    bench.folds.open = true;
    let last = bench.walk().last().unwrap();
    assert_eq!(bench.walk().path(&last), ".[99999].body");
    let started = std::time::Instant::now();
    let mut spot = last;
    for _ in 0..1000 {
        let before = bench.walk().previous(&spot).unwrap();
        let _ = bench.walk().line(&before, Marked::default());
        spot = before;
    }
    assert!(
        started.elapsed().as_millis() < 2000,
        "{:?}",
        started.elapsed()
    );
}

fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        "[a-z \n\u{1b}\u{202e}\u{4e2d}]{0,60}".prop_map(Value::from),
        Just(Value::from(r#"{"a":[1,{"b":"c"}]}"#)),
    ];
    leaf.prop_recursive(4, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::vec(("[a-c \"]{0,4}", inner), 0..6)
                .prop_map(|entries| Value::Object(entries.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn forward_and_back_are_the_same_lines(
        value in any_value(),
        opened in prop::collection::vec(any::<prop::sample::Index>(), 0..12),
        cut in prop::collection::vec((any::<prop::sample::Index>(), 0_u64..4), 0..3),
        all in any::<bool>(),
        width in 1_usize..70,
    ) {
        let mut bench = Bench::new(&value);
        bench.width = width;
        bench.folds.all(all);
        for index in opened {
            let spots = bench.spots();
            let spot = spots[index.index(spots.len())].clone();
            if !bench.unfold().open(&spot) {
                bench.unfold().close(&spot);
            }
        }
        for (index, few) in cut {
            let spots = bench.spots();
            let node = bench.walk().node(&spots[index.index(spots.len())].path).unwrap();
            bench.folds.set(node.key, Fold::Open(Shown::first(few)));
        }
        let forward = bench.spots();
        let walk = bench.walk();
        prop_assert_eq!(forward.first().cloned(), walk.first());
        prop_assert_eq!(forward.last().cloned(), walk.last());
        let mut back: Vec<_> =
            std::iter::successors(walk.last(), |spot| walk.previous(spot)).collect();
        back.reverse();
        prop_assert_eq!(&forward, &back);
        for spot in &forward {
            let settled = walk.settle(spot);
            prop_assert_eq!(settled.as_ref(), Some(spot));
            let (line, _) = walk.line(spot, Marked::default());
            let unsafe_text = line.text().contains(|c: char| c.is_control() || c == '\u{202e}');
            prop_assert!(!unsafe_text);
            let _ = (walk.path(spot), walk.json(spot), walk.value(spot), walk.bytes(spot), walk.item(spot));
        }
    }

    #[test]
    fn every_byte_is_revealed_by_a_line_that_is_shown(value in any_value(), at in any::<prop::sample::Index>()) {
        let mut bench = Bench::new(&value);
        let byte = at.index(bench.tree.doc().bytes().len());
        if let Some(spot) = bench.unfold().byte(byte) {
            let spots = bench.spots();
            prop_assert!(spots.contains(&spot), "{:?} not in {:?}", spot, spots);
        }
    }
}
