//! Random bytes into every opener: an answer, never a panic, and never a statement.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use async_identity::*;
use proptest::prelude::*;

fn ring() -> KeyRing {
    KeyRing::new(ServerKey::from_seed([1; 32]).public()).unwrap()
}

/// Bytes that start like a statement of this server, so that the fields behind are reached.
fn nearly(bytes: &[u8]) -> Vec<u8> {
    [&[1][..], &ServerKey::from_seed([1; 32]).key_id(), bytes].concat()
}

proptest! {
    #[test]
    fn openers_take_any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..500)) {
        for bytes in [bytes.clone(), nearly(&bytes)] {
            prop_assert!(Ticket::open(&bytes, &ring()).is_err());
            prop_assert!(Receipt::open(&bytes, &ring()).is_err());
            let _ = (Ticket::peek(&bytes), Receipt::peek(&bytes));
        }
        prop_assert!(CallNonce::check(&[1; 32], &bytes, 0).is_err());
    }

    #[test]
    fn verifiers_take_any_bytes(
        player in any::<[u8; 32]>(),
        hash in any::<[u8; 32]>(),
        signature in any::<([u8; 32], [u8; 32])>(),
    ) {
        let signature: Vec<u8> = [signature.0, signature.1].concat();
        let signature: [u8; 64] = signature.try_into().unwrap();
        prop_assert!(verify_run(&player, &hash, &signature).is_err());
        let _ = check_player(&player);
    }

    #[test]
    fn key_texts_take_any_text(text in any::<String>()) {
        prop_assert!(PlayerKey::import(&text).is_err());
        let text = format!("gfkey1-{text}");
        prop_assert!(PlayerKey::import(&text).is_err());
    }

    #[test]
    fn key_texts_come_back(seed in any::<[u8; 32]>()) {
        let text = PlayerKey::from_seed(seed).export();
        prop_assert_eq!(PlayerKey::import(&text).unwrap().seed(), seed);
    }

    #[test]
    fn tickets_of_any_content_come_back(
        (app, board) in ("[a-z]{0,64}", "\\PC{0,16}"),
        (player, ruleset) in any::<([u8; 32], [u8; 16])>(),
        opponent in any::<Option<[u8; 16]>>(),
        (seed, attempt) in (0..=SEED_MAX, any::<u32>()),
        (issued_ms, life_ms) in any::<(u32, u32)>(),
        nonce in any::<[u8; 16]>(),
    ) {
        let server = ServerKey::from_seed([1; 32]);
        let issued_ms = u64::from(issued_ms);
        let ticket = Ticket {
            version: TICKET_VERSION, key_id: server.key_id(), app, player, board, ruleset, opponent,
            seed, attempt, issued_ms, expires_ms: issued_ms + u64::from(life_ms), nonce,
        };
        let bytes = ticket.sign(&server).unwrap();
        prop_assert_eq!(Ticket::open(&bytes, &ring()), Ok(ticket));
    }
}
