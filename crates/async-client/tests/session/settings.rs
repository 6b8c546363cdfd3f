//! Settings errors reach whoever makes the session.

use async_client::Session;
use serde_json::{Value, json};

fn error(kits: &[(&str, Value)]) -> (String, String) {
    let error = Session::new(kits, [0; 32]).unwrap_err();
    (error.code().to_owned(), error.to_string())
}

#[test]
fn the_first_bad_setting_is_named() {
    let kit = |config| [("net.async", config)];
    let (code, msg) = error(&kit(json!({"frameHz": 0})));
    assert!(
        code == "bad_setting" && msg.contains("frameHz") && msg.contains('0'),
        "{msg}"
    );
    let (code, msg) = error(&kit(json!({"frameHZ": 60})));
    assert!(
        code == "unknown_setting" && msg.contains("\"frameHz\""),
        "{msg}"
    );
    let (code, _) = error(&kit(json!({"players": 2, "slot": 2})));
    assert_eq!(code, "bad_setting");
    let (code, msg) = error(&[("net.transprt", json!({}))]);
    assert!(
        code == "unknown_kit" && msg.contains("net.transport"),
        "{msg}"
    );
    let (code, _) = error(&[("net.async", json!({})), ("net.async", json!({}))]);
    assert_eq!(code, "duplicate_kit");
    let (code, _) = error(&[("input.actions", json!({"buttons": [1]}))]);
    assert_eq!(code, "bad_setting");
    let (code, _) = error(&kit(json!({"apiUrl": "ftp://x"})));
    assert!(
        ["bad_setting", "bad_url"].contains(&code.as_str()),
        "{code}"
    );
}

#[test]
fn an_option_that_the_game_does_not_take_is_said_at_the_start() {
    let kits = [("net.async", json!({"gameOptions": {"mode": "chess"}}))];
    let mut session = Session::new(&kits, [0; 32]).unwrap();
    assert_eq!(
        session.call("net.async", "recordStart", &json!({}))["code"],
        "bad_option"
    );
}

#[test]
fn wrappers_fill_app_and_engine() {
    let kits = [
        ("net.transport", json!({"app": "shop", "version": "1.2"})),
        ("game.engine", json!({"engine": "web"})),
    ];
    let mut session = Session::new(&kits, [0; 32]).unwrap();
    session.call("net.async", "recordStart", &json!({}));
    assert_eq!(
        session.call("net.async", "recordStop", &json!({}))["code"],
        "too_short"
    );
    session.tick(0.1, None);
    session.call("net.async", "recordStop", &json!({}));
    let run = session.export(None).unwrap();
    let run = async_replay::Run::open(run, &async_replay::Limits::LARGEST).unwrap();
    let header = run.header;
    assert_eq!(
        (
            header.app.as_str(),
            header.engine.as_str(),
            header.build.as_str()
        ),
        ("shop", "web", "1.2")
    );
}
