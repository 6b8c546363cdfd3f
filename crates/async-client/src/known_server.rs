//! The server that this device knows at `apiUrl`: the id that it saw there first is kept by the
//! host's store, and calls are signed for that one only. Otherwise whoever answers at that address
//! could have a call signed for another server, and pass it on to that one.

use data_encoding::HEXLOWER;

use crate::Error;
use crate::api::Api;
use crate::commands::Command;

/// Longest id of a server, as a signed call holds it.
const ID_BYTES_MAX: usize = 64;
/// How long after a failed read or write it is tried again, in milliseconds.
const RETRY_MS: u64 = 5_000;

#[derive(Debug, PartialEq, Eq)]
enum State {
    /// To be asked for from this time on.
    Absent { due_ms: u64 },
    /// The host was asked.
    Loading,
    /// The id that was kept, if any was. What is damaged is an id that no server has.
    Loaded(Option<String>),
}

/// The server id that is kept for a base URL.
#[derive(Debug)]
pub(crate) struct KnownServer {
    key: String,
    state: State,
    /// When to write again what the store did not take.
    write_due_ms: Option<u64>,
}

impl KnownServer {
    /// Without an API there is no server to know, and nothing to load.
    pub(crate) fn new(api: Option<&Api>) -> Self {
        Self {
            key: api.map_or(String::new(), |api| key(api.base())),
            state: match api {
                Some(_) => State::Absent { due_ms: 0 },
                None => State::Loaded(None),
            },
            write_due_ms: None,
        }
    }

    /// Whether a key of the host's store is this one's.
    pub(crate) fn owns(&self, key: &str) -> bool {
        self.key == key
    }

    /// Whether the store has said what was kept.
    pub(crate) fn is_loaded(&self) -> bool {
        matches!(self.state, State::Loaded(_))
    }

    /// The next storage command, if one is due.
    pub(crate) fn command(&mut self, now_ms: u64) -> Option<Command> {
        match &self.state {
            State::Absent { due_ms } if *due_ms <= now_ms => {
                self.state = State::Loading;
                let key = self.key.clone();
                Some(Command::Load { key })
            }
            State::Loaded(id) if self.write_due_ms.is_some_and(|due_ms| due_ms <= now_ms) => {
                let command = self.write(id.as_deref());
                self.write_due_ms = None;
                Some(command)
            }
            _ => None,
        }
    }

    /// What the store holds.
    pub(crate) fn loaded(&mut self, bytes: Option<&[u8]>) {
        if self.state == State::Loading {
            let id = bytes.map(|bytes| String::from_utf8_lossy(bytes).into_owned());
            self.state = State::Loaded(id);
        }
    }

    /// The store could not be read or written.
    pub(crate) fn store_failed(&mut self, now_ms: u64) {
        let due_ms = now_ms.saturating_add(RETRY_MS);
        match self.state {
            State::Loading => self.state = State::Absent { due_ms },
            State::Absent { .. } => {}
            State::Loaded(_) => self.write_due_ms = Some(due_ms),
        }
    }

    /// Whether a call may be signed for the server of this id. The first one is kept, by the
    /// command that comes back.
    ///
    /// # Errors
    /// `wrong_server`: another one is known here; `bad_answer` for what is no id; `no_identity`
    /// before the store has answered.
    pub(crate) fn admit(&mut self, id: &str) -> Result<Option<Command>, Error> {
        if id.is_empty() || id.len() > ID_BYTES_MAX {
            let msg = format!("a server id has 1 to {ID_BYTES_MAX} bytes");
            return Err(Error::BadAnswer(msg));
        }
        match &self.state {
            State::Loaded(Some(known)) if known == id => Ok(None),
            State::Loaded(Some(known)) => Err(Error::WrongServer {
                known: known.chars().take(ID_BYTES_MAX).collect(),
                found: id.to_owned(),
            }),
            State::Loaded(None) => {
                self.state = State::Loaded(Some(id.to_owned()));
                Ok(Some(self.write(Some(id))))
            }
            State::Absent { .. } | State::Loading => Err(Error::NoIdentity),
        }
    }

