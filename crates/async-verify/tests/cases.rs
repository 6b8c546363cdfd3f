//! What went wrong for people elsewhere, and what must happen here: one test a case.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail")]

mod recordings;

use async_core::{Catalogue, Simulation};
use async_identity::{ServerKey, Ticket};
use async_protocol::{Rules, Status, TicketRule};
use async_replay::{Limits, Run};
use async_verify::{Evidence, SignatureRule, TicketEvidence, Verifier};
use recordings::*;

/// The first viewing was fine, the second one desynced; so did thirty times the speed.
#[test]
fn case_v6_any_number_of_viewings_at_any_speed_agree() {
    let recorded = autopiloted(arena("duel", 3, 60), 1_000);
    let (run, verifier, rules) = (recorded.run(), verifier(), rules());
    let first = verifier.verify(&recorded.bytes, &Evidence::local(&rules));
    assert_eq!(first.status, Status::Verified);
    for _ in 0..3 {
        assert_eq!(
            verifier.verify(&recorded.bytes, &Evidence::local(&rules)),
            first
        );
    }
    // Viewed in strides, with a save and a load between them, as a player that skips does.
    for stride in [1, 7, 30, 333] {
        let catalogue = Catalogue::standard();
        let setup = setup(&run.header);
        let start = || Simulation::start(&catalogue, "arena", 1, &setup).unwrap();
        let mut viewing = start();
        for frame in 0..run.inputs.frames() {
            if frame % stride == 0 {
                let mut saved = Vec::new();
                viewing.save(&mut saved);
                viewing = start();
                viewing.load(&saved).unwrap();
            }
            viewing.step(run.inputs.frame(frame)).unwrap();
        }
        assert_eq!(viewing.run_digest(), first.digest, "stride {stride}");
    }
}

/// Clients chose the seed, and runs were dropped without a reason.
#[test]
fn case_v13_the_seed_is_the_tickets_and_every_refusal_has_a_code() {
    let run = autopiloted(arena("collect", 1, 60), 600).run();
    let rules = rules();
    let fitting = ticket_for(&run);
    let judge = |ticket: &Ticket, status, code| {
        let arrived_ms = ticket.issued_ms + 20_000;
        let ticket = Some(TicketEvidence {
            ticket,
            app: "tests",
            arrived_ms,
        });
        check(
            &run,
            &Evidence {
                ticket,
                ..Evidence::for_board(&rules)
            },
            status,
            code,
        )
    };
    judge(&fitting, Status::Verified, "ok");
    let other_seed = Ticket {
        seed: fitting.seed + 1,
        ..fitting.clone()
    };
    judge(&other_seed, Status::Refused, "ticket_wrong_seed");
    let other_player = Ticket {
        player: cheater().player(),
        ..fitting.clone()
    };
    judge(&other_player, Status::Refused, "ticket_wrong_player");
    let other_board = Ticket {
        board: "c".into(),
        ..fitting
    };
    judge(&other_board, Status::Refused, "ticket_wrong_board");
}

fn ticket_for(run: &Run) -> Ticket {
    Ticket {
        version: 1,
        key_id: ServerKey::from_seed([1; 32]).key_id(),
        app: "tests".into(),
        player: key().player(),
        board: run.header.board.clone(),
        ruleset: run.header.ruleset().0,
        opponent: None,
        seed: run.header.seed,
        attempt: 0,
        issued_ms: 1_000_000,
        expires_ms: 9_000_000,
        nonce: [0; 16],
    }
}

/// A run that is doubted is kept, so it must be signed and ticketed as any other: else anybody
/// could put runs and a name under a player's key by claiming too much.
#[test]
fn case_u7_what_is_quarantined_is_the_players_own() {
    let standing = [Some((0.0, 0.0)), Some((0.1, 0.0)), Some((0.2, 0.0))];
    let leaping = [Some((0.0, 0.0)), Some((500.0, 0.0)), Some((1000.0, 0.0))];
    let strict = Rules {
        max_score: 10,
        max_speed: 5.0,
        ..rules()
    };
    for (points, score, code) in [
        (&standing, 11, "score_exceeded"),
        (&leaping, 5, "speed_exceeded"),
    ] {
        let mut run = engine_run(points, &[], score);
        sign_as(&mut run, &key());
        let board = Evidence::for_board(&strict);
        check(&run, &board, Status::Quarantined, code);
        let ticketed = Rules {
            ticket: TicketRule::Required,
            ..strict.clone()
        };
        let board = Evidence {
            rules: &ticketed,
            ..board
        };
        check(&run, &board, Status::Refused, "ticket_required");
        let board = Evidence::for_board(&strict);
        run.signature = Some(cheater().sign_run(&run.full_hash().0));
        check(&run, &board, Status::Refused, "bad_signature");
        run.signature = None;
        check(&run, &board, Status::Refused, "unsigned");
    }
}

