//! Requests over a scripted network: what is sent, and what comes of faults on the way.

use async_client::HttpRequest;
use data_encoding::BASE64;
use serde_json::{Value, json};

use crate::host::{Host, Network, Reaction, accepted, run_of};

fn refused(code: &str) -> Value {
    json!({"error": "no", "code": code, "details": null})
}

fn submitting(network: impl FnMut(&HttpRequest) -> Reaction + 'static) -> Host {
    let mut host = Host::new(json!({"clock": "host"}));
    host.network = Box::new(network);
    host.record(60, 1);
    host.call("submit", json!({}));
    host
}

#[test]
fn a_submit_is_told_once_with_its_receipt() {
    let mut host = submitting(|request| Reaction::Answer(200, accepted(&run_of(request), false)));
    host.wait(1_000.0);
    let told = host.told("net.async.submitted");
    assert_eq!(told.len(), 1);
    assert_eq!(
        (&told[0]["ok"], &told[0]["rank"]),
        (&json!(true), &json!(1))
    );
    assert_eq!(host.requests.len(), 1);
    let request = &host.requests[0];
    assert_eq!(
        (request.method, request.url.as_str()),
        ("POST", "http://server/api/v1/async/runs")
    );
    assert!(!host.files.contains_key("outbox"));
}

#[test]
fn a_refusal_of_the_run_is_final_and_told_once() {
    let mut host = submitting(|_| Reaction::Answer(409, refused("duplicate_run")));
    host.wait(1_000.0);
    let told = host.told("net.async.submitted");
    assert_eq!(
        (told.len(), &told[0]["ok"], &told[0]["code"]),
        (1, &json!(false), &json!("duplicate_run"))
    );
    assert_eq!(host.requests.len(), 1);
    assert!(!host.files.contains_key("outbox"));
}

#[test]
fn a_busy_server_is_waited_for_as_long_as_it_asks() {
    let mut busy = true;
    let mut host = submitting(move |request| {
        if std::mem::take(&mut busy) {
            Reaction::Later(503, refused("busy"), 20)
        } else {
            Reaction::Answer(200, accepted(&run_of(request), false))
        }
    });
    assert_eq!(host.told("net.async.failed")[0]["retry_ms"], 20_000);
    host.wait(19.9);
    assert_eq!(host.requests.len(), 1);
    host.wait(0.2);
    assert_eq!(host.requests.len(), 2);
    assert_eq!(host.told("net.async.submitted").len(), 1);
}

#[test]
fn nonsense_on_the_way_is_never_taken_for_an_answer() {
    for (status, body) in [
        (200, json!("<html>please log in</html>")),
        (302, json!(null)),
        (404, json!("not here")),
        (200, accepted(&"0".repeat(32), false)),
        (500, json!({"ok": true})),
    ] {
        let answer = body.clone();
        let mut host = submitting(move |_| Reaction::Answer(status, answer.clone()));
        host.wait(1.0);
        assert!(
            host.told("net.async.submitted").is_empty(),
            "{status} {body}"
        );
        assert!(host.files.contains_key("outbox"), "{status} {body}");
        assert!(host.told("net.async.failed")[0]["retry_ms"].is_u64());
    }
}

#[test]
fn a_wrong_key_does_not_cost_the_run() {
    let mut host = submitting(|_| Reaction::Answer(401, refused("bad_api_key")));
    assert_eq!(host.told("net.async.failed")[0]["code"], "bad_api_key");
    assert!(host.files.contains_key("outbox"));
    host.wait(400.0);
    assert_eq!(host.requests.len(), 2);
}

#[test]
fn a_pending_run_is_asked_about_until_it_is_decided() {
    let mut host = submitting(|request| {
        let run = if request.method == "POST" {
            run_of(request)
        } else {
            request.url.rsplit('/').nth(1).unwrap().to_owned()
        };
        let mut answer = accepted(&run, false);
        if request.method == "POST" {
            answer["status"] = json!("pending");
            answer["stored"] = json!("pending");
        }
        Reaction::Answer(if request.method == "POST" { 202 } else { 200 }, answer)
    });
    assert!(host.told("net.async.submitted").is_empty());
    host.wait(6.0);
    assert!(host.requests[1].url.ends_with("/status"));
    assert_eq!(host.told("net.async.submitted").len(), 1);
    host.wait(100.0);
    assert_eq!(host.requests.len(), 2);
}

