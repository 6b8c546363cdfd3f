//! What a player does in one frame, and what a game lets them do.

use alloc::{string::String, vec::Vec};

use crate::{AXES_MAX, BUTTONS_MAX, Error};

/// One player's buttons and axes in one frame.
///
/// Bit `i` of `buttons` is button `i` of the schema; `axes[i]` is its axis `i`. What the schema
/// does not declare is zero.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug, Hash)]
pub struct Input {
    /// The buttons that are down.
    pub buttons: u32,
    /// Where the axes stand: −127..=127 for 8 bits (−128 is allowed), the whole range for 16.
    pub axes: [i16; AXES_MAX],
}

/// How finely an axis is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AxisBits {
    /// −128..=127: a stick.
    Eight,
    /// −32768..=32767: a mouse or a wheel.
    Sixteen,
}

/// One axis of a schema.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Axis {
    /// Its name, unique in the schema.
    pub name: String,
    /// How finely it is read.
    pub bits: AxisBits,
}

/// The buttons and axes of a game, in the order of their bits and places.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct InputSchema {
    /// Button names; bit `i` is name `i`.
    pub buttons: Vec<String>,
    /// Axes; `axes[i]` of an [`Input`] is axis `i`.
    pub axes: Vec<Axis>,
}

impl InputSchema {
    /// The longest name of a button or an axis, in bytes.
    pub const NAME_BYTES_MAX: usize = 32;

    /// A checked schema.
    ///
    /// # Errors
    /// [`Error::BadSchema`], see [`validate`](Self::validate).
    pub fn new(buttons: Vec<String>, axes: Vec<Axis>) -> Result<Self, Error> {
        let schema = Self { buttons, axes };
        schema.validate()?;
        Ok(schema)
    }

    /// Whether the schema is one: at most 32 buttons and 8 axes, with names that are not empty,
    /// at most 32 bytes long, and unique among buttons and among axes.
    ///
    /// # Errors
    /// [`Error::BadSchema`] saying which of these does not hold.
    pub fn validate(&self) -> Result<(), Error> {
        if self.buttons.len() > BUTTONS_MAX {
            return Err(Error::BadSchema("more than 32 buttons"));
        }
        if self.axes.len() > AXES_MAX {
            return Err(Error::BadSchema("more than 8 axes"));
        }
        let buttons: Vec<&str> = self.buttons.iter().map(String::as_str).collect();
        let axes: Vec<&str> = self.axes.iter().map(|axis| axis.name.as_str()).collect();
        check_names(&buttons)?;
        check_names(&axes)
    }

    /// Whether `input` uses only what is declared, within its range.
    ///
    /// # Errors
    /// [`Error::InputUndeclared`].
    pub fn check(&self, input: &Input) -> Result<(), Error> {
        if InputMask::of(self).allows(input) {
            Ok(())
        } else {
            Err(Error::InputUndeclared)
        }
    }
}

fn check_names(names: &[&str]) -> Result<(), Error> {
    for (index, name) in names.iter().enumerate() {
        if name.is_empty() {
            return Err(Error::BadSchema("an empty name"));
        }
        if name.len() > InputSchema::NAME_BYTES_MAX {
            return Err(Error::BadSchema("a name of more than 32 bytes"));
        }
        if names[..index].contains(name) {
            return Err(Error::BadSchema("a name used twice"));
        }
    }
    Ok(())
}

/// A schema boiled down to what checking an input each frame needs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InputMask {
    undeclared_buttons: u32,
    lowest: [i16; AXES_MAX],
    highest: [i16; AXES_MAX],
}

impl InputMask {
    pub(crate) fn of(schema: &InputSchema) -> Self {
        let declared = schema.buttons.len().min(BUTTONS_MAX) as u32;
        let mut mask = Self {
            undeclared_buttons: u32::MAX.checked_shl(declared).unwrap_or(0),
            lowest: [0; AXES_MAX],
            highest: [0; AXES_MAX],
        };
        for (place, axis) in schema.axes.iter().take(AXES_MAX).enumerate() {
            (mask.lowest[place], mask.highest[place]) = match axis.bits {
                AxisBits::Eight => (i16::from(i8::MIN), i16::from(i8::MAX)),
                AxisBits::Sixteen => (i16::MIN, i16::MAX),
            };
        }
        mask
    }

    #[inline]
    pub(crate) fn allows(&self, input: &Input) -> bool {
        // No early exit: eight lanes at once is what the compiler makes of it.
        let mut outside = input.buttons & self.undeclared_buttons != 0;
        for place in 0..AXES_MAX {
            let value = input.axes[place];
            outside |= value < self.lowest[place];
            outside |= value > self.highest[place];
        }
        !outside
    }
}

#[cfg(test)]
mod tests {
    use alloc::{string::ToString, vec};

    use super::*;

    fn axis(name: &str, bits: AxisBits) -> Axis {
        Axis {
            name: name.to_string(),
            bits,
        }
    }

    #[test]
    fn a_schema_is_bounded() {
        let many = |count: usize| {
            (0..count)
                .map(|index| index.to_string())
                .collect::<Vec<_>>()
        };
        assert!(InputSchema::new(many(32), vec![]).is_ok());
        assert!(InputSchema::new(many(33), vec![]).is_err());
        let axes = |count| {
            many(count)
                .iter()
                .map(|name| axis(name, AxisBits::Eight))
                .collect()
        };
        assert!(InputSchema::new(vec![], axes(8)).is_ok());
        assert!(InputSchema::new(vec![], axes(9)).is_err());
        assert!(InputSchema::new(vec!["a".into(), "a".into()], vec![]).is_err());
        assert!(InputSchema::new(vec![String::new()], vec![]).is_err());
        assert!(InputSchema::new(vec!["x".repeat(32)], vec![]).is_ok());
        assert!(InputSchema::new(vec!["x".repeat(33)], vec![]).is_err());
    }

    #[test]
    fn only_what_is_declared_passes() {
        let schema = InputSchema::new(
            vec!["fire".into(), "dash".into()],
            vec![axis("x", AxisBits::Eight), axis("wheel", AxisBits::Sixteen)],
        )
        .unwrap();
        let with = |buttons, axes: [i16; 3]| {
            let mut input = Input {
                buttons,
                ..Input::default()
            };
            input.axes[..3].copy_from_slice(&axes);
            schema.check(&input).is_ok()
        };
        assert!(with(0b11, [-128, i16::MIN, 0]));
        assert!(with(0, [127, i16::MAX, 0]));
        assert!(!with(0b100, [0, 0, 0]));
        assert!(!with(1 << 31, [0, 0, 0]));
        assert!(!with(0, [128, 0, 0]));
        assert!(!with(0, [-129, 0, 0]));
        assert!(!with(0, [0, 0, 1]));
    }

    #[test]
    fn all_32_buttons_can_be_declared() {
        let names = (0..32).map(|index| index.to_string()).collect();
        let schema = InputSchema::new(names, vec![]).unwrap();
        assert!(
            schema
                .check(&Input {
                    buttons: u32::MAX,
                    ..Input::default()
                })
                .is_ok()
        );
    }
}