/// One bad ghost made a whole batch of times refused.
#[test]
fn case_v14_runs_are_judged_one_by_one() {
    let good = autopiloted(arena("collect", 1, 60), 300).bytes;
    let mut bad = good.clone();
    bad.truncate(good.len() / 2);
    let (verifier, rules) = (verifier(), rules());
    let batch = [&good[..], &bad[..], &good[..], b"", &good[..]];
    let judged = batch.map(|bytes| verifier.verify(bytes, &Evidence::local(&rules)).status);
    let (yes, no) = (Status::Verified, Status::Refused);
    assert_eq!(judged, [yes, no, yes, no, yes]);
}

/// Years of requests: send inputs, let the server compute the score.
#[test]
fn case_v15_the_score_is_computed_and_a_false_claim_is_refused() {
    let recorded = autopiloted(arena("collect", 1, 60), 3_600);
    let mut run = recorded.run();
    let rules = rules();
    let honest = check(&run, &Evidence::local(&rules), Status::Verified, "ok");
    assert_eq!(honest.score, run.end.score);
    for claim in [honest.score + 1, -1, i64::MAX, i64::MIN] {
        run.end.score = claim;
        sign_as(&mut run, &key());
        let verdict = check(
            &run,
            &Evidence::local(&rules),
            Status::Refused,
            "score_mismatch",
        );
        assert_eq!(
            verdict.score, honest.score,
            "the verdict says what was computed"
        );
        assert!(verdict.msg.contains(&claim.to_string()), "{}", verdict.msg);
    }
}

/// An anticheat dropped an honest record; a hard cap refused 801.
#[test]
fn case_m2_an_unbelievable_score_is_kept_for_a_person_to_decide() {
    let run = engine_run(&[Some((0.0, 0.0)); 20], &[], 801);
    let rules = Rules {
        max_score: 250,
        ..rules()
    };
    check(
        &run,
        &Evidence::for_board(&rules),
        Status::Quarantined,
        "score_exceeded",
    );
}

/// Speed rules fired on teleports, respawns, dashes and lag.
#[test]
fn case_m3_jumps_that_are_marked_and_lag_refuse_nobody() {
    let rules = Rules {
        max_speed: 10.0,
        ..rules()
    };
    let evidence = Evidence::for_board(&rules);
    // 9.5 units/s at 10 samples/s.
    let steady: Vec<_> = (0..100).map(|k| Some((k as f32 * 0.95, 0.0))).collect();
    check(
        &engine_run(&steady, &[], 0),
        &evidence,
        Status::Plausible,
        "ok",
    );

    let mut lag = steady.clone();
    lag[40..46].fill(None);
    check(
        &engine_run(&lag, &[], 0),
        &evidence,
        Status::Plausible,
        "ok",
    );
    let mut frozen = steady.clone();
    let held = frozen[40];
    frozen[40..46].fill(held);
    check(
        &engine_run(&frozen, &[], 0),
        &evidence,
        Status::Plausible,
        "ok",
    );

    let mut jump = steady.clone();
    jump[50..]
        .iter_mut()
        .flatten()
        .for_each(|point| point.1 += 500.0);
    check(
        &engine_run(&jump, &[50], 0),
        &evidence,
        Status::Plausible,
        "ok",
    );
    check(
        &engine_run(&jump, &[], 0),
        &evidence,
        Status::Quarantined,
        "speed_exceeded",
    );

    // A dash: three times the limit for 0.2 s, standing before and after.
    let mut dash = vec![Some((0.0, 0.0)); 60];
    dash[30] = Some((3.0, 0.0));
    dash[31..].fill(Some((6.0, 0.0)));
    check(
        &engine_run(&dash, &[], 0),
        &evidence,
        Status::Plausible,
        "ok",
    );

    let fast: Vec<_> = (0..100).map(|k| Some((k as f32 * 1.2, 0.0))).collect();
    check(
        &engine_run(&fast, &[], 0),
        &evidence,
        Status::Quarantined,
        "speed_exceeded",
    );
}

/// … and a re-simulation overrides statistics.
#[test]
fn case_m3_a_resimulated_run_is_not_judged_by_its_speed() {
    let mut header = arena("collect", 1, 60);
    header.samples = Some(sample_schema(1, 10));
    let run = autopiloted(header, 900).run();
    let rules = Rules {
        max_speed: 0.001,
        max_turn_rate: 0.001,
        ..rules()
    };
    check(&run, &Evidence::for_board(&rules), Status::Verified, "ok");
}

/// One missing score, or a NaN, split the list into two.
#[test]
fn case_n4_rules_that_are_no_numbers_are_off_and_scores_are_whole() {
    let points: Vec<_> = (0..30).map(|k| Some((k as f32 * 100.0, 0.0))).collect();
    for limit in [f64::NAN, -1.0, 0.0, f64::NEG_INFINITY, f64::INFINITY] {
        let rules = Rules {
            max_speed: limit,
            speed_slack: f64::NAN,
            ..rules()
        };
        let run = engine_run(&points, &[], 0);
        check(&run, &Evidence::for_board(&rules), Status::Plausible, "ok");
    }
    for score in [i64::MIN, -1, 0, (1 << 53) + 1, i64::MAX] {
        let run = engine_run(&points, &[], score);
        let verdict = check(&run, &Evidence::local(&rules()), Status::Plausible, "ok");
        assert_eq!(verdict.score, score);
    }
}

