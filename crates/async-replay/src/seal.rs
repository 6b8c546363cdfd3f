//! A whole run as bytes.
use crate::{Error, Run};
pub(crate) struct Layout;
impl Layout {
    pub(crate) const SEALED: Self = Self;
}
pub(crate) fn encode(_run: &Run, _layout: &Layout) -> Result<Vec<u8>, Error> {
    unimplemented!()
}
pub(crate) fn check(_run: &Run) -> Result<(), Error> {
    unimplemented!()
}
