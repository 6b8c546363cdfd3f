//! Samples of every kind through the format, and chunks of samples that nobody wrote.
#![allow(clippy::unwrap_used, reason = "tests")]

mod made;

use async_core::FrameRate;
use async_replay::{
    Dimensions, Inputs, Limits, Precision, QUATERNION_MAX, Quantiser, Rotation, RotationKind, Run,
    Sample, SampleSchema, TrackSchema,
};
use made::forge::{assemble, take_apart};
use proptest::{collection::vec, prelude::*};

const SAMPLES: u8 = 3;

/// How a track moves.
#[derive(Debug, Clone, Copy)]
enum Way {
    /// On, with a little noise.
    Smooth,
    /// From one end of all numbers to the other.
    Ends,
    /// Anywhere.
    Wild,
    /// Not at all.
    Still,
}

/// One track: its shape, how it moves, how often it jumps and how many frames lie between samples.
#[derive(Debug, Clone)]
struct Plan {
    three: bool,
    quaternion: bool,
    channels: usize,
    way: Way,
    jumps: u32,
    pace: u32,
    gaps: u32,
    seed: u32,
}

fn plan() -> impl Strategy<Value = Plan> {
    let way = prop_oneof![
        Just(Way::Smooth),
        Just(Way::Ends),
        Just(Way::Wild),
        Just(Way::Still)
    ];
    let shape = (any::<bool>(), any::<bool>(), 0_usize..=8);
    let pace = prop_oneof![Just(1_u32), 1_u32..130, Just(1_000)];
    let rare = || prop_oneof![Just(u32::MAX), 2_u32..40];
    (shape, way, rare(), pace, rare(), any::<u32>()).prop_map(
        |((three, quaternion, channels), way, jumps, pace, gaps, seed)| Plan {
            three,
            quaternion,
            channels,
            way,
            jumps,
            pace,
            gaps,
            seed,
        },
    )
}

fn precision() -> impl Strategy<Value = Precision> {
    prop_oneof![
        Just(Precision::Fine),
        Just(Precision::Default),
        Just(Precision::Tiny)
    ]
}

/// Runs at the slowest rate (later chunks start as the head ended) and at the fastest one.
fn run() -> impl Strategy<Value = Run> {
    let hz = prop_oneof![Just(10_u32), Just(60), Just(120)];
    (hz, 1_u32..4_000, 1_u8..=60, precision(), vec(plan(), 1..5)).prop_map(
        |(hz, frames, rate_hz, precision, plans)| {
            let mut run = made::plain_run(1, 1);
            run.header.rate = FrameRate::hz(hz).unwrap();
            run.header.frames_max = frames;
            run.header.inputs = None;
            run.inputs = Inputs::none(1);
            run.end.frames = frames;
            run.header.samples = Some(SampleSchema {
                rate_hz,
                tracks: plans.iter().enumerate().map(schema).collect(),
                precision,
            });
            let track = |plan: &Plan| track(plan, frames, precision);
            run.tracks = plans.iter().map(track).collect();
            run
        },
    )
}

fn schema((index, plan): (usize, &Plan)) -> TrackSchema {
    let rotation = match plan.quaternion {
        true => RotationKind::Quaternion,
        false => RotationKind::Yaw,
    };
    TrackSchema {
        dimensions: match plan.three {
            true => Dimensions::Three,
            false => Dimensions::Two,
        },
        ..made::track(&format!("t{index}"), rotation, plan.channels)
    }
}

/// The samples of one track.
struct Mover {
    plan: Plan,
    state: u32,
    grid: Precision,
    quantiser: Quantiser,
    last: Sample,
}

fn track(plan: &Plan, frames: u32, grid: Precision) -> Vec<Sample> {
    let mut mover = Mover {
        plan: plan.clone(),
        state: plan.seed,
        grid,
        quantiser: Quantiser::new(grid),
        last: Sample {
            frame: plan.seed % plan.pace,
            position: [0; 3],
            rotation: match plan.quaternion {
                true => Rotation::Quaternion([0, 0, 0, QUATERNION_MAX]),
                false => Rotation::Yaw(0),
            },
            channels: [0; 8],
            teleport: false,
        },
    };
    let mut samples = Vec::new();
    while mover.last.frame <= frames {
        samples.push(mover.step());
    }
    samples
}

