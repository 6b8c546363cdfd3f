//! A server's public keys: the one in use, and those before it.

use crate::error::Error;
use crate::server_key::key_id;
use crate::statement::{public_key, verify};

/// Most keys in a ring, the current one included.
pub const KEYS_MAX: usize = 64;

/// The public keys by which a server's statements are checked.
///
/// Old keys stay in it, so that tickets and receipts of before a rotation still hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyRing {
    current: [u8; 32],
    // Few enough that looking through them beats a map.
    keys: Vec<([u8; 8], [u8; 32])>,
}

impl KeyRing {
    /// A ring with the key that signs now.
    ///
    /// # Errors
    /// [`Error::BadKey`] if it is no usable key.
    pub fn new(current: [u8; 32]) -> Result<Self, Error> {
        public_key(&current)?;
        Ok(KeyRing {
            current,
            keys: vec![(key_id(&current), current)],
        })
    }

    /// Adds a key of before; adding one again changes nothing.
    ///
    /// # Errors
    /// [`Error::BadKey`] if it is no usable key, [`Error::KeyRing`] past [`KEYS_MAX`] keys or if
    /// another key has the same id.
    pub fn add_old(&mut self, public: [u8; 32]) -> Result<(), Error> {
        public_key(&public)?;
        let id = key_id(&public);
        match self.find(&id) {
            Some(known) if *known == public => Ok(()),
            Some(_) => Err(Error::KeyRing),
            None if self.keys.len() >= KEYS_MAX => Err(Error::KeyRing),
            None => {
                self.keys.push((id, public));
                Ok(())
            }
        }
    }

    /// The key that signs now.
    #[must_use]
    pub fn current(&self) -> &[u8; 32] {
        &self.current
    }

    /// All keys with their ids, the current one first.
    pub fn keys(&self) -> impl Iterator<Item = (&[u8; 8], &[u8; 32])> {
        self.keys.iter().map(|(id, public)| (id, public))
    }

    /// The key of this id.
    #[must_use]
    pub fn find(&self, id: &[u8; 8]) -> Option<&[u8; 32]> {
        self.keys
            .iter()
            .find(|(known, _)| known == id)
            .map(|(_, public)| public)
    }

    /// Checks a server's signature over a message that starts with its domain.
    pub(crate) fn verify(
        &self,
        id: &[u8; 8],
        message: &[u8],
        signature: &[u8; 64],
    ) -> Result<(), Error> {
        verify(self.find(id).ok_or(Error::UnknownKey)?, message, signature)
    }
}
