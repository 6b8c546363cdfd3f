//! One track: what is expected of its next sample, and how the difference is coded.

use crate::{
    CHUNK_FRAMES_MAX, Error, Precision, Rotation, RotationKind, Sample, TrackSchema,
    coder::Coder,
    s1::{
        bit::{Chance, plain},
        column::{Column, Leap, size},
        lattice::{self, Turn},
        trend::{Guess, moved},
    },
};

/// No sample is taken to be as expected in more than 31 of 32 cases, so that each costs something:
/// a byte of code says at most 256 samples, whatever they are.
const PLAIN_MOST: u32 = 63_488;
/// Bits of a part of a quaternion, as far from its least value.
const PART_BITS: u32 = lattice::UNIT_BITS + 1;

const FAR: Error = Error::Malformed("a sample's value over 32 bits");
const LATE: Error = Error::Malformed("a sample out of its chunk or its order");
const OFF: Error = Error::Malformed("a turn off its lattice");

/// All that is learned about a track; it goes on from chunk to chunk.
#[derive(Debug)]
pub(super) struct Model {
    precision: Precision,
    rotation: RotationKind,
    dimensions: usize,
    /// The usual number of frames from sample to sample.
    pace: i64,
    plain: Chance,
    jump: Chance,
    paces: Column,
    starts: Leap,
    leaps: Leap,
    off_lattice: Chance,
    other: [Chance; 8],
    /// Of the coordinates: whether they go straight on, or turn with the body.
    curves: [Guess; 3],
    /// Of the coordinates, then of the rotation, then of the channels.
    columns: Vec<Column>,
    /// Of a yaw, then of the channels: whether they stay, or go on.
    guesses: Vec<Guess>,
}

/// Nothing that moves further than this between two samples is expected to turn.
const CURVED_MAX: i64 = 1 << 24;
/// A yaw's and eight channels'.
const SPEEDS: usize = 1 + crate::CHANNELS_MAX;

/// Where a track is within a chunk.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    last: Sample,
    /// Whether `last` is a sample, and not the frame that the chunk starts at.
    begun: bool,
    /// What the last step changed.
    by: [i64; 3],
    speeds: [i64; SPEEDS],
    turn: Turn,
    /// How the last two steps swung the body, the last first.
    swings: [[i64; 4]; 2],
    /// How many frames the last step took, and how many this one takes.
    before: u32,
    frames: u32,
    /// The mean size of the last differences of position, and of rotation.
    moved: u32,
    swung: u32,
}

impl Place {
    /// What came last; before the first sample all zeros.
    pub(super) fn last(&self) -> Sample {
        self.last
    }

    /// The same track at the start of a chunk.
    pub(super) fn at_start(&self, start: u32) -> Self {
        let kind = match self.last.rotation {
            Rotation::Yaw(_) => RotationKind::Yaw,
            Rotation::Quaternion(_) => RotationKind::Quaternion,
        };
        Self::new(kind, start)
    }

    /// What is to be added to a way if it turns with the body: between two samples it turned by
    /// half of what it did before them and half of what it does now.
    fn curve(&self, ways: [i64; 3]) -> [i64; 3] {
        let far = ways.iter().any(|way| way.abs() >= CURVED_MAX);
        if far || self.swings == [lattice::STILL; 2] {
            return [0; 3];
        }
        let vector = ways.map(|way| 16 * way);
        let [now, before] = self.swings.map(|swing| lattice::swung(swing, vector));
        [0, 1, 2].map(|axis| (now[axis] + before[axis] + 16) >> 5)
    }

    /// At the start of a chunk.
    pub(super) fn new(rotation: RotationKind, start: u32) -> Self {
        let rotation = match rotation {
            RotationKind::Yaw => Rotation::Yaw(0),
            RotationKind::Quaternion => Rotation::Quaternion([0; 4]),
        };
        Self {
            last: Sample {
                frame: start,
                position: [0; 3],
                rotation,
                channels: [0; crate::CHANNELS_MAX],
                teleport: false,
            },
            begun: false,
            by: [0; 3],
            speeds: [0; SPEEDS],
            turn: [0; 3],
            swings: [lattice::STILL; 2],
            before: 1,
            frames: 1,
            moved: 16,
            swung: 16,
        }
    }
}

impl Model {
    pub(super) fn new(track: &TrackSchema, precision: Precision) -> Self {
        let dimensions = track.dimensions.count();
        let turned = match track.rotation {
            RotationKind::Yaw => 1,
            RotationKind::Quaternion => 3,
        };
        let columns = dimensions + turned + track.channels.len();
        Self {
            precision,
            rotation: track.rotation,
            dimensions,
            pace: 1,
            plain: Chance::EVEN,
            jump: Chance::new(1 << 12, 8),
            paces: Column::NEW,
            starts: Leap::NEW,
            leaps: Leap::NEW,
            off_lattice: Chance::new(1 << 12, 8),
            other: [Chance::EVEN; 8],
            curves: [Guess::NEW; 3],
            columns: vec![Column::NEW; columns],
            guesses: vec![Guess::NEW; 1 + track.channels.len()],
        }
    }

