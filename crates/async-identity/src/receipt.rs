//! Receipts: the server's word for what became of a run, for the player to keep.

use crate::encoding::{Decoder, Encoder, Reason};
use crate::error::Error;
use crate::ring::KeyRing;
use crate::server_key::ServerKey;
use crate::statement::RECEIPT_DOMAIN;
use crate::{APP_BYTES_MAX, BOARD_BYTES_MAX, SIGNATURE_BYTES};

/// The version of receipts that this build writes and reads.
pub const RECEIPT_VERSION: u8 = 1;

/// Longest status word in a receipt, in bytes.
pub const STATUS_BYTES_MAX: usize = 16;

/// Length of the longest encoded receipt, in bytes.
pub const RECEIPT_BYTES_MAX: usize = 1
    + 8
    + (2 + APP_BYTES_MAX)
    + 16
    + 32
    + (2 + BOARD_BYTES_MAX)
    + 16
    + (2 + STATUS_BYTES_MAX)
    + 8
    + 8
    + 8
    + 64;

/// What a server says became of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Receipt {
    /// Id of the server key that signed it. [`Receipt::sign`] writes the signer's, not this one.
    pub key_id: [u8; 8],
    /// The app, at most [`APP_BYTES_MAX`] bytes; may be empty.
    pub app: String,
    /// Id of the run.
    pub run: [u8; 16],
    /// The player who signed the run.
    pub player: [u8; 32],
    /// The board, at most [`BOARD_BYTES_MAX`] bytes.
    pub board: String,
    /// Id of the rules that the run was played under.
    pub ruleset: [u8; 16],
    /// The status of its verdict, such as `verified`; at most [`STATUS_BYTES_MAX`] bytes.
    pub status: String,
    /// The score that counts.
    pub score: i64,
    /// Rank of the player's best at `rank_at_ms`, from 1; 0 if the run does not rank.
    pub rank: u64,
    /// When the rank was read, in milliseconds of Unix time.
    pub rank_at_ms: u64,
}

impl Receipt {
    /// Writes and signs it. The key id written is that of `key`, whatever the field holds.
    ///
    /// # Errors
    /// [`Error::BadField`] if a text is too long.
    pub fn sign(&self, key: &ServerKey) -> Result<Vec<u8>, Error> {
        let mut message = self.message(&key.key_id())?;
        let signature = key.sign(&message);
        message.drain(..RECEIPT_DOMAIN.len());
        message.extend_from_slice(&signature);
        Ok(message)
    }

    /// Reads a receipt and checks that a key of `ring` signed it.
    ///
    /// # Errors
    /// [`Error::BadReceipt`], [`Error::UnknownVersion`] or [`Error::UnknownKey`].
    pub fn open(bytes: &[u8], ring: &KeyRing) -> Result<Receipt, Error> {
        let (receipt, signature) = split(bytes)?;
        let message = [RECEIPT_DOMAIN, &bytes[..bytes.len() - SIGNATURE_BYTES]].concat();
        match ring.verify(&receipt.key_id, &message, &signature) {
            Err(Error::BadSignature) => Err(Error::BadReceipt("its signature does not hold")),
            Err(other) => Err(other),
            Ok(()) => Ok(receipt),
        }
    }

    /// Reads a receipt without asking who signed it, for showing it.
    ///
    /// # Errors
    /// [`Error::BadReceipt`] if it is malformed, [`Error::UnknownVersion`].
    pub fn peek(bytes: &[u8]) -> Result<Receipt, Error> {
        split(bytes).map(|(receipt, _)| receipt)
    }

    /// The signed bytes: domain and fields.
    fn message(&self, key_id: &[u8; 8]) -> Result<Vec<u8>, Error> {
        let mut out = Encoder::new(RECEIPT_DOMAIN);
        out.u8(RECEIPT_VERSION).fixed(key_id);
        out.text(&self.app, APP_BYTES_MAX, "app")?
            .fixed(&self.run)
            .fixed(&self.player);
        out.text(&self.board, BOARD_BYTES_MAX, "board")?
            .fixed(&self.ruleset);
        out.text(&self.status, STATUS_BYTES_MAX, "status")?;
        out.i64(self.score).u64(self.rank).u64(self.rank_at_ms);
        Ok(out.into_bytes())
    }
}

/// The fields and the signature, unchecked.
fn split(bytes: &[u8]) -> Result<(Receipt, [u8; 64]), Error> {
    let mut read = Decoder::new(bytes);
    let version = read.u8().map_err(Error::BadReceipt)?;
    if version != RECEIPT_VERSION {
        return Err(Error::UnknownVersion(version));
    }
    fields(read).map_err(Error::BadReceipt)
}

fn fields(mut read: Decoder<'_>) -> Result<(Receipt, [u8; 64]), Reason> {
    let receipt = Receipt {
        key_id: read.fixed()?,
        app: read.text(APP_BYTES_MAX)?,
        run: read.fixed()?,
        player: read.fixed()?,
        board: read.text(BOARD_BYTES_MAX)?,
        ruleset: read.fixed()?,
        status: read.text(STATUS_BYTES_MAX)?,
        score: read.i64()?,
        rank: read.u64()?,
        rank_at_ms: read.u64()?,
    };
    let signature = read.fixed()?;
    read.finish()?;
    Ok((receipt, signature))
}
