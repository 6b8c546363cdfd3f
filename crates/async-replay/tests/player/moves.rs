//! Where a player goes, and what it crosses on the way.

use async_replay::{Edge, FRAME_UNITS, Mark, MarkKind, Moved, Player, Rotation, Run, Speed};

use crate::{ENDED, crossed, made, mark, run, sample, stretches};

/// Marks at 0, twice at 4, at 7 and at the end of ten frames.
fn marked() -> Run {
    let mut run = run(10);
    run.marks = [(0, 0), (4, 1), (4, 2), (7, 3), (10, 4)]
        .map(|(frame, value)| mark(frame, value))
        .to_vec();
    run
}

#[test]
fn the_end_is_told_once_until_it_is_left() {
    let run = run(10);
    let mut player = Player::new(&run);
    assert_eq!(player.advance(10 * FRAME_UNITS - 1), Moved::default());
    assert!(!player.ended());
    assert_eq!(player.advance(1), ENDED);
    assert!(player.ended());
    for _ in 0..3 {
        assert_eq!(player.advance(u64::MAX), Moved::default());
        assert!(player.ended());
    }
    player.seek(10);
    assert!(!player.ended(), "sought, not played");
    assert_eq!(player.advance(1), ENDED);
    player.set_speed(-Speed::NORMAL);
    assert_eq!(player.advance(1), Moved::default());
    assert!(!player.ended());
    let start = player.advance(u64::MAX);
    assert_eq!((start.reached, player.frame()), (Some(Edge::Start), 0));
    assert_eq!(player.advance(u64::MAX), Moved::default());
    player.set_speed(Speed::FASTEST);
    assert_eq!(player.advance(u64::MAX), ENDED);
    player.set_repeat(true);
    assert_eq!(player.advance(FRAME_UNITS).wraps, 1);
    assert!(!player.ended());
}

#[test]
fn a_pause_and_no_speed_stand_still() {
    let run = marked();
    let mut player = Player::new(&run);
    player.set_speed(Speed::fixed(3 << 15));
    player.pause();
    player.advance(u64::MAX);
    assert_eq!((player.position(), player.paused()), (0, true));
    player.resume();
    player.advance(2 * FRAME_UNITS);
    assert_eq!(
        (player.position(), player.speed().units()),
        (3 << 16, 3 << 15)
    );
    assert_eq!(crossed(&player), [0]);
    player.set_speed(Speed::STOPPED);
    player.advance(u64::MAX);
    assert_eq!((player.position(), crossed(&player)), (3 << 16, vec![]));
}

#[test]
fn a_step_goes_to_whole_frames_also_while_paused() {
    let run = marked();
    let mut player = Player::new(&run);
    player.advance(3 * FRAME_UNITS + 1);
    player.pause();
    player.step(1);
    assert_eq!((player.position(), crossed(&player)), (4 << 16, vec![1, 2]));
    player.step(-1);
    assert_eq!((player.position(), crossed(&player)), (3 << 16, vec![2, 1]));
    player.step(0);
    assert_eq!((player.frame(), crossed(&player)), (3, vec![]));
    let start = player.step(i32::MIN);
    assert_eq!((start.reached, player.frame()), (Some(Edge::Start), 0));
    assert_eq!((player.step(i32::MAX), player.frame()), (ENDED, 10));
}

#[test]
fn marks_are_crossed_in_order_both_ways() {
    let run = marked();
    let mut player = Player::new(&run);
    player.advance(u64::MAX);
    assert_eq!(crossed(&player), [0, 1, 2, 3, 4]);
    player.advance(1);
    assert_eq!(crossed(&player), [], "each once");
    player.set_speed(-Speed::NORMAL);
    player.advance(3 * FRAME_UNITS);
    assert_eq!(crossed(&player), [4, 3]);
    player.set_speed(Speed::NORMAL);
    player.advance(FRAME_UNITS);
    assert_eq!(crossed(&player), [3], "turned round on it, so crossed back");
    player.seek(10);
    assert_eq!(crossed(&player), [], "a seek crosses nothing");
    player.set_speed(-Speed::FASTEST);
    player.advance(u64::MAX);
    assert_eq!(
        crossed(&player),
        [4, 3, 2, 1, 0],
        "all from the end, as from the start"
    );
}

#[test]
fn marks_are_crossed_over_every_lap() {
    let run = marked();
    let mut player = Player::new(&run);
    player.set_repeat(true);
    player.seek(5);
    assert_eq!(player.advance(25 * FRAME_UNITS).wraps, 3);
    assert_eq!(crossed(&player), [3, 4, 0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0]);
    assert_eq!(stretches(&player), [(5, 10), (0, 10), (0, 10), (0, 0)]);
    player.set_speed(-Speed::NORMAL);
    assert_eq!(player.advance(15 * FRAME_UNITS).wraps, 2);
    assert_eq!(crossed(&player), [0, 4, 3, 2, 1, 0, 4, 3]);
    assert_eq!(stretches(&player), [(0, 0), (10, 0), (10, 5)]);
    // More laps than anyone counts: told, and listed as far as one looks.
    player.set_speed(Speed::FASTEST);
    let moved = player.advance(u64::MAX);
    assert!(moved.wraps > 1 << 47 && moved.reached.is_none());
    assert_eq!(
        player.crossed().take(7).map(|mark| mark.value).sum::<i64>(),
        3 + 4 + 6 + 4
    );
}

