//! Nothing about a run can be changed unnoticed, every checksum being right: an input shows as a
//! divergence in the stretch that holds it, and everything else breaks at least the signature.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail")]

mod recordings;

use async_core::{FrameRate, OptionValue};
use async_protocol::Status;
use async_replay::{
    EndReason, Header, Mark, MarkKind, Opponent, Pause, PlayerId, Run, RunId, UnknownField,
};
use async_verify::Evidence;
use recordings::*;

/// A change of an input that the schema allows, so that only the simulation can object.
fn flip(run: &Run, place: usize, bit: usize) -> Option<Run> {
    let mut changed = run.clone();
    let input = &mut changed.inputs.flat_mut()[place];
    match bit {
        0..32 => input.buttons ^= 1 << bit,
        _ => input.axes[(bit - 32) / 16] ^= 1 << ((bit - 32) % 16),
    }
    let declared = run.header.inputs.as_ref().unwrap().check(input).is_ok();
    declared.then_some(changed)
}

const INPUT_BITS: usize = 32 + 8 * 16;

#[track_caller]
fn assert_refused_around(run: &Run, frame: u32) {
    let verdict = verdict(&reencode(run));
    assert_eq!(verdict.status, Status::Refused, "{verdict:?}");
    assert!(
        ["diverged", "frames_after_finish"].contains(&&*verdict.code),
        "{verdict:?}"
    );
    let (agreed, apart) = (verdict.agreed.unwrap(), verdict.frame.unwrap());
    assert!(
        agreed <= frame && frame < apart,
        "frame {frame} is not in {agreed}..{apart}"
    );
}

#[test]
fn every_flipped_bit_of_every_input_is_a_divergence_around_its_frame() {
    let header = with_option(arena("collect", 1, 10), "seconds", 12);
    let recorded = autopiloted(header, 100);
    let run = recorded.run();
    assert_eq!(verdict(&recorded.bytes).status, Status::Verified);
    let mut refused = 0;
    for place in 0..run.inputs.flat().len() {
        for bit in 0..INPUT_BITS {
            let Some(changed) = flip(&run, place, bit) else {
                refused += assert_undeclared(&run, place, bit);
                continue;
            };
            assert_refused_around(&changed, place as u32);
            refused += 1;
        }
    }
    assert_eq!(refused, run.inputs.flat().len() * INPUT_BITS);
}

/// A bit that the schema does not declare can neither be written nor judged.
fn assert_undeclared(run: &Run, place: usize, bit: usize) -> usize {
    let mut changed = run.clone();
    let input = &mut changed.inputs.flat_mut()[place];
    match bit {
        0..32 => input.buttons ^= 1 << bit,
        _ => input.axes[(bit - 32) / 16] ^= 1 << ((bit - 32) % 16),
    }
    assert_eq!(changed.encode().unwrap_err().code(), "input_undeclared");
    let verdict = verifier().verify_run(&changed, &Evidence::local(&rules()));
    assert_eq!(
        (verdict.status, &*verdict.code),
        (Status::Refused, "input_undeclared")
    );
    1
}

#[test]
fn flips_in_longer_runs_are_found_between_two_checkpoints() {
    for (mode, players) in [("collect", 1), ("race", 2), ("duel", 4)] {
        let recorded = autopiloted(arena(mode, players, 60), 2_000);
        let run = recorded.run();
        assert_eq!(verdict(&recorded.bytes).status, Status::Verified, "{mode}");
        let count = run.inputs.flat().len();
        for step in 0..40 {
            let place = step * (count - 1) / 39;
            let frame = (place / usize::from(players)) as u32;
            // Dash, and the lowest bit of an axis: the least that can be changed.
            for bit in [1, 32 + 16 * (step % 4)] {
                if let Some(changed) = flip(&run, place, bit) {
                    assert_refused_around(&changed, frame);
                    let verdict = verdict(&reencode(&changed));
                    let stretch = verdict.frame.unwrap() - verdict.agreed.unwrap();
                    assert!(stretch <= 600, "{stretch} frames");
                }
            }
        }
    }
}

