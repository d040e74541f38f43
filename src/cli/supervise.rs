//! Supervises long work: shows the progress, and cancels the work if a signal arrives or the
//! reader of stdout exits. Also reports devices that fail while the CPU continues.
//!
//! The work runs on the calling thread. A second thread wakes up ten times per second, and once
//! more when a channel is closed at the end of the work.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use crate::{CancelToken, Counter, Device, DeviceSet};

use super::app::App;
use super::error::{Error, Result};
use super::numbers::quantity;
use super::ui::Ui;
use super::ui::progress::Progress;
use super::{output, signals};

const INTERVAL: Duration = Duration::from_millis(100);

impl App {
    /// Runs and supervises work, which must return soon after it is cancelled.
    pub(super) fn supervise<T>(
        &self,
        progress: &Progress,
        work: impl FnOnce(Counter<'_>, &CancelToken) -> Result<T>,
    ) -> Result<T> {
        let _deferred = signals::Deferred::new();
        signals::check(|| progress.reached())?;
        let cancel = &CancelToken::new();
        let mut devices = Devices::new(self.options.devices);
        // The reason for cancelling the work. If there is one, any other error is a result of the
        // cancellation.
        let mut reason = None;
        let result = thread::scope(|scope| {
            let (_until_done, is_done) = mpsc::channel::<()>();
            let devices = &mut devices;
            let reason = &mut reason;
            let watch = move || {
                let mut last = Instant::now();
                let mut next_line = None;
                while is_done.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout) {
                    if signals::take_resumed() {
                        progress.exclude(last.elapsed());
                    }
                    last = Instant::now();
                    if let Err(error) = self.check(progress) {
                        *reason = Some(error);
                        cancel.cancel();
                        break;
                    }
                    devices.report_failed(&self.ui);
                    self.ui.show(progress, &mut next_line);
                }
                self.ui.bar.clear();
            };
            thread::Builder::new()
                .name("supervisor".to_owned())
                .spawn_scoped(scope, watch)
                .map_err(|error| Error::System(format!("cannot start a thread: {error}")))?;
            let counter = Counter::new().threads(self.threads);
            work(counter.stop(cancel), cancel)
        });
        devices.report_declined(&self.ui);
        devices.report_failed(&self.ui);
        // Finished work is returned even if a signal arrived at the last moment.
        result.map_err(|error| reason.unwrap_or(error))
    }

    /// Fails if the work is to end early.
    fn check(&self, progress: &Progress) -> Result<()> {
        signals::check(|| progress.reached())?;
        if self.stop_when_unread {
            output::check_stdout()?;
        }
        Ok(())
    }
}

/// The devices, with the number of units that each had declined before the work began, and whether
/// its failure need not be reported, because it has been, or because it ends the work.
struct Devices(Vec<(&'static Device, u64, bool)>);

impl Devices {
    fn new(devices: DeviceSet) -> Self {
        let watched = devices.devices().map(|device| {
            let reported = devices.uses_all_threads() || device.failure().is_some();
            (device, device.units_declined(), reported)
        });
        Self(watched.collect())
    }

    /// Reports each failed device once.
    fn report_failed(&mut self, ui: &Ui) {
        for (device, _, reported) in &mut self.0 {
            if let Some(failure) = device.failure()
                && !std::mem::replace(reported, true)
            {
                ui.note(format_args!("{failure}; the CPU continues"));
            }
        }
    }

    /// Reports the number of units that were counted on the CPU because a device declined them.
    fn report_declined(&self, ui: &Ui) {
        for (device, before, _) in &self.0 {
            let declined = device.units_declined() - before;
            if declined > 0 {
                ui.note(format_args!(
                    "{} had too little memory; counted {} on the CPU instead",
                    device.label(),
                    quantity(declined, "unit")
                ));
            }
        }
    }
}
