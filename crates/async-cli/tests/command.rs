//! The command as people and programs run it: output, exit statuses and messages.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail")]

mod recordings;

use std::fs;

use recordings::{Ran, gf_async, record, signed_by_a_cheater};
use serde_json::Value;

/// Both programs without any option must find each other.
#[test]
fn the_usual_server_is_where_the_server_listens_by_default() {
    let help = gf_async(["board".as_ref(), "--help".as_ref()]).stdout;
    assert!(help.contains("http://127.0.0.1:8787"), "{help}");
    let about = gf_async(["--help".as_ref()]).stdout;
    assert!(about.starts_with("Record, verify, rank"), "{about}");
}

fn first(ran: &Ran) -> Value {
    ran.objects
        .first()
        .unwrap_or_else(|| panic!("no output: {ran:?}"))
        .clone()
}

#[test]
fn a_good_run_is_verified_and_the_exit_status_is_0() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("good.gfrun");
    fs::write(&file, record(300).bytes).unwrap();
    let ran = gf_async(["--json".as_ref(), "verify".as_ref(), file.as_os_str()]);
    assert_eq!((ran.status, ran.objects.len()), (0, 1), "{ran:?}");
    let verdict = first(&ran);
    assert_eq!(verdict["status"], "verified");
    assert_eq!(verdict["code"], "ok");
    assert_eq!(verdict["ok"], true);
    assert_eq!(verdict["frames"], 300);
    assert_eq!(verdict["file"], file.to_str().unwrap());
    let text = gf_async(["verify".as_ref(), file.as_os_str()]);
    assert_eq!(text.status, 0);
    assert!(
        text.stdout.contains("verified") && text.stdout.contains("300 frames"),
        "{text:?}"
    );
    assert!(
        !text.stdout.contains('\u{1b}'),
        "no colour without a terminal"
    );
}

#[test]
fn a_changed_run_is_refused_with_its_stretch_and_exit_status_1() {
    let folder = tempfile::tempdir().unwrap();
    let recorded = record(1_300);
    let (file, trace) = (
        folder.path().join("bad.gfrun"),
        folder.path().join("good.trace"),
    );
    fs::write(&file, signed_by_a_cheater(&recorded.bytes, 700)).unwrap();
    fs::write(&trace, &recorded.trace).unwrap();
    let ran = gf_async(["--json".as_ref(), "verify".as_ref(), file.as_os_str()]);
    assert_eq!(ran.status, 1, "{ran:?}");
    let verdict = first(&ran);
    assert_eq!(
        (&verdict["code"], &verdict["ok"]),
        (&"diverged".into(), &false.into())
    );
    assert_eq!(
        (&verdict["agreed"], &verdict["frame"]),
        (&600.into(), &1_200.into())
    );
    let traced = gf_async([
        "--json".as_ref(),
        "verify".as_ref(),
        file.as_os_str(),
        "--trace".as_ref(),
        trace.as_os_str(),
    ]);
    let verdict = first(&traced);
    assert_eq!(verdict["frame"], 700, "{traced:?}");
    assert_eq!(verdict["field"], "input[0].buttons.dash");
}

/// One bad ghost made a whole batch of times refused.
#[test]
fn case_v14_a_folder_gets_one_verdict_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let inner = folder.path().join("more");
    fs::create_dir(&inner).unwrap();
    let good = record(120).bytes;
    fs::write(folder.path().join("a.gfrun"), &good).unwrap();
    fs::write(folder.path().join("b.gfrun"), &good[..good.len() - 9]).unwrap();
    fs::write(
        folder.path().join("notes.txt"),
        "not a run, and not asked about",
    )
    .unwrap();
    fs::write(inner.join("c.gfrun"), &good).unwrap();
    let ran = gf_async([
        "--json".as_ref(),
        "verify".as_ref(),
        folder.path().as_os_str(),
    ]);
    assert_eq!(ran.status, 1, "{ran:?}");
    let mut judged: Vec<(String, String)> = ran
        .objects
        .iter()
        .map(|verdict| {
            let name = verdict["file"]
                .as_str()
                .unwrap()
                .rsplit('/')
                .next()
                .unwrap();
            (
                name.to_owned(),
                verdict["status"].as_str().unwrap().to_owned(),
            )
        })
        .collect();
    judged.sort();
    let expected = [
        ("a.gfrun", "verified"),
        ("b.gfrun", "refused"),
        ("c.gfrun", "verified"),
    ];
    assert_eq!(
        judged,
        expected.map(|(name, status)| (name.to_owned(), status.to_owned()))
    );
}