    /// Knows no server any more: the next one that answers is the first. The command erases it.
    pub(crate) fn forget(&mut self) -> Command {
        self.state = State::Loaded(None);
        self.write_due_ms = None;
        self.write(None)
    }

    fn write(&self, id: Option<&str>) -> Command {
        let key = self.key.clone();
        match id {
            Some(id) => Command::Store {
                key,
                bytes: id.as_bytes().to_vec(),
            },
            None => Command::Erase { key },
        }
    }
}

/// `server/` and 16 bytes of the BLAKE3 of the base URL, since a URL is no name of a file.
fn key(base: &str) -> String {
    let hash = blake3::hash(base.as_bytes());
    let (half, _) = hash.as_bytes().split_at(16);
    format!("server/{}", HEXLOWER.encode(half))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(url: &str) -> KnownServer {
        let api = Api::new(url, "", "").unwrap();
        let mut server = KnownServer::new(api.as_ref());
        let key = server.key.clone();
        assert_eq!(server.command(0), Some(Command::Load { key }));
        assert_eq!(server.command(0), None);
        server
    }

    fn code(admitted: Result<Option<Command>, Error>) -> &'static str {
        admitted.map_or_else(|error| error.code(), |_| "ok")
    }

    #[test]
    fn the_first_is_kept_and_no_other_admitted() {
        let mut server = asked("http://h");
        assert_eq!(code(server.admit("a")), "no_identity");
        server.loaded(None);
        assert_eq!(code(server.admit("")), "bad_answer");
        assert_eq!(code(server.admit(&"a".repeat(65))), "bad_answer");
        let stored = server.admit("a").unwrap();
        let (key, bytes) = (server.key.clone(), b"a".to_vec());
        assert_eq!(stored, Some(Command::Store { key, bytes }));
        assert_eq!(server.admit("a").unwrap(), None);
        assert_eq!(code(server.admit("b")), "wrong_server");
        let mut later = asked("http://h/");
        later.loaded(Some(b"a"));
        assert_eq!(later.key, server.key);
        assert_eq!(code(later.admit("b")), "wrong_server");
        assert_eq!(later.admit("a").unwrap(), None);
        assert_ne!(asked("http://h/other").key, server.key);
    }

    #[test]
    fn what_is_damaged_is_no_server() {
        for bytes in [&b""[..], &[0xFF, 0xFE], &[b'a'; 1_000]] {
            let mut server = asked("http://h");
            server.loaded(Some(bytes));
            assert_eq!(code(server.admit("a")), "wrong_server", "{bytes:?}");
        }
    }

    #[test]
    fn a_store_that_fails_is_asked_again() {
        let mut server = asked("http://h");
        server.store_failed(0);
        assert_eq!(code(server.admit("a")), "no_identity");
        assert_eq!(server.command(RETRY_MS - 1), None);
        assert!(matches!(
            server.command(RETRY_MS),
            Some(Command::Load { .. })
        ));
        server.loaded(None);
        let store = server.admit("a").unwrap();
        server.store_failed(0);
        assert_eq!(server.command(RETRY_MS - 1), None);
        assert_eq!(server.command(RETRY_MS), store);
        assert_eq!(server.command(u64::MAX), None);
        assert_eq!(code(server.admit("b")), "wrong_server", "kept all the same");
    }

    #[test]
    fn forgetting_is_durable_and_beats_a_load_under_way() {
        let mut server = asked("http://h");
        let erase = server.forget();
        server.loaded(Some(b"a"));
        assert_eq!(code(server.admit("b")), "ok");
        assert_eq!(server.forget(), erase);
        server.store_failed(0);
        assert_eq!(server.command(RETRY_MS), Some(erase));
    }

    #[test]
    fn without_an_api_nothing_is_loaded() {
        let mut server = KnownServer::new(None);
        assert_eq!(server.command(0), None);
        assert!(server.is_loaded());
    }
}
