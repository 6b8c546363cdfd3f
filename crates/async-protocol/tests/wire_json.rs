//! Each wire type against its fixed JSON: what is sent stays what it is, byte for byte, and what
//! is read back is equal. A change here is a change of the protocol.

#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test fails so")]

use std::fmt::Debug;

use async_protocol::wire::{
    BoardAnswer, DailyAnswer, ErrorBody, KeyInfo, KeysAnswer, LimitsAnswer, NonceAnswer, Rate, Row,
    RunInfo, RunList, RunRow, Standing, Stored, SubmitAnswer, TicketAnswer, TicketRequest,
};
use async_protocol::{
    Base64, BoardPolicy, Keep, Order, Period, PlayerId, RankStyle, Reveal, Rules, RulesetId, RunId,
    Status, TicketRule, Ties, Trust, Verdict,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

const RUN: &str = "01010101010101010101010101010101";
const RULESET: &str = "03030303030303030303030303030303";
const PLAYER: &str = "0202020202020202020202020202020202020202020202020202020202020202";

fn run() -> RunId {
    RunId([1; 16])
}

fn player() -> PlayerId {
    PlayerId([2; 32])
}

/// The same both ways, as text: the order of the fields is part of what people see. The white
/// space of the fixtures is only there to keep their lines short.
fn check<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T, json: &str) {
    let json: String = json.split_whitespace().collect();
    let json = json
        .replace("RUN", RUN)
        .replace("PLAYER", PLAYER)
        .replace("RULESET", RULESET);
    assert_eq!(serde_json::to_string(value).unwrap(), json);
    assert_eq!(&serde_json::from_str::<T>(&json).unwrap(), value);
}

fn refuses<T: DeserializeOwned + Debug>(json: Value, message: &str) {
    let error = serde_json::from_value::<T>(json)
        .expect_err(message)
        .to_string();
    assert!(error.contains(message), "{error}");
}

fn verdict() -> Verdict {
    Verdict {
        score: 7,
        frames: 60,
        digest: 0xAB,
        ..Verdict::new(Status::Verified, "ok", "fine")
    }
}

const VERDICT: &str = r#"{"status":"verified","code":"ok","score":7,"frames":60,
        "digest":"00000000000000ab",
        "msg":"fine"}"#;

fn standing() -> Standing {
    Standing {
        ranked: true,
        rank: Some(2),
        position: Some(3),
        score: Some(i64::MIN),
        run: Some(run()),
        status: Some(Status::Plausible),
        would_rank: Some(1),
    }
}

const STANDING: &str = r#"{"ranked":true,"rank":2,"position":3,"score":"-9223372036854775808",
        "run":"RUN",
        "status":"plausible","would_rank":1}"#;

fn row() -> Row {
    Row {
        rank: 1,
        position: 1,
        player: player(),
        name: "é".to_owned(),
        score: 9_007_199_254_740_993,
        run: run(),
        status: Status::Verified,
        accepted_at_ms: 1_772_323_200_000,
    }
}

const ROW: &str = r#"{"rank":1,"position":1,"player":"PLAYER","name":"é","score":"9007199254740993",
        "run":"RUN","status":"verified","accepted_at_ms":1772323200000}"#;

#[test]
fn verdicts() {
    check(&verdict(), VERDICT);
    let diverged = Verdict {
        agreed: Some(600),
        frame: Some(733),
        field: Some("player[1].vel.y".to_owned()),
        ..Verdict::refused("diverged", "left")
    };
    check(
        &diverged,
        r#"{"status":"refused","code":"diverged","agreed":600,"frame":733,
        "field":"player[1].vel.y","score":0,"frames":0,"digest":"0000000000000000",
        "msg":"left"}"#,
    );
    for (status, name) in
        Status::ALL
            .iter()
            .zip(["refused", "quarantined", "pending", "plausible", "verified"])
    {
        check(status, &format!("{name:?}"));
        assert_eq!(
            (status.name(), Status::from_name(name)),
            (name, Some(*status))
        );
    }
    refuses::<Status>(json!("Verified"), "unknown variant `Verified`");
}

#[test]
fn boards() {
    check(&row(), ROW);
    check(&standing(), STANDING);
    check(&Standing::default(), r#"{"ranked":false}"#);
    let empty = BoardAnswer {
        board: "main".to_owned(),
        period: Period::Alltime,
        order: Order::Ascending,
        total: 0,
        rows: vec![],
        next: None,
        prev: None,
        own: None,
        opens_ms: None,
        closes_ms: None,
        server_ms: 5,
    };
    check(
        &empty,
        r#"{"board":"main","period":"alltime","order":"asc","total":0,"rows":[],"server_ms":5}"#,
    );
    let full = BoardAnswer {
        rows: vec![row()],
        next: Some("n".to_owned()),
        prev: Some("p".to_owned()),
        own: Some(standing()),
        opens_ms: Some(1),
        closes_ms: Some(2),
        ..empty
    };
    let json = r#"{"board":"main","period":"alltime","order":"asc","total":0,"rows":[_ROW],
        "next":"n",
        "prev":"p","own":_OWN,"opens_ms":1,"closes_ms":2,"server_ms":5}"#;
    check(&full, &json.replace("_ROW", ROW).replace("_OWN", STANDING));
}

