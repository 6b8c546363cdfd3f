//! Tickets, receipts and runs: what was signed opens again, and nothing else does.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use async_identity::*;

fn server() -> ServerKey {
    ServerKey::from_seed([1; 32])
}

fn player() -> PlayerKey {
    PlayerKey::from_seed([2; 32])
}

fn ring() -> KeyRing {
    KeyRing::new(server().public()).unwrap()
}

fn ticket() -> Ticket {
    Ticket {
        version: TICKET_VERSION,
        key_id: server().key_id(),
        app: "kite".to_owned(),
        player: player().player(),
        board: "daily-2026-11-30".to_owned(),
        ruleset: [3; 16],
        opponent: Some([4; 16]),
        seed: SEED_MAX,
        attempt: 2,
        issued_ms: 1_000,
        expires_ms: 2_000,
        nonce: [5; 16],
    }
}

fn receipt() -> Receipt {
    Receipt {
        key_id: server().key_id(),
        app: "kite".to_owned(),
        run: [6; 16],
        player: player().player(),
        board: "alltime".to_owned(),
        ruleset: [3; 16],
        status: "verified".to_owned(),
        score: -7,
        rank: 12,
        rank_at_ms: 3_000,
    }
}

/// Every single-bit change, every cut and one byte more.
fn damaged(bytes: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    let flips = (0..bytes.len() * 8).map(|bit| {
        let mut copy = bytes.to_vec();
        copy[bit / 8] ^= 1 << (bit % 8);
        copy
    });
    let cuts = (0..bytes.len()).map(|length| bytes[..length].to_vec());
    flips.chain(cuts).chain([[bytes, &[0]].concat()])
}

fn used<'a>(ticket: &'a Ticket) -> TicketUse<'a> {
    TicketUse {
        app: &ticket.app,
        player: &ticket.player,
        board: &ticket.board,
        ruleset: &ticket.ruleset,
        opponent: ticket.opponent.as_ref(),
        seed: ticket.seed,
    }
}

#[test]
fn tickets_come_back() {
    let plain = Ticket {
        opponent: None,
        app: String::new(),
        ..ticket()
    };
    let longest = Ticket {
        app: "a".repeat(64),
        board: "b".repeat(64),
        ..ticket()
    };
    for ticket in [ticket(), plain, longest] {
        let bytes = ticket.sign(&server()).unwrap();
        assert!(bytes.len() <= TICKET_BYTES_MAX);
        assert_eq!(Ticket::open(&bytes, &ring()).as_ref(), Ok(&ticket));
        assert_eq!(Ticket::peek(&bytes), Ok(ticket));
    }
    let longest = Ticket {
        app: "a".repeat(64),
        board: "b".repeat(64),
        ..ticket()
    };
    assert_eq!(longest.sign(&server()).unwrap().len(), TICKET_BYTES_MAX);
}

#[test]
fn receipts_come_back() {
    let longest = Receipt {
        app: "a".repeat(64),
        board: "b".repeat(64),
        status: "s".repeat(STATUS_BYTES_MAX),
        ..receipt()
    };
    for receipt in [receipt(), longest.clone()] {
        let bytes = receipt.sign(&server()).unwrap();
        assert_eq!(Receipt::open(&bytes, &ring()).as_ref(), Ok(&receipt));
        assert_eq!(Receipt::peek(&bytes), Ok(receipt));
    }
    assert_eq!(longest.sign(&server()).unwrap().len(), RECEIPT_BYTES_MAX);
}

#[test]
fn the_signer_is_written_whatever_the_field_says() {
    let claimed = Ticket {
        key_id: [9; 8],
        version: 77,
        ..ticket()
    };
    assert_eq!(
        Ticket::open(&claimed.sign(&server()).unwrap(), &ring()),
        Ok(ticket())
    );
    let claimed = Receipt {
        key_id: [9; 8],
        ..receipt()
    };
    assert_eq!(
        Receipt::open(&claimed.sign(&server()).unwrap(), &ring()),
        Ok(receipt())
    );
}

