//! Random headers and runs for property tests.

use std::collections::BTreeMap;

use async_core::{Axis, AxisBits, FrameRate, Input, InputSchema, OptionValue, Options};
use async_replay::{
    Checkpoint, Dimensions, End, EndReason, Header, Inputs, Mark, MarkKind, Opponent, Pause,
    PlayerId, Precision, Rotation, RotationKind, Run, RunId, Sample, SampleSchema, TrackSchema,
    UnknownField,
};
use proptest::{collection::vec, option, prelude::*};

/// Any header that may be written.
pub(crate) fn header() -> impl Strategy<Value = Header> {
    let streams = (option::of(inputs()), option::of(samples()));
    let streams = streams.prop_filter("a run records something", |(a, b)| {
        a.is_some() || b.is_some()
    });
    (texts(), numbers(), streams, identity()).prop_map(|(texts, numbers, streams, identity)| {
        let [build, player_name, app, board] = texts.1;
        Header {
            game: texts.0,
            build,
            player_name,
            app,
            board,
            engine: texts.2,
            mods: texts.3,
            options: texts.4,
            inputs: streams.0,
            samples: streams.1,
            player: identity.0.map(PlayerId),
            ticket: identity.1,
            content: identity.2,
            opponent: identity
                .3
                .filter(|_| numbers.players > 1)
                .map(|run| Opponent {
                    run: RunId(run),
                    slot: (numbers.slot + 1) % numbers.players,
                }),
            unknown: identity.4,
            meta: identity.5,
            ..numbers
        }
    })
}

type Texts = (String, [String; 4], String, Vec<String>, Options);

fn texts() -> impl Strategy<Value = Texts> {
    let option = prop_oneof![
        any::<bool>().prop_map(OptionValue::Bool),
        any::<i64>().prop_map(OptionValue::Int),
        ".{0,9}".prop_map(OptionValue::Text),
    ];
    let options = vec(("[a-z]{1,9}", option), 0..4).prop_map(|list| {
        let mut options = Options::default();
        list.into_iter()
            .for_each(|(name, value)| options.insert(&name, value).unwrap());
        options
    });
    let text = || ".{0,12}";
    let mods = vec("[a-z]{1,9}", 0..3);
    (
        "[a-z]{1,9}",
        [text(), text(), text(), text()],
        "[a-z]{0,9}",
        mods,
        options,
    )
}

fn numbers() -> impl Strategy<Value = Header> {
    let rate = prop_oneof![
        (10_u32..=120).prop_map(|hz| FrameRate::hz(hz).unwrap()),
        (100_000_u32..=1_200_000).prop_map(|numer| FrameRate::new(numer, 10_000).unwrap()),
    ];
    let seed = prop_oneof![0_u64..200, 0..=(1_u64 << 53) - 1];
    let slots = (1_u8..=8).prop_flat_map(|players| (Just(players), 0..players));
    (
        any::<u32>(),
        seed,
        slots,
        rate,
        1_u32..=216_000,
        any::<bool>(),
    )
        .prop_map(
            |(revision, seed, (players, slot), rate, frames_max, practice)| Header {
                seed,
                players,
                slot,
                frames_max,
                practice,
                ..Header::new("", revision, rate)
            },
        )
}

fn inputs() -> impl Strategy<Value = InputSchema> {
    (0_usize..=32, vec(any::<bool>(), 0..=8)).prop_map(|(buttons, axes)| {
        let bits = |wide| {
            if wide {
                AxisBits::Sixteen
            } else {
                AxisBits::Eight
            }
        };
        let axes = axes.into_iter().enumerate();
        let axes = axes.map(|(index, wide)| Axis {
            name: format!("a{index}"),
            bits: bits(wide),
        });
        let buttons = (0..buttons).map(|index| format!("b{index}"));
        InputSchema::new(buttons.collect(), axes.collect()).unwrap()
    })
}

fn samples() -> impl Strategy<Value = SampleSchema> {
    let precision = prop_oneof![
        Just(Precision::Fine),
        Just(Precision::Default),
        Just(Precision::Tiny)
    ];
    let track = (any::<bool>(), any::<bool>(), 0_usize..=8);
    (1_u8..=60, precision, vec(track, 1..4)).prop_map(|(rate_hz, precision, tracks)| {
        let track =
            |(index, (three, quaternion, channels)): (usize, (bool, bool, usize))| TrackSchema {
                name: format!("t{index}"),
                dimensions: if three {
                    Dimensions::Three
                } else {
                    Dimensions::Two
                },
                rotation: if quaternion {
                    RotationKind::Quaternion
                } else {
                    RotationKind::Yaw
                },
                channels: (0..channels).map(|index| format!("c{index}")).collect(),
            };
        SampleSchema {
            rate_hz,
            precision,
            tracks: tracks.into_iter().enumerate().map(track).collect(),
        }
    })
}

type Identity = (
    Option<[u8; 32]>,
    Option<Vec<u8>>,
    Option<[u8; 32]>,
    Option<[u8; 16]>,
    Vec<UnknownField>,
    BTreeMap<String, String>,
);

