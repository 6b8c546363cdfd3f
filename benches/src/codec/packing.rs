//! Bit packing as Glenn Fiedler's articles on game networking do it, delta coded.
//!
//! Per player, for each frame that differs from the one before: how many frames since the last
//! such frame, in his relative-index classes (1 bit for the next frame, 4 for the next four, and
//! so on); a bit per column that says whether it changed; then each changed value in the fewest
//! bits. Of buttons, either the index of the one that was toggled, or a bit for each; of an axis,
//! either a difference of ±1 to ±8 in 4 bits, or the value in as many bits as its range needs.
//! The buttons that are used at all, and each axis' range in this file, are given for nothing.

use super::{Failure, corpus::Inputs};

const NAME: &str = "packing";

/// Classes of gaps between changed frames: bits of the value, behind one bit per class.
const GAP_BITS: [u32; 6] = [0, 2, 4, 8, 12, 20];
/// A small difference: a sign and 1 to 8.
const SMALL_BITS: u32 = 4;

/// Bytes of all players, each packed on its own.
pub(super) fn pack(inputs: &Inputs) -> Result<usize, Failure> {
    let mut bytes = 0;
    for player in 0..inputs.shape.players {
        let rows = rows(inputs, player);
        let columns = columns(&rows, inputs.shape.axes);
        let packed = write(&rows, &columns);
        if read(&packed, rows.len(), &columns).as_ref() != Some(&rows) {
            return Err(Failure::Differs(NAME.to_owned(), inputs.name.clone()));
        }
        bytes += packed.len();
    }
    Ok(bytes)
}

/// What is known of a column before it is read.
#[derive(Debug)]
enum Column {
    /// The buttons that are used.
    Buttons(Vec<u32>),
    /// The least value, and bits for the range.
    Axis { least: i32, bits: u32 },
}

/// A player's buttons (those used) and axes in each frame.
fn rows(inputs: &Inputs, player: usize) -> Vec<Vec<i32>> {
    let own = inputs
        .parsed
        .inputs
        .iter()
        .skip(player)
        .step_by(inputs.shape.players);
    own.map(|input| {
        let axes = input.axes[..inputs.shape.axes].iter();
        std::iter::once(input.buttons as i32)
            .chain(axes.map(|axis| i32::from(*axis)))
            .collect()
    })
    .collect()
}

fn columns(rows: &[Vec<i32>], axes: usize) -> Vec<Column> {
    let used = rows.iter().fold(0, |used, row| used | row[0]);
    let buttons = (0..32).filter(|button| used >> button & 1 == 1).collect();
    let axis = |index: usize| {
        // Every axis starts at rest, so 0 is in its range.
        let values = || rows.iter().map(|row| row[index]).chain([0]);
        let (least, most) = (values().min().unwrap_or(0), values().max().unwrap_or(0));
        let bits = bits_for(most.abs_diff(least) + 1);
        Column::Axis { least, bits }
    };
    std::iter::once(Column::Buttons(buttons))
        .chain((1..=axes).map(axis))
        .collect()
}

/// Bits that tell so many values apart.
fn bits_for(values: u32) -> u32 {
    32 - values.saturating_sub(1).leading_zeros()
}

fn write(rows: &[Vec<i32>], columns: &[Column]) -> Vec<u8> {
    let mut out = BitWriter::default();
    let mut held = vec![0; columns.len()];
    let mut gap = 0;
    for row in rows {
        gap += 1;
        if *row == held {
            continue;
        }
        put_gap(&mut out, gap);
        gap = 0;
        for (new, old) in row.iter().zip(&held) {
            out.put(u32::from(new != old), 1);
        }
        for ((column, new), old) in columns.iter().zip(row).zip(&held) {
            if new != old {
                put_value(&mut out, column, *new, *old);
            }
        }
        held.clone_from(row);
    }
    put_gap(&mut out, gap + 1);
    out.bytes
}

