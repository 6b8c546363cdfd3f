//! Bad requests: a stable code, the right status, nothing stored, nothing broken.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod site;

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use async_protocol::codes::lookup;
use proptest::prelude::*;
use serde_json::json;
use site::recordings::{
    arena, changed, collect, engine_with, id, key, open, play, player, unfinished, with_chunk,
};
use site::{BASE, Reply, Site};

/// Checks an error: its code, and the status that the registry has for it.
fn check(reply: &Reply, code: &str, what: &str) {
    assert_eq!(reply.code(), code, "{what}");
    assert_eq!(reply.status, lookup(code).unwrap().status, "{what}");
    assert_eq!(reply.header("content-type"), "application/json", "{what}");
    let retry = reply.header("retry-after");
    assert_eq!(
        !retry.is_empty(),
        matches!(reply.status, 429 | 503),
        "{what}"
    );
}

#[test]
#[allow(clippy::too_many_lines, reason = "it is a table")]
fn bodies_that_are_no_good_run() {
    let site = Site::new();
    let run = arena(1, "sprint", 1);
    let mut trailing = run.clone();
    trailing.push(0);
    let mut flipped = run.clone();
    let middle = run.len() / 2;
    flipped[middle] ^= 4;
    let signed = |change: fn(&mut async_replay::Run)| changed(&run, Some(1), change);
    let header = |change: fn(&mut async_replay::Run)| changed(&run, None, change);
    let cases: Vec<(&str, Vec<u8>, &str)> = vec![
        ("empty", Vec::new(), "truncated"),
        ("text", b"{\"score\": 5}".to_vec(), "not_a_run"),
        ("foreign", b"INP1 and more".to_vec(), "not_a_run"),
        ("cut", run[..run.len() - 1].to_vec(), "truncated"),
        ("trailing", trailing, "trailing"),
        ("unfinished", unfinished(1, "sprint"), "unfinished"),
        ("an unknown chunk", with_chunk(&run, 0x81), "unknown_chunks"),
        (
            "a critical chunk",
            with_chunk(&run, 0x20),
            "unknown_critical",
        ),
        ("flipped", flipped, "damaged"),
        (
            "another board",
            header(|run| run.header.board = "other".to_owned()),
            "bad_signature",
        ),
        (
            "another name",
            header(|run| run.header.player_name = "Eve".to_owned()),
            "bad_signature",
        ),
        (
            "another app",
            header(|run| run.header.app = "other".to_owned()),
            "bad_signature",
        ),
        (
            "another seed",
            header(|run| run.header.seed += 1),
            "diverged",
        ),
        (
            "no player",
            header(|run| run.header.player = None),
            "bad_signature",
        ),
        (
            "a claim",
            signed(|run| run.end.score += 1),
            "score_mismatch",
        ),
        (
            "a cut end",
            signed(|run| {
                run.inputs.truncate(500);
                run.checkpoints.clear();
                run.end.frames = 500;
            }),
            "diverged",
        ),
        (
            "no board",
            signed(|run| run.header.board = String::new()),
            "bad_board",
        ),
        (
            "a bad board",
            signed(|run| run.header.board = "../up".to_owned()),
            "bad_board",
        ),
        (
            "no such game",
            signed(|run| run.header.game = "chess".to_owned()),
            "unknown_game",
        ),
        (
            "no such revision",
            signed(|run| run.header.revision = 99),
            "unknown_revision",
        ),
        (
            "a made-up ticket",
            signed(|run| run.header.ticket = Some(vec![1; 90])),
            "bad_ticket",
        ),
        (
            "another schema",
            signed(|run| {
                let schema = run.header.inputs.as_mut().unwrap();
                schema.buttons.push("turbo".to_owned());
            }),
            "wrong_schema",
        ),
    ];
    for (what, body, code) in cases {
        let reply = site.submit(&body);
        check(&reply, code, what);
    }
    assert_eq!(site.kept(), 0);
    assert_eq!(site.total("sprint"), 0);
    site.submit(&run).good();
}

