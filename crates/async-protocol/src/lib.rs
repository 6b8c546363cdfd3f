//! Wire types, the settings table, limits and the registry of error codes.
