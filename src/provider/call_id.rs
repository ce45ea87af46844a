//! How rig spells the id of a call that another model made.

use serde::Deserialize;

/// The rule of a wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum IdRule {
    /// As it is.
    #[default]
    AsIs,
    /// Letters, digits, `_` and `-`, at most 64 of them; anything else becomes `_`.
    Legal,
    /// As [`IdRule::Legal`], without `_` at its end.
    Responses,
    /// A pair `call|item` is joined with `_` and cut to 40; any other id stays.
    Chat,
    /// As [`IdRule::Chat`], and any other id is cut to 40.
    OpenaiChat,
}

/// The id on the wire. A call without an id gets rig's own name for it, the first of the request.
pub(super) fn spell(id: Option<&str>, rule: IdRule) -> String {
    let id = id.filter(|id| !id.is_empty()).unwrap_or("tool-0");
    match rule {
        IdRule::AsIs => id.to_owned(),
        IdRule::Legal => legal(id, 64),
        IdRule::Responses => match legal(id, 64).trim_end_matches('_') {
            "" => short_hash(id),
            trimmed => trimmed.to_owned(),
        },
        IdRule::Chat => chat(id).unwrap_or_else(|| id.to_owned()),
        IdRule::OpenaiChat => chat(id).unwrap_or_else(|| id.chars().take(40).collect()),
    }
}

fn legal(id: &str, most: usize) -> String {
    id.chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() || matches!(c, '_' | '-') {
                c
            } else {
                '_'
            }
        })
        .take(most)
        .collect()
}

/// A pair of ids as one, with a hash of both where it is too long.
fn chat(id: &str) -> Option<String> {
    let (call, item) = id.split_once('|')?;
    let (call, item) = (legal(call, usize::MAX), legal(item, usize::MAX));
    let joined = if item.is_empty() {
        call.clone()
    } else {
        format!("{call}_{item}")
    };
    if joined.len() <= 40 {
        return Some(joined);
    }
    let hash: String = short_hash(id).chars().take(8).collect();
    let kept: String = call.chars().take((39 - hash.len()).max(1)).collect();
    Some(format!("{kept}_{hash}"))
}

/// Two multiplicative hashes of the UTF-16 code units, mixed and written in base 36.
fn short_hash(text: &str) -> String {
    let (mut first, mut second) = (0xDEAD_BEEF_u32, 0x41C6_CE57_u32);
    for unit in text.encode_utf16().map(u32::from) {
        first = (first ^ unit).wrapping_mul(2_654_435_761);
        second = (second ^ unit).wrapping_mul(1_597_334_677);
    }
    let mix = |one: u32, other: u32| {
        (one ^ (one >> 16)).wrapping_mul(2_246_822_507)
            ^ (other ^ (other >> 13)).wrapping_mul(3_266_489_909)
    };
    first = mix(first, second);
    second = mix(second, first);
    format!("{}{}", base36(second), base36(first))
}

fn base36(mut number: u32) -> String {
    let mut digits = Vec::new();
    loop {
        digits.push(char::from_digit(number % 36, 36).unwrap_or('0'));
        number /= 36;
        if number == 0 {
            return digits.iter().rev().collect();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_spelled_as_the_published_crate_spells_them() {
        let long = "weird id|with:chars/".to_owned() + &"x".repeat(60);
        assert_eq!(spell(Some("call_1"), IdRule::Legal), "call_1");
        assert_eq!(spell(Some("a b:c/é"), IdRule::Legal), "a_b_c__");
        assert_eq!(spell(Some("a b:c/é"), IdRule::Responses), "a_b_c");
        assert_eq!(spell(Some(&"x".repeat(80)), IdRule::Legal).len(), 64);
        assert_eq!(spell(None, IdRule::Legal), "tool-0");
        assert_eq!(spell(Some("call|item"), IdRule::Chat), "call_item");
        assert_eq!(spell(Some("a b"), IdRule::Chat), "a b");
        assert_eq!(spell(Some(&"y".repeat(50)), IdRule::OpenaiChat).len(), 40);
        assert!(spell(Some(&long), IdRule::Chat).starts_with("weird_id_"));
        assert_eq!(spell(Some("////"), IdRule::Responses), short_hash("////"));
    }
}
