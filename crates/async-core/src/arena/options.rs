//! What can be chosen about an arena.

use crate::{Error, FRAMES_MAX, FrameRate, OptionValue, Options, Order, Setup};

/// What the game is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// Gather orbs, evade drones, until the time is up. More points are better.
    Collect,
    /// Fly through the gates in order, several laps. Less time is better.
    Race,
    /// 2 to 8 players shoot each other over several rounds. More points are better.
    Duel,
}

impl Mode {
    /// Which score is the better one.
    #[must_use]
    pub const fn order(self) -> Order {
        match self {
            Self::Race => Order::Ascending,
            Self::Collect | Self::Duel => Order::Descending,
        }
    }
}

/// The options of a setup, checked and with their defaults.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules {
    pub(crate) mode: Mode,
    pub(crate) players: u8,
    /// The recording player's slot.
    pub(crate) slot: u8,
    pub(crate) rate: FrameRate,
    /// Race: how often round.
    pub(crate) laps: u32,
    /// Duel: how many rounds.
    pub(crate) rounds: u32,
    /// The frame with which collect is over, and a race at the latest.
    pub(crate) frames: u32,
}

/// Most rounds of a duel.
pub(crate) const ROUNDS_MAX: i64 = 20;
/// A race ends after so many seconds for each lap, whether anybody arrived or not.
const LAP_SECONDS_MAX: i64 = 60;

impl Rules {
    pub(crate) fn of(setup: &Setup) -> Result<Self, Error> {
        let options = &setup.options;
        for (name, _) in options.iter() {
            if !["mode", "laps", "rounds", "seconds"].contains(&name) {
                return Err(bad(name, "the arena has mode, laps, rounds and seconds"));
            }
        }
        let mode = mode(options)?;
        let laps = number(options, "laps", 3, 1, 20, "1 to 20")?;
        let rounds = number(options, "rounds", 5, 1, ROUNDS_MAX, "1 to 20")?;
        let seconds = number(options, "seconds", 60, 10, 3600, "10 to 3600")?;
        if mode == Mode::Duel && setup.players < 2 {
            return Err(Error::BadPlayers(setup.players, "a duel needs 2 to 8"));
        }
        let seconds_max = if mode == Mode::Race {
            laps * LAP_SECONDS_MAX
        } else {
            seconds
        };
        let frames = setup.rate.frames_in(seconds_max as u64 * 1000);
        if frames > u64::from(FRAMES_MAX) {
            return Err(bad("seconds", "more than 216000 frames at this frame rate"));
        }
        Ok(Self {
            mode,
            players: setup.players,
            slot: setup.slot,
            rate: setup.rate,
            laps: laps as u32,
            rounds: rounds as u32,
            frames: frames as u32,
        })
    }
}

fn mode(options: &Options) -> Result<Mode, Error> {
    let known = "\"collect\", \"race\" or \"duel\"";
    match options.get("mode") {
        None => Ok(Mode::Collect),
        Some(OptionValue::Text(name)) => match name.as_str() {
            "collect" => Ok(Mode::Collect),
            "race" => Ok(Mode::Race),
            "duel" => Ok(Mode::Duel),
            _ => Err(bad("mode", known)),
        },
        Some(_) => Err(bad("mode", known)),
    }
}

fn number(
    options: &Options,
    name: &str,
    default: i64,
    min: i64,
    max: i64,
    range: &'static str,
) -> Result<i64, Error> {
    match options.get(name) {
        None => Ok(default),
        Some(OptionValue::Int(value)) if (min..=max).contains(value) => Ok(*value),
        Some(_) => Err(bad(name, range)),
    }
}

fn bad(name: &str, reason: &'static str) -> Error {
    Error::BadOption {
        name: name.into(),
        reason,
    }
}
