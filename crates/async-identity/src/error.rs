//! What can be wrong with a statement, a key or a nonce.

use thiserror::Error as ThisError;

/// Why a key, a statement or a nonce was refused.
///
/// Every variant has a stable [`code`](Error::code); the text is for people and may change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ThisError)]
#[non_exhaustive]
pub enum Error {
    /// The bytes are no usable Ed25519 public key: not on the curve, of small order, or written in
    /// a non-canonical form.
    #[error("not a usable public key")]
    BadKey,
    /// The text is not an exported player key, or was mistyped.
    #[error("not an exported player key: {0}")]
    BadKeyText(&'static str),
    /// The signature of a run or a call does not hold.
    #[error("the signature does not hold")]
    BadSignature,
    /// The ticket is malformed or its signature does not hold.
    #[error("the ticket is not one of this server's: {0}")]
    BadTicket(&'static str),
    /// The receipt is malformed or its signature does not hold.
    #[error("the receipt is not one of this server's: {0}")]
    BadReceipt(&'static str),
    /// The statement was written in a version that this build does not know.
    #[error("version {0} is not known")]
    UnknownVersion(u8),
    /// The statement names a server key that is not in the key ring.
    #[error("signed with an unknown server key")]
    UnknownKey,
    /// The key ring is full, or holds another key of the same id.
    #[error("the key ring cannot take this key")]
    KeyRing,
    /// A field to be signed is longer than its limit, or is out of its range.
    #[error("{0} cannot be written in a statement")]
    BadField(&'static str),
    /// The ticket's last moment has passed.
    #[error("the ticket has expired")]
    TicketExpired,
    /// The ticket was issued after the moment given.
    #[error("the ticket is not valid yet")]
    TicketEarly,
    /// The ticket was issued for another app.
    #[error("the ticket is for another app")]
    TicketApp,
    /// The ticket was issued to another player.
    #[error("the ticket is for another player")]
    TicketPlayer,
    /// The ticket was issued for another board.
    #[error("the ticket is for another board")]
    TicketBoard,
    /// The ticket was issued for another ruleset.
    #[error("the ticket is for another ruleset")]
    TicketRuleset,
    /// The ticket was issued against another opponent, or none.
    #[error("the ticket is for another opponent")]
    TicketOpponent,
    /// The run was played with another seed than the ticket's.
    #[error("the ticket is for another seed")]
    TicketSeed,
    /// The nonce was not issued by this server.
    #[error("the nonce is not one of this server's")]
    BadNonce,
    /// The nonce is older than [`NONCE_LIFE_MS`](crate::NONCE_LIFE_MS).
    #[error("the nonce has expired")]
    NonceExpired,
}

impl Error {
    /// The stable code of this error, as in [`CODES`].
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Error::BadKey => "bad_key",
            Error::BadKeyText(_) => "bad_key_text",
            Error::BadSignature => "bad_signature",
            Error::BadTicket(_) => "bad_ticket",
            Error::BadReceipt(_) => "bad_receipt",
            Error::UnknownVersion(_) => "unknown_version",
            Error::UnknownKey => "unknown_key",
            Error::KeyRing => "bad_key_ring",
            Error::BadField(_) => "bad_field",
            Error::TicketExpired => "ticket_expired",
            Error::TicketEarly => "ticket_early",
            Error::TicketApp => "ticket_wrong_app",
            Error::TicketPlayer => "ticket_wrong_player",
            Error::TicketBoard => "ticket_wrong_board",
            Error::TicketRuleset => "ticket_wrong_ruleset",
            Error::TicketOpponent => "ticket_wrong_opponent",
            Error::TicketSeed => "ticket_wrong_seed",
            Error::BadNonce => "bad_nonce",
            Error::NonceExpired => "nonce_expired",
        }
    }
}

/// Every code that an [`Error`] of this crate can carry.
pub const CODES: &[&str] = &[
    "bad_key",
    "bad_key_text",
    "bad_signature",
    "bad_ticket",
    "bad_receipt",
    "unknown_version",
    "unknown_key",
    "bad_key_ring",
    "bad_field",
    "ticket_expired",
    "ticket_early",
    "ticket_wrong_app",
    "ticket_wrong_player",
    "ticket_wrong_board",
    "ticket_wrong_ruleset",
    "ticket_wrong_opponent",
    "ticket_wrong_seed",
    "bad_nonce",
    "nonce_expired",
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_error_has_a_code_of_its_own_in_the_list() {
        let all = [
            Error::BadKey,
            Error::BadKeyText(""),
            Error::BadSignature,
            Error::BadTicket(""),
            Error::BadReceipt(""),
            Error::UnknownVersion(9),
            Error::UnknownKey,
            Error::KeyRing,
            Error::BadField(""),
            Error::TicketExpired,
            Error::TicketEarly,
            Error::TicketApp,
            Error::TicketPlayer,
            Error::TicketBoard,
            Error::TicketRuleset,
            Error::TicketOpponent,
            Error::TicketSeed,
            Error::BadNonce,
            Error::NonceExpired,
        ];
        let codes: BTreeSet<_> = all.iter().map(Error::code).collect();
        assert_eq!(codes.len(), all.len());
        assert_eq!(codes, CODES.iter().copied().collect());
    }
}
