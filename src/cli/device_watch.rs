//! The devices of a count: failures of drivers and of devices are reported at once, and at the end the devices that had no
//! room for units.

use std::sync::Once;

use queencount::{Device, DeviceChoice};

use super::exit::Exit;
use super::notes::{Verbosity, note};
use super::numbers::quantity;

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
    /// How many units it had left to the CPU before.
    left: u64,
    /// Whether it is known that it has failed.
    failed: bool,
}

impl DeviceWatch {
    /// Begins to watch these devices.
    pub fn new(devices: DeviceChoice, verbosity: Verbosity, required: bool) -> Self {
        if devices != DeviceChoice::Cpu && verbosity >= Verbosity::Notes {
            tell_failed_drivers();
        }
        let watched =
            |device: &'static Device| Watched { device, left: device.units_left(), failed: device.failure().is_some() };
        Self { verbosity, required, devices: devices.devices().into_iter().map(watched).collect() }
    }

    /// Looks for devices that have failed, and names each once. Returns why the count ends, if it does for that.
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

    /// Looks for the last time, and says how many units the CPU has counted in a device's place.
    pub fn end(&mut self) -> Option<Exit> {
        for Watched { device, left, .. } in &self.devices {
            let left = device.units_left() - left;
            if self.verbosity >= Verbosity::Notes && left > 0 {
                let units = quantity(left, "unit", "units");
                note(format_args!("{} had no room for {units}; the CPU has counted them", name(device)));
            }
        }
        self.look()
    }
}

/// Tells once what keeps drivers from showing devices.
pub fn tell_failed_drivers() {
    static TOLD: Once = Once::new();
    TOLD.call_once(|| Device::failed_drivers().iter().for_each(|failure| note(format_args!("{failure}"))));
}

/// As the option names it, with the name that its driver gives to it.
fn name(device: &Device) -> String {
    if device.description.is_cpu { device.to_string() } else { format!("{device} ({})", device.description.name) }
}
