//! `queencount estimate N`: what a count will be and cost, from a sample of its units.
//!
//! Number and cost are sampled apart. The number does not depend on the engine, and the backtracking engine can be
//! sampled in tiny parts, so a few seconds of it tell the number to a percent. The cost is told by units of the engine
//! that is to count, and on large boards each unit takes seconds. Where the time suffices to count all of them, the
//! count says both, and nothing is sampled.

use std::ops::Range;
use std::time::{Duration, Instant};

use queencount::estimate::{Estimate, Estimator, Interval, SampleSize};
use queencount::{Engine, EngineChoice};

use crate::cli::arguments::commands::EstimateArguments;
use crate::cli::counting::Counting;
use crate::cli::cpu_time;
use crate::cli::exit::Failure;
use crate::cli::form::Form;
use crate::cli::numbers::{self, bytes, quantity};
use crate::cli::output::{Output, Value};
use crate::cli::progress::Steps;

/// The steps of a sixth of the progress.
const SIXTH: u64 = 1 << 20;

/// Runs it.
pub fn run(arguments: &EstimateArguments, counting: &Counting, output: &mut Output) -> Result<(), Failure> {
    let size = arguments.n;
    let engine = counting.plan(size);
    counting.say(engine.as_ref());
    let reference = EngineChoice::Backtrack.plan(size);
    let (seed, threads) = (arguments.seed, counting.threads());
    let start = Instant::now();
    let steps = Steps::new(format!("N = {size}"), 6 * SIXTH);
    // Samples an engine in this part of the time.
    let sample = |engine: &dyn Engine, sixths: Range<u32>| {
        let time = arguments.seconds * sixths.len() as u32 / 6;
        let size = arguments.sample.map_or(SampleSize::Time(time), SampleSize::Draws);
        let progress = |share: f64| {
            let done = f64::from(sixths.start) + sixths.len() as f64 * share;
            steps.reach((done * SIXTH as f64) as u64);
        };
        counting.watched(Some(&steps), start, |_, stop| {
            let estimator = Estimator { size, seed, threads, stop };
            Ok(estimator.run_with(engine, &cpu_time::of_this_thread, &progress)?)
        })
    };
    let found = if engine.name() == reference.name() {
        let both = sample(engine.as_ref(), 0..6)?;
        Found { total: both.clone(), cost: both, elapsed: start.elapsed() }
    } else {
        let cost = sample(engine.as_ref(), 0..5)?;
        let total = if cost.counted.is_some() { cost.clone() } else { sample(reference.as_ref(), 5..6)? };
        Found { total, cost, elapsed: start.elapsed() }
    };
    match output.form() {
        Form::Text => found.text(engine.as_ref(), reference.name(), seed, output),
        _ => found.fields(engine.as_ref(), seed, output),
    }
}

/// What the samples have found.
struct Found {
    /// Sampled from the reference engine, for the number of solutions.
    total: Estimate,
    /// Sampled from the engine that is to count, for the time.
    cost: Estimate,
    elapsed: Duration,
}

impl Found {
    /// The time of one CPU, in hours.
    fn core_hours(&self) -> Interval {
        let Interval { mean, margin } = self.cost.seconds;
        Interval { mean: mean / 3600.0, margin: margin / 3600.0 }
    }

    /// For people.
    fn text(&self, engine: &dyn Engine, reference: &str, seed: u64, output: &mut Output) -> Result<(), Failure> {
        let (size, name, threads) = (engine.size(), engine.name(), self.cost.threads);
        let units = quantity(engine.units(), "unit", "units");
        let on = quantity(threads as u64, "thread", "threads");
        let (elapsed, hours) = (self.elapsed.as_secs_f64(), self.core_hours());
        let time = numbers::time(self.cost.seconds.mean / threads as f64);
        let memory = bytes(engine.memory(threads));
        if let Some(count) = self.cost.counted {
            return output.text(format_args!(
                "\
N = {size}, counted in full instead of sampled, in {elapsed:.1} s on {on}
solutions   {count}, exactly
core-hours  {:.4e}, what {units} of {name} took
            {time} on {on} of this machine
memory      {memory}
",
                hours.mean,
            ));
        }
        output.text(format_args!(
            "\
N = {size}, sampled for {elapsed:.1} s on {on}, seed {seed}
solutions   {}, from {} draws by {reference}
core-hours  {}, from {} draws among {units} of {name}
            {time} on {on} of this machine
memory      {memory}
Each interval has a confidence of 95 %, for this machine as it is now.
",
            with_error(self.total.total),
            self.total.draws,
            with_error(hours),
            self.cost.draws,
        ))
    }

    /// For programs.
    fn fields(&self, engine: &dyn Engine, seed: u64, output: &mut Output) -> Result<(), Failure> {
        let (total, hours, threads) = (self.total.total, self.core_hours(), self.cost.threads);
        let ([low, high], [least, most]) = (ends(total), ends(hours));
        output.fields(&[
            ("n", Value::Number(engine.size().get().into())),
            ("counted", Value::Truth(self.cost.counted.is_some())),
            ("solutions", Value::Real(total.mean)),
            ("solutions_low", Value::Real(low)),
            ("solutions_high", Value::Real(high)),
            ("core_hours", Value::Real(hours.mean)),
            ("core_hours_low", Value::Real(least)),
            ("core_hours_high", Value::Real(most)),
            ("memory_bytes", Value::Number(engine.memory(threads))),
            ("draws", Value::Number(self.total.draws)),
            ("time_draws", Value::Number(self.cost.draws)),
            ("seed", Value::Number(seed)),
            ("seconds", Value::Seconds(self.elapsed)),
            ("threads", Value::Number(threads as u64)),
            ("engine", Value::Word(engine.name())),
            ("version", Value::Word(env!("CARGO_PKG_VERSION"))),
        ])
    }
}

/// The ends of an interval; nothing that is counted is negative.
fn ends(interval: Interval) -> [f64; 2] {
    [(interval.mean - interval.margin).max(0.0), interval.mean + interval.margin]
}

fn with_error(interval: Interval) -> String {
    let [low, high] = ends(interval);
    let percent = if interval.mean > 0.0 { 100.0 * interval.margin / interval.mean } else { 0.0 };
    format!("{:.4e} +- {percent:.2} % ({low:.4e} to {high:.4e})", interval.mean)
}
