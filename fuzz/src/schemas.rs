//! The headers that forged and made runs carry: from one button to everything at once.

use async_core::{Axis, AxisBits, FrameRate, InputSchema};
use async_replay::{Dimensions, Header, Precision, RotationKind, SampleSchema, TrackSchema};

/// How many there are.
pub const HEADERS: usize = 8;

/// One of them; the number wraps.
pub fn header(number: usize) -> Header {
    // Few frames a second make many groups of few frames.
    let hz = if number.is_multiple_of(2) { 60 } else { 10 };
    let rate = FrameRate::hz(hz).expect("a rate within 10 to 120");
    let mut header = Header::new("g", 1, rate);
    let (players, inputs, samples) = match number % HEADERS {
        0 => (1, Some(schema(1, &[8])), None),
        1 => (1, Some(schema(2, &[8, 8, 8, 8])), None),
        2 => (2, Some(schema(16, &[16, 16])), None),
        3 => (8, Some(schema(32, &[8, 16, 8, 16, 8, 16, 8, 16])), None),
        4 => (1, None, Some(tracks(Precision::Default, 1))),
        5 => (1, Some(schema(3, &[8])), Some(tracks(Precision::Fine, 3))),
        6 => (4, Some(schema(1, &[])), None),
        _ => (2, Some(schema(0, &[])), Some(tracks(Precision::Tiny, 2))),
    };
    header.frames_max = 40_000;
    header.players = players;
    header.inputs = inputs;
    header.samples = samples;
    header
}

fn schema(buttons: usize, bits: &[u8]) -> InputSchema {
    let axes = bits.iter().enumerate().map(|(index, bits)| Axis {
        name: format!("a{index}"),
        bits: if *bits == 8 {
            AxisBits::Eight
        } else {
            AxisBits::Sixteen
        },
    });
    let buttons = (0..buttons).map(|index| format!("b{index}"));
    InputSchema::new(buttons.collect(), axes.collect()).expect("a schema within its bounds")
}

fn tracks(precision: Precision, count: usize) -> SampleSchema {
    let track = |index: usize| TrackSchema {
        name: format!("t{index}"),
        dimensions: [Dimensions::Two, Dimensions::Three][index % 2],
        rotation: [RotationKind::Yaw, RotationKind::Quaternion][index % 2],
        channels: (0..index).map(|channel| format!("c{channel}")).collect(),
    };
    SampleSchema {
        rate_hz: 10,
        precision,
        tracks: (0..count).map(track).collect(),
    }
}
