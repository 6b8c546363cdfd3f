//! Every endpoint over real HTTP, as a client meets it.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod site;

use async_identity::{KeyRing, Receipt, Ticket};
use async_protocol::wire;
use data_encoding::{BASE64, HEXLOWER};
use serde_json::Value;
use site::recordings::{arena, changed, collect, engine, id, key, play, player};
use site::{BASE, Site};

fn ring(site: &Site) -> KeyRing {
    let keys = site.api("/keys").good();
    let public = keys["keys"][0]["public"].as_str().unwrap();
    KeyRing::new(
        HEXLOWER
            .decode(public.as_bytes())
            .unwrap()
            .try_into()
            .unwrap(),
    )
    .unwrap()
}

#[test]
fn a_run_is_verified_ranked_and_shown() {
    let site = Site::new();
    let run = arena(1, "sprint", 1);
    let answer: wire::SubmitAnswer = serde_json::from_value(site.submit(&run).good()).unwrap();
    assert!(answer.ok && !answer.duplicate);
    assert_eq!(answer.status.name(), "verified");
    assert_eq!((answer.rank, answer.position), (Some(1), Some(1)));
    assert_eq!(answer.best, Some(answer.score));
    assert_eq!(answer.id.to_string(), id(&run));

    let receipt = Receipt::open(&answer.receipt.unwrap().0, &ring(&site)).unwrap();
    assert_eq!(
        (receipt.board.as_str(), receipt.rank, receipt.score),
        ("sprint", 1, answer.score)
    );
    assert_eq!(receipt.player, key(1).player());

    let board = site
        .api(&format!("/boards/sprint?player={}", player(1)))
        .good();
    let typed: wire::BoardAnswer = serde_json::from_value(board.clone()).unwrap();
    assert_eq!(
        serde_json::to_value(&typed).unwrap(),
        board,
        "the wire type has every field"
    );
    assert_eq!((typed.total, typed.rows.len()), (1, 1));
    assert_eq!(typed.rows[0].name, "Pilot 1");
    let own = typed.own.unwrap();
    assert_eq!(
        (own.ranked, own.rank, own.run),
        (true, Some(1), Some(answer.id))
    );

    let info = site.api(&format!("/runs/{}/info", answer.id)).good();
    let typed: wire::RunInfo = serde_json::from_value(info).unwrap();
    assert_eq!(
        (typed.game.as_str(), typed.seed, typed.frames),
        ("arena", 11, 600)
    );
    assert_eq!(typed.options["mode"], "collect");
    assert_eq!(typed.standing.rank, Some(1));

    let list: wire::RunList = serde_json::from_value(site.api("/runs").good()).unwrap();
    assert_eq!(list.rows.len(), 1);
    assert_eq!(list.rows[0].run, answer.id);

    let status = site.api(&format!("/runs/{}/status", answer.id)).good();
    assert_eq!(status["status"], "verified");
}

#[test]
fn a_run_is_downloaded_as_it_was_sent_and_cached() {
    let site = Site::new();
    let run = arena(1, "sprint", 1);
    site.submit(&run).good();
    let path = format!("{BASE}/runs/{}", id(&run));
    let reply = site.get(&path);
    assert_eq!((reply.status, &reply.bytes), (200, &run));
    assert_eq!(reply.header("content-type"), "application/octet-stream");
    assert_eq!(reply.header("cache-control"), "public, max-age=3600");
    assert_eq!(reply.header("access-control-allow-origin"), "*");
    assert_eq!(
        reply.header("access-control-expose-headers"),
        "etag, retry-after"
    );
    let tag = reply.header("etag").to_owned();
    let again = site.ask_with(&path, &[("if-none-match", &tag)]);
    assert_eq!((again.status, again.bytes.len()), (304, 0));
}