    /// Checks a sample that was decoded.
    pub(super) fn check(&self, sample: &Sample, declared: &TrackSchema) -> Result<(), Error> {
        sample.check(declared, self.precision)
    }

    /// Becomes another model of the same track, without allocating.
    pub(super) fn become_copy(&mut self, of: &Self) {
        self.pace = of.pace;
        self.plain = of.plain;
        self.jump = of.jump;
        self.paces = of.paces;
        self.starts = of.starts;
        self.leaps = of.leaps;
        self.off_lattice = of.off_lattice;
        self.other = of.other;
        self.curves = of.curves;
        self.columns.copy_from_slice(&of.columns);
        self.guesses.copy_from_slice(&of.guesses);
    }

    /// Codes the sample after those at `place`; gives the one that a decoder reads.
    pub(super) fn code(
        &mut self,
        coder: &mut impl Coder,
        place: &mut Place,
        sample: &Sample,
    ) -> Result<Sample, Error> {
        let mut coded = place.last;
        (coded.frame, coded.teleport) = self.head(coder, place, sample)?;
        place.frames = coded.frame - place.last.frame;
        if coded.teleport || !place.begun {
            self.leap(coder, sample, &mut coded)?;
            *place = Place {
                begun: true,
                last: coded,
                ..Place::new(self.rotation, 0)
            };
        } else {
            self.step(coder, place, sample, &mut coded)?;
            place.before = place.frames;
            place.last = coded;
        }
        Ok(coded)
    }

    /// The frame, and whether the track jumps.
    fn head(
        &mut self,
        coder: &mut impl Coder,
        place: &Place,
        sample: &Sample,
    ) -> Result<(u32, bool), Error> {
        let frame = i64::from(place.last.frame);
        let frames = i64::from(sample.frame) - frame;
        let as_usual = frames == self.pace && !sample.teleport;
        let (frames, jump, least) = if !place.begun {
            let jump = self.jump.code(coder, sample.teleport);
            (self.starts.code(coder, frames), jump, 0)
        } else if self.plain.code_at_most(coder, as_usual, PLAIN_MOST) {
            (self.pace, false, 1)
        } else {
            let jump = self.jump.code(coder, sample.teleport);
            let beside = self.paces.usual();
            let more = self.paces.code(coder, frames - self.pace, beside, 0);
            self.pace += more;
            (self.pace, jump, 1)
        };
        if !(least..=i64::from(CHUNK_FRAMES_MAX)).contains(&frames) {
            return Err(LATE);
        }
        let frame = u32::try_from(frame + frames).map_err(|_| LATE)?;
        Ok((frame, jump))
    }

    /// All values of a sample of which nothing is expected.
    fn leap(
        &mut self,
        coder: &mut impl Coder,
        sample: &Sample,
        coded: &mut Sample,
    ) -> Result<(), Error> {
        for axis in 0..self.dimensions {
            let value = &mut coded.position[axis];
            *value = leapt(&mut self.leaps, coder, *value, sample.position[axis])?;
        }
        match (&mut coded.rotation, sample.rotation) {
            (Rotation::Yaw(yaw), Rotation::Yaw(to)) => {
                *yaw = leapt(&mut self.leaps, coder, *yaw, to)?;
            }
            (Rotation::Quaternion(parts), Rotation::Quaternion(to)) => whole(coder, parts, to),
            _ => {}
        }
        for channel in 0..self.guesses.len() - 1 {
            let value = &mut coded.channels[channel];
            *value = leapt(&mut self.leaps, coder, *value, sample.channels[channel])?;
        }
        Ok(())
    }

    /// All values of a sample, as differences from what is expected.
    fn step(
        &mut self,
        coder: &mut impl Coder,
        place: &mut Place,
        sample: &Sample,
        coded: &mut Sample,
    ) -> Result<(), Error> {
        match (&mut coded.rotation, sample.rotation) {
            (Rotation::Yaw(yaw), Rotation::Yaw(to)) => {
                *yaw = self.guessed(coder, place, 0, *yaw, to)?;
            }
            (Rotation::Quaternion(parts), Rotation::Quaternion(to)) => {
                let from = *parts;
                self.turn(coder, place, parts, to)?;
                place.swings = [lattice::swing(from, *parts), place.swings[0]];
            }
            _ => {}
        }
        self.position(coder, place, sample, coded)?;
        for channel in 0..self.guesses.len() - 1 {
            let value = coded.channels[channel];
            let to = sample.channels[channel];
            coded.channels[channel] = self.guessed(coder, place, 1 + channel, value, to)?;
        }
        Ok(())
    }

