//! The exact value types of the published systems, one module per origin.
//!
//! Three of the origins have a type called `ToolResult`, so nothing is re-exported here.
