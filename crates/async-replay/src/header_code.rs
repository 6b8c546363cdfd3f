//! The header as bytes.
use crate::{Error, UnknownField};
pub(crate) fn check_unknown(_fields: &[UnknownField]) -> Result<(), Error> {
    unimplemented!()
}
pub(crate) fn encode_options(_options: &async_core::Options) -> Vec<u8> {
    unimplemented!()
}
