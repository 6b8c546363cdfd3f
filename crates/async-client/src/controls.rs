//! What each slot holds down at the moment. It is read once for each frame: what a host polls on
//! frames that it only draws changes nothing.

use async_core::{AXES_MAX, AxisBits, Input, InputSchema, PLAYERS_MAX};
use serde_json::Value;

use crate::Error;
use crate::args::{bad, read_whole};

/// The inputs of all slots, as last set.
#[derive(Debug)]
pub(crate) struct Controls {
    schema: InputSchema,
    held: [Input; PLAYERS_MAX],
    players: usize,
}

impl Controls {
    pub(crate) fn new(schema: InputSchema, players: u8) -> Self {
        let players = usize::from(players).min(PLAYERS_MAX);
        Self {
            schema,
            held: [Input::default(); PLAYERS_MAX],
            players,
        }
    }

    pub(crate) fn schema(&self) -> &InputSchema {
        &self.schema
    }

    /// One input per slot.
    pub(crate) fn held(&self) -> &[Input] {
        &self.held[..self.players]
    }

    /// Sets what a slot holds down from now on.
    ///
    /// # Errors
    /// `bad_arguments` for a slot that there is not; `input_undeclared`.
    pub(crate) fn set(&mut self, slot: u8, input: Input) -> Result<(), Error> {
        self.schema.check(&input)?;
        match self.held[..self.players].get_mut(usize::from(slot)) {
            Some(held) => {
                *held = input;
                Ok(())
            }
            None => Err(bad(&format!("`slot` is 0 to {}", self.players - 1))),
        }
    }

    /// Reads `buttons` (a bit mask or a list of names) and `axes` (a list or an object by name,
    /// each -1..=1).
    pub(crate) fn read(
        &self,
        buttons: Option<&Value>,
        axes: Option<&Value>,
    ) -> Result<Input, Error> {
        let buttons = buttons.map_or(Ok(0), |value| self.read_buttons(value))?;
        let axes = axes.map_or(Ok([0; AXES_MAX]), |value| self.read_axes(value))?;
        Ok(Input { buttons, axes })
    }

    fn read_axes(&self, value: &Value) -> Result<[i16; AXES_MAX], Error> {
        let declared = &self.schema.axes;
        let mut axes = [0; AXES_MAX];
        match value {
            Value::Array(list) if list.len() <= declared.len() => {
                for (index, value) in list.iter().enumerate() {
                    axes[index] = self.read_axis(index, value)?;
                }
            }
            Value::Object(map) => {
                for (name, value) in map {
                    let index = declared.iter().position(|axis| axis.name == *name);
                    let index = index.ok_or_else(|| bad("`axes` names an undeclared axis"))?;
                    axes[index] = self.read_axis(index, value)?;
                }
            }
            _ => {
                let most = declared.len();
                return Err(bad(&format!(
                    "`axes` is a list of at most {most}, or an object"
                )));
            }
        }
        Ok(axes)
    }

    fn read_buttons(&self, value: &Value) -> Result<u32, Error> {
        match value {
            Value::Number(_) => read_whole(value)
                .and_then(|mask| u32::try_from(mask).ok())
                .ok_or_else(|| bad("`buttons` is a mask of 32 bits, or a list of names")),
            Value::Array(names) => names.iter().try_fold(0, |mask, name| {
                let bit = self
                    .schema
                    .buttons
                    .iter()
                    .position(|known| name == known.as_str());
                bit.map(|bit| mask | 1 << bit)
                    .ok_or_else(|| bad("`buttons` names an undeclared button"))
            }),
            _ => Err(bad("`buttons` is a mask of 32 bits, or a list of names")),
        }
    }

    #[allow(
        clippy::cast_possible_truncation,
        reason = "at most 32,767 after the range check"
    )]
    fn read_axis(&self, index: usize, value: &Value) -> Result<i16, Error> {
        let part = value.as_f64().filter(|part| (-1.0..=1.0).contains(part));
        let part = part.ok_or_else(|| bad("an axis is a number from -1 to 1"))?;
        let bits = self
            .schema
            .axes
            .get(index.min(AXES_MAX))
            .map(|axis| axis.bits);
        let full = if bits == Some(AxisBits::Sixteen) {
            32_767.0
        } else {
            127.0
        };
        Ok((part * full).round() as i16)
    }
}

#[cfg(test)]
mod tests {
    use async_core::Axis;
    use serde_json::json;

    use super::*;

    fn controls() -> Controls {
        let axis = |name: &str, bits| Axis {
            name: name.into(),
            bits,
        };
        let axes = vec![axis("x", AxisBits::Eight), axis("y", AxisBits::Sixteen)];
        let schema = InputSchema::new(vec!["fire".into(), "dash".into()], axes).unwrap();
        Controls::new(schema, 2)
    }

    #[test]
    fn names_and_masks_mean_the_same() {
        let controls = controls();
        let by_name = controls.read(Some(&json!(["dash"])), Some(&json!({"y": -1, "x": 0.5})));
        let by_place = controls.read(Some(&json!(2)), Some(&json!([0.5, -1])));
        let (by_name, by_place) = (by_name.unwrap(), by_place.unwrap());
        assert_eq!(by_name, by_place);
        let by_double = controls.read(Some(&json!(2.0)), Some(&json!([0.5, -1.0])));
        assert_eq!(by_double.unwrap(), by_place);
        assert_eq!(
            (by_name.buttons, by_name.axes[0], by_name.axes[1]),
            (2, 64, -32_767)
        );
    }

    #[test]
    fn what_is_undeclared_is_refused() {
        let mut controls = controls();
        for (buttons, axes) in [
            (json!(["jump"]), json!([])),
            (json!(-1), json!([])),
            (json!(1.5), json!([])),
            (json!(4_294_967_296.0), json!([])),
            (json!("1"), json!([])),
            (json!(true), json!([])),
            (json!(0), json!([0, 0, 0])),
            (json!(0), json!({"z": 1})),
            (json!(0), json!([1.01])),
            (json!(0), json!("x")),
        ] {
            assert!(
                controls.read(Some(&buttons), Some(&axes)).is_err(),
                "{buttons} {axes}"
            );
        }
        let beyond = controls.read(Some(&json!(4)), None).unwrap();
        assert_eq!(
            controls.set(0, beyond).unwrap_err().code(),
            "input_undeclared"
        );
        assert!(controls.set(2, Input::default()).is_err());
        assert_eq!(controls.held().len(), 2);
    }
}
