//! Vectors: their form, their inputs, and how a result is compared with one.

use serde::Deserialize;
use serde_json::{Map, Value, json};
use toolreel::policy::client::{Catalogue, ClientPolicy, Given};
use toolreel::policy::{Content, Subject};

/// The vectors of one policy, and what is known of it.
#[derive(Deserialize)]
pub struct Entry {
    pub id: String,
    #[serde(default)]
    pub unit: String,
    #[serde(default)]
    pub limit: Value,
    #[serde(default)]
    pub recover: String,
    #[serde(default)]
    pub params: Map<String, Value>,
    pub vectors: Vec<Vector>,
}

#[derive(Deserialize)]
pub struct Vector {
    pub name: String,
    pub input: Value,
    pub params: Map<String, Value>,
    pub expected: Option<Value>,
    pub expected_digest: Option<Digest>,
}

/// What is known of a result that is too long to write down.
#[derive(Deserialize)]
pub struct Digest {
    pub sha256_utf8: String,
    pub chars: usize,
    pub utf16: usize,
    pub utf8_bytes: usize,
    pub starts_with: String,
    pub ends_with: String,
}

/// An input made from its description.
pub enum Input {
    Text(String),
    Json(Value),
}

pub fn entries(file: &str) -> Vec<Entry> {
    // Larger sets of vectors can be put in the place of the ones here.
    let path = std::env::var("TOOLREEL_POLICY_VECTORS")
        .unwrap_or_else(|_| format!("{}/tests/data/{file}", env!("CARGO_MANIFEST_DIR")));
    let text = std::fs::read_to_string(path).expect("the vectors are there");
    serde_json::from_str(&text).expect("the vectors are of their form")
}

pub fn input(value: &Value) -> Input {
    match value {
        Value::String(text) => Input::Text(text.clone()),
        other => generated(other),
    }
}

fn generated(value: &Value) -> Input {
    let number = |key: &str| value[key].as_u64().expect("a number");
    Input::Text(match value["gen"].as_str().expect("a generator") {
        "repeat" => value["s"]
            .as_str()
            .expect("a text")
            .repeat(number("n") as usize),
        "seq" => (number("from")..=number("to")).fold(String::new(), |text, number| {
            text + &number.to_string() + "\n"
        }),
        "lines" => {
            let prefix = value["prefix"].as_str().expect("a prefix");
            let lines: Vec<_> = (number("from")..=number("to"))
                .map(|number| format!("{prefix}{number}"))
                .collect();
            let end = if value["final_newline"].as_bool().unwrap_or(true) {
                "\n"
            } else {
                ""
            };
            lines.join("\n") + end
        }
        "concat" => value["parts"]
            .as_array()
            .expect("parts")
            .iter()
            .map(|part| match input(part) {
                Input::Text(text) => text,
                Input::Json(value) => value.to_string(),
            })
            .collect(),
        "json" => return Input::Json(value["value"].clone()),
        "json_objects" => {
            return Input::Json((0..number("n")).map(|id| json!({ "id": id })).collect());
        }
        other => panic!("no generator `{other}`"),
    })
}

pub fn policy(id: &str, params: &Map<String, Value>) -> ClientPolicy {
    let mut policy = Catalogue::built_in()
        .policy(id)
        .expect("the policy is known");
    for (name, value) in params {
        policy.set_json(name, value).expect("the setting is known");
    }
    policy
}

