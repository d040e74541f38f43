//! The table of checks, and what checks have to find out: engines that are wrong.

use std::ops::Range;

use queencount::{BoardSize, Engine, EngineChoice, FanOut, Kernel, Stop, Stopped};

use super::*;

/// An engine that changes some of what another one counts; recounts tell the truth.
pub struct Altered {
    pub engine: Box<dyn Engine>,
    /// A unit that may be changed.
    pub unit: u64,
    /// What is added to the count of a unit and to that of a part of one.
    pub added: fn(&Self, u64, &Stop) -> [i128; 2],
    /// The kernel that it is said to have; of no unit it is said to have counted it.
    pub kernel: Option<&'static str>,
    pub units_per_task: u64,
}

impl From<Box<dyn Engine>> for Altered {
    /// Nothing is changed.
    fn from(engine: Box<dyn Engine>) -> Self {
        let units_per_task = engine.units_per_task();
        Self { engine, unit: 0, added: |_, _, _| [0, 0], kernel: None, units_per_task }
    }
}

/// Counts two solutions too many for each part of a unit.
pub fn liar(engine: Box<dyn Engine>, unit: u64) -> Altered {
    let added = |liar: &Altered, unit: u64, _: &Stop| match unit == liar.unit {
        true => [2 * i128::from(liar.parts(unit)), 2],
        false => [0, 0],
    };
    Altered { unit, added, ..engine.into() }
}

/// The liar among the plans of a board.
pub fn lie(engine: EngineChoice, n: u32) -> Box<dyn Engine> {
    let engine = plan(engine, n, Kernel::default());
    let unit = engine.units() / 2;
    Box::new(liar(engine, unit))
}

/// Loses a part of each unit that has several; it counts each part right.
pub fn loser(engine: Box<dyn Engine>) -> Altered {
    let added = |loser: &Altered, unit: u64, stop: &Stop| {
        let parts = 0..loser.parts(unit);
        let mut counts = parts.clone().filter_map(|part| loser.engine.count_part(unit, part, stop).ok());
        let lost = counts.find(|count| *count > 0).filter(|_| parts.end > 1).unwrap_or(0);
        [-(lost as i128), 0]
    };
    Altered { added, ..engine.into() }
}

impl Engine for Altered {
    fn name(&self) -> &'static str {
        self.engine.name()
    }

    fn size(&self) -> BoardSize {
        self.engine.size()
    }

    fn parameters(&self) -> String {
        // With other tasks it is another plan.
        match self.units_per_task == self.engine.units_per_task() {
            true => self.engine.parameters(),
            false => format!("{}, {} to a task", self.engine.parameters(), self.units_per_task),
        }
    }

    fn kernel(&self) -> Option<&'static str> {
        self.kernel
    }

    fn memory(&self, threads: usize) -> u64 {
        self.engine.memory(threads)
    }

    fn units(&self) -> u64 {
        self.engine.units()
    }

    fn units_per_task(&self) -> u64 {
        self.units_per_task
    }

    fn work_before(&self, unit: u64) -> f64 {
        self.engine.work_before(unit)
    }

    fn count(&self, unit: u64, stop: &Stop) -> Result<u128, Stopped> {
        Ok(self.engine.count(unit, stop)?.strict_add_signed((self.added)(self, unit, stop)[0]))
    }

    fn count_each(
        &self,
        mut units: Range<u64>,
        stop: &Stop,
        counted: &mut dyn FnMut(u128, Option<&'static str>),
    ) -> Result<(), Stopped> {
        units.try_for_each(|unit| self.count(unit, stop).map(|count| counted(count, None)))
    }

    fn recount(&self, unit: u64, stop: &Stop) -> Result<u128, Stopped> {
        self.engine.recount(unit, stop)
    }

    fn parts(&self, unit: u64) -> u64 {
        self.engine.parts(unit)
    }

    fn count_part(&self, unit: u64, part: u64, stop: &Stop) -> Result<u128, Stopped> {
        Ok(self.engine.count_part(unit, part, stop)?.strict_add_signed((self.added)(self, unit, stop)[1]))
    }

    fn recount_part(&self, unit: u64, part: u64, stop: &Stop) -> Result<u128, Stopped> {
        self.engine.recount_part(unit, part, stop)
    }
}

/// What a check shows by the means of one thread.
pub fn by<T>(check: impl Fn(&Means) -> T) -> T {
    let pool = pool(1).unwrap();
    check(&Means { fan_out: FanOut::default().threads(1), pool: &pool, stop: &Stop::new(), seed: 1, reached: &|_| {} })
}

/// What a check finds wrong.
pub fn wrong(check: impl Fn(&Means) -> Shown) -> String {
    match by(check) {
        Err(Flaw::Wrong(line)) => line,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_check_that_fails_is_named_and_does_not_keep_the_others_from_being_made() {
    let mut made = 0;
    let check = |(name, verdict): (&str, Option<bool>)| Check {
        name: name.to_owned(),
        time: 1,
        make: verdict.map(|fine| -> Make {
            Box::new(move |_| if fine { Ok("fine".to_owned()) } else { Err(Flaw::Wrong("not so".to_owned())) })
        }),
    };
    let checks = [("a", Some(true)), ("b", Some(false)), ("c", None), ("d", Some(false)), ("e", Some(true))];
    let checks = checks.map(check);
    let make = |check: &Check| {
        let Some(make) = &check.make else { return Ok(None) };
        made += 1;
        Ok(Some(by(make).map_err(|flaw| format!("{flaw:?}"))))
    };
    let (table, written) = std::io::pipe().unwrap();
    match report(&checks, make, 1, &mut Output::new(written, Form::Text)) {
        Err(Exit::Wrong(line)) => assert!(line.ends_with(": b; d"), "{line}"),
        other => panic!("{other:?}"),
    }
    assert_eq!(made, 4);
    let table = std::io::read_to_string(table).unwrap();
    let lines: Vec<Vec<&str>> = table.lines().map(|line| line.split_whitespace().collect()).collect();
    let verdicts = ["ok a", "wrong b", "skipped c", "wrong d", "ok e"].map(|line| line.split(' ').collect::<Vec<_>>());
    assert!(lines[..5].iter().zip(&verdicts).all(|(line, verdict)| line[..2] == **verdict), "{table}");
    assert!(table.ends_with("\n2 checks hold, 1 skipped, 2 wrong (seed 1)\n"), "{table}");
}
