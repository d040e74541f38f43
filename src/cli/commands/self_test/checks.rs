//! The checks of totals, units, symmetry, devices and the fingerprint.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicU64, Ordering};

use hmac_sha256::Hash;
use rayon::ThreadPool;
use rayon::prelude::*;

use crate::count::pool;
use crate::splitmix::SplitMix64;
use crate::{
    Backend, BoardSize, CancelToken, Counter, Device, Engine, EngineChoice, EngineError,
    EngineOptions, Kernel, Solutions, oeis_a000170,
};

use crate::cli::error::{Error, Result};
use EngineChoice::{Backtrack, Rows};

pub(super) struct CheckContext<'a> {
    pub counter: Counter<'a>,
    /// The threads that share the samples of a check.
    pub pool: &'a ThreadPool,
    pub cancel: &'a CancelToken,
    pub seed: u64,
    /// Called with the finished fraction of the samples.
    pub on_progress: &'a (dyn Fn(f64) + Sync),
}

/// A description of what was checked, or [`Error::Wrong`] if the check fails.
pub(super) type CheckResult = Result<String>;

fn expect<T: PartialEq + Display>(what: impl Display, expected: T, found: T) -> Result<()> {
    if expected == found {
        return Ok(());
    }
    Err(Error::Wrong(format!(
        "{what}: expected {expected}, found {found}"
    )))
}

fn board(n: u32) -> BoardSize {
    BoardSize::new(n).expect("the boards of the checks are boards")
}

pub(super) fn engine(choice: EngineChoice, n: u32, kernel: Kernel) -> Box<dyn Engine> {
    choice.build(board(n), EngineOptions::new().kernel(kernel))
}

/// Several engines that divide a board into the same units.
type Engines = Vec<Box<dyn Engine>>;

