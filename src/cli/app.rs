//! The state that all commands share, and the functions that count.

#![deny(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "counts are exact"
)]

use std::ops::Range;
use std::sync::Once;
use std::time::Instant;

use serde::Serialize;

use crate::count::count_task;
use crate::engine::rows::Rows;
use crate::estimate::{Estimator, Forecast, SampleSize};
use crate::symmetry::{Rotation, RotationSymmetric};
use crate::{
    Backend, BoardSize, CancelToken, Classes, CountError, Counter, Device, DeviceSet, Engine,
    EngineChoice, EngineOptions,
};

use super::error::{Error, Result};
use super::flags::options::{AllOptions, MachineOptions, ReportOptions};
use super::numbers::{quantity, threads};
use super::output::{Count, Output, Seconds};
use super::ui::Ui;
use super::ui::progress::{Progress, work_of};

/// With either engine, counting this board takes less than two minutes on a single thread.
const LARGEST_SMALL_BOARD: u32 = 18;

/// `backtrack` counts this board in less time than it takes to start threads.
const LARGEST_TINY_BOARD: u32 = 10;

/// What a command prints to, and what it counts with.
pub(super) struct App {
    pub ui: Ui,
    pub output: Output,
    pub choice: EngineChoice,
    pub options: EngineOptions,
    pub threads: usize,
    /// Whether to stop when the reader of stdout exits: if results go only there, more work would
    /// be pointless.
    pub stop_when_unread: bool,
}

impl App {
    /// Creates the app of a command that does not count.
    pub(super) fn reporting(options: ReportOptions) -> Result<Self> {
        let ui = Ui::new(options.messages);
        Ok(Self {
            output: Output::with_stdout(options.format, ui.bar.clone())?,
            ui,
            choice: EngineChoice::default(),
            options: EngineOptions::default(),
            threads: 0,
            stop_when_unread: false,
        })
    }

    /// Resolves the options of a command, and loads the drivers of the selected devices.
    /// Contradictory options and a missing device are errors.
    pub(super) fn new(AllOptions { counting, report }: &AllOptions) -> Result<Self> {
        let mut app = Self::reporting(*report)?;
        let MachineOptions {
            threads,
            kernel,
            device,
            memory,
        } = &counting.machine;
        let devices: DeviceSet = device.as_deref().unwrap_or("cpu").parse()?;
        if devices != DeviceSet::default() {
            for failure in Device::failed_drivers() {
                app.ui.note(failure);
            }
        }
        app.options = EngineOptions {
            kernel: *kernel,
            memory_per_thread: *memory,
            devices,
        };
        app.choice = counting
            .engine
            .with_options(&app.options)
            .map_err(|error| Error::Usage(format!("--{error}")))?;
        app.threads = Counter::new()
            .threads(threads.threads.into())
            .thread_count();
        Ok(app)
    }

    /// Builds the engine for a board, and says why if it cannot count as requested.
    pub(super) fn engine(&self, size: BoardSize) -> Box<dyn Engine> {
        let engine = self.choice.build(size, self.options);
        self.check_engine(&engine);
        engine
    }

    pub(super) fn count(&self, size: BoardSize) -> Result<CountReport> {
        self.count_units(&self.engine(size), true)
    }

    /// Counts all units. If `samples` is set, a sample of the units allows for a forecast at once.
    fn count_units(&self, engine: &dyn Engine, samples: bool) -> Result<CountReport> {
        let start = Instant::now();
        let units = 0..engine.units();
        let threads = self.threads;
        if engine.size().get() <= LARGEST_TINY_BOARD && engine.backend().is_none() {
            self.log_plan(engine);
            let (total, _) = count_task(engine, units, &CancelToken::new())?;
            return Ok(CountReport::new(engine, total, threads, start));
        }
        let units = std::slice::from_ref(&units);
        let title = format!("N = {}", engine.size());
        let progress = Progress::with_units(title, engine, threads, units, &[]);
        let total = self.supervise(&progress, |counter, cancel| {
            // Once this message is printed, someone may send a signal, so signals must already be
            // deferred.
            self.log_plan(engine);
            progress.begin(match samples {
                true => self.forecast(engine, units, cancel)?,
                false => Forecast::default(),
            });
            Ok(counter
                .on_task(&|task| progress.add(task))
                .count_units(engine, units)?)
        })?;
        Ok(CountReport::new(engine, total, threads, start))
    }

