//! Input model L0: each column as runs of equal values, in varints.

use core::ops::RangeInclusive;

use async_core::{AxisBits, Input, InputSchema};

use crate::{
    Error,
    wire::{Cursor, put_signed, put_varint},
};

/// The model id of L0. L1 is 1 and L2 is 2.
pub(crate) const MODEL: u8 = 0;
/// The most bytes one value and its run take: a run below 3,600 and a change of 32 buttons.
const CHANGE_BYTES_MAX: usize = 7;

/// Codes the inputs of one chunk, column by column, as they come.
#[derive(Debug)]
pub(crate) struct Encoder {
    axes: usize,
    last: Vec<Input>,
    columns: Vec<Column>,
    frames: u32,
    bytes: usize,
}

#[derive(Debug)]
struct Column {
    bytes: Vec<u8>,
    since: u32,
}

impl Encoder {
    /// For `frames` frames in a chunk, set aside now so that recording does not allocate.
    pub(crate) fn new(players: u8, schema: &InputSchema, frames: u32) -> Self {
        let (players, axes) = (usize::from(players), schema.axes.len());
        let reserve = frames as usize * CHANGE_BYTES_MAX + 8;
        let columns = (0..players * (1 + axes))
            .map(|_| Column {
                bytes: Vec::with_capacity(reserve),
                since: 0,
            })
            .collect();
        Self {
            axes,
            last: vec![Input::default(); players],
            columns,
            frames: 0,
            bytes: 0,
        }
    }

    /// Bytes so far, give or take the last run of each column.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    pub(crate) fn push(&mut self, inputs: &[Input]) {
        let fresh = self.frames == 0;
        for (slot, input) in inputs.iter().enumerate() {
            if fresh || self.last[slot] != *input {
                self.change(slot, input, fresh);
            }
        }
        self.frames += 1;
    }

    fn change(&mut self, slot: usize, input: &Input, fresh: bool) {
        let last = if fresh {
            Input::default()
        } else {
            self.last[slot]
        };
        let columns = &mut self.columns[slot * (1 + self.axes)..][..1 + self.axes];
        let frame = self.frames;
        let mut put = |column: &mut Column, zigzag: bool, change: i64| {
            if change == 0 && !fresh {
                return;
            }
            let before = column.bytes.len();
            if !fresh {
                put_varint(&mut column.bytes, u64::from(frame - column.since));
            }
            column.since = frame;
            if zigzag {
                put_signed(&mut column.bytes, change);
            } else {
                put_varint(&mut column.bytes, change as u64);
            }
            self.bytes += column.bytes.len() - before;
        };
        put(
            &mut columns[0],
            false,
            i64::from(last.buttons ^ input.buttons),
        );
        for (axis, column) in columns[1..].iter_mut().enumerate() {
            put(
                column,
                true,
                i64::from(input.axes[axis]) - i64::from(last.axes[axis]),
            );
        }
        self.last[slot] = *input;
    }

    /// Ends every column; [`Encoder::parts`] is then the chunk's content.
    pub(crate) fn close(&mut self) {
        self.columns
            .iter_mut()
            .for_each(|column| column.bytes.push(0));
    }

    pub(crate) fn parts(&self) -> impl Iterator<Item = &[u8]> + Clone {
        self.columns.iter().map(|column| column.bytes.as_slice())
    }

    /// Starts the next chunk, which knows nothing of this one.
    pub(crate) fn reset(&mut self) {
        for column in &mut self.columns {
            column.bytes.clear();
            column.since = 0;
        }
        self.frames = 0;
        self.bytes = 0;
    }
}

/// Decodes one chunk into `out`, which holds zeros: frames times `players` inputs. `first` is the
/// chunk's first frame, for messages.
pub(crate) fn decode(
    mut cursor: Cursor<'_>,
    schema: &InputSchema,
    players: usize,
    first: u32,
    out: &mut [Input],
) -> Result<(), Error> {
    let mask = (1_u64 << schema.buttons.len()) - 1;
    for slot in 0..players {
        let mut lane = Lane {
            out,
            players,
            slot,
            first,
        };
        lane.buttons(&mut cursor, mask)?;
        for (axis, declared) in schema.axes.iter().enumerate() {
            let range = match declared.bits {
                AxisBits::Eight => i64::from(i8::MIN)..=i64::from(i8::MAX),
                AxisBits::Sixteen => i64::from(i16::MIN)..=i64::from(i16::MAX),
            };
            lane.axis(&mut cursor, axis, &range)?;
        }
    }
    cursor.finish()
}

/// One player's inputs among those of all.
struct Lane<'o> {
    out: &'o mut [Input],
    players: usize,
    slot: usize,
    first: u32,
}

impl Lane<'_> {
    fn buttons(&mut self, cursor: &mut Cursor<'_>, mask: u64) -> Result<(), Error> {
        let mut value = 0_u64;
        self.column(
            |at, error| {
                let change = cursor.varint()?;
                value ^= change;
                if value & !mask != 0 {
                    return Err(error);
                }
                Ok((value as u32, change, run_length(cursor, at)?))
            },
            |input, buttons| input.buttons = buttons,
        )
    }

    fn axis(
        &mut self,
        cursor: &mut Cursor<'_>,
        axis: usize,
        range: &RangeInclusive<i64>,
    ) -> Result<(), Error> {
        let mut value = 0_i64;
        self.column(
            |at, error| {
                let change = cursor.signed()?;
                value = value.wrapping_add(change);
                if !range.contains(&value) {
                    return Err(error);
                }
                Ok((value as i16 as u32, change as u64, run_length(cursor, at)?))
            },
            |input, bits| input.axes[axis] = bits as i16,
        )
    }

    /// Reads (value, change, run) until the column is full.
    fn column(
        &mut self,
        mut next: impl FnMut(usize, Error) -> Result<(u32, u64, usize), Error>,
        set: impl Fn(&mut Input, u32),
    ) -> Result<(), Error> {
        let frames = self.out.len() / self.players;
        let mut at = 0;
        while at < frames {
            let undeclared = Error::InputUndeclared {
                frame: self.first + at as u32,
            };
            let (value, change, run) = next(frames - at, undeclared)?;
            if change == 0 && at > 0 {
                return Err(Error::Malformed("a run of inputs that goes on as another"));
            }
            if value != 0 {
                let from = at * self.players + self.slot;
                let lane = self.out[from..].iter_mut().step_by(self.players);
                lane.take(run).for_each(|input| set(input, value));
            }
            at += run;
        }
        Ok(())
    }
}

/// A run of 1 up to, not including, what is left; 0 stands for all that is left.
fn run_length(cursor: &mut Cursor<'_>, left: usize) -> Result<usize, Error> {
    match cursor.varint()? {
        0 => Ok(left),
        run if run < left as u64 => Ok(run as usize),
        _ => Err(Error::Malformed(
            "a run of inputs past the end of its chunk",
        )),
    }
}
