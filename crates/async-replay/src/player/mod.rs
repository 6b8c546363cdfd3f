//! Plays a run back: where it is, what it goes over, and what there is to show.
//!
//! A player has no clock. It is told how much time passed, in frames, and answers exactly: a run
//! played in any portions, at any speeds, forwards or backwards, shows the same at the same frame.

mod crossing;
mod pose;
mod search;
mod shown;
mod speed;
mod timeline;

use core::borrow::Borrow;

use async_core::Input;

use crate::{Mark, Precision, Run};
use crossing::Crossing;
use search::count_before;
use timeline::{Leg, Timeline, place_of};

pub use crossing::Stretch;
pub use pose::{Facing, Pose};
pub use speed::Speed;
pub use timeline::Edge;

/// A frame of time or of position: both have 16 bits behind the point.
pub const FRAME_UNITS: u64 = 1 << 16;

/// What a movement came to. The marks and frames that it went over are the player's
/// [`crossed`](Player::crossed) and [`stretches`](Player::stretches).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Moved {
    /// The end of the run that was reached, told once: again only after the player left it, was
    /// sought elsewhere, or sought there. Never while repeating.
    pub reached: Option<Edge>,
    /// How often it went round.
    pub wraps: u64,
}

/// Plays a run, owned or shared: a `Run`, a `&Run` or an `Arc<Run>`.
///
/// Time is told in frames of the run, in units of 1/65,536 ([`FRAME_UNITS`]), so that nothing
/// drifts: what a speed makes of them is kept to 2^-32 of a frame. After a player was made it
/// allocates nothing. The run has to be one that [`Run::check`] accepts, as every opened one is;
/// another may show nonsense.
///
/// **Marks** are crossed when the player reaches their frame, in either direction, each once. A
/// player that turns round on a mark crosses it again on the way back. A seek crosses nothing, and
/// leaves the marks of its own frame to whichever way is played next; so whoever plays from frame 0
/// to the end crosses every mark, and so does whoever plays from the end to frame 0.
///
/// A ghost beside a game, half a second behind it:
///
/// ```
/// use async_replay::{Edge, FRAME_UNITS, Limits, Player, Run};
/// # use async_core::FrameRate;
/// # use async_replay::{
/// #     End, EndReason, Header, Mark, MarkKind, Precision, Rotation, Sample, SampleSchema,
/// #     TrackSchema, Writer,
/// # };
/// # fn recorded() -> Result<Vec<u8>, async_replay::Error> {
/// #     let mut header = Header::new("kart", 0, FrameRate::hz(60).unwrap());
/// #     let tracks = vec![TrackSchema::flat("kart")];
/// #     let precision = Precision::Default;
/// #     header.samples = Some(SampleSchema { rate_hz: 10, tracks, precision });
/// #     let mut writer = Writer::new(header)?;
/// #     for frame in 0..=60 {
/// #         if frame > 0 {
/// #             writer.frame(&[])?;
/// #         }
/// #         if frame % 6 == 0 {
/// #             let (position, rotation) = ([frame as i32 * 10, 0, 0], Rotation::Yaw(0));
/// #             let (channels, teleport) = ([0; 8], false);
/// #             writer.sample(0, &Sample { frame, position, rotation, channels, teleport })?;
/// #         }
/// #     }
/// #     writer.mark(Mark { frame: 60, kind: MarkKind::Lap, value: 1 })?;
/// #     let (score, reason, digest) = (0, EndReason::Stopped, 0);
/// #     Ok(writer.finish(End { frames: 60, score, reason, digest }, None)?.bytes)
/// # }
/// # fn main() -> Result<(), async_replay::Error> {
/// # let file = recorded()?;
/// # let (mut kart, mut laps) = ([0.0; 3], 0);
///
/// let run = Run::open(&file, &Limits::default())?;
/// let mut ghost = Player::with_offset(&run, 30);
/// loop {
///     // In each frame of the game. At another rate, or in slow motion, it is another time.
///     let moved = ghost.advance(FRAME_UNITS);
///     if let Some(pose) = ghost.pose(0) {
///         kart = pose.metres();
///     }
///     for mark in ghost.crossed() {
///         laps += i32::from(mark.kind == MarkKind::Lap);
///     }
///     if moved.reached == Some(Edge::End) {
///         break;
///     }
/// }
/// assert_eq!((kart, laps), ([12.0, 0.0, 0.0], 1));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Player<R = Run> {
    run: R,
    precision: Precision,
    timeline: Timeline,
    speed: Speed,
    paused: bool,
    offset_frames: i32,
    /// The edge that it stands at and has told.
    told: Option<Edge>,
    /// How many marks there are, up to the end.
    marks: usize,
    /// How many of them lie behind; none after a seek, which decides nothing about its own frame.
    behind: Option<usize>,
    crossing: Crossing,
    /// How many samples of each track are not later than the frame.
    past: Vec<usize>,
}

