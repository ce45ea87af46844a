//! The labels that the bound leaves where it left something out.

use serde::{Deserialize, Serialize};

use super::envelope::ToolResultOmissionReason;

const PREFIX: &str = "v1:";
const DIGITS: &[u8; 16] = b"0123456789abcdef";

/// What a page token of a bounded envelope says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolResultPageToken {
    /// The JSON pointer of what was cut or dropped.
    pub pointer: String,
    /// Which limit did it.
    pub reason: ToolResultOmissionReason,
    /// The limit.
    pub limit: usize,
}

impl ToolResultPageToken {
    /// The token as an envelope holds it: `v1:` and its JSON in lower-case hexadecimal.
    pub fn encode(&self) -> String {
        // A pointer, a word and a number always have a JSON form.
        let json = serde_json::to_string(self).unwrap_or_default();
        let mut token = String::with_capacity(PREFIX.len() + 2 * json.len());
        token.push_str(PREFIX);
        for byte in json.bytes() {
            for half in [byte >> 4, byte & 0xf] {
                token.push(char::from(DIGITS[usize::from(half)]));
            }
        }
        token
    }
}

/// Reads a page token of a bounded envelope; none where it is anything else.
#[must_use]
pub fn decode_tool_result_page_token(token: &str) -> Option<ToolResultPageToken> {
    let (pairs, []) = token.strip_prefix(PREFIX)?.as_bytes().as_chunks::<2>() else {
        return None;
    };
    let digit = |byte: u8| char::from(byte).to_digit(16).map(|digit| digit as u8);
    let json: Option<Vec<u8>> = pairs
        .iter()
        .map(|&[high, low]| Some(digit(high)? << 4 | digit(low)?))
        .collect();
    serde_json::from_slice(&json?).ok()
}

#[cfg(test)]
mod tests {
    use super::{ToolResultOmissionReason, ToolResultPageToken, decode_tool_result_page_token};

    #[test]
    fn the_published_example_is_written_and_read() {
        let token = "v1:7b22706f696e746572223a222f626f6479222c22726561736f6e223a22737472696e675f6368617273222c226c696d6974223a337d";
        let read = ToolResultPageToken {
            pointer: "/body".to_owned(),
            reason: ToolResultOmissionReason::StringChars,
            limit: 3,
        };
        assert_eq!(read.encode(), token);
        assert_eq!(decode_tool_result_page_token(token), Some(read.clone()));
        assert_eq!(
            decode_tool_result_page_token(&format!("v1:{}", token[3..].to_uppercase())),
            Some(read)
        );
        for other in [
            "", "v1:", "V1:7b7d", "v2:7b7d", "v1:7b7", "v1:7b7d", "v1:zz", " v1:7b7d", "v1:éé",
        ] {
            assert_eq!(decode_tool_result_page_token(other), None, "{other}");
        }
    }
}
