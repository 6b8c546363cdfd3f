//! How one frame of a trace becomes bytes: inputs and state fields as differences to the frame
//! before. Little-endian base-128 integers throughout; signed values zigzag.

use async_core::{AXES_MAX, Input};

use super::{FIELDS_MAX, NAMES_MAX};
use crate::Error;

/// What both directions remember between frames.
#[derive(Debug, Clone)]
pub(super) struct Memory {
    pub(super) inputs: Vec<Input>,
    /// Last value of each field, by name id.
    pub(super) values: Vec<u64>,
    /// The name ids of the frame's fields, in the order of the visit.
    pub(super) layout: Vec<u32>,
}

impl Memory {
    pub(super) fn new(players: u8, names: usize) -> Self {
        Self {
            inputs: vec![Input::default(); usize::from(players)],
            values: vec![0; names],
            layout: Vec::new(),
        }
    }
}

/// Appends `value`, seven bits a byte, lowest first.
pub(super) fn put(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push((value as u8) | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

fn zigzag(delta: u64) -> u64 {
    let signed = delta as i64;
    ((signed << 1) ^ (signed >> 63)) as u64
}

fn unzigzag(coded: u64) -> u64 {
    (coded >> 1) ^ (coded & 1).wrapping_neg()
}

/// Appends one player's input as a mask of what changed and the new values.
pub(super) fn put_input(out: &mut Vec<u8>, last: &Input, now: &Input) {
    let mut mask = u64::from(last.buttons != now.buttons);
    for axis in 0..AXES_MAX {
        mask |= u64::from(last.axes[axis] != now.axes[axis]) << (axis + 1);
    }
    put(out, mask);
    if mask & 1 != 0 {
        put(out, u64::from(now.buttons ^ last.buttons));
    }
    for axis in 0..AXES_MAX {
        if mask >> (axis + 1) & 1 != 0 {
            let delta = i64::from(now.axes[axis]) - i64::from(last.axes[axis]);
            put(out, zigzag(delta as u64));
        }
    }
}

/// Appends the fields of a frame. `layout` and `values` are the frame's own, by position.
pub(super) fn put_fields(out: &mut Vec<u8>, memory: &mut Memory, layout: &[u32], values: &[u64]) {
    if memory.layout == layout {
        put(out, 0);
    } else {
        put(out, layout.len() as u64 + 1);
        let mut expected = 0_u32;
        for &id in layout {
            put(out, zigzag(u64::from(id).wrapping_sub(u64::from(expected))));
            expected = id.wrapping_add(1);
        }
        memory.layout.clear();
        memory.layout.extend_from_slice(layout);
    }
    let mut gap = 0_u64;
    for (&id, &value) in layout.iter().zip(values) {
        let last = &mut memory.values[id as usize];
        if *last == value {
            gap += 1;
            continue;
        }
        // The gap is shifted by one so that 0 ends the list.
        put(out, gap + 1);
        put(out, zigzag(value.wrapping_sub(*last)));
        *last = value;
        gap = 0;
    }
    put(out, 0);
}

/// A bounded reader over a trace's body.
#[derive(Debug)]
pub(super) struct Cursor<'a> {
    bytes: &'a [u8],
    memory: Memory,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(bytes: &'a [u8], players: u8, names: &[String]) -> Self {
        Self {
            bytes,
            memory: Memory::new(players, names.len()),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Reads the next frame; the answer is valid until the next call.
    pub(super) fn frame(&mut self) -> Result<&Memory, Error> {
        for slot in 0..self.memory.inputs.len() {
            self.input(slot)?;
        }
        self.layout()?;
        self.values()?;
        Ok(&self.memory)
    }

    fn take(&mut self) -> Result<u64, Error> {
        let mut value = 0_u64;
        for shift in (0..64).step_by(7) {
            let (&byte, rest) = self.bytes.split_first().ok_or(Error::TraceTruncated)?;
            self.bytes = rest;
            let part = u64::from(byte & 0x7f);
            if shift == 63 && part > 1 {
                return Err(Error::TraceMalformed("an integer exceeds 64 bits"));
            }
            value |= part << shift;
            if byte & 0x80 == 0 {
                if byte == 0 && shift > 0 {
                    return Err(Error::TraceMalformed(
                        "an integer is not in its shortest form",
                    ));
                }
                return Ok(value);
            }
        }
        Err(Error::TraceMalformed("an integer exceeds 64 bits"))
    }

    fn input(&mut self, slot: usize) -> Result<(), Error> {
        let mask = self.take()?;
        if mask >> (AXES_MAX + 1) != 0 {
            return Err(Error::TraceMalformed("an input mask has unknown bits"));
        }
        let mut input = self.memory.inputs[slot];
        if mask & 1 != 0 {
            let flips = u32::try_from(self.take()?)
                .map_err(|_| Error::TraceMalformed("buttons exceed 32 bits"))?;
            input.buttons ^= flips;
        }
        for (axis, value) in input.axes.iter_mut().enumerate() {
            if mask >> (axis + 1) & 1 != 0 {
                let delta = unzigzag(self.take()?) as i64;
                let next = i64::from(*value).checked_add(delta);
                *value = next
                    .and_then(|next| i16::try_from(next).ok())
                    .ok_or(Error::TraceMalformed("an axis exceeds 16 bits"))?;
            }
        }
        self.memory.inputs[slot] = input;
        Ok(())
    }

    fn layout(&mut self) -> Result<(), Error> {
        let Some(count) = self.take()?.checked_sub(1) else {
            return Ok(());
        };
        if count > FIELDS_MAX as u64 {
            return Err(Error::TraceMalformed("a frame has too many fields"));
        }
        self.memory.layout.clear();
        let mut expected = 0_u32;
        for _ in 0..count {
            let id = u64::from(expected).wrapping_add(unzigzag(self.take()?));
            if id >= self.memory.values.len().min(NAMES_MAX) as u64 {
                return Err(Error::TraceMalformed("a field has no name"));
            }
            self.memory.layout.push(id as u32);
            expected = id as u32 + 1;
        }
        Ok(())
    }

    fn values(&mut self) -> Result<(), Error> {
        let mut next = 0_usize;
        while let Some(gap) = self.take()?.checked_sub(1) {
            let place = (next as u64).saturating_add(gap);
            let place = usize::try_from(place).unwrap_or(usize::MAX);
            let Some(&id) = self.memory.layout.get(place) else {
                return Err(Error::TraceMalformed(
                    "a value lies past the frame's fields",
                ));
            };
            let delta = unzigzag(self.take()?);
            let value = &mut self.memory.values[id as usize];
            *value = value.wrapping_add(delta);
            next = place + 1;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn arrays() -> impl Strategy<Value = Vec<(u32, [i16; AXES_MAX], Vec<u64>)>> {
        let frame = (
            any::<u32>(),
            any::<[i16; AXES_MAX]>(),
            prop::collection::vec(any::<u64>(), 0..6),
        );
        prop::collection::vec(frame, 1..8)
    }

    proptest! {
        #[test]
        fn every_frame_comes_back(frames in arrays()) {
            let mut memory = Memory::new(1, 6);
            let mut body = Vec::new();
            for (buttons, axes, values) in &frames {
                let input = Input { buttons: *buttons, axes: *axes };
                put_input(&mut body, &memory.inputs[0], &input);
                memory.inputs[0] = input;
                let layout: Vec<u32> = (0..values.len() as u32).rev().collect();
                put_fields(&mut body, &mut memory, &layout, values);
            }
            let names = vec![String::new(); 6];
            let mut cursor = Cursor::new(&body, 1, &names);
            for (buttons, axes, values) in &frames {
                let seen = cursor.frame().unwrap();
                prop_assert_eq!(seen.inputs[0], Input { buttons: *buttons, axes: *axes });
                let back: Vec<u64> =
                    seen.layout.iter().map(|&id| seen.values[id as usize]).collect();
                prop_assert_eq!(&back, values);
            }
            prop_assert!(cursor.is_empty());
        }

        #[test]
        fn foreign_bytes_end_in_an_error_or_an_end(
            bytes in prop::collection::vec(any::<u8>(), 0..200),
        ) {
            let names = vec![String::new(); 3];
            let mut cursor = Cursor::new(&bytes, 2, &names);
            while !cursor.is_empty() {
                if cursor.frame().is_err() {
                    break;
                }
            }
        }
    }
}
