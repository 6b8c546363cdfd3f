//! Ghosts beside a game.

use serde_json::{Value, json};

use crate::host::Host;

fn race() -> Value {
    json!({"clock": "host", "record": "inputs", "order": "asc",
           "gameOptions": {"mode": "race", "laps": 1}})
}

/// A host with a recorded race, and the ghost of it, simulated.
fn with_ghost(config: Value, frames: u32) -> (Host, u64, String) {
    let mut host = Host::new(config);
    let id = host.record(frames, 11);
    let loaded = host.call("loadGhost", json!({"run": id}));
    assert_eq!(loaded["ok"], true, "{loaded}");
    (0..4).for_each(|_| host.wait(0.01));
    (host, loaded["ghost"].as_u64().unwrap(), id)
}

#[test]
fn a_run_of_inputs_becomes_a_ghost_over_ticks() {
    let mut host = Host::new(race());
    let id = host.record(300, 11);
    let ghost = host.call("loadGhost", json!({"run": id}))["ghost"].clone();
    assert_eq!(
        host.call("ghost", json!({"ghost": ghost}))["visible"],
        false
    );
    host.wait(0.01);
    host.call("play", json!({"ghost": ghost, "from": 300, "speed": 0}));
    let end = host.call("ghost", json!({"ghost": ghost}));
    let mut transforms = Vec::new();
    host.session.game().unwrap().transforms(&mut transforms);
    for axis in 0..2 {
        let there = end["pos"][axis].as_f64().unwrap();
        let really = transforms[0].position[axis].to_f64();
        assert!((there - really).abs() < 0.001, "{there} and {really}");
    }
}

#[test]
fn an_engine_of_doubles_hands_back_what_it_was_given() {
    let (mut host, ghost, id) = with_ghost(race(), 200);
    let handle = json!(ghost as f64);
    let played = host.call("play", json!({"ghost": handle, "from": 120.0, "speed": 0}));
    assert_eq!(played["ok"], true, "{played}");
    assert_eq!(host.call("ghost", json!({"ghost": handle}))["frame"], 120);
    let again = json!({"run": id, "slot": 0.0, "offsetFrames": -3.0});
    assert_eq!(host.call("loadGhost", again)["ok"], true);
    let board = host.call("board", json!({"rows": 5.0}));
    assert_eq!(board["ok"], true, "{board}");
    for (method, args) in [
        ("play", json!({"ghost": handle, "from": 1.5})),
        ("play", json!({"ghost": handle, "from": -1.0})),
        ("ghost", json!({"ghost": ghost as f64 + 0.25})),
        ("ghost", json!({"ghost": true})),
        ("fetch", json!({"pick": "top", "count": 33.0})),
        ("recordStart", json!({"seed": 5.0})),
        ("recordStop", json!({"score": 5.0})),
    ] {
        let refused = host.call(method, args.clone());
        assert_eq!(refused["code"], "bad_arguments", "{method} {args}");
    }
}

#[test]
fn samples_and_inputs_show_the_same_ghost() {
    let mut both = race();
    both["record"] = json!("both");
    let (mut sampled, a, _) = with_ghost(both, 200);
    let (mut simulated, b, _) = with_ghost(race(), 200);
    for frame in (0..200).step_by(7) {
        let at = |host: &mut Host, ghost: u64| {
            host.call("play", json!({"ghost": ghost, "from": frame, "speed": 0}));
            host.call("ghost", json!({"ghost": ghost}))["pos"].clone()
        };
        let (a, b) = (at(&mut sampled, a), at(&mut simulated, b));
        for axis in 0..2 {
            let apart = a[axis].as_f64().unwrap() - b[axis].as_f64().unwrap();
            assert!(apart.abs() < 0.011, "{a} and {b} at {frame}");
        }
    }
}

/// The gap goes by progress, over the lap line as well: who plays the same run again 20 frames
/// later is 20 frames behind all along.
#[test]
fn case_g3_the_live_gap_goes_by_progress() {
    let (mut host, ghost, _) = with_ghost(race(), 400);
    host.call("recordStart", json!({"seed": 11}));
    host.call("play", json!({"ghost": ghost}));
    // The ghost runs ahead while the player waits.
    (0..20).for_each(|_| host.session.step().unwrap());
    let mut seen = 0;
    let mut pilot = async_core::autopilot("arena", 11).unwrap();
    for _ in 0..300 {
        let input = pilot.input(host.session.game().unwrap(), 0);
        host.session.set_input(0, input).unwrap();
        host.session.step().unwrap();
        let state = host.session.ghost(ghost, None).unwrap();
        let (frames, progress) = (state.gap_frames.unwrap(), state.gap_progress.unwrap());
        assert_eq!(
            frames.signum(),
            progress.signum(),
            "both ways agree on who is ahead"
        );
        seen += i32::from(frames < 0);
    }
    assert!(seen > 200, "behind in {seen} of 300 frames");
}