impl CheckContext<'_> {
    /// Takes the given number of samples for each board. For each sample, calls `says_something`
    /// with random numbers until it returns `true`. The random numbers depend only on the seed.
    /// Returns the number of samples.
    fn drawn(
        &self,
        boards: &[(u32, u64)],
        engines: &(dyn Fn(u32) -> Engines + Sync),
        says_something: &(dyn Fn(u32, &Engines, &mut SplitMix64) -> Result<bool> + Sync),
    ) -> Result<u64> {
        let all: u64 = boards.iter().map(|(_, draws)| draws).sum();
        let done = AtomicU64::new(0);
        self.pool.install(|| {
            boards.par_iter().try_for_each(|&(n, draws)| {
                let engines = engines(n);
                (0..draws).into_par_iter().try_for_each(|draw| {
                    let mut random = SplitMix64::stream(self.seed, u64::from(n) << 32 | draw);
                    while !says_something(n, &engines, &mut random)? {}
                    let done = 1 + done.fetch_add(1, Ordering::Relaxed);
                    (self.on_progress)(done as f64 / all as f64);
                    Ok::<(), Error>(())
                })
            })
        })?;
        Ok(all)
    }

    pub(super) fn totals(
        &self,
        boards: RangeInclusive<u32>,
        engine: impl Fn(u32) -> Box<dyn Engine>,
    ) -> CheckResult {
        for n in boards.clone() {
            let expected = oeis_a000170(n).expect("the boards of the checks have published values");
            let found = self.counter.count(&engine(n))?;
            expect(format_args!("N = {n}"), expected, found)?;
        }
        Ok(format!(
            "N = {} to {} agree with the published values",
            boards.start(),
            boards.end()
        ))
    }

    pub(super) fn units(&self) -> CheckResult {
        let backtrack = self.recounted(&[(13, 30), (14, 20), (15, 10)], |n| {
            vec![engine(Backtrack, n, Kernel::default())]
        })?;
        let boards = [(12, 20), (13, 20), (14, 5), (15, 5)];
        let rows = self.recounted(&boards, rows_by_kernels)?;
        Ok(format!(
            "{backtrack} random units of backtrack and {rows} of rows, recounted"
        ))
    }

    /// Compares several engines' counts of random units with a recount. Returns the number of
    /// units.
    fn recounted(
        &self,
        boards: &[(u32, u64)],
        engines: impl Fn(u32) -> Engines + Sync,
    ) -> Result<u64> {
        self.drawn(boards, &engines, &|n, engines, random| {
            let unit = random.below(engines[0].units());
            let recount = engines[0].recount(unit, self.cancel)?;
            for engine in engines {
                let by = engine.backend().map_or(engine.name(), Backend::name);
                let what = format_args!("N = {n}, unit {unit}, {by}");
                expect(what, recount, engine.count(unit, self.cancel)?)?;
            }
            Ok(true)
        })
    }

    /// Recounts random parts of units. N = 30 and 32 are included because they have the longest
    /// words and lists.
    pub(super) fn parts(&self) -> CheckResult {
        // On boards with few middle rows, a part takes up to ten times as long.
        let boards: Vec<(u32, u64)> = (18..=28)
            .chain([30, 32])
            .map(|n| match n {
                22 | 26 => (n, 4),
                23 => (n, 1),
                24 | 28 => (n, 8),
                _ => (n, 2),
            })
            .collect();
        self.recounted_parts(&boards, rows_by_kernels)
    }

    /// Compares the counts of units of large boards with the sums of their parts. The recount
    /// defines the parts, so a wrong division of a board into units is noticed.
    pub(super) fn sums(&self) -> CheckResult {
        self.summed(&LARGE_UNITS, |n| vec![engine(Rows, n, Kernel::default())])
    }

    fn summed(
        &self,
        boards: &[(u32, u64)],
        engines: impl Fn(u32) -> Engines + Sync,
    ) -> CheckResult {
        let all: u64 = boards.iter().map(|(_, draws)| draws).sum();
        let mut done = 0;
        for &(n, draws) in boards {
            let engines = engines(n);
            for draw in 0..draws {
                let mut random = SplitMix64::stream(self.seed, u64::from(n) << 32 | draw);
                while !self.is_sum_of_parts(n, &engines, &mut random, &|share| {
                    (self.on_progress)((done as f64 + share) / all as f64);
                })? {}
                done += 1;
            }
        }
        Ok(format!(
            "{all} random units of rows, {}, equal the sums of their parts",
            span(boards)
        ))
    }

    /// Compares the last engine's count of a random unit with the sum of the parts that the first
    /// engine counts. Returns whether the unit has solutions.
    fn is_sum_of_parts(
        &self,
        n: u32,
        engines: &Engines,
        random: &mut SplitMix64,
        on_progress: &(dyn Fn(f64) + Sync),
    ) -> Result<bool> {
        let by_parts = &engines[0];
        let by_units = &engines[engines.len() - 1];
        let unit = by_parts.unit_at(random.unit_interval());
        let parts = by_parts.parts(unit);
        let done = AtomicU64::new(0);
        let (count, sum) = self.pool.install(|| {
            rayon::join(
                || by_units.count(unit, self.cancel),
                || {
                    (0..parts)
                        .into_par_iter()
                        .map(|part| {
                            let count = by_parts.count_part(unit, part, self.cancel);
                            let done = 1 + done.fetch_add(1, Ordering::Relaxed);
                            on_progress(done as f64 / parts as f64);
                            count
                        })
                        .try_reduce(|| 0, |a, b| Ok(a + b))
                },
            )
        });
        let what = format_args!("N = {n}, unit {unit}, the sum of its parts");
        let sum = sum?;
        expect(what, sum, count?)?;
        Ok(sum > 0)
    }

    /// Compares several engines' counts of parts with a recount. Out of several parts, chooses the
    /// one with the most solutions, because its lists are long.
    fn recounted_parts(
        &self,
        boards: &[(u32, u64)],
        engines: impl Fn(u32) -> Engines + Sync,
    ) -> CheckResult {
        let all = self.drawn(boards, &engines, &|n, engines, random| {
            let mut largest = (0, 0, 0);
            for _ in 0..6 {
                let unit = engines[0].unit_at(random.unit_interval());
                let part = random.below(engines[0].parts(unit));
                largest =
                    largest.max((engines[0].count_part(unit, part, self.cancel)?, unit, part));
            }
            let (count, unit, part) = largest;
            if count == 0 {
                return Ok(false);
            }
            let recount = engines[0].recount_part(unit, part, self.cancel)?;
            for engine in engines {
                let by = engine.backend().map_or(engine.name(), Backend::name);
                let what = format_args!("N = {n}, part {part} of unit {unit}, {by}");
                expect(what, recount, engine.count_part(unit, part, self.cancel)?)?;
            }
            Ok(true)
        })?;
        Ok(format!(
            "{all} random parts of units of rows, {}, recounted",
            span(boards)
        ))
    }

    /// Compares the number of listed fundamental solutions with the number given by Burnside's
    /// lemma.
    pub(super) fn symmetry(
        &self,
        boards: RangeInclusive<u32>,
        engine: impl Fn(u32) -> Box<dyn Engine>,
    ) -> CheckResult {
        for n in boards.clone() {
            let size = board(n);
            let total = self.counter.count(&engine(n))?;
            let classes = self.counter.classes(size, total)?;
            let listed = Solutions::fundamental(size).count() as u128;
            let what = format_args!("N = {n}, fundamental solutions");
            expect(what, listed, classes.fundamental())?;
        }
        Ok(format!(
            "N = {} to {}: the number of listed orbits agrees with Burnside's lemma",
            boards.start(),
            boards.end()
        ))
    }

    pub(super) fn fingerprint(&self) -> CheckResult {
        let stop = self.cancel;
        for kernel in Kernel::available() {
            let counted = fingerprint_of(kernel, |engine, unit| engine.count(unit, stop))?;
            expect(kernel.name(), FINGERPRINT, &counted)?;
        }
        let recounted =
            fingerprint_of(Kernel::default(), |engine, unit| engine.recount(unit, stop))?;
        expect("recounted", FINGERPRINT, &recounted)?;
        Ok(format!(
            "{FINGERPRINT}, for every kernel and for the recount"
        ))
    }

    /// Checks a device. If it fails, the check fails.
    pub(super) fn device(&self, device: &'static Device) -> CheckResult {
        let shown = self.totals(4..=12, |n| on(device, n));
        works(device)?;
        let shown = shown?;
        // Count one unit at a time, because engines that share a device may fall back to the CPU.
        let alone = CheckContext {
            pool: &pool(1)?,
            ..*self
        };
        let units = alone.agreed(&UNITS, |n| {
            vec![engine(Rows, n, Kernel::default()), on(device, n)]
        });
        works(device)?;
        let units = units?;
        let boards = span(&UNITS);
        Ok(format!(
            "{}: {shown}; {units} random units of {boards} agree with the CPU",
            device.description.name
        ))
    }

    /// Compares two engines' counts of random units that have solutions. Returns the number of
    /// units that the second engine counted on a device.
    fn agreed(
        &self,
        boards: &[(u32, u64)],
        engines: impl Fn(u32) -> Engines + Sync,
    ) -> Result<u64> {
        let agreed = AtomicU64::new(0);
        self.drawn(boards, &engines, &|n, engines, random| {
            let cpu = &engines[0];
            let device = &engines[1];
            let unit = random.below(cpu.units());
            let expected = cpu.count(unit, self.cancel)?;
            if expected == 0 {
                return Ok(false);
            }
            let (count, backend) = device.count_by_backend(unit, self.cancel)?;
            let by = backend.map_or(device.name(), Backend::name);
            expect(format_args!("N = {n}, unit {unit}, {by}"), expected, count)?;
            let by_device = backend == Some(Backend::Devices);
            agreed.fetch_add(by_device.into(), Ordering::Relaxed);
            Ok(true)
        })?;
        Ok(agreed.into_inner())
    }
}

