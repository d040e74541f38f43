//! A finished count, and how it came about.

use std::time::{Duration, Instant};

use queencount::Engine;

use super::output::{Field, Value};

/// A finished count.
#[derive(Debug)]
pub struct Report {
    /// The rows of the board.
    pub n: u32,
    /// The number of solutions.
    pub total: u128,
    /// The name of the engine.
    pub engine: &'static str,
    /// The kernel, if the engine has several.
    pub kernel: Option<&'static str>,
    /// The number of units.
    pub units: u64,
    /// The number of threads that shared them.
    pub threads: usize,
    /// The time from the start to the result.
    pub elapsed: Duration,
}

impl Report {
    /// What an engine has counted since `start`.
    pub fn new(engine: &dyn Engine, total: u128, threads: usize, start: Instant) -> Self {
        let (n, units, elapsed) = (engine.size().get(), engine.units(), start.elapsed());
        Self { n, total, engine: engine.name(), kernel: engine.kernel(), units, threads, elapsed }
    }

    /// The count as fields: the result first, then how it came about.
    pub fn fields(&self) -> Vec<Field> {
        vec![
            ("n", Value::Number(self.n.into())),
            ("total", Value::Count(self.total)),
            ("seconds", Value::Seconds(self.elapsed)),
            ("units", Value::Number(self.units)),
            ("threads", Value::Number(self.threads as u64)),
            ("engine", Value::Word(self.engine)),
            ("kernel", self.kernel.map_or(Value::Nothing, Value::Word)),
            ("version", Value::Word(env!("CARGO_PKG_VERSION"))),
        ]
    }
}
