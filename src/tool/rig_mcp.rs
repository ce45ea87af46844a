//! rig-mcp 0.2.5: the result cache, the envelope that stands for a cached result, and the two calls
//! that read from it and release it.

mod cache;
mod config;
mod envelope;
mod error;
mod memory;
mod page;
mod page_token;
mod release;

pub use cache::{ResultCache, cache_if_large};
pub use config::CachedResultsConfig;
pub use envelope::{CachedResultEnvelope, CachedResultHandle, FirstPage, envelope_length};
pub use error::CacheError;
pub use memory::MemoryResultCache;
pub use page::{CACHE_PAGE_TOOL, DEFAULT_LIMIT, Page, PageRequest, cache_page};
pub use page_token::PageToken;
pub use release::{CACHE_RELEASE_TOOL, ReleaseRequest, cache_release};