fn identity() -> impl Strategy<Value = Identity> {
    let unknown = proptest::collection::btree_map(0x11_u8.., vec(any::<u8>(), 0..5), 0..3);
    let unknown = unknown.prop_map(|fields| {
        fields
            .into_iter()
            .map(|(tag, value)| UnknownField { tag, value })
            .collect()
    });
    let ticket = option::of(vec(any::<u8>(), 1..40));
    (
        any::<Option<[u8; 32]>>(),
        ticket,
        any::<Option<[u8; 32]>>(),
        any::<Option<[u8; 16]>>(),
        unknown,
        proptest::collection::btree_map("[a-zé]{1,16}", ".{0,12}", 0..4),
    )
}

/// Any run that may be written, of up to 1,500 frames. Its content comes from a small generator
/// of its own, which is much faster than one strategy for each input.
pub(crate) fn run() -> impl Strategy<Value = Run> {
    (
        header(),
        1_u32..1_500,
        any::<u64>(),
        1_u64..40,
        any::<Option<[u8; 32]>>(),
    )
        .prop_map(|(mut header, frames, seed, hold, half)| {
            header.frames_max = header.frames_max.max(frames);
            let mut dice = Dice(seed | 1);
            let inputs = header
                .inputs
                .clone()
                .map(|schema| roll_inputs(&mut dice, &schema, header.players, frames, hold));
            let tracks = header.samples.clone();
            let tracks =
                tracks.map_or(Vec::new(), |schema| roll_tracks(&mut dice, &schema, frames));
            let marks = dice.frames(frames);
            let pauses = dice.frames(frames);
            let checkpoints = if dice.below(2) == 0 { 0 } else { frames / 600 };
            Run {
                inputs: inputs.unwrap_or_else(|| Inputs::none(header.players)),
                header,
                tracks,
                marks: marks.into_iter().map(|frame| dice.mark(frame)).collect(),
                pauses: pauses
                    .into_iter()
                    .map(|frame| Pause {
                        frame,
                        wall_ms: dice.next() as u32,
                    })
                    .collect(),
                checkpoints: (1..=checkpoints)
                    .map(|place| Checkpoint::of(place * 600, dice.next()))
                    .collect(),
                end: End {
                    frames,
                    score: dice.next() as i64,
                    reason: [
                        EndReason::Finished,
                        EndReason::Stopped,
                        EndReason::Truncated,
                    ][dice.below(3) as usize],
                    digest: dice.next(),
                },
                signature: half.map(|half| core::array::from_fn(|place| half[place % 32])),
                unknown_chunks: 0,
            }
        })
}

fn roll_inputs(
    dice: &mut Dice,
    schema: &InputSchema,
    players: u8,
    frames: u32,
    hold: u64,
) -> Inputs {
    let mut now = vec![Input::default(); usize::from(players)];
    let mut flat = Vec::new();
    for _ in 0..frames {
        for input in &mut now {
            if dice.below(hold) == 0 {
                input.buttons = (dice.next() & ((1 << schema.buttons.len()) - 1)) as u32;
                for (value, axis) in input.axes.iter_mut().zip(&schema.axes) {
                    let wide = dice.next() as i16;
                    *value = if axis.bits == AxisBits::Eight {
                        wide >> 8
                    } else {
                        wide
                    };
                }
            }
        }
        flat.extend_from_slice(&now);
    }
    Inputs::new(players, flat).unwrap()
}

fn roll_tracks(dice: &mut Dice, schema: &SampleSchema, frames: u32) -> Vec<Vec<Sample>> {
    let tracks = schema.tracks.iter();
    tracks
        .map(|track| {
            let mut frames = dice.frames(frames);
            frames.dedup();
            frames
                .into_iter()
                .map(|frame| roll_sample(dice, track, schema.precision, frame))
                .collect()
        })
        .collect()
}

fn roll_sample(dice: &mut Dice, track: &TrackSchema, grid: Precision, frame: u32) -> Sample {
    let unit = async_replay::QUATERNION_MAX as u64;
    let rotation = match track.rotation {
        RotationKind::Yaw => Rotation::Yaw(dice.below(grid.yaw_steps() as u64) as i32),
        RotationKind::Quaternion => Rotation::Quaternion(core::array::from_fn(|_| {
            dice.below(2 * unit + 1) as i32 - unit as i32
        })),
    };
    let mut sample = Sample {
        frame,
        position: [0; 3],
        rotation,
        channels: [0; 8],
        teleport: dice.below(2) == 1,
    };
    sample.position[..track.dimensions.count()].fill_with(|| dice.next() as i32);
    sample.channels[..track.channels.len()].fill_with(|| dice.next() as i32 >> 9);
    sample
}

/// xorshift64*: enough to fill a run.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    fn below(&mut self, end: u64) -> u64 {
        (self.next() >> 16) % end
    }

    /// Some frames up to `last`, not descending.
    fn frames(&mut self, last: u32) -> Vec<u32> {
        let count = self.below(20);
        let mut frames: Vec<u32> = (0..count)
            .map(|_| self.below(u64::from(last) + 1) as u32)
            .collect();
        frames.sort_unstable();
        frames
    }

    fn mark(&mut self, frame: u32) -> Mark {
        let kind = match self.below(4) {
            0 => MarkKind::Split,
            1 => MarkKind::Lap,
            2 => MarkKind::Respawn,
            _ => MarkKind::Custom(self.next() as u8),
        };
        Mark {
            frame,
            kind,
            value: self.next() as i64,
        }
    }
}
