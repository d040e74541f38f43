//! Every device gives the same counts as the CPU's kernels. These tests fail if there is no device:
//! PoCL makes any CPU a device.

mod common;

use std::sync::{Mutex, MutexGuard, PoisonError};

use queencount::engine::SplitMix64;
use queencount::engine::rows::Rows;
use queencount::{BoardSize, CancelToken, Counter, Device, Engine, EngineOptions, oeis_a000170};

fn on(device: &'static Device, n: u32, middle_rows: u32) -> Rows {
    let size = BoardSize::new(n).unwrap();
    let options = EngineOptions {
        devices: [device].into_iter().collect(),
        ..EngineOptions::default()
    };
    Rows::with_middle_rows(size, middle_rows, options)
}

/// Returns all devices, locked for one test at a time. A device has feeders only for some threads,
/// and tests must know whether a device counts.
fn all() -> (&'static [Device], MutexGuard<'static, ()>) {
    static TURN: Mutex<()> = Mutex::new(());
    let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    assert!(
        !Device::all().is_empty(),
        "expected a device, found none: install an OpenCL driver, for example PoCL"
    );
    (Device::all(), turn)
}

#[test]
fn device_totals_match_published() {
    let most = if common::long() { 18 } else { 16 };
    let (devices, _turn) = all();
    for device in devices {
        for n in 4..=most {
            let most_middle_rows = if n <= 10 { n - 2 } else { n % 2 };
            for middle_rows in (n % 2..=most_middle_rows).step_by(2) {
                let total = Counter::new().count(&on(device, n, middle_rows)).unwrap();
                assert_eq!(
                    Some(total),
                    oeis_a000170(n),
                    "N = {n}, {middle_rows} middle rows, on {device:?}"
                );
            }
        }
    }
}

#[test]
fn units_match_cpu_counts() {
    let (devices, _turn) = all();
    for device in devices {
        for (n, units) in [(17, 2), (18, 2), (19, 1), (20, 1), (22, 1), (24, 1)] {
            let (gpu, cpu) = (on(device, n, Rows::middle_rows(n)), on_cpu(n));
            for i in 0..units {
                let unit = (cpu.units() - 1) * (2 * i + 1) / (2 * units);
                let counts =
                    [&gpu, &cpu].map(|engine| engine.count(unit, &CancelToken::new()).unwrap());
                assert_eq!(counts[0], counts[1], "unit {unit} of N = {n} on {device:?}");
            }
        }
    }
}

/// The first unit of a core has no queen in a quarter, and the second has one. The third has more
/// column sets than a batch.
#[test]
fn units_of_several_batches_match_cpu_counts() {
    let (devices, _turn) = all();
    let cpu = on_cpu(32);
    let stop = CancelToken::new();
    let unit = (cpu.unit_at(0.4) + 2..)
        .find(|&unit| {
            cpu.parts(unit - 2) == 1 && cpu.parts(unit) == 1024 && cpu.count(unit, &stop) != Ok(0)
        })
        .unwrap();
    let expected = cpu.count(unit, &stop);
    for device in devices {
        let gpu = on(device, 32, Rows::middle_rows(32));
        let count = gpu.count(unit, &stop);
        assert_eq!(count, expected, "unit {unit} on {device:?}");
    }
}

#[test]
fn probes_count_whole_units_on_device() {
    let (devices, _turn) = all();
    for device in devices {
        let engine = on(device, 14, Rows::middle_rows(14));
        // A device counts all parts of a unit, even for an estimate.
        for unit in (0..engine.units()).step_by(5) {
            let probe = engine
                .probe(unit, &mut SplitMix64::new(unit), &CancelToken::new())
                .unwrap();
            let count = engine.count(unit, &CancelToken::new()).unwrap();
            assert!(
                count == 0 || (probe.count, probe.inverse_probability) == (count, 1.0),
                "unit {unit} on {device:?}"
            );
        }
    }
}

fn on_cpu(n: u32) -> Rows {
    Rows::new(BoardSize::new(n).unwrap(), EngineOptions::default())
}
