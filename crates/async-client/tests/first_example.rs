//! The first example of the kit's reference, with the helpers that it calls.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use async_client::Session;
use serde_json::{Value, json};

const KIT: &str = "net.async";

/// A session of these kits; `entropy` says whether the host has any, or all zeros.
fn session(kits: &[(&str, Value)], entropy: bool) -> Session {
    Session::new(kits, [u8::from(entropy); 32]).unwrap()
}

/// `Session::call`, and beside it `probe.core`, a service of the tests: what the core holds.
fn call(session: &mut Session, service: &str, method: &str, args: Value) -> Value {
    match (service, method) {
        ("probe.core", "sessions") => {
            let sessions = session.connection().into_iter();
            sessions
                .map(|(id, config, state)| json!({"session": id, "config": config, "state": state}))
                .collect()
        }
        _ => session.call(service, method, &args),
    }
}

fn commands(session: &mut Session) -> Vec<Value> {
    session
        .commands()
        .iter()
        .map(async_client::Command::to_json)
        .collect()
}

#[test]
fn a_server_in_the_transport_makes_the_session_connect() {
    let mut s = session(
        &[
            ("net.transport", json!({ "url": "ws://127.0.0.1:9" })),
            (KIT, json!({})),
        ],
        true,
    );
    let sessions = call(&mut s, "probe.core", "sessions", json!([]));
    assert_eq!(sessions[0]["config"]["model"], "async");
    assert_eq!(
        sessions[0]["config"]["transport"]["url"],
        "ws://127.0.0.1:9"
    );
    assert!(commands(&mut s).iter().any(|c| c["c"] == "connect"));
}

#[test]
fn no_server_in_the_transport_means_no_connection() {
    let mut s = session(&[(KIT, json!({}))], true);
    assert_eq!(call(&mut s, "probe.core", "sessions", json!([])), json!([]));
    s.tick(60.0, None);
    assert!(commands(&mut s).iter().all(|c| c["c"] != "connect"));
}
