//! Why the cache refuses a call.

use thiserror::Error;

/// Why `cache.page` or `cache.release` refuses a call, in the words of the published crate.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum CacheError {
    /// A page token without `:offset:`.
    #[error("invalid argument: invalid `page_token`")]
    PageToken,
    /// A page token whose offset is not a number that fits.
    #[error("invalid argument: invalid `page_token` offset")]
    PageTokenOffset,
    /// No handle, or one that is not a string.
    #[error("invalid argument: missing `handle` string")]
    MissingHandle,
    /// An offset or limit that is not a non-negative integer.
    #[error("invalid argument: `{field}` must be an integer")]
    NotAnInteger {
        /// `offset` or `limit`.
        field: &'static str,
    },
    /// An offset or limit beyond what this machine can count.
    #[error("invalid argument: `{field}` is too large")]
    TooLarge {
        /// `offset` or `limit`.
        field: &'static str,
    },
    /// A handle that the cache does not know, or no more.
    #[error("invalid argument: unknown cached result handle")]
    UnknownHandle,
}