impl Mover {
    fn dice(&mut self) -> u32 {
        self.state = self
            .state
            .wrapping_mul(1_664_525)
            .wrapping_add(1_013_904_223);
        self.state >> 8
    }

    fn rare(&mut self, one_in: u32) -> bool {
        one_in < u32::MAX && self.dice().is_multiple_of(one_in)
    }

    /// The next sample; then the frame moves on.
    fn step(&mut self) -> Sample {
        let mut next = self.last;
        next.teleport = self.rare(self.plan.jumps);
        let dimensions = if self.plan.three { 3 } else { 2 };
        for axis in 0..dimensions {
            next.position[axis] = self.value(next.position[axis], 40 * axis as i32);
        }
        for channel in 0..self.plan.channels {
            next.channels[channel] = self.value(next.channels[channel], channel as i32);
        }
        next.rotation = self.rotation(next);
        self.last = next;
        let gap = if self.rare(self.plan.gaps) {
            self.dice() % 700
        } else {
            0
        };
        self.last.frame += self.plan.pace + gap;
        next
    }

    fn value(&mut self, last: i32, speed: i32) -> i32 {
        let dice = self.dice();
        match self.plan.way {
            Way::Smooth => last.wrapping_add(speed + (dice % 7) as i32 - 3),
            Way::Ends => [i32::MIN, i32::MAX, 0, -1][dice as usize % 4],
            Way::Wild => (dice << 8) as i32 ^ dice as i32,
            Way::Still => last,
        }
    }

