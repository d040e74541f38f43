//! The devices beside a count: when one fails it is told at once, and at the end what each has done.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use queencount::{Device, DeviceTime, DeviceWork};

use super::exit::Exit;
use super::notes::{Verbosity, note};
use super::numbers::{quantity, rate};

/// The devices that count, watched while they do.
pub struct DeviceWatch {
    verbosity: Verbosity,
    /// Whether one that fails ends the count. Otherwise the CPU counts its units.
    required: bool,
    /// Each of them, with what it had done before.
    devices: Vec<(&'static Device, DeviceWork)>,
    /// Those of which it is known that they have failed.
    known: Mutex<BTreeSet<usize>>,
}

impl DeviceWatch {
    /// Begins to watch these devices.
    pub fn new(devices: Vec<&'static Device>, verbosity: Verbosity, required: bool) -> Self {
        let known = devices.iter().filter(|device| device.failure().is_some()).map(|device| device.index()).collect();
        let devices = devices.into_iter().map(|device| (device, device.work())).collect();
        Self { verbosity, required, devices, known: Mutex::new(known) }
    }

    /// Looks for devices that have failed, and tells of each once. Why the count ends, if it does for that.
    pub fn look(&self) -> Option<Exit> {
        let failed = self.devices.iter().filter_map(|(device, _)| Some((device, device.failure()?)));
        for (device, failure) in failed {
            let name = name(device);
            if self.required {
                return Some(Exit::System(format!("expected {name} to count, found that it fails: {failure}")));
            }
            let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
            if known.insert(device.index()) && self.verbosity >= Verbosity::Notes {
                note(format_args!("{name} is not used any more: {failure}; the CPU counts its units"));
            }
        }
        None
    }

    /// Looks for the last time, and tells what has been done for `what` since `start`.
    pub fn end(&self, what: &str, start: Instant) -> Option<Exit> {
        for (device, before) in &self.devices {
            let (name, work) = (name(device), device.work().since(before));
            if self.verbosity >= Verbosity::Notes && work.left > 0 {
                let units = quantity(work.left, "unit", "units");
                note(format_args!("{name} had no room for {units}; the CPU has counted them"));
            }
            if self.verbosity == Verbosity::Details && work.blocks > 0 {
                note(format_args!("{what}: {name} {}", done(&work, start.elapsed())));
            }
        }
        self.look()
    }
}

fn name(device: &Device) -> String {
    format!("gpu:{} ({})", device.index(), device.description.name)
}

/// What a device has done, what that took, and what it should have taken. `scripts/gpu-check` reads this.
fn done(work: &DeviceWork, elapsed: Duration) -> String {
    let [half_boards, blocks, keys, lookups] =
        [work.half_boards, work.blocks, work.keys, work.lookups].map(|count| rate(count as f64));
    let counts = format!("{half_boards} half-boards, {blocks} blocks, {keys} keys, {lookups} lookups");
    let DeviceTime { half_boards, blocks, keys, lookups, .. } = work.expected;
    let parts = format!("half-boards {half_boards:.6}, blocks {blocks:.6}, keys {keys:.6}, lookups {lookups:.6}");
    format!("took {:.6} s, by the model {:.6} s ({parts}): {counts}", elapsed.as_secs_f64(), work.expected.sum())
}
