//! Tickets: the server's word at the start of an attempt.

use crate::encoding::{Decoder, Encoder, Reason};
use crate::error::Error;
use crate::ring::KeyRing;
use crate::seed::SEED_MAX;
use crate::server_key::ServerKey;
use crate::statement::TICKET_DOMAIN;
use crate::{APP_BYTES_MAX, BOARD_BYTES_MAX, SIGNATURE_BYTES};

/// The version of tickets that this build writes and reads.
pub const TICKET_VERSION: u8 = 1;

/// Length of the longest encoded ticket, in bytes.
pub const TICKET_BYTES_MAX: usize =
    1 + 8 + 2 + APP_BYTES_MAX + 32 + 2 + BOARD_BYTES_MAX + 16 + 17 + 8 + 4 + 8 + 8 + 16 + 64;

/// What a server promises a player at the start of an attempt: this seed, on this board, under
/// these rules. Nobody else can use it, and it is used once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ticket {
    /// Version of the encoding; [`TICKET_VERSION`].
    pub version: u8,
    /// Id of the server key that signed it. [`Ticket::sign`] writes the signer's, not this one.
    pub key_id: [u8; 8],
    /// The app, at most [`APP_BYTES_MAX`] bytes; may be empty.
    pub app: String,
    /// The player who may use it: a public key.
    pub player: [u8; 32],
    /// The board, at most [`BOARD_BYTES_MAX`] bytes.
    pub board: String,
    /// Id of the rules that the run must be played under.
    pub ruleset: [u8; 16],
    /// Id of the run to be played against, if any.
    pub opponent: Option<[u8; 16]>,
    /// Seed that the run must be played with, at most [`SEED_MAX`].
    pub seed: u64,
    /// Number of the attempt on a board that counts them; 0 where it does not.
    pub attempt: u32,
    /// When it was issued, in milliseconds of Unix time by the server's clock.
    pub issued_ms: u64,
    /// Last moment at which it can be used, in milliseconds of Unix time; not before `issued_ms`.
    pub expires_ms: u64,
    /// Makes it unlike any other, so that it can be used only once.
    pub nonce: [u8; 16],
}

/// What a run says, for comparison with the ticket it carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TicketUse<'a> {
    /// The app that it was submitted to.
    pub app: &'a str,
    /// The player who signed it.
    pub player: &'a [u8; 32],
    /// The board that it is for.
    pub board: &'a str,
    /// Id of its ruleset.
    pub ruleset: &'a [u8; 16],
    /// The run it was played against.
    pub opponent: Option<&'a [u8; 16]>,
    /// Its seed.
    pub seed: u64,
}

impl Ticket {
    /// Writes and signs it. The version and the key id written are those of this build and of
    /// `key`, whatever the fields hold.
    ///
    /// # Errors
    /// [`Error::BadField`] if a text is too long, the seed above [`SEED_MAX`], or `expires_ms`
    /// before `issued_ms`.
    pub fn sign(&self, key: &ServerKey) -> Result<Vec<u8>, Error> {
        let mut message = self.message(&key.key_id())?;
        let signature = key.sign(&message);
        message.drain(..TICKET_DOMAIN.len());
        message.extend_from_slice(&signature);
        Ok(message)
    }

    /// Reads a ticket and checks that a key of `ring` signed it. Whether it fits a run is
    /// [`Ticket::check_for`]'s question, whether it is in time [`Ticket::check_time`]'s.
    ///
    /// # Errors
    /// [`Error::BadTicket`], [`Error::UnknownVersion`] or [`Error::UnknownKey`].
    pub fn open(bytes: &[u8], ring: &KeyRing) -> Result<Ticket, Error> {
        let (ticket, signature) = split(bytes)?;
        let message = [TICKET_DOMAIN, &bytes[..bytes.len() - SIGNATURE_BYTES]].concat();
        match ring.verify(&ticket.key_id, &message, &signature) {
            Err(Error::BadSignature) => Err(Error::BadTicket("its signature does not hold")),
            Err(other) => Err(other),
            Ok(()) => Ok(ticket),
        }
    }

