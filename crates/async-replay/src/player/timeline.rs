//! Where in its run a player is, and where a movement leads: exact, however it is portioned.

/// Bits behind the point of a place: those of elapsed time and those of the speed, so that their
/// product is exact and nothing drifts.
const PLACE_BITS: u32 = 32;
/// Bits behind the point of what a player tells and is told.
const FIXED_BITS: u32 = 16;

/// An end of the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edge {
    /// Frame 0, played backwards.
    Start,
    /// The last frame, played forwards.
    End,
}

/// A place on the way through a run.
#[derive(Debug, Clone)]
pub(super) struct Timeline {
    /// In 2^-32 frames; below zero until the run starts.
    place: i128,
    /// How many frames there are.
    frames: u32,
    /// Whether it goes round.
    pub(super) repeat: bool,
}

/// A movement that was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Leg {
    pub(super) backwards: bool,
    /// In 2^-32 frames.
    pub(super) from: i128,
    /// In 2^-32 frames.
    pub(super) to: i128,
    /// How often it went round.
    pub(super) wraps: u64,
    /// The edge that stopped it.
    pub(super) edge: Option<Edge>,
}

/// A whole frame as a place.
pub(super) fn place_of(frame: u32) -> i128 {
    i128::from(frame) << PLACE_BITS
}

/// The frame that a place is in; 0 before the start.
pub(super) fn frame_of(place: i128) -> u32 {
    u32::try_from((place >> PLACE_BITS).max(0)).unwrap_or(u32::MAX)
}

impl Timeline {
    /// At `-offset_frames`, or the end if that is nearer.
    pub(super) fn new(frames: u32, offset_frames: i32) -> Self {
        let mut timeline = Self {
            place: 0,
            frames,
            repeat: false,
        };
        timeline.start(offset_frames);
        timeline
    }

    pub(super) fn start(&mut self, offset_frames: i32) {
        let place = -i128::from(offset_frames) << PLACE_BITS;
        self.place = place.min(self.length());
    }

    pub(super) fn frames(&self) -> u32 {
        self.frames
    }

    pub(super) fn frame(&self) -> u32 {
        frame_of(self.place)
    }

    pub(super) fn started(&self) -> bool {
        self.place >= 0
    }

    pub(super) fn place(&self) -> i128 {
        self.place
    }

    /// In 1/65,536 frames, rounded down.
    pub(super) fn position(&self) -> i64 {
        // Within 2^32 frames either way, so at most 49 bits.
        (self.place >> (PLACE_BITS - FIXED_BITS)) as i64
    }

    /// Moves to a frame, or the end if that is nearer.
    pub(super) fn seek(&mut self, frame: u32) {
        self.place = place_of(frame.min(self.frames));
    }

    /// How far it is to the whole frame that is so many frames away.
    pub(super) fn way_of(&self, frames: i32) -> i128 {
        let whole = i128::from(frames) << PLACE_BITS;
        let part = self.place - (self.place >> PLACE_BITS << PLACE_BITS);
        match frames {
            0 => 0,
            1.. => whole - part,
            // Back from within a frame, the first step is to where the frame began.
            _ if part > 0 => whole - part + (1 << PLACE_BITS),
            _ => whole,
        }
    }

    /// Moves by 2^-32 frames: stops at the ends or goes round. Nothing for no movement; nothing
    /// backwards before the start, which only passes forwards.
    pub(super) fn go(&mut self, by: i128) -> Option<Leg> {
        let (from, length) = (self.place, self.length());
        let backwards = by < 0;
        if by == 0 || (backwards && from < 0) {
            return None;
        }
        let wanted = from.saturating_add(by);
        let around = self.repeat && length > 0;
        let wraps = match (around, backwards) {
            (false, _) => 0,
            // The end is the start of the next time round, but the start is not yet the end of the
            // time before: places stay below the length.
            (true, false) => wanted.max(0) / length,
            (true, true) => {
                let below = wanted.saturating_neg().max(0);
                below / length + i128::from(below % length > 0)
            }
        };
        let there = if backwards {
            wanted + wraps * length
        } else {
            wanted - wraps * length
        };
        self.place = there.min(length);
        if backwards {
            self.place = self.place.max(0);
        }
        Some(Leg {
            backwards,
            from,
            to: self.place,
            wraps: u64::try_from(wraps).unwrap_or(u64::MAX),
            edge: self.edge(backwards).filter(|_| !self.repeat),
        })
    }

    fn edge(&self, backwards: bool) -> Option<Edge> {
        match backwards {
            true if self.place == 0 => Some(Edge::Start),
            false if self.place == self.length() => Some(Edge::End),
            _ => None,
        }
    }

    fn length(&self) -> i128 {
        place_of(self.frames)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: i128 = 1 << PLACE_BITS;

    fn at(frames: u32, place: i128, repeat: bool) -> Timeline {
        Timeline {
            place,
            frames,
            repeat,
        }
    }

    #[test]
    fn it_goes_round_at_the_end_forwards_and_beyond_the_start_backwards() {
        let to = |place, by| {
            let leg = at(10, place, true).go(by).unwrap();
            (leg.to, leg.wraps)
        };
        assert_eq!(to(9 * ONE, ONE), (0, 1));
        assert_eq!(to(9 * ONE, ONE - 1), (10 * ONE - 1, 0));
        assert_eq!(to(0, 35 * ONE), (5 * ONE, 3));
        assert_eq!(to(ONE, -ONE), (0, 0));
        assert_eq!(to(0, -1), (10 * ONE - 1, 1));
        assert_eq!(to(0, -10 * ONE), (0, 1));
        assert_eq!(to(10 * ONE, 1), (1, 1));
        assert_eq!(to(-5 * ONE, 6 * ONE), (ONE, 0));
        assert_eq!(to(-5 * ONE, 15 * ONE), (0, 1));
    }

    #[test]
    fn it_stops_at_the_ends_where_it_does_not_go_round() {
        let leg = at(10, 9 * ONE, false).go(i128::MAX).unwrap();
        assert_eq!((leg.to, leg.edge), (10 * ONE, Some(Edge::End)));
        let leg = at(10, 9 * ONE, false).go(-i128::MAX).unwrap();
        assert_eq!((leg.to, leg.edge), (0, Some(Edge::Start)));
        assert_eq!(at(10, -1, false).go(-ONE), None);
        assert_eq!(at(0, 0, true).go(ONE).unwrap().to, 0);
    }

    #[test]
    fn a_step_leads_to_a_whole_frame() {
        let half = ONE / 2;
        let to = |place: i128, frames| place + at(10, place, false).way_of(frames);
        assert_eq!(to(5 * ONE + half, 1), 6 * ONE);
        assert_eq!(to(5 * ONE + half, -1), 5 * ONE);
        assert_eq!(to(5 * ONE, 2), 7 * ONE);
        assert_eq!(to(5 * ONE, -2), 3 * ONE);
        assert_eq!(to(5 * ONE + 1, 0), 5 * ONE + 1);
        assert_eq!(to(-half, 1), 0);
    }
}
