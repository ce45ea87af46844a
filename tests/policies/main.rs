//! Every client policy against vectors that others decided: the clients' own tests, their functions
//! while they ran, and recorded sessions.

mod command;
mod properties;
mod vectors;

use vectors::{Entry, entries, input, mismatch, policy, subject};

/// The vectors of every policy, by what fails.
fn failures(entries: &[Entry]) -> (usize, Vec<String>) {
    let (mut held, mut failures) = (0, Vec::new());
    for entry in entries {
        for vector in &entry.vectors {
            let policy = policy(&entry.id, &vector.params);
            let input = input(&vector.input);
            let cut = policy.cut(subject(&input));
            match mismatch(&cut.given, vector) {
                None => held += 1,
                Some(what) => failures.push(format!("{}: {what}", vector.name)),
            }
        }
    }
    (held, failures)
}

fn assert_all_hold(file: &str, least: usize) {
    let (held, failures) = failures(&entries(file));
    assert!(
        failures.is_empty(),
        "{} of {} fail:\n{}",
        failures.len(),
        held + failures.len(),
        failures.join("\n")
    );
    assert!(held >= least, "{held}");
}

#[test]
fn every_vector_holds() {
    assert_all_hold("policy_vectors.json", 145);
}

/// What the clients' own functions made of random texts, run in their own language: multi-byte,
/// surrogate pairs, carriage returns, line ends of all kinds, limits around the length of the text.
#[test]
fn random_texts_are_cut_as_the_clients_functions_cut_them() {
    assert_all_hold("policy_random.json", 700);
}

#[test]
fn units_limits_and_settings_are_those_of_the_clients() {
    for entry in entries("policy_vectors.json") {
        let policy = policy(&entry.id, &entry.params);
        let definition = policy.definition();
        assert_eq!(definition.unit, entry.unit, "{}", entry.id);
        let recover = serde_json::to_value(definition.recover).expect("a word");
        assert_eq!(recover, entry.recover, "{}", entry.id);
        // Where the limit is no number of units it is the model's or the user's choice.
        if entry.limit.is_number() {
            assert_eq!(policy.limit(), entry.limit, "{}", entry.id);
        }
    }
}
