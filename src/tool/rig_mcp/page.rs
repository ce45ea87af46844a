//! The call that reads a page of a cached result.

use std::ops::Range;

use serde::Serialize;
use serde_json::{Map, Value};

use super::cache::ResultCache;
use super::envelope::CachedResultHandle;
use super::error::CacheError;
use super::page_token::PageToken;

/// The name of the tool that reads a page.
pub const CACHE_PAGE_TOOL: &str = "cache.page";

/// How many items a page holds where none is asked for, whatever the envelope's page size was.
pub const DEFAULT_LIMIT: usize = 64;

/// Answers a `cache.page` call.
///
/// # Errors
///
/// Those of [`PageRequest::from_args`], then [`CacheError::UnknownHandle`].
pub fn cache_page(cache: &dyn ResultCache, args: &Value) -> Result<Value, CacheError> {
    let request = PageRequest::from_args(args)?;
    let total_items = cache
        .len(&request.handle)
        .ok_or(CacheError::UnknownHandle)?;
    let items = cache
        .page(&request.handle, request.offset, request.limit)
        .ok_or(CacheError::UnknownHandle)?;
    Ok(Page::new(request, total_items, items).into_value())
}

/// What a `cache.page` call asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageRequest {
    /// Whose items.
    pub handle: CachedResultHandle,
    /// From which item on, from 0.
    pub offset: usize,
    /// How many items at most.
    pub limit: usize,
}

impl PageRequest {
    /// Reads the arguments of a call.
    ///
    /// A string `page_token` wins over `handle` and `offset`, which are then not even looked at; any
    /// other `page_token` is ignored. Keys that the call does not know are ignored too.
    ///
    /// # Errors
    ///
    /// The first of: a bad token; without a token, no handle, a bad offset; a bad limit.
    pub fn from_args(args: &Value) -> Result<Self, CacheError> {
        let PageToken { handle, offset } = match args.get("page_token").and_then(Value::as_str) {
            Some(token) => PageToken::parse(token)?,
            None => PageToken {
                handle: handle_arg(args)?,
                offset: count_arg(args, "offset")?.unwrap_or(0),
            },
        };
        let limit = count_arg(args, "limit")?.unwrap_or(DEFAULT_LIMIT);
        Ok(Self {
            handle,
            offset,
            limit,
        })
    }

    /// Which items of a result of `total_items` items are asked for: empty at or after the end.
    pub fn range(&self, total_items: usize) -> Range<usize> {
        let start = self.offset.min(total_items);
        start..start.saturating_add(self.limit).min(total_items)
    }

    /// Where the page after this one begins; none at the end.
    ///
    /// A limit of 0 gives the offset asked for, so a reader that follows tokens without looking at the
    /// items never ends.
    pub fn next_offset(&self, total_items: usize) -> Option<usize> {
        next_offset(self.offset, self.range(total_items).len(), total_items)
    }
}

/// The answer to a `cache.page` call. All six keys are always written, the token as `null` at the end.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Page {
    /// Whose items.
    pub handle: CachedResultHandle,
    /// From which item on, as asked for.
    pub offset: usize,
    /// How many items at most, as asked for.
    pub limit: usize,
    /// How many items the handle stands for.
    pub total_items: usize,
    /// The items.
    pub items: Vec<Value>,
    /// Where the next page begins.
    pub next_page_token: Option<String>,
}

impl Page {
    /// The answer to `request` of a cache that holds `total_items` and gave `items`.
    pub fn new(request: PageRequest, total_items: usize, items: Vec<Value>) -> Self {
        let next = next_offset(request.offset, items.len(), total_items);
        Self {
            next_page_token: next.map(|offset| PageToken::write(&request.handle.0, offset)),
            handle: request.handle,
            offset: request.offset,
            limit: request.limit,
            total_items,
            items,
        }
    }

    /// The answer as JSON, without copying its items.
    pub fn into_value(self) -> Value {
        let mut fields = Map::new();
        fields.insert("handle".to_owned(), Value::String(self.handle.0));
        fields.insert("offset".to_owned(), self.offset.into());
        fields.insert("limit".to_owned(), self.limit.into());
        fields.insert("total_items".to_owned(), self.total_items.into());
        fields.insert("items".to_owned(), Value::Array(self.items));
        fields.insert(
            "next_page_token".to_owned(),
            self.next_page_token.map_or(Value::Null, Value::String),
        );
        Value::Object(fields)
    }
}

/// Where the page after one of `served` items from `offset` on begins; none at the end.
fn next_offset(offset: usize, served: usize, total_items: usize) -> Option<usize> {
    let next = offset.saturating_add(served);
    (next < total_items).then_some(next)
}

/// The handle of a call's arguments.
pub(super) fn handle_arg(args: &Value) -> Result<CachedResultHandle, CacheError> {
    let handle = args
        .get("handle")
        .and_then(Value::as_str)
        .ok_or(CacheError::MissingHandle)?;
    Ok(CachedResultHandle(handle.to_owned()))
}

fn count_arg(args: &Value, field: &'static str) -> Result<Option<usize>, CacheError> {
    let Some(value) = args.get(field) else {
        return Ok(None);
    };
    let count = value.as_u64().ok_or(CacheError::NotAnInteger { field })?;
    usize::try_from(count)
        .map(Some)
        .map_err(|_| CacheError::TooLarge { field })
}
