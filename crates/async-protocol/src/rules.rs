use serde::{Deserialize, Serialize};

use crate::board::TicketRule;
use crate::integer;

/// Server checks of a submitted run. The kit spells the names in camelCase, the wire like here.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Rules {
    /// Shortest run, in frames.
    pub min_frames: u32,
    /// Fastest a track may move between samples, in units per second; 0 = off.
    pub max_speed: f64,
    /// Factor on `max_speed`, over a sliding window of one second; a marked teleport is exempt.
    pub speed_slack: f64,
    /// Highest score that is believed; 0 = off.
    #[serde(with = "integer")]
    pub max_score: i64,
    /// Fastest a track may turn, in degrees per second; 0 = off.
    pub max_turn_rate: f64,
    /// Whether a run needs a ticket; a board's own policy wins over this default.
    pub ticket: TicketRule,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            min_frames: 1,
            max_speed: 0.0,
            speed_slack: 1.1,
            max_score: 0,
            max_turn_rate: 0.0,
            ticket: TicketRule::Optional,
        }
    }
}