    /// Reads a ticket without asking who signed it: for showing it, and for a client, which has
    /// its server's word by the connection.
    ///
    /// # Errors
    /// [`Error::BadTicket`] if it is malformed, [`Error::UnknownVersion`].
    pub fn peek(bytes: &[u8]) -> Result<Ticket, Error> {
        split(bytes).map(|(ticket, _)| ticket)
    }

    /// Checks that the ticket was issued for exactly this use.
    ///
    /// # Errors
    /// The first thing that differs: [`Error::TicketApp`], [`Error::TicketPlayer`],
    /// [`Error::TicketBoard`], [`Error::TicketRuleset`], [`Error::TicketOpponent`] or
    /// [`Error::TicketSeed`].
    pub fn check_for(&self, used: &TicketUse<'_>) -> Result<(), Error> {
        let checks = [
            (self.app == used.app, Error::TicketApp),
            (self.player == *used.player, Error::TicketPlayer),
            (self.board == used.board, Error::TicketBoard),
            (self.ruleset == *used.ruleset, Error::TicketRuleset),
            (
                self.opponent.as_ref() == used.opponent,
                Error::TicketOpponent,
            ),
            (self.seed == used.seed, Error::TicketSeed),
        ];
        checks
            .into_iter()
            .find(|(fits, _)| !fits)
            .map_or(Ok(()), |(_, error)| Err(error))
    }

    /// Checks that `now_ms` lies between issue and expiry, both included.
    ///
    /// # Errors
    /// [`Error::TicketEarly`] or [`Error::TicketExpired`].
    pub fn check_time(&self, now_ms: u64) -> Result<(), Error> {
        if now_ms < self.issued_ms {
            Err(Error::TicketEarly)
        } else if now_ms > self.expires_ms {
            Err(Error::TicketExpired)
        } else {
            Ok(())
        }
    }

    /// The signed bytes: domain and fields.
    fn message(&self, key_id: &[u8; 8]) -> Result<Vec<u8>, Error> {
        self.check_ranges().map_err(Error::BadField)?;
        let mut out = Encoder::new(TICKET_DOMAIN);
        out.u8(TICKET_VERSION).fixed(key_id);
        out.text(&self.app, APP_BYTES_MAX, "app")?
            .fixed(&self.player);
        out.text(&self.board, BOARD_BYTES_MAX, "board")?
            .fixed(&self.ruleset);
        match &self.opponent {
            None => out.u8(0),
            Some(run) => out.u8(1).fixed(run),
        };
        out.u64(self.seed)
            .u32(self.attempt)
            .u64(self.issued_ms)
            .u64(self.expires_ms);
        out.fixed(&self.nonce);
        Ok(out.into_bytes())
    }

    fn check_ranges(&self) -> Result<(), Reason> {
        if self.seed > SEED_MAX {
            Err("a seed above 2^53 - 1")
        } else if self.expires_ms < self.issued_ms {
            Err("an expiry before the issue")
        } else {
            Ok(())
        }
    }
}

/// The fields and the signature, unchecked.
fn split(bytes: &[u8]) -> Result<(Ticket, [u8; 64]), Error> {
    let mut read = Decoder::new(bytes);
    let version = read.u8().map_err(Error::BadTicket)?;
    if version != TICKET_VERSION {
        return Err(Error::UnknownVersion(version));
    }
    fields(version, read).map_err(Error::BadTicket)
}

fn fields(version: u8, mut read: Decoder<'_>) -> Result<(Ticket, [u8; 64]), Reason> {
    let ticket = Ticket {
        version,
        key_id: read.fixed()?,
        app: read.text(APP_BYTES_MAX)?,
        player: read.fixed()?,
        board: read.text(BOARD_BYTES_MAX)?,
        ruleset: read.fixed()?,
        opponent: match read.u8()? {
            0 => None,
            1 => Some(read.fixed()?),
            _ => return Err("its opponent flag is neither 0 nor 1"),
        },
        seed: read.u64()?,
        attempt: read.u32()?,
        issued_ms: read.u64()?,
        expires_ms: read.u64()?,
        nonce: read.fixed()?,
    };
    let signature = read.fixed()?;
    read.finish()?;
    ticket.check_ranges()?;
    Ok((ticket, signature))
}