#[test]
fn missing_foreign_cut_and_empty_files_have_messages() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        path
    };
    let good = record(120).bytes;
    let cases = [
        (folder.path().join("nowhere.gfrun"), 2, "file_not_found"),
        (write("foreign", b"PNG, or anything else"), 1, "not_a_run"),
        (write("cut", &good[..good.len() / 2]), 1, "truncated"),
        (write("empty", b""), 1, "truncated"),
    ];
    for (path, status, code) in cases {
        let ran = gf_async(["--json".as_ref(), "verify".as_ref(), path.as_os_str()]);
        assert_eq!(
            (ran.status, &first(&ran)["code"]),
            (status, &code.into()),
            "{path:?}"
        );
        let text = gf_async(["verify".as_ref(), path.as_os_str()]);
        assert_eq!(text.status, status);
        let said = format!("{}{}", text.stdout, text.stderr);
        assert!(
            said.contains(path.file_name().unwrap().to_str().unwrap()),
            "{said}"
        );
    }
}

#[test]
fn a_file_that_cannot_be_judged_keeps_none_from_its_verdict() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("good.gfrun");
    fs::write(&file, record(120).bytes).unwrap();
    let missing = folder.path().join("missing.gfrun");
    let ran = gf_async([
        "--json".as_ref(),
        "verify".as_ref(),
        missing.as_os_str(),
        file.as_os_str(),
    ]);
    assert_eq!((ran.status, ran.objects.len()), (2, 2), "{ran:?}");
    assert_eq!(ran.objects[1]["status"], "verified");
    let nothing = tempfile::tempdir().unwrap();
    let ran = gf_async([
        "--json".as_ref(),
        "verify".as_ref(),
        nothing.path().as_os_str(),
    ]);
    assert_eq!((ran.status, &first(&ran)["code"]), (2, &"no_runs".into()));
}

#[test]
fn inspect_shows_header_streams_and_end() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("run.gfrun");
    let bytes = record(1_300).bytes;
    fs::write(&file, &bytes).unwrap();
    let ran = gf_async(["--json".as_ref(), "inspect".as_ref(), file.as_os_str()]);
    assert_eq!(ran.status, 0, "{ran:?}");
    let shown = first(&ran);
    assert_eq!(shown["header"]["game"], "arena");
    assert_eq!(shown["header"]["options"]["mode"], "collect");
    assert_eq!(shown["header"]["meta"]["car"], "red");
    assert_eq!(
        (&shown["frames"], &shown["signed"]),
        (&1_300.into(), &true.into())
    );
    assert_eq!(shown["checkpoints"].as_array().unwrap().len(), 2);
    let streams = shown["streams"].as_object().unwrap();
    let sum: u64 = streams
        .values()
        .map(|stream| stream["bytes"].as_u64().unwrap())
        .sum();
    // The magic and the version belong to no chunk.
    assert_eq!(sum + 4, bytes.len() as u64);
    let text = gf_async(["inspect".as_ref(), file.as_os_str()]);
    for word in [
        "game",
        "arena",
        "seed",
        "inputs",
        "checkpoint",
        "score",
        "meta",
    ] {
        assert!(
            text.stdout.contains(word),
            "{word} is missing in {}",
            text.stdout
        );
    }
}

#[test]
fn inspect_tells_what_each_column_of_the_inputs_costs() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("run.gfrun");
    fs::write(&file, record(1_300).bytes).unwrap();
    let ran = gf_async(["--json".as_ref(), "inspect".as_ref(), file.as_os_str()]);
    let inputs = &first(&ran)["streams"]["inputs"];
    let shares = inputs["shares"].as_object().unwrap();
    let names: Vec<&str> = shares.keys().map(String::as_str).collect();
    let wanted = ["aim_x", "aim_y", "buttons", "move_x", "move_y", "when"];
    assert_eq!(names, wanted);
    let sum: f64 = shares.values().map(|share| share.as_f64().unwrap()).sum();
    assert!((0.99..1.01).contains(&sum), "{sum}");
    assert_eq!(inputs["prior"], Value::Null);
    assert_eq!(inputs["seekable"], true);
}

/// Train on a folder, write a run with the prior, look into it with and without.
#[test]
fn a_prior_is_trained_used_and_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let runs = folder.path().join("runs");
    fs::create_dir(&runs).unwrap();
    for (number, frames) in [900, 1_000, 1_100, 1_200].into_iter().enumerate() {
        fs::write(runs.join(format!("{number}.gfrun")), record(frames).bytes).unwrap();
    }
    let prior = path("arena.gfprior");
    let command =
        |arguments: &[&str]| gf_async(["--json"].iter().chain(arguments).map(AsRef::as_ref));
    let ran = command(&["train", runs.to_str().unwrap(), "--output", &prior]);
    let told = first(&ran);
    assert_eq!((ran.status, &told["runs"]), (0, &4.into()), "{ran:?}");
    assert_eq!(
        (&told["inputs"], &told["learned"]),
        (&4_200.into(), &4_200.into())
    );
    assert!(told["with"].as_u64() < told["without"].as_u64(), "{told}");
    assert_eq!(told["bytes"], fs::metadata(&prior).unwrap().len());

    let (plain, small) = (path("runs/0.gfrun"), path("small.gfrun"));
    let ran = command(&["recode", &plain, "--output", &small, "--prior", &prior]);
    assert_eq!(ran.status, 0, "{ran:?}");
    let recoded = first(&ran);
    assert!(recoded["bytes"].as_u64() < recoded["bytes_before"].as_u64());
    let ran = command(&["inspect", &small]);
    let code = &first(&ran)["code"];
    assert_eq!((ran.status, code), (2, &"missing_prior".into()), "{ran:?}");
    let shown = first(&command(&["inspect", &small, "--prior", &prior]));
    assert_eq!(shown["streams"]["inputs"]["prior"], told["prior"]);
    assert_eq!(shown["id"], recoded["id"]);

    // And back again, for whoever has no prior.
    let back = path("back.gfrun");
    let ran = command(&["recode", &small, "--output", &back, "--read-prior", &prior]);
    assert_eq!((ran.status, &first(&ran)["id"]), (0, &recoded["id"]));
    let ran = command(&["inspect", &back]);
    assert_eq!((ran.status, &first(&ran)["id"]), (0, &recoded["id"]));
}