#[test]
fn submits() {
    let refused = SubmitAnswer {
        ok: false,
        id: run(),
        score: 7,
        rank: None,
        position: None,
        best: None,
        status: Status::Refused,
        code: Some("diverged".to_owned()),
        duplicate: false,
        stored: Stored::Refused,
        verdict: verdict(),
        receipt: None,
    };
    let json = r#"{"ok":false,"id":"RUN","score":7,"status":"refused","code":"diverged",
        "duplicate":false,"stored":"refused","verdict":_}"#;
    check(&refused, &json.replace('_', VERDICT));
    let ranked = SubmitAnswer {
        ok: true,
        rank: Some(1),
        position: Some(1),
        best: Some(7),
        status: Status::Verified,
        code: None,
        stored: Stored::Better,
        receipt: Some(Base64(vec![0, 255])),
        ..refused
    };
    let json = r#"{"ok":true,"id":"RUN","score":7,"rank":1,"position":1,"best":7,
        "status":"verified",
        "duplicate":false,"stored":"better","verdict":_,"receipt":"AP8="}"#;
    check(&ranked, &json.replace('_', VERDICT));
    for (stored, name) in [
        (Stored::NotBetter, "not_better"),
        (Stored::Pending, "pending"),
        (Stored::Unranked, "unranked"),
    ] {
        check(&stored, &format!("{name:?}"));
    }
}

#[test]
fn runs() {
    let info = RunInfo {
        id: run(),
        app: "a".to_owned(),
        board: "main".to_owned(),
        ruleset: RulesetId([3; 16]),
        game: "arena".to_owned(),
        revision: 1,
        build: "1.0".to_owned(),
        options: json!({ "mode": "race" }).as_object().unwrap().clone(),
        player: player(),
        name: String::new(),
        engine: "web".to_owned(),
        seed: 9,
        players: 2,
        slot: 1,
        rate: Rate {
            numer: 60,
            denom: 1,
        },
        frames: 600,
        score: -1,
        bytes: 900,
        opponent: Some(run()),
        practice: false,
        meta: [("car".to_owned(), "red".to_owned())].into(),
        verdict: verdict(),
        standing: Standing::default(),
        accepted_at_ms: 4,
    };
    let json = r#"{"id":"RUN","app":"a","board":"main","ruleset":"RULESET","game":"arena",
        "revision":1,"build":"1.0","options":{"mode":"race"},"player":"PLAYER","name":"",
        "engine":"web","seed":9,"players":2,"slot":1,"rate":{"numer":60,"denom":1},
        "frames":600,"score":-1,"bytes":900,"opponent":"RUN","practice":false,
        "meta":{"car":"red"},"verdict":_,
        "standing":{"ranked":false},"accepted_at_ms":4}"#;
    check(
        &info,
        &json.replace("\"verdict\":_", &format!("\"verdict\":{VERDICT}")),
    );
    let row = RunRow {
        run: run(),
        board: "main".to_owned(),
        player: player(),
        name: "n".to_owned(),
        score: 1,
        frames: 2,
        bytes: 3,
        status: Status::Pending,
        accepted_at_ms: 4,
    };
    check(
        &RunList {
            rows: vec![row],
            next: Some("c".to_owned()),
        },
        r#"{"rows":[{"run":"RUN","board":"main","player":"PLAYER","name":"n","score":1,
        "frames":2,"bytes":3,"status":"pending","accepted_at_ms":4}],"next":"c"}"#,
    );
}

#[test]
fn calls() {
    check(
        &ErrorBody {
            error: "e".to_owned(),
            code: "busy".to_owned(),
            details: Value::Null,
        },
        r#"{"error":"e","code":"busy","details":null}"#,
    );
    check(
        &DailyAnswer {
            board: "daily-2026-03-01".to_owned(),
            opens_ms: 1,
            closes_ms: 2,
            server_ms: 3,
            seed: Some(4),
        },
        r#"{"board":"daily-2026-03-01","opens_ms":1,"closes_ms":2,"server_ms":3,"seed":4}"#,
    );
    let request = TicketRequest {
        board: "main".to_owned(),
        build: "1.0".to_owned(),
        ruleset: Some(RulesetId([3; 16])),
        opponent: Some(run()),
    };
    check(
        &request,
        r#"{"board":"main","build":"1.0","ruleset":"RULESET","opponent":"RUN"}"#,
    );
    refuses::<TicketRequest>(
        json!({ "board": "m", "build": "", "seed": 1 }),
        "unknown field `seed`",
    );
    refuses::<TicketRequest>(json!({ "board": "m" }), "missing field `build`");
    let upper = json!({ "board": "m", "build": "", "opponent": RUN.replace('0', "A") });
    refuses::<TicketRequest>(upper, "lower-case hex");
    check(
        &TicketAnswer {
            ticket: Base64(b"ticket".to_vec()),
            board: "main".to_owned(),
            seed: 9_007_199_254_740_991,
            attempt: 2,
            attempts_left: Some(0),
            issued_ms: 1,
            expires_ms: 2,
        },
        r#"{"ticket":"dGlja2V0","board":"main","seed":9007199254740991,"attempt":2,
        "attempts_left":0,"issued_ms":1,"expires_ms":2}"#,
    );
    check(
        &NonceAnswer {
            nonce: "ab".to_owned(),
            server: "s".to_owned(),
            app: "a".to_owned(),
            lifetime_ms: 300_000,
            server_ms: 1,
        },
        r#"{"nonce":"ab","server":"s","app":"a","lifetime_ms":300000,"server_ms":1}"#,
    );
    let key = KeyInfo {
        key_id: "01".to_owned(),
        public: "02".to_owned(),
        current: true,
    };
    check(
        &KeysAnswer {
            server: "s".to_owned(),
            keys: vec![key],
        },
        r#"{"server":"s","keys":[{"key_id":"01","public":"02","current":true}]}"#,
    );
}

