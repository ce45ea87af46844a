//! Shared parts of the conformance tests.
