//! `queencount estimate [N | A..=B]...`: estimates the number of solutions, and the time to count
//! them, from a sample of the units.
//!
//! The number of solutions is estimated with the backtracking engine, whose work can be divided
//! into tiny parts. The time is measured on units of the engine that would count the board. With
//! devices, it is wall-clock time, measured while all threads feed a device.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "approximate"
)]

use std::time::{Duration, Instant};

use crate::DeviceSet;
use crate::estimate::{BoardEstimate, Estimate, Estimator, Interval, SampleSize};

use super::prelude::*;
use crate::cli::numbers;

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
    let devices = app.config.options.devices;
    if !devices.is_empty() && !devices.uses_all_threads() {
        app.ui
            .note("this is the time on the CPU; for the time on GPUs, use --device gpu");
    }
    let boards = args.boards.iter().flat_map(|range| range.boards());
    let boards: Vec<BoardSize> = boards.collect();
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
        let text = match boards.len() {
            1 => result.text(),
            _ => result.line(),
        };
        app.output.result(text, &result.row())?;
    }
    Ok(())
}

struct EstimateResult {
    engine: Box<dyn Engine>,
    total: Estimate,
    cost: Estimate,
    /// The devices whose time is estimated.
    devices: DeviceSet,
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
    app.check_engine(&engine);
    app.log_plan(&engine);
    let start = Instant::now();
    let progress = Progress::new(format!("N = {size}"));
    let sample = args
        .sample
        .map_or(SampleSize::Time(time), SampleSize::Draws);
    let estimate = app.supervise(Some(&progress), |_, cancel| {
        let on_progress = |done| progress.reach(done);
        let estimator = Estimator::new(sample)
            .seed(args.seed)
            .threads(app.config.threads)
            .stop(cancel)
            .on_progress(&on_progress);
        Ok(estimator.run_board(&engine)?)
    })?;
    let BoardEstimate { total, cost } = estimate;
    Ok(EstimateResult {
        engine,
        total,
        devices: match cost.devices {
            0 => DeviceSet::default(),
            _ => app.config.options.devices,
        },
        cost,
        seed: args.seed,
        elapsed: start.elapsed(),
    })
}

impl EstimateResult {
    fn seconds(&self) -> Interval {
        self.cost.device_seconds().unwrap_or(self.cost.seconds)
    }

    /// Returns the wall-clock time of a full count on all threads.
    fn time(&self) -> String {
        numbers::time(self.cost.seconds.mean / self.cost.threads as f64)
    }

    fn line(&self) -> String {
        let solutions = match self.total.counted {
            Some(count) => count.to_string(),
            None => with_error(self.total.total),
        };
        let mut time = self.time();
        if self.cost.counted.is_none() {
            time += &format!(" ± {:.1}%", percent(self.cost.seconds));
        }
        format!("{:>2}  {solutions:>25}  {time}\n", self.engine.size())
    }

    fn text(&self) -> String {
        let Self {
            engine,
            total,
            cost,
            seed,
            ..
        } = self;
        let seconds = self.seconds();
        let (scale, unit) = match seconds.mean < 3600.0 {
            true => (1.0, "seconds"),
            false => (3600.0, "hours"),
        };
        let scaled = seconds / scale;
        let threads = quantity(cost.threads as u64, "thread", "threads");
        let (label, on) = if self.devices.is_empty() {
            (format!("core-{unit}"), threads)
        } else {
            (
                format!("device-{unit}"),
                format!("{}, fed by {threads}", self.devices),
            )
        };
        let units = quantity(engine.units(), "unit", "units");
        let units = format!("{units} of {}", engine.name());
        let elapsed = self.elapsed.as_secs_f64();
        let (how, processor_time, last) = match cost.counted {
            Some(_) => (
                format!("counted in full instead of sampled, in {elapsed:.1} s on {on}"),
                format!("{:.4e}, measured over {units}", scaled.mean),
                "",
            ),
            None => (
                format!("sampled for {elapsed:.1} s on {on}, seed {seed}"),
                format!(
                    "{}, from {} samples of {units}",
                    with_range(scaled),
                    cost.draws
                ),
                "All ranges are 95% confidence intervals, for this machine at its current load.\n",
            ),
        };
        let solutions = match total.counted {
            Some(count) => format!("{count} (exact)"),
            None => format!(
                "{}, from {} samples by {}",
                with_range(total.total),
                total.draws,
                EngineChoice::Backtrack
            ),
        };
        format!(
            "\
N = {}, {how}
{:width$}  {solutions}
{label}  {processor_time}
{:width$}  {} on {on} of this machine
{:width$}  {}
{last}",
            engine.size(),
            "solutions",
            "",
            self.time(),
            "memory",
            bytes(engine.memory(cost.threads)),
            width = label.len(),
        )
    }

    fn row(&self) -> EstimateRow {
        let Self {
            engine,
            total,
            cost,
            ..
        } = self;
        let solutions = total.total;
        let rounded = match total.counted {
            Some(count) => [count; 3],
            None => [
                solutions.mean.round(),
                solutions.low().floor(),
                solutions.high().ceil(),
            ]
            .map(|solutions| solutions as u128),
        };
        let [total_mean, total_low, total_high] = rounded.map(Count);
        let seconds = self.seconds();
        let seconds = [seconds.mean, seconds.low(), seconds.high()].map(Some);
        let (core, device) = if self.devices.is_empty() {
            (seconds, [None; 3])
        } else {
            ([None; 3], seconds)
        };
        EstimateRow {
            n: engine.size().get(),
            total: total_mean,
            total_low,
            total_high,
            complete: cost.counted.is_some(),
            core_seconds: core[0],
            core_seconds_low: core[1],
            core_seconds_high: core[2],
            device_seconds: device[0],
            device_seconds_low: device[1],
            device_seconds_high: device[2],
            memory_bytes: engine.memory(cost.threads),
            samples: total.draws,
            time_samples: cost.draws,
            seed: self.seed,
            seconds: Seconds(self.elapsed),
            threads: cost.threads,
            engine: engine.name(),
            device: self.devices.to_string(),
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
    let error = with_error(interval);
    format!(
        "{error} ({:.4e} to {:.4e})",
        interval.low(),
        interval.high()
    )
}