#[test]
fn limits() {
    let limits = LimitsAnswer {
        run_max_bytes: 1,
        run_max_frames: 2,
        run_max_players: 3,
        json_body_max_bytes: 4,
        board_max_rows: 5,
        board_default_rows: 6,
        board_key_max_bytes: 7,
        auto_boards_max_count: 8,
        player_name_max_bytes: 9,
        player_name_max_graphemes: 10,
        call_nonce_lifetime_ms: 11,
        ticket_lifetime_ms: 12,
        daily_grace_ms: 13,
    };
    check(
        &limits,
        r#"{"run_max_bytes":1,"run_max_frames":2,"run_max_players":3,"json_body_max_bytes":4,
        "board_max_rows":5,"board_default_rows":6,"board_key_max_bytes":7,
        "auto_boards_max_count":8,"player_name_max_bytes":9,"player_name_max_graphemes":10,
        "call_nonce_lifetime_ms":11,"ticket_lifetime_ms":12,"daily_grace_ms":13}"#,
    );
}

#[test]
fn policies() {
    check(
        &BoardPolicy::default(),
        r#"{"order":"desc","keep":"best","rank":"competition","ties":"earliest",
        "ticket":"optional","attempts":0,"reveal":"inputs","periods":["alltime"],
        "live":false,"rules":{"min_frames":1,"max_speed":0.0,"speed_slack":1.1,
        "max_score":0,"max_turn_rate":0.0,"ticket":"optional"},"rows":100}"#,
    );
    let policy = BoardPolicy {
        order: Order::Ascending,
        keep: Keep::All,
        rank: RankStyle::Dense,
        ties: Ties::Latest,
        trust: Some(Trust::Plausible),
        ticket: TicketRule::Required,
        attempts: 3,
        reveal: Reveal::AfterClose,
        periods: vec![
            Period::Alltime,
            Period::Daily,
            Period::Weekly,
            Period::Monthly,
        ],
        live: true,
        rules: Rules {
            max_score: i64::MAX,
            ..Rules::default()
        },
        rows: 10,
    };
    check(
        &policy,
        r#"{"order":"asc","keep":"all","rank":"dense","ties":"latest","trust":"plausible",
        "ticket":"required","attempts":3,"reveal":"after_close","periods":["alltime",
        "daily","weekly","monthly"],"live":true,"rules":{"min_frames":1,"max_speed":0.0,
        "speed_slack":1.1,"max_score":"9223372036854775807","max_turn_rate":0.0,
        "ticket":"optional"},"rows":10}"#,
    );
    assert_eq!(
        serde_json::from_str::<BoardPolicy>("{}").unwrap(),
        BoardPolicy::default()
    );
    refuses::<BoardPolicy>(json!({ "ordr": "asc" }), "unknown field `ordr`");
    refuses::<BoardPolicy>(
        json!({ "rules": { "minFrames": 1 } }),
        "unknown field `minFrames`",
    );
    refuses::<BoardPolicy>(
        json!({ "order": "ascending" }),
        "unknown variant `ascending`",
    );
    let trust = |trust, deterministic| {
        BoardPolicy {
            trust,
            ..BoardPolicy::default()
        }
        .trust_for(deterministic)
    };
    assert_eq!(trust(None, true), Status::Verified);
    assert_eq!(trust(None, false), Status::Plausible);
    assert_eq!(trust(Some(Trust::Plausible), true), Status::Plausible);
    assert_eq!(trust(Some(Trust::Verified), false), Status::Verified);
}

#[test]
fn bytes_are_padded_base64_and_nothing_else() {
    check(&Base64(vec![]), "\"\"");
    check(&Base64(vec![1, 2, 3, 4]), "\"AQIDBA==\"");
    for bad in ["AQIDBA", "AQIDBA=", "AQ ID", "AQ-_", "AQIDBB==", "é"] {
        refuses::<Base64>(json!(bad), "padded base64");
    }
}
