//! `queencount estimate N`: what a count will be and cost, from a sample of its units.
//!
//! Number and cost are sampled apart. The number does not depend on the engine, and the
//! backtracking engine can be sampled in tiny parts, so a few seconds of it tell the number to a
//! percent. The cost is told by units of the engine that is to count, and on large boards each unit
//! takes seconds. Where the time suffices to count all of them, the count says both, and nothing is
//! sampled.
//!
//! The price is that of the CPU, in core-hours, unless a device is named: then it is its own, in
//! device-hours. These are the hours on the wall of a device that all threads feed. People are told
//! less than an hour in seconds.

use std::time::{Duration, Instant};

use queencount::estimate::{BoardEstimate, Estimate, Estimator, Interval, SampleSize};
use queencount::{DeviceSet, Engine, EngineChoice};

use crate::cli::arguments::commands::EstimateArguments;
use crate::cli::counting::Counting;
use crate::cli::exit::OrExit;
use crate::cli::numbers::{self, bytes, quantity};
use crate::cli::output::{Form, Output, Value};
use crate::cli::progress::Gauge;

const HOUR: f64 = 3600.0;

/// The steps of the progress.
const STEPS: u64 = 1 << 20;

pub fn run(arguments: &EstimateArguments, counting: &Counting, output: &mut Output) -> OrExit<()> {
    let size = arguments.n;
    // Threads differ where only some of them feed a device.
    let shared = !counting.devices.is_empty() && !counting.devices.uses_all_threads();
    let mut counting = if shared {
        counting.on(DeviceSet::default())
    } else {
        *counting
    };
    let engine = counting.engine_of(size);
    counting.check_engine(&engine)?;
    // The CPU does not stand in for what is measured.
    counting.watch.require_device = true;
    if shared && engine.backend().is_some() {
        counting.watch.note(format_args!(
            "the price is that of the CPU; with --device gpu it is that of the GPUs"
        ));
    }
    counting.say(&engine);
    let reference = EngineChoice::Backtrack.engine(size);
    let seed = arguments.seed;
    let start = Instant::now();
    let steps = Gauge::of_steps(format!("N = {size}"), STEPS);
    let under_load = counting.on_devices(&engine);
    let sample = arguments
        .sample
        .map_or(SampleSize::Time(arguments.seconds), SampleSize::Draws);
    let BoardEstimate { total, cost, .. } = counting.watched(Some(&steps), start, |_, stop| {
        let on_progress = |fraction: f64| steps.reach((fraction * STEPS as f64) as u64);
        let estimator = Estimator::new(sample)
            .seed(seed)
            .threads(counting.threads)
            .under_load(under_load)
            .stop(stop)
            .on_progress(&on_progress);
        // A thread that waits for a device takes no time of the CPU.
        #[cfg(unix)]
        let estimator = if under_load {
            estimator
        } else {
            estimator.clock(&cpu_time)
        };
        Ok(estimator.run_board(&engine)?)
    })?;
    let devices = under_load.then_some(counting.devices);
    let found = Estimated {
        total,
        cost,
        devices,
        elapsed: start.elapsed(),
    };
    match output.form() {
        Form::Text => found.text(&engine, reference.name(), seed, output),
        _ => found.fields(&engine, seed, output),
    }
}

/// What the samples have found.
struct Estimated {
    /// Sampled from the reference engine, for the number of solutions.
    total: Estimate,
    /// Sampled from the engine that is to count, for the time.
    cost: Estimate,
    /// What the time is of, unless it is of the CPU.
    devices: Option<DeviceSet>,
    elapsed: Duration,
}

impl Estimated {
    /// The time of one CPU, or of one device, in units of so many seconds.
    fn time(&self, unit: f64) -> Interval {
        let seconds = match self.devices {
            Some(devices) => self.cost.device_seconds(devices.devices().count()),
            None => self.cost.seconds,
        };
        seconds / unit
    }