pub fn subject(input: &Input) -> Subject<'_> {
    Subject::of(match input {
        Input::Text(text) => Content::Text(text),
        Input::Json(value) => Content::Json(value),
    })
}
/// What is wrong with a result.
pub fn mismatch(given: &Given, vector: &Vector) -> Option<String> {
    match (given, &vector.expected, &vector.expected_digest) {
        (Given::Text(text), Some(Value::String(expected)), _) => {
            let text = text.to_json().expect("text is JSON");
            let expected = serde_json::to_string(expected).expect("text is JSON");
            (text != expected).then(|| format!("\n  got  {text}\n  want {expected}"))
        }
        (Given::Text(text), Some(Value::Object(halves)), _) if halves.contains_key("json") => {
            let text = text.to_json().expect("text is JSON");
            let expected = halves["json"].as_str().expect("JSON as text");
            (text != expected).then(|| format!("\n  got  {text}\n  want {expected}"))
        }
        (Given::Value(value), Some(expected), _) => {
            (value != expected).then(|| format!("\n  got  {value}\n  want {expected}"))
        }
        (Given::Text(text), _, Some(digest)) => {
            let text = text.as_str()?;
            let is = text.chars().count() == digest.chars
                && text.encode_utf16().count() == digest.utf16
                && text.len() == digest.utf8_bytes
                && text.starts_with(&digest.starts_with)
                && text.ends_with(&digest.ends_with)
                && sha256(text.as_bytes()) == digest.sha256_utf8;
            (!is).then(|| {
                format!(
                    "\n  got  {} bytes: {}",
                    text.len(),
                    &text[..200.min(text.len())]
                )
            })
        }
        _ => Some("nothing to compare with".to_owned()),
    }
}

/// SHA-256 as hexadecimal digits; the digests of the vectors need no dependency for it.
fn sha256(bytes: &[u8]) -> String {
    // The first 32 bits of the fractional parts of the cube roots of the first 64 primes, and of the
    // square roots of the first eight.
    let primes = (2_u32..).filter(|n| (2..*n).all(|d| n % d != 0));
    let root = |number: u32, power: f64| {
        ((f64::from(number).powf(power).fract()) * 4_294_967_296.0) as u32
    };
    let k: Vec<u32> = primes
        .clone()
        .take(64)
        .map(|p| root(p, 1.0 / 3.0))
        .collect();
    let mut h: Vec<u32> = primes.take(8).map(|p| root(p, 0.5)).collect();
    let mut padded = bytes.to_vec();
    padded.push(0x80);
    while padded.len() % 64 != 56 {
        padded.push(0);
    }
    padded.extend((bytes.len() as u64 * 8).to_be_bytes());
    for block in padded.chunks(64) {
        let mut w: Vec<u32> = block
            .chunks(4)
            .map(|word| u32::from_be_bytes(word.try_into().expect("four bytes")))
            .collect();
        for i in 16..64 {
            let s0 = w[i - 15].rotate_right(7) ^ w[i - 15].rotate_right(18) ^ (w[i - 15] >> 3);
            let s1 = w[i - 2].rotate_right(17) ^ w[i - 2].rotate_right(19) ^ (w[i - 2] >> 10);
            w.push(
                w[i - 16]
                    .wrapping_add(s0)
                    .wrapping_add(w[i - 7])
                    .wrapping_add(s1),
            );
        }
        let mut v = h.clone();
        for i in 0..64 {
            let s1 = v[4].rotate_right(6) ^ v[4].rotate_right(11) ^ v[4].rotate_right(25);
            let ch = (v[4] & v[5]) ^ (!v[4] & v[6]);
            let t1 = v[7]
                .wrapping_add(s1)
                .wrapping_add(ch)
                .wrapping_add(k[i])
                .wrapping_add(w[i]);
            let s0 = v[0].rotate_right(2) ^ v[0].rotate_right(13) ^ v[0].rotate_right(22);
            let maj = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]);
            v.rotate_right(1);
            v[4] = v[4].wrapping_add(t1);
            v[0] = t1.wrapping_add(s0.wrapping_add(maj));
        }
        for (sum, value) in h.iter_mut().zip(&v) {
            *sum = sum.wrapping_add(*value);
        }
    }
    h.iter()
        .fold(String::new(), |text, word| text + &format!("{word:08x}"))
}

#[test]
fn sha256_is_sha256() {
    assert_eq!(
        sha256(b"abc"),
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    );
}
