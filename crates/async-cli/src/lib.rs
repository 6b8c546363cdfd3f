//! The command gf-async.