    fn text(
        &self,
        engine: &dyn Engine,
        reference: &str,
        seed: u64,
        output: &mut Output,
    ) -> OrExit<()> {
        let (size, name, threads) = (engine.size(), engine.name(), self.cost.threads);
        let units = quantity(engine.units(), "unit", "units");
        let on = quantity(threads as u64, "thread", "threads");
        let (seconds, unit) = if self.time(HOUR).mean < 1.0 {
            (1.0, "seconds")
        } else {
            (HOUR, "hours")
        };
        let (price, on) = match self.devices {
            None => (format!("core-{unit}"), on),
            Some(devices) => (format!("device-{unit}"), format!("{devices}, fed by {on}")),
        };
        let (elapsed, costs) = (self.elapsed.as_secs_f64(), self.time(seconds));
        let (how, costs, last) = match self.cost.counted {
            Some(_) => (
                format!("counted in full instead of sampled, in {elapsed:.1} s on {on}"),
                format!("{:.4e}, what {units} of {name} took", costs.mean),
                "",
            ),
            None => (
                format!("sampled for {elapsed:.1} s on {on}, seed {seed}"),
                format!(
                    "{}, from {} draws among {units} of {name}",
                    with_error(costs),
                    self.cost.draws
                ),
                "Each interval has a confidence of 95 %, for this machine as it is now.\n",
            ),
        };
        let solutions = match (self.total.counted, self.cost.counted) {
            (Some(count), Some(_)) => format!("{count}, exactly"),
            (Some(count), None) => format!("{count}, exactly, counted by {reference}"),
            (None, _) => format!(
                "{}, from {} draws by {reference}",
                with_error(self.total.total),
                self.total.draws
            ),
        };
        let (time, memory) = (
            numbers::time(self.cost.seconds.mean / threads as f64),
            bytes(engine.memory(threads)),
        );
        let [first, below, memory_name] =
            ["solutions", "", "memory"].map(|name| format!("{name:0$}", price.len()));
        output.text(format_args!(
            "\
N = {size}, {how}
{first}  {solutions}
{price}  {costs}
{below}  {time} on {on} of this machine
{memory_name}  {memory}
{last}"
        ))
    }

    fn fields(&self, engine: &dyn Engine, seed: u64, output: &mut Output) -> OrExit<()> {
        let (total, threads) = (self.total.total, self.cost.threads);
        let hours = |of_devices: bool| {
            let (hours, known) = (self.time(HOUR), self.devices.is_some() == of_devices);
            let [low, high] = [hours.low(), hours.high()];
            [hours.mean, low, high].map(|hours| {
                if known {
                    Value::Real(hours)
                } else {
                    Value::Nothing
                }
            })
        };
        let [low, high] = [total.low(), total.high()];
        let [total, low, high] = match self.total.counted {
            Some(count) => [count; 3],
            None => {
                [total.mean.round(), low.floor(), high.ceil()].map(|solutions| solutions as u128)
            }
        };
        let ([cores, cores_low, cores_high], [devices, devices_low, devices_high]) =
            (hours(false), hours(true));
        output.fields(&[
            ("n", Value::Number(engine.size().get().into())),
            ("counted", Value::Truth(self.cost.counted.is_some())),
            ("total", Value::Count(total)),
            ("total_low", Value::Count(low)),
            ("total_high", Value::Count(high)),
            ("core_hours", cores),
            ("core_hours_low", cores_low),
            ("core_hours_high", cores_high),
            ("device_hours", devices),
            ("device_hours_low", devices_low),
            ("device_hours_high", devices_high),
            ("memory_bytes", Value::Number(engine.memory(threads))),
            ("draws", Value::Number(self.total.draws)),
            ("time_draws", Value::Number(self.cost.draws)),
            ("seed", Value::Number(seed)),
            ("seconds", Value::Seconds(self.elapsed)),
            ("threads", Value::Number(threads as u64)),
            ("engine", engine.name().into()),
            (
                "device",
                Value::Text(self.devices.unwrap_or_default().to_string()),
            ),
            ("version", env!("CARGO_PKG_VERSION").into()),
        ])
    }
}

fn with_error(interval: Interval) -> String {
    let [low, high] = [interval.low(), interval.high()];
    let percent = if interval.mean > 0.0 {
        100.0 * interval.margin / interval.mean
    } else {
        0.0
    };
    format!(
        "{:.4e} +- {percent:.2} % ({low:.4e} to {high:.4e})",
        interval.mean
    )
}

/// The time that the calling thread has spent on a CPU so far. Unlike the time of a clock it does
/// not grow while other programs have the CPU, so it measures a count on a busy machine, too.
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
    fn the_time_on_the_cpu_grows_while_the_thread_works_and_stands_still_while_it_sleeps() {
        let before = cpu_time();
        std::thread::sleep(Duration::from_millis(500));
        assert!(cpu_time() - before < Duration::from_millis(250));
        while cpu_time() < before + Duration::from_millis(270) {}
    }
}