#[test]
fn without_a_server_submits_wait_and_the_rest_says_so() {
    let mut host = Host::new(json!({"clock": "host", "apiUrl": ""}));
    host.record(60, 1);
    assert_eq!(host.call("submit", json!({}))["ok"], true);
    host.wait(100.0);
    assert_eq!(host.told("net.async.queued").len(), 1);
    assert_eq!(host.call("outbox", json!({}))["runs"][0]["state"], "queued");
    for (method, args) in [
        ("daily", json!({})),
        ("board", json!({})),
        ("fetch", json!({"pick": "top"})),
        ("ticket", json!({})),
    ] {
        assert_eq!(host.call(method, args)["code"], "no_server", "{method}");
    }
}

#[test]
fn a_failed_request_is_told_once_and_is_final() {
    let mut host = Host::new(json!({}));
    let asked = host.call("daily", json!({}));
    host.wait(1_000.0);
    let failed = host.told("net.async.failed");
    assert_eq!(failed.len(), 1);
    assert_eq!(
        (&failed[0]["request"], &failed[0]["code"]),
        (&asked["request"], &json!("unreachable"))
    );
    assert!(failed[0].get("retry_ms").is_none());
    host.network = Box::new(|_| Reaction::Silence);
    for _ in 0..64 {
        assert_eq!(host.call("daily", json!({}))["ok"], true);
    }
    assert_eq!(host.call("daily", json!({}))["code"], "busy");
    host.wait(1_000.0);
    assert_eq!(host.told("net.async.failed").len(), 65, "each one ends");
}

/// A server of this id that gives tickets.
fn tickets_of(server: &'static str) -> Network {
    Box::new(move |request| {
        let nonce = json!({"nonce": "ab".repeat(32), "server": server, "app": "test",
                           "lifetime_ms": 1, "server_ms": 1});
        let ticket = json!({"ticket": BASE64.encode(b"t"), "board": "field", "seed": 5,
                            "attempt": 1, "issued_ms": 1, "expires_ms": 2});
        let wants_nonce = request.url.ends_with("/nonce");
        Reaction::Answer(200, if wants_nonce { nonce } else { ticket })
    })
}

/// Asks for a ticket: its code, or `ok`; and how many signed calls went out.
fn ticket(host: &mut Host) -> (String, usize) {
    host.events.clear();
    host.requests.clear();
    let asked = host.call("ticket", json!({"board": "field"}));
    let failed = host.told("net.async.failed");
    let code = match (asked["code"].as_str(), failed.first()) {
        (Some(code), _) => code,
        (None, Some(failed)) => failed["code"].as_str().unwrap(),
        (None, None) => "ok",
    };
    let signed = |request: &&HttpRequest| {
        let mut names = request.headers.iter().map(|(name, _)| name);
        names.any(|name| name == "x-signature")
    };
    (code.to_owned(), host.requests.iter().filter(signed).count())
}