impl<R: Borrow<Run>> Player<R> {
    /// At frame 0, at normal speed, not repeating.
    pub fn new(run: R) -> Self {
        Self::with_offset(run, 0)
    }

    /// Starts so many frames later than the game beside it; below zero it has a lead. The delay
    /// passes at the player's speed, and only forwards; until it is over the first pose is shown.
    pub fn with_offset(run: R, offset_frames: i32) -> Self {
        let shown: &Run = run.borrow();
        let frames = shown.end.frames;
        let marks = count_before(&shown.marks, usize::MAX, |mark| mark.frame <= frames);
        let past = vec![0; shown.tracks.len()];
        let schema = shown.header.samples.as_ref();
        let precision = schema.map_or_else(Precision::default, |schema| schema.precision);
        let timeline = Timeline::new(frames, offset_frames);
        let mut player = Self {
            run,
            precision,
            speed: Speed::NORMAL,
            paused: false,
            offset_frames,
            told: None,
            marks,
            behind: None,
            crossing: Crossing::none(timeline.frame()),
            timeline,
            past,
        };
        player.settle();
        player
    }

    /// The run that is played.
    pub fn run(&self) -> &Run {
        self.run.borrow()
    }

    /// How many frames the run has.
    pub fn frames(&self) -> u32 {
        self.timeline.frames()
    }

    /// The frame that is shown: after so many frames. 0 until the run starts.
    pub fn frame(&self) -> u32 {
        self.timeline.frame()
    }

    /// Where the player is, in 1/65,536 frames, rounded down; below zero until the run starts.
    pub fn position(&self) -> i64 {
        self.timeline.position()
    }

    /// Whether the delay of the start is over.
    pub fn started(&self) -> bool {
        self.timeline.started()
    }

    /// Whether the player has told that it reached the end of the run, and is still there.
    pub fn ended(&self) -> bool {
        self.told == Some(Edge::End)
    }

    /// How fast the run is played.
    pub fn speed(&self) -> Speed {
        self.speed
    }

    /// Plays on at another speed.
    pub fn set_speed(&mut self, speed: Speed) {
        self.speed = speed;
    }

    /// Whether it is paused.
    pub fn paused(&self) -> bool {
        self.paused
    }

    /// Stands still; the speed is kept.
    pub fn pause(&mut self) {
        self.paused = true;
    }

    /// Plays on after a pause.
    pub fn resume(&mut self) {
        self.paused = false;
    }

    /// Whether the run starts again at its end.
    pub fn repeats(&self) -> bool {
        self.timeline.repeat
    }

    /// Lets the run start again at its end, and end again at its start when played backwards.
    /// The delay of the start is not repeated.
    pub fn set_repeat(&mut self, repeat: bool) {
        self.timeline.repeat = repeat;
    }

    /// So much time passed, in 1/65,536 frames of the run at normal speed.
    pub fn advance(&mut self, elapsed: u64) -> Moved {
        let speed = if self.paused { 0 } else { self.speed.units() };
        self.go(i128::from(elapsed) * i128::from(speed))
    }

    /// Moves by whole frames, also while paused; from between two of them, the first step leads to
    /// the next one that way. It crosses marks and goes round as [`advance`](Self::advance) does.
    pub fn step(&mut self, frames: i32) -> Moved {
        self.go(self.timeline.way_of(frames))
    }

    /// Moves to a frame, or the end if that is nearer, and crosses nothing.
    pub fn seek(&mut self, frame: u32) {
        self.timeline.seek(frame);
        self.sought();
    }

