//! Ways to lay records out before a general-purpose compressor sees them.

use super::corpus::Shape;

/// A way to lay records out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layout {
    /// As they are, frame by frame.
    Raw,
    /// Frame by frame, each record XORed with the same player's record of the frame before.
    Xor,
    /// Each byte of each player's record as a column over all frames.
    Columns,
    /// Each player's buttons and axes as runs: a value and for how many frames (LEB128).
    Runs,
    /// The same, all lengths first and all values behind them.
    SplitRuns,
}

impl Layout {
    pub(super) const ALL: [Layout; 5] = [
        Layout::Raw,
        Layout::Xor,
        Layout::Columns,
        Layout::Runs,
        Layout::SplitRuns,
    ];

    /// Whether issue trackers and articles know it: the split one is our own idea of a rival.
    pub(super) fn is_usual(self) -> bool {
        self != Layout::SplitRuns
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Layout::Raw => "raw",
            Layout::Xor => "xor",
            Layout::Columns => "columns",
            Layout::Runs => "column runs",
            Layout::SplitRuns => "split runs",
        }
    }

    pub(super) fn lay(self, records: &[u8], shape: Shape) -> Vec<u8> {
        let row = shape.width() * shape.players;
        match self {
            Layout::Raw => records.to_vec(),
            Layout::Xor => {
                let before = std::iter::repeat_n(&0, row).chain(records);
                records
                    .iter()
                    .zip(before)
                    .map(|(new, old)| new ^ old)
                    .collect()
            }
            Layout::Columns => {
                let column = |at: usize| records.iter().skip(at).step_by(row);
                (0..row).flat_map(column).copied().collect()
            }
            Layout::Runs => {
                let mut out = Vec::new();
                for (value, frames) in runs(records, shape) {
                    out.extend_from_slice(value);
                    put_leb128(&mut out, frames);
                }
                out
            }
            Layout::SplitRuns => {
                let (mut out, mut values) = (Vec::new(), Vec::new());
                for (value, frames) in runs(records, shape) {
                    values.extend_from_slice(value);
                    put_leb128(&mut out, frames);
                }
                out.append(&mut values);
                out
            }
        }
    }

    /// The records again; `None` if the bytes are none of `frames` frames.
    pub(super) fn unlay(self, laid: &[u8], shape: Shape, frames: usize) -> Option<Vec<u8>> {
        let row = shape.width() * shape.players;
        match self {
            Layout::Raw => Some(laid.to_vec()),
            Layout::Xor => {
                let mut records = laid.to_vec();
                for at in row..records.len() {
                    records[at] ^= records[at - row];
                }
                Some(records)
            }
            Layout::Columns => {
                let frame = |at: usize| laid.iter().skip(at).step_by(frames);
                Some((0..frames).flat_map(frame).copied().collect())
            }
            Layout::Runs => joined(laid, shape, frames),
            Layout::SplitRuns => split(laid, shape, frames),
        }
    }
}

/// The columns of a frame: where each starts, and its bytes.
fn columns(shape: Shape) -> impl Iterator<Item = (usize, usize)> {
    let widths = (0..shape.players).flat_map(move |_| shape.columns());
    widths.scan(0, |at, width| {
        *at += width;
        Some((*at - width, width))
    })
}

/// Each column as runs of a value and a number of frames.
fn runs(records: &[u8], shape: Shape) -> Vec<(&[u8], u64)> {
    let row = shape.width() * shape.players;
    let mut runs = Vec::<(&[u8], u64)>::new();
    for (at, width) in columns(shape) {
        let first = runs.len();
        for frame in records.chunks_exact(row) {
            let value = &frame[at..at + width];
            match runs[first..].last_mut() {
                Some((held, frames)) if *held == value => *frames += 1,
                _ => runs.push((value, 1)),
            }
        }
    }
    runs
}

fn joined(mut laid: &[u8], shape: Shape, frames: usize) -> Option<Vec<u8>> {
    let mut out = Rows::new(shape, frames);
    for (at, width) in columns(shape) {
        let mut frame = 0;
        while frame < frames {
            let (value, rest) = laid.split_at_checked(width)?;
            laid = rest;
            let length = take_leb128(&mut laid)?;
            out.fill(at, value, &mut frame, length)?;
        }
    }
    laid.is_empty().then_some(out.bytes)
}

fn split(mut laid: &[u8], shape: Shape, frames: usize) -> Option<Vec<u8>> {
    let mut lengths = Vec::new();
    for column in columns(shape) {
        let mut frame = 0;
        while frame < frames {
            let length = take_leb128(&mut laid)?;
            frame = frame.checked_add(length)?;
            lengths.push((column, length));
        }
    }
    let mut out = Rows::new(shape, frames);
    let mut frame = 0;
    for ((at, width), length) in lengths {
        let (value, rest) = laid.split_at_checked(width)?;
        laid = rest;
        out.fill(at, value, &mut frame, length)?;
        frame %= frames;
    }
    laid.is_empty().then_some(out.bytes)
}

/// Records that are filled column by column.
struct Rows {
    row: usize,
    bytes: Vec<u8>,
}

impl Rows {
    fn new(shape: Shape, frames: usize) -> Self {
        let row = shape.width() * shape.players;
        let bytes = vec![0; row * frames];
        Rows { row, bytes }
    }

    fn fill(&mut self, at: usize, value: &[u8], frame: &mut usize, length: usize) -> Option<()> {
        let end = frame.checked_add(length)?;
        let rows = self
            .bytes
            .get_mut(*frame * self.row..end.checked_mul(self.row)?)?;
        for row in rows.chunks_exact_mut(self.row) {
            row.get_mut(at..at + value.len())?.copy_from_slice(value);
        }
        *frame = end;
        Some(())
    }
}

pub(super) fn put_leb128(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

fn take_leb128(bytes: &mut &[u8]) -> Option<usize> {
    let mut value = 0;
    for shift in (0..35).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        value |= usize::from(byte & 0x7F) << shift;
        if byte < 0x80 {
            return Some(value);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_layout_gives_back_what_it_took() {
        let shape = Shape {
            players: 2,
            button_bytes: 2,
            axes: 3,
            axis_bytes: 1,
        };
        let frames = 300;
        let records: Vec<u8> = (0..frames * shape.width() * shape.players)
            .map(|at| (at / 170) as u8)
            .collect();
        for layout in Layout::ALL {
            let laid = layout.lay(&records, shape);
            assert_eq!(
                layout.unlay(&laid, shape, frames),
                Some(records.clone()),
                "{layout:?}"
            );
        }
        let runs = Layout::Runs.lay(&records, shape);
        assert_eq!(Layout::Runs.unlay(&runs[1..], shape, frames), None);
    }
}
