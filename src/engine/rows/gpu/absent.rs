//! Stands in for feeders without the `gpu` feature. This type has no values.

use super::Receiver;
use super::device::Device;
use crate::cancel::{CancelToken, EngineError};
use crate::engine::rows::theory::core::Weights;
use crate::engine::rows::theory::tiling::ColumnSet;

pub(crate) enum Feeder {}

impl Feeder {
    pub(crate) fn new(_: &'static Device, _required: bool) -> Result<Option<Self>, EngineError> {
        Ok(None)
    }

    pub(crate) fn has_failed(&self) -> bool {
        match *self {}
    }

    pub(crate) fn count(
        &mut self,
        _sets: &[ColumnSet],
        _half: u32,
        _weights: Weights,
        _find: impl FnMut(usize, u32, Receiver) -> Result<(), EngineError>,
        _stop: &CancelToken,
    ) -> Result<Option<u128>, EngineError> {
        match *self {}
    }
}
