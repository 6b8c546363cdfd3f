//! What names a run: hashes of its canonical form, taken in as the run grows.
//!
//! The canonical form knows nothing of chunks, models, index and signature, so a run keeps its
//! name when it is written again.

use async_core::{AXES_MAX, Input};
use blake3::Hasher;

use crate::{
    CHANNELS_MAX, Checkpoint, End, FullHash, Header, Mark, Pause, Rotation, Run, Sample,
    header_code,
    run::{mark_code, reason_code},
};

/// All that names a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hashes {
    /// The hash of the canonical form: what is signed; its first 128 bits are the run's id.
    pub full: FullHash,
    /// Names what was played, whoever played it: board, ruleset, seed and inputs.
    pub input_hash: [u8; 32],
    /// In how many frames the recording player's input differs from the frame before.
    pub input_changes: u32,
}

/// Takes in a run piece by piece. The streams may come interleaved in any way.
#[derive(Debug)]
pub(crate) struct RunHasher {
    axes: usize,
    slot: usize,
    frames: u32,
    last: Vec<Input>,
    input_changes: u32,
    inputs: Hasher,
    tracks: Vec<(Hasher, usize)>,
    marks: Hasher,
    pauses: Hasher,
    checkpoints: Hasher,
}

/// Bytes of one changed column: frame, slot, column, value.
const CHANGE_BYTES: usize = 10;

impl RunHasher {
    pub(crate) fn new(header: &Header) -> Self {
        let tracks = header.samples.iter().flat_map(|schema| &schema.tracks);
        Self {
            axes: header
                .inputs
                .as_ref()
                .map_or(0, |schema| schema.axes.len().min(AXES_MAX)),
            slot: usize::from(header.slot),
            frames: 0,
            last: vec![Input::default(); usize::from(header.players)],
            input_changes: 0,
            inputs: Hasher::new(),
            tracks: tracks
                .map(|track| (Hasher::new(), track.channels.len().min(CHANNELS_MAX)))
                .collect(),
            marks: Hasher::new(),
            pauses: Hasher::new(),
            checkpoints: Hasher::new(),
        }
    }

    pub(crate) fn frame(&mut self, inputs: &[Input]) {
        for (slot, input) in inputs.iter().enumerate().take(self.last.len()) {
            if self.last[slot] != *input {
                self.change(slot, input);
            }
        }
        self.frames += 1;
    }

    fn change(&mut self, slot: usize, input: &Input) {
        let last = core::mem::replace(&mut self.last[slot], *input);
        let mut bytes = [0; CHANGE_BYTES * (1 + AXES_MAX)];
        let mut used = 0;
        let frame = self.frames.to_le_bytes();
        let mut put = |column: usize, value: [u8; 4]| {
            let record = &mut bytes[used..used + CHANGE_BYTES];
            record[..4].copy_from_slice(&frame);
            (record[4], record[5]) = (slot as u8, column as u8);
            record[6..].copy_from_slice(&value);
            used += CHANGE_BYTES;
        };
        if last.buttons != input.buttons {
            put(0, input.buttons.to_le_bytes());
        }
        for axis in 0..self.axes {
            if last.axes[axis] != input.axes[axis] {
                put(1 + axis, i32::from(input.axes[axis]).to_le_bytes());
            }
        }
        self.inputs.update(&bytes[..used]);
        self.input_changes += u32::from(slot == self.slot);
    }

    pub(crate) fn sample(&mut self, track: usize, sample: &Sample) {
        let Some((hash, channels)) = self.tracks.get_mut(track) else {
            return;
        };
        let rotation = match sample.rotation {
            Rotation::Yaw(yaw) => [yaw, 0, 0, 0],
            Rotation::Quaternion(parts) => parts,
        };
        hash.update(&sample.frame.to_le_bytes())
            .update(&[u8::from(sample.teleport)]);
        let channels = &sample.channels[..*channels];
        for value in sample.position.iter().chain(&rotation).chain(channels) {
            hash.update(&value.to_le_bytes());
        }
    }

    pub(crate) fn mark(&mut self, mark: &Mark) {
        let kind = mark_code(mark.kind);
        self.marks
            .update(&mark.frame.to_le_bytes())
            .update(&kind.to_le_bytes());
        self.marks.update(&mark.value.to_le_bytes());
    }

    pub(crate) fn pause(&mut self, pause: &Pause) {
        self.pauses
            .update(&pause.frame.to_le_bytes())
            .update(&pause.wall_ms.to_le_bytes());
    }

    pub(crate) fn checkpoint(&mut self, checkpoint: &Checkpoint) {
        self.checkpoints.update(&checkpoint.digest.to_le_bytes());
    }

    /// The names of the run with this header and this end.
    pub(crate) fn finish(&self, header: &Header, end: &End) -> Hashes {
        let inputs = self.inputs.finalize();
        let mut samples = Hasher::new();
        for (track, _) in &self.tracks {
            samples.update(track.finalize().as_bytes());
        }
        let mut full = Hasher::new();
        full.update(b"gf-async run 1\0");
        full.update(blake3::hash(&header_code::encode(header)).as_bytes());
        full.update(inputs.as_bytes());
        full.update(samples.finalize().as_bytes());
        for stream in [&self.marks, &self.pauses, &self.checkpoints] {
            full.update(stream.finalize().as_bytes());
        }
        full.update(&end.frames.to_le_bytes())
            .update(&end.score.to_le_bytes());
        full.update(&[reason_code(end.reason)])
            .update(&end.digest.to_le_bytes());

        let mut played = Hasher::new();
        played
            .update(b"gf-async inputs 1\0")
            .update(&header.ruleset().0);
        played.update(&header.seed.to_le_bytes());
        played
            .update(&(header.board.len() as u32).to_le_bytes())
            .update(header.board.as_bytes());
        played
            .update(&end.frames.to_le_bytes())
            .update(inputs.as_bytes());
        Hashes {
            full: FullHash(*full.finalize().as_bytes()),
            input_hash: *played.finalize().as_bytes(),
            input_changes: self.input_changes,
        }
    }
}

pub(crate) fn hashes(run: &Run) -> Hashes {
    let mut hasher = RunHasher::new(&run.header);
    run.inputs.iter().for_each(|frame| hasher.frame(frame));
    for (track, samples) in run.tracks.iter().enumerate() {
        samples
            .iter()
            .for_each(|sample| hasher.sample(track, sample));
    }
    run.marks.iter().for_each(|mark| hasher.mark(mark));
    run.pauses.iter().for_each(|pause| hasher.pause(pause));
    run.checkpoints
        .iter()
        .for_each(|checkpoint| hasher.checkpoint(checkpoint));
    hasher.finish(&run.header, &run.end)
}
