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

use indicatif::HumanBytes;
use serde::Serialize;

use crate::estimate::{Estimate, Estimator, Interval, SampleSize};
use crate::{BoardSize, DeviceSet, Engine, EngineChoice};

use crate::cli::app::App;
use crate::cli::error::Result;
use crate::cli::flags::commands::EstimateArguments;
use crate::cli::numbers::{digits, grouped, quantity, threads, time};
use crate::cli::output::{Count, Format, Seconds};
use crate::cli::ui::progress::Progress;

#[derive(Serialize)]
struct EstimateReport {
    n: u32,
    total: Count,
    total_low: Count,
    total_high: Count,
    /// The time on one thread, or on one device.
    thread_seconds: f64,
    thread_seconds_low: f64,
    thread_seconds_high: f64,
    memory_bytes: u64,
    seed: u64,
    seconds: Seconds,
    threads: usize,
    engine: &'static str,
    device: String,
    version: &'static str,
}

pub(crate) fn run(args: &EstimateArguments) -> Result<()> {
    let app = App::new(&args.options)?;
    let devices = app.options.devices;
    if !devices.is_empty() && !devices.uses_all_threads() {
        app.ui
            .note("this is the time on the CPU; for the time on GPUs, use --device gpu");
    }
    let boards: Vec<BoardSize> = args
        .boards
        .iter()
        .flat_map(|range| range.boards())
        .collect();
    let in_table = boards.len() > 1;
    if in_table && app.output.format() == Format::Text {
        let threads = threads(app.threads);
        let header = format!("{:>2}  {:>28}  time on {threads}\n", "N", "solutions");
        app.output.text(header)?;
    }
    let start = Instant::now();
    for (index, &size) in boards.iter().enumerate() {
        // Time left over from small boards goes to larger ones.
        let left = args.time.saturating_sub(start.elapsed());
        let time = left / (boards.len() - index) as u32;
        let engine = app.engine(size);
        let (report, estimate) = estimate(&app, engine.as_ref(), args, time)?;
        let text = match in_table {
            true => report.row(&estimate),
            false => report.text(&estimate, engine.units()),
        };
        app.output.print(&report, text)?;
    }
    Ok(())
}

fn estimate(
    app: &App,
    engine: &dyn Engine,
    args: &EstimateArguments,
    time: Duration,
) -> Result<(EstimateReport, Estimate)> {
    app.log_plan(engine);
    let start = Instant::now();
    let progress = Progress::new(format!("N = {}", engine.size()));
    let sample = args
        .sample
        .map_or(SampleSize::Time(time), SampleSize::Draws);
    let estimate = app.supervise(&progress, |_, cancel| {
        Ok(Estimator::new(sample)
            .seed(args.seed)
            .threads(app.threads)
            .stop(cancel)
            .on_progress(&|done| progress.reach(done))
            .run_board(engine)?)
    })?;
    let rounded = match estimate.counted {
        Some(count) => [count; 3],
        None => [
            estimate.total.mean.round() as u128,
            estimate.total.low().floor() as u128,
            estimate.total.high().ceil() as u128,
        ],
    };
    let [total, total_low, total_high] = rounded.map(Count);
    let time = estimate.processor_seconds();
    let devices = match estimate.devices {
        0 => DeviceSet::default(),
        _ => app.options.devices,
    };
    let report = EstimateReport {
        n: engine.size().get(),
        total,
        total_low,
        total_high,
        thread_seconds: time.mean,
        thread_seconds_low: time.low(),
        thread_seconds_high: time.high(),
        memory_bytes: engine.memory(estimate.threads),
        seed: args.seed,
        seconds: Seconds(start.elapsed()),
        threads: estimate.threads,
        engine: engine.name(),
        device: devices.to_string(),
        version: crate::VERSION,
    };
    Ok((report, estimate))
}

impl EstimateReport {
    fn row(&self, estimate: &Estimate) -> String {
        let solutions = match estimate.counted {
            Some(count) => grouped(count),
            None => with_error(estimate.total),
        };
        let time = match time_on_all_threads(estimate) {
            time if estimate.draws == 0 => time,
            time if is_vague(estimate.seconds) => format!("roughly {time}"),
            time => format!("{time} ± {:.2}%", percent(estimate.seconds)),
        };
        format!("{:>2}  {solutions:>28}  {time}\n", self.n)
    }

    fn text(&self, estimate: &Estimate, units: u64) -> String {
        let threads = threads(self.threads);
        let (processor, on) = match self.device.as_str() {
            "cpu" => ("thread", threads),
            device => ("device", format!("{device}, fed by {threads}")),
        };
        let seconds = estimate.processor_seconds();
        let (label, time) = match seconds.mean < 3600.0 {
            true => (format!("{processor}-seconds"), seconds),
            false => (format!("{processor}-hours"), seconds / 3600.0),
        };
        let width = label.len();
        let elapsed = self.seconds.0.as_secs_f64();
        let units = quantity(units, "unit");
        let (how, time) = match estimate.draws {
            0 => (
                format!("counted in full instead of sampled, in {elapsed:.1} s on {on}"),
                format!("{}, measured over", digits(time.mean, 4)),
            ),
            draws => (
                format!("sampled for {elapsed:.1} s on {on}, seed {}", self.seed),
                format!("{}, from {draws} samples of", with_range(time)),
            ),
        };
        let solutions = match estimate.counted {
            Some(count) => format!("{} (exact)", grouped(count)),
            None => format!(
                "{}, from {} samples by {}",
                with_range(estimate.total),
                estimate.total_draws,
                EngineChoice::Backtrack
            ),
        };
        let mut text = format!(
            "N = {}, {how}\n\
             {:width$}  {solutions}\n\
             {label}  {time} {units} of {}\n\
             {:width$}  {} on {on} of this machine\n\
             {:width$}  {}\n",
            self.n,
            "solutions",
            self.engine,
            "",
            time_on_all_threads(estimate),
            "memory",
            HumanBytes(self.memory_bytes)
        );
        if text.contains('±') {
            text += "All ranges are 95% confidence intervals, for CPUs that run nothing else.\n";
        }
        text
    }
}

/// Returns the wall-clock time of a full count.
fn time_on_all_threads(estimate: &Estimate) -> String {
    time(estimate.seconds.mean / estimate.threads as f64)
}

fn percent(interval: Interval) -> f64 {
    if interval.mean > 0.0 {
        100.0 * interval.margin / interval.mean
    } else {
        0.0
    }
}

/// Returns whether an interval is wider than its mean, so that it would mislead.
fn is_vague(interval: Interval) -> bool {
    interval.margin > interval.mean / 2.0
}

fn with_error(interval: Interval) -> String {
    let mean = digits(interval.mean, 4);
    match is_vague(interval) {
        true => format!("roughly {mean}"),
        false => format!("{mean} ± {:.2}%", percent(interval)),
    }
}

fn with_range(interval: Interval) -> String {
    let error = with_error(interval);
    if is_vague(interval) {
        return format!("{error} (too few samples for a range)");
    }
    let [low, high] = [interval.low(), interval.high()].map(|end| digits(end, 4));
    format!("{error} ({low} to {high})")
}
