//! General-purpose compressors at their strongest.

use std::io::{Read as _, Write as _};

use liblzma::stream::{Check, Filters, LzmaOptions, PRESET_EXTREME, Stream};

use super::Failure;

/// A general-purpose compressor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Squeeze {
    Zstd19,
    Xz9e,
    Brotli11,
}

impl Squeeze {
    pub(super) const ALL: [Squeeze; 3] = [Squeeze::Zstd19, Squeeze::Xz9e, Squeeze::Brotli11];

    pub(super) fn name(self) -> &'static str {
        match self {
            Squeeze::Zstd19 => "zstd-19",
            Squeeze::Xz9e => "xz-9e",
            Squeeze::Brotli11 => "brotli-11",
        }
    }

    /// Compresses bytes as one stream.
    pub(super) fn compress(self, bytes: &[u8]) -> Result<Vec<u8>, Failure> {
        match self {
            Squeeze::Zstd19 => zstd::bulk::compress(bytes, ZSTD_LEVEL).map_err(|it| it.to_string()),
            Squeeze::Xz9e => xz(bytes).map_err(|error| error.to_string()),
            Squeeze::Brotli11 => brotli(bytes).map_err(|error| error.to_string()),
        }
        .map_err(|reason| self.failure(reason))
    }

    /// The bytes again, of which there were at most `bytes_max`.
    pub(super) fn decompress(self, bytes: &[u8], bytes_max: usize) -> Result<Vec<u8>, Failure> {
        let mut out = Vec::with_capacity(bytes_max);
        match self {
            Squeeze::Zstd19 => zstd::bulk::decompress(bytes, bytes_max).map(|bytes| out = bytes),
            Squeeze::Xz9e => liblzma::read::XzDecoder::new(bytes)
                .read_to_end(&mut out)
                .map(drop),
            Squeeze::Brotli11 => brotli::BrotliDecompress(&mut &bytes[..], &mut out),
        }
        .map_err(|error| self.failure(error.to_string()))?;
        Ok(out)
    }

    fn failure(self, reason: String) -> Failure {
        Failure::Rival(self.name().to_owned(), reason)
    }
}

/// The strongest of zstd's ordinary levels.
pub(super) const ZSTD_LEVEL: i32 = 19;

/// `xz -9e` without the check that it puts behind the data. The window is as long as the data,
/// since one of 64 MiB finds nothing more in less and takes longer to set up.
fn xz(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut options = LzmaOptions::new_preset(9 | PRESET_EXTREME)?;
    let window = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
    options.dict_size(window.clamp(1 << 12, 1 << 26));
    let stream = Stream::new_stream_encoder(Filters::new().lzma2(&options), Check::None)?;
    let mut encoder = liblzma::write::XzEncoder::new_stream(Vec::new(), stream);
    encoder.write_all(bytes)?;
    encoder.finish()
}

fn brotli(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let params = brotli::enc::BrotliEncoderParams {
        quality: 11,
        lgwin: 24,
        size_hint: bytes.len(),
        ..Default::default()
    };
    let mut out = Vec::new();
    brotli::BrotliCompress(&mut &bytes[..], &mut out, &params)?;
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_compressor_gives_back_what_it_took() {
        let bytes: Vec<u8> = (0..10_000_u32).map(|it| ((it * it) >> 7) as u8).collect();
        for squeeze in Squeeze::ALL {
            for bytes in [&bytes[..], &bytes[..1], &[]] {
                let small = squeeze.compress(bytes).unwrap();
                assert_eq!(squeeze.decompress(&small, bytes.len()).unwrap(), bytes);
            }
        }
    }
}
