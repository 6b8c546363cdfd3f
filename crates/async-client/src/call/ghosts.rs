//! `loadGhost`, `unloadGhost`, `play`, `ghost`.

use serde_json::{Map, Value, json};

use super::{Reply, reply};
use crate::args::{Args, write_integer};
use crate::{Error, GhostOptions, GhostState, Play, SPEED_MAX, Session};

/// Largest ghost number that JSON carries exactly.
const GHOST_MAX: i64 = (1 << 53) - 1;
/// Farthest a ghost may start before or after the game, in frames.
const OFFSET_MAX_FRAMES: i64 = 216_000;

impl Session {
    pub(super) fn call_load_ghost(&mut self, args: &Value) -> Reply {
        let args = Args::parse(args, &["run", "slot", "offsetFrames"])?;
        let slot = args.integer("slot", 0, 7)?;
        let offset = args.integer("offsetFrames", -OFFSET_MAX_FRAMES, OFFSET_MAX_FRAMES)?;
        let options = GhostOptions {
            slot: slot.and_then(|slot| u8::try_from(slot).ok()),
            offset_frames: offset
                .and_then(|offset| i32::try_from(offset).ok())
                .unwrap_or(0),
        };
        let info = self.load_ghost(&self.run_bytes(&args)?, options)?;
        reply(json!({
            "ghost": info.ghost, "id": info.id.to_string(), "name": info.name,
            "player": info.player.map(|player| player.to_string()), "frames": info.frames,
            "score": write_integer(info.score),
        }))
    }

    pub(super) fn call_unload_ghost(&mut self, args: &Value) -> Reply {
        let args = Args::parse(args, &["ghost"])?;
        self.unload_ghost(ghost_of(&args)?)?;
        Ok(Map::new())
    }

    pub(super) fn call_play(&mut self, args: &Value) -> Reply {
        let args = Args::parse(args, &["ghost", "from", "speed", "loop"])?;
        let from = args.integer("from", 0, i64::from(u32::MAX))?;
        let repeat = args.value("loop").is_some();
        let play = Play {
            from: from.and_then(|from| u32::try_from(from).ok()),
            speed: args.number("speed", 0.0, SPEED_MAX)?,
            repeat: if repeat {
                Some(args.flag("loop")?)
            } else {
                None
            },
        };
        self.play(ghost_of(&args)?, &play)?;
        Ok(Map::new())
    }

    pub(super) fn call_ghost(&mut self, args: &Value) -> Reply {
        let args = Args::parse(args, &["ghost", "track"])?;
        let ghost = ghost_of(&args)?;
        let track = args
            .text("track")?
            .map(|name| self.ghost_track(ghost, name))
            .transpose()?;
        reply(state(&self.ghost(ghost, track)?))
    }
}

fn ghost_of(args: &Args<'_>) -> Result<u64, Error> {
    let ghost = args.integer("ghost", 0, GHOST_MAX)?;
    Ok(Args::required("ghost", ghost)?.unsigned_abs())
}

fn state(state: &GhostState) -> Value {
    let pose = &state.pose;
    let (pos, rot) = if pose.flat {
        (json!(pose.position[..2]), json!(pose.yaw))
    } else {
        (json!(pose.position), json!(pose.rotation))
    };
    json!({
        "frame": state.frame, "pos": pos, "rot": rot, "channels": pose.channels,
        "visible": state.visible, "ended": state.ended, "gapFrames": state.gap_frames,
        "gapProgress": state.gap_progress.map(write_integer),
    })
}
