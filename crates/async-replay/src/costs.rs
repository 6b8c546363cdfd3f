//! What each column of a run's inputs costs, for people who look into a run.

use async_core::Input;

use crate::{
    Prior, Run,
    coder::{Coder, Mixer, ONE},
    model::Model,
};

/// Fractions of a bit in which costs are counted.
const BIT: u64 = 1 << 8;

/// What L2 spends on a run's inputs, in bits: all frames in one go, framing aside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InputCosts {
    /// Telling in which frames anything changes.
    pub when: u64,
    /// Telling that the buttons changed, and which.
    pub buttons: u64,
    /// Telling that each axis of the schema changed, and to what.
    pub axes: Vec<u64>,
}

impl InputCosts {
    /// Of a run that was checked or opened, starting from a prior for its schema if there is one.
    /// Nothing where the run has no inputs, or the prior is for another schema.
    pub fn of(run: &Run, prior: Option<&Prior>) -> Option<Self> {
        let schema = run.header.inputs.as_ref()?;
        let mut model = Model::<Mixer>::new(run.header.players, schema);
        if let Some(prior) = prior {
            prior.check(schema).ok()?;
            model = prior.model().clone();
            model.restart(run.header.players);
        }
        let mut meter = Meter {
            when: 0,
            columns: vec![0; 1 + schema.axes.len()],
            column: None,
        };
        let mut frame = vec![Input::default(); run.inputs.players()];
        for inputs in run.inputs.iter() {
            frame.copy_from_slice(inputs);
            model.code(&mut meter, &mut frame);
        }
        let mut columns = meter.columns.into_iter().map(|cost| cost / BIT);
        Some(Self {
            when: meter.when / BIT,
            buttons: columns.next().unwrap_or(0),
            axes: columns.collect(),
        })
    }
}

/// Counts instead of writing.
struct Meter {
    when: u64,
    columns: Vec<u64>,
    column: Option<usize>,
}

impl Coder for Meter {
    fn code(&mut self, bit: bool, one: u32) -> bool {
        let cost = cost(if bit { one } else { ONE - one });
        match self.column {
            None => self.when += cost,
            Some(column) => self.columns[column] += cost,
        }
        bit
    }

    fn about(&mut self, column: Option<usize>) {
        self.column = column;
    }
}

/// What a bit costs that was expected with `likely` of 65,536: 16 less the binary logarithm, whose
/// digits come from squaring.
fn cost(likely: u32) -> u64 {
    let whole = u64::from(likely.ilog2());
    // From 1 up to 2, with 31 digits behind the point.
    let mut rest = u64::from(likely) << (31 - whole);
    let mut logarithm = whole;
    for _ in 0..BIT.ilog2() {
        rest = (rest * rest) >> 31;
        let digit = rest >> 32;
        rest >>= digit;
        logarithm = logarithm << 1 | digit;
    }
    (16 * BIT).saturating_sub(logarithm)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_are_logarithms() {
        assert_eq!(cost(ONE / 2), BIT);
        assert_eq!(cost(ONE / 8), 3 * BIT);
        assert_eq!(cost(1), 16 * BIT);
        for likely in [3, 99, 20_000, 50_000, ONE - 1] {
            let exact = 256.0 * (16.0 - f64::from(likely).log2());
            let off = cost(likely) as f64 - exact;
            assert!((0.0..=1.0).contains(&off), "{likely}: {off}");
        }
    }
}
