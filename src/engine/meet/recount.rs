//! todo
use super::core::{Core, Unit};
use crate::engine::{Stop, Stopped};
pub(super) fn recount(_n: u32, _core: &Core, _unit: &Unit, stop: &Stop) -> Result<u128, Stopped> {
    stop.check()?;
    unimplemented!()
}