#[test]
fn nothing_is_listed_of_laps_without_marks() {
    let run = run(10);
    let mut player = Player::new(&run);
    player.set_repeat(true);
    player.advance(u64::MAX);
    assert_eq!(crossed(&player), []);
}

#[test]
fn marks_are_sought_both_ways() {
    let run = marked();
    let mut player = Player::new(&run);
    let any = |_: &Mark| true;
    let next = |player: &mut Player<&Run>| player.seek_next_mark(any).map(|mark| mark.value);
    let back = |player: &mut Player<&Run>| player.seek_previous_mark(any).map(|mark| mark.value);
    assert_eq!(next(&mut player), Some(1));
    assert_eq!((player.frame(), crossed(&player)), (4, vec![]));
    assert_eq!(next(&mut player), Some(3));
    assert_eq!(next(&mut player), Some(4));
    assert_eq!((next(&mut player), player.frame()), (None, 10));
    assert_eq!(back(&mut player), Some(3));
    player.advance(1);
    assert_eq!(
        crossed(&player),
        [3],
        "played on, the mark itself is crossed"
    );
    assert_eq!(back(&mut player), Some(3));
    assert_eq!(back(&mut player), Some(2));
    assert_eq!(back(&mut player), Some(0));
    assert_eq!((back(&mut player), player.frame()), (None, 0));
    let split = player.seek_next_mark(|mark| mark.kind == MarkKind::Split);
    assert_eq!((split, player.frame()), (None, 0));
    let third = player.seek_next_mark(|mark| mark.value == 3);
    assert_eq!((third.map(|mark| mark.frame), player.frame()), (Some(7), 7));
}

#[test]
fn a_ghost_may_start_later_or_with_a_lead() {
    let mut run = marked();
    run.tracks[0] = vec![
        sample(0, 3, Rotation::Yaw(0)),
        sample(10, 13, Rotation::Yaw(0)),
    ];
    let mut player = Player::with_offset(&run, 5);
    player.set_repeat(true);
    assert!(!player.started());
    assert_eq!((player.position(), player.frame()), (-5 << 16, 0));
    assert_eq!(player.pose(0).unwrap().position[0], 3 << 16);
    assert_eq!(player.input(0), None);
    player.set_speed(-Speed::NORMAL);
    player.advance(FRAME_UNITS);
    assert_eq!(player.position(), -5 << 16, "a delay passes forwards");
    player.set_speed(Speed::NORMAL);
    player.advance(4 * FRAME_UNITS);
    assert_eq!((player.position(), crossed(&player)), (-1 << 16, vec![]));
    player.advance(2 * FRAME_UNITS);
    assert_eq!((player.position(), crossed(&player)), (1 << 16, vec![0]));
    assert_eq!(stretches(&player), [(0, 1)]);
    assert_eq!(
        (player.advance(9 * FRAME_UNITS).wraps, player.position()),
        (1, 0)
    );
    player.restart();
    assert_eq!(player.position(), -5 << 16);

    let mut lead = Player::with_offset(&run, -6);
    assert_eq!((lead.frame(), stretches(&lead)), (6, vec![(6, 6)]));
    lead.advance(FRAME_UNITS);
    assert_eq!(crossed(&lead), [3]);
    assert_eq!(Player::with_offset(&run, i32::MIN).frame(), 10);
    let late = Player::with_offset(&run, i32::MAX);
    assert_eq!(late.position(), -i64::from(i32::MAX) << 16);
}

#[test]
fn inputs_are_those_of_the_frame() {
    let run = made::full_run();
    let mut player = Player::new(std::sync::Arc::new(run.clone()));
    for frame in [0, 1, 299, 300, 601, 5] {
        player.seek(frame);
        player.advance(FRAME_UNITS - 1);
        assert_eq!(player.input(0), Some(&run.inputs.frame(frame)[0]));
        assert_eq!(player.input(1), Some(&run.inputs.frame(frame)[1]));
        assert_eq!(player.input(2), None);
    }
    player.seek(602);
    assert_eq!(player.input(0), None, "nothing was pressed after the end");
}

#[test]
fn a_run_that_no_check_passed_stops_nothing() {
    let mut run = marked();
    run.end.frames = u32::MAX;
    run.marks = vec![mark(9, 0), mark(u32::MAX, 1), mark(3, 2), mark(0, 3)];
    let wild = [i32::MIN, 0, i32::MAX, -7].map(|yaw| sample(9, i32::MAX, Rotation::Yaw(yaw)));
    run.tracks = vec![wild.to_vec(); 3];
    run.tracks[1].insert(1, sample(2, 5, Rotation::Quaternion([i32::MIN; 4])));
    run.header.samples = None;
    let mut player = Player::with_offset(&run, i32::MAX);
    player.set_repeat(true);
    for speed in [i32::MAX, 1, i32::MIN] {
        player.set_speed(Speed::fixed(speed));
        for elapsed in [u64::MAX, 1, FRAME_UNITS, 1 << 48] {
            player.advance(elapsed);
            player.step(i32::MIN);
            let _ = (
                player.crossed().take(9).count(),
                player.stretches().take(9).count(),
            );
            let _ = (
                player.pose(0),
                player.pose(1),
                player.pose(2),
                player.input(0),
            );
            player.seek_next_mark(|_| true);
            player.seek_previous_mark(|_| true);
            assert!(player.position() <= i64::from(u32::MAX) << 16);
        }
    }
}
