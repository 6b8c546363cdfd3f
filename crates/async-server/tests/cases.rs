//! What went wrong for others, as tests named after the rows of the list of cases.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod site;

use std::sync::Barrier;
use std::thread;
use std::time::{Duration, Instant};

use async_core::{FrameRate, OptionValue};
use data_encoding::BASE64;
use serde_json::{Value, json};
use site::recordings::{
    arena, changed, collect, collect_against, engine, engine_with, id, key, open, play,
    play_against, player,
};
use site::{BASE, Reply, Site};

/// Asks for the status until the run is decided.
fn decided(site: &Site, id: &str) -> Value {
    let started = Instant::now();
    loop {
        let status = site.api(&format!("/runs/{id}/status"));
        if status.status == 200 {
            return status.good();
        }
        assert_eq!(status.status, 202);
        assert!(started.elapsed() < Duration::from_secs(20), "still pending");
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn case_u5_a_run_sent_again_has_its_first_answer_and_one_row() {
    let site = Site::new();
    let run = arena(1, "sprint", 1);
    let first = site.submit(&run).good();
    // The answer stays the first one, whatever happened to the board since.
    site.submit(&engine_with(2, "other", 5, |_| ())).good();
    for _ in 0..3 {
        let mut again = site.submit(&run).good();
        assert_eq!(again["duplicate"], true);
        again["duplicate"] = json!(false);
        assert_eq!(again, first);
    }
    assert_eq!((site.total("sprint"), site.kept()), (1, 2));
}

#[test]
fn case_u5_the_same_inputs_by_another_player_are_refused_by_name() {
    let site = Site::new();
    let run = arena(1, "sprint", 1);
    assert!(
        open(&run).input_changes() >= 64,
        "long enough to be no coincidence"
    );
    site.submit(&run).good();
    let stolen = changed(&run, Some(2), |_| ());
    let reply = site.submit(&stolen);
    assert_eq!(
        (reply.status, reply.code().as_str()),
        (409, "duplicate_run")
    );
    assert_eq!(reply.json()["details"]["run"], id(&run));
    assert_eq!(site.kept(), 1);
}

#[test]
fn case_u7_eight_at_once_give_one_row_and_nobody_gives_none() {
    let site = Site::new();
    let run = arena(1, "sprint", 1);
    let start = Barrier::new(8);
    let answers: Vec<Value> = thread::scope(|scope| {
        let send = || {
            start.wait();
            site.submit(&run).good()
        };
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(send)).collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap())
            .collect()
    });
    let firsts = answers
        .iter()
        .filter(|answer| answer["duplicate"] == false)
        .count();
    assert_eq!((firsts, site.total("sprint"), site.kept()), (1, 1, 1));
    let receipts: Vec<_> = answers.iter().map(|answer| &answer["receipt"]).collect();
    assert!(receipts.iter().all(|receipt| *receipt == receipts[0]));

    let unsigned = changed(&arena(2, "sprint", 2), None, |run| run.signature = None);
    let reply = site.submit(&unsigned);
    assert_eq!((reply.status, reply.code().as_str()), (401, "unsigned"));
    assert_eq!(site.kept(), 1);
}

#[test]
fn case_u9_the_limit_served_is_the_limit_enforced_to_the_byte() {
    // A server takes limits from 1,024 bytes: a minute of play is longer.
    let mut header = collect(1, "sprint");
    header
        .options
        .insert("seconds", OptionValue::Int(60))
        .unwrap();
    let run = play(header, 1, 1);
    assert!(run.len() > 1_024);
    for (limit, expected) in [
        (run.len() - 1, "too_large"),
        (run.len(), "ok"),
        (run.len() + 1, "ok"),
    ] {
        let site = Site::with(&format!("max_run_bytes = {limit}"));
        assert_eq!(site.api("/limits").good()["run_max_bytes"], limit);
        let reply = site.submit(&run);
        assert_eq!(reply.code(), expected, "{limit}");
        if expected == "too_large" {
            assert_eq!(reply.status, 413);
            assert_eq!(reply.json()["details"]["limit_bytes"], limit);
            assert_eq!(site.kept(), 0);
        }
    }
    // Far over it, the answer is heard all the same.
    let site = Site::new();
    for size in [262_145, 1_000_000, 1_900_000] {
        assert_eq!(site.submit(&vec![0; size]).status, 413, "{size}");
    }
}

