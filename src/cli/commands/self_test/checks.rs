//! The checks of totals, units, devices and the fingerprint.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicUsize, Ordering};

use hmac_sha256::Hash;
use rayon::ThreadPool;
use rayon::prelude::*;

use crate::splitmix::SplitMix64;
use crate::{
    Backend, BoardSize, CancelToken, Counter, Device, Engine, EngineChoice, EngineError,
    EngineOptions, Kernel, oeis_a000170,
};

use crate::cli::error::{Error, Result};
use EngineChoice::{Backtrack, Rows};

pub(super) struct CheckContext<'a> {
    pub counter: Counter<'a>,
    /// The threads that share the samples of a check.
    pub pool: &'a ThreadPool,
    pub cancel: &'a CancelToken,
    pub seed: u64,
    /// Receives the finished share of the check, if it takes long.
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
    let options = EngineOptions {
        kernel: Some(kernel),
        ..EngineOptions::default()
    };
    choice.build(board(n), options)
}

#[expect(clippy::cast_precision_loss, reason = "a share of the time")]
fn share(done: usize, all: usize) -> f64 {
    done as f64 / all as f64
}

/// Several engines that divide a board into the same units.
type Engines = Vec<Box<dyn Engine>>;

impl CheckContext<'_> {
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

    /// Recounts random parts of units. N = 30 and 32 are included because they have the longest
    /// words and lists.
    pub(super) fn parts(&self) -> CheckResult {
        // On boards with few middle rows, a part takes up to ten times as long.
        let boards: Vec<u32> = (18..=28)
            .chain([30, 32])
            .flat_map(|n| {
                let parts = match n {
                    22 | 26 => 4,
                    23 => 1,
                    24 | 28 => 8,
                    _ => 2,
                };
                std::iter::repeat_n(n, parts)
            })
            .collect();
        self.recounted_parts(&boards, rows_by_kernels)
    }

    /// Compares the counts of units of large boards with the sums of their parts. The recount
    /// defines the parts, so a wrong division of a board into units is noticed.
    pub(super) fn sums(&self) -> CheckResult {
        let engine = |n| engine(Rows, n, Kernel::default());
        self.summed(&LARGE_UNITS, engine, engine)?;
        Ok(format!(
            "random units of rows, {}, equal the sums of their parts",
            span(&LARGE_UNITS)
        ))
    }

    /// Compares one engine's counts of random units that have solutions with the sums of the parts
    /// that another one counts. Returns the number of units that were counted on a device.
    fn summed(
        &self,
        boards: &[u32],
        by_units: impl Fn(u32) -> Box<dyn Engine>,
        by_parts: impl Fn(u32) -> Box<dyn Engine>,
    ) -> Result<usize> {
        let mut on_devices = 0;
        for (index, &n) in boards.iter().enumerate() {
            let [by_units, by_parts] = [by_units(n), by_parts(n)];
            let mut random = SplitMix64::stream(self.seed, index as u64);
            let mut sum = 0;
            while sum == 0 {
                let unit = by_parts.unit_at(random.unit_interval());
                let parts = by_parts.parts(unit);
                sum = self.pool.install(|| {
                    (0..parts)
                        .into_par_iter()
                        .map(|part| by_parts.count_part(unit, part, self.cancel))
                        .try_reduce(|| 0, |a, b| Ok(a + b))
                })?;
                let (count, backend) = by_units.count_by_backend(unit, self.cancel)?;
                let by = backend.map_or(by_units.name(), Backend::name);
                expect(format_args!("N = {n}, unit {unit}, {by}"), sum, count)?;
                on_devices += usize::from(sum > 0 && backend == Some(Backend::Devices));
            }
            (self.on_progress)(share(index + 1, boards.len()));
        }
        Ok(on_devices)
    }

    /// Compares several engines' counts of parts with a recount. Out of several parts, chooses the
    /// one with the most solutions, because its lists are long.
    fn recounted_parts(
        &self,
        boards: &[u32],
        engines: impl Fn(u32) -> Engines + Sync,
    ) -> CheckResult {
        let done = AtomicUsize::new(0);
        self.pool.install(|| {
            boards.par_iter().enumerate().try_for_each(|(index, &n)| {
                let engines = engines(n);
                let mut random = SplitMix64::stream(self.seed, index as u64);
                let mut largest = (0, 0, 0);
                while largest.0 == 0 {
                    for _ in 0..6 {
                        let unit = engines[0].unit_at(random.unit_interval());
                        let part = random.below(engines[0].parts(unit));
                        let count = engines[0].count_part(unit, part, self.cancel)?;
                        largest = largest.max((count, unit, part));
                    }
                }
                let (_, unit, part) = largest;
                let recount = engines[0].recount_part(unit, part, self.cancel)?;
                for engine in &engines {
                    let by = engine.backend().map_or(engine.name(), Backend::name);
                    let what = format_args!("N = {n}, part {part} of unit {unit}, {by}");
                    expect(what, recount, engine.count_part(unit, part, self.cancel)?)?;
                }
                let done = 1 + done.fetch_add(1, Ordering::Relaxed);
                (self.on_progress)(share(done, boards.len()));
                Ok::<(), Error>(())
            })
        })?;
        Ok(format!(
            "{} random parts of units of rows, {}, recounted",
            boards.len(),
            span(boards)
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
        let cpu = |n| engine(Rows, n, Kernel::default());
        let units = self.summed(&UNITS, |n| on(device, n), cpu);
        works(device)?;
        let units = units?;
        let boards = span(&UNITS);
        Ok(format!(
            "{}: {shown}; {units} random units of {boards} agree with the CPU",
            device.description.name
        ))
    }
}

fn span(boards: &[u32]) -> String {
    format!("N = {} to {}", boards[0], boards[boards.len() - 1])
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

/// The boards of the units that are compared with the sums of their parts.
const LARGE_UNITS: [u32; 8] = [18, 18, 18, 18, 22, 24, 26, 28];

/// The boards of the units that a device counts.
const UNITS: [u32; 9] = [15, 15, 15, 17, 17, 18, 18, 20, 22];

fn on(device: &'static Device, n: u32) -> Box<dyn Engine> {
    let options = EngineOptions {
        devices: [device].into_iter().collect(),
        ..EngineOptions::default()
    };
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
    use crate::count::pool;

    fn on_one_thread<T>(check: impl Fn(&CheckContext) -> Result<T>) -> Result<T> {
        check(&CheckContext {
            counter: Counter::new().threads(1),
            pool: &pool(1)?,
            cancel: &CancelToken::new(),
            seed: 1,
            on_progress: &|_| (),
        })
    }

    fn wrong<T: std::fmt::Debug>(check: impl Fn(&CheckContext) -> Result<T>) -> String {
        match on_one_thread(check) {
            Err(Error::Wrong(line)) => line,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn wrong_totals_are_reported() {
        for choice in [Backtrack, Rows] {
            let engine = |n| engine(choice, if n == 9 { 10 } else { n }, Kernel::default());
            assert_eq!(
                wrong(|context| context.totals(4..=10, engine)),
                "N = 9: expected 352, found 724"
            );
        }
    }

    #[test]
    fn wrong_units_and_parts_are_reported_when_drawn() {
        // The two engines have different units, so their counts differ.
        let engines = |n| {
            [Rows, Backtrack]
                .map(|choice| engine(choice, n, Kernel::default()))
                .into()
        };
        let by = |choice| move |n| engine(choice, n, Kernel::default());
        let lines = [
            wrong(|context| context.recounted_parts(&[6; 200], engines)),
            wrong(|context| context.summed(&[6; 200], by(Backtrack), by(Rows))),
        ];
        for (line, start) in lines.iter().zip(["part 0 of unit ", "unit "]) {
            assert!(line.starts_with(&format!("N = 6, {start}")), "{line}");
            assert!(line.contains(": expected "), "{line}");
        }
        // A unit that a device leaves to the CPU does not test the device.
        let same = on_one_thread(|context| context.summed(&[8; 5], by(Rows), by(Rows)));
        assert!(matches!(same, Ok(0)));
    }
}