#[test]
fn a_trace_names_the_exact_frame_and_the_input_that_was_changed() {
    let recorded = autopiloted(arena("duel", 2, 60), 1_500);
    let run = recorded.run();
    let rules = rules();
    let evidence = Evidence {
        trace: Some(&recorded.trace),
        ..Evidence::local(&rules)
    };
    let verifier = verifier();
    assert_eq!(
        verifier.verify(&recorded.bytes, &evidence).status,
        Status::Verified
    );
    let cases = [
        (0, 0, 0, "input[0].buttons.fire"),
        (700, 1, 1, "input[1].buttons.dash"),
        (1_234, 0, 32, "input[0].axes.move_x"),
        (1_499, 1, 32 + 48, "input[1].axes.aim_y"),
    ];
    for (frame, slot, bit, field) in cases {
        let changed = flip(&run, frame * 2 + slot, bit).unwrap();
        let verdict = verifier.verify(&reencode(&changed), &evidence);
        assert_eq!(verdict.frame, Some(frame as u32), "{verdict:?}");
        assert_eq!(verdict.field.as_deref(), Some(field), "{verdict:?}");
        assert!(verdict.agreed.unwrap() <= frame as u32);
    }
}

#[test]
fn a_trace_names_a_state_field_where_the_inputs_are_the_same() {
    let recorded = autopiloted(arena("duel", 2, 60), 700);
    let mut run = recorded.run();
    run.header.seed += 1;
    let rules = rules();
    let evidence = Evidence {
        trace: Some(&recorded.trace),
        ..Evidence::local(&rules)
    };
    let verdict = verifier().verify(&reencode(&run), &evidence);
    assert_eq!(
        (&*verdict.code, verdict.frame),
        ("diverged", Some(0)),
        "{verdict:?}"
    );
    let field = verdict.field.unwrap();
    assert!(!field.starts_with("input["), "{field}");
}