#[test]
fn nothing_is_signed_for_another_server_than_the_first() {
    let mut host = Host::new(json!({}));
    host.network = tickets_of("s1");
    assert_eq!(ticket(&mut host), ("ok".into(), 1));
    assert_eq!(ticket(&mut host), ("ok".into(), 1));
    host.network = tickets_of("s2");
    assert_eq!(ticket(&mut host), ("wrong_server".into(), 0));
    let msg = &host.told("net.async.failed")[0]["msg"];
    assert!(
        msg.as_str().unwrap().contains("\"s2\", not \"s1\""),
        "{msg}"
    );
    // A restart does not forget it; a server at another URL is another server.
    let mut host = Host::with_files(json!({}), host.crash());
    host.network = tickets_of("s2");
    assert_eq!(ticket(&mut host), ("wrong_server".into(), 0));
    let elsewhere = json!({"apiUrl": "http://other/api/v1/async"});
    let mut other = Host::with_files(elsewhere, host.files.clone());
    other.network = tickets_of("s2");
    assert_eq!(ticket(&mut other), ("ok".into(), 1));
    host.network = tickets_of("s1");
    assert_eq!(ticket(&mut host), ("ok".into(), 1));
    // The host resets it.
    assert_eq!(host.call("forgetServer", json!({}))["ok"], true);
    host.network = tickets_of("s2");
    assert_eq!(ticket(&mut host), ("ok".into(), 1));
    let mut host = Host::with_files(json!({}), host.crash());
    host.network = tickets_of("s1");
    assert_eq!(ticket(&mut host), ("wrong_server".into(), 0));
    let mut offline = Host::new(json!({"apiUrl": ""}));
    assert_eq!(offline.call("forgetServer", json!({}))["code"], "no_server");
}

#[test]
fn a_full_disk_keeps_the_first_server_until_it_is_written() {
    let mut host = Host::new(json!({}));
    host.network = tickets_of("s1");
    host.disk_full = true;
    assert_eq!(ticket(&mut host), ("ok".into(), 1));
    host.network = tickets_of("s2");
    assert_eq!(ticket(&mut host), ("wrong_server".into(), 0));
    host.disk_full = false;
    host.wait(6.0);
    let mut host = Host::with_files(json!({}), host.crash());
    host.network = tickets_of("s2");
    assert_eq!(ticket(&mut host), ("wrong_server".into(), 0));
}

#[test]
fn a_ticket_is_a_signed_call_with_a_fresh_nonce() {
    let mut host = Host::new(json!({"clock": "host"}));
    host.network = tickets_of("s1");
    let asked = host.call("ticket", json!({"board": "field"}));
    let told = host.told("net.async.ticket");
    assert_eq!(
        (&told[0]["request"], &told[0]["seed"]),
        (&asked["request"], &json!(5))
    );
    let call = &host.requests[1];
    let header = |name: &str| {
        call.headers
            .iter()
            .find(|(found, _)| found == name)
            .map(|(_, value)| value.clone())
    };
    let hex = |text: String| data_encoding::HEXLOWER.decode(text.as_bytes()).unwrap();
    let signed = async_identity::Call {
        server: "s1",
        app: "test",
        method: "POST",
        path_and_query: "/api/v1/async/tickets",
        body: &call.body,
        nonce: &[0xab; 32],
    };
    let signature = hex(header("x-signature").unwrap()).try_into().unwrap();
    let player = host.session.player().unwrap();
    async_identity::verify_call(&player.0, &signed, &signature).unwrap();
    assert_eq!(header("x-app").as_deref(), Some("test"));
    assert_eq!(
        host.call("recordStart", json!({"ticket": BASE64.encode(b"t")}))["ok"],
        false
    );
}

#[test]
fn fetched_runs_are_the_ones_asked_for_or_none() {
    let mut author = Host::new(json!({"clock": "host"}));
    let run = author.record(60, 1);
    let bytes = author.session.export(None).unwrap().to_vec();
    let mut host = Host::new(json!({}));
    host.network = Box::new(move |_| Reaction::Bytes(bytes.clone()));
    host.call("fetch", json!({"id": run}));
    let told = host.told("net.async.fetched");
    assert_eq!(
        (&told[0]["runs"][0]["id"], &told[0]["runs"][0]["frames"]),
        (&json!(run), &json!(60))
    );
    assert_eq!(host.call("loadGhost", json!({"run": run}))["ok"], true);
    assert_eq!(
        host.call("submit", json!({"id": run}))["code"],
        "unknown_run"
    );
    host.call("fetch", json!({"id": "0".repeat(32)}));
    assert_eq!(host.told("net.async.failed")[0]["code"], "bad_answer");
}