#[test]
fn case_u13_the_reply_says_what_became_of_it() {
    let site = Site::new();
    let said = |score| {
        let answer = site.submit(&engine(1, "kart", score)).good();
        (
            answer["stored"].clone(),
            answer["best"].clone(),
            answer["rank"].clone(),
        )
    };
    assert_eq!(said(50), (json!("better"), json!(50), json!(1)));
    assert_eq!(said(40), (json!("not_better"), json!(50), json!(1)));
    assert_eq!(said(60), (json!("better"), json!(60), json!(1)));
    site.submit(&engine(2, "kart", 70)).good();
    assert_eq!(said(65), (json!("better"), json!(65), json!(2)));
    // The same score again is no improvement.
    let again = site
        .submit(&engine_with(1, "kart", 65, |header| header.seed = 1))
        .good();
    assert_eq!(again["stored"], "not_better");
}

#[test]
fn case_v13_a_refusal_says_why_and_where_and_a_long_run_is_not_dropped() {
    let site = Site::with("pending_frames = 700");
    let mut header = collect(1, "sprint");
    header
        .options
        .insert("seconds", OptionValue::Int(20))
        .unwrap();
    let long = play(header, 1, 1);
    let reply = site.submit(&long);
    assert_eq!(
        (reply.status, &reply.json()["status"]),
        (202, &json!("pending"))
    );
    let done = decided(&site, &id(&long));
    assert_eq!(
        (&done["status"], &done["rank"]),
        (&json!("verified"), &json!(1))
    );

    let tampered = changed(&long, Some(2), |run| {
        run.inputs.flat_mut()[700].axes[0] ^= 64
    });
    assert_eq!(site.submit(&tampered).status, 202);
    let done = decided(&site, &id(&tampered));
    assert_eq!(
        (&done["ok"], &done["code"]),
        (&json!(false), &json!("diverged"))
    );
    assert_eq!(done["verdict"]["agreed"], 600);
    assert_eq!(site.total("sprint"), 1);

    let site = Site::new();
    let reply = site.submit(&tampered);
    assert_eq!((reply.status, reply.code().as_str()), (422, "diverged"));
    let verdict = &reply.json()["details"]["verdict"];
    assert_eq!(
        (&verdict["agreed"], &verdict["frame"]),
        (&json!(600), &json!(1200))
    );
    assert_eq!(site.kept(), 0);
    // A refusal never blocks the good run.
    site.submit(&long).good();
}

#[test]
fn case_v13_a_run_waits_for_its_opponent_also_over_a_restart() {
    let mut site = Site::new();
    let theirs = arena(2, "solo", 7);
    let run = play_against(collect_against(1, "pair", &theirs), 1, 1, Some(&theirs));
    let reply = site.submit(&run);
    assert_eq!(
        (reply.status, &reply.json()["code"]),
        (202, &json!("opponent_unavailable"))
    );
    let unsigned = changed(&run, None, |run| run.signature = Some([1; 64]));
    assert_eq!(
        site.submit(&unsigned).status,
        202,
        "the run is known: nothing new is kept"
    );
    site.restart();
    assert_eq!(site.api(&format!("/runs/{}/status", id(&run))).status, 202);
    site.submit(&theirs).good();
    site.restart();
    assert_eq!(decided(&site, &id(&run))["status"], "verified");
    assert_eq!(site.total("pair"), 1);
}

#[test]
fn what_waits_is_signed() {
    let site = Site::with("pending_frames = 1");
    let run = arena(1, "sprint", 1);
    let forged = changed(&run, None, |run| run.signature = Some([1; 64]));
    assert_eq!(site.submit(&forged).code(), "bad_signature");
    let unsigned = changed(&run, None, |run| run.signature = None);
    assert_eq!(site.submit(&unsigned).code(), "unsigned");
    assert_eq!(site.kept(), 0);
}