#[test]
fn what_cannot_be_trained_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let train = |from: &str| {
        let arguments = ["--json", "train", from, "--output", &path("out.gfprior")];
        let ran = gf_async(arguments.map(AsRef::as_ref));
        let (code, msg) = (first(&ran)["code"].clone(), first(&ran)["msg"].to_string());
        assert_eq!(ran.status, 2, "{ran:?}");
        (code, msg)
    };
    assert_eq!(train(&path("nowhere.gfrun")).0, "file_not_found");
    assert_eq!(train(folder.path().to_str().unwrap()).0, "no_runs");
    fs::write(path("broken.gfrun"), "nothing of the kind").unwrap();
    let (code, msg) = train(folder.path().to_str().unwrap());
    assert_eq!(code, "not_a_run");
    assert!(msg.contains("broken.gfrun"), "{msg}");
    assert!(!folder.path().join("out.gfprior").exists());

    fs::write(path("run.gfrun"), record(300).bytes).unwrap();
    let arguments = [
        "--json",
        "inspect",
        &path("run.gfrun"),
        "--prior",
        &path("run.gfrun"),
    ];
    let ran = gf_async(arguments.map(AsRef::as_ref));
    assert_eq!(
        (ran.status, &first(&ran)["code"]),
        (2, &"not_a_prior".into())
    );
}

#[test]
fn inspect_shows_what_is_whole_of_a_cut_run() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("cut.gfrun");
    let bytes = record(1_300).bytes;
    fs::write(&file, &bytes[..bytes.len() - 5]).unwrap();
    let ran = gf_async(["--json".as_ref(), "inspect".as_ref(), file.as_os_str()]);
    let shown = first(&ran);
    assert_eq!((ran.status, &shown["ok"]), (1, &false.into()), "{ran:?}");
    assert!(shown["whole_bytes"].as_u64().unwrap() < bytes.len() as u64);
    fs::write(&file, "nothing of the kind").unwrap();
    let ran = gf_async(["--json".as_ref(), "inspect".as_ref(), file.as_os_str()]);
    assert_eq!((ran.status, &first(&ran)["code"]), (2, &"not_a_run".into()));
}

#[test]
fn a_server_that_is_not_there_is_named_and_the_run_waits() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("run.gfrun");
    fs::write(&file, record(120).bytes).unwrap();
    let data = folder.path().join("data");
    // A port that was free a moment ago, so that nothing listens there.
    let port = std::net::TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .port();
    let url = format!("http://127.0.0.1:{port}");
    let server = [
        "--url",
        &url,
        "--timeout",
        "1",
        "--data-dir",
        data.to_str().unwrap(),
    ];
    for command in [
        &["board", "b"][..],
        &["daily"],
        &["submit", file.to_str().unwrap()],
    ] {
        let arguments = ["--json"]
            .into_iter()
            .chain(command.iter().copied())
            .chain(server);
        let ran = gf_async(arguments.map(AsRef::as_ref));
        assert_eq!(
            (ran.status, &first(&ran)["code"]),
            (2, &"unreachable".into()),
            "{ran:?}"
        );
        let msg = first(&ran)["msg"].to_string();
        assert!(msg.contains(&url), "{msg}");
        assert_eq!(msg.contains("outbox"), command[0] == "submit", "{msg}");
    }
    let bad = gf_async(["--json".as_ref(), "fetch".as_ref(), "no-id".as_ref()]);
    assert_eq!((bad.status, &first(&bad)["code"]), (2, &"bad_id".into()));
}

#[test]
fn wrong_arguments_exit_with_2_and_help_with_0() {
    assert_eq!(gf_async(["verify".as_ref()]).status, 2);
    assert_eq!(gf_async(["no-such-command".as_ref()]).status, 2);
    let help = gf_async(["--help".as_ref()]);
    assert_eq!(help.status, 0);
    for command in [
        "demo", "verify", "inspect", "submit", "fetch", "board", "daily",
    ] {
        assert!(
            help.stdout.contains(command),
            "{command} is missing in the help"
        );
    }
}
