//! (Filled in by the next landing.)
