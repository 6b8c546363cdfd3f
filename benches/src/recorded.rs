//! What recording a game and verifying its file cost: figures of `scripts/bench sim`.

use async_core::{Catalogue, arena};
use async_protocol::{Rules, Status};
use async_replay::{CHECKPOINT_FRAMES, Checkpoint, End, EndReason, Header, Limits, Writer};
use async_verify::{Evidence, Verifier};

use crate::{
    Figure, best_of,
    sim::{FRAMES_PER_SECOND, Failure, Recording},
};

/// A minute.
const FRAMES: u32 = 60 * FRAMES_PER_SECOND;

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

/// Nanoseconds that the writer takes for a frame of all players, checkpoints included.
///
/// # Errors
/// A [`Failure`].
pub fn record_ns_per_frame(name: &str, mode: &str, players: u8) -> Result<Figure, Failure> {
    let recording = Recording::of(mode, players, 1, FRAMES)?;
    let mut outcome = Ok(());
    let mut fastest = None;
    for _ in 0..30 {
        // Starting and finishing a file happens once; a game pays for the frames.
        let mut writer = started(&recording)?;
        let time = best_of(1, || outcome = frames(&recording, &mut writer));
        std::mem::replace(&mut outcome, Ok(()))?;
        fastest = Some(fastest.map_or(time, |fastest| time.min(fastest)));
    }
    let nanoseconds = fastest.unwrap_or_default().as_secs_f64() * 1e9;
    let per_frame = nanoseconds / f64::from(recording.frames);
    let per_player = per_frame / f64::from(players);
    let note = format!("players: {players}, {per_player:.1} ns each");
    Ok(Figure::new(name, per_frame, "ns").noted(note))
}

fn started(recording: &Recording) -> Result<Writer, Failure> {
    let setup = &recording.setup;
    let mut header = Header::new(arena::NAME, arena::REVISION, setup.rate);
    header.seed = setup.seed;
    header.players = setup.players;
    header.slot = setup.slot;
    header.options = setup.options.clone();
    header.inputs = Some(arena::schema());
    Ok(Writer::new(header)?)
}

fn frames(recording: &Recording, writer: &mut Writer) -> Result<(), Failure> {
    let mut checkpoints = (1..).zip(&recording.checkpoints);
    for (index, inputs) in (1..).zip(
        recording
            .inputs
            .chunks_exact(usize::from(recording.setup.players)),
    ) {
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
