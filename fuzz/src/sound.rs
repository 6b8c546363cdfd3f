//! What must hold of everything that a reader accepts or refuses.

use async_replay::{CODES, Error, Limits, Recovered, Run, Writer};

/// A run of no frames and of nothing else.
pub fn nothing() -> Run {
    Run {
        header: crate::schemas::header(0),
        inputs: async_replay::Inputs::none(1),
        tracks: Vec::new(),
        marks: Vec::new(),
        pauses: Vec::new(),
        checkpoints: Vec::new(),
        end: async_replay::End {
            frames: 0,
            score: 0,
            reason: async_replay::EndReason::Finished,
            digest: 0,
        },
        signature: None,
        unknown_chunks: 0,
    }
}

/// Opens and recovers bytes under the limits; a panic is the only thing not allowed. What opens
/// must be [`whole`], and recovery must give the same.
pub fn read(bytes: &[u8], limits: &Limits) -> Result<Run, Error> {
    let opened = Run::open(bytes, limits);
    let recovered = Run::recover(bytes, limits);
    match (&opened, &recovered) {
        (Ok(run), Ok(left)) => {
            assert_eq!(left.cause, None, "a whole file recovers without a cause");
            assert_recovered(left, run);
            whole(run);
        }
        (Ok(_), Err(error)) => panic!("a whole file does not recover: {error}"),
        (Err(error), Ok(left)) => {
            refused(error);
            assert_eq!(left.cause.as_ref().map(Error::code), Some(error.code()));
        }
        (Err(error), Err(_)) => refused(error),
    }
    opened
}

/// What was accepted can be written again, is the same run then, and keeps its name.
pub fn whole(run: &Run) {
    run.check().expect("what was read can be written");
    let again = reopen(&run.encode().expect("what was checked can be encoded"));
    assert_same(&again, run);
}

/// Opens what was just encoded, with room for anything that a fuzzer's input grows to.
pub fn reopen(bytes: &[u8]) -> Run {
    Run::open(bytes, &Limits::LOCAL).expect("what was encoded opens")
}

/// The same run: content, signature and name. Unknown chunks are no part of one.
pub fn assert_same(found: &Run, run: &Run) {
    assert_eq!(found.inputs, run.inputs);
    assert_eq!(found.header, run.header);
    assert_eq!(found.tracks, run.tracks);
    assert_eq!((&found.marks, &found.pauses), (&run.marks, &run.pauses));
    assert_eq!((&found.checkpoints, found.end), (&run.checkpoints, run.end));
    assert_eq!(found.signature, run.signature);
    assert_eq!(found.full_hash(), run.full_hash());
}

fn assert_recovered(left: &Recovered, run: &Run) {
    assert_eq!(left.end, Some(run.end));
    assert_eq!((&left.header, &left.inputs), (&run.header, &run.inputs));
    assert_eq!((&left.tracks, left.signature), (&run.tracks, run.signature));
    assert_eq!((&left.marks, &left.pauses), (&run.marks, &run.pauses));
    assert_eq!(left.checkpoints, run.checkpoints);
}

/// A refusal has one of the codes that the format lists.
pub fn refused(error: &Error) {
    assert!(
        CODES.contains(&error.code()),
        "{error} has an unlisted code"
    );
}

/// Records the run frame by frame, and checks that the file and its name are those of the run.
pub fn streamed(run: &Run) {
    let mut writer = Writer::new(run.header.clone()).expect("a header that was checked");
    let mut recorder = Recorder {
        run,
        samples: vec![0; run.tracks.len()],
        marks: 0,
        pauses: 0,
    };
    recorder.beside(&mut writer, 0);
    for frame in 0..run.end.frames {
        writer
            .frame(run.inputs.frame(frame))
            .expect("a frame of the run");
        recorder.beside(&mut writer, frame + 1);
    }
    let mut sign = |_: &_| run.signature.unwrap_or([0; 64]);
    let sign: Option<async_replay::Sign<'_>> = run.signature.is_some().then_some(&mut sign);
    let finished = writer.finish(run.end, sign).expect("the end of the run");
    assert_eq!(finished.full_hash, run.full_hash());
    assert_same(&reopen(&finished.bytes), run);
}

/// What stands beside the inputs, as far as it was recorded.
struct Recorder<'a> {
    run: &'a Run,
    samples: Vec<usize>,
    marks: usize,
    pauses: usize,
}

impl Recorder<'_> {
    /// Records all that stands after so many frames.
    fn beside(&mut self, writer: &mut Writer, frames: u32) {
        for (track, next) in self.samples.iter_mut().enumerate() {
            while let Some(sample) = self.run.tracks[track].get(*next)
                && sample.frame == frames
            {
                writer.sample(track, sample).expect("a sample of the run");
                *next += 1;
            }
        }
        while let Some(mark) = self
            .run
            .marks
            .get(self.marks)
            .filter(|it| it.frame == frames)
        {
            writer.mark(*mark).expect("a mark of the run");
            self.marks += 1;
        }
        while let Some(pause) = self
            .run
            .pauses
            .get(self.pauses)
            .filter(|it| it.frame == frames)
        {
            writer.pause(*pause).expect("a pause of the run");
            self.pauses += 1;
        }
        let checkpoint = self.run.checkpoints.iter().find(|it| it.frame == frames);
        if let Some(checkpoint) = checkpoint {
            writer
                .checkpoint(*checkpoint)
                .expect("a checkpoint of the run");
        }
    }
}