#[test]
fn pages_walk_both_ways_and_around() {
    let site = Site::new();
    for number in 1..=9 {
        site.submit(&engine(number, "kart", i64::from(number) * 10))
            .good();
    }
    let first = site.api("/boards/kart?rows=4").good();
    assert_eq!(first["total"], 9);
    assert!(first.get("prev").is_none());
    let next = first["next"].as_str().unwrap();
    let second = site
        .api(&format!("/boards/kart?rows=4&cursor={next}"))
        .good();
    let scores = |page: &Value| -> Vec<i64> {
        page["rows"]
            .as_array()
            .unwrap()
            .iter()
            .map(|row| row["score"].as_i64().unwrap())
            .collect()
    };
    assert_eq!(
        (scores(&first), scores(&second)),
        (vec![90, 80, 70, 60], vec![50, 40, 30, 20])
    );
    let prev = second["prev"].as_str().unwrap();
    let back = site
        .api(&format!("/boards/kart?rows=4&cursor={prev}"))
        .good();
    assert_eq!(scores(&back), scores(&first));
    let around = format!("/boards/kart?rows=3&around=true&player={}", player(5));
    assert_eq!(scores(&site.api(&around).good()), [60, 50, 40]);
    let last = site
        .api(&format!(
            "/boards/kart?rows=3&around=true&player={}",
            player(1)
        ))
        .good();
    assert_eq!(
        scores(&last),
        [30, 20, 10],
        "the window is filled at the end too"
    );
    let would = site.api("/boards/kart?rows=0&would=85").good();
    assert_eq!(
        (&would["own"]["would_rank"], &would["own"]["ranked"]),
        (&2.into(), &false.into())
    );
    assert_eq!(would["rows"], Value::Array(Vec::new()));
}

#[test]
fn a_top_page_shows_each_new_score_at_once() {
    let site = Site::new();
    for number in 1..=12 {
        site.submit(&engine(number, "kart", i64::from(number)))
            .good();
        for rows in [1, 3, 100] {
            let page = site.api(&format!("/boards/kart?rows={rows}")).good();
            assert_eq!(page["rows"][0]["score"], i64::from(number));
            assert_eq!(page["total"], i64::from(number));
            let shown = page["rows"].as_array().unwrap().len();
            assert_eq!(shown, usize::from(number).min(rows));
            assert_eq!(page.get("next").is_some(), usize::from(number) > rows);
        }
    }
}

#[test]
fn a_board_that_nobody_played_is_empty_not_an_error() {
    let site = Site::new();
    let board = site
        .api(&format!("/boards/new?player={}&would=5", player(1)))
        .good();
    assert_eq!(
        (&board["total"], &board["own"]["ranked"]),
        (&0.into(), &false.into())
    );
    assert_eq!(board["own"]["would_rank"], 1);
    assert_eq!(site.kept(), 0);
}