#[test]
#[allow(clippy::too_many_lines, reason = "it is a table")]
fn paths_methods_and_queries() {
    let site = Site::new();
    let run = arena(1, "sprint", 1);
    site.submit(&run).good();
    let gone = "00".repeat(16);
    let (id, player) = (id(&run), player(1));
    let cursor = "ff".repeat(17);
    for (path, code) in [
        ("/", "not_found"),
        ("/api", "not_found"),
        ("/api/v1/async", "not_found"),
        ("/api/v2/async/limits", "not_found"),
        ("/api/v1/async/boards", "not_found"),
        ("/api/v1/async/boards/", "not_found"),
        ("/api/v1/async/boards/a/b", "not_found"),
        ("/api/v1/async/boards/%2e%2e", "bad_board"),
        ("/api/v1/async/boards/-a", "bad_board"),
        ("/api/v1/async/boards/daily-2020-13-01", "bad_day"),
        ("/api/v1/async/boards/sprint?rows=-1", "bad_query"),
        ("/api/v1/async/boards/sprint?rows=1.5", "bad_query"),
        (
            "/api/v1/async/boards/sprint?rows=18446744073709551616",
            "bad_query",
        ),
        ("/api/v1/async/boards/sprint?rows=5&rows=5", "bad_query"),
        ("/api/v1/async/boards/sprint?row=5", "bad_query"),
        ("/api/v1/async/boards/sprint?period=hourly", "bad_query"),
        ("/api/v1/async/boards/sprint?around=maybe", "bad_query"),
        ("/api/v1/async/boards/sprint?around=true", "bad_query"),
        ("/api/v1/async/boards/sprint?would=%00", "bad_query"),
        ("/api/v1/async/boards/sprint?would=%f", "bad_query"),
        ("/api/v1/async/boards/sprint?player=me", "bad_id"),
        ("/api/v1/async/boards/sprint?cursor=zz", "bad_cursor"),
        (
            &format!("/api/v1/async/boards/sprint?cursor={cursor}"),
            "bad_cursor",
        ),
        (
            &format!(
                "/api/v1/async/boards/sprint?player={}",
                player.to_uppercase()
            ),
            "bad_id",
        ),
        (
            &format!("/api/v1/async/boards/sprint?app={}", "a".repeat(65)),
            "bad_app",
        ),
        ("/api/v1/async/runs?cursor=-1", "bad_cursor"),
        ("/api/v1/async/runs?board=a%20b", "bad_board"),
        ("/api/v1/async/runs?limit=3", "bad_query"),
        ("/api/v1/async/runs/1", "bad_id"),
        (&format!("/api/v1/async/runs/{gone}"), "unknown_run"),
        (&format!("/api/v1/async/runs/{gone}/info"), "unknown_run"),
        (&format!("/api/v1/async/runs/{gone}/status"), "unknown_run"),
        (&format!("/api/v1/async/runs/{id}/more"), "not_found"),
        (&format!("/api/v1/async/runs/{id}?app=other"), "unknown_run"),
        (
            &format!("/api/v1/async/runs/{}", id.to_uppercase()),
            "bad_id",
        ),
        ("/api/v1/async/limits?x=1", "bad_query"),
        ("/api/v1/async/tickets", "method_not_allowed"),
        ("/api/v1/async/nonce", "method_not_allowed"),
    ] {
        check(&site.get(path), code, path);
    }
    for path in ["/boards/sprint", "/daily", "/limits", "/keys"] {
        check(
            &site.post(&format!("{BASE}{path}"), b"{}"),
            "method_not_allowed",
            path,
        );
    }
    check(
        &site.post(&format!("{BASE}/runs?x=1"), &run),
        "bad_query",
        "runs?x=1",
    );
    assert_eq!(site.kept(), 1);
}

#[test]
fn tickets_want_a_signed_call_of_the_right_json() {
    let site = Site::with("[[boards]]\nboard = \"old\"");
    let path = format!("{BASE}/tickets");
    let good = json!({"board": "kart", "build": "1", "ruleset": "00".repeat(16)}).to_string();
    check(
        &site.post(&path, good.as_bytes()),
        "unsigned_call",
        "no headers",
    );
    let signed = |body: &str| site.signed_post(&key(1), "", &path, body);
    for (body, code) in [
        ("", "bad_body"),
        ("{", "bad_body"),
        ("[]", "bad_body"),
        ("{\"board\":\"kart\"}", "bad_body"),
        ("{\"board\":\"kart\",\"build\":1}", "bad_body"),
        (
            "{\"board\":\"kart\",\"build\":\"1\",\"seed\":5}",
            "bad_body",
        ),
        (
            "{\"board\":\"kart\",\"build\":\"1\",\"ruleset\":\"00\"}",
            "bad_body",
        ),
        ("{\"board\":\"a b\",\"build\":\"1\"}", "bad_board"),
        ("{\"board\":\"kart\",\"build\":\"1\"}", "no_ruleset"),
        ("{\"board\":\"daily-2020-01-01\",\"build\":\"1\"}", "closed"),
        (
            "{\"board\":\"daily-9999-01-01\",\"build\":\"1\"}",
            "not_open",
        ),
    ] {
        check(&signed(body), code, body);
    }
    let opponent = json!({"board": "kart", "build": "1", "ruleset": "00".repeat(16),
        "opponent": "11".repeat(16)});
    check(&signed(&opponent.to_string()), "unknown_run", "opponent");
    check(&signed(&" ".repeat(16_385)), "too_large", "16,385 bytes");
    assert_eq!(signed(&good).status, 200);
}

