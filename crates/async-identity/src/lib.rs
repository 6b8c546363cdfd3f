//! Signed statements: runs, tickets, receipts and calls.
