//! Recording a program's own tool calls, so that they can be looked at later.
//!
//! ```
//! use serde_json::json;
//! use toolreel::record::Recorder;
//! use toolreel::session::event::Role;
//! use toolreel::session::format::native::Header;
//!
//! fn lookup(arguments: &serde_json::Value) -> Result<serde_json::Value, String> {
//!     Ok(json!([{"number": 4612, "state": arguments["state"]}]))
//! }
//!
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("session.jsonl");
//! let mut recorder = Recorder::create(&path, &Header::default())?;
//! recorder.message(Role::User, "Which issues are open?")?;
//!
//! let arguments = json!({"state": "open"});
//! recorder.call("call_1", "search_issues", &arguments)?;
//! match lookup(&arguments) {
//!     Ok(value) => recorder.output("call_1", value)?,
//!     Err(error) => recorder.error("call_1", error)?,
//! }
//! # let session = toolreel::session::Session::open(toolreel::session::Input::Path(path))?;
//! # session.index_all()?;
//! # assert_eq!((session.info().calls, session.info().outputs), (1, 1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod payload;
mod recorder;

pub use recorder::{RecordError, Recorder};