#[test]
fn a_ticket_is_signed_bound_and_used_once() {
    let site = Site::new();
    let header = collect(1, "sprint");
    let body = format!(
        r#"{{"board":"sprint","build":"1.0","ruleset":"{}"}}"#,
        header.ruleset()
    );
    let path = format!("{BASE}/tickets");
    let answer = site.signed_post(&key(1), "", &path, &body).good();
    let bytes = BASE64
        .decode(answer["ticket"].as_str().unwrap().as_bytes())
        .unwrap();
    let ticket = Ticket::open(&bytes, &ring(&site)).unwrap();
    assert_eq!(
        (ticket.board.as_str(), ticket.player),
        ("sprint", key(1).player())
    );
    assert_eq!(answer["seed"], ticket.seed);
    // Nobody finishes ten seconds in none.
    let mut header = header;
    header.ticket = Some(bytes);
    header.seed = ticket.seed;
    assert_eq!(site.submit(&play(header, 1, 1)).code(), "too_fast");
    assert_eq!(
        site.signed_post(&key(1), "", &path, r#"{"board":"sprint","build":"1.0"}"#)
            .code(),
        "no_ruleset"
    );
}

#[test]
fn limits_keys_and_health_answer() {
    let site = Site::with("max_run_bytes = 5000");
    let limits: wire::LimitsAnswer = serde_json::from_value(site.api("/limits").good()).unwrap();
    assert_eq!(limits.run_max_bytes, 5_000);
    let keys: wire::KeysAnswer = serde_json::from_value(site.api("/keys").good()).unwrap();
    assert!(keys.keys[0].current && keys.keys.len() == 1);
    assert_eq!(site.get("/healthz").good()["ok"], true);
    assert_eq!(site.get("/readyz").good()["ready"], true);
    let nonce: wire::NonceAnswer =
        serde_json::from_value(site.post(&format!("{BASE}/nonce"), b"").good()).unwrap();
    assert_eq!((nonce.server, nonce.lifetime_ms), (keys.server, 300_000));
}

#[test]
fn the_daily_is_the_servers_and_hides_its_seed_behind_a_required_ticket() {
    let site = Site::new();
    let daily: wire::DailyAnswer = serde_json::from_value(site.api("/daily").good()).unwrap();
    assert!(daily.opens_ms <= daily.server_ms && daily.server_ms < daily.closes_ms);
    assert_eq!(daily.closes_ms - daily.opens_ms, 86_400_000);
    assert!(daily.seed.is_some());
    let other: wire::DailyAnswer = serde_json::from_value(site.api("/daily?app=b").good()).unwrap();
    assert_ne!(daily.seed, other.seed, "another app, another seed");
    let toml = format!(
        "[[boards]]\nboard = \"{}\"\nticket = \"required\"",
        daily.board
    );
    let site = Site::with(&toml);
    assert!(site.api("/daily").good().get("seed").is_none());
}

#[test]
fn a_browser_may_call_from_anywhere() {
    let site = Site::new();
    let agent = ureq::Agent::config_builder()
        .http_status_as_error(false)
        .build()
        .new_agent();
    let request = ureq::http::Request::builder()
        .method("OPTIONS")
        .uri(format!("{}{BASE}/runs", site.url))
        .header("origin", "https://game.example")
        .header("access-control-request-method", "POST")
        .header("access-control-request-headers", "x-api-key")
        .body(())
        .unwrap();
    let response = agent.run(request).unwrap();
    assert_eq!(response.status(), 204);
    let header = |name: &str| response.headers()[name].to_str().unwrap().to_owned();
    assert_eq!(header("access-control-allow-origin"), "*");
    assert!(header("access-control-allow-methods").contains("POST"));
    assert!(header("access-control-allow-headers").contains("x-signature"));
    assert!(
        response
            .headers()
            .get("access-control-allow-credentials")
            .is_none()
    );
    let refused = site.api("/nothing");
    assert_eq!(
        refused.header("access-control-allow-origin"),
        "*",
        "errors can be read too"
    );
}

/// The verdict comes between two readings of the store: nobody may be told then that there is no
/// such run.
#[test]
fn a_run_that_is_being_refused_is_never_unknown() {
    let site = Site::with("pending_frames = 1");
    let run = arena(1, "sprint", 1);
    for number in 0..60 {
        let tampered = changed(&run, Some(2), |run| {
            run.inputs.flat_mut()[number].axes[0] ^= 64
        });
        assert_eq!(site.submit(&tampered).status, 202);
        let path = format!("/runs/{}/status", id(&tampered));
        let told = loop {
            let status = site.api(&path);
            assert_ne!(status.status, 404, "run {number}");
            if status.status == 200 {
                break status.good();
            }
        };
        assert_eq!(told["code"], "diverged");
        // What was refused is not kept: there is nothing else to tell of it.
        for what in ["", "/info"] {
            let path = format!("/runs/{}{what}", id(&tampered));
            assert_eq!(site.api(&path).code(), "unknown_run");
        }
    }
}