    /// Returns a forecast for these units, from a sample that takes a few seconds. Small boards are
    /// not worth a sample, and if some threads feed devices and others do not, the time depends on
    /// how many units each of them gets.
    pub(super) fn forecast(
        &self,
        engine: &dyn Engine,
        units: &[Range<u64>],
        cancel: &CancelToken,
    ) -> Result<Forecast> {
        let on_devices = engine.backend() == Some(Backend::Devices);
        if !self.ui.shows_progress()
            || engine.size().get() <= LARGEST_SMALL_BOARD
            || on_devices != (engine.devices() > 0)
        {
            return Ok(Forecast::default());
        }
        let estimate = Estimator::new(SampleSize::Brief)
            .units(units)
            .threads(self.threads)
            .stop(cancel)
            .run(engine)?;
        Ok(Forecast::from_estimate(&estimate, work_of(engine, units)))
    }

    /// Counts the solutions in each symmetry class, given the number of all solutions.
    pub(super) fn classes(&self, size: BoardSize, total: u128) -> Result<Classes> {
        let count = |rotation| self.count_units(&RotationSymmetric::new(size, rotation), false);
        let [half_turn, quarter_turn] = [count(Rotation::Half)?, count(Rotation::Quarter)?];
        let classes = Classes::new(size, total, half_turn.total.0, quarter_turn.total.0);
        Ok(classes.map_err(CountError::from)?)
    }

    /// Prints why an engine cannot count as requested, but only for the first board.
    pub(super) fn check_engine(&self, engine: &dyn Engine) {
        static EXPLAINED: Once = Once::new();
        let lacks_devices =
            self.options.devices.uses_all_threads() && engine.backend() != Some(Backend::Devices);
        let lacks_rows = self.choice == EngineChoice::Rows && engine.backend().is_none();
        let what = match (lacks_rows, lacks_devices) {
            (true, _) => "rows needs",
            (false, true) => "devices need '--engine rows' and",
            (false, false) => return,
        };
        EXPLAINED.call_once(|| {
            self.ui.note(format_args!(
                "{what} N >= {}: {} counts N = {} on the CPU",
                Rows::SIZES.start(),
                engine.name(),
                engine.size()
            ));
        });
    }

    pub(super) fn log_plan(&self, engine: &dyn Engine) {
        let kernel = match engine.backend() {
            Some(backend) => format!(", {} kernel", backend.name()),
            None => String::new(),
        };
        self.ui.detail(format_args!(
            "N = {}: {} engine{kernel}, {}, {}",
            engine.size(),
            engine.name(),
            quantity(engine.units(), "unit"),
            threads(self.threads),
        ));
    }
}

#[derive(Serialize)]
pub(super) struct CountReport {
    pub n: u32,
    /// The first three solutions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first: Option<serde_json::Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fundamental: Option<Count>,
    pub total: Count,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub published: Option<Count>,
    pub seconds: Seconds,
    pub units: u64,
    pub threads: usize,
    pub engine: &'static str,
    pub kernel: Option<&'static str>,
    pub version: &'static str,
}

impl CountReport {
    pub(super) fn new(engine: &dyn Engine, total: u128, threads: usize, start: Instant) -> Self {
        Self {
            n: engine.size().get(),
            first: None,
            fundamental: None,
            total: Count(total),
            published: None,
            seconds: Seconds(start.elapsed()),
            units: engine.units(),
            threads,
            engine: engine.name(),
            kernel: engine.backend().map(Backend::name),
            version: crate::VERSION,
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::io::{PipeReader, pipe};

    use super::*;
    use crate::cli::flags::options::MessageOptions;
    use crate::cli::output::Format;

    /// Returns an app that writes its results to a pipe.
    pub(crate) fn piped(format: Format) -> (App, PipeReader) {
        let (results, writer) = pipe().unwrap();
        let ui = Ui::new(MessageOptions::default());
        let app = App {
            output: Output::new(writer, format, ui.bar.clone()),
            ui,
            choice: EngineChoice::default(),
            options: EngineOptions::default(),
            threads: 1,
            stop_when_unread: false,
        };
        (app, results)
    }
}
