//! The check of a device: it counts what is published, and what the CPU counts.

use queencount::{BoardSize, Device, DeviceChoice, Engine, EngineChoice, Kernel, Random, Resources};

use super::check::{Flaw, Means, Shown, expect, plan};
use super::counts;

/// The boards that are counted in full.
const TOTALS: std::ops::RangeInclusive<u32> = 4..=12;

/// Boards, and how many of their units are counted.
const UNITS: [(u32, u32); 5] = [(15, 3), (17, 2), (18, 2), (20, 1), (22, 1)];

/// Totals and random units of a device. A driver that fails is told here, where the CPU does not stand in for it.
pub fn check(device: &'static Device, means: &Means) -> Shown {
    let shown = counts::totals(TOTALS, |n| on(device, n), means);
    works(device)?;
    let shown = shown?;
    let units = agreed(&UNITS, |n| [plan(EngineChoice::Rows, n, Kernel::default()), on(device, n)], means);
    works(device)?;
    let (first, last) = (UNITS[0].0, UNITS[UNITS.len() - 1].0);
    let units = units?;
    Ok(format!("{}: {shown}, {units} random units of N = {first} to {last} as the CPU counts them", device.name()))
}

/// The plan of a board on a device.
fn on(device: &'static Device, n: u32) -> Box<dyn Engine> {
    let size = BoardSize::new(n).expect("the boards of the checks are boards");
    let devices = DeviceChoice::These(1 << device.index());
    EngineChoice::Rows.plan_with(size, Resources::default().devices(devices))
}

/// That the driver of a device has not failed.
fn works(device: &Device) -> Result<(), Flaw> {
    match device.failure() {
        Some(failure) => Err(Flaw::Wrong(format!("{} fails: {failure}", device.name()))),
        None => Ok(()),
    }
}

/// Random units with solutions, counted by the first and by the second plan of each board: how many. A unit that the
/// second leaves to the CPU is not one of them.
fn agreed(boards: &[(u32, u32)], plans: impl Fn(u32) -> [Box<dyn Engine>; 2], means: &Means) -> Result<u32, Flaw> {
    let mut random = Random::new(means.seed);
    let all: u32 = boards.iter().map(|(_, units)| units).sum();
    let (mut done, mut agreed) = (0, 0);
    for &(n, units) in boards {
        let [cpu, device] = plans(n);
        let enough = done + units;
        while done < enough {
            let unit = random.below(cpu.units());
            let expected = cpu.count(unit, means.stop)?;
            if expected == 0 {
                continue;
            }
            let mut found = None;
            device.count_each(unit..unit + 1, means.stop, &mut |count, kernel| found = Some((count, kernel)))?;
            if let Some((count, kernel)) = found {
                let by = kernel.unwrap_or(device.name());
                expect(format_args!("N = {n}, unit {unit}, {by}"), expected, count)?;
                agreed += u32::from(kernel == device.kernel());
            }
            done += 1;
            (means.reached)(f64::from(done) / f64::from(all));
        }
    }
    Ok(agreed)
}

#[cfg(test)]
mod tests {
    use super::super::check::tests::{lie, wrong};
    use super::*;

    #[test]
    fn a_device_that_counts_a_unit_wrong_is_found_out() {
        let plans = |n| [plan(EngineChoice::Rows, n, Kernel::default()), lie(EngineChoice::Rows, n)];
        let line = wrong(|means| agreed(&[(6, 200)], plans, means).map(|_| String::new()));
        assert!(line.starts_with("N = 6, unit ") && line.contains(", rows: expected "), "{line}");
    }

    #[test]
    fn a_unit_that_is_left_to_the_cpu_shows_nothing_about_the_device() {
        let means = Means {
            fan_out: queencount::FanOut::default().threads(1),
            stop: &queencount::Stop::new(),
            seed: 1,
            reached: &|_| {},
        };
        let cpu = |n| plan(EngineChoice::Rows, n, Kernel::default());
        assert_eq!(agreed(&[(8, 5)], |n| [cpu(n), cpu(n)], &means).unwrap(), 5);
        assert_eq!(agreed(&[(8, 5)], |n| [cpu(n), Box::new(LeavesAll(cpu(n)))], &means).unwrap(), 0);
    }

    /// A device that leaves all units to the CPU.
    struct LeavesAll(Box<dyn Engine>);

    impl Engine for LeavesAll {
        fn name(&self) -> &'static str {
            self.0.name()
        }

        fn size(&self) -> BoardSize {
            self.0.size()
        }

        fn kernel(&self) -> Option<&'static str> {
            Some(Device::KERNEL)
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

        fn count(&self, unit: u64, stop: &queencount::Stop) -> Result<u128, queencount::Stopped> {
            self.0.count(unit, stop)
        }

        fn count_each(
            &self,
            units: std::ops::Range<u64>,
            stop: &queencount::Stop,
            counted: &mut dyn FnMut(u128, Option<&'static str>),
        ) -> Result<(), queencount::Stopped> {
            self.0.count_each(units, stop, counted)
        }

        fn recount(&self, unit: u64, stop: &queencount::Stop) -> Result<u128, queencount::Stopped> {
            self.0.recount(unit, stop)
        }
    }
}
