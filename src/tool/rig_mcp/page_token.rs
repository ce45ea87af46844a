//! The token that names the start of a page.

use super::envelope::CachedResultHandle;
use super::error::CacheError;

/// A page token, read: whose items, and from where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageToken {
    /// Whose items.
    pub handle: CachedResultHandle,
    /// From which item on, from 0.
    pub offset: usize,
}

impl PageToken {
    /// What stands between handle and offset.
    pub const SEPARATOR: &'static str = ":offset:";

    /// Reads a token, split at its last separator, since a handle may contain one.
    ///
    /// The offset is read as Rust reads a `usize`: `+5` and `005` are 5, blanks and signs are refused.
    pub fn parse(token: &str) -> Result<Self, CacheError> {
        let (handle, offset) = token
            .rsplit_once(Self::SEPARATOR)
            .ok_or(CacheError::PageToken)?;
        let offset = offset.parse().map_err(|_| CacheError::PageTokenOffset)?;
        Ok(Self {
            handle: CachedResultHandle(handle.to_owned()),
            offset,
        })
    }

    /// Writes the token of `handle` and `offset`, nothing escaped.
    pub fn write(handle: &str, offset: usize) -> String {
        format!("{handle}{}{offset}", Self::SEPARATOR)
    }
}
