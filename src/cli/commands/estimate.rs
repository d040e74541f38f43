//! `queencount estimate N`: what a count will be and cost, from a sample of its units.
//!
//! Number and cost are sampled apart. The number does not depend on the engine, and the backtracking engine can be
//! sampled in tiny parts, so a few seconds of it tell the number to a percent. The cost is told by whole units of the
//! engine that is to count, and on large boards each unit takes seconds.

use std::time::{Duration, Instant};

use queencount::estimate::{Estimator, Interval, SampleSize};
use queencount::{Engine, EngineChoice};

use crate::cli::arguments::commands::EstimateArguments;
use crate::cli::counting::Counting;
use crate::cli::exit::Failure;
use crate::cli::form::Form;
use crate::cli::numbers::{self, bytes};
use crate::cli::output::{Output, Value};

/// Runs it.
pub fn run(arguments: &EstimateArguments, counting: &Counting, output: &mut Output) -> Result<(), Failure> {
    let size = arguments.n;
    let engine = counting.plan(size);
    counting.say(engine.as_ref());
    let reference = EngineChoice::Backtrack.plan(size);
    let (seed, threads) = (arguments.seed, counting.threads());
    let start = Instant::now();
    let sample = |engine: &dyn Engine, sixths: u32| {
        let time = Duration::from_secs(arguments.seconds) * sixths / 6;
        let size = arguments.sample.map_or(SampleSize::Time(time), SampleSize::Draws);
        counting.watched(None, start, |_, stop| Ok(Estimator { size, seed, threads, stop }.run(engine)?))
    };
    let (total, cost) = if engine.name() == reference.name() {
        let both = sample(engine.as_ref(), 6)?;
        (both.clone(), both)
    } else {
        (sample(reference.as_ref(), 1)?, sample(engine.as_ref(), 5)?)
    };
    let (total_draws, draws, elapsed) = (total.draws, cost.draws, start.elapsed());
    let (total, seconds) = (total.total, cost.seconds);
    let memory = engine.memory(threads);
    let hours = |seconds: f64| seconds / 3600.0;
    if output.form() == Form::Text {
        let (name, units) = (engine.name(), engine.units());
        let time = numbers::time(seconds.mean / threads as f64);
        return output.text(format_args!(
            "\
N = {size}, sampled for {:.1} s on {threads} threads, seed {seed}
solutions   {}, from {total_draws} draws by {}
core-hours  {}, from {draws} draws among the {units} units of {name}
            {time} on {threads} threads of this machine
memory      {}
Each interval has a confidence of 95 %.
",
            elapsed.as_secs_f64(),
            with_error(total),
            reference.name(),
            with_error(Interval { mean: hours(seconds.mean), margin: hours(seconds.margin) }),
            bytes(memory),
        ));
    }
    let [low, high] = ends(total);
    let [least, most] = ends(seconds).map(hours);
    output.fields(&[
        ("n", Value::Number(size.get().into())),
        ("solutions", Value::Real(total.mean)),
        ("solutions_low", Value::Real(low)),
        ("solutions_high", Value::Real(high)),
        ("core_hours", Value::Real(hours(seconds.mean))),
        ("core_hours_low", Value::Real(least)),
        ("core_hours_high", Value::Real(most)),
        ("memory_bytes", Value::Number(memory)),
        ("draws", Value::Number(total_draws)),
        ("time_draws", Value::Number(draws)),
        ("seed", Value::Number(seed)),
        ("seconds", Value::Seconds(elapsed)),
        ("threads", Value::Number(threads as u64)),
        ("engine", Value::Word(engine.name())),
        ("version", Value::Word(env!("CARGO_PKG_VERSION"))),
    ])
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
