//! A pose in the units of an engine. Playing itself has no floats: this is the way out, and each
//! number is one exact quotient, rounded once to what an engine holds.

use super::pose::{Facing, Pose, STEP_BITS};

/// Parts of a grid step.
const PARTS: f64 = (1_u32 << STEP_BITS) as f64;

impl Pose {
    /// The position in metres.
    #[must_use]
    pub fn metres(&self) -> [f32; 3] {
        let step_mm = f64::from(self.precision.step_mm());
        (self.position).map(|parts| (parts as f64 * step_mm / (1_000.0 * PARTS)) as f32)
    }

    /// The yaw in radians, from 0 up to a whole turn; nothing for a quaternion.
    #[must_use]
    pub fn yaw_radians(&self) -> Option<f32> {
        let Facing::Yaw(parts) = self.facing else {
            return None;
        };
        let turn = f64::from(self.precision.yaw_steps()) * PARTS;
        Some((f64::from(parts) * core::f64::consts::TAU / turn) as f32)
    }

    /// The unit quaternion (x, y, z, w); nothing for a yaw, whose axis is the game's to know.
    #[must_use]
    pub fn quaternion(&self) -> Option<[f32; 4]> {
        match self.facing {
            Facing::Quaternion(parts) => Some(self.precision.quaternion_to(parts)),
            Facing::Yaw(_) => None,
        }
    }
}
