//! Base64 as recordings have it: either alphabet, blanks anywhere, padding or none.

use base64::Engine;
use base64::alphabet;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};
use std::borrow::Cow;

const TOLERANT: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

/// Why a text is not base64.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Base64Error {
    /// A character of neither alphabet.
    #[error("no base64: {character:?} at byte {offset}")]
    Character {
        /// Which.
        character: char,
        /// Where in the text.
        offset: usize,
    },
    /// The text ends inside a group, or goes on after its padding.
    #[error("no base64: {0} digits cannot end a group")]
    Length(usize),
}

/// Decodes base64 of either alphabet, with blanks and line ends anywhere and with or without padding.
pub fn decode_base64(text: &str) -> Result<Vec<u8>, Base64Error> {
    let digits = normal(text);
    TOLERANT
        .decode(digits.as_bytes())
        .map_err(|_| explain(text, digits.len()))
}

/// How many bytes the text decodes to, without decoding it; 0 where it is no base64 at all.
pub fn base64_length(text: &str) -> u64 {
    let mut digits = 0_u64;
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'+' | b'/' | b'-' | b'_' => digits += 1,
            b'=' | b' ' | b'\t' | b'\r' | b'\n' => {}
            _ => return 0,
        }
    }
    digits / 4 * 3 + (digits % 4).saturating_sub(1)
}

/// The first bytes only, at most `bytes` of them: enough to tell a type and mostly a size.
pub fn base64_prefix(text: &str, bytes: usize) -> Result<Vec<u8>, Base64Error> {
    let wanted = bytes.div_ceil(3).saturating_mul(4);
    // Blanks and line ends are at most one in a few digits in every encoder there is.
    let end = wanted.saturating_add(wanted / 8 + 16).min(text.len());
    let end = (0..=end)
        .rev()
        .find(|&end| text.is_char_boundary(end))
        .unwrap_or(0);
    let head = normal(&text[..end]);
    let mut digits = head.trim_end_matches('=').len().min(wanted);
    if end < text.len() || digits % 4 == 1 {
        digits -= digits % 4;
    }
    let mut decoded = TOLERANT
        .decode(&head.as_bytes()[..digits])
        .map_err(|_| explain(text, head.len()))?;
    decoded.truncate(bytes);
    Ok(decoded)
}

/// Splits a `data:` address into its media type and its base64.
pub fn data_url(url: &str) -> Option<(&str, &str)> {
    let scheme = url.get(..5)?;
    if !scheme.eq_ignore_ascii_case("data:") {
        return None;
    }
    let (head, payload) = url.get(5..)?.split_once(',')?;
    let head = head
        .strip_suffix(";base64")
        .or_else(|| head.strip_suffix(";BASE64"))?;
    Some((head.split(';').next().unwrap_or_default(), payload))
}

/// The digits alone, in the standard alphabet.
fn normal(text: &str) -> Cow<'_, str> {
    let plain = |byte: u8| !matches!(byte, b'-' | b'_' | b' ' | b'\t' | b'\r' | b'\n');
    if text.bytes().all(plain) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(
        text.chars()
            .filter(|c| !matches!(c, ' ' | '\t' | '\r' | '\n'))
            .map(|c| match c {
                '-' => '+',
                '_' => '/',
                other => other,
            })
            .collect(),
    )
}

fn explain(text: &str, digits: usize) -> Base64Error {
    let wrong = text
        .trim_end_matches(['=', ' ', '\t', '\r', '\n'])
        .char_indices()
        .find(|&(_, c)| {
            !(c.is_ascii_alphanumeric()
                || matches!(c, '+' | '/' | '-' | '_' | ' ' | '\t' | '\r' | '\n'))
        });
    match wrong {
        Some((offset, character)) => Base64Error::Character { character, offset },
        None => Base64Error::Length(digits),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_recordings_hold_is_decoded() {
        for text in ["+/+/", "-_-_", "+/\r\n +/", "-_+/"] {
            assert_eq!(decode_base64(text), Ok(vec![0xFB, 0xFF, 0xBF]), "{text}");
        }
        for text in ["QQ==", "QQ", "QQ=", " QQ==\n"] {
            assert_eq!(decode_base64(text), Ok(b"A".to_vec()), "{text}");
            assert_eq!(base64_length(text), 1);
        }
        assert_eq!(decode_base64(""), Ok(Vec::new()));
        assert_eq!(
            decode_base64("QUJ$"),
            Err(Base64Error::Character {
                character: '$',
                offset: 3
            })
        );
        assert_eq!(decode_base64("QUJDR"), Err(Base64Error::Length(5)));
        assert_eq!(
            data_url("data:image/png;base64,QUJD"),
            Some(("image/png", "QUJD"))
        );
        assert_eq!(
            data_url("DATA:text/plain;charset=x;base64,QQ"),
            Some(("text/plain", "QQ"))
        );
        assert_eq!(data_url("data:text/plain,hello"), None);
        assert_eq!(data_url("https://e.x/a.png"), None);
        assert_eq!(data_url("é"), None);
    }

    proptest! {
        #[test]
        fn decoding_gives_back_what_was_encoded(bytes: Vec<u8>, head in 0_usize..40) {
            use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD};
            for text in [BASE64_STANDARD.encode(&bytes), BASE64_URL_SAFE_NO_PAD.encode(&bytes)] {
                prop_assert_eq!(decode_base64(&text), Ok(bytes.clone()));
                prop_assert_eq!(base64_length(&text), bytes.len() as u64);
                let prefix = bytes[..head.min(bytes.len())].to_vec();
                prop_assert_eq!(base64_prefix(&text, head), Ok(prefix));
            }
        }

        #[test]
        fn no_text_makes_it_fail_otherwise(text: String, head in 0_usize..40) {
            let _ = decode_base64(&text);
            let _ = base64_prefix(&text, head);
            let _ = data_url(&text);
            let _ = base64_length(&text);
        }
    }
}
