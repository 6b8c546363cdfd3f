//! What went wrong for people, by the row of CASES.

use serde_json::json;

use crate::host::{Host, Reaction, accepted, run_of};

/// The upload fails, the game restarts: the run is still sent, whatever moment the crash chose.
#[test]
fn case_u2_a_queued_run_survives_any_restart() {
    let mut host = Host::new(json!({"clock": "host"}));
    let run = host.record(60, 1);
    let submitted = host.call("submit", json!({}));
    assert_eq!(host.told("net.async.queued").len(), 1);
    assert_eq!(
        host.told("net.async.queued")[0]["request"],
        submitted["request"]
    );
    assert_eq!(host.requests.len(), 1);

    let mut host = Host::with_files(json!({"clock": "host"}), host.crash());
    host.network = Box::new(|_| Reaction::Silence);
    host.wait(1.0);
    assert_eq!(
        run_of(&host.requests[0]),
        run,
        "sent again without being asked"
    );

    // It dies between the server's answer and the erasing.
    let sent = host.crash();
    let mut host = Host::with_files(json!({"clock": "host"}), sent);
    host.network = Box::new(|request| Reaction::Answer(200, accepted(&run_of(request), true)));
    host.disk_stalls = true;
    host.wait(600.0);
    assert_eq!(host.told("net.async.submitted").len(), 1);
    let mut host = Host::with_files(json!({"clock": "host"}), host.crash());
    host.network = Box::new(|request| Reaction::Answer(200, accepted(&run_of(request), true)));
    host.wait(600.0);
    assert_eq!(host.told("net.async.submitted")[0]["duplicate"], true);

    let mut host = Host::with_files(json!({"clock": "host"}), host.crash());
    host.wait(600.0);
    assert_eq!(host.requests.len(), 0, "what was answered is gone");
    assert_eq!(host.files.get(&format!("receipt/{run}")).unwrap(), &[1, 2]);
}

#[test]
fn case_u2_nothing_is_sent_before_the_disk_has_it() {
    let mut host = Host::new(json!({"clock": "host"}));
    host.record(60, 1);
    host.disk_stalls = true;
    host.call("submit", json!({}));
    host.wait(60.0);
    assert_eq!(
        (host.requests.len(), host.told("net.async.queued").len()),
        (0, 0)
    );
    host.unstall();
    assert_eq!(
        (host.requests.len(), host.told("net.async.queued").len()),
        (1, 1)
    );
}

#[test]
fn case_u2_a_full_disk_is_said_and_the_run_can_be_submitted_again() {
    let mut host = Host::new(json!({"clock": "host"}));
    host.record(60, 1);
    host.disk_full = true;
    host.call("submit", json!({}));
    let failed = host.told("net.async.failed");
    assert_eq!(
        (failed.len(), failed[0]["code"].as_str()),
        (1, Some("store_failed"))
    );
    assert_eq!(
        (host.requests.len(), host.told("net.async.queued").len()),
        (0, 0)
    );
    host.disk_full = false;
    host.wait(10.0);
    host.call("submit", json!({}));
    host.wait(10.0);
    assert_eq!(host.told("net.async.queued").len(), 1);
}

/// A quick restart during the upload: the run that was stopped is the run that is sent.
#[test]
fn case_u4_a_new_recording_cannot_touch_a_stopped_run() {
    let mut host = Host::new(json!({"clock": "host"}));
    let run = host.record(120, 1);
    let bytes = host.call("export", json!({}))["bytes"].clone();
    host.disk_stalls = true;
    host.call("submit", json!({}));
    host.call("recordStart", json!({"seed": 2}));
    host.play(30, 2);
    host.unstall();
    assert_eq!(run_of(&host.requests[0]), run);
    host.call("recordStop", json!({}));
    host.wait(60.0);
    assert!(host.requests.iter().all(|request| run_of(request) == run));
    assert_eq!(host.call("export", json!({"id": run}))["bytes"], bytes);
}

