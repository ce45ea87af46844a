//! rig 0.44: every recorded provider and case.

use toolreel::provider::{Lens, names, render};

use super::{data, subject};

#[test]
fn every_wire_equals_what_rig_sent() {
    let fixtures = data("providers-0.44.json");
    let cases = data("cases.json");
    let wires = fixtures["wires"].as_object().expect("wires by provider");
    let (mut equal, mut same_text, mut wrong) = (0, 0, Vec::new());
    for (name, wire) in wires {
        for case in cases.as_array().into_iter().flatten() {
            let id = case["case"].as_str().unwrap_or_default();
            let expected = &wire["prepared"][id];
            let rendering = render(&subject(case), name, Lens::Rig).expect("a known provider");
            assert_eq!(&rendering.provider, name);
            let matches = match rendering.wire {
                Some(wire) => {
                    let (ours, theirs) = (wire.to_string(), expected.to_string());
                    same_text += usize::from(ours == theirs);
                    assert_eq!(rendering.bytes, ours.len() as u64);
                    wire == *expected
                }
                None => rendering.error.as_deref() == expected["error"].as_str(),
            };
            if matches {
                equal += 1;
            } else {
                wrong.push(format!("{name} {id}"));
            }
        }
    }
    println!(
        "{equal} of {} wires equal, {same_text} to the letter, {} providers",
        equal + wrong.len(),
        wires.len()
    );
    assert!(
        wrong.is_empty(),
        "{} differ: {}",
        wrong.len(),
        wrong.join("\n")
    );
    let known: Vec<&str> = names(Lens::Rig).collect();
    assert_eq!(known, wires.keys().map(String::as_str).collect::<Vec<_>>());
}
