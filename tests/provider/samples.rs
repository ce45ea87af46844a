//! Every tool output of real recordings, for every provider.
//!
//! The recordings are no part of the project: the test looks for them in `../shared` beside the
//! checkout, or where `TOOLREEL_SHARED` says.

use std::path::{Path, PathBuf};

use toolreel::provider::{Fate, Lens, names, render};
use toolreel::session::convert::subject;
use toolreel::session::event::{Body, EventKind};
use toolreel::session::{Input, Session};

fn shared() -> Option<PathBuf> {
    let folder = std::env::var_os("TOOLREEL_SHARED").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared"),
        PathBuf::from,
    );
    folder
        .join("samples")
        .is_dir()
        .then(|| folder.join("samples"))
}

fn files(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            files(&path, out);
        } else {
            out.push(path);
        }
    }
}

#[test]
fn every_output_is_rendered_for_every_provider() {
    let Some(folder) = shared() else {
        println!("skipped: no recordings beside the checkout");
        return;
    };
    let mut paths = Vec::new();
    files(&folder, &mut paths);
    let (mut outputs, mut blocks) = (0, std::collections::BTreeMap::<&str, usize>::new());
    for path in paths {
        let Ok(session) = Session::open(Input::Path(path)) else {
            continue;
        };
        if session.index_all().is_err() {
            continue;
        }
        let outputs_here: Vec<_> = session
            .index()
            .iter()
            .filter(|(_, record)| record.kind == EventKind::ToolOutput)
            .map(|(id, _)| id)
            .collect();
        // A few of each recording: they repeat themselves.
        for id in outputs_here.into_iter().take(12) {
            let Ok(event) = session.event(id) else {
                continue;
            };
            let Body::ToolOutput(output) = event.body else {
                continue;
            };
            let subject = subject(None, &output);
            outputs += 1;
            for lens in Lens::ALL {
                for name in names(lens) {
                    let rendering = render(&subject, name, lens).expect("a known name");
                    assert_eq!(rendering.wire.is_none(), rendering.error.is_some());
                    for block in &rendering.blocks {
                        *blocks.entry(block.fate.name()).or_default() += 1;
                        let carried = !matches!(block.fate, Fate::Dropped | Fate::Refused);
                        let held = block
                            .at
                            .as_deref()
                            .and_then(|at| rendering.wire.as_ref()?.pointer(at));
                        assert_eq!(carried, held.is_some(), "{name} {block:?}");
                    }
                }
            }
        }
    }
    println!("{outputs} outputs; {blocks:?}");
}
