//! Where in its run a ghost is: play, pause, seek, speed, loop, offset.

use crate::Error;
use crate::args::bad;

/// Fastest playback.
pub const SPEED_MAX: f64 = 16.0;

/// How to play a ghost; what is absent stays as it is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Play {
    /// The frame to go to.
    pub from: Option<u32>,
    /// Frames of the run per frame of its own rate: 1 is real time, 0 is a pause.
    pub speed: Option<f64>,
    /// Start again at the end.
    pub repeat: Option<bool>,
}

/// The state of playing.
#[derive(Clone, Debug)]
pub(crate) struct Playback {
    frames: u32,
    /// Negative while the ghost has not started yet.
    position: f64,
    speed: f64,
    repeat: bool,
    playing: bool,
    end_told: bool,
    /// Frames that passed since the end: the player may still be on the way there.
    past: f64,
}

impl Playback {
    /// A stopped ghost; a positive offset starts it later, a negative one gives it a lead.
    pub(crate) fn new(frames: u32, offset_frames: i32) -> Self {
        Self {
            frames,
            position: -f64::from(offset_frames),
            speed: 1.0,
            repeat: false,
            playing: false,
            end_told: false,
            past: 0.0,
        }
    }

    pub(crate) fn play(&mut self, play: &Play) -> Result<(), Error> {
        let speed = play
            .speed
            .unwrap_or(if self.speed == 0.0 { 1.0 } else { self.speed });
        if !(0.0..=SPEED_MAX).contains(&speed) {
            return Err(bad(&format!("`speed` is 0 to {SPEED_MAX}")));
        }
        if play.from.is_some_and(|from| from > self.frames) {
            return Err(bad(&format!(
                "`from` is a frame of the run: 0 to {}",
                self.frames
            )));
        }
        if let Some(from) = play.from {
            self.position = f64::from(from);
        } else if self.ended() {
            self.position = 0.0;
        }
        self.speed = speed;
        self.repeat = play.repeat.unwrap_or(self.repeat);
        self.playing = speed > 0.0;
        self.end_told = false;
        self.past = 0.0;
        Ok(())
    }

    /// A frame of the session passes, worth `scale` frames of this run. True where the end was
    /// reached, once for each `play`.
    pub(crate) fn advance(&mut self, scale: f64) -> bool {
        let end = f64::from(self.frames);
        if !self.playing {
            if self.position >= end {
                self.past += self.speed * scale;
            }
            return false;
        }
        self.position += self.speed * scale;
        if self.position < end {
            return false;
        }
        self.position = if self.repeat && end > 0.0 {
            self.position % end
        } else {
            self.past = self.position - end;
            end
        };
        self.playing = self.repeat;
        !std::mem::replace(&mut self.end_told, true)
    }

    /// Frames and a part of one, within the run.
    pub(crate) fn position(&self) -> f64 {
        self.position.clamp(0.0, f64::from(self.frames))
    }

    /// The whole frames of the position.
    pub(crate) fn frame(&self) -> u32 {
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "within 0..=frames, which is a u32"
        )]
        let frame = self.position().floor() as u32;
        frame
    }

    /// Whole frames that passed since the end was reached.
    pub(crate) fn past(&self) -> i64 {
        #[allow(
            clippy::cast_possible_truncation,
            reason = "whole, and a cast saturates"
        )]
        let past = self.past.floor() as i64;
        past
    }

    pub(crate) fn started(&self) -> bool {
        self.position >= 0.0
    }

    pub(crate) fn ended(&self) -> bool {
        !self.playing && self.position >= f64::from(self.frames)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn playing(offset: i32) -> Playback {
        let mut playback = Playback::new(10, offset);
        playback.play(&Play::default()).unwrap();
        playback
    }

    #[test]
    fn the_end_is_told_once_for_each_play() {
        let mut playback = playing(0);
        let ends: Vec<_> = (0..30).filter(|_| playback.advance(1.0)).collect();
        assert_eq!(ends, vec![9]);
        assert!(playback.ended());
        playback
            .play(&Play {
                from: Some(8),
                ..Play::default()
            })
            .unwrap();
        assert!(!playback.ended());
        assert_eq!((0..30).filter(|_| playback.advance(1.0)).count(), 1);
    }

    #[test]
    fn time_goes_on_after_the_end() {
        let mut playback = playing(0);
        let ends = (0..13).filter(|_| playback.advance(1.0)).count();
        assert_eq!(ends, 1);
        assert_eq!((playback.frame(), playback.past()), (10, 3));
        playback.play(&Play::default()).unwrap();
        assert_eq!((playback.frame(), playback.past()), (0, 0));
    }

    #[test]
    fn seeks_reach_the_exact_frame_both_ways() {
        let mut playback = playing(0);
        for from in [0, 5, 4, 10, 9] {
            playback
                .play(&Play {
                    from: Some(from),
                    speed: Some(0.0),
                    repeat: None,
                })
                .unwrap();
            playback.advance(1.0);
            assert_eq!(
                (playback.frame(), playback.position()),
                (from, f64::from(from))
            );
        }
        assert!(
            playback
                .play(&Play {
                    from: Some(11),
                    ..Play::default()
                })
                .is_err()
        );
        for speed in [-1.0, f64::NAN, f64::INFINITY, 16.1] {
            assert!(
                playback
                    .play(&Play {
                        speed: Some(speed),
                        ..Play::default()
                    })
                    .is_err()
            );
        }
    }

    #[test]
    fn offsets_speeds_and_loops() {
        let mut late = playing(3);
        late.advance(1.0);
        assert!(!late.started());
        (0..3).for_each(|_| assert!(!late.advance(1.0)));
        assert_eq!((late.started(), late.frame()), (true, 1));
        assert_eq!(playing(-4).frame(), 4);
        let mut fast = playing(0);
        fast.play(&Play {
            speed: Some(4.0),
            repeat: Some(true),
            from: None,
        })
        .unwrap();
        let ends = (0..10).filter(|_| fast.advance(1.0)).count();
        assert_eq!((ends, fast.frame()), (1, 0));
        assert!(!fast.ended());
    }
}
