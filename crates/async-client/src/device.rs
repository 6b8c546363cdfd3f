//! The device's player: a key made on first use and kept by the host's store. It is never replaced
//! because it could not be read: that would be another player.

use async_identity::PlayerKey;
use async_protocol::settings::Identity;
use async_replay::PlayerId;

use crate::commands::Command;
use crate::entropy::Entropy;

/// Key of the player's key in the host's store.
pub(crate) const KEY: &str = "identity";
/// What the key made on first use is derived for.
const PURPOSE: &str = "gf-async 2026 device player key";
/// How long after a failed read or write it is tried again, in milliseconds.
const RETRY_MS: u64 = 5_000;

#[derive(Debug)]
enum State {
    /// To be asked for from this time on.
    Absent { due_ms: u64 },
    /// The host was asked.
    Loading,
    /// The store holds something else than a key.
    Damaged,
    /// Here it is.
    Ready(Box<PlayerKey>),
}

#[derive(Debug, PartialEq, Eq)]
enum Write {
    /// The store has the key, or there is none.
    Done,
    /// The host was told.
    UnderWay,
    /// It failed: to be told again from this time on.
    Due { due_ms: u64 },
}

/// The device's player.
#[derive(Debug)]
pub(crate) struct Device {
    state: State,
    write: Write,
}

impl Device {
    pub(crate) fn new(identity: Identity) -> Self {
        let state = match identity {
            Identity::Device => State::Absent { due_ms: 0 },
        };
        Self {
            state,
            write: Write::Done,
        }
    }

    /// The key, once it is here.
    pub(crate) fn key(&self) -> Option<&PlayerKey> {
        match &self.state {
            State::Ready(key) => Some(key),
            _ => None,
        }
    }

    pub(crate) fn player(&self) -> Option<PlayerId> {
        self.key().map(|key| PlayerId(key.player()))
    }

    /// The next storage command, if one is due.
    pub(crate) fn command(&mut self, now_ms: u64) -> Option<Command> {
        match (&self.state, &self.write) {
            (State::Absent { due_ms }, _) if *due_ms <= now_ms => {
                self.state = State::Loading;
                Some(Command::Load { key: KEY.into() })
            }
            (State::Ready(key), Write::Due { due_ms }) if *due_ms <= now_ms => {
                self.write = Write::UnderWay;
                Some(store(key))
            }
            _ => None,
        }
    }

    /// What the store holds. A new key is to be stored by the command that comes back.
    pub(crate) fn loaded(&mut self, bytes: Option<&[u8]>, entropy: &Entropy) -> Option<Command> {
        if !matches!(self.state, State::Loading) {
            return None;
        }
        match bytes {
            None => Some(self.take(PlayerKey::from_seed(entropy.named(PURPOSE)))),
            Some(bytes) => {
                self.state = <[u8; 32]>::try_from(bytes).map_or(State::Damaged, |seed| {
                    State::Ready(Box::new(PlayerKey::from_seed(seed)))
                });
                None
            }
        }
    }

    /// Becomes the player of this key; the command stores it.
    pub(crate) fn take(&mut self, key: PlayerKey) -> Command {
        let store = store(&key);
        self.state = State::Ready(Box::new(key));
        self.write = Write::UnderWay;
        store
    }

    /// The store has the key.
    pub(crate) fn stored(&mut self) {
        if self.write == Write::UnderWay {
            self.write = Write::Done;
        }
    }

    /// The store could not be read or written. A key that is in use is written until it is there:
    /// else the next start would be another player, and the runs of this one nobody's.
    pub(crate) fn store_failed(&mut self, now_ms: u64) {
        let due_ms = now_ms + RETRY_MS;
        if matches!(self.state, State::Loading) {
            self.state = State::Absent { due_ms };
        } else if self.write == Write::UnderWay {
            self.write = Write::Due { due_ms };
        }
    }
}

fn store(key: &PlayerKey) -> Command {
    Command::Store {
        key: KEY.into(),
        bytes: key.seed().to_vec(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked() -> Device {
        let mut device = Device::new(Identity::Device);
        assert_eq!(device.command(0), Some(Command::Load { key: KEY.into() }));
        assert_eq!(device.command(0), None);
        device
    }

    #[test]
    fn the_key_is_made_once_and_kept() {
        let entropy = Entropy::new([1; 32]);
        let mut device = asked();
        let Some(Command::Store { bytes, .. }) = device.loaded(None, &entropy) else {
            panic!("a new key is stored");
        };
        let mut again = asked();
        assert_eq!(again.loaded(Some(&bytes), &Entropy::new([2; 32])), None);
        assert_eq!(again.player(), device.player());
        assert!(device.player().is_some());
    }

    #[test]
    fn a_key_that_could_not_be_written_is_written_again() {
        let mut device = asked();
        let first = device.loaded(None, &Entropy::new([1; 32]));
        assert!(first.is_some());
        device.store_failed(0);
        assert_eq!(device.command(RETRY_MS - 1), None);
        assert_eq!(device.command(RETRY_MS), first);
        device.store_failed(RETRY_MS);
        assert_eq!(device.command(2 * RETRY_MS), first);
        device.stored();
        assert_eq!(device.command(u64::MAX), None);
    }

    #[test]
    fn a_key_that_cannot_be_read_is_never_replaced() {
        let mut device = asked();
        device.store_failed(0);
        assert_eq!(device.player(), None);
        assert_eq!(device.command(RETRY_MS - 1), None);
        assert!(device.command(RETRY_MS).is_some());
        assert_eq!(
            device.loaded(Some(&[1, 2, 3]), &Entropy::new([1; 32])),
            None
        );
        assert_eq!((device.player(), device.command(u64::MAX)), (None, None));
    }
}
