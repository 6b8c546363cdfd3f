//! What recording a game and verifying its file cost: figures of `scripts/bench sim`.

use std::time::Duration;

use async_client::Recorder;
use async_core::{Catalogue, arena};
use async_protocol::{Rules, Status};
use async_replay::{
    CHECKPOINT_FRAMES, Checkpoint, End, EndReason, Header, Limits, Precision, SampleSchema,
    TrackSchema, Writer,
};
use async_verify::{Evidence, Verifier};

use crate::{
    Figure, best_of,
    sim::{FRAMES_PER_SECOND, Failure, Recording, start},
};

/// A minute.
const FRAMES: u32 = 60 * FRAMES_PER_SECOND;
const SAMPLES_PER_SECOND: u8 = 10;
const BYTES_MAX: usize = 1 << 20;

/// Milliseconds from the bytes of a one-minute run to its verdict: decode, simulate, compare.
///
/// # Errors
/// A [`Failure`], also if the run is not verified.
pub fn verify_60s_ms(name: &str, mode: &str, players: u8) -> Result<Figure, Failure> {
    let recording = Recording::of(mode, players, 1, FRAMES)?;
    let bytes = write(&recording, started(&recording)?)?;
    let verifier = Verifier::new(Catalogue::standard(), Limits::default());
    let rules = Rules::default();
    let evidence = Evidence::local(&rules);
    let mut verdict = verifier.verify(&bytes, &evidence);
    let time = best_of(30, || verdict = verifier.verify(&bytes, &evidence));
    if verdict.status != Status::Verified {
        return Err(Failure::Verdict(verdict.code.to_string()));
    }
    let note = format!(
        "players: {players}, {} frames, {} bytes",
        recording.frames,
        bytes.len()
    );
    Ok(Figure::new(name, time.as_secs_f64() * 1e3, "ms").noted(note))
}

/// Nanoseconds that the kit's recorder takes for a frame of all players, on top of simulating it:
/// inputs, checkpoints, and samples of every player.
///
/// # Errors
/// A [`Failure`].
pub fn record_ns_per_frame(name: &str, mode: &str, players: u8) -> Result<Figure, Failure> {
    let recording = Recording::of(mode, players, 1, FRAMES)?;
    let mut outcome = Ok(());
    let (mut simulated, mut recorded) = (Duration::MAX, Duration::MAX);
    for _ in 0..30 {
        // Starting and finishing a run happens once; a game pays for the frames.
        let mut simulation = start(&recording.setup)?;
        simulated = simulated.min(best_of(1, || {
            for inputs in recording.frames() {
                outcome = simulation.step(inputs).map(drop).map_err(Failure::from);
            }
        }));
        std::mem::replace(&mut outcome, Ok(()))?;
        let mut recorder = recorder(&recording)?;
        recorded = recorded.min(best_of(1, || {
            for inputs in recording.frames() {
                outcome = recorder.frame(inputs).map(drop).map_err(Failure::from);
            }
        }));
        std::mem::replace(&mut outcome, Ok(()))?;
    }
    let nanoseconds = recorded.saturating_sub(simulated).as_secs_f64() * 1e9;
    let per_frame = nanoseconds / f64::from(recording.frames);
    let per_player = per_frame / f64::from(players);
    let note = format!("players: {players}, {per_player:.1} ns each, samples included");
    Ok(Figure::new(name, per_frame, "ns").noted(note))
}

/// The kit's recorder, as a session starts it with `record: both`.
fn recorder(recording: &Recording) -> Result<Recorder, Failure> {
    let tracks = (0..recording.setup.players).map(|slot| format!("player[{slot}]"));
    let samples = SampleSchema {
        rate_hz: SAMPLES_PER_SECOND,
        tracks: tracks.map(|name| TrackSchema::flat(&name)).collect(),
        precision: Precision::default(),
    };
    let header = Header {
        samples: Some(samples),
        ..header(recording)
    };
    let simulation = start(&recording.setup)?;
    Ok(Recorder::core(simulation, header, BYTES_MAX, false)?)
}

fn started(recording: &Recording) -> Result<Writer, Failure> {
    Ok(Writer::new(header(recording))?)
}

fn header(recording: &Recording) -> Header {
    let setup = &recording.setup;
    let mut header = Header::new(arena::NAME, arena::REVISION, setup.rate);
    header.seed = setup.seed;
    header.players = setup.players;
    header.slot = setup.slot;
    header.options = setup.options.clone();
    header.inputs = Some(arena::schema());
    header
}

fn frames(recording: &Recording, writer: &mut Writer) -> Result<(), Failure> {
    let mut checkpoints = (1..).zip(&recording.checkpoints);
    for (index, inputs) in (1..).zip(recording.frames()) {
        writer.frame(inputs)?;
        if index % CHECKPOINT_FRAMES == 0
            && let Some((count, digest)) = checkpoints.next()
        {
            writer.checkpoint(Checkpoint::of(count * CHECKPOINT_FRAMES, *digest))?;
        }
    }
    Ok(())
}

fn write(recording: &Recording, mut writer: Writer) -> Result<Vec<u8>, Failure> {
    frames(recording, &mut writer)?;
    let reason = if recording.finished {
        EndReason::Finished
    } else {
        EndReason::Stopped
    };
    let (score, digest) = (recording.score, recording.run_digest);
    let end = End {
        frames: recording.frames,
        score,
        reason,
        digest,
    };
    Ok(writer.finish(end, None)?.bytes)
}
