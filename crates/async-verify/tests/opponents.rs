//! Async PvP: what stands in the opponent's slot is held against the opponent's own run.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail")]

mod recordings;

use async_protocol::Status;
use async_replay::Opponent;
use async_verify::Evidence;
use recordings::*;

#[test]
fn the_opponents_slot_plays_the_opponents_run() {
    let rules = rules();
    let mut theirs = arena("duel", 2, 60);
    theirs.slot = 0;
    let theirs = autopiloted(theirs, 300).run();
    let mut header = arena("duel", 2, 60);
    header.opponent = Some(Opponent {
        run: theirs.id(),
        slot: 1,
    });
    let mut pilot = async_core::autopilot("arena", 99).unwrap();
    let mut frames = 0;
    let run = record(header, &mut |simulation| {
        let mine = pilot.input(simulation.game(), 0);
        let recorded = theirs.inputs.frame(simulation.frame()).first().copied();
        frames += 1;
        (frames <= 400).then(|| vec![mine, recorded.unwrap_or_default()])
    });
    let mut run = run.run();
    let with = Evidence {
        opponent: Some(&theirs),
        ..Evidence::for_board(&rules)
    };
    check(&run, &with, Status::Verified, "ok");
    let without = Evidence::for_board(&rules);
    check(&run, &without, Status::Pending, "opponent_unavailable");
    let unsigned = async_replay::Run {
        signature: None,
        ..run.clone()
    };
    check(&unsigned, &without, Status::Refused, "unsigned");
    check(&run, &Evidence::local(&rules), Status::Verified, "ok");
    run.header.opponent = Some(Opponent {
        run: run.id(),
        slot: 1,
    });
    check(&run, &with, Status::Refused, "opponent_differs");
}

#[test]
fn an_opponent_that_was_made_to_stand_still_is_noticed() {
    let rules = rules();
    let theirs = autopiloted(arena("duel", 2, 60), 300).run();
    let mut header = arena("duel", 2, 60);
    header.opponent = Some(Opponent {
        run: theirs.id(),
        slot: 1,
    });
    let mut frames = 0;
    let run = record(header, &mut |_| {
        frames += 1;
        (frames <= 300).then(|| vec![Default::default(); 2])
    });
    let with = Evidence {
        opponent: Some(&theirs),
        ..Evidence::for_board(&rules)
    };
    check(&run.run(), &with, Status::Refused, "opponent_differs");
}
