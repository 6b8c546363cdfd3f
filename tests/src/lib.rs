//! End-to-end and conformance tests.