#[test]
fn a_changed_ticket_is_refused_whatever_bit_it_is() {
    for bytes in damaged(&ticket().sign(&server()).unwrap()) {
        let code = Ticket::open(&bytes, &ring()).map_err(|error| error.code());
        assert!(
            matches!(code, Err("bad_ticket" | "unknown_version" | "unknown_key")),
            "{code:?}"
        );
    }
}

#[test]
fn a_changed_receipt_is_refused_whatever_bit_it_is() {
    for bytes in damaged(&receipt().sign(&server()).unwrap()) {
        let code = Receipt::open(&bytes, &ring()).map_err(|error| error.code());
        assert!(
            matches!(code, Err("bad_receipt" | "unknown_version" | "unknown_key")),
            "{code:?}"
        );
    }
}

#[test]
fn a_changed_run_signature_is_refused_whatever_bit_it_is() {
    let (hash, player) = ([8; 32], player());
    let signature = player.sign_run(&hash);
    assert_eq!(verify_run(&player.player(), &hash, &signature), Ok(()));
    for bit in 0..512 {
        let mut copy = signature;
        copy[bit / 8] ^= 1 << (bit % 8);
        assert_eq!(
            verify_run(&player.player(), &hash, &copy),
            Err(Error::BadSignature)
        );
    }
    for bit in 0..256 {
        let mut copy = hash;
        copy[bit / 8] ^= 1 << (bit % 8);
        assert_eq!(
            verify_run(&player.player(), &copy, &signature),
            Err(Error::BadSignature)
        );
        let mut other = player.player();
        other[bit / 8] ^= 1 << (bit % 8);
        assert!(verify_run(&other, &hash, &signature).is_err());
    }
}

#[test]
fn case_m1_a_key_found_in_a_client_signs_for_that_client_only() {
    // Whatever secret a player digs out of a client, it is that player's own key: it makes neither
    // another player's run nor any word of the server's.
    let thief = PlayerKey::from_seed([10; 32]);
    let hash = [8; 32];
    let signature = thief.sign_run(&hash);
    assert_eq!(
        verify_run(&player().player(), &hash, &signature),
        Err(Error::BadSignature)
    );
    let as_server = ServerKey::from_seed(thief.seed());
    assert_eq!(
        Ticket::open(&ticket().sign(&as_server).unwrap(), &ring()),
        Err(Error::UnknownKey)
    );
    let mut forged = ticket().sign(&as_server).unwrap();
    forged[1..9].copy_from_slice(&server().key_id());
    assert_eq!(
        Ticket::open(&forged, &ring()).map_err(|e| e.code()),
        Err("bad_ticket")
    );
}

#[test]
fn one_kind_of_statement_is_never_another() {
    // One key in every role, so that only the domain tells the statements apart.
    let (player, server) = (PlayerKey::from_seed([1; 32]), server());
    assert_eq!(player.player(), server.public());
    let call = Call {
        server: &server.server_id(),
        app: "kite",
        method: "POST",
        path_and_query: "/api/v1/async/tickets",
        body: b"{}",
        nonce: &[0; NONCE_BYTES],
    };
    let run_signature = player.sign_run(&[8; 32]);
    let call_signature = player.sign_call(&call).unwrap();
    assert!(verify_call(&player.player(), &call, &run_signature).is_err());
    assert!(verify_run(&player.player(), &[8; 32], &call_signature).is_err());
    for signature in [run_signature, call_signature] {
        let mut bytes = ticket().sign(&server).unwrap();
        let body = bytes.len() - SIGNATURE_BYTES;
        bytes[body..].copy_from_slice(&signature);
        assert!(Ticket::open(&bytes, &ring()).is_err());
    }
    assert!(Receipt::open(&ticket().sign(&server).unwrap(), &ring()).is_err());
    assert!(Ticket::open(&receipt().sign(&server).unwrap(), &ring()).is_err());
}

