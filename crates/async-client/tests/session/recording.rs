//! Recording: samples, limits, engine games, crashes.

use async_replay::{Limits, MarkKind, Rotation, Run};
use serde_json::{Value, json};

use crate::host::Host;

fn run(host: &Host) -> Run {
    Run::open(host.session.export(None).unwrap(), &Limits::LARGEST).unwrap()
}

#[test]
fn a_recorded_run_is_signed_and_verifies_here() {
    let mut host = Host::new(json!({"clock": "host"}));
    let id = host.record(200, 3);
    let verdict = host.call("verify", json!({"run": id}));
    assert_eq!(
        (&verdict["status"], &verdict["ok"]),
        (&json!("verified"), &json!(true))
    );
    let run = run(&host);
    assert_eq!(run.header.player, host.session.player());
    let (player, hash) = (run.header.player.unwrap(), run.full_hash());
    async_identity::verify_run(&player.0, &hash.0, &run.signature.unwrap()).unwrap();
    let told = host.told("net.async.recorded");
    assert_eq!(told.len(), 1);
    assert_eq!(
        (&told[0]["id"], &told[0]["frames"]),
        (&json!(id), &json!(200))
    );
}

#[test]
fn the_game_ending_ends_the_recording_once() {
    let mut host = Host::new(json!({"clock": "host"}));
    host.call("recordStart", json!({"seed": 1}));
    host.play(700, 1);
    assert_eq!(
        host.session.variable("net.async.recording"),
        Some(json!(false))
    );
    let stopped = host.call("recordStop", json!({}));
    assert_eq!(
        (&stopped["frames"], &stopped["truncated"]),
        (&json!(600), &json!(false))
    );
    assert_eq!(host.call("recordStop", json!({}))["code"], "not_recording");
    assert_eq!(host.told("net.async.recorded").len(), 1);
    let run = run(&host);
    assert_eq!(
        host.call("verify", json!({"run": run.id().to_string()}))["status"],
        "verified"
    );
    assert_eq!(run.checkpoints.len(), 1);
}

/// A length of its own, whatever the host's frame rate; and a full buffer is said, once.
#[test]
fn case_g10_a_full_recording_is_truncated_and_said_once() {
    let mut host = Host::new(json!({"clock": "host", "maxFrames": 90}));
    host.call("recordStart", json!({"seed": 1}));
    host.play(200, 1);
    let stopped = host.call("recordStop", json!({}));
    assert_eq!(
        (&stopped["frames"], &stopped["truncated"]),
        (&json!(90), &json!(true))
    );
    assert_eq!(host.told("net.async.recorded").len(), 1);
    assert_eq!(
        host.call("verify", json!({"run": stopped["id"]}))["status"],
        "verified"
    );
}

#[test]
fn case_g10_a_run_never_grows_beyond_its_bytes() {
    let config = json!({"clock": "host", "maxRunBytes": 2048, "gameOptions": {"mode": "duel"},
                        "players": 2});
    let mut host = Host::new(config);
    host.call("recordStart", json!({"seed": 1}));
    for frame in 0..5_000_u32 {
        for slot in 0..2 {
            let wild = i16::try_from(frame.wrapping_mul(2_654_435_761) >> 25).unwrap();
            let mut input = async_core::Input {
                buttons: frame % 4,
                ..Default::default()
            };
            input.axes[..4].fill(wild);
            host.session.set_input(slot, input).unwrap();
        }
        host.session.step().unwrap();
    }
    let stopped = host.call("recordStop", json!({}));
    assert_eq!(stopped["truncated"], true, "{stopped}");
    let bytes = stopped["bytes"].as_u64().unwrap();
    assert!((1_024..=2_048).contains(&bytes), "{bytes} bytes");
}

#[test]
fn samples_are_on_their_grid_and_where_the_game_was() {
    let mut host = Host::new(json!({"clock": "host", "sampleHz": 7}));
    host.call("recordStart", json!({"seed": 9}));
    host.play(50, 9);
    host.call("recordStop", json!({}));
    let run = run(&host);
    let frames: Vec<u32> = run.tracks[0].iter().map(|sample| sample.frame).collect();
    assert_eq!(frames, vec![0, 8, 17, 25, 34, 42, 50]);
    assert_eq!(
        host.call("verify", json!({"run": run.id().to_string()}))["status"],
        "verified"
    );
}

#[test]
fn record_decides_what_is_in_the_run() {
    for (record, inputs, samples, status) in [
        ("inputs", true, false, "verified"),
        ("samples", false, true, "plausible"),
        ("both", true, true, "verified"),
    ] {
        let mut host = Host::new(json!({"clock": "host", "record": record}));
        let id = host.record(100, 4);
        let run = run(&host);
        assert_eq!(
            (run.inputs.frames() > 0, !run.tracks.is_empty()),
            (inputs, samples)
        );
        assert_eq!(
            host.call("verify", json!({"run": id}))["status"],
            status,
            "{record}"
        );
    }
}

