//! The trait implementations that the published pages list, checked by compiling.

use std::borrow::{Borrow, BorrowMut};
use std::error::Error;
use std::fmt::{Debug, Display};
use std::hash::Hash;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::str::FromStr;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use toolreel::tool::{mixtape, rig, rig_compose, rig_mcp};

/// That a type has traits is shown by a function that asks for them.
macro_rules! has {
    ($($type:ty: $($bound:path),+;)+) => {
        $({
            fn asks<T: ?Sized $(+ $bound)+>() {}
            asks::<$type>();
        })+
    };
}

/// `Send`, `Sync`, `Unpin` and the two of unwinding, as a page's "Auto Trait Implementations" lists them.
trait Plain: Send + Sync + Unpin + RefUnwindSafe + UnwindSafe {}
impl<T: Send + Sync + Unpin + RefUnwindSafe + UnwindSafe> Plain for T {}

/// What a page's "Blanket Implementations" lists for every sized type.
trait Blanket:
    Borrow<Self>
    + BorrowMut<Self>
    + From<Self>
    + Into<Self>
    + TryFrom<Self>
    + TryInto<Self>
    + Sized
    + 'static
{
}
impl<T: 'static> Blanket for T {}

/// Read from and written as JSON.
trait Json: Serialize + DeserializeOwned {}
impl<T: Serialize + DeserializeOwned> Json for T {}

#[test]
fn rig() {
    has! {
        rig::ToolOutput: Clone, Debug, PartialEq, Json, Plain, Blanket, ToOwned,
            From<String>, From<&'static str>, From<Value>, From<rig::ToolResultContent>,
            TryFrom<Vec<rig::ToolResultContent>, Error = rig::ToolExecutionError>, rig::IntoToolOutput;
        rig::ToolResultContent: Clone, Debug, PartialEq, Json, Plain, Blanket, From<String>, rig::IntoToolOutput;
        Vec<rig::ToolResultContent>: rig::IntoToolOutput;
        rig::Text: Clone, Debug, Default, Display, PartialEq, Json, Plain, Blanket, FromStr,
            From<String>, From<&'static str>, From<&'static String>;
        rig::Image: Clone, Debug, Default, PartialEq, Json, Plain, Blanket;
        rig::DocumentSourceKind: Clone, Debug, Default, Display, PartialEq, Json, Plain, Blanket;
        rig::ImageMediaType: Clone, Debug, PartialEq, Json, Plain, Blanket;
        rig::ImageDetail: Clone, Debug, Default, PartialEq, Json, Plain, Blanket, FromStr;
        rig::ToolErrorKind: Clone, Copy, Debug, Display, Eq, Hash, PartialEq, Json, Plain, Blanket;
        rig::ToolExecutionError: Clone, Debug, Display, Error, Json, Send, Sync, Unpin, Blanket;
        rig::ToolResult: Clone, Debug, Json, Send, Sync, Unpin, Blanket;
        rig::Native: Clone, Debug, PartialEq, Json, Plain, Blanket;
        rig::Fingerprint: Clone, Copy, Debug, Eq, Hash, PartialEq, Json, Plain, Blanket;
        String: rig::IntoToolOutput;
        &'static str: rig::IntoToolOutput;
        Value: rig::IntoToolOutput;
    }
}

#[test]
fn rig_mcp() {
    has! {
        rig_mcp::CachedResultHandle: Clone, Debug, Eq, Hash, PartialEq, Json, Plain, Blanket;
        rig_mcp::CachedResultEnvelope: Clone, Debug, PartialEq, Json, Plain, Blanket;
        rig_mcp::CachedResultsConfig: Clone, Copy, Debug, Default, Eq, PartialEq, Json, Plain, Blanket;
        rig_mcp::MemoryResultCache: Debug, Default, Plain, Blanket, rig_mcp::ResultCache;
        dyn rig_mcp::ResultCache: Send, Sync;
    }
}

#[test]
fn rig_compose() {
    has! {
        rig_compose::ToolResultEnvelope: Clone, Debug, PartialEq, Json, Plain, Blanket;
        rig_compose::ToolResultEnvelopeConfig: Clone, Debug, Default, Eq, PartialEq, Json, Plain, Blanket;
        rig_compose::RedactionPolicy: Clone, Debug, Eq, PartialEq, Json, Plain, Blanket;
        rig_compose::RedactionRule: Clone, Debug, Eq, PartialEq, Json, Plain, Blanket;
        rig_compose::OmittedSegment: Clone, Debug, Eq, PartialEq, Json, Plain, Blanket;
        rig_compose::ToolResultOmissionReason: Clone, Copy, Debug, Eq, PartialEq, Json, Plain, Blanket;
        rig_compose::ToolResultPageToken: Clone, Debug, Eq, PartialEq, Json, Plain, Blanket;
    }
}

#[test]
fn mixtape() {
    has! {
        mixtape::ToolResult: Clone, Debug, Json, Plain, Blanket, From<String>, From<&'static str>;
        mixtape::ImageFormat: Clone, Copy, Debug, Eq, PartialEq, Json, Plain, Blanket;
        mixtape::DocumentFormat: Clone, Copy, Debug, Eq, PartialEq, Json, Plain, Blanket;
    }
}
