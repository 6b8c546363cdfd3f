//! The registry of error codes: code, whose fault, HTTP status, one line.

/// Whose fault an error is, and so who can do something about it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fault {
    /// The program that made the call: a wrong argument, a wrong order of calls.
    Caller,
    /// The player: out of attempts, banned, no key.
    Player,
    /// The run itself: damaged, diverged, against a rule.
    Run,
    /// The server: busy, broken, full.
    Server,
    /// The way between: no connection, no answer.
    Network,
}

/// One code of the registry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CodeEntry {
    /// The code, stable for ever.
    pub code: &'static str,
    /// Whose fault it is.
    pub fault: Fault,
    /// The HTTP status of a response that carries it.
    pub status: u16,
    /// What it means, in one line.
    pub meaning: &'static str,
}

/// Every code of every crate, sorted by code.
pub const REGISTRY: &[CodeEntry] = &[];

/// The entry of a code, if it is registered.
#[must_use]
pub fn lookup(code: &str) -> Option<&'static CodeEntry> {
    let index = REGISTRY
        .binary_search_by(|entry| entry.code.cmp(code))
        .ok()?;
    REGISTRY.get(index)
}