#[test]
fn case_u7_nobody_puts_a_doubtful_run_or_a_name_under_anothers_key() {
    let site = Site::with(
        "[[boards]]\nboard = \"kart\"\ntrust = \"plausible\"\nrules = { max_score = 10 }",
    );
    site.submit(&engine(1, "kart", 5)).good();
    let name = |row: &str| site.api("/boards/kart").good()["rows"][0][row].clone();
    let before = name("name");
    let forged = engine_with(1, "kart", 11, |header| {
        header.player_name = "rude".to_owned();
    });
    for signature in [None, Some([1; 64])] {
        let forged = changed(&forged, None, |run| run.signature = signature);
        let code = site.submit(&forged).code();
        assert!(
            ["unsigned", "bad_signature"].contains(&code.as_str()),
            "{code}"
        );
    }
    assert_eq!((name("name"), site.kept()), (before, 1));
    assert_eq!(site.submit(&forged).good()["status"], "quarantined");
}

#[test]
fn case_v15_the_server_computes_the_score() {
    let site = Site::new();
    let run = arena(1, "sprint", 1);
    let lie = changed(&run, Some(1), |run| run.end.score += 1);
    let reply = site.submit(&lie);
    assert_eq!(
        (reply.status, reply.code().as_str()),
        (422, "score_mismatch")
    );
    let truth = open(&run).end.score;
    assert_eq!(reply.json()["details"]["verdict"]["score"], truth);
    assert_eq!(site.submit(&run).good()["score"], truth);
}

#[test]
fn case_c1_another_version_is_not_a_damaged_file() {
    let site = Site::new();
    let run = arena(1, "sprint", 1);
    let codes: Vec<_> = (0..12)
        .map(|at| {
            let mut other = run.clone();
            other[at] = other[at].wrapping_add(1);
            site.submit(&other).code()
        })
        .collect();
    assert!(codes.contains(&"not_a_run".to_owned()), "{codes:?}");
    assert!(codes.contains(&"wrong_version".to_owned()), "{codes:?}");
    assert_eq!(site.submit(&run[..run.len() / 2]).code(), "truncated");
    assert_eq!(site.kept(), 0);
}

#[test]
fn case_c2_c5_other_content_mods_rates_and_modes_are_another_ruleset() {
    let site = Site::new();
    site.submit(&engine(1, "kart", 5)).good();
    let refused = |what: &str, run: Vec<u8>| {
        let reply = site.submit(&run);
        assert_eq!(
            (reply.status, reply.code().as_str()),
            (422, "wrong_ruleset"),
            "{what}"
        );
        assert!(reply.json()["details"]["board"].is_string(), "{what}");
    };
    let engine = |change: fn(&mut async_replay::Header)| engine_with(2, "kart", 9, change);
    refused("content", engine(|header| header.content = Some([1; 32])));
    refused(
        "mods",
        engine(|header| header.mods.push("low-gravity".to_owned())),
    );
    refused("build", engine(|header| header.build = "0.9".to_owned()));
    refused(
        "rate",
        engine(|header| header.rate = FrameRate::hz(30).unwrap()),
    );
    refused("game", arena(2, "kart", 1));
    site.submit(&arena(1, "sprint", 1)).good();
    let mut slow = collect(2, "sprint");
    slow.rate = FrameRate::hz(10).unwrap();
    refused("slower", play(slow, 1, 2));
    let mut longer = collect(2, "sprint");
    longer
        .options
        .insert("seconds", OptionValue::Int(11))
        .unwrap();
    refused("longer", play(longer, 1, 2));
    assert_eq!(site.kept(), 2);
}

#[test]
fn case_d1_the_server_names_the_daily_and_its_hours() {
    let site = Site::new();
    let daily = site.api("/daily").good();
    let board = daily["board"].as_str().unwrap();
    let shown = site.api(&format!("/boards/{board}")).good();
    assert_eq!(
        (&shown["opens_ms"], &shown["closes_ms"]),
        (&daily["opens_ms"], &daily["closes_ms"])
    );
    let mut header = collect(1, board);
    header.seed = daily["seed"].as_u64().unwrap();
    assert_eq!(site.submit(&play(header, 1, 1)).good()["rank"], 1);
}

