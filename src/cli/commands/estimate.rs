//! `queencount estimate [N | A..=B]...`: estimates the number of solutions, and the time to count
//! them, from a sample of the units.
//!
//! The number of solutions and the time are estimated from separate samples. The number does not
//! depend on the engine, so it is estimated with the backtracking engine, whose work can be divided
//! into tiny parts; a few seconds suffice for an error of one percent. The time is measured on
//! units of the engine that would count the board; on large boards, each unit takes seconds. If
//! there is enough time to count all units, both results come from the full count.
//!
//! The time is in core-hours, or, if devices are selected, in device-hours: the wall-clock hours of
//! a device fed by all threads. In text output, times below an hour are in seconds.

use std::time::{Duration, Instant};

use crate::estimate::{BoardEstimate, Estimator, Interval, SampleSize};
use crate::{BoardSize, DeviceSet, Engine, EngineChoice};
use serde::Serialize;

use crate::cli::app::App;
use crate::cli::error::Result;
use crate::cli::flags::commands::EstimateArguments;
use crate::cli::numbers::{self, bytes, quantity};
use crate::cli::output::{Count, Format, Seconds};
use crate::cli::ui::progress::ProgressState;

const HOUR: f64 = 3600.0;

const STEPS: u64 = 1 << 20;

#[derive(Serialize)]
struct EstimateRow {
    n: u32,
    total: Count,
    total_low: Count,
    total_high: Count,
    complete: bool,
    core_seconds: Option<f64>,
    core_seconds_low: Option<f64>,
    core_seconds_high: Option<f64>,
    device_seconds: Option<f64>,
    device_seconds_low: Option<f64>,
    device_seconds_high: Option<f64>,
    memory_bytes: u64,
    samples: u64,
    time_samples: u64,
    seed: u64,
    seconds: Seconds,
    threads: usize,
    engine: &'static str,
    device: String,
    version: &'static str,
}

pub(crate) fn run(app: &mut App, args: &EstimateArguments) -> Result<()> {
    let devices = app.config.devices;
    if !devices.is_empty() && !devices.uses_all_threads() {
        // The time of a thread that feeds a device cannot be compared with that of a thread that
        // counts on the CPU.
        app.config.options = app.config.options.devices(DeviceSet::default());
        app.config.devices = DeviceSet::default();
        app.ui.note(format_args!(
            "this is the time on the CPU; for the time on GPUs, use --device gpu"
        ));
    }
    let boards: Vec<BoardSize> = args
        .boards
        .iter()
        .flat_map(|range| range.boards())
        .collect();
    let start = Instant::now();
    if boards.len() > 1 && app.output.format() == Format::Text {
        let threads = quantity(app.config.threads as u64, "thread", "threads");
        app.output.text(format_args!(
            "{:>2}  {:>25}  time on {threads}\n",
            "N", "solutions"
        ))?;
    }
    for (index, &size) in boards.iter().enumerate() {
        // Time left over from small boards goes to larger ones.
        let left = args.time.saturating_sub(start.elapsed());
        let time = left / (boards.len() - index) as u32;
        let result = estimate(app, size, args, time)?;
        match app.output.format() {
            Format::Text if boards.len() > 1 => app.output.text(result.line())?,
            Format::Text => app.output.text(result.text())?,
            Format::Json | Format::Csv => app.output.row(&result.row())?,
        }
    }
    Ok(())
}

struct EstimateResult {
    engine: Box<dyn Engine>,
    estimate: BoardEstimate,
    /// The devices whose time is estimated, or `None` if CPU time is estimated.
    devices: Option<DeviceSet>,
    seed: u64,
    elapsed: Duration,
}

fn estimate(
    app: &App,
    size: BoardSize,
    args: &EstimateArguments,
    time: Duration,
) -> Result<EstimateResult> {
    let engine = app.engine(size);
    app.check_engine(&engine)?;
    app.log_plan(&engine);
    let under_load = app.only_devices_count(&engine);
    let start = Instant::now();
    let progress = ProgressState::of_steps(format!("N = {size}"), STEPS);
    let estimate = app.supervise(Some(&progress), |_, cancel| {
        let on_progress = |done| progress.reach((done * STEPS as f64) as u64);
        let estimator = Estimator::new(
            args.sample
                .map_or(SampleSize::Time(time), SampleSize::Draws),
        )
        .seed(args.seed)
        .threads(app.config.threads)
        .under_load(under_load)
        .stop(cancel)
        .on_progress(&on_progress);
        // A thread that waits for a device uses no CPU time, so measure wall-clock time instead.
        #[cfg(unix)]
        let estimator = if under_load {
            estimator
        } else {
            estimator.clock(&cpu_time)
        };
        Ok(estimator.run_board(&engine)?)
    })?;
    Ok(EstimateResult {
        engine,
        estimate,
        devices: under_load.then_some(app.config.devices),
        seed: args.seed,
        elapsed: start.elapsed(),
    })
}

impl EstimateResult {
    /// Returns the core time or device time, in seconds.
    fn seconds(&self) -> Interval {
        match self.devices {
            None => self.estimate.cost.seconds,
            Some(devices) => self.estimate.cost.device_seconds(devices.devices().count()),
        }
    }

