//! Whatever a host passes, a call answers and nothing panics.

use async_client::Answer;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::host::Host;

const METHODS: &[(&str, &str)] = &[
    ("net.async", "recordStart"),
    ("net.async", "recordStop"),
    ("net.async", "export"),
    ("net.async", "loadGhost"),
    ("net.async", "unloadGhost"),
    ("net.async", "play"),
    ("net.async", "ghost"),
    ("net.async", "ticket"),
    ("net.async", "submit"),
    ("net.async", "fetch"),
    ("net.async", "board"),
    ("net.async", "daily"),
    ("net.async", "verify"),
    ("net.async", "outbox"),
    ("net.async", "forgetServer"),
    ("net.replay", "open"),
    ("net.transport", "x"),
    ("input.actions", "set"),
    ("game.engine", "sample"),
    ("game.engine", "mark"),
    ("game.engine", "pause"),
    ("game.engine", "resume"),
    ("game.engine", "score"),
    ("game.engine", "progress"),
    ("", ""),
];

const NAMES: &[&str] = &[
    "ticket",
    "seed",
    "board",
    "practice",
    "trace",
    "restart",
    "meta",
    "score",
    "id",
    "run",
    "slot",
    "offsetFrames",
    "ghost",
    "from",
    "speed",
    "loop",
    "track",
    "pick",
    "count",
    "rows",
    "cursor",
    "around",
    "period",
    "opponent",
    "buttons",
    "axes",
    "pos",
    "rot",
    "channels",
    "teleport",
    "name",
    "value",
    "progress",
    "é",
    "",
];

fn leaf() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        (-4_i64..260).prop_map(Value::from),
        ".{0,40}".prop_map(Value::from),
        "[0-9a-f]{32}".prop_map(Value::from),
        "([A-Za-z0-9+/]{4}){0,20}".prop_map(Value::from),
        prop_oneof![
            Just("top"),
            Just("lap"),
            Just("fire"),
            Just("daily"),
            Just("random")
        ]
        .prop_map(Value::from),
    ]
}

fn value() -> impl Strategy<Value = Value> {
    leaf().prop_recursive(3, 24, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::btree_map(prop::sample::select(NAMES), inner, 0..5)
                .prop_map(|map| map.into_iter().map(|(k, v)| (k.to_owned(), v)).collect()),
        ]
    })
}

fn arguments() -> impl Strategy<Value = Value> {
    let object = || {
        prop::collection::btree_map(prop::sample::select(NAMES), value(), 0..4).prop_map(|map| {
            map.into_iter()
                .map(|(k, v)| (k.to_owned(), v))
                .collect::<Value>()
        })
    };
    prop_oneof![4 => object(), 1 => object().prop_map(|one| json!([one])), 1 => value()]
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 64,
        failure_persistence: None,
        ..Default::default()
    })]

    #[test]
    fn calls_answer_whatever_they_are_given(
        calls in prop::collection::vec((prop::sample::select(METHODS), arguments()), 1..40)
    ) {
        let mut host = Host::new(json!({"maxFrames": 60}));
        for ((service, method), args) in calls {
            let reply = host.session.call(service, method, &args);
            let ok = reply["ok"].as_bool();
            prop_assert!(ok.is_some(), "{service} {method} {args}: {reply}");
            if ok == Some(false) {
                let code = reply["code"].as_str().unwrap_or_default();
                prop_assert!(async_protocol::codes::lookup(code).is_some(), "code {code:?}");
                prop_assert!(reply["msg"].is_string());
            }
            host.wait(0.05);
        }
    }

    #[test]
    fn ticks_and_answers_may_be_anything(
        ticks in prop::collection::vec(any::<f64>(), 0..8),
        answers in prop::collection::vec(value(), 0..8),
        bytes in prop::collection::vec(any::<u8>(), 0..200),
    ) {
        let mut host = Host::new(json!({"maxFrames": 60}));
        host.call("recordStart", json!({}));
        for dt in ticks {
            host.wait(dt);
        }
        for answer in answers {
            if let Ok(answer) = Answer::from_json(&answer) {
                host.session.feed(answer);
            }
        }
        for key in ["identity", "outbox", "recording", "other"] {
            let mut files = std::collections::BTreeMap::new();
            files.insert(key.to_owned(), bytes.clone());
            let mut host = Host::with_files(json!({}), files);
            host.wait(1.0);
        }
        for body in [bytes.clone(), b"{}".to_vec(), b"[1]".to_vec()] {
            for method in ["daily", "board", "ticket"] {
                let (mut host, body) = (Host::new(json!({})), body.clone());
                host.network = Box::new(move |_| crate::host::Reaction::Bytes(body.clone()));
                let asked = host.call(method, json!({}))["request"].clone();
                let failed = host.told("net.async.failed");
                prop_assert_eq!(failed.len(), 1, "{} {}", method, asked);
            }
        }
    }
}