#[test]
fn case_d3_neither_tomorrow_nor_yesterday_nor_another_seed() {
    let site = Site::new();
    let board = site.api("/daily").good()["board"]
        .as_str()
        .unwrap()
        .to_owned();
    let code = |board: &str| site.submit(&arena(1, board, 1)).code();
    assert_eq!(code("daily-9999-12-31"), "not_open");
    assert_eq!(code("daily-2020-02-29"), "closed");
    assert_eq!(code("daily-2020-02-30"), "bad_day");
    assert_eq!(code(&board), "wrong_seed");
    assert_eq!(site.kept(), 0);
}

#[test]
fn case_d8_an_attempt_is_spent_when_it_starts() {
    let toml = "[[boards]]\nboard = \"once\"\nticket = \"required\"\nattempts = 2\n\
        trust = \"plausible\"";
    let mut site = Site::with(toml);
    let ruleset = open(&engine(1, "once", 1)).header.ruleset();
    let body = json!({"board": "once", "build": "1.0", "ruleset": ruleset.to_string()}).to_string();
    let ask =
        |site: &Site, number| site.signed_post(&key(number), "", &format!("{BASE}/tickets"), &body);
    let first = ask(&site, 1).good();
    assert_eq!(
        (&first["attempt"], &first["attempts_left"]),
        (&json!(1), &json!(1))
    );
    site.restart();
    let second = ask(&site, 1).good();
    assert_eq!(
        (&second["attempt"], &second["attempts_left"]),
        (&json!(2), &json!(0))
    );
    assert_ne!(first["seed"], second["seed"]);
    let reply = ask(&site, 1);
    assert_eq!((reply.status, reply.code().as_str()), (403, "no_attempts"));
    assert_eq!(
        ask(&site, 2).good()["attempt"],
        1,
        "another player has attempts of their own"
    );

    let with = |answer: &Value, number: u8, score| {
        let ticket = BASE64
            .decode(answer["ticket"].as_str().unwrap().as_bytes())
            .unwrap();
        let seed = answer["seed"].as_u64().unwrap();
        engine_with(number, "once", score, |header| {
            header.ticket = Some(ticket);
            header.seed = seed;
        })
    };
    thread::sleep(Duration::from_millis(400));
    assert_eq!(site.submit(&engine(1, "once", 9)).code(), "ticket_required");
    assert_eq!(
        site.submit(&with(&first, 2, 9)).code(),
        "ticket_wrong_player"
    );
    site.submit(&with(&first, 1, 7)).good();
    site.submit(&with(&first, 1, 7)).good();
    let reply = site.submit(&with(&first, 1, 8));
    assert_eq!((reply.status, reply.code().as_str()), (409, "ticket_used"));
    site.submit(&with(&second, 1, 8)).good();
    assert_eq!(site.total("once"), 1);
}

#[test]
fn case_n1_n5_scores_keep_every_bit_and_their_order() {
    const EDGE: i64 = 1 << 53;
    let scores = [
        i64::MIN,
        i64::MIN + 1,
        -EDGE - 1,
        -EDGE,
        -EDGE + 1,
        -9_999,
        -1,
        0,
        1,
        9_999,
        1_000_000,
        EDGE - 1,
        EDGE,
        EDGE + 1,
        1_009_651_914_519_660_511,
        1_009_651_914_519_660_512,
        1_009_651_914_519_660_544,
        i64::MAX - 1,
        i64::MAX,
    ];
    let site = Site::with("[[boards]]\nboard = \"up\"\norder = \"asc\"\ntrust = \"plausible\"");
    let read = |value: &Value| match value {
        Value::String(text) => text.parse::<i64>().unwrap(),
        number => number.as_i64().unwrap(),
    };
    for board in ["up", "down"] {
        for (index, score) in scores.iter().enumerate() {
            let number = u8::try_from((index * 7) % scores.len()).unwrap() + 1;
            let answer = site.submit(&engine(number, board, *score)).good();
            assert_eq!(read(&answer["score"]), *score);
            assert_eq!(answer["score"].is_string(), score.unsigned_abs() >= 1 << 53);
        }
        let page = site.api(&format!("/boards/{board}?rows=100")).good();
        let rows: Vec<i64> = page["rows"]
            .as_array()
            .unwrap()
            .iter()
            .map(|row| read(&row["score"]))
            .collect();
        let mut expected = scores.to_vec();
        if board == "down" {
            expected.reverse();
        }
        assert_eq!(rows, expected, "{board}");
        let rank = |would: i64| {
            let path = format!("/boards/{board}?rows=0&would={would}");
            site.api(&path).good()["own"]["would_rank"]
                .as_u64()
                .unwrap()
        };
        let better = |than: i64| expected.iter().position(|score| *score == than).unwrap() as u64;
        for score in [i64::MIN, EDGE, EDGE + 1, i64::MAX] {
            assert_eq!(rank(score), better(score) + 1, "{board} {score}");
        }
    }
}

