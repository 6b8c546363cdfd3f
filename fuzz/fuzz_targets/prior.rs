//! Priors: raw bytes, lessons with a right checksum, and what runs made of the bytes teach; and
//! runs that start from one.
#![no_main]

use std::sync::Arc;

use arbitrary::{Result, Unstructured};
use async_fuzz::{SMALL, change, schemas, shape, sought::sought, sound};
use async_replay::{Encoding, Error, Inputs, Level, Limits, Prior, Priors, Run, Seek};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some((how, rest)) = data.split_first() else {
        return;
    };
    match how & 3 {
        0 => open(rest),
        1 => lessons(usize::from(how >> 2), rest),
        _ => drop(trained(*how, &mut Unstructured::new(rest))),
    }
});

fn open(bytes: &[u8]) {
    match Prior::open(bytes, &Limits::default()) {
        // A prior has one form only, so that its hash names what it teaches.
        Ok(prior) => assert_eq!(prior.bytes(), bytes),
        Err(error) => sound::refused(&error),
    }
}

/// Any bytes as the lessons of a prior for one of our schemas.
fn lessons(number: usize, rest: &[u8]) {
    let mut run = Run {
        header: schemas::header(number % 4),
        ..sound::nothing()
    };
    run.inputs = Inputs::new(run.header.players, vec![<_>::default(); 8]).expect("whole frames");
    run.end.frames = run.inputs.frames();
    let prior = Prior::train(&[run]).expect("a run with inputs");
    let schema = 5 + usize::from(prior.bytes()[4]);
    open(&sealed([&prior.bytes()[..schema], rest].concat()));
}

/// A right checksum behind the content.
fn sealed(mut content: Vec<u8>) -> Vec<u8> {
    content.extend(crc32c::crc32c(&content).to_le_bytes());
    content
}

fn trained(how: u8, u: &mut Unstructured<'_>) -> Result<()> {
    let changes: [change::Change; 2] = u.arbitrary()?;
    let (lesson, run) = (shape::run(u)?, shape::run(u)?);
    let Ok(prior) = Prior::train(std::slice::from_ref(&lesson)) else {
        assert_eq!(lesson.header.inputs, None);
        return Ok(());
    };
    let again = Prior::open(prior.bytes(), &Limits::default()).expect("what was trained opens");
    assert_eq!(again.hash(), prior.hash());
    let mut broken = prior.bytes()[..prior.bytes().len() - 4].to_vec();
    changes
        .iter()
        .for_each(|it| change::apply(&mut broken, *it));
    open(&sealed(broken));
    let encoding = Encoding {
        level: Level::L2,
        seek: if how & 4 == 0 { Seek::Head } else { Seek::None },
        prior: Some(&prior),
    };
    let encoded = run.encode_with(&encoding);
    if run.header.inputs.is_some() && run.header.inputs.as_ref() != Some(prior.schema()) {
        assert!(matches!(encoded, Err(Error::BadPrior(_))));
        return Ok(());
    }
    let bytes = encoded.expect("a run that was made to be encoded");
    let priors = Priors::from([(prior.hash(), Arc::new(again))]);
    let opened = Run::open_with(&bytes, &Limits::LOCAL, &priors).expect("what was encoded opens");
    sound::assert_same(&opened, &run);
    if run.header.inputs.is_some() {
        let without = Run::open(&bytes, &Limits::LOCAL).map(drop);
        assert_eq!(without, Err(Error::MissingPrior { hash: prior.hash() }));
    }
    let changed = change::file(bytes, &changes, how & 8 == 0);
    sought(&changed, &SMALL, &priors, &changes.concat());
    Ok(())
}
