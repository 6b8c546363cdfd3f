//! Domains, and the one place where signatures are made and checked.

use ed25519_dalek::{Signature, Signer, SigningKey, VerifyingKey};

use crate::error::Error;

// Each ends in a zero byte and holds no other, so none is the beginning of another.
pub(crate) const RUN_DOMAIN: &[u8] = b"gf-async run v1\0";
pub(crate) const CALL_DOMAIN: &[u8] = b"gf-async call v1\0";
pub(crate) const TICKET_DOMAIN: &[u8] = b"gf-async ticket v1\0";
pub(crate) const RECEIPT_DOMAIN: &[u8] = b"gf-async receipt v1\0";
pub(crate) const NONCE_DOMAIN: &[u8] = b"gf-async nonce v1\0";
pub(crate) const KEY_ID_DOMAIN: &[u8] = b"gf-async key id v1\0";
pub(crate) const KEY_TEXT_DOMAIN: &[u8] = b"gf-async key text v1\0";
pub(crate) const ATTEMPT_DOMAIN: &[u8] = b"gf-async attempt seed v1\0";
pub(crate) const DAILY_DOMAIN: &[u8] = b"gf-async daily seed v1\0";

/// Signs `message`, which starts with one of the domains above.
pub(crate) fn sign(key: &SigningKey, message: &[u8]) -> [u8; 64] {
    key.sign(message).to_bytes()
}

/// Checks `signature` over `message` strictly.
///
/// # Errors
/// [`Error::BadKey`] or [`Error::BadSignature`].
pub(crate) fn verify(public: &[u8; 32], message: &[u8], signature: &[u8; 64]) -> Result<(), Error> {
    let key = public_key(public)?;
    // Strict: the scalar is reduced, the point is compared by its bytes, and neither is of small
    // order, so no second signature over the same message can be made out of a first one.
    key.verify_strict(message, &Signature::from_bytes(signature))
        .map_err(|_| Error::BadSignature)
}

/// Reads a public key, refusing what is no unique name of a player or a server.
///
/// # Errors
/// [`Error::BadKey`].
pub(crate) fn public_key(bytes: &[u8; 32]) -> Result<VerifyingKey, Error> {
    if !is_canonical(bytes) {
        return Err(Error::BadKey);
    }
    let key = VerifyingKey::from_bytes(bytes).map_err(|_| Error::BadKey)?;
    if key.is_weak() {
        Err(Error::BadKey)
    } else {
        Ok(key)
    }
}

/// Whether the y coordinate is below 2^255 − 19. The decoder reduces it instead, so that a few
/// points would have two spellings, hence one player two ids.
fn is_canonical(bytes: &[u8; 32]) -> bool {
    bytes[31] & 0x7f != 0x7f || bytes[1..31].iter().any(|&byte| byte != 0xff) || bytes[0] < 0xed
}

/// BLAKE3 over a domain and some parts, each of fixed length.
pub(crate) fn hash(domain: &[u8], parts: &[&[u8]]) -> [u8; 32] {
    absorb(blake3::Hasher::new(), domain, parts)
}

/// The same under a key: what only its holder can compute.
pub(crate) fn keyed_hash(secret: &[u8; 32], domain: &[u8], parts: &[&[u8]]) -> [u8; 32] {
    absorb(blake3::Hasher::new_keyed(secret), domain, parts)
}

fn absorb(mut hasher: blake3::Hasher, domain: &[u8], parts: &[&[u8]]) -> [u8; 32] {
    hasher.update(domain);
    for part in parts {
        hasher.update(part);
    }
    *hasher.finalize().as_bytes()
}

/// Compares without telling by its time where the first difference is.
pub(crate) fn same(left: &[u8], right: &[u8]) -> bool {
    left.len() == right.len()
        && left
            .iter()
            .zip(right)
            .fold(0, |all, (a, b)| core::hint::black_box(all | (a ^ b)))
            == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOMAINS: [&[u8]; 9] = [
        RUN_DOMAIN,
        CALL_DOMAIN,
        TICKET_DOMAIN,
        RECEIPT_DOMAIN,
        NONCE_DOMAIN,
        KEY_ID_DOMAIN,
        KEY_TEXT_DOMAIN,
        ATTEMPT_DOMAIN,
        DAILY_DOMAIN,
    ];

    #[test]
    fn no_domain_is_the_beginning_of_another() {
        for domain in DOMAINS {
            assert_eq!(
                domain.iter().position(|&byte| byte == 0),
                Some(domain.len() - 1)
            );
        }
        let pairs = DOMAINS
            .iter()
            .enumerate()
            .flat_map(|(at, one)| DOMAINS.iter().skip(at + 1).map(move |other| (one, other)));
        for (one, other) in pairs {
            assert!(!one.starts_with(other) && !other.starts_with(one));
        }
    }

    #[test]
    fn a_signature_holds_in_its_own_domain_only() {
        let key = SigningKey::from_bytes(&[7; 32]);
        let public = key.verifying_key().to_bytes();
        for signed in DOMAINS {
            let signature = sign(&key, &[signed, b"body"].concat());
            for asked in DOMAINS {
                let held = verify(&public, &[asked, b"body"].concat(), &signature).is_ok();
                assert_eq!(held, asked == signed);
            }
        }
    }

    #[test]
    fn same_compares_every_byte_and_the_length() {
        assert!(same(b"abc", b"abc"));
        assert!(!same(b"abc", b"abd") && !same(b"abc", b"bbc") && !same(b"abc", b"ab"));
        assert!(same(b"", b""));
    }
}