    /// Moves back to where it was when it was made.
    pub fn restart(&mut self) {
        self.timeline.start(self.offset_frames);
        self.sought();
    }

    /// Seeks the first wanted mark of a later frame. Nothing moves if there is none.
    pub fn seek_next_mark(&mut self, wanted: impl Fn(&Mark) -> bool) -> Option<Mark> {
        let here = self.timeline.place();
        let marks = self.marks_of_run();
        let later = count_before(marks, 0, |mark| place_of(mark.frame) <= here);
        let mark = marks[later..].iter().copied().find(wanted)?;
        self.seek(mark.frame);
        Some(mark)
    }

    /// Seeks the last wanted mark of an earlier frame. Nothing moves if there is none.
    pub fn seek_previous_mark(&mut self, wanted: impl Fn(&Mark) -> bool) -> Option<Mark> {
        let here = self.timeline.place();
        let marks = self.marks_of_run();
        let earlier = count_before(marks, 0, |mark| place_of(mark.frame) < here);
        let mark = marks[..earlier].iter().copied().rfind(wanted)?;
        self.seek(mark.frame);
        Some(mark)
    }

    /// The marks that the last movement crossed, in the order in which it did; none after a seek.
    pub fn crossed(&self) -> impl Iterator<Item = Mark> + '_ {
        self.crossing.marks(self.marks_of_run())
    }

    /// The frames that the last movement went over: one stretch, and one more for each time it
    /// went round. Each begins where the one before ended, or where the player jumped to; so a
    /// simulation beside the player that is not there has to be brought there first.
    pub fn stretches(&self) -> impl Iterator<Item = Stretch> + '_ {
        self.crossing.stretches(self.frames())
    }

    /// What a track of the run shows, between its samples: positions go straight, rotations the
    /// short way round, channels hold the last sample's value. Where the later sample is a teleport
    /// the earlier one is shown until its frame. Before the first sample the first is shown, after
    /// the last the last; nothing for a track that has none, or that the run has not.
    pub fn pose(&self, track: usize) -> Option<Pose> {
        let run = self.run();
        let samples = run.tracks.get(track)?;
        let past = *self.past.get(track)?;
        pose::at(samples, past, self.position(), self.precision)
    }

    /// What a slot pressed in the frame that is shown, which leads to the next: nothing where the
    /// run has no inputs or not that slot, before its start, and at its end.
    pub fn input(&self, slot: u8) -> Option<&Input> {
        if !self.started() {
            return None;
        }
        self.run().inputs.frame(self.frame()).get(usize::from(slot))
    }

    fn marks_of_run(&self) -> &[Mark] {
        self.run().marks.get(..self.marks).unwrap_or_default()
    }

    fn go(&mut self, by: i128) -> Moved {
        let Some(leg) = self.timeline.go(by) else {
            self.crossing = Crossing::none(self.frame());
            return Moved::default();
        };
        let marks = self.cross(&leg);
        self.crossing = Crossing::new(&leg, marks);
        self.behind = Some(marks.1);
        self.settle();
        let reached = leg.edge.filter(|_| leg.edge != self.told);
        self.told = leg.edge;
        Moved {
            reached,
            wraps: leg.wraps,
        }
    }

    /// How many marks lie behind, before and after a movement.
    fn cross(&self, leg: &Leg) -> (usize, usize) {
        let marks = self.marks_of_run();
        // Forwards, what lies at a place is behind whoever came there; backwards, ahead.
        let count = |hint: usize, place: i128, and_there: bool| {
            count_before(marks, hint, |mark| {
                let of_mark = place_of(mark.frame);
                of_mark < place || (and_there && of_mark == place)
            })
        };
        let before = self
            .behind
            .unwrap_or_else(|| count(0, leg.from, leg.backwards));
        (before, count(before, leg.to, !leg.backwards))
    }

    fn sought(&mut self) {
        self.behind = None;
        self.told = None;
        self.settle();
        self.crossing = Crossing::none(self.frame());
    }

    /// Finds each track's samples around the frame.
    fn settle(&mut self) {
        let frame = self.timeline.frame();
        let run: &Run = self.run.borrow();
        for (past, samples) in self.past.iter_mut().zip(&run.tracks) {
            *past = count_before(samples, *past, |sample| sample.frame <= frame);
        }
    }
}
