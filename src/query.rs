//! Search over the bytes of a recording.
//!
//! Nothing is parsed to search: the bytes are read in windows, and a needle is looked for in every
//! spelling that JSON allows for it. [`needle`] knows the spellings, [`mod@scan`] reads the windows and
//! hands hits over in batches, [`hits`] keeps them in order with count and position, and [`place`]
//! says for one hit which event, block, item and bytes it is, parsing that one event.

pub mod hits;
pub mod needle;
pub mod place;
pub mod scan;

pub use hits::{Hits, Step};
pub use needle::Needle;
pub use place::{InBlock, Located, locate};
pub use scan::{Batch, Hit, Outcome, ReadAt, scan};
