//! The self-hosted servers over HTTP.
