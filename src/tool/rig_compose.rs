//! rig-compose 0.5: the envelope that bounds one whole JSON payload.
//!
//! It shares field names with the envelope of the result cache and nothing else: what it leaves out is
//! gone, and its page tokens are labels that nothing resolves.

mod bound;
mod budget;
mod config;
mod envelope;
mod page_token;
mod pointer;
mod redaction;

pub use budget::Budget;
pub use config::ToolResultEnvelopeConfig;
pub use envelope::{
    OmittedSegment, ToolResultEnvelope, ToolResultOmissionReason, bound_tool_result,
};
pub use page_token::{ToolResultPageToken, decode_tool_result_page_token};
pub use redaction::{RedactionPolicy, RedactionRule};
