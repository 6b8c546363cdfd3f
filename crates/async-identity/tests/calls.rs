//! Signed calls and their nonces, and the seeds that the server draws.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use async_identity::*;

const SECRET: [u8; 32] = [1; 32];

fn call<'a>() -> Call<'a> {
    Call {
        server: "0123456789abcdef0123456789abcdef",
        app: "kite",
        method: "POST",
        path_and_query: "/api/v1/async/tickets?x=1",
        body: b"{\"board\":\"b\"}",
        nonce: &[7; NONCE_BYTES],
    }
}

#[test]
fn case_u7_a_call_is_signed_for_exactly_itself() {
    let player = PlayerKey::from_seed([2; 32]);
    let signature = player.sign_call(&call()).unwrap();
    let holds = |call: &Call<'_>| verify_call(&player.player(), call, &signature);
    assert_eq!(holds(&call()), Ok(()));
    let others = [
        Call {
            server: "0123456789abcdef0123456789abcdee",
            ..call()
        },
        Call { app: "", ..call() },
        Call {
            method: "PUT",
            ..call()
        },
        Call {
            path_and_query: "/api/v1/async/tickets?x=2",
            ..call()
        },
        Call {
            path_and_query: "/api/v1/async/tickets",
            ..call()
        },
        Call {
            body: b"{\"board\":\"c\"}",
            ..call()
        },
        Call {
            body: b"",
            ..call()
        },
        Call {
            nonce: &[8; NONCE_BYTES],
            ..call()
        },
        // The same bytes in other fields: the lengths keep them apart.
        Call {
            app: "kit",
            method: "ePOST",
            ..call()
        },
        Call {
            app: "kiteP",
            method: "OST",
            ..call()
        },
    ];
    for other in others {
        assert_eq!(holds(&other), Err(Error::BadSignature), "{other:?}");
    }
    let other = PlayerKey::from_seed([3; 32]).player();
    assert_eq!(
        verify_call(&other, &call(), &signature),
        Err(Error::BadSignature)
    );
}

#[test]
fn oversized_calls_are_refused_by_name() {
    let player = PlayerKey::from_seed([2; 32]);
    let long = "a".repeat(PATH_BYTES_MAX + 1);
    let wrong = [
        (
            Call {
                server: &long[..SERVER_BYTES_MAX + 1],
                ..call()
            },
            "server",
        ),
        (
            Call {
                app: &long[..APP_BYTES_MAX + 1],
                ..call()
            },
            "app",
        ),
        (
            Call {
                method: &long[..METHOD_BYTES_MAX + 1],
                ..call()
            },
            "method",
        ),
        (
            Call {
                path_and_query: &long,
                ..call()
            },
            "path",
        ),
        (
            Call {
                nonce: &[7; NONCE_BYTES - 1],
                ..call()
            },
            "nonce",
        ),
    ];
    for (call, field) in wrong {
        assert_eq!(player.sign_call(&call), Err(Error::BadField(field)));
        assert_eq!(
            verify_call(&player.player(), &call, &[0; 64]),
            Err(Error::BadField(field))
        );
    }
    let longest = Call {
        path_and_query: &long[..PATH_BYTES_MAX],
        ..call()
    };
    let signature = player.sign_call(&longest).unwrap();
    assert_eq!(verify_call(&player.player(), &longest, &signature), Ok(()));
}

#[test]
fn nonces_live_five_minutes() {
    let now = 1_790_000_000_000;
    let nonce = CallNonce::issue(&SECRET, now, [9; 8]);
    let last = now + NONCE_LIFE_MS;
    assert_eq!(CallNonce::check(&SECRET, &nonce, now), Ok(last));
    assert_eq!(CallNonce::check(&SECRET, &nonce, last), Ok(last));
    assert_eq!(
        CallNonce::check(&SECRET, &nonce, last + 1),
        Err(Error::NonceExpired)
    );
    assert_eq!(
        CallNonce::check(&SECRET, &nonce, now - NONCE_LIFE_MS),
        Ok(last)
    );
    assert_eq!(
        CallNonce::check(&SECRET, &nonce, now - NONCE_LIFE_MS - 1),
        Err(Error::NonceExpired)
    );
    let at_the_end = CallNonce::issue(&SECRET, u64::MAX, [9; 8]);
    assert_eq!(
        CallNonce::check(&SECRET, &at_the_end, u64::MAX),
        Ok(u64::MAX)
    );
}

#[test]
fn foreign_and_changed_nonces_are_refused() {
    let nonce = CallNonce::issue(&SECRET, 1_000_000, [9; 8]);
    assert_ne!(nonce, CallNonce::issue(&SECRET, 1_000_000, [10; 8]));
    assert_eq!(
        CallNonce::check(&[2; 32], &nonce, 1_000_000),
        Err(Error::BadNonce)
    );
    for bit in 0..NONCE_BYTES * 8 {
        let mut copy = nonce;
        copy[bit / 8] ^= 1 << (bit % 8);
        assert_eq!(
            CallNonce::check(&SECRET, &copy, 1_000_000),
            Err(Error::BadNonce)
        );
    }
    for length in 0..NONCE_BYTES {
        assert_eq!(
            CallNonce::check(&SECRET, &nonce[..length], 1_000_000),
            Err(Error::BadNonce)
        );
    }
}

#[test]
fn case_d8_drawing_again_gives_the_same_seed() {
    let (one, other) = ([1; 32], [2; 32]);
    let seed = attempt_seed(&SECRET, "board", &one, 1);
    assert_eq!(attempt_seed(&SECRET, "board", &one, 1), seed);
    let others = [
        attempt_seed(&SECRET, "board", &one, 2),
        attempt_seed(&SECRET, "board", &other, 1),
        attempt_seed(&SECRET, "boarc", &one, 1),
        attempt_seed(&[2; 32], "board", &one, 1),
        daily_seed(&SECRET, "board"),
    ];
    assert!(others.iter().all(|other| *other != seed));
    assert_ne!(
        daily_seed(&SECRET, "daily-2026-11-30"),
        daily_seed(&SECRET, "daily-2026-12-01")
    );
}

#[test]
fn seeds_use_all_their_53_bits_and_no_more() {
    let (mut any, mut all) = (0, SEED_MAX);
    for attempt in 0..200 {
        let seed = attempt_seed(&SECRET, "board", &[0; 32], attempt);
        assert!(seed <= SEED_MAX);
        any |= seed;
        all &= seed;
    }
    assert_eq!((any, all), (SEED_MAX, 0));
}