    fn position(
        &mut self,
        coder: &mut impl Coder,
        place: &mut Place,
        sample: &Sample,
        coded: &mut Sample,
    ) -> Result<(), Error> {
        let ways = place.by.map(|by| moved(by, place.frames, place.before));
        let curve = place.curve(ways);
        let (mut before, mut sum) = (place.moved, 0);
        for axis in 0..self.dimensions {
            let last = i64::from(coded.position[axis]);
            let (straight, curved) = (ways[axis], ways[axis] + curve[axis]);
            let guess = &mut self.curves[axis];
            let wanted = within(last + guess.choose(straight, curved));
            let off = i64::from(sample.position[axis]) - wanted;
            let beside = (before + size(curve[axis])) >> 1;
            let hint = 2 * (last - wanted) + straight + curved;
            let off = self.columns[axis].code(coder, off, beside, hint);
            coded.position[axis] = i32::try_from(wanted + off).map_err(|_| FAR)?;
            let by = wanted + off - last;
            guess.learn(size(by - straight), size(by - curved));
            place.by[axis] = by;
            before = size(off);
            sum += before;
        }
        place.moved = sum / self.dimensions as u32;
        Ok(())
    }

    /// A yaw (place 0) or a channel (from place 1 on).
    fn guessed(
        &mut self,
        coder: &mut impl Coder,
        place: &mut Place,
        which: usize,
        last: i32,
        to: i32,
    ) -> Result<i32, Error> {
        let turn = i64::from(self.precision.yaw_steps());
        let short = |way: i64| match which {
            0 => (way + turn / 2).rem_euclid(turn) - turn / 2,
            _ => way,
        };
        let column = match which {
            0 => self.dimensions,
            _ => self.columns.len() - self.guesses.len() + which,
        };
        let (guess, column) = (&mut self.guesses[which], &mut self.columns[column]);
        let last = i64::from(last);
        let way = moved(place.speeds[which], place.frames, place.before);
        let wanted = within(last + guess.choose(0, way));
        let beside = column.usual();
        let hint = 2 * (last - wanted) + way;
        let off = column.code(coder, short(i64::from(to) - wanted), beside, hint);
        if short(off) != off {
            return Err(Error::Malformed("a yaw of more than a turn"));
        }
        let value = match which {
            0 => (wanted + off).rem_euclid(turn),
            _ => wanted + off,
        };
        let by = short(value - last);
        guess.learn(size(by), size(short(by - way)));
        place.speeds[which] = by;
        i32::try_from(value).map_err(|_| FAR)
    }

    /// A quaternion, as a turn on the lattice or, where it is not on it, as it is.
    fn turn(
        &mut self,
        coder: &mut impl Coder,
        place: &mut Place,
        parts: &mut [i32; 4],
        to: [i32; 4],
    ) -> Result<(), Error> {
        let step = lattice::step(self.precision);
        let found = lattice::turn(*parts, to, step);
        if self.off_lattice.code(coder, found.is_none()) {
            whole(coder, parts, to);
            place.turn = [0; 3];
            return Ok(());
        }
        let exact = lattice::expected(place.turn, place.frames, place.before);
        let nearest = lattice::nearest_is_odd(exact);
        let other = &mut self.other[(place.swung >> 4).min(7) as usize];
        let to = found.unwrap_or_default();
        let odd = nearest ^ other.code(coder, nearest ^ (to[0] & 1 == 1));
        let wanted = lattice::nearest(exact, odd);
        let (mut before, mut sum) = (place.swung, 0);
        for axis in 0..3 {
            let half = (i64::from(to[axis]) - wanted[axis]) >> 1;
            let hint = exact[axis] - 16 * wanted[axis];
            let column = &mut self.columns[self.dimensions + axis];
            let half = column.code(coder, half, before, hint);
            place.turn[axis] = i32::try_from(wanted[axis] + 2 * half).map_err(|_| OFF)?;
            before = size(half);
            sum += before;
        }
        place.swung = sum / 3;
        *parts = lattice::turned(*parts, place.turn, step).ok_or(OFF)?;
        Ok(())
    }
}

/// A value of which nothing is expected, after `last`.
fn leapt(leaps: &mut Leap, coder: &mut impl Coder, last: i32, to: i32) -> Result<i32, Error> {
    let last = i64::from(last);
    let way = leaps.code(coder, i64::from(to) - last);
    i32::try_from(last + way).map_err(|_| FAR)
}

/// A quaternion as it is.
fn whole(coder: &mut impl Coder, parts: &mut [i32; 4], to: [i32; 4]) {
    let half = 1 << lattice::UNIT_BITS;
    for (part, to) in parts.iter_mut().zip(to) {
        let coded = plain(coder, (i64::from(to) + half) as u64, PART_BITS);
        *part = (coded as i64 - half) as i32;
    }
}

/// The nearest number of 32 bits.
fn within(value: i64) -> i64 {
    value.clamp(i64::from(i32::MIN), i64::from(i32::MAX))
}
