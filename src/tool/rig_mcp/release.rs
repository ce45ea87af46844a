//! The call that forgets a cached result.

use serde_json::{Map, Value};

use super::cache::ResultCache;
use super::envelope::CachedResultHandle;
use super::error::CacheError;
use super::page::handle_arg;

/// The name of the tool that releases a handle.
pub const CACHE_RELEASE_TOOL: &str = "cache.release";

/// Answers a `cache.release` call. A handle that is unknown or already released is no error.
///
/// # Errors
///
/// [`CacheError::MissingHandle`].
pub fn cache_release(cache: &dyn ResultCache, args: &Value) -> Result<Value, CacheError> {
    let request = ReleaseRequest::from_args(args)?;
    let released = cache.release(&request.handle);
    Ok(request.answer(released))
}

/// What a `cache.release` call asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReleaseRequest {
    /// Which result to forget.
    pub handle: CachedResultHandle,
}

impl ReleaseRequest {
    /// Reads the arguments of a call. A page token is not understood here.
    ///
    /// # Errors
    ///
    /// [`CacheError::MissingHandle`].
    pub fn from_args(args: &Value) -> Result<Self, CacheError> {
        handle_arg(args).map(|handle| Self { handle })
    }

    /// The answer to this request, `released` telling whether there was something to forget.
    pub fn answer(self, released: bool) -> Value {
        let mut fields = Map::new();
        fields.insert("handle".to_owned(), Value::String(self.handle.0));
        fields.insert("released".to_owned(), Value::Bool(released));
        Value::Object(fields)
    }
}