/// The game was slowed down, or ran faster than real time.
#[test]
fn case_t3_a_run_cannot_arrive_sooner_than_it_lasts() {
    let run = autopiloted(arena("collect", 1, 60), 3_600).run();
    let lasts_ms = run.header.rate.milliseconds(run.end.frames);
    let (ticket, rules) = (ticket_for(&run), rules());
    let judge = |after_ms: u64, status, code| {
        let arrived_ms = ticket.issued_ms + after_ms;
        let ticket = Some(TicketEvidence {
            ticket: &ticket,
            app: "tests",
            arrived_ms,
        });
        check(
            &run,
            &Evidence {
                ticket,
                ..Evidence::for_board(&rules)
            },
            status,
            code,
        )
    };
    judge(lasts_ms, Status::Verified, "ok");
    // A display that runs one percent fast is no cheat, half the time is one.
    judge(lasts_ms * 99 / 100, Status::Verified, "ok");
    judge(lasts_ms / 2, Status::Refused, "too_fast");
    judge(0, Status::Refused, "too_fast");
    // An outbox may be days late.
    judge(lasts_ms + 7 * 86_400_000, Status::Verified, "ok");
}

/// Practice is for trying again without being ranked.
#[test]
fn case_d10_practice_never_ranks_and_is_verified_at_home() {
    let mut header = arena("collect", 1, 60);
    header.practice = true;
    let run = autopiloted(header, 300).run();
    check(
        &run,
        &Evidence::for_board(&rules()),
        Status::Refused,
        "practice",
    );
    check(&run, &Evidence::local(&rules()), Status::Verified, "ok");
}

#[test]
fn a_board_wants_a_signature_and_may_want_a_ticket() {
    let mut run = autopiloted(arena("collect", 1, 60), 300).run();
    let strict = Rules {
        ticket: TicketRule::Required,
        ..rules()
    };
    check(
        &run,
        &Evidence::for_board(&strict),
        Status::Refused,
        "ticket_required",
    );
    run.signature = None;
    check(
        &run,
        &Evidence::for_board(&rules()),
        Status::Refused,
        "unsigned",
    );
    check(&run, &Evidence::local(&rules()), Status::Verified, "ok");
    let rules = rules();
    let strict = Evidence {
        signature: SignatureRule::Required,
        ..Evidence::local(&rules)
    };
    check(&run, &strict, Status::Refused, "unsigned");
}

#[test]
fn a_run_that_is_too_short_is_refused() {
    let run = autopiloted(arena("collect", 1, 60), 59).run();
    let rules = Rules {
        min_frames: 60,
        ..rules()
    };
    check(
        &run,
        &Evidence::for_board(&rules),
        Status::Refused,
        "too_short",
    );
}

#[test]
fn a_race_that_was_not_finished_has_no_time_to_rank() {
    let run = autopiloted(arena("race", 1, 60), 120).run();
    check(
        &run,
        &Evidence::for_board(&rules()),
        Status::Refused,
        "unfinished_game",
    );
    check(&run, &Evidence::local(&rules()), Status::Verified, "ok");
}

#[test]
fn a_game_without_inputs_is_plausible_at_best() {
    let mut header = arena("collect", 1, 60);
    header.inputs = None;
    header.samples = Some(sample_schema(1, 10));
    let mut run = engine_run(&[Some((0.0, 0.0)); 20], &[], 5);
    run.header = header;
    sign_as(&mut run, &key());
    check(
        &run,
        &Evidence::for_board(&rules()),
        Status::Plausible,
        "no_inputs",
    );
}

#[test]
fn no_engine_game_may_pass_for_a_deterministic_one() {
    let rules = rules();
    for (game, revision, code) in [
        ("arena", 0, "unknown_revision"),
        ("physics", 0, "unknown_game"),
        ("physics", 1, "unknown_game"),
        ("my_kart", 1, "unknown_game"),
    ] {
        let mut run = engine_run(&[Some((0.0, 0.0)); 20], &[], 5);
        run.header.game = game.into();
        run.header.revision = revision;
        sign_as(&mut run, &key());
        check(&run, &Evidence::for_board(&rules), Status::Refused, code);
    }
}

#[test]
fn files_beyond_the_limits_cost_nothing() {
    let bytes = autopiloted(arena("collect", 1, 60), 600).bytes;
    let limits = Limits {
        bytes_max: bytes.len() - 1,
        ..Limits::default()
    };
    let judge = |limits| {
        let rules = rules();
        Verifier::new(Catalogue::standard(), limits)
            .verify(&bytes, &Evidence::local(&rules))
            .code
    };
    assert_eq!(judge(limits), "too_large");
    assert_eq!(
        judge(Limits {
            frames_max: 599,
            ..Limits::default()
        }),
        "too_many_frames"
    );
    assert_eq!(
        judge(Limits {
            frames_max: 600,
            ..Limits::default()
        }),
        "ok"
    );
}
