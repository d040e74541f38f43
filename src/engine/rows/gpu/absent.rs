//! Stands in for feeders without the `gpu` feature. This type has no values.

use super::device::Device;
use crate::cancel::EngineError;
use crate::engine::rows::core_lists::{Context, CoreLists};
use crate::engine::rows::theory::core::Core;
use crate::engine::rows::theory::tiling::ColumnSet;

pub(crate) enum Feeder {}

impl Feeder {
    pub(crate) fn new(_: &'static Device, _required: bool) -> Option<Self> {
        None
    }

    pub(crate) fn has_failed(&self) -> bool {
        match *self {}
    }

    pub(in crate::engine::rows) fn count(
        &mut self,
        _context: Context,
        _core: &Core,
        _sets: &[ColumnSet],
        _lists: &mut CoreLists<u64>,
    ) -> Result<Option<u128>, EngineError> {
        match *self {}
    }
}
