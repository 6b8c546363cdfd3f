//! The server's key pair.

use core::fmt;

use data_encoding::HEXLOWER;
use ed25519_dalek::SigningKey;

use crate::statement::{KEY_ID_DOMAIN, hash, sign};

/// A server's key pair: it signs tickets and receipts.
///
/// The secret is wiped from memory on drop, and [`Debug`](fmt::Debug) shows the key id only.
#[derive(Clone)]
pub struct ServerKey {
    key: SigningKey,
}

impl ServerKey {
    /// The key of 32 bytes of entropy, which live in the server's database.
    #[must_use]
    pub fn from_seed(seed: [u8; 32]) -> Self {
        ServerKey {
            key: SigningKey::from_bytes(&seed),
        }
    }

    /// The short name of the public key, as tickets and receipts carry it.
    #[must_use]
    pub fn key_id(&self) -> [u8; 8] {
        key_id(&self.public())
    }

    /// The public key.
    #[must_use]
    pub fn public(&self) -> [u8; 32] {
        self.key.verifying_key().to_bytes()
    }

    /// The server id that signed calls name: 32 lower-case hex digits made from the public key.
    #[must_use]
    pub fn server_id(&self) -> String {
        HEXLOWER.encode(&hash(KEY_ID_DOMAIN, &[&self.public()])[..16])
    }

    /// Signs a message that starts with its domain.
    pub(crate) fn sign(&self, message: &[u8]) -> [u8; 64] {
        sign(&self.key, message)
    }
}

impl fmt::Debug for ServerKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let id = HEXLOWER.encode(&self.key_id());
        f.debug_struct("ServerKey")
            .field("key_id", &id)
            .finish_non_exhaustive()
    }
}

/// The key id of a public key: the first 8 bytes of a hash of it.
#[must_use]
pub fn key_id(public: &[u8; 32]) -> [u8; 8] {
    let mut id = [0; 8];
    id.copy_from_slice(&hash(KEY_ID_DOMAIN, &[public])[..8]);
    id
}