    fn threads(&self) -> String {
        quantity(self.estimate.cost.threads as u64, "thread", "threads")
    }

    fn line(&self) -> String {
        let solutions = match self.estimate.total.counted {
            Some(count) => count.to_string(),
            None => with_error(self.estimate.total.total),
        };
        let mut time =
            numbers::time(self.estimate.cost.seconds.mean / self.estimate.cost.threads as f64);
        if self.estimate.cost.counted.is_none() {
            time += &format!(" ± {:.1}%", percent(self.estimate.cost.seconds));
        }
        format!("{:>2}  {solutions:>25}  {time}\n", self.engine.size())
    }

    fn text(&self) -> String {
        let seconds = self.seconds();
        let (scale, unit) = if seconds.mean < HOUR {
            (1.0, "seconds")
        } else {
            (HOUR, "hours")
        };
        let cost = seconds / scale;
        let threads = self.threads();
        let (label, on) = match self.devices {
            None => (format!("core-{unit}"), threads),
            Some(devices) => (
                format!("device-{unit}"),
                format!("{devices}, fed by {threads}"),
            ),
        };
        let engine = self.engine.name();
        let units = quantity(self.engine.units(), "unit", "units");
        let elapsed = self.elapsed.as_secs_f64();
        let (how, cost, last) = match self.estimate.cost.counted {
            Some(_) => (
                format!("counted in full instead of sampled, in {elapsed:.1} s on {on}"),
                format!("{:.4e}, measured over {units} of {engine}", cost.mean),
                "",
            ),
            None => (
                format!("sampled for {elapsed:.1} s on {on}, seed {}", self.seed),
                format!(
                    "{}, from {} samples of {units} of {engine}",
                    with_range(cost),
                    self.estimate.cost.draws
                ),
                "All ranges are 95% confidence intervals, for this machine at its current load.\n",
            ),
        };
        let solutions = match self.estimate.total.counted {
            Some(count) => format!("{count} (exact)"),
            None => format!(
                "{}, from {} samples by {}",
                with_range(self.estimate.total.total),
                self.estimate.total.draws,
                EngineChoice::Backtrack
            ),
        };
        let time =
            numbers::time(self.estimate.cost.seconds.mean / self.estimate.cost.threads as f64);
        let memory = bytes(self.engine.memory(self.estimate.cost.threads));
        let width = label.len();
        format!(
            "\
N = {}, {how}
{:width$}  {solutions}
{label}  {cost}
{:width$}  {time} on {on} of this machine
{:width$}  {memory}
{last}",
            self.engine.size(),
            "solutions",
            "",
            "memory",
        )
    }

    fn row(&self) -> EstimateRow {
        let total = self.estimate.total.total;
        let rounded = match self.estimate.total.counted {
            Some(count) => [count; 3],
            None => [total.mean.round(), total.low().floor(), total.high().ceil()]
                .map(|solutions| solutions as u128),
        };
        let seconds = self.seconds();
        let core_seconds = self.devices.is_none().then_some(seconds);
        let device_seconds = self.devices.is_some().then_some(seconds);
        EstimateRow {
            n: self.engine.size().get(),
            total: Count(rounded[0]),
            total_low: Count(rounded[1]),
            total_high: Count(rounded[2]),
            complete: self.estimate.cost.counted.is_some(),
            core_seconds: core_seconds.map(|interval| interval.mean),
            core_seconds_low: core_seconds.map(Interval::low),
            core_seconds_high: core_seconds.map(Interval::high),
            device_seconds: device_seconds.map(|interval| interval.mean),
            device_seconds_low: device_seconds.map(Interval::low),
            device_seconds_high: device_seconds.map(Interval::high),
            memory_bytes: self.engine.memory(self.estimate.cost.threads),
            samples: self.estimate.total.draws,
            time_samples: self.estimate.cost.draws,
            seed: self.seed,
            seconds: Seconds(self.elapsed),
            threads: self.estimate.cost.threads,
            engine: self.engine.name(),
            device: self.devices.unwrap_or_default().to_string(),
            version: crate::VERSION,
        }
    }
}

fn percent(interval: Interval) -> f64 {
    if interval.mean > 0.0 {
        100.0 * interval.margin / interval.mean
    } else {
        0.0
    }
}

fn with_error(interval: Interval) -> String {
    format!("{:.4e} ± {:.2}%", interval.mean, percent(interval))
}

fn with_range(interval: Interval) -> String {
    format!(
        "{} ({:.4e} to {:.4e})",
        with_error(interval),
        interval.low(),
        interval.high()
    )
}

/// Returns the CPU time of the calling thread. Unlike wall-clock time, CPU time does not grow while
/// other programs use the CPU, so it remains correct on a busy machine.
#[cfg(unix)]
fn cpu_time() -> Duration {
    use rustix::time::{ClockId, clock_gettime};
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn cpu_time_grows_only_while_the_thread_works() {
        let before = cpu_time();
        std::thread::sleep(Duration::from_millis(500));
        assert!(cpu_time() - before < Duration::from_millis(250));
        while cpu_time() < before + Duration::from_millis(270) {}
    }
}
