//! A check: what it counts with, and what it has shown in the end.

use std::fmt::Display;

use queencount::record::RecordError;
use queencount::{BoardSize, CountError, Engine, EngineChoice, FanOut, Kernel, Resources, Stop, Stopped};

/// What a check counts with.
pub struct Means<'a> {
    pub fan_out: FanOut<'a>,
    pub stop: &'a Stop,
    /// What random units are drawn from.
    pub seed: u64,
    /// Hears which share of the check is done, from 0 to 1.
    pub reached: &'a dyn Fn(f64),
}

/// What a check has shown, in words.
pub type Shown = Result<String, Flaw>;

/// Why a check has shown nothing.
#[derive(Debug)]
pub enum Flaw {
    /// What it checks is wrong.
    Wrong(String),
    /// It could not be made.
    Failed(RecordError),
}

impl From<RecordError> for Flaw {
    fn from(error: RecordError) -> Self {
        match error {
            RecordError::Count(error) => error.into(),
            error if error.worth_retrying() => Self::Failed(error),
            error => Self::Wrong(error.to_string()),
        }
    }
}

impl From<CountError> for Flaw {
    fn from(error: CountError) -> Self {
        match error {
            CountError::Overflow => Self::Wrong(error.to_string()),
            error => Self::Failed(error.into()),
        }
    }
}

impl From<Stopped> for Flaw {
    fn from(stopped: Stopped) -> Self {
        CountError::from(stopped).into()
    }
}

/// A flaw, unless what is expected has been found.
pub fn expect<T: PartialEq + Display>(what: impl Display, expected: T, found: T) -> Result<(), Flaw> {
    if expected == found { Ok(()) } else { Err(Flaw::Wrong(format!("{what}: expected {expected}, found {found}"))) }
}

/// The plan of an engine, with a kernel if it has any.
pub fn plan(engine: EngineChoice, n: u32, kernel: Kernel) -> Box<dyn Engine> {
    let size = BoardSize::new(n).expect("the boards of the checks are boards");
    engine.plan_with(size, Resources::default().kernel(kernel))
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// An engine that counts two solutions too many for each part of one of its units; recounts tell the truth. Four units
    /// make a task.
    pub struct Liar {
        pub engine: Box<dyn Engine>,
        pub unit: u64,
    }

    /// An engine that has lost a part of each unit that has several; it counts each part right.
    pub struct Loser(pub Box<dyn Engine>);

    impl Engine for Loser {
        fn name(&self) -> &'static str {
            self.0.name()
        }

        fn size(&self) -> BoardSize {
            self.0.size()
        }

        fn memory(&self, threads: usize) -> u64 {
            self.0.memory(threads)
        }

        fn units(&self) -> u64 {
            self.0.units()
        }

        fn units_per_task(&self) -> u64 {
            self.0.units_per_task()
        }

        fn work_before(&self, unit: u64) -> f64 {
            self.0.work_before(unit)
        }

        fn count(&self, unit: u64, stop: &Stop) -> Result<u128, Stopped> {
            let parts = self.parts(unit);
            let lost = (0..parts).find_map(|part| self.count_part(unit, part, stop).ok().filter(|count| *count > 0));
            Ok(self.0.count(unit, stop)? - lost.filter(|_| parts > 1).unwrap_or(0))
        }

        fn recount(&self, unit: u64, stop: &Stop) -> Result<u128, Stopped> {
            self.0.recount(unit, stop)
        }

        fn parts(&self, unit: u64) -> u64 {
            self.0.parts(unit)
        }

        fn count_part(&self, unit: u64, part: u64, stop: &Stop) -> Result<u128, Stopped> {
            self.0.count_part(unit, part, stop)
        }

        fn recount_part(&self, unit: u64, part: u64, stop: &Stop) -> Result<u128, Stopped> {
            self.0.recount_part(unit, part, stop)
        }
    }

    impl Engine for Liar {
        fn name(&self) -> &'static str {
            self.engine.name()
        }

        fn size(&self) -> BoardSize {
            self.engine.size()
        }

        fn parameters(&self) -> String {
            self.engine.parameters()
        }

        fn memory(&self, threads: usize) -> u64 {
            self.engine.memory(threads)
        }

        fn units(&self) -> u64 {
            self.engine.units()
        }

        fn units_per_task(&self) -> u64 {
            4
        }

        fn work_before(&self, unit: u64) -> f64 {
            self.engine.work_before(unit)
        }

        fn count(&self, unit: u64, stop: &Stop) -> Result<u128, Stopped> {
            let parts = u128::from(self.engine.parts(unit));
            Ok(self.engine.count(unit, stop)? + if unit == self.unit { 2 * parts } else { 0 })
        }

        fn recount(&self, unit: u64, stop: &Stop) -> Result<u128, Stopped> {
            self.engine.recount(unit, stop)
        }

        fn parts(&self, unit: u64) -> u64 {
            self.engine.parts(unit)
        }

        fn count_part(&self, unit: u64, part: u64, stop: &Stop) -> Result<u128, Stopped> {
            Ok(self.engine.count_part(unit, part, stop)? + if unit == self.unit { 2 } else { 0 })
        }

        fn recount_part(&self, unit: u64, part: u64, stop: &Stop) -> Result<u128, Stopped> {
            self.engine.recount_part(unit, part, stop)
        }
    }

    /// The liar among the plans of a board.
    pub fn lie(engine: EngineChoice, n: u32) -> Box<dyn Engine> {
        let engine = plan(engine, n, Kernel::default());
        Box::new(Liar { unit: engine.units() / 2, engine })
    }

    /// What a check finds wrong.
    pub fn wrong(check: impl Fn(&Means) -> Shown) -> String {
        match check(&Means { fan_out: FanOut::default().threads(1), stop: &Stop::new(), seed: 1, reached: &|_| {} }) {
            Err(Flaw::Wrong(line)) => line,
            other => panic!("{other:?}"),
        }
    }
}
