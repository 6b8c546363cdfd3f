//! The rivals: everything else that could hold a run's inputs.

use super::{Failure, corpus::Inputs, ggrs, layouts::Layout, numbers, packing, squeeze::Squeeze};

/// A rival.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rival {
    /// A layout, compressed.
    Pipeline(Layout, Squeeze),
    /// pco over each column.
    Pco,
    /// Fiedler's bit packing.
    Packing,
    /// GGRS, a message per frame.
    Ggrs,
    /// GGRS's coding of all frames at once.
    GgrsAtOnce,
}

impl Rival {
    /// All of them, in the order of the table.
    pub(super) fn all() -> Vec<Rival> {
        let others = [Rival::Pco, Rival::Packing, Rival::Ggrs, Rival::GgrsAtOnce];
        Layout::ALL
            .into_iter()
            .flat_map(|layout| Squeeze::ALL.map(|squeeze| Rival::Pipeline(layout, squeeze)))
            .chain(others)
            .collect()
    }

    /// Whether it is one that people use, and not a layout of our own making.
    pub(super) fn is_usual(self) -> bool {
        !matches!(self, Rival::Pipeline(layout, _) if !layout.is_usual())
    }

    pub(super) fn name(self) -> String {
        match self {
            Rival::Pipeline(layout, squeeze) => format!("{}, {}", layout.name(), squeeze.name()),
            Rival::Pco => "pco per column".into(),
            Rival::Packing => "bit packing (Fiedler)".into(),
            Rival::Ggrs => "GGRS 0.13, a message per frame".into(),
            Rival::GgrsAtOnce => "GGRS 0.13's coding, all at once".into(),
        }
    }

    /// Bytes of one file; decoded again and compared.
    pub(super) fn bytes(self, inputs: &Inputs) -> Result<usize, Failure> {
        match self {
            Rival::Pipeline(layout, squeeze) => pipeline(inputs, layout, squeeze),
            Rival::Pco => numbers::columns(inputs),
            Rival::Packing => packing::pack(inputs),
            Rival::Ggrs => ggrs::messages(inputs),
            Rival::GgrsAtOnce => ggrs::at_once(inputs),
        }
    }
}

fn pipeline(inputs: &Inputs, layout: Layout, squeeze: Squeeze) -> Result<usize, Failure> {
    let laid = layout.lay(&inputs.records, inputs.shape);
    let small = squeeze.compress(&laid)?;
    let back = squeeze.decompress(&small, laid.len())?;
    let records = layout.unlay(&back, inputs.shape, inputs.frames());
    if records.as_deref() != Some(&inputs.records[..]) {
        let name = Rival::Pipeline(layout, squeeze).name();
        return Err(Failure::Differs(name, inputs.name.clone()));
    }
    Ok(small.len())
}