#[test]
fn case_n4_what_is_no_number_is_refused_at_the_door() {
    let site = Site::new();
    site.submit(&engine(1, "kart", 5)).good();
    for would in [
        "NaN",
        "Infinity",
        "null",
        "",
        "-0",
        "1.0",
        "1e3",
        "0x1",
        "9223372036854775808",
    ] {
        let reply = site.api(&format!("/boards/kart?would={would}"));
        assert_eq!(
            (reply.status, reply.code().as_str()),
            (400, "bad_query"),
            "{would}"
        );
    }
}

#[test]
fn case_p4_no_score_yet_is_said_in_words() {
    let site = Site::new();
    site.submit(&engine(1, "kart", 5)).good();
    let own = |query: &str| site.api(&format!("/boards/kart?{query}")).good()["own"].clone();
    let unranked = own(&format!("player={}", player(2)));
    assert_eq!(unranked, json!({"ranked": false}));
    let would = own(&format!("player={}&would=9", player(2)));
    assert_eq!(would, json!({"ranked": false, "would_rank": 1}));
    assert_eq!(own(&format!("player={}&rows=0", player(1)))["rank"], 1);
}

#[test]
fn case_p5_names_are_cleaned_and_never_identity() {
    let site = Site::new();
    let named = |number: u8, name: &str| {
        let name = name.to_owned();
        engine_with(number, "kart", i64::from(number), |header| {
            header.player_name = name
        })
    };
    site.submit(&named(1, "Ada\u{202e}evil\u{0}")).good();
    site.submit(&named(2, "Ada evil")).good();
    let rows = site.api("/boards/kart").good()["rows"].clone();
    assert_eq!(rows.as_array().unwrap().len(), 2);
    for row in rows.as_array().unwrap() {
        let name = row["name"].as_str().unwrap();
        assert!(
            !name.chars().any(|c| c.is_control() || c == '\u{202e}'),
            "{name:?}"
        );
    }
}

#[test]
fn case_m7_the_mark_is_part_of_the_row() {
    let site = Site::new();
    site.submit(&engine(1, "kart", 5)).good();
    site.submit(&arena(1, "sprint", 1)).good();
    let status =
        |board: &str| site.api(&format!("/boards/{board}")).good()["rows"][0]["status"].clone();
    assert_eq!(
        (status("kart"), status("sprint")),
        (json!("plausible"), json!("verified"))
    );
}

#[test]
fn practice_never_ranks_and_never_blocks() {
    let site = Site::new();
    let mut header = collect(1, "sprint");
    header.practice = true;
    let reply: Reply = site.submit(&play(header, 1, 1));
    assert_eq!((reply.status, reply.code().as_str()), (422, "practice"));
    assert_eq!(site.kept(), 0);
    site.submit(&arena(1, "sprint", 1)).good();
}

#[test]
fn what_a_board_does_not_reveal_only_its_owner_gets() {
    let site = Site::new();
    let daily = site.api("/daily").good();
    let mut header = collect(1, daily["board"].as_str().unwrap());
    header.seed = daily["seed"].as_u64().unwrap();
    let run = play(header, 1, 1);
    site.submit(&run).good();
    let path = format!("{BASE}/runs/{}", id(&run));
    let reply = site.get(&path);
    assert_eq!((reply.status, reply.code().as_str()), (403, "not_revealed"));
    assert_eq!(reply.json()["details"]["from_ms"], daily["closes_ms"]);
    assert_eq!(site.signed_get(&key(2), "", &path).code(), "not_revealed");
    let own = site.signed_get(&key(1), "", &path);
    assert_eq!((own.status, &own.bytes), (200, &run));
    assert_eq!(own.header("cache-control"), "private, no-store");
}
