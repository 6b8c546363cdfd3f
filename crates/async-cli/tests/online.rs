//! board, daily, fetch and submit against a real server: the one that `demo --serve` leaves
//! running.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail")]

mod recordings;

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use recordings::{Ran, build_server, gf_async};
use serde_json::Value;

/// A server with the demo's two runs, in the process of the demo that made them.
struct Served {
    child: Child,
    url: String,
    /// The demo's folder stays while somebody serves from it.
    folder: tempfile::TempDir,
}

impl Served {
    fn start() -> Self {
        build_server();
        let folder = tempfile::tempdir().unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_gf-async"));
        command
            .args(["--json", "demo", "--serve"])
            .env("TMPDIR", folder.path());
        command.stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let last = lines.map_while(Result::ok).find_map(|line| {
            let step: Value = serde_json::from_str(&line).unwrap();
            (step["step"] == "done" || step["ok"] != true).then_some(step)
        });
        let last = last.unwrap();
        assert_eq!(
            (&last["step"], &last["ok"]),
            (&"done".into(), &true.into()),
            "{last}"
        );
        Self {
            child,
            url: last["serving"].as_str().unwrap().to_owned(),
            folder,
        }
    }

    fn ask(&self, arguments: &[&str]) -> Ran {
        let data = self.folder.path().join("asking");
        let server = ["--json", "--app", "demo", "--url", &self.url, "--data-dir"];
        let data = [data.to_str().unwrap()];
        let all = arguments.iter().chain(&server).chain(&data);
        gf_async(all.map(|part| part.as_ref()))
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // Asked to stop, the demo stops its server and removes its folder.
        let pid = self.child.id().to_string();
        let asked = Command::new("kill").args(["-TERM", &pid]).status();
        assert!(asked.is_ok_and(|status| status.success()));
        let _ = self.child.wait();
    }
}

#[test]
fn a_server_is_asked_for_its_board_its_runs_and_its_daily() {
    let served = Served::start();
    let board = served.ask(&["board", "demo-race", "--rows", "1"]);
    assert_eq!(board.status, 0, "{board:?}");
    let page = &board.objects[0];
    assert_eq!((&page["total"], &page["order"]), (&2.into(), &"asc".into()));
    assert_eq!(page["rows"].as_array().unwrap().len(), 1);
    let next = served.ask(&[
        "board",
        "demo-race",
        "--cursor",
        page["next"].as_str().unwrap(),
    ]);
    assert_eq!(next.objects[0]["rows"][0]["position"], 2, "{next:?}");

    let daily = served.ask(&["daily"]);
    assert!(
        daily.objects[0]["board"]
            .as_str()
            .unwrap()
            .starts_with("daily-"),
        "{daily:?}"
    );

    let runs = served.folder.path().join("runs");
    let output = runs.to_str().unwrap();
    let fetched = served.ask(&[
        "fetch",
        "--board",
        "demo-race",
        "--count",
        "2",
        "-o",
        output,
    ]);
    assert_eq!(
        (fetched.status, fetched.objects.len()),
        (0, 2),
        "{fetched:?}"
    );
    let judged = gf_async(["--json".as_ref(), "verify".as_ref(), runs.as_os_str()]);
    assert_eq!((judged.status, judged.objects.len()), (0, 2), "{judged:?}");

    let best = &fetched.objects[0];
    assert_eq!(best["id"], page["rows"][0]["run"]);
    let again = served.ask(&["submit", best["file"].as_str().unwrap()]);
    let answer = &again.objects[0];
    assert_eq!(
        (again.status, &answer["duplicate"]),
        (0, &true.into()),
        "{again:?}"
    );
    assert_eq!(answer["rank"], 1);

    let nobody = served.ask(&["fetch", "00000000000000000000000000000000", "-o", output]);
    assert_eq!(
        (nobody.status, &nobody.objects[0]["ok"]),
        (2, &false.into()),
        "{nobody:?}"
    );
}

#[test]
fn a_changed_run_is_refused_by_the_server_with_its_stretch() {
    let served = Served::start();
    let runs = served.folder.path().join("runs");
    let output = runs.to_str().unwrap();
    let fetched = served.ask(&["fetch", "--board", "demo-race", "-o", output]);
    assert_eq!(fetched.status, 0, "{fetched:?}");
    let file = fetched.objects[0]["file"].as_str().unwrap();
    let bytes = std::fs::read(file).unwrap();
    std::fs::write(file, recordings::signed_by_a_cheater(&bytes, 610)).unwrap();
    let refused = served.ask(&["submit", file]);
    assert_eq!(refused.status, 1, "{refused:?}");
    let answer = &refused.objects[0];
    assert_eq!(
        (&answer["ok"], &answer["code"]),
        (&false.into(), &"diverged".into())
    );
    assert_eq!(answer["verdict"]["agreed"], 600);
}
