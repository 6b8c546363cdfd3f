//! The methods of game.engine.

use serde_json::{Map, Value};

use super::Reply;
use crate::args::{Args, bad, read_whole};
use crate::{CHANNELS_MAX, EngineSample, Error, Session, Turn};

impl Session {
    pub(super) fn call_sample(&mut self, args: &Value) -> Reply {
        let args = Args::parse(args, &["track", "pos", "rot", "channels", "teleport"])?;
        let track = self.track_of(&args)?;
        let position = numbers("pos", Args::required("pos", args.value("pos"))?, 2)?;
        let sample = EngineSample {
            position,
            turn: turn(args.value("rot"))?,
            channels: channels(args.value("channels"))?,
            teleport: args.flag("teleport")?,
        };
        self.sample(track, &sample)?;
        Ok(Map::new())
    }

    fn track_of(&self, args: &Args<'_>) -> Result<usize, Error> {
        let name = Args::required("track", args.text("track")?)?;
        self.engine_track(name)
            .ok_or_else(|| bad("`track` is one of game.engine's `tracks`, by its name"))
    }

    pub(super) fn call_mark(&mut self, args: &Value) -> Reply {
        let args = Args::parse(args, &["name", "value"])?;
        let kind = self.mark_kind(Args::required("name", args.text("name")?)?)?;
        let value = args.integer("value", i64::MIN, i64::MAX)?.unwrap_or(0);
        self.mark(kind, value)?;
        Ok(Map::new())
    }

    pub(super) fn call_pause(&mut self, args: &Value) -> Reply {
        Args::parse(args, &[])?;
        self.pause();
        Ok(Map::new())
    }

    pub(super) fn call_resume(&mut self, args: &Value) -> Reply {
        Args::parse(args, &[])?;
        self.resume();
        Ok(Map::new())
    }

    pub(super) fn call_score(&mut self, args: &Value) -> Reply {
        let args = Args::parse(args, &["score"])?;
        let score = args.exact("score", i64::MIN, i64::MAX)?;
        self.set_score(Args::required("score", score)?)?;
        Ok(Map::new())
    }

    pub(super) fn call_progress(&mut self, args: &Value) -> Reply {
        let args = Args::parse(args, &["progress"])?;
        let progress = args.integer("progress", i64::MIN, i64::MAX)?;
        self.set_progress(Args::required("progress", progress)?)?;
        Ok(Map::new())
    }
}

/// `min` to N numbers; those that are not there are 0.
fn numbers<const N: usize>(name: &str, value: &Value, min: usize) -> Result<[f32; N], Error> {
    let wrong = || bad(&format!("`{name}` is a list of {min} to {N} numbers"));
    let list = value
        .as_array()
        .filter(|list| (min..=N).contains(&list.len()))
        .ok_or_else(wrong)?;
    let mut out = [0.0; N];
    for (out, value) in out.iter_mut().zip(list) {
        *out = number(value).ok_or_else(wrong)?;
    }
    Ok(out)
}

#[allow(
    clippy::cast_possible_truncation,
    reason = "what overflows is infinite and refused"
)]
fn number(value: &Value) -> Option<f32> {
    value
        .as_f64()
        .map(|number| number as f32)
        .filter(|number| number.is_finite())
}

/// An angle in radians, or a quaternion x, y, z, w.
fn turn(value: Option<&Value>) -> Result<Turn, Error> {
    let wrong = || bad("`rot` is an angle in radians, or a quaternion [x, y, z, w]");
    match value {
        None => Ok(Turn::Yaw(0.0)),
        Some(Value::Number(_)) => value.and_then(number).map(Turn::Yaw).ok_or_else(wrong),
        Some(list) => Ok(Turn::Quaternion(numbers("rot", list, 4)?)),
    }
}

fn channels(value: Option<&Value>) -> Result<[i32; CHANNELS_MAX], Error> {
    let wrong = || {
        bad(&format!(
            "`channels` is a list of at most {CHANNELS_MAX} integers"
        ))
    };
    let mut out = [0; CHANNELS_MAX];
    let list = match value {
        None => return Ok(out),
        Some(value) => value.as_array().filter(|list| list.len() <= CHANNELS_MAX),
    };
    for (out, value) in out.iter_mut().zip(list.ok_or_else(wrong)?) {
        let number = read_whole(value).and_then(|number| i32::try_from(number).ok());
        *out = number.ok_or_else(wrong)?;
    }
    Ok(out)
}
