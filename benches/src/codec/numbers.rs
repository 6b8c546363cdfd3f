//! pco, a compressor of number columns.

use pco::{
    ChunkConfig,
    standalone::{simple_compress, simple_decompress},
};

use super::{Failure, corpus::Inputs};

/// The strongest level.
const LEVEL: usize = 12;

/// Bytes of every column (buttons, each axis) of every player, each on its own.
pub(super) fn columns(inputs: &Inputs) -> Result<usize, Failure> {
    let mut bytes = 0;
    for player in 0..inputs.shape.players {
        let own = || {
            inputs
                .parsed
                .inputs
                .iter()
                .skip(player)
                .step_by(inputs.shape.players)
        };
        bytes += column(own().map(|input| input.buttons as i32), &inputs.name)?;
        for axis in 0..inputs.shape.axes {
            bytes += column(own().map(|input| i32::from(input.axes[axis])), &inputs.name)?;
        }
    }
    Ok(bytes)
}

/// Bytes of one column; decoded again and compared.
pub(super) fn column(values: impl Iterator<Item = i32>, file: &str) -> Result<usize, Failure> {
    let failed = |error: pco::errors::PcoError| Failure::Rival("pco".into(), error.to_string());
    let values: Vec<i32> = values.collect();
    let config = ChunkConfig::default().with_compression_level(LEVEL);
    let bytes = simple_compress(&values, &config).map_err(failed)?;
    if simple_decompress::<i32>(&bytes).map_err(failed)? != values {
        return Err(Failure::Differs("pco".into(), file.to_owned()));
    }
    Ok(bytes.len())
}