/// A named change of a run or a header.
type Change<T> = (&'static str, fn(&mut T));

/// One change of each header field.
fn header_changes() -> Vec<Change<Header>> {
    vec![
        ("game", |h| h.game = "arenb".into()),
        ("revision", |h| h.revision = 2),
        ("revision 0", |h| h.revision = 0),
        ("build", |h| h.build.push('1')),
        ("options", |h| {
            h.options.insert("rounds", OptionValue::Int(2)).unwrap()
        }),
        ("content", |h| h.content = Some([1; 32])),
        ("mods", |h| h.mods.push("m".into())),
        ("seed", |h| h.seed ^= 1),
        ("slot", |h| h.slot ^= 1),
        ("player", |h| h.player = Some(PlayerId(cheater().player()))),
        ("no player", |h| h.player = None),
        ("player_name", |h| h.player_name.push('!')),
        ("engine", |h| h.engine = "unity".into()),
        ("app", |h| h.app.push('2')),
        ("board", |h| h.board.push('2')),
        ("rate", |h| h.rate = FrameRate::hz(11).unwrap()),
        ("frames_max", |h| h.frames_max -= 1),
        ("inputs", |h| {
            h.inputs.as_mut().unwrap().buttons.push("third".into())
        }),
        ("samples", |h| h.samples = Some(sample_schema(1, 10))),
        ("ticket", |h| h.ticket = Some(vec![1])),
        ("opponent", |h| {
            h.opponent = Some(Opponent {
                run: RunId([1; 16]),
                slot: 1,
            })
        }),
        ("practice", |h| h.practice = true),
        ("meta", |h| drop(h.meta.insert("car".into(), "red".into()))),
        ("unknown", |h| {
            h.unknown.push(UnknownField {
                tag: 200,
                value: vec![1],
            })
        }),
    ]
}

/// Stops compiling when a header field is added: give it a line above, then name it here.
fn assert_no_field_is_forgotten(header: &Header) {
    let Header {
        game: _,
        revision: _,
        build: _,
        options: _,
        content: _,
        mods: _,
        seed: _,
        players: _,
        slot: _,
        player: _,
        player_name: _,
        engine: _,
        app: _,
        board: _,
        rate: _,
        frames_max: _,
        inputs: _,
        samples: _,
        ticket: _,
        opponent: _,
        practice: _,
        meta: _,
        unknown: _,
    } = header;
}

#[test]
fn every_header_field_is_bound() {
    let header = with_option(arena("duel", 2, 10), "rounds", 1);
    let run = autopiloted(header, 80).run();
    assert_no_field_is_forgotten(&run.header);
    for (name, change) in header_changes() {
        let mut changed = run.clone();
        change(&mut changed.header);
        // Some changes cannot even be written: that is a refusal, too.
        let Ok(bytes) = changed.encode() else {
            continue;
        };
        let verdict = verdict(&bytes);
        assert_eq!(verdict.status, Status::Refused, "{name}: {verdict:?}");
        let deep = [
            "revision",
            "revision 0",
            "options",
            "seed",
            "slot",
            "rate",
            "game",
            "inputs",
        ];
        assert_eq!(
            deep.contains(&name),
            verdict.code != "bad_signature",
            "{name}: {verdict:?}"
        );
        // What reaches the simulation is found whoever signs it.
        sign_as(&mut changed, &cheater());
        if deep.contains(&name) {
            let verdict = verifier().verify(&reencode(&changed), &Evidence::local(&rules()));
            assert_eq!(
                verdict.status,
                Status::Refused,
                "{name}, signed anew: {verdict:?}"
            );
        }
    }
}

#[test]
fn the_number_of_players_is_bound() {
    let run = autopiloted(with_option(arena("duel", 4, 10), "rounds", 1), 80).run();
    let mut changed = run.clone();
    changed.header.players = 2;
    // The same flat inputs, read as twice as many frames of two.
    changed.inputs = async_replay::Inputs::new(2, run.inputs.flat().to_vec()).unwrap();
    changed.end.frames *= 2;
    assert_eq!(verdict(&reencode(&changed)).status, Status::Refused);
}

fn part_changes() -> Vec<Change<Run>> {
    vec![
        ("score", |run| run.end.score += 1),
        ("digest", |run| run.end.digest ^= 1 << 63),
        ("reason", |run| run.end.reason = EndReason::Truncated),
        ("finished", |run| run.end.reason = EndReason::Finished),
        ("checkpoint", |run| run.checkpoints[1].digest ^= 1),
        ("no checkpoints", |run| run.checkpoints.clear()),
        ("sample x", |run| run.tracks[0][3].position[0] += 3),
        ("sample yaw", |run| run.tracks[0][3].rotation = turned(run)),
        ("sample flag", |run| run.tracks[0][3].teleport ^= true),
        ("sample gone", |run| drop(run.tracks[0].drain(3..4))),
        ("mark", |run| {
            run.marks.push(Mark {
                frame: 1,
                kind: MarkKind::Lap,
                value: 1,
            })
        }),
        ("pause", |run| {
            run.pauses.push(Pause {
                frame: 1,
                wall_ms: 1,
            })
        }),
        ("signature", |run| run.signature.as_mut().unwrap()[63] ^= 1),
        ("one frame less", |run| {
            run.end.frames -= 1;
            run.inputs.truncate(run.end.frames);
            run.tracks[0].retain(|sample| sample.frame <= run.end.frames);
        }),
    ]
}

fn turned(run: &Run) -> async_replay::Rotation {
    let async_replay::Rotation::Yaw(yaw) = run.tracks[0][3].rotation else {
        unreachable!()
    };
    async_replay::Rotation::Yaw((yaw + 5) % 360)
}

#[test]
fn every_other_part_of_a_run_is_bound() {
    let mut header = arena("collect", 1, 60);
    header.samples = Some(sample_schema(1, 10));
    let recorded = autopiloted(header, 1_500);
    let run = recorded.run();
    assert_eq!(verdict(&recorded.bytes).status, Status::Verified);
    for (name, change) in part_changes() {
        let mut changed = run.clone();
        change(&mut changed);
        let verdict = verdict(&reencode(&changed));
        assert_eq!(verdict.status, Status::Refused, "{name}: {verdict:?}");
        let expected = match name {
            "score" => "score_mismatch",
            "digest" | "checkpoint" | "one frame less" => "diverged",
            "finished" => "unfinished_game",
            "sample x" | "sample yaw" => "samples_differ",
            _ => "bad_signature",
        };
        assert_eq!(verdict.code, expected, "{name}: {verdict:?}");
    }
}

#[test]
fn a_divergence_is_named_although_the_cheater_signed_it() {
    let mut run = autopiloted(arena("collect", 1, 60), 1_300).run();
    run.inputs.flat_mut()[650].buttons ^= 1;
    sign_as(&mut run, &cheater());
    let rules = rules();
    let verdict = verifier().verify(&reencode(&run), &Evidence::for_board(&rules));
    assert_eq!(verdict.code, "diverged");
    assert_eq!((verdict.agreed, verdict.frame), (Some(600), Some(1_200)));
}

#[test]
fn raw_bit_flips_are_damage_with_a_code() {
    let recorded = autopiloted(arena("collect", 1, 10), 60);
    for bit in 0..recorded.bytes.len() * 8 {
        let mut bytes = recorded.bytes.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        let verdict = verdict(&bytes);
        assert_eq!(verdict.status, Status::Refused, "bit {bit}: {verdict:?}");
        assert!(!verdict.code.is_empty() && verdict.code != "ok");
    }
    for length in 0..recorded.bytes.len() {
        assert_eq!(
            verdict(&recorded.bytes[..length]).status,
            Status::Refused,
            "{length} bytes"
        );
    }
}