/// A second local player's run says whose slot it was.
#[test]
fn case_g7_the_slot_and_the_player_are_in_the_run() {
    let config = json!({"clock": "host", "players": 3, "slot": 2, "player": "Grace",
                        "gameOptions": {"mode": "duel"}});
    let mut host = Host::new(config);
    host.record(100, 4);
    let run = run(&host);
    assert_eq!((run.header.players, run.header.slot), (3, 2));
    assert_eq!(run.header.player_name, "Grace");
    assert_eq!(run.tracks.len(), 3);
}

fn engine_session() -> Host {
    let mut host = Host::new(json!({}));
    let kits = [
        (
            "net.async",
            crate::host::config(json!({"game": "my-kart", "clock": "host",
            "physics": "native", "gameOptions": {}})),
        ),
        (
            "input.actions",
            json!({"buttons": ["drift"], "axes": [{"name": "steer", "bits": 16}]}),
        ),
        (
            "game.engine",
            json!({"engine": "godot", "events": ["boost"], "tracks": [
            {"name": "kart", "dimensions": "3d", "channels": ["progress"]},
            {"name": "camera", "dimensions": "2d"}]}),
        ),
    ];
    host.session = async_client::Session::new(&kits, [9; 32]).unwrap();
    host.pump();
    host
}

fn engine(host: &mut Host, method: &str, args: Value) -> Value {
    host.session.call("game.engine", method, &args)
}

#[test]
fn an_engine_game_records_what_its_engine_says() {
    let mut host = engine_session();
    host.call("recordStart", json!({}));
    for frame in 0..60_i32 {
        let sample = json!({"track": "kart", "pos": [frame, 0, 1.5], "rot": [0, 0, 0, 2],
                            "channels": [frame * 10], "teleport": frame == 31});
        assert_eq!(engine(&mut host, "sample", sample)["ok"], true);
        host.session
            .call("input.actions", "set", &json!({"axes": [0.5]}));
        host.session.step().unwrap();
    }
    assert_eq!(
        engine(&mut host, "mark", json!({"name": "boost", "value": 3}))["ok"],
        true
    );
    assert_eq!(
        engine(&mut host, "progress", json!({"progress": 590}))["ok"],
        true
    );
    let stopped = host.call("recordStop", json!({"score": -12}));
    assert_eq!(
        (&stopped["score"], &stopped["frames"]),
        (&json!(-12), &json!(60))
    );
    let run = run(&host);
    assert_eq!(
        (run.header.revision, run.header.engine.as_str()),
        (0, "godot")
    );
    let kart: Vec<_> = run.tracks[0]
        .iter()
        .map(|s| (s.frame, s.teleport))
        .collect();
    assert_eq!(kart[..3], [(6, false), (12, false), (18, false)]);
    assert!(
        kart.contains(&(36, true)),
        "a teleport between samples is kept: {kart:?}"
    );
    assert_eq!(run.tracks[0][1].position, [550, 0, 75]);
    assert!(matches!(run.tracks[0][0].rotation, Rotation::Quaternion(_)));
    assert!(run.tracks[1].is_empty(), "nobody said where the camera is");
    assert_eq!(run.marks[0].kind, MarkKind::Custom(0));
    assert_eq!(
        host.call("verify", json!({"run": run.id().to_string()}))["status"],
        "plausible"
    );
}

#[test]
fn calls_for_engine_games_are_refused_elsewhere() {
    let mut host = Host::new(json!({"clock": "host"}));
    host.call("recordStart", json!({}));
    for (method, args) in [
        ("score", json!({"score": 1})),
        ("progress", json!({"progress": 1})),
    ] {
        assert_eq!(
            engine(&mut host, method, args)["code"],
            "not_an_engine_game"
        );
    }
    assert_eq!(
        host.call("recordStop", json!({"score": 1}))["code"],
        "not_an_engine_game"
    );
    host.session.step().unwrap();
    assert_eq!(host.call("recordStop", json!({}))["ok"], true);
    let mut host = engine_session();
    let sample = json!({"track": "kart", "pos": [0, 0, 0]});
    assert_eq!(engine(&mut host, "sample", sample)["code"], "not_recording");
    host.call("recordStart", json!({}));
    for wrong in [
        json!({"track": "boat", "pos": [0, 0, 0]}),
        json!({"track": "kart", "pos": [0]}),
        json!({"track": "kart", "pos": [1e300, 0, 0]}),
        json!({"track": "kart", "pos": [0, 0, 0], "rot": [0, 0, 0, 0]}),
        json!({"track": "kart", "pos": [0, 0, 0], "channels": [0, 1]}),
        json!({"track": "camera", "pos": [0, 0], "rot": [0, 0, 0, 1]}),
    ] {
        assert_eq!(
            engine(&mut host, "sample", wrong.clone())["ok"],
            false,
            "{wrong}"
        );
    }
}

