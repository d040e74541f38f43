//! An engine for tests. Its counts are simple numbers, and can be falsified.

#![cfg_attr(
    not(feature = "records"),
    allow(dead_code, reason = "the tests of records use the rest")
)]

use std::sync::Arc;

use queencount::{Backend, BoardSize, CancelToken, Engine, EngineError};

type Lie<T> = Arc<dyn Fn(u64, u64, u128) -> T + Send + Sync>;

/// An engine with a few units.
#[derive(Clone)]
pub(crate) struct Fake {
    units: u64,
    units_per_task: u64,
    parts: u64,
    lie: Lie<Result<u128, EngineError>>,
    lie_of_whole: Lie<u128>,
    backend: fn(u64) -> Option<Backend>,
    devices: usize,
}

/// Returns the true count of a part.
fn right(unit: u64, part: u64) -> u128 {
    u128::from(2 + unit + 3 * part)
}

impl Fake {
    pub(crate) fn new(units: u64, units_per_task: u64) -> Self {
        Self {
            units,
            units_per_task,
            parts: 1,
            lie: Arc::new(|_, _, right| Ok(right)),
            lie_of_whole: Arc::new(|_, _, right| right),
            backend: |_| None,
            devices: 0,
        }
    }

    /// Sets the number of parts of each unit.
    pub(crate) fn parts(self, parts: u64) -> Self {
        Self { parts, ..self }
    }

    /// Sets the count of a part, given the unit, the part and the true count.
    pub(crate) fn lie(self, lie: impl Fn(u64, u64, u128) -> u128 + Send + Sync + 'static) -> Self {
        self.fail(move |unit, part, right| Ok(lie(unit, part, right)))
    }

    /// Sets the count of a part, or an error.
    pub(crate) fn fail(
        self,
        lie: impl Fn(u64, u64, u128) -> Result<u128, EngineError> + Send + Sync + 'static,
    ) -> Self {
        let lie = Arc::new(lie);
        Self { lie, ..self }
    }

    pub(crate) fn devices(self, devices: usize) -> Self {
        Self { devices, ..self }
    }

    /// Sets the count of a whole unit, given the unit, 0 and the sum of its parts.
    pub(crate) fn lie_of_whole(
        self,
        lie: impl Fn(u64, u64, u128) -> u128 + Send + Sync + 'static,
    ) -> Self {
        let lie_of_whole = Arc::new(lie);
        Self {
            lie_of_whole,
            ..self
        }
    }

    pub(crate) fn backend(self, backend: fn(u64) -> Option<Backend>) -> Self {
        Self { backend, ..self }
    }

    pub(crate) fn total(&self) -> u128 {
        (0..self.units).map(|unit| right(unit, 0)).sum()
    }
}

impl Engine for Fake {
    fn name(&self) -> &'static str {
        "fake"
    }
    fn size(&self) -> BoardSize {
        BoardSize::new(12).unwrap()
    }
    fn parameters(&self) -> String {
        String::new()
    }
    fn units(&self) -> u64 {
        self.units
    }
    fn units_per_task(&self) -> u64 {
        self.units_per_task
    }
    fn cumulative_work(&self, unit: u64) -> f64 {
        unit as f64 / self.units as f64
    }
    fn devices(&self) -> usize {
        self.devices
    }
    fn parts(&self, _unit: u64) -> u64 {
        self.parts
    }
    fn count(&self, unit: u64, stop: &CancelToken) -> Result<u128, EngineError> {
        let parts = (0..self.parts).map(|part| self.count_part(unit, part, stop));
        Ok((self.lie_of_whole)(unit, 0, parts.sum::<Result<_, _>>()?))
    }
    fn count_by_backend(
        &self,
        unit: u64,
        stop: &CancelToken,
    ) -> Result<(u128, Option<Backend>), EngineError> {
        Ok((self.count(unit, stop)?, (self.backend)(unit)))
    }
    fn count_part(&self, unit: u64, part: u64, _: &CancelToken) -> Result<u128, EngineError> {
        (self.lie)(unit, part, right(unit, part))
    }
    fn recount(&self, unit: u64, _stop: &CancelToken) -> Result<u128, EngineError> {
        Ok((0..self.parts).map(|part| right(unit, part)).sum())
    }
    fn recount_part(&self, unit: u64, part: u64, _: &CancelToken) -> Result<u128, EngineError> {
        Ok(right(unit, part))
    }
}