#[test]
fn case_u4_an_unfinished_run_is_discarded_only_when_asked() {
    let mut host = Host::new(json!({"clock": "host"}));
    host.call("recordStart", json!({"seed": 1}));
    host.play(10, 1);
    assert_eq!(
        host.call("recordStart", json!({}))["code"],
        "already_recording"
    );
    assert_eq!(host.session.frames(), 10);
    assert_eq!(
        host.call("recordStart", json!({"board": "no/key", "restart": true}))["ok"],
        false
    );
    assert_eq!(
        host.session.frames(),
        10,
        "a start that fails discards nothing"
    );
    assert_eq!(
        host.call("recordStart", json!({"restart": true}))["ok"],
        true
    );
    assert_eq!(host.session.frames(), 0);
}

/// The POST times out and is tried again: the very same bytes, one row on any server.
#[test]
fn case_u5_a_retry_is_the_same_request() {
    let mut host = Host::new(json!({"clock": "host"}));
    host.network = Box::new(|_| Reaction::Silence);
    host.record(60, 1);
    host.call("submit", json!({}));
    host.wait(120.0);
    host.wait(120.0);
    assert!(host.requests.len() >= 2);
    let first = host.requests[0].clone();
    assert!(
        host.requests
            .iter()
            .all(|again| again.body == first.body && again.url == first.url)
    );
}

/// The button is hammered.
#[test]
fn case_u7_eight_submits_are_one() {
    let mut host = Host::new(json!({"clock": "host"}));
    host.network = Box::new(|_| Reaction::Silence);
    host.record(60, 1);
    let requests: Vec<_> = (0..8)
        .map(|_| host.call("submit", json!({}))["request"].clone())
        .collect();
    assert!(requests.iter().all(|request| *request == requests[0]));
    assert_eq!(
        (host.requests.len(), host.told("net.async.queued").len()),
        (1, 1)
    );
}

/// Every submission ends: a server that never answers is a retry that is told.
#[test]
fn case_u10_silence_is_a_retry_that_is_told() {
    let mut host = Host::new(json!({"clock": "host"}));
    host.network = Box::new(|_| Reaction::Silence);
    host.record(60, 1);
    host.call("submit", json!({}));
    host.wait(120.0);
    let failed = host.told("net.async.failed");
    assert_eq!(
        (failed.len(), failed[0]["code"].as_str()),
        (1, Some("unreachable"))
    );
    assert!(failed[0]["retry_ms"].as_u64().unwrap() > 0);
}

/// Practice never ranks, and is never sent.
#[test]
fn case_d10_practice_is_never_sent() {
    let mut host = Host::new(json!({"clock": "host"}));
    host.call("recordStart", json!({"practice": true}));
    host.play(60, 1);
    host.call("recordStop", json!({}));
    assert_eq!(host.call("submit", json!({}))["code"], "practice_run");
    let run = host.session.export(None).unwrap();
    let run = async_replay::Run::open(run, &async_replay::Limits::LARGEST).unwrap();
    assert!(run.header.practice);
    assert!(host.requests.is_empty());
}

/// The daily is the server's: without its answer there is none, and practice still works.
#[test]
fn case_d10_no_daily_without_the_server() {
    let mut host = Host::new(json!({"clock": "host", "preset": "daily-challenge", "board": ""}));
    assert_eq!(host.call("recordStart", json!({}))["code"], "no_challenge");
    assert_eq!(
        host.call("recordStart", json!({"practice": true}))["ok"],
        true
    );
    host.network = Box::new(|_| {
        Reaction::Answer(
            200,
            json!({"board": "daily-2026-11-30", "opens_ms": 0, "closes_ms": 1, "server_ms": 2,
                   "seed": 77}),
        )
    });
    host.call("daily", json!({}));
    let started = host.call("recordStart", json!({"restart": true}));
    assert_eq!(
        (&started["ok"], &started["seed"]),
        (&json!(true), &json!(77)),
        "{started}"
    );
    let other = host.call("recordStart", json!({"restart": true, "seed": 78}));
    assert_eq!(other["code"], "bad_arguments");
}

/// What the host draws in between, and how long its own frames take, changes no frame of the run.
#[test]
fn case_v10_the_hosts_frame_rate_changes_nothing() {
    let recorded = |ticks: &[f64]| {
        let mut host = Host::new(json!({"clock": "host"}));
        host.call("recordStart", json!({"seed": 5}));
        for frame in 0..120_u32 {
            let input = async_core::Input {
                buttons: frame / 7 % 4,
                ..Default::default()
            };
            host.session.set_input(0, input).unwrap();
            host.session.step().unwrap();
            ticks.iter().for_each(|dt| host.session.tick(*dt, None));
        }
        host.call("recordStop", json!({}));
        host.session.export(None).unwrap().to_vec()
    };
    let steady = recorded(&[1.0 / 60.0]);
    assert_eq!(steady, recorded(&[0.001, 0.09, 0.0]));
    assert_eq!(steady, recorded(&[]));
}

