//! The strict reader.
use crate::{Error, Info, Limits, Recovered, Run};
pub(crate) fn open(_bytes: &[u8], _limits: &Limits) -> Result<Run, Error> {
    unimplemented!()
}
pub(crate) fn recover(_bytes: &[u8], _limits: &Limits) -> Result<Recovered, Error> {
    unimplemented!()
}
pub(crate) fn info(_bytes: &[u8], _limits: &Limits) -> Result<Info, Error> {
    unimplemented!()
}