#[test]
fn a_ticket_is_for_one_use_only() {
    let (ticket, other) = (ticket(), ticket());
    let fits = used(&other);
    assert_eq!(ticket.check_for(&fits), Ok(()));
    let refused = |used: TicketUse<'_>| ticket.check_for(&used).map_err(|error| error.code());
    assert_eq!(
        refused(TicketUse { app: "kit", ..fits }),
        Err("ticket_wrong_app")
    );
    assert_eq!(
        refused(TicketUse {
            player: &[9; 32],
            ..fits
        }),
        Err("ticket_wrong_player")
    );
    assert_eq!(
        refused(TicketUse {
            board: "alltime",
            ..fits
        }),
        Err("ticket_wrong_board")
    );
    assert_eq!(
        refused(TicketUse {
            ruleset: &[9; 16],
            ..fits
        }),
        Err("ticket_wrong_ruleset")
    );
    assert_eq!(
        refused(TicketUse {
            opponent: None,
            ..fits
        }),
        Err("ticket_wrong_opponent")
    );
    let run = [9; 16];
    assert_eq!(
        refused(TicketUse {
            opponent: Some(&run),
            ..fits
        }),
        Err("ticket_wrong_opponent")
    );
    assert_eq!(
        refused(TicketUse { seed: 1, ..fits }),
        Err("ticket_wrong_seed")
    );
}

#[test]
fn case_d3_a_ticket_has_a_first_and_a_last_moment() {
    let ticket = ticket();
    assert_eq!(ticket.check_time(999), Err(Error::TicketEarly));
    assert_eq!(ticket.check_time(1_000), Ok(()));
    assert_eq!(ticket.check_time(2_000), Ok(()));
    assert_eq!(ticket.check_time(2_001), Err(Error::TicketExpired));
}

#[test]
fn what_cannot_be_read_is_not_written() {
    let wrong = [
        Ticket {
            app: "a".repeat(65),
            ..ticket()
        },
        Ticket {
            board: "b".repeat(65),
            ..ticket()
        },
        Ticket {
            seed: SEED_MAX + 1,
            ..ticket()
        },
        Ticket {
            issued_ms: 2_001,
            ..ticket()
        },
    ];
    for ticket in wrong {
        assert_eq!(
            ticket.sign(&server()).map_err(|e| e.code()),
            Err("bad_field")
        );
    }
    let wrong = Receipt {
        status: "s".repeat(STATUS_BYTES_MAX + 1),
        ..receipt()
    };
    assert_eq!(
        wrong.sign(&server()).map_err(|e| e.code()),
        Err("bad_field")
    );
}

#[test]
fn statements_of_an_old_key_hold_after_a_rotation() {
    let new = ServerKey::from_seed([11; 32]);
    let mut ring = KeyRing::new(new.public()).unwrap();
    let bytes = ticket().sign(&server()).unwrap();
    assert_eq!(Ticket::open(&bytes, &ring), Err(Error::UnknownKey));
    ring.add_old(server().public()).unwrap();
    ring.add_old(server().public()).unwrap();
    assert_eq!(Ticket::open(&bytes, &ring), Ok(ticket()));
    assert_eq!(ring.keys().count(), 2);
    assert_eq!(ring.keys().next(), Some((&new.key_id(), &new.public())));
    assert_eq!(ring.current(), &new.public());
}

#[test]
fn a_ring_is_bounded() {
    let mut ring = ring();
    for index in 1..KEYS_MAX {
        let seed = [u8::try_from(index).unwrap().wrapping_add(100); 32];
        ring.add_old(ServerKey::from_seed(seed).public()).unwrap();
    }
    let one_more = ServerKey::from_seed([99; 32]).public();
    assert_eq!(ring.add_old(one_more), Err(Error::KeyRing));
    assert_eq!(ring.add_old([0; 32]), Err(Error::BadKey));
}