fn span(boards: &[(u32, u64)]) -> String {
    format!("N = {} to {}", boards[0].0, boards[boards.len() - 1].0)
}

fn rows_by_kernels(n: u32) -> Engines {
    Kernel::available()
        .into_iter()
        .map(|kernel| engine(Rows, n, kernel))
        .collect()
}

/// The first digits of the SHA-256 hash of the lines `engine n unit count`, for all units of the
/// boards below, in order.
const FINGERPRINT: &str = "430cd6966737c063";
const FINGERPRINTED: [(EngineChoice, RangeInclusive<u32>); 2] =
    [(Backtrack, 1..=12), (Rows, 4..=12)];

fn fingerprint_of(
    kernel: Kernel,
    count: impl Fn(&dyn Engine, u64) -> Result<u128, EngineError>,
) -> Result<String, EngineError> {
    let mut hash = Hash::new();
    for (choice, boards) in FINGERPRINTED {
        for n in boards {
            let engine = engine(choice, n, kernel);
            for unit in 0..engine.units() {
                let count = count(engine.as_ref(), unit)?;
                hash.update(format!("{} {n} {unit} {count}\n", engine.name()));
            }
        }
    }
    let digits = hash.finalize().map(|byte| format!("{byte:02x}"));
    Ok(digits[..8].concat())
}

