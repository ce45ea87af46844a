//! What the model is sent in place of a cached result.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::page_token::PageToken;
use crate::tool::compact;

/// The name of a cached result. Any string may be one; only a cache knows whether it is.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct CachedResultHandle(pub String);

impl CachedResultHandle {
    /// The handle of the `number`th result stored, from 0: `mcp-cache-0`.
    pub fn numbered(number: u64) -> Self {
        Self(format!("mcp-cache-{number}"))
    }

    /// The number of a handle made by [`Self::numbered`].
    pub fn number(&self) -> Option<u64> {
        let digits = self.0.strip_prefix("mcp-cache-")?;
        let number = digits.parse().ok()?;
        (Self::numbered(number) == *self).then_some(number)
    }
}

/// What the model is sent in place of a cached result: its first page and where the rest is.
///
/// Decoding checks that the fields are there and not that they agree with each other.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CachedResultEnvelope {
    /// Under which name the cache keeps the items.
    pub handle: CachedResultHandle,
    /// How many items the result has.
    pub total_items: usize,
    /// The page size asked for, also where it is 0 or more than there is.
    pub page_size: usize,
    /// The first items.
    pub first_page: Vec<Value>,
    /// Items are missing from the first page.
    pub truncated: bool,
    /// How many items are missing from the first page.
    pub omitted_items: usize,
    /// Where the next page begins; not written where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page_token: Option<String>,
}

impl CachedResultEnvelope {
    /// The envelope of a result of `total_items` items whose first page is `first_page`.
    pub fn new(
        handle: CachedResultHandle,
        total_items: usize,
        page_size: usize,
        first_page: Vec<Value>,
    ) -> Self {
        let omitted_items = total_items.saturating_sub(first_page.len());
        let truncated = omitted_items > 0;
        Self {
            page_token: truncated.then(|| Self::page_token(&handle, first_page.len())),
            handle,
            total_items,
            page_size,
            first_page,
            truncated,
            omitted_items,
        }
    }

    /// The token that asks for the items from `offset` on: `mcp-cache-0:offset:64`.
    pub fn page_token(handle: &CachedResultHandle, offset: usize) -> String {
        PageToken::write(&handle.0, offset)
    }

    /// The envelope as JSON, without copying the items of its first page.
    pub fn into_value(self) -> Value {
        let mut fields = Map::new();
        fields.insert("handle".to_owned(), Value::String(self.handle.0));
        fields.insert("total_items".to_owned(), self.total_items.into());
        fields.insert("page_size".to_owned(), self.page_size.into());
        fields.insert("first_page".to_owned(), Value::Array(self.first_page));
        fields.insert("truncated".to_owned(), self.truncated.into());
        fields.insert("omitted_items".to_owned(), self.omitted_items.into());
        if let Some(token) = self.page_token {
            fields.insert("page_token".to_owned(), Value::String(token));
        }
        Value::Object(fields)
    }
}

/// How many items the first page of an envelope shows, and how many it leaves out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FirstPage {
    /// How many items it shows.
    pub items: usize,
    /// How many items it leaves out.
    pub omitted: usize,
}

impl FirstPage {
    /// The first page of a result of `total_items` items under `page_size`.
    pub fn of(total_items: usize, page_size: usize) -> Self {
        let items = page_size.min(total_items);
        Self {
            items,
            omitted: total_items - items,
        }
    }

    /// Items are missing from it.
    pub const fn is_truncated(self) -> bool {
        self.omitted > 0
    }

    /// Where the next page begins: none where nothing is left out.
    pub fn next_offset(self) -> Option<usize> {
        self.is_truncated().then_some(self.items)
    }
}

/// The length in bytes of an envelope's compact JSON, from the length of its first page's alone.
///
/// `first_page_length` is the length of the first page as a compact JSON array, brackets included. So a
/// re-run under other settings costs no serialising.
pub fn envelope_length(
    handle: &CachedResultHandle,
    total_items: usize,
    page_size: usize,
    first_page_length: usize,
) -> usize {
    const KEYS: usize =
        r#"{"handle":,"total_items":,"page_size":,"first_page":,"truncated":,"omitted_items":}"#
            .len();
    const TOKEN_KEY: usize = r#","page_token":"#.len();
    let page = FirstPage::of(total_items, page_size);
    let handle_length = compact::text_length(&handle.0);
    let token_length = page.next_offset().map_or(0, |offset| {
        TOKEN_KEY + handle_length + PageToken::SEPARATOR.len() + compact::digits(offset as u64)
    });
    let truncated_length = if page.is_truncated() {
        "true".len()
    } else {
        "false".len()
    };
    KEYS + handle_length
        + compact::digits(total_items as u64)
        + compact::digits(page_size as u64)
        + first_page_length
        + truncated_length
        + compact::digits(page.omitted as u64)
        + token_length
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{CachedResultEnvelope, CachedResultHandle, FirstPage, envelope_length};

    #[test]
    fn the_length_from_parts_is_the_length_that_is_written() {
        for handle in ["mcp-cache-0", "", "a\"\u{1b}é"] {
            for total in [0, 1, 9, 10, 99, 1000] {
                for page_size in [0, 1, 9, 64, 1000, usize::MAX] {
                    let handle = CachedResultHandle(handle.to_owned());
                    let shown = FirstPage::of(total, page_size).items;
                    let first_page = vec![json!({"k": "v"}); shown];
                    let first_page_length = json!(first_page).to_string().len();
                    let envelope =
                        CachedResultEnvelope::new(handle.clone(), total, page_size, first_page);
                    let written =
                        serde_json::to_string(&envelope).expect("an envelope has a JSON form");
                    assert_eq!(
                        envelope_length(&handle, total, page_size, first_page_length),
                        written.len()
                    );
                    assert_eq!(envelope.into_value().to_string(), written);
                }
            }
        }
    }

    #[test]
    fn only_handles_as_the_cache_writes_them_have_a_number() {
        assert_eq!(
            CachedResultHandle("mcp-cache-12".to_owned()).number(),
            Some(12)
        );
        for other in [
            "mcp-cache-",
            "mcp-cache-01",
            "mcp-cache-+1",
            "cache-1",
            "",
            "mcp-cache-18446744073709551616",
        ] {
            assert_eq!(
                CachedResultHandle(other.to_owned()).number(),
                None,
                "{other}"
            );
        }
    }
}
