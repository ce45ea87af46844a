//! The house has floors: a lower one never names a higher one, and the two lowest touch nothing outside.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The floors from the ground up, with the modules that live on them.
const FLOORS: [&[&str]; 7] = [
    &["tool", "json", "text", "tokens", "media"],
    &["policy", "provider"],
    &["session"],
    &["replay", "demo"],
    &["check"],
    &["query", "export", "record"],
    &["config", "tui", "cli", "main"],
];

/// What floors 0 and 1 must not name: files, sockets, processes, clocks, the environment, the screen.
const OUTSIDE: [&str; 10] = [
    "std::fs",
    "std::net",
    "std::process",
    "std::env",
    "std::io::stdin",
    "SystemTime",
    "Instant::now",
    "tokio::",
    "crossterm::",
    "ratatui::",
];

fn floor(module: &str) -> Option<usize> {
    FLOORS.iter().position(|modules| modules.contains(&module))
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("src can be read") {
        let path = entry.expect("src can be read").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The code of a file without its comments.
fn code(path: &Path) -> String {
    fs::read_to_string(path)
        .expect("a source file is text")
        .lines()
        .map(|line| line.split_once("//").map_or(line, |(code, _)| code))
        .collect::<Vec<_>>()
        .join("\n")
}

/// The code of a file before its tests; nothing for a file that its parent declares for tests only.
fn shipped(path: &Path) -> String {
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let parent = path.with_file_name("");
    let parent = parent.with_extension("rs");
    let declared = fs::read_to_string(parent).unwrap_or_default();
    let test_only = declared.split("#[cfg(test)]").skip(1).any(|rest| {
        rest.lines()
            .take(3)
            .any(|line| line == format!("mod {name};"))
    });
    if test_only {
        return String::new();
    }
    let code = code(path);
    code.split("#[cfg(test)]")
        .next()
        .unwrap_or_default()
        .to_owned()
}

/// The top modules that the code names as `crate::NAME` or `crate::{NAME, …}`.
fn named(code: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for (at, _) in code.match_indices("crate::") {
        let rest = &code[at + "crate::".len()..];
        if let Some(group) = rest.strip_prefix('{') {
            let mut depth = 0;
            let mut fresh = true;
            let mut name = String::new();
            for char in group.chars() {
                match char {
                    '{' => depth += 1,
                    '}' if depth == 0 => break,
                    '}' => depth -= 1,
                    ',' if depth == 0 => {
                        names.insert(std::mem::take(&mut name));
                        fresh = true;
                    }
                    ':' => fresh = false,
                    char if fresh && !char.is_whitespace() => name.push(char),
                    _ => {}
                }
            }
            names.insert(name);
        } else {
            names.insert(
                rest.chars()
                    .take_while(|char| char.is_alphanumeric() || *char == '_')
                    .collect(),
            );
        }
    }
    names.remove("");
    names
}

fn modules() -> Vec<(String, PathBuf)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    sources(&root, &mut found);
    found.sort();
    found
        .into_iter()
        .filter_map(|path| {
            let inside = path.strip_prefix(&root).expect("found below the root");
            let first = inside.iter().next()?.to_string_lossy();
            let module = first.trim_end_matches(".rs").to_owned();
            (module != "lib").then_some((module, path))
        })
        .collect()
}

#[test]
fn every_module_has_a_floor() {
    for (module, path) in modules() {
        assert!(
            floor(&module).is_some(),
            "{} is on no floor: add it to the table",
            path.display()
        );
    }
}

#[test]
fn a_lower_floor_never_names_a_higher_one() {
    let mut wrong = Vec::new();
    for (module, path) in modules() {
        let here = floor(&module).unwrap_or(0);
        for name in named(&code(&path)) {
            if floor(&name).is_some_and(|there| there > here) {
                wrong.push(format!("{}: {module} names {name}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_lowest_floors_touch_nothing_outside() {
    let mut wrong = Vec::new();
    for (module, path) in modules() {
        if floor(&module).is_none_or(|floor| floor > 1) {
            continue;
        }
        let code = shipped(&path);
        for outside in OUTSIDE {
            if code.contains(outside) {
                wrong.push(format!("{}: names {outside}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn no_file_is_too_long_to_have_one_subject() {
    let long: Vec<_> = modules()
        .into_iter()
        .map(|(_, path)| {
            (
                fs::read_to_string(&path)
                    .unwrap_or_default()
                    .lines()
                    .count(),
                path,
            )
        })
        .filter(|(lines, _)| *lines > 700)
        .collect();
    assert!(long.is_empty(), "{long:?}");
}

#[test]
fn names_are_found_in_every_form() {
    let code = "use crate::a::B; use crate::{c::{D, E}, f, g::h}; crate::i::j(); use super::k;";
    let names: Vec<_> = named(code).into_iter().collect();
    assert_eq!(names, ["a", "c", "f", "g", "i"]);
}