#[test]
fn a_signed_call_is_good_for_one_call_only() {
    let site = Site::new();
    let path = format!("{BASE}/tickets");
    let body = json!({"board": "kart", "build": "1", "ruleset": "00".repeat(16)}).to_string();
    let send = |headers: &[(&'static str, String)], body: &str| {
        site.post_with(&path, body.as_bytes(), &site::borrowed(headers))
    };
    let sign = || site.sign(&key(1), "demo", "POST", &path, body.as_bytes());
    let changed = |name: &str, value: &str| {
        let mut headers = sign();
        headers
            .iter_mut()
            .find(|(other, _)| *other == name)
            .unwrap()
            .1 = value.to_owned();
        send(&headers, &body)
    };
    check(&changed("x-app", "other"), "bad_signature", "app");
    check(&changed("x-player", &player(2)), "bad_signature", "player");
    check(&changed("x-player", "me"), "bad_id", "player's form");
    check(&changed("x-nonce", &"00".repeat(32)), "bad_nonce", "nonce");
    check(&changed("x-nonce", "00"), "bad_nonce", "nonce's form");
    check(
        &changed("x-signature", &"00".repeat(64)),
        "bad_signature",
        "signature",
    );
    check(
        &changed("x-signature", "00"),
        "bad_signature",
        "signature's form",
    );
    check(&send(&sign(), &format!("{body} ")), "bad_signature", "body");
    let mut headers = sign();
    headers.retain(|(name, _)| *name != "x-nonce");
    check(&send(&headers, &body), "unsigned_call", "no nonce");
    let headers = sign();
    assert_eq!(send(&headers, &body).status, 200);
    check(&send(&headers, &body), "nonce_used", "again");
}

#[test]
fn configured_apps_want_their_key() {
    let toml = "[[apps]]\nname = \"demo\"\nkeys = [\"key-of-demo\"]";
    let site = Site::with(toml);
    let run = engine_with(1, "kart", 5, |header| header.app = "demo".to_owned());
    let path = format!("{BASE}/runs");
    check(&site.post(&path, &run), "bad_api_key", "no key");
    check(
        &site.post_with(&path, &run, &[("x-api-key", "nope-nope")]),
        "bad_api_key",
        "wrong key",
    );
    let key = ("x-api-key", "key-of-demo");
    check(
        &site.post_with(&path, &run, &[key, ("x-app", "b")]),
        "wrong_app",
        "another name",
    );
    let other = engine_with(1, "kart", 5, |header| header.app = "other".to_owned());
    check(
        &site.post_with(&path, &other, &[key]),
        "wrong_app",
        "another app's run",
    );
    site.post_with(&path, &run, &[key]).good();
    check(&site.api("/boards/kart"), "bad_api_key", "reading");
    assert_eq!(
        site.ask_with(&format!("{BASE}/boards/kart"), &[key]).good()["total"],
        1
    );
    assert_eq!(site.get("/healthz").status, 200, "health needs no key");
}

#[test]
fn apps_do_not_see_each_other() {
    let site = Site::new();
    let run = engine_with(1, "kart", 5, |header| header.app = "a".to_owned());
    site.submit(&run).good();
    let total = |app: &str| site.api(&format!("/boards/kart?app={app}")).good()["total"].clone();
    assert_eq!(
        (total("a"), total("b"), total("")),
        (json!(1), json!(0), json!(0))
    );
    let reply = site.post_with(&format!("{BASE}/runs"), &run, &[("x-app", "b")]);
    check(&reply, "wrong_app", "x-app");
}

/// Sends raw bytes and reads until the server closes, or for `wait`.
fn raw(site: &Site, bytes: &[u8], wait: Duration) -> (String, Duration) {
    let started = Instant::now();
    let mut stream = TcpStream::connect(site.url.trim_start_matches("http://")).unwrap();
    stream.set_read_timeout(Some(wait)).unwrap();
    stream.write_all(bytes).unwrap();
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    (
        String::from_utf8_lossy(&answer).into_owned(),
        started.elapsed(),
    )
}

#[test]
fn a_slow_head_or_body_costs_only_its_own_connection() {
    let site = Site::with("header_timeout_ms = 300\nbody_timeout_ms = 300");
    let wait = Duration::from_secs(5);
    let (_, took) = raw(&site, b"GET /healthz HTTP/1.1\r\nhost: x\r\nx-slow", wait);
    assert!(took < wait, "the head was waited for {took:?}");
    let body = b"POST /api/v1/async/runs HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\nabc";
    let (answer, took) = raw(&site, body, wait);
    assert!(
        answer.starts_with("HTTP/1.1 408") && answer.contains("body_timeout"),
        "{answer}"
    );
    assert!(took < wait);
    let (answer, _) = raw(&site, b"\x16\x03\x01 this is TLS\r\n\r\n", wait);
    assert!(answer.starts_with("HTTP/1.1 400"), "{answer}");
    assert_eq!(site.get("/healthz").status, 200);
}

#[test]
fn who_reads_no_answer_does_not_keep_the_connection() {
    let site = Site::with("max_connections = 1\nbody_timeout_ms = 300\nheader_timeout_ms = 300");
    let mut deaf = TcpStream::connect(site.url.trim_start_matches("http://")).unwrap();
    deaf.set_write_timeout(Some(Duration::from_millis(200)))
        .unwrap();
    let asks = b"GET /api/v1/async/limits HTTP/1.1\r\nhost: x\r\n\r\n".repeat(500);
    // Until the server, too, can send no more.
    while deaf.write_all(&asks).is_ok() {}
    assert_eq!(site.get("/healthz").status, 200);
    drop(deaf);
}

#[test]
fn connections_are_bounded_and_wait_their_turn() {
    let site = Site::with("max_connections = 2\nheader_timeout_ms = 400");
    let address = site.url.trim_start_matches("http://").to_owned();
    let idle: Vec<_> = (0..2)
        .map(|_| TcpStream::connect(&address).unwrap())
        .collect();
    std::thread::sleep(Duration::from_millis(50));
    let started = Instant::now();
    assert_eq!(site.get("/healthz").status, 200);
    assert!(
        started.elapsed() > Duration::from_millis(150),
        "it had to wait for an idle one to end"
    );
    drop(idle);
}

#[test]
fn a_full_queue_says_when_to_come_again_and_then_takes_the_run() {
    let site = Site::with("verify_queue = 1");
    let runs: Vec<Vec<u8>> = (1..=16)
        .map(|number| {
            let mut header = collect(number, "sprint");
            header.options = async_core::Options::default();
            play(header, u64::from(number), number)
        })
        .collect();
    let busy = AtomicUsize::new(0);
    let send = |run: &Vec<u8>| {
        loop {
            let reply = site.submit(run);
            if reply.status == 200 {
                return;
            }
            check(&reply, "busy", "a full queue");
            busy.fetch_add(1, Ordering::SeqCst);
            std::thread::sleep(Duration::from_millis(5));
        }
    };
    std::thread::scope(|scope| {
        for run in &runs {
            scope.spawn(|| send(run));
        }
    });
    assert!(
        busy.load(Ordering::SeqCst) > 0,
        "sixteen at once filled no queue of one"
    );
    assert_eq!(site.total("sprint"), 16);
}

static FUZZED: OnceLock<(Site, Vec<u8>)> = OnceLock::new();

fn fuzzed() -> &'static (Site, Vec<u8>) {
    FUZZED.get_or_init(|| {
        let mut header = collect(1, "fuzzed");
        header.ticket = None;
        (Site::new(), play(header, 3, 1))
    })
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 300,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn a_mutated_file_is_refused_and_never_breaks_anything(
        flips in proptest::collection::vec((any::<prop::sample::Index>(), 1_u8..), 1..6),
        cut in proptest::option::of(any::<prop::sample::Index>()),
        grown in proptest::collection::vec(any::<u8>(), 0..4),
    ) {
        let (site, run) = fuzzed();
        let mut bytes = run.clone();
        for (at, mask) in &flips {
            let at = at.index(bytes.len());
            bytes[at] ^= mask;
        }
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        bytes.extend(grown);
        prop_assume!(&bytes != run);
        let reply = site.submit(&bytes);
        prop_assert!((400..500).contains(&reply.status), "{}: {}", reply.status, reply.code());
        prop_assert!(lookup(&reply.code()).is_some());
        prop_assert_eq!(site.kept(), 0);
    }

    #[test]
    fn a_run_changed_with_every_checksum_right_is_refused(
        frame in any::<prop::sample::Index>(),
        axis in 0_usize..4,
        by in 1_i16..100,
    ) {
        let (site, run) = fuzzed();
        let other = changed(run, None, |run| {
            let frame = frame.index(run.inputs.flat().len());
            let value = &mut run.inputs.flat_mut()[frame].axes[axis];
            *value = if *value > 0 { *value - by.min(*value + 100) } else { *value + by };
        });
        prop_assume!(open(&other).id() != open(run).id());
        let reply = site.submit(&other);
        prop_assert_eq!(reply.code(), "diverged");
        prop_assert_eq!(site.kept(), 0);
    }
}
