//! An engine that counts like another one, except for what a test changes.

use queencount::{Backend, BoardSize, CancelToken, Engine, EngineError};

/// The units of an engine, counted by a function of the test.
pub(crate) struct Changed<'a, C> {
    pub engine: &'a dyn Engine,
    pub count: C,
    /// Returns the backend of a unit.
    pub backend: fn(u64) -> Option<Backend>,
}

impl<'a, C: Fn(u64, &CancelToken) -> Result<u128, EngineError>> Changed<'a, C> {
    /// Creates an engine whose units have no backend.
    pub(crate) fn new(engine: &'a dyn Engine, count: C) -> Self {
        Self {
            engine,
            count,
            backend: |_| None,
        }
    }
}

impl<C: Fn(u64, &CancelToken) -> Result<u128, EngineError> + Send + Sync> Engine
    for Changed<'_, C>
{
    fn name(&self) -> &'static str {
        self.engine.name()
    }
    fn size(&self) -> BoardSize {
        self.engine.size()
    }
    fn parameters(&self) -> String {
        self.engine.parameters()
    }
    fn units(&self) -> u64 {
        self.engine.units()
    }
    fn units_per_task(&self) -> u64 {
        self.engine.units_per_task()
    }
    fn cumulative_work(&self, unit: u64) -> f64 {
        self.engine.cumulative_work(unit)
    }
    fn count(&self, unit: u64, stop: &CancelToken) -> Result<u128, EngineError> {
        (self.count)(unit, stop)
    }
    fn count_by_backend(
        &self,
        unit: u64,
        stop: &CancelToken,
    ) -> Result<(u128, Option<Backend>), EngineError> {
        Ok((self.count(unit, stop)?, (self.backend)(unit)))
    }
    fn recount(&self, unit: u64, stop: &CancelToken) -> Result<u128, EngineError> {
        self.engine.recount(unit, stop)
    }
}