/// A crash loses at most a chunk: what was on disk is a run again, signed and verified.
#[test]
fn a_crash_leaves_a_run_of_its_whole_chunks() {
    let options = json!({"mode": "collect", "seconds": 60});
    let config = json!({"clock": "host", "gameOptions": options});
    let mut host = Host::new(config.clone());
    host.call("recordStart", json!({"seed": 6}));
    host.play(2_500, 6);
    let files = host.crash();
    for cut in [0, 1, 40] {
        let mut files = files.clone();
        let recording = files.get_mut("recording").unwrap();
        recording.truncate(recording.len() - cut);
        let mut host = Host::with_files(config.clone(), files);
        let told = host.told("net.async.recorded");
        assert_eq!((told.len(), &told[0]["recovered"]), (1, &json!(true)));
        let frames = told[0]["frames"].as_u64().unwrap();
        assert!((1_000..2_500).contains(&frames), "{frames} frames");
        let verdict = host.call("verify", json!({"run": told[0]["id"]}));
        assert_eq!(verdict["status"], "verified", "{verdict}");
        assert_eq!(host.call("submit", json!({}))["ok"], true);
    }
}

#[test]
fn the_last_run_is_at_hand_after_a_restart() {
    let mut host = Host::new(json!({"clock": "host"}));
    let id = host.record(100, 6);
    let mut host = Host::with_files(json!({"clock": "host"}), host.crash());
    assert_eq!(host.call("submit", json!({}))["id"], json!(id));
    assert!(
        host.told("net.async.recorded").is_empty(),
        "it was told of before"
    );
}

#[test]
fn a_recording_before_the_key_is_loaded_is_signed_at_its_end() {
    let kits = [("net.async", crate::host::config(json!({"clock": "host"})))];
    let mut host = Host::new(json!({}));
    host.session = async_client::Session::new(&kits, [3; 32]).unwrap();
    assert_eq!(host.session.player(), None);
    host.session.call("net.async", "recordStart", &json!({}));
    host.session.step().unwrap();
    host.pump();
    host.call("recordStop", json!({}));
    let run = run(&host);
    assert_eq!(run.header.player, host.session.player());
    assert_eq!(
        host.call("verify", json!({"run": run.id().to_string()}))["status"],
        "verified"
    );
    assert_eq!(host.call("submit", json!({}))["ok"], true);
}

#[test]
fn a_trace_is_kept_beside_the_run_and_names_what_differs() {
    let mut host = Host::new(json!({"clock": "host"}));
    host.call("recordStart", json!({"seed": 1, "trace": true}));
    host.play(100, 1);
    let id = host.call("recordStop", json!({}))["id"].clone();
    let exported = host.call("export", json!({"trace": true}));
    let verdict = host.call("verify", json!({"run": id, "trace": exported["trace"]}));
    assert_eq!(verdict["status"], "verified");
    assert!(
        host.files
            .contains_key(&format!("trace/{}", id.as_str().unwrap()))
    );
    let mut run = run(&host);
    run.inputs.flat_mut()[70].buttons ^= 1;
    let tampered = data_encoding::BASE64.encode(&run.encode().unwrap());
    let verdict = host.call(
        "verify",
        json!({"run": tampered, "trace": exported["trace"]}),
    );
    assert_eq!(
        (&verdict["status"], &verdict["code"]),
        (&json!("refused"), &json!("diverged"))
    );
    assert_eq!(
        (&verdict["frame"], &verdict["field"]),
        (&json!(70), &json!("input[0].buttons.fire"))
    );
}

#[test]
fn meta_is_in_the_run_and_nowhere_in_the_game() {
    let mut host = Host::new(json!({"clock": "host"}));
    host.record(60, 1);
    let plain = run(&host);
    let meta = json!({"car": "red", "lap": ""});
    let started = host.call("recordStart", json!({"seed": 1, "meta": meta}));
    assert_eq!(started["ok"], true, "{started}");
    host.play(60, 1);
    let noted = host.call("recordStop", json!({}))["id"].clone();
    let with_meta = run(&host);
    assert_eq!(json!(with_meta.header.meta), meta);
    assert_ne!(with_meta.id(), plain.id(), "it is hashed");
    assert_eq!(with_meta.end, plain.end, "it is not simulated");
    assert_eq!(with_meta.header.ruleset(), plain.header.ruleset());
    assert_eq!(
        host.call("verify", json!({"run": noted}))["status"],
        "verified"
    );
}

#[test]
fn bad_meta_is_refused_and_discards_nothing() {
    let mut host = Host::new(json!({"clock": "host"}));
    host.call("recordStart", json!({"seed": 1}));
    host.play(30, 1);
    let long = "x".repeat(257);
    for (meta, code) in [
        (json!("text"), "bad_arguments"),
        (json!(["car"]), "bad_arguments"),
        (json!({"car": 1}), "bad_arguments"),
        (json!({"car": {"colour": "red"}}), "bad_arguments"),
        (json!({"": "red"}), "bad_header"),
        (json!({"car": long}), "bad_header"),
    ] {
        let args = json!({"meta": meta, "restart": true});
        assert_eq!(host.call("recordStart", args)["code"], code, "{meta}");
    }
    assert_eq!(host.session.frames(), 30);
    assert_eq!(host.call("recordStop", json!({}))["frames"], 30);
}