/// The boards whose units are compared with the sums of their parts, and the number of units.
const LARGE_UNITS: [(u32, u64); 5] = [(18, 4), (22, 1), (24, 1), (26, 1), (28, 1)];

/// The boards, and the number of units on each.
const UNITS: [(u32, u64); 5] = [(15, 3), (17, 2), (18, 2), (20, 1), (22, 1)];

fn on(device: &'static Device, n: u32) -> Box<dyn Engine> {
    let options = EngineOptions::new().devices([device].into_iter().collect());
    Rows.build(board(n), options)
}

fn works(device: &Device) -> Result<()> {
    let Some(failure) = device.failure() else {
        return Ok(());
    };
    Err(Error::Wrong(failure.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn on_one_thread<T>(check: impl Fn(&CheckContext) -> Result<T>) -> Result<T> {
        check(&CheckContext {
            counter: Counter::new().threads(1),
            pool: &pool(1)?,
            cancel: &CancelToken::new(),
            seed: 1,
            on_progress: &|_| {},
        })
    }

    fn wrong<T: std::fmt::Debug>(check: impl Fn(&CheckContext) -> Result<T>) -> String {
        match on_one_thread(check) {
            Err(Error::Wrong(line)) => line,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn wrong_totals_fail_value_and_symmetry_checks() {
        for choice in [Backtrack, Rows] {
            let engine = |n| engine(choice, if n == 9 { 10 } else { n }, Kernel::default());
            assert_eq!(
                wrong(|context| context.totals(4..=10, engine)),
                "N = 9: expected 352, found 724"
            );
            assert!(wrong(|context| context.symmetry(1..=10, engine)).contains("724"));
        }
    }

    #[test]
    fn wrong_units_and_parts_are_reported_when_drawn() {
        fn engines(choices: [EngineChoice; 2]) -> impl Fn(u32) -> Engines + Sync + Copy {
            move |n| choices.map(|it| engine(it, n, Kernel::default())).into()
        }
        // The two engines have different units, so their counts differ.
        let both = engines([Rows, Backtrack]);
        let lines = [
            wrong(|context| context.recounted(&[(6, 200)], both)),
            wrong(|context| context.agreed(&[(6, 200)], both)),
            wrong(|context| context.recounted_parts(&[(6, 200)], both)),
            wrong(|context| context.summed(&[(6, 200)], both)),
        ];
        let starts = ["unit ", "unit ", "part 0 of unit ", "unit "];
        for (line, start) in lines.iter().zip(starts) {
            assert!(line.starts_with(&format!("N = 6, {start}")), "{line}");
            assert!(line.contains(": expected "), "{line}");
        }
        // A unit that a device leaves to the CPU does not test the device.
        let same = engines([Rows; 2]);
        let agreed = on_one_thread(|context| context.agreed(&[(8, 5)], same));
        assert!(matches!(agreed, Ok(0)));
    }
}
