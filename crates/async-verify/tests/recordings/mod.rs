//! Recordings to judge: the arena played by autopilots, and an engine game made of samples.
#![allow(dead_code, reason = "each test file uses its own part of this module")]

use async_core::{Catalogue, FrameRate, Input, OptionValue, Pilot, Setup, Simulation, autopilot};
use async_identity::PlayerKey;
use async_protocol::{Rules, Status, Verdict};
use async_replay::{
    CHECKPOINT_FRAMES, Checkpoint, End, EndReason, Header, Limits, PlayerId, Precision, Rotation,
    Run, Sample, SampleSchema, TrackSchema, Writer,
};
use async_verify::{Evidence, Trace, TraceRecorder, Verifier};

pub(crate) fn key() -> PlayerKey {
    PlayerKey::from_seed([7; 32])
}

pub(crate) fn cheater() -> PlayerKey {
    PlayerKey::from_seed([66; 32])
}

pub(crate) fn verifier() -> Verifier {
    Verifier::new(Catalogue::standard(), Limits::LOCAL)
}

/// A header of the arena as the kit would write it.
pub(crate) fn arena(mode: &str, players: u8, hz: u32) -> Header {
    let mut header = Header::new("arena", 1, FrameRate::hz(hz).unwrap());
    header.build = "1.0".into();
    header.app = "tests".into();
    header.board = "b".into();
    header.player_name = "Pilot 1".into();
    header.engine = "web".into();
    header.seed = 11;
    header.players = players;
    header
        .options
        .insert("mode", OptionValue::Text(mode.into()))
        .unwrap();
    header.inputs = Some(async_core::arena::schema());
    header.player = Some(PlayerId(key().player()));
    header
}

pub(crate) fn with_option(mut header: Header, name: &str, value: i64) -> Header {
    header
        .options
        .insert(name, OptionValue::Int(value))
        .unwrap();
    header
}

pub(crate) fn setup(header: &Header) -> Setup {
    Setup {
        seed: header.seed,
        players: header.players,
        slot: header.slot,
        rate: header.rate,
        options: header.options.clone(),
    }
}

/// Gives every slot's input of the coming frame, or ends the recording.
pub(crate) type Drive<'a> = &'a mut dyn FnMut(&Simulation) -> Option<Vec<Input>>;

/// What a recorder leaves behind.
pub(crate) struct Recorded {
    pub(crate) bytes: Vec<u8>,
    pub(crate) trace: Trace,
}

impl Recorded {
    pub(crate) fn run(&self) -> Run {
        Run::open(&self.bytes, &Limits::LOCAL).unwrap()
    }
}

/// Records a run signed by [`key`], with samples of every player where the header asks for them.
pub(crate) fn record(header: Header, drive: Drive<'_>) -> Recorded {
    let catalogue = Catalogue::standard();
    let setup = setup(&header);
    let mut simulation =
        Simulation::start(&catalogue, &header.game, header.revision, &setup).unwrap();
    let mut writer = Writer::new(header.clone()).unwrap();
    let mut trace = TraceRecorder::new(header.players);
    sample(&mut writer, &header, &simulation);
    while !simulation.finished() {
        let Some(inputs) = drive(&simulation) else {
            break;
        };
        writer.frame(&inputs).unwrap();
        simulation.step(&inputs).unwrap();
        trace.frame(&inputs, simulation.game());
        if simulation.frame().is_multiple_of(CHECKPOINT_FRAMES) {
            let (frame, digest) = (simulation.frame(), simulation.run_digest());
            writer.checkpoint(Checkpoint::of(frame, digest)).unwrap();
        }
        sample(&mut writer, &header, &simulation);
    }
    let end = End {
        frames: simulation.frame(),
        score: simulation.game().score(header.slot),
        reason: if simulation.finished() {
            EndReason::Finished
        } else {
            EndReason::Stopped
        },
        digest: simulation.run_digest(),
    };
    let key = key();
    let mut sign = |hash: &async_replay::FullHash| key.sign_run(&hash.0);
    let finished = writer.finish(end, Some(&mut sign)).unwrap();
    Recorded {
        bytes: finished.bytes,
        trace: trace.finish(),
    }
}

