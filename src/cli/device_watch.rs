//! The devices beside a count: when one fails it is told at once, and at the end what each has done.

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
    devices: Vec<Watched>,
}

/// A device that counts.
struct Watched {
    device: &'static Device,
    /// What it had done before.
    before: DeviceWork,
    /// Whether it is known that it has failed.
    failed: bool,
}

impl DeviceWatch {
    /// Begins to watch these devices.
    pub fn new(devices: Vec<&'static Device>, verbosity: Verbosity, required: bool) -> Self {
        let watched =
            |device: &'static Device| Watched { device, before: device.work(), failed: device.failure().is_some() };
        Self { verbosity, required, devices: devices.into_iter().map(watched).collect() }
    }

    /// Looks for devices that have failed, and tells of each once. Why the count ends, if it does for that.
    pub fn look(&mut self) -> Option<Exit> {
        for Watched { device, failed, .. } in &mut self.devices {
            let Some(failure) = device.failure() else { continue };
            let name = name(device);
            if self.required {
                return Some(Exit::System(format!("expected {name} to count, found that it fails: {failure}")));
            }
            if !std::mem::replace(failed, true) && self.verbosity >= Verbosity::Notes {
                note(format_args!("{name} is not used any more: {failure}; the CPU counts its units"));
            }
        }
        None
    }

    /// Looks for the last time, and tells what has been done for `what` since `start`.
    pub fn end(&mut self, what: &str, start: Instant) -> Option<Exit> {
        for Watched { device, before, .. } in &self.devices {
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
