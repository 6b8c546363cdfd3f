//! A whole run as bytes.

use async_core::Input;

use crate::{
    CHECKPOINT_FRAMES, Checkpoint, Encoding, End, Error, Header, Mark, Pause, Run, Sample,
    group::{Groups, Layout},
    inputs,
};

/// Writes a run.
pub(crate) fn encode(run: &Run, encoding: &Encoding<'_>) -> Result<Vec<u8>, Error> {
    check(run)?;
    let mut groups = Groups::new(&run.header, Layout::SEALED, 1_024, None)?;
    run.checkpoints
        .iter()
        .try_for_each(|checkpoint| groups.checkpoint(checkpoint))?;
    run.marks.iter().try_for_each(|mark| groups.mark(mark))?;
    run.pauses
        .iter()
        .try_for_each(|pause| groups.pause(pause))?;
    groups.flush_sides()?;
    for payload in inputs::seal(run, encoding)? {
        groups.inputs(&payload)?;
    }
    let mut waiting: Vec<&[Sample]> = run.tracks.iter().map(Vec::as_slice).collect();
    for frame in 0..=run.end.frames {
        for (track, samples) in waiting.iter_mut().enumerate() {
            if let [sample, rest @ ..] = *samples
                && sample.frame == frame
            {
                groups.sample(track, sample);
                *samples = rest;
            }
        }
        if frame < run.end.frames {
            groups.frame(&[])?;
        }
    }
    groups.finish(&run.end, run.signature.as_ref())
}

/// Checks that the parts of a run fit together.
pub(crate) fn check(run: &Run) -> Result<(), Error> {
    run.header.check()?;
    check_inputs(run)?;
    check_tracks(run)?;
    check_order(&run.marks, |mark: &Mark| mark.frame)?;
    check_order(&run.pauses, |pause: &Pause| pause.frame)?;
    let due = (1..).map(|place| place * CHECKPOINT_FRAMES);
    if run
        .checkpoints
        .iter()
        .zip(due)
        .any(|(checkpoint, due)| checkpoint.frame != due)
    {
        return Err(Error::WrongOrder(
            "checkpoints stand after each whole 600 frames",
        ));
    }
    check_end(
        &run.header,
        &run.end,
        &run.marks,
        &run.pauses,
        &run.checkpoints,
    )
}

/// Checks the end against what came before it; the reader and the writer ask the same.
pub(crate) fn check_end(
    header: &Header,
    end: &End,
    marks: &[Mark],
    pauses: &[Pause],
    checkpoints: &[Checkpoint],
) -> Result<(), Error> {
    if end.frames == 0 {
        return Err(Error::BadEnd("a run has at least one frame"));
    }
    if end.frames > header.frames_max {
        return Err(Error::TooManyFrames {
            frames: end.frames,
            frames_max: header.frames_max,
        });
    }
    let last_mark = marks.last().map_or(0, |mark| mark.frame);
    let last_pause = pauses.last().map_or(0, |pause| pause.frame);
    if last_mark.max(last_pause) > end.frames {
        return Err(Error::BadEnd("a mark or a pause after the last frame"));
    }
    let due = (end.frames / CHECKPOINT_FRAMES) as usize;
    if !checkpoints.is_empty() && checkpoints.len() != due {
        return Err(Error::BadEnd(
            "no checkpoint, or one after each whole 600 frames",
        ));
    }
    Ok(())
}

fn check_inputs(run: &Run) -> Result<(), Error> {
    let Some(schema) = &run.header.inputs else {
        let none = run.inputs.frames() == 0;
        return if none {
            Ok(())
        } else {
            Err(Error::BadEnd("inputs without a schema"))
        };
    };
    let whole = run.inputs.players() == usize::from(run.header.players)
        && run.inputs.frames() == run.end.frames;
    if !whole {
        return Err(Error::BadEnd("inputs are one per slot and frame"));
    }
    // What equals the frame before was checked there, and nothing pressed is always declared.
    let mut last = vec![Input::default(); run.inputs.players()];
    for (frame, inputs) in (0..).zip(run.inputs.iter()) {
        for (last, input) in last.iter_mut().zip(inputs) {
            if last != input {
                schema
                    .check(input)
                    .map_err(|_| Error::InputUndeclared { frame })?;
                *last = *input;
            }
        }
    }
    Ok(())
}

