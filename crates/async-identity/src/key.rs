//! The player's key pair, and the signature of a run.

use core::fmt;

use ed25519_dalek::SigningKey;

use crate::call::Call;
use crate::error::Error;
use crate::statement::{RUN_DOMAIN, public_key, sign, verify};

/// A player: an Ed25519 key pair, made on first use and kept by the host.
///
/// The secret is wiped from memory on drop, and [`Debug`](fmt::Debug) shows the public half only.
#[derive(Clone)]
pub struct PlayerKey {
    key: SigningKey,
}

impl PlayerKey {
    /// The key of 32 bytes of entropy. The same bytes always give the same player.
    #[must_use]
    pub fn from_seed(seed: [u8; 32]) -> Self {
        PlayerKey {
            key: SigningKey::from_bytes(&seed),
        }
    }

    /// The secret to be stored: whoever has it is this player.
    #[must_use]
    pub fn seed(&self) -> [u8; 32] {
        self.key.to_bytes()
    }

    /// The player id: the public key.
    #[must_use]
    pub fn player(&self) -> [u8; 32] {
        self.key.verifying_key().to_bytes()
    }

    /// The secret as text for moving it to another device; see [`PlayerKey::import`].
    #[must_use]
    pub fn export(&self) -> String {
        crate::key_text::write(self.key.as_bytes())
    }

    /// Reads what [`PlayerKey::export`] wrote. Hyphens, white space around and between, and the
    /// case of letters do not matter.
    ///
    /// # Errors
    /// [`Error::BadKeyText`] if the text is something else or was mistyped,
    /// [`Error::UnknownVersion`] if a later version wrote it.
    pub fn import(text: &str) -> Result<Self, Error> {
        crate::key_text::read(text).map(|seed| PlayerKey {
            key: SigningKey::from_bytes(&seed),
        })
    }

    /// Signs a run by its full hash: this player made it.
    #[must_use]
    pub fn sign_run(&self, full_hash: &[u8; 32]) -> [u8; 64] {
        sign(&self.key, &run_message(full_hash))
    }

    /// Signs a call: this player asks for it.
    ///
    /// # Errors
    /// [`Error::BadField`] if a part of the call is longer than its limit.
    pub fn sign_call(&self, call: &Call<'_>) -> Result<[u8; 64], Error> {
        Ok(sign(&self.key, &call.message()?))
    }
}

impl fmt::Debug for PlayerKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let player = data_encoding::HEXLOWER.encode(&self.player());
        f.debug_struct("PlayerKey")
            .field("player", &player)
            .finish_non_exhaustive()
    }
}

/// Checks that `player` signed the run with this full hash.
///
/// # Errors
/// [`Error::BadKey`] if `player` is no usable key, [`Error::BadSignature`] if it did not sign.
pub fn verify_run(
    player: &[u8; 32],
    full_hash: &[u8; 32],
    signature: &[u8; 64],
) -> Result<(), Error> {
    verify(player, &run_message(full_hash), signature)
}

/// Checks that `player` can be a player id at all, where nothing is signed.
///
/// # Errors
/// [`Error::BadKey`].
pub fn check_player(player: &[u8; 32]) -> Result<(), Error> {
    public_key(player).map(|_| ())
}

fn run_message(full_hash: &[u8; 32]) -> [u8; RUN_DOMAIN.len() + 32] {
    let mut message = [0; RUN_DOMAIN.len() + 32];
    message[..RUN_DOMAIN.len()].copy_from_slice(RUN_DOMAIN);
    message[RUN_DOMAIN.len()..].copy_from_slice(full_hash);
    message
}
