//! The run format: write, read, recover, name and hash recordings.
