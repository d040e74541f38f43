//! A watch over work that lasts: it shows the progress, and ends the work when a signal comes, when
//! its reader leaves, when the time is up, or when a device fails that is required. Of other
//! devices it says at once that they have failed, and at the end which had no room for units.
//!
//! The work is done by its caller; beside it one thread wakes ten times a second. It sleeps on a
//! channel that is closed when the work is done, so it ends at once.

use std::fmt::Arguments;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Once, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use queencount::{CancelToken, Device, DeviceSet};

use super::arguments::options::SayOptions;
use super::exit::{Exit, OrExit};
use super::notes::{Verbosity, note};
use super::numbers::quantity;
use super::output;
use super::progress::{Gauge, Progress};
use super::signals;

/// How often signals and progress are looked at: soon enough for a person, seldom enough to cost
/// nothing.
const GLANCE: Duration = Duration::from_millis(100);

/// Some work, which gives up soon after it has been asked to stop.
pub type Work<'a> = Box<dyn FnOnce(&CancelToken) -> OrExit<()> + 'a>;

/// When to give up, and what to say meanwhile.
#[derive(Clone, Copy)]
pub struct Watch {
    /// Whether to give up when nobody reads standard output any more.
    pub while_read: bool,
    /// When to give up, with [`Exit::Late`].
    pub until: Option<Instant>,
    /// Whether to give up when a device fails. Otherwise the CPU counts its units.
    pub require_device: bool,
    progress: Progress,
    verbosity: Verbosity,
}

impl Watch {
    /// Says what the options ask for. Gives up for signals, and for devices if they are required.
    pub fn new(say: SayOptions, require_device: bool) -> Self {
        let (progress, verbosity) = (
            Progress::new(say.progress, say.quiet.quiet),
            say.verbosity(),
        );
        Self {
            while_read: false,
            until: None,
            require_device,
            progress,
            verbosity,
        }
    }

    /// Says something on standard error, unless nothing but errors is to be said.
    pub fn note(&self, line: Arguments) {
        if self.verbosity >= Verbosity::Notes {
            note(line);
        }
    }

    /// Says something on standard error to those who want to know everything.
    pub fn detail(&self, line: Arguments) {
        if self.verbosity == Verbosity::Details {
            note(line);
        }
    }

    /// Does some work, on these devices, too. If there is a gauge, it shows how far the work has
    /// come since `start`.
    pub fn over(
        &self,
        devices: DeviceSet,
        gauge: Option<&Gauge>,
        start: Instant,
        work: Work<'_>,
    ) -> OrExit<()> {
        if let Some(reason) = self.interrupted(gauge, start) {
            return Err(reason);
        }
        let _signals = signals::Deferred::new();
        let (ending, stop) = (OnceLock::new(), CancelToken::new());
        // The first reason counts: all others follow from it.
        let end = |reason: Exit| {
            let _ = ending.set(reason);
            stop.cancel();
        };
        let mut devices = Devices::new(devices, self);
        let is_done = thread::scope(|scope| {
            let (end, devices) = (&end, &mut devices);
            let (done, finished) = mpsc::channel::<()>();
            let watch = move || {
                while finished.recv_timeout(GLANCE) == Err(RecvTimeoutError::Timeout) {
                    if let Some(reason) = self.reason(gauge, start).or_else(|| devices.look(self)) {
                        end(reason);
                        break;
                    }
                    if let Some(gauge) = gauge {
                        self.progress.show(gauge, start.elapsed());
                    }
                }
                Progress::clear();
            };
            thread::Builder::new()
                .name("watch".to_owned())
                .spawn_scoped(scope, watch)
                .map_err(|error| Exit::System(format!("cannot start a thread: {error}")))?;
            let is_done = work(&stop).map_err(end).is_ok();
            drop(done);
            Ok::<_, Exit>(is_done)
        })?;
        let failure = devices.end(self);
        // What is done is done, whatever has come in the last moment.
        if !is_done {
            return Err(ending.into_inner().expect("an early end has a reason"));
        }
        failure.map_or(Ok(()), Err)
    }

    fn reason(&self, gauge: Option<&Gauge>, start: Instant) -> Option<Exit> {
        let late = self.until.is_some_and(|time| Instant::now() >= time);
        self.interrupted(gauge, start)
            .or_else(|| late.then_some(Exit::Late))
            .or_else(|| (self.while_read && output::unread()).then_some(Exit::Unread))
    }

    /// How far the work came, if a signal has come.
    fn interrupted(&self, gauge: Option<&Gauge>, start: Instant) -> Option<Exit> {
        let signal = signals::received()?;
        let gauge = gauge.filter(|_| self.verbosity >= Verbosity::Notes);
        Some(Exit::Interrupted {
            signal,
            reached: gauge.map(|gauge| gauge.view(start.elapsed()).reached()),
        })
    }
}

struct Devices(Vec<Counter>);

struct Counter {
    device: &'static Device,
    /// How many units it had left to the CPU before.
    left: u64,
    /// Whether it is known that it has failed.
    failed: bool,
}

impl Devices {
    fn new(devices: DeviceSet, watch: &Watch) -> Self {
        if !devices.is_empty() && watch.verbosity >= Verbosity::Notes {
            tell_failed_drivers();
        }
        let counter = |device: &'static Device| Counter {
            device,
            left: device.units_declined(),
            failed: device.failure().is_some(),
        };
        Self(devices.devices().map(counter).collect())
    }

    /// Looks for devices that have failed, and names each once. Returns why the count ends, if it
    /// does for that.
    fn look(&mut self, watch: &Watch) -> Option<Exit> {
        for Counter { device, failed, .. } in &mut self.0 {
            let Some(failure) = device.failure() else {
                continue;
            };
            let name = name(device);
            if watch.require_device {
                return Some(Exit::System(format!(
                    "expected {name} to count, found that it fails: {failure}"
                )));
            }
            if !std::mem::replace(failed, true) {
                watch.note(format_args!(
                    "{name} is not used any more: {failure}; the CPU counts its units"
                ));
            }
        }
        None
    }

    /// Looks for the last time, and says how many units the CPU has counted in a device's place.
    fn end(&mut self, watch: &Watch) -> Option<Exit> {
        for Counter { device, left, .. } in &self.0 {
            let left = device.units_declined() - left;
            if left > 0 {
                let units = quantity(left, "unit", "units");
                watch.note(format_args!(
                    "{} had no room for {units}; the CPU has counted them",
                    name(device)
                ));
            }
        }
        self.look(watch)
    }
}

/// Tells once what keeps drivers from showing devices.
pub fn tell_failed_drivers() {
    static TOLD: Once = Once::new();
    TOLD.call_once(|| {
        Device::failed_drivers()
            .iter()
            .for_each(|failure| note(format_args!("{failure}")))
    });
}

/// As the option names it, with the name that its driver gives to it.
fn name(device: &Device) -> String {
    if device.description.is_cpu {
        device.to_string()
    } else {
        format!("{device} ({})", device.description.name)
    }
}
