//! Runs, boards and exact ranks, on SQLite.
