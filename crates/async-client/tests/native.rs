//! The native driver: files and HTTP of its own, and a game that never waits for them.
#![cfg(feature = "native")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::net::TcpListener;
use std::path::Path;
use std::time::{Duration, Instant};

use async_client::native::{NativeDriver, entropy};
use async_client::{Event, RecordOptions, Session};
use serde_json::json;

const PATIENCE: Duration = Duration::from_secs(20);

/// A session and its driver, once the player's key is there.
fn device(folder: &Path, api_url: &str) -> (Session, NativeDriver) {
    let kits = [("net.async", json!({"board": "b", "apiUrl": api_url}))];
    let mut session = Session::new(&kits, entropy().unwrap()).unwrap();
    let mut driver = NativeDriver::new(folder).unwrap();
    wait(&mut session, &mut driver, |session| {
        session.player().is_some()
    });
    (session, driver)
}

fn wait(
    session: &mut Session,
    driver: &mut NativeDriver,
    mut done: impl FnMut(&mut Session) -> bool,
) {
    let since = Instant::now();
    while !done(session) {
        assert!(since.elapsed() < PATIENCE, "it does not come");
        driver.pump(session);
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn the_player_is_the_same_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let (session, driver) = device(folder.path(), "");
    let player = session.player();
    drop(driver);
    let (session, _driver) = device(folder.path(), "");
    assert_eq!(session.player(), player);
}

#[test]
fn a_server_that_hangs_holds_neither_the_game_nor_the_drop() {
    let folder = tempfile::tempdir().unwrap();
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/api/v1/async", server.local_addr().unwrap());
    let (mut session, mut driver) = device(folder.path(), &url);
    session.record_start(&RecordOptions::default()).unwrap();
    session.tick(0.2, None);
    session.record_stop(None).unwrap();
    session.submit(None).unwrap();
    wait(&mut session, &mut driver, |session| {
        session
            .events()
            .iter()
            .any(|event| matches!(event, Event::Queued { .. }))
    });
    driver.pump(&mut session);
    let (_held, _) = server.accept().unwrap();
    let since = Instant::now();
    for _ in 0..100 {
        session.tick(0.001, None);
        driver.pump(&mut session);
    }
    assert!(
        since.elapsed() < Duration::from_millis(200),
        "a pump waits: {:?}",
        since.elapsed()
    );
    let since = Instant::now();
    drop(driver);
    assert!(
        since.elapsed() < Duration::from_millis(1_500),
        "a drop takes {:?}",
        since.elapsed()
    );
    let (session, _driver) = device(folder.path(), "");
    assert!(session.player().is_some(), "the folder is free again");
}