fn check_tracks(run: &Run) -> Result<(), Error> {
    let Some(schema) = &run.header.samples else {
        let none = run.tracks.is_empty();
        return if none {
            Ok(())
        } else {
            Err(Error::BadSample("tracks without a schema"))
        };
    };
    if schema.tracks.len() != run.tracks.len() {
        return Err(Error::BadSample("one list of samples for each track"));
    }
    for (declared, samples) in schema.tracks.iter().zip(&run.tracks) {
        samples
            .iter()
            .try_for_each(|sample| sample.check(declared, schema.precision))?;
        let ascending = samples.windows(2).all(|pair| pair[0].frame < pair[1].frame);
        if !ascending
            || samples
                .last()
                .is_some_and(|last| last.frame > run.end.frames)
        {
            return Err(Error::BadSample(
                "frames of samples ascend, up to the last frame",
            ));
        }
    }
    Ok(())
}

fn check_order<T>(records: &[T], frame: impl Fn(&T) -> u32) -> Result<(), Error> {
    let ordered = records
        .windows(2)
        .all(|pair| frame(&pair[0]) <= frame(&pair[1]));
    if ordered {
        Ok(())
    } else {
        Err(Error::WrongOrder("frames of marks and pauses"))
    }
}

#[cfg(test)]
mod tests {
    use async_core::{FrameRate, InputSchema};

    use super::*;
    use crate::{EndReason, Inputs, Level, Limits, Seek, Writer};

    fn run() -> Run {
        let mut header = Header::new("game", 1, FrameRate::hz(60).unwrap());
        header.inputs = Some(InputSchema::new(vec!["a".into()], vec![]).unwrap());
        let frames = 8_000;
        let at = |frame: u32| Input {
            buttons: (frame / 7) & 1,
            ..Input::default()
        };
        Run {
            header,
            inputs: Inputs::new(1, (0..frames).map(at).collect()).unwrap(),
            tracks: Vec::new(),
            marks: vec![Mark {
                frame: 3,
                kind: crate::MarkKind::Lap,
                value: 1,
            }],
            pauses: Vec::new(),
            checkpoints: (1..=13)
                .map(|place| Checkpoint::of(place * 600, 5))
                .collect(),
            end: End {
                frames,
                score: 0,
                reason: EndReason::Stopped,
                digest: 1,
            },
            signature: None,
            unknown_chunks: 0,
        }
    }

    #[test]
    fn the_layout_is_not_in_the_name() {
        let run = run();
        let mut streamed = Writer::new(run.header.clone()).unwrap();
        for inputs in run.inputs.iter() {
            streamed.frame(inputs).unwrap();
        }
        let cut = Run::recover(streamed.bytes(), &Limits::default()).unwrap();
        let whole = cut.whole_frames;
        assert_eq!(cut.inputs.flat(), &run.inputs.flat()[..whole as usize]);
        let mut sizes = Vec::new();
        for level in [Level::L0, Level::L1, Level::L2, Level::Auto] {
            for seek in [Seek::Head, Seek::None] {
                let prior = None;
                let encoding = Encoding { level, seek, prior };
                let bytes = run.encode_with(&encoding).unwrap();
                let back = Run::open(&bytes, &Limits::default()).unwrap();
                assert_eq!(back, run);
                assert_eq!(back.id(), run.id());
                sizes.push(bytes.len());
            }
        }
        assert!(sizes[0] > sizes[2] && sizes[6] <= sizes[4], "{sizes:?}");
    }

    #[test]
    fn an_index_that_lies_is_refused() {
        let short = Layout {
            seconds_max: 5,
            seconds_min: 5,
            bytes_min: 1,
            index: true,
        };
        let run = run();
        let coding = inputs::Coding {
            model: inputs::L2,
            runs_on: false,
        };
        let mut groups = Groups::new(&run.header, short, 0, Some(coding)).unwrap();
        for frame in 0..8_000 {
            groups.frame(run.inputs.frame(frame)).unwrap();
        }
        groups.lie();
        let bytes = groups.finish(&run.end, None).unwrap();
        let refused = Run::open(&bytes, &Limits::default());
        assert_eq!(refused, Err(Error::Malformed("an index of something else")));
    }
}
