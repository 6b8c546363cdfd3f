//! A plain player, which walks every 32nd of a frame and looks at every mark.

use async_replay::{Edge, Mark, Moved, Run};

/// Ticks of the model in a frame.
pub(crate) const TICKS: i64 = 32;

/// Where the model stands to the marks of its own tick.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Side {
    Before,
    After,
    /// It was put there.
    Undecided,
}

#[derive(Debug)]
pub(crate) struct Model {
    pub(crate) run: Run,
    pub(crate) offset: i32,
    pub(crate) tick: i64,
    side: Side,
    pub(crate) told: Option<Edge>,
    /// In quarters.
    pub(crate) speed: i64,
    pub(crate) paused: bool,
    pub(crate) repeat: bool,
    pub(crate) crossed: Vec<i64>,
    pub(crate) frames: Vec<i64>,
    pub(crate) wraps: u64,
}

impl Model {
    pub(crate) fn new(run: Run, offset: i32) -> Self {
        let mut model = Self {
            run,
            offset,
            tick: 0,
            side: Side::Undecided,
            told: None,
            speed: 4,
            paused: false,
            repeat: false,
            crossed: Vec::new(),
            frames: Vec::new(),
            wraps: 0,
        };
        model.put(-i64::from(offset) * TICKS);
        model
    }

    fn end(&self) -> i64 {
        i64::from(self.run.end.frames) * TICKS
    }

    pub(crate) fn put(&mut self, tick: i64) {
        self.tick = tick.min(self.end());
        (self.side, self.told) = (Side::Undecided, None);
        self.forget();
    }

    fn forget(&mut self) {
        self.crossed.clear();
        self.frames.clear();
        self.wraps = 0;
    }

    fn cross(&mut self, side: Side) {
        let here = |mark: &&Mark| i64::from(mark.frame) * TICKS == self.tick;
        let mut values: Vec<i64> = self
            .run
            .marks
            .iter()
            .filter(here)
            .map(|mark| mark.value)
            .collect();
        if side == Side::Before {
            values.reverse();
        }
        self.crossed.extend(values);
        self.side = side;
    }

    pub(crate) fn walk(&mut self, ticks: i64) -> Moved {
        self.forget();
        if ticks == 0 || (ticks < 0 && self.tick < 0) {
            return Moved::default();
        }
        let (side, edge, last) = match ticks > 0 {
            true => (Side::After, Edge::End, self.end()),
            false => (Side::Before, Edge::Start, 0),
        };
        if self.side != side {
            self.cross(side);
        }
        for _ in 0..ticks.abs() {
            let goes = if ticks > 0 {
                self.forwards()
            } else {
                self.backwards()
            };
            if !goes {
                break;
            }
        }
        let at = (self.tick == last && !self.repeat).then_some(edge);
        let reached = at.filter(|_| self.told != at);
        self.told = at;
        Moved {
            reached,
            wraps: self.wraps,
        }
    }

    fn forwards(&mut self) -> bool {
        let end = self.end();
        if self.tick == end && (!self.repeat || end == 0) {
            return false;
        }
        // Only a seek leaves it on the end of a run that repeats.
        if self.tick == end {
            self.go_round(0, Side::After);
        }
        let frame = self.tick.div_euclid(TICKS);
        self.tick += 1;
        if self.tick > 0 && self.tick.rem_euclid(TICKS) == 0 {
            self.frames.push(frame);
        }
        self.cross(Side::After);
        if self.tick == end && self.repeat && end > 0 {
            self.go_round(0, Side::After);
        }
        true
    }

    fn backwards(&mut self) -> bool {
        let end = self.end();
        if self.tick == 0 && (!self.repeat || end == 0) {
            return false;
        }
        if self.tick == 0 {
            self.go_round(end, Side::Before);
        }
        if self.tick % TICKS == 0 {
            self.frames.push(self.tick / TICKS - 1);
        }
        self.tick -= 1;
        self.cross(Side::Before);
        true
    }

    fn go_round(&mut self, tick: i64, side: Side) {
        self.tick = tick;
        self.wraps += 1;
        self.cross(side);
    }

    pub(crate) fn seek_mark(&mut self, forwards: bool) -> Option<Mark> {
        let tick = self.tick;
        let at = |mark: &&Mark| i64::from(mark.frame) * TICKS;
        let mut marks = self.run.marks.iter();
        let mark = *if forwards {
            marks.find(|mark| at(mark) > tick)
        } else {
            marks.rfind(|mark| at(mark) < tick)
        }?;
        self.put(i64::from(mark.frame) * TICKS);
        Some(mark)
    }
}