fn read(packed: &[u8], frames: usize, columns: &[Column]) -> Option<Vec<Vec<i32>>> {
    let mut bits = BitReader {
        bytes: packed,
        at: 0,
    };
    let mut held = vec![0; columns.len()];
    let mut rows = Vec::new();
    loop {
        let gap = take_gap(&mut bits)? as usize;
        rows.extend(std::iter::repeat_n(held.clone(), gap - 1));
        if rows.len() >= frames {
            return (rows.len() == frames).then_some(rows);
        }
        let changed: Vec<bool> = columns
            .iter()
            .map(|_| bits.take(1).map(|bit| bit == 1))
            .collect::<Option<_>>()?;
        for ((column, value), changed) in columns.iter().zip(&mut held).zip(changed) {
            if changed {
                *value = take_value(&mut bits, column, *value)?;
            }
        }
        rows.push(held.clone());
    }
}

fn put_gap(out: &mut BitWriter, gap: u32) {
    let mut first = 1;
    for bits in GAP_BITS {
        let next = first + (1 << bits);
        out.put(u32::from(gap < next), 1);
        if gap < next {
            return out.put(gap - first, bits);
        }
        first = next;
    }
}

fn take_gap(bits: &mut BitReader<'_>) -> Option<u32> {
    let mut first = 1;
    for width in GAP_BITS {
        if bits.take(1)? == 1 {
            return Some(first + bits.take(width)?);
        }
        first += 1 << width;
    }
    None
}

fn put_value(out: &mut BitWriter, column: &Column, new: i32, old: i32) {
    match column {
        Column::Buttons(used) => {
            let toggled = (new ^ old) as u32;
            let single = toggled.is_power_of_two();
            out.put(u32::from(single), 1);
            for (index, button) in (0..).zip(used) {
                if !single {
                    out.put(toggled >> button & 1, 1);
                } else if toggled == 1 << button {
                    out.put(index, bits_for(used.len() as u32));
                }
            }
        }
        Column::Axis { least, bits } => {
            let difference = new - old;
            if *bits > SMALL_BITS {
                let small = difference.unsigned_abs() <= 8;
                out.put(u32::from(small), 1);
                if small {
                    out.put(u32::from(difference < 0), 1);
                    return out.put(difference.unsigned_abs() - 1, SMALL_BITS - 1);
                }
            }
            out.put(new.abs_diff(*least), *bits);
        }
    }
}

fn take_value(bits: &mut BitReader<'_>, column: &Column, old: i32) -> Option<i32> {
    match column {
        Column::Buttons(used) => {
            let mut toggled = 0;
            if bits.take(1)? == 1 {
                let index = bits.take(bits_for(used.len() as u32))?;
                toggled = 1 << used.get(index as usize)?;
            } else {
                for button in used {
                    toggled |= bits.take(1)? << button;
                }
            }
            Some(old ^ toggled as i32)
        }
        Column::Axis { least, bits: width } => {
            if *width > SMALL_BITS && bits.take(1)? == 1 {
                let negative = bits.take(1)? == 1;
                let size = bits.take(SMALL_BITS - 1)? as i32 + 1;
                return Some(if negative { old - size } else { old + size });
            }
            Some(least + bits.take(*width)? as i32)
        }
    }
}

#[derive(Default)]
struct BitWriter {
    bytes: Vec<u8>,
    used: u32,
}

impl BitWriter {
    /// The low `bits` of a value, the lowest first.
    fn put(&mut self, value: u32, bits: u32) {
        for bit in 0..bits {
            if self.used.is_multiple_of(8) {
                self.bytes.push(0);
            }
            if let Some(byte) = self.bytes.last_mut() {
                *byte |= ((value >> bit & 1) as u8) << (self.used % 8);
            }
            self.used += 1;
        }
    }
}

struct BitReader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl BitReader<'_> {
    fn take(&mut self, bits: u32) -> Option<u32> {
        let mut value = 0;
        for bit in 0..bits {
            let byte = self.bytes.get(self.at / 8)?;
            value |= u32::from(byte >> (self.at % 8) & 1) << bit;
            self.at += 1;
        }
        Some(value)
    }
}