#[test]
fn case_v10_time_becomes_the_same_frames_in_any_portions() {
    let frames = |portions: &[f64]| {
        let mut host = Host::new(json!({}));
        host.call("recordStart", json!({"seed": 5}));
        portions.iter().for_each(|dt| host.session.tick(*dt, None));
        host.call("recordStop", json!({}))["frames"]
            .as_u64()
            .unwrap()
    };
    assert_eq!(frames(&[1.0 / 60.0; 120]), frames(&[0.1; 20]));
    assert_eq!(frames(&[1.0 / 144.0; 288]), 120);
    assert_eq!(frames(&[1.0 / 30.0; 60]), 120);
}

/// A press that comes and goes between two frames, on a frame that was only drawn, is not there.
#[test]
fn case_v11_input_is_read_once_for_each_frame() {
    let recorded = |polls: u32| {
        let mut host = Host::new(json!({"clock": "host"}));
        host.call("recordStart", json!({"seed": 5}));
        for _ in 0..60 {
            for poll in 0..polls {
                let input = async_core::Input {
                    buttons: poll % 2 + 1,
                    ..Default::default()
                };
                host.session.set_input(0, input).unwrap();
            }
            host.session
                .set_input(0, async_core::Input::default())
                .unwrap();
            host.session.step().unwrap();
        }
        host.call("recordStop", json!({}));
        host.session.export(None).unwrap().to_vec()
    };
    assert_eq!(recorded(0), recorded(3));
}

/// Pausing freezes the frame count; inputs go nowhere; how often and how long is in the run.
#[test]
fn case_t1_a_pause_freezes_frames_and_is_recorded() {
    let mut host = Host::new(json!({}));
    host.call("recordStart", json!({"seed": 5}));
    host.wait(0.1);
    host.session.call("game.engine", "pause", &json!({}));
    host.session
        .call("input.actions", "set", &json!({"buttons": ["fire"]}));
    for _ in 0..50 {
        host.wait(0.1);
    }
    assert_eq!(host.session.variable("net.async.frame"), Some(json!(6)));
    host.session.call("game.engine", "resume", &json!({}));
    host.wait(0.1);
    host.wait(3.25);
    host.call("recordStop", json!({}));
    let run = host.session.export(None).unwrap();
    let run = async_replay::Run::open(run, &async_replay::Limits::LARGEST).unwrap();
    let pauses: Vec<_> = run
        .pauses
        .iter()
        .map(|pause| (pause.frame, pause.wall_ms))
        .collect();
    assert_eq!(pauses, vec![(6, 5000), (12, 3000)]);
    assert_eq!(run.end.frames, 27, "a hitch is caught up by 250 ms at most");
}

#[test]
fn case_t1_a_paused_host_clock_does_not_step() {
    let mut host = Host::new(json!({"clock": "host"}));
    host.call("recordStart", json!({"seed": 5}));
    host.session.step().unwrap();
    host.session.pause();
    host.session.step().unwrap();
    host.session.tick(2.0, None);
    assert_eq!(host.session.frames(), 1);
    host.call("recordStop", json!({}));
    let run = host.session.export(None).unwrap();
    let run = async_replay::Run::open(run, &async_replay::Limits::LARGEST).unwrap();
    assert_eq!(
        (run.pauses[0].frame, run.pauses[0].wall_ms),
        (1, 2000),
        "also one left at the end"
    );
}

/// A wrong device clock changes nothing.
#[test]
fn case_t4_the_time_of_day_is_only_shown() {
    let recorded = |unix_ms| {
        let mut host = Host::new(json!({}));
        host.call("recordStart", json!({"seed": 5}));
        (0..60).for_each(|_| host.session.tick(1.0 / 60.0, unix_ms));
        host.call("recordStop", json!({}));
        host.session.export(None).unwrap().to_vec()
    };
    assert_eq!(recorded(None), recorded(Some(u64::MAX)));
    assert_eq!(recorded(Some(0)), recorded(Some(1)));
}
