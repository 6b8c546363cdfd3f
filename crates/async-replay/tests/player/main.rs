//! Playing a run back: what it shows between samples, what it crosses, and where it ends.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod cases;
#[path = "../made/mod.rs"]
mod made;
mod model;
mod moves;
mod poses;
mod properties;

use std::borrow::Borrow;

use async_replay::{
    Edge, Mark, MarkKind, Moved, Player, Precision, Rotation, Run, Sample, SampleSchema,
    TrackSchema,
};

/// A run of so many frames with a flat and a solid track, in degrees and 20 mm.
fn run(frames: u32) -> Run {
    let mut run = made::plain_run(frames, 7);
    run.checkpoints.clear();
    run.header.samples = Some(SampleSchema {
        rate_hz: 10,
        tracks: vec![TrackSchema::flat("flat"), TrackSchema::solid("solid")],
        precision: Precision::Default,
    });
    run.tracks = vec![Vec::new(), Vec::new()];
    run
}

fn sample(frame: u32, x: i32, rotation: Rotation) -> Sample {
    Sample {
        frame,
        position: [x, -x, 0],
        rotation,
        channels: [x, 0, 0, 0, 0, 0, 0, 0],
        teleport: false,
    }
}

fn mark(frame: u32, value: i64) -> Mark {
    Mark {
        frame,
        kind: MarkKind::Lap,
        value,
    }
}

fn crossed<R: Borrow<Run>>(player: &Player<R>) -> Vec<i64> {
    player.crossed().map(|mark| mark.value).collect()
}

fn stretches<R: Borrow<Run>>(player: &Player<R>) -> Vec<(u32, u32)> {
    let both = player.stretches().map(|stretch| (stretch.from, stretch.to));
    both.collect()
}

const ENDED: Moved = Moved {
    reached: Some(Edge::End),
    wraps: 0,
};