    fn rotation(&mut self, next: Sample) -> Rotation {
        let most = QUATERNION_MAX;
        let turn = self.grid.yaw_steps();
        match (next.rotation, self.plan.way) {
            (Rotation::Yaw(yaw), Way::Smooth) => {
                Rotation::Yaw((yaw + (self.dice() % 9) as i32).rem_euclid(turn))
            }
            (Rotation::Yaw(_), Way::Ends) => Rotation::Yaw((turn - 1) * (self.dice() as i32 % 2)),
            (Rotation::Yaw(_), Way::Wild) => Rotation::Yaw(self.dice() as i32 % turn),
            (Rotation::Quaternion(_), Way::Smooth) => {
                let angle = self.last.frame as f32 * 0.003;
                let noise = (self.dice() % 100) as f32 / 2_000.0;
                let exact = [angle.sin() * 0.3, noise, angle.sin(), angle.cos()];
                Rotation::Quaternion(self.quantiser.rotation(exact).unwrap())
            }
            (Rotation::Quaternion(_), Way::Ends) => Rotation::Quaternion(
                [0; 4].map(|_: i32| [-most, most, 0][self.dice() as usize % 3]),
            ),
            (Rotation::Quaternion(_), Way::Wild) => {
                let part = |dice: u32| (dice % (2 * most as u32 + 1)) as i32 - most;
                Rotation::Quaternion([0; 4].map(|_: i32| part(self.dice())))
            }
            (rotation, Way::Still) => rotation,
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn every_sample_comes_back(run in run()) {
        let bytes = run.encode().unwrap();
        let opened = Run::open(&bytes, &Limits::LOCAL).unwrap();
        prop_assert_eq!(&opened, &run);
        prop_assert_eq!(opened.encode().unwrap(), bytes);
    }

    #[test]
    fn every_sample_comes_back_from_a_recording(run in run()) {
        let writer = made::record(&run);
        let left = Run::recover(writer.bytes(), &Limits::LOCAL).unwrap();
        made::assert_prefix(&left, &run);
        let bound = writer.bytes_bound();
        let finished = writer.finish(run.end, None).unwrap();
        prop_assert!(finished.bytes.len() <= bound, "{} over {bound}", finished.bytes.len());
        prop_assert_eq!(&Run::open(&finished.bytes, &Limits::LOCAL).unwrap(), &run);
    }
}

/// A run of these ways of moving, one track each, with and without all that a track may have.
fn each_way(frames: u32, pace: u32) -> Run {
    let mut run = made::plain_run(1, 1);
    run.header.inputs = None;
    run.inputs = Inputs::none(1);
    run.header.frames_max = frames;
    run.end.frames = frames;
    let plan = |(place, way): (u32, Way)| Plan {
        three: place % 2 == 0,
        quaternion: place % 3 < 2,
        channels: place as usize * 2,
        way,
        jumps: 30,
        pace,
        gaps: 50,
        seed: place,
    };
    let ways = [Way::Smooth, Way::Ends, Way::Smooth, Way::Wild, Way::Still];
    let plans: Vec<Plan> = (0..).zip(ways).map(plan).collect();
    let precision = Precision::Default;
    run.header.samples = Some(SampleSchema {
        rate_hz: 10,
        tracks: plans.iter().enumerate().map(schema).collect(),
        precision,
    });
    let tracks = plans.iter();
    run.tracks = tracks.map(|plan| track(plan, frames, precision)).collect();
    run
}

fn chunks_of_samples(parts: &[(u8, Vec<u8>)]) -> Vec<usize> {
    let places = parts.iter().enumerate();
    let samples = places.filter(|(_, part)| part.0 == SAMPLES);
    samples.map(|(place, _)| place).collect()
}

/// Opens a file with the first chunk of samples replaced. Nothing panics; what opens can be
/// written again, and what does not has the code of a file that lies.
fn opens_or_is_refused(parts: &[(u8, Vec<u8>)], payload: Vec<u8>) -> bool {
    let mut parts = parts.to_vec();
    let place = chunks_of_samples(&parts)[0];
    parts[place].1 = payload;
    match Run::open(&assemble(&parts), &Limits::default()) {
        Ok(run) => {
            let bytes = run.encode().unwrap();
            assert_eq!(Run::open(&bytes, &Limits::default()).unwrap(), run);
            true
        }
        Err(error) => {
            let known = ["malformed", "bad_sample", "limit", "bad_end"];
            let known = known.contains(&error.code());
            assert!(known || error.code() == "too_many_frames", "{error}");
            false
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    /// S1 makes samples of anything: a chunk of random bytes with counts that could be true.
    #[test]
    fn random_bytes_are_samples_or_refused(
        counts in vec((0_u8..=255, 0_u8..24), 5),
        noise in vec(prop_oneof![Just(0_u8), Just(255), any::<u8>()], 160),
    ) {
        let parts = take_apart(&each_way(600, 6).encode().unwrap());
        let mut payload = vec![1, 0xD8, 0x04];
        for (track, (count, size)) in counts.iter().enumerate() {
            payload.extend([count | 0x80, count >> 7 | 1]);
            if track < 4 {
                payload.push(*size);
            }
            let code = &noise[track * 24..][..usize::from(*size)];
            payload.extend(code);
        }
        opens_or_is_refused(&parts, payload);
    }

    /// A chunk of which some bytes are others: the counts, or the code of any track.
    #[test]
    fn a_changed_chunk_is_samples_or_refused(
        changes in vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        cut in any::<prop::sample::Index>(),
    ) {
        let parts = take_apart(&each_way(600, 6).encode().unwrap());
        let mut payload = parts[chunks_of_samples(&parts)[0]].1.clone();
        prop_assert_eq!(payload[0], 1);
        for (place, byte) in changes {
            let place = place.index(payload.len() - 3) + 3;
            payload[place] = byte;
        }
        opens_or_is_refused(&parts, payload.clone());
        payload.truncate(3 + cut.index(payload.len() - 3));
        opens_or_is_refused(&parts, payload);
    }
}

/// Opens a run of one still track of 101 samples in 600 frames after a change of its chunk, whose
/// payload is: model, frames in two bytes, count, code.
#[track_caller]
fn check(code: &str, limits: &Limits, change: impl FnOnce(&mut Vec<u8>)) {
    let mut run = each_way(600, 6);
    run.tracks = vec![run.tracks[4].clone()];
    let schema = run.header.samples.as_mut().unwrap();
    schema.tracks = vec![schema.tracks[4].clone()];
    run.tracks[0] = (0..101_u32)
        .map(|place| Sample {
            frame: 6 * place,
            teleport: false,
            ..run.tracks[0][0]
        })
        .collect();
    let mut parts = take_apart(&run.encode().unwrap());
    let place = chunks_of_samples(&parts)[0];
    assert_eq!(parts[place].1[..4], [1, 0xD8, 0x04, 101]);
    change(&mut parts[place].1);
    let opened = Run::open(&assemble(&parts), limits);
    let opened = opened.map_or_else(|error| error.code(), |_| "opened");
    assert_eq!(opened, code);
}

#[test]
fn a_chunk_of_s1_holds_what_it_says() {
    let all = Limits::default();
    let few = |samples_max| Limits { samples_max, ..all };
    check("opened", &all, |_| {});
    check("opened", &few(101), |_| {});
    check("limit", &few(100), |_| {});
    check("limit", &all, |it| {
        drop(it.splice(3..4, [0xFF; 4].into_iter().chain([0x0F])))
    });
    // More samples than frames, than bytes for them, and than there are.
    check("malformed", &all, |it| drop(it.splice(3..4, [0xDA, 0x04])));
    check("malformed", &all, |it| drop(it.splice(3.., [0x81, 0x02])));
    check("malformed", &all, |it| it[3] = 102);
    // Zeros at the end, bytes behind the end, no code at all, a count that is not the shortest.
    check("malformed", &all, |it| it.push(0));
    check("malformed", &all, |it| it.extend([1; 8]));
    check("malformed", &all, |it| it.truncate(4));
    check("malformed", &all, |it| drop(it.splice(3..4, [0xE5, 0])));
    check("malformed", &all, |it| it.truncate(3));
    // Samples behind the end of the chunk; nothing.
    check("bad_end", &all, |it| drop(it.splice(1.., [0xD7, 0x04, 0])));
    check("malformed", &all, |it| drop(it.splice(1..3, [0xD7, 0x04])));
    check("opened", &all, |it| drop(it.splice(3.., [0])));
    check("malformed", &all, |it| drop(it.splice(3.., [0, 0])));
}

/// The size of a track's code must be true too.
#[test]
fn codes_of_tracks_stand_one_behind_the_other() {
    let parts = take_apart(&each_way(600, 6).encode().unwrap());
    let payload = &parts[chunks_of_samples(&parts)[0]].1;
    assert!(opens_or_is_refused(&parts, payload.clone()));
    let size = 4 + usize::from(payload[3] >= 0x80);
    for wrong in [0_u64, 1, 1 << 14, u64::from(u32::MAX), u64::MAX] {
        let mut changed = payload[..size].to_vec();
        let mut left = wrong;
        while left >= 0x80 {
            changed.push(left as u8 | 0x80);
            left >>= 7;
        }
        changed.push(left as u8);
        let size_bytes = payload[size..]
            .iter()
            .take_while(|byte| **byte >= 0x80)
            .count()
            + 1;
        changed.extend(&payload[size + size_bytes..]);
        assert!(!opens_or_is_refused(&parts, changed), "{wrong}");
    }
}

/// The sample at the seam stands in the second chunk here; when that is refused, it is gone.
#[test]
fn nothing_of_a_refused_chunk_is_recovered() {
    let mut run = each_way(250, 1);
    run.header.rate = FrameRate::hz(10).unwrap();
    let mut writer = async_replay::Writer::new(run.header.clone()).unwrap();
    let mut tracks: Vec<_> = run
        .tracks
        .iter()
        .map(|track| track.iter().peekable())
        .collect();
    for frame in 0..run.end.frames {
        writer.frame(&[]).unwrap();
        for (index, track) in tracks.iter_mut().enumerate() {
            while let Some(sample) = track.next_if(|sample| sample.frame <= frame) {
                writer.sample(index, sample).unwrap();
            }
        }
    }
    let mut parts = take_apart(writer.bytes());
    let chunks = chunks_of_samples(&parts);
    let recover = |parts: &[(u8, Vec<u8>)]| {
        let left = Run::recover(&assemble(parts), &Limits::default()).unwrap();
        (
            left.whole_frames,
            left.tracks,
            left.cause.map(|cause| cause.code()),
        )
    };
    let (seam, ..) = recover(&parts[..=chunks[0]]);
    let (whole, tracks, _) = recover(&parts);
    assert!(seam > 0 && seam < whole);
    assert!(tracks.iter().flatten().any(|sample| sample.frame == seam));
    parts[chunks[1]].1.push(0);
    let (whole, tracks, cause) = recover(&parts);
    assert_eq!((whole, cause), (seam, Some("malformed")));
    for (left, all) in tracks.iter().zip(&run.tracks) {
        let before = all.iter().filter(|sample| sample.frame < seam);
        assert!(left.iter().eq(before));
    }
}