/// A player who is still on the way when the ghost is in falls behind with every frame.
#[test]
fn the_gap_in_time_goes_on_after_the_end_of_the_ghost() {
    let (mut host, ghost, _) = with_ghost(race(), 400);
    host.call("recordStart", json!({"seed": 11}));
    host.call("play", json!({"ghost": ghost}));
    let mut gap_after = |frames: u32| {
        (0..frames).for_each(|_| host.session.step().unwrap());
        let state = host.session.ghost(ghost, None).unwrap();
        assert!(state.ended);
        state.gap_frames.unwrap()
    };
    let early = gap_after(420);
    let late = gap_after(50);
    // The body at rest may still settle by a frame's worth of progress.
    assert!(late <= early - 45, "{early}, then {late}");
}

#[test]
fn the_end_of_a_ghost_is_told_once() {
    let (mut host, ghost, id) = with_ghost(race(), 60);
    host.call("play", json!({"ghost": ghost}));
    (0..200).for_each(|_| host.session.step().unwrap());
    host.pump();
    let told = host.told("net.async.ghost_end");
    assert_eq!(
        told,
        vec![json!({"e": "net.async.ghost_end", "ghost": ghost, "id": id})]
    );
    assert_eq!(host.call("ghost", json!({"ghost": ghost}))["ended"], true);
    host.call("play", json!({"ghost": ghost}));
    (0..200).for_each(|_| host.session.step().unwrap());
    host.pump();
    assert_eq!(
        host.told("net.async.ghost_end").len(),
        2,
        "once for each play"
    );
}

/// A ghost is looked at; it cannot touch the game, and nobody sends it.
#[test]
fn case_g9_a_ghost_changes_nothing_and_is_not_submitted() {
    let (mut host, ghost, id) = with_ghost(race(), 200);
    let alone = host.session.export(None).unwrap().to_vec();
    host.call("play", json!({"ghost": ghost}));
    host.record(200, 11);
    assert_eq!(host.session.export(None).unwrap(), alone);

    let run = data_encoding::BASE64.encode(&alone);
    let mut other = Host::new(race());
    assert_eq!(other.call("loadGhost", json!({"run": run}))["ok"], true);
    assert_eq!(
        other.call("submit", json!({"id": id}))["code"],
        "unknown_run"
    );
    assert_eq!(other.call("submit", json!({}))["code"], "unknown_run");
}

#[test]
fn ghosts_are_many_and_bounded_and_their_numbers_are_not_reused() {
    let mut host = Host::new(race());
    let id = host.record(10, 11);
    let load = json!({"run": id, "offsetFrames": -3});
    let ghosts: Vec<_> = (0..256)
        .map(|_| host.call("loadGhost", load.clone())["ghost"].clone())
        .collect();
    assert_eq!(host.call("loadGhost", load.clone())["code"], "ghosts_full");
    assert_eq!(
        host.call("unloadGhost", json!({"ghost": ghosts[7]}))["ok"],
        true
    );
    let again = host.call("loadGhost", load)["ghost"].clone();
    assert!(!ghosts.contains(&again));
    assert_eq!(
        host.call("ghost", json!({"ghost": ghosts[7]}))["code"],
        "unknown_ghost"
    );
    assert_eq!(
        host.call("play", json!({"ghost": ghosts[7]}))["code"],
        "unknown_ghost"
    );
    assert_eq!(host.call("ghost", json!({"ghost": again}))["frame"], 3);
}

/// Long runs are ghosts like any other; unfinished ones are refused by name.
#[test]
fn case_g5_unfinished_runs_are_no_ghosts() {
    let options = json!({"mode": "collect", "seconds": 60});
    let mut host = Host::new(json!({"clock": "host", "gameOptions": options}));
    host.call("recordStart", json!({"seed": 1}));
    host.play(1_300, 1);
    let unfinished = data_encoding::BASE64.encode(&host.files["recording"]);
    let refused = host.call("loadGhost", json!({"run": unfinished}));
    assert_eq!(refused["code"], "unfinished", "{refused}");
}
