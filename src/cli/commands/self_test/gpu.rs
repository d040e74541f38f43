//! The check of a device: it counts what is published, and what the CPU counts.

use std::sync::atomic::{AtomicU64, Ordering};

use queencount::{Device, DeviceChoice, Engine, EngineChoice, Kernel, Resources};

use super::check::{Means, Shown, board, drawn, expect, plan, pool, span};
use super::counts;
use crate::cli::exit::Exit;

/// The boards that are counted in full.
const TOTALS: std::ops::RangeInclusive<u32> = 4..=12;

/// Boards, and how many of their units are counted.
const UNITS: [(u32, u64); 5] = [(15, 3), (17, 2), (18, 2), (20, 1), (22, 1)];

/// Totals and random units of a device. A driver that fails is told here, where the CPU does not stand in for it.
pub fn check(device: &'static Device, means: &Means) -> Shown {
    let shown = counts::totals(TOTALS, |n| on(device, n), means);
    works(device)?;
    let shown = shown?;
    // One after another: plans that are counted with at once share the device, and leave units to the CPU.
    let means = &Means { pool: &pool(1)?, ..*means };
    let units = agreed(&UNITS, |n| [plan(EngineChoice::Rows, n, Kernel::default()), on(device, n)], means);
    works(device)?;
    let (units, boards) = (units?, span(&UNITS));
    Ok(format!("{}: {shown}, {units} random units of {boards} as the CPU counts them", device.description.name))
}

/// The plan of a board on a device.
fn on(device: &'static Device, n: u32) -> Box<dyn Engine> {
    let devices = DeviceChoice::These(1 << device.index());
    EngineChoice::Rows.engine_with(board(n), Resources { devices, ..Resources::default() })
}

/// That the driver of a device has not failed.
fn works(device: &Device) -> Result<(), Exit> {
    match device.failure() {
        Some(failure) => Err(Exit::Wrong(format!("{} fails: {failure}", device.description.name))),
        None => Ok(()),
    }
}

/// Random units with solutions, counted by the first and by the second plan of each board: how many. A unit that the
/// second leaves to the CPU is not one of them.
fn agreed(
    boards: &[(u32, u64)],
    plans: impl Fn(u32) -> [Box<dyn Engine>; 2] + Sync,
    means: &Means,
) -> Result<u64, Exit> {
    let agreed = AtomicU64::new(0);
    drawn(boards, plans, means, |n, [cpu, device], random| {
        let unit = random.below(cpu.units());
        let expected = cpu.count(unit, means.stop)?;
        if expected == 0 {
            return Ok(false);
        }
        let (count, kernel) = device.count_by_kernel(unit, means.stop)?;
        let by = kernel.unwrap_or(device.name());
        expect(format_args!("N = {n}, unit {unit}, {by}"), expected, count)?;
        agreed.fetch_add(u64::from(kernel == Some(Device::KERNEL)), Ordering::Relaxed);
        Ok(true)
    })?;
    Ok(agreed.into_inner())
}

#[cfg(test)]
mod tests {
    use super::super::check::on_one_thread;
    use super::*;

    #[test]
    fn a_wrong_unit_is_found_out_and_one_that_is_left_to_the_cpu_shows_nothing() {
        let agree = |boards: &[(u32, u64)], second: EngineChoice| {
            let plans = |n| [EngineChoice::Rows, second].map(|choice| plan(choice, n, Kernel::default()));
            on_one_thread(|means| agreed(boards, plans, means))
        };
        assert!(matches!(agree(&[(8, 5)], EngineChoice::Rows), Ok(0)));
        // What is a unit of one engine is none of the other.
        match agree(&[(6, 200)], EngineChoice::Backtrack) {
            Err(Exit::Wrong(line)) => {
                assert!(line.starts_with("N = 6, unit ") && line.contains(", backtrack: expected "), "{line}");
            }
            other => panic!("{other:?}"),
        }
    }
}
