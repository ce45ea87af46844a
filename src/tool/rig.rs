//! rig-core: the output of a tool, its blocks, and why a tool failed.
//!
//! The types are those of 0.44. What 0.42 and 0.43, the generations before, wrote is read and kept as
//! well: the `additional_params` of text and image blocks.

mod block;
mod citation;
mod content;
mod error;
mod image;
mod into_output;
mod native;
mod output;
mod result;
mod text;

pub use citation::{Citation, Citations, DocumentRange, Source, SourceLocation, Span};
pub use content::ToolResultContent;
pub use error::{ToolErrorKind, ToolExecutionError};
pub use image::{DocumentSourceKind, Image, ImageDetail, ImageMediaType};
pub use into_output::IntoToolOutput;
pub use native::{Fingerprint, Native};
pub use output::ToolOutput;
pub use result::ToolResult;
pub use text::Text;
