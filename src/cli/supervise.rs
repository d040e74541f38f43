//! Supervises long work: shows the progress, and cancels the work if a signal arrives or the
//! reader of stdout exits. Also reports devices that fail while the CPU continues.
//!
//! The work runs on the calling thread. A second thread wakes up ten times per second, and once
//! more when a channel is closed at the end of the work.

use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::{self, Scope};
use std::time::{Duration, Instant};

use crate::{CancelToken, Counter, Device, DeviceSet};

use super::error::{Error, Result};
use super::machine::Machine;
use super::numbers::quantity;
use super::ui::Ui;
use super::ui::progress::Progress;
use super::{output, signals};

const INTERVAL: Duration = Duration::from_millis(100);

/// Runs and supervises work, which must return soon after it is cancelled.
pub(super) fn supervise<T>(
    ui: &Ui,
    machine: &Machine,
    progress: Option<&Progress>,
    work: impl FnOnce(Counter<'_>, &CancelToken) -> Result<T>,
) -> Result<T> {
    let _deferred = signals::Deferred::new();
    check_signals(ui, progress)?;
    let cancel = &CancelToken::new();
    let mut supervisor = Supervisor {
        ui,
        progress,
        cancel,
        devices: Devices::new(machine.options.devices),
        stop_when_unread: machine.stop_when_unread,
        reason: None,
    };
    let result = thread::scope(|scope| {
        let _until_done = supervisor.start(scope)?;
        let counter = Counter::new().threads(machine.threads);
        work(counter.stop(cancel), cancel)
    });
    supervisor.devices.report_declined(ui);
    supervisor.devices.report_failed(ui);
    // Finished work is returned even if a signal arrived at the last moment.
    result.map_err(|error| supervisor.reason.unwrap_or(error))
}

struct Supervisor<'a> {
    ui: &'a Ui,
    progress: Option<&'a Progress>,
    cancel: &'a CancelToken,
    devices: Devices,
    stop_when_unread: bool,
    /// The reason for cancelling the work. If there is one, any other error is a result of the
    /// cancellation.
    reason: Option<Error>,
}

impl Supervisor<'_> {
    /// Starts a thread that runs until the sender is dropped.
    fn start<'scope>(&'scope mut self, scope: &'scope Scope<'scope, '_>) -> Result<Sender<()>> {
        let (done, is_done) = mpsc::channel();
        thread::Builder::new()
            .name("supervisor".to_owned())
            .spawn_scoped(scope, move || self.run(&is_done))
            .map_err(Error::thread)?;
        Ok(done)
    }

    fn run(&mut self, is_done: &Receiver<()>) {
        let mut last = Instant::now();
        let mut next_line = None;
        while is_done.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout) {
            let since_last = last.elapsed();
            last = Instant::now();
            if let Err(error) = self.check() {
                self.reason = Some(error);
                self.cancel.cancel();
                break;
            }
            if let Some(progress) = self.progress {
                if signals::take_resumed() {
                    progress.add_pause(since_last.saturating_sub(INTERVAL));
                }
                self.ui.show(progress, &mut next_line);
            }
        }
        self.ui.bar.clear();
    }

    fn check(&mut self) -> Result<()> {
        check_signals(self.ui, self.progress)?;
        if self.stop_when_unread {
            output::check_stdout()?;
        }
        self.devices.report_failed(self.ui);
        Ok(())
    }
}

fn check_signals(ui: &Ui, progress: Option<&Progress>) -> Result<()> {
    let Some(signal) = signals::received() else {
        return Ok(());
    };
    let progress = match progress {
        Some(progress) if !ui.is_quiet() => progress.reached(),
        _ => String::new(),
    };
    Err(Error::Interrupted { signal, progress })
}

struct Devices(Vec<Watched>);

struct Watched {
    device: &'static Device,
    /// The number of units that the device had declined before the work began.
    declined: u64,
    /// Whether a failure need not be reported, because it has been, or because it ends the work.
    reported: bool,
}

impl Devices {
    fn new(devices: DeviceSet) -> Self {
        let watched = devices.devices().map(|device| Watched {
            device,
            declined: device.units_declined(),
            reported: devices.uses_all_threads() || device.failure().is_some(),
        });
        Self(watched.collect())
    }

    /// Reports each failed device once.
    fn report_failed(&mut self, ui: &Ui) {
        for Watched {
            device, reported, ..
        } in &mut self.0
        {
            if let Some(failure) = device.failure()
                && !std::mem::replace(reported, true)
            {
                ui.note(format_args!("{failure}; the CPU continues"));
            }
        }
    }

    /// Reports the number of units that were counted on the CPU because a device declined them.
    fn report_declined(&self, ui: &Ui) {
        for watched in &self.0 {
            let declined = watched.device.units_declined() - watched.declined;
            if declined > 0 {
                let name = watched.device.label();
                let units = quantity(declined, "unit", "units");
                let were = if declined == 1 { "was" } else { "were" };
                ui.note(format_args!(
                    "{name} had too little memory for {units}, which {were} counted on the CPU"
                ));
            }
        }
    }
}

/// Reports the drivers that failed to list their devices.
pub(super) fn report_failed_drivers(ui: &Ui) {
    for failure in Device::failed_drivers() {
        ui.error(failure);
    }
}
