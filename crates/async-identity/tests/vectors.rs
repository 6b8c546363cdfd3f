//! Known answers: the committed vectors of `PROTOCOL.md`, which other implementations share.
//!
//! `GF_BLESS=1 cargo test -p async-identity --test vectors` rewrites the file; a change in it means
//! that statements of before no longer hold, so it comes with a new version of the statement.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use async_identity::*;
use data_encoding::HEXLOWER;

const FILE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../tests/vectors/identity.txt"
);

/// One line a vector: a name, a space, and hex or text.
fn vectors() -> String {
    let (player, server) = (
        PlayerKey::from_seed(counting(0)),
        ServerKey::from_seed(counting(32)),
    );
    let nonce = CallNonce::issue(&counting(64), 1_790_000_000_000, [1, 2, 3, 4, 5, 6, 7, 8]);
    let call = Call {
        server: &server.server_id(),
        app: "kite",
        method: "POST",
        path_and_query: "/api/v1/async/tickets",
        body: b"{\"board\":\"alltime\",\"build\":\"1.0\"}",
        nonce: &nonce,
    };
    let lines = [
        ("player_seed", hex(&player.seed())),
        ("player", hex(&player.player())),
        ("player_key_text", player.export()),
        ("server_seed", hex(&counting(32))),
        ("server_public", hex(&server.public())),
        ("server_key_id", hex(&server.key_id())),
        ("server_id", server.server_id()),
        ("run_full_hash", hex(&counting(96))),
        ("run_signature", hex(&player.sign_run(&counting(96)))),
        ("ticket", hex(&ticket(&player, None).sign(&server).unwrap())),
        (
            "ticket_opponent",
            hex(&ticket(&player, Some([0xee; 16])).sign(&server).unwrap()),
        ),
        ("receipt", hex(&receipt(&player).sign(&server).unwrap())),
        ("nonce_secret", hex(&counting(64))),
        ("nonce", hex(&nonce)),
        ("call_body", hex(call.body)),
        ("call_signature", hex(&player.sign_call(&call).unwrap())),
        ("seed_secret", hex(&counting(128))),
        (
            "attempt_seed",
            attempt_seed(&counting(128), "alltime", &player.player(), 3).to_string(),
        ),
        (
            "daily_seed",
            daily_seed(&counting(128), "daily-2026-11-30").to_string(),
        ),
    ];
    lines
        .iter()
        .map(|(name, value)| format!("{name} {value}\n"))
        .collect()
}

/// 32 bytes that count up from `first`.
fn counting(first: u8) -> [u8; 32] {
    core::array::from_fn(|index| first + u8::try_from(index).unwrap())
}

fn hex(bytes: &[u8]) -> String {
    HEXLOWER.encode(bytes)
}

fn ticket(player: &PlayerKey, opponent: Option<[u8; 16]>) -> Ticket {
    Ticket {
        version: TICKET_VERSION,
        key_id: [0; 8],
        app: "kite".to_owned(),
        player: player.player(),
        board: "alltime".to_owned(),
        ruleset: [0xaa; 16],
        opponent,
        seed: 9_007_199_254_740_991,
        attempt: 3,
        issued_ms: 1_790_000_000_000,
        expires_ms: 1_790_000_600_000,
        nonce: [0xbb; 16],
    }
}

fn receipt(player: &PlayerKey) -> Receipt {
    Receipt {
        key_id: [0; 8],
        app: "kite".to_owned(),
        run: [0xcc; 16],
        player: player.player(),
        board: "alltime".to_owned(),
        ruleset: [0xaa; 16],
        status: "verified".to_owned(),
        score: -42,
        rank: 7,
        rank_at_ms: 1_790_000_700_000,
    }
}

#[test]
fn statements_are_what_they_always_were() {
    if std::env::var_os("GF_BLESS").is_some() {
        std::fs::write(FILE, vectors()).unwrap();
    }
    assert_eq!(vectors(), std::fs::read_to_string(FILE).unwrap());
}