fn sample(writer: &mut Writer, header: &Header, simulation: &Simulation) {
    let Some(schema) = &header.samples else {
        return;
    };
    if !simulation.frame().is_multiple_of(6) {
        return;
    }
    let mut transforms = Vec::new();
    simulation.game().transforms(&mut transforms);
    for (track, shown) in transforms.iter().enumerate().take(schema.tracks.len()) {
        let metres = shown.position.map(|part| part.to_f64() as f32);
        let radians = f32::from(shown.yaw.bits()) * core::f32::consts::TAU / 65_536.0;
        let precision = schema.precision;
        let sample = Sample {
            frame: simulation.frame(),
            position: [
                precision.position_from_metres(metres[0]).unwrap(),
                precision.position_from_metres(metres[1]).unwrap(),
                0,
            ],
            rotation: Rotation::Yaw(precision.yaw_from_radians(radians).unwrap()),
            channels: [0; 8],
            teleport: false,
        };
        writer.sample(track, &sample).unwrap();
    }
}

/// A run of autopilots, at most `frames` long.
pub(crate) fn autopiloted(header: Header, frames: u32) -> Recorded {
    let mut pilots: Vec<Box<dyn Pilot>> = (0..header.players)
        .map(|slot| autopilot("arena", u64::from(slot)).unwrap())
        .collect();
    record(header, &mut |simulation| {
        let pilot = |(slot, pilot): (usize, &mut Box<dyn Pilot>)| {
            pilot.input(simulation.game(), slot as u8)
        };
        (simulation.frame() < frames).then(|| pilots.iter_mut().enumerate().map(pilot).collect())
    })
}

/// Encodes a changed run with every checksum right. The signature stays as it was.
pub(crate) fn reencode(run: &Run) -> Vec<u8> {
    run.encode().unwrap()
}

/// Signs a run anew, as the player that `key` is.
pub(crate) fn sign_as(run: &mut Run, key: &PlayerKey) {
    run.header.player = Some(PlayerId(key.player()));
    run.signature = Some(key.sign_run(&run.full_hash().0));
}

pub(crate) fn rules() -> Rules {
    Rules::default()
}

/// A local look with default rules.
pub(crate) fn verdict(bytes: &[u8]) -> Verdict {
    verifier().verify(bytes, &Evidence::local(&rules()))
}

pub(crate) fn sample_schema(tracks: usize, rate_hz: u8) -> SampleSchema {
    let track = |index: usize| TrackSchema::flat(&format!("player{index}"));
    let tracks = (0..tracks).map(track).collect();
    SampleSchema {
        rate_hz,
        tracks,
        precision: Precision::Default,
    }
}

/// A run of somebody's own engine game at 60 Hz: one flat track at 10 Hz through `points`, in
/// metres; `None` repeats nothing: a sample that is missing.
pub(crate) fn engine_run(points: &[Option<(f32, f32)>], teleports: &[usize], score: i64) -> Run {
    let mut header = Header::new("my_kart", 0, FrameRate::hz(60).unwrap());
    header.samples = Some(sample_schema(1, 10));
    header.player = Some(PlayerId(key().player()));
    let mut writer = Writer::new(header).unwrap();
    for (index, point) in points.iter().enumerate() {
        if index > 0 {
            (0..6).for_each(|_| writer.frame(&[]).unwrap());
        }
        let Some((x, y)) = point else { continue };
        let grid = |metres: f32| Precision::Default.position_from_metres(metres).unwrap();
        let sample = Sample {
            frame: index as u32 * 6,
            position: [grid(*x), grid(*y), 0],
            rotation: Rotation::Yaw(0),
            channels: [0; 8],
            teleport: teleports.contains(&index),
        };
        writer.sample(0, &sample).unwrap();
    }
    let frames = writer.frames();
    let end = End {
        frames,
        score,
        reason: EndReason::Finished,
        digest: 0,
    };
    let key = key();
    let mut sign = |hash: &async_replay::FullHash| key.sign_run(&hash.0);
    let bytes = writer.finish(end, Some(&mut sign)).unwrap().bytes;
    Run::open(&bytes, &Limits::LOCAL).unwrap()
}

/// Judges a run and holds the verdict against what is expected.
#[track_caller]
pub(crate) fn check(run: &Run, evidence: &Evidence<'_>, status: Status, code: &str) -> Verdict {
    let verdict = verifier().verify_run(run, evidence);
    assert_eq!(
        (verdict.status, &*verdict.code),
        (status, code),
        "{verdict:?}"
    );
    assert!(!verdict.msg.is_empty());
    verdict
}
