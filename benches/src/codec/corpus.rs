//! Recordings of people from a folder of `INP1` (`.inp`) and `SMP1` (`.smp`) files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use async_replay::corpus::{InputRecording, SampleRecording};

use super::Failure;

/// Recordings of one game. Their names start alike, up to the first `-`.
#[derive(Debug)]
pub struct Set<T> {
    /// What the names start with: `kart`, `fighter`, `platform` or anything else.
    pub name: String,
    /// The recordings, by name.
    pub files: Vec<T>,
}

/// The inputs of one file.
#[derive(Debug)]
pub struct Inputs {
    /// The file's name.
    pub name: String,
    /// The inputs as our codec takes them.
    pub parsed: InputRecording,
    /// The inputs as the file has them: frame × player × (buttons, axes), little endian.
    pub records: Vec<u8>,
    /// How a record is made.
    pub shape: Shape,
}

/// How records of inputs are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Records in a frame.
    pub players: usize,
    /// Bytes of the buttons, 1 to 4.
    pub button_bytes: usize,
    /// Axes behind them.
    pub axes: usize,
    /// Bytes of an axis, 1 or 2.
    pub axis_bytes: usize,
}

/// The samples of one file.
#[derive(Debug)]
pub struct Samples {
    /// The file's name.
    pub name: String,
    /// What it holds.
    pub parsed: SampleRecording,
}

/// All that a folder holds.
#[derive(Debug)]
pub struct Corpus {
    /// Inputs by set: kart, fighter and platform first, then others by name.
    pub inputs: Vec<Set<Inputs>>,
    /// Samples by set, in the same order.
    pub samples: Vec<Set<Samples>>,
}

/// Sets that are printed first, in this order.
const KNOWN_SETS: [&str; 3] = ["kart", "fighter", "platform"];
/// Where the parts of a record stand in the head of an `INP1` file: players, bytes of the buttons,
/// axes, bytes of an axis.
const SHAPE_AT: usize = 12;
const HEAD_BYTES: usize = 16;

impl Corpus {
    /// Reads every recording in a folder and in the folders right below it.
    ///
    /// # Errors
    /// A file that cannot be read or is not what its name says; a folder without recordings.
    pub fn read(folder: &Path) -> Result<Self, Failure> {
        let mut paths = list(folder)?;
        for below in paths.clone().iter().filter(|path| path.is_dir()) {
            paths.extend(list(below)?);
        }
        paths.sort();
        let corpus = Corpus {
            inputs: sets(&paths, "inp", Inputs::parse)?,
            samples: sets(&paths, "smp", Samples::parse)?,
        };
        if corpus.inputs.is_empty() && corpus.samples.is_empty() {
            return Err(Failure::Empty(folder.to_owned()));
        }
        Ok(corpus)
    }
}

fn list(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let failed = |error| Failure::Read(folder.to_owned(), error);
    let entries = std::fs::read_dir(folder).map_err(failed)?;
    entries
        .map(|entry| entry.map(|entry| entry.path()).map_err(failed))
        .collect()
}

fn sets<T>(
    paths: &[PathBuf],
    extension: &str,
    parse: impl Fn(String, Vec<u8>) -> Result<T, Failure>,
) -> Result<Vec<Set<T>>, Failure> {
    let mut sets = BTreeMap::<(usize, String), Vec<T>>::new();
    let wanted = |path: &&PathBuf| path.extension().is_some_and(|it| it == extension);
    for path in paths.iter().filter(wanted) {
        let bytes = std::fs::read(path).map_err(|error| Failure::Read(path.clone(), error))?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let stem = name.split(['-', '.']).next().unwrap_or_default().to_owned();
        let place = KNOWN_SETS.iter().position(|known| *known == stem);
        let key = (place.unwrap_or(KNOWN_SETS.len()), stem);
        let file = parse(name.into_owned(), bytes)?;
        sets.entry(key).or_default().push(file);
    }
    let set = |((_, name), files)| Set { name, files };
    Ok(sets.into_iter().map(set).collect())
}

impl Inputs {
    fn parse(name: String, bytes: Vec<u8>) -> Result<Self, Failure> {
        let parsed =
            InputRecording::parse(&bytes).map_err(|error| Failure::Ours(name.clone(), error))?;
        let part = |index: usize| bytes.get(SHAPE_AT + index).copied().map_or(0, usize::from);
        let shape = Shape {
            players: part(0),
            button_bytes: part(1),
            axes: part(2),
            axis_bytes: part(3),
        };
        let records = bytes.get(HEAD_BYTES..).unwrap_or_default().to_vec();
        Ok(Inputs {
            name,
            parsed,
            records,
            shape,
        })
    }

    /// How many frames there are.
    #[must_use]
    pub fn frames(&self) -> usize {
        self.records.len() / (self.shape.width() * self.shape.players)
    }

    /// Minutes of play.
    #[must_use]
    #[allow(clippy::cast_precision_loss, reason = "at most an hour of frames")]
    pub fn minutes(&self) -> f64 {
        let rate = self.parsed.rate;
        let hz = f64::from(rate.numer()) / f64::from(rate.denom());
        self.frames() as f64 / hz / 60.0
    }

    /// Minutes of play, those of each player counted.
    #[must_use]
    #[allow(clippy::cast_precision_loss, reason = "at most 8 players")]
    pub fn player_minutes(&self) -> f64 {
        self.minutes() * self.shape.players as f64
    }
}

impl Shape {
    /// Bytes of a record: one player's input in one frame.
    #[must_use]
    pub fn width(&self) -> usize {
        self.button_bytes + self.axes * self.axis_bytes
    }

    /// Bytes of each column of a record: the buttons, then each axis.
    pub(super) fn columns(self) -> impl Iterator<Item = usize> {
        let axes = std::iter::repeat_n(self.axis_bytes, self.axes);
        std::iter::once(self.button_bytes).chain(axes)
    }
}

impl Samples {
    fn parse(name: String, bytes: Vec<u8>) -> Result<Self, Failure> {
        match SampleRecording::parse(&bytes) {
            Ok(parsed) => Ok(Samples { name, parsed }),
            Err(error) => Err(Failure::Ours(name, error)),
        }
    }
}

impl Set<Inputs> {
    /// Minutes of play of all files, those of each player counted.
    #[must_use]
    pub fn player_minutes(&self) -> f64 {
        self.files.iter().map(Inputs::player_minutes).sum()
    }
}
