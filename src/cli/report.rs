//! A finished count, as every command that counts reports it.

use std::time::Duration;

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
    /// How many of them a record held before, if there is one: they did not take any of the time.
    pub recorded: Option<u64>,
    /// The number of threads that shared them.
    pub threads: usize,
    /// The time from the start to the result.
    pub elapsed: Duration,
}

impl Report {
    /// The count as fields: the result first, then how it came about.
    pub fn fields(&self) -> Vec<Field> {
        let mut fields = vec![
            ("n", Value::Number(self.n.into())),
            ("total", Value::Count(self.total)),
            ("seconds", Value::Seconds(self.elapsed)),
            ("units", Value::Number(self.units)),
        ];
        fields.extend(self.recorded.map(|units| ("recorded", Value::Number(units))));
        fields.extend([
            ("threads", Value::Number(self.threads as u64)),
            ("engine", Value::Word(self.engine)),
            ("kernel", self.kernel.map_or(Value::Nothing, Value::Word)),
            ("version", Value::Word(env!("CARGO_PKG_VERSION"))),
        ]);
        fields
    }
}
