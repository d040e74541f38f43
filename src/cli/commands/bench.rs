//! `queencount bench`: what this machine can do.
//!
//! The table begins with boards that are counted, as long as the next one fits into a third of the time. Of larger
//! boards the time is estimated from a random sample of units. Where even that takes too long, the growth of the last
//! boards is continued. Every line says which of the three it is.
//!
//! Two kernels, engines, numbers of threads or devices are compared by [`pair`].

mod pair;

use std::time::{Duration, Instant};

use queencount::engine::rows::Rows;
use queencount::estimate::{Estimator, SampleSize};
use queencount::{BoardSize, CountError, DeviceChoice, Engine, EngineChoice, threads_meant};

use crate::cli::arguments::commands::{AgainstArguments, BenchArguments};
use crate::cli::arguments::options::only_rows;
use crate::cli::counting::Counting;
use crate::cli::exit::Exit;
use crate::cli::numbers;
use crate::cli::output::{Form, Output, Value};

use pair::{Budget, GROWTH, median};

/// The table begins here: smaller boards take no time.
const FIRST: u32 = 8;

/// The table ends here, unless another board is asked for: the largest that has ever been counted.
const LAST: u32 = 27;

/// How the time of a board is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum How {
    /// It has been counted.
    Counted,
    /// Some of its units have been counted.
    Sampled,
    /// Smaller boards have been.
    Extrapolated,
}

impl How {
    fn name(self) -> &'static str {
        match self {
            Self::Counted => "counted",
            Self::Sampled => "sampled",
            Self::Extrapolated => "extrapolated",
        }
    }
}

/// The time of one board.
struct Timing {
    how: How,
    /// The time on all threads, in seconds.
    seconds: f64,
    /// The ends of its interval of 95 % confidence, where it is sampled.
    interval: Option<[f64; 2]>,
    /// Solutions found in a second.
    rate: Option<f64>,
}

pub fn run(arguments: &BenchArguments, mut counting: Counting, output: &mut Output) -> Result<(), Exit> {
    against_rows(arguments)?;
    let budget = Budget { start: Instant::now(), time: arguments.seconds };
    (counting.watch.until, counting.watch.require_device) = (Some(budget.start + budget.time), true);
    let against = &arguments.against;
    if *against != AgainstArguments::default() {
        if counting.engine == EngineChoice::Auto && (against.kernel.is_some() || against.device.is_some()) {
            counting.engine = EngineChoice::Rows;
        }
        let other = counting.by(against.engine.unwrap_or(counting.engine));
        let mut other = other.on(against.device.unwrap_or(counting.devices()));
        other.threads = against.threads.map_or(other.threads, |threads| threads_meant(threads as usize));
        other.resources.kernel = against.kernel.map_or(other.resources.kernel, Option::unwrap_or_default);
        return pair::run(arguments.n, [&counting, &other], &budget, output);
    }
    // In a sample all threads count alike: by the CPU, or by devices.
    let counting = match counting.devices() {
        DeviceChoice::Auto if DeviceChoice::Gpus.devices().is_empty() => counting.on(DeviceChoice::Cpu),
        DeviceChoice::Auto => counting.on(DeviceChoice::Gpus),
        named => counting.on(named),
    };
    let last = arguments.n.map_or_else(|| BoardSize::new(LAST), Ok).map_err(CountError::from)?;
    table(last, &counting, &budget, output)
}

/// Refuses to compare kernels or devices where no `rows` count.
fn against_rows(arguments: &BenchArguments) -> Result<(), Exit> {
    let AgainstArguments { engine, kernel, device, .. } = &arguments.against;
    for (option, given) in [("--against-kernel", kernel.is_some()), ("--against-device", device.is_some())] {
        only_rows(option, given, engine.unwrap_or(arguments.options.how.engine))?;
        if given
            && let Some(size) = arguments.n
            && !Rows::SIZES.contains(&size.get())
        {
            let expected = format!("expected a board of at least {} rows with {option}", Rows::SIZES.start());
            return Err(Exit::Usage(format!("{expected}, found N = {size}, which no kernel counts")));
        }
    }
    Ok(())
}

/// Makes the table, and writes each line as soon as it is known.
fn table(last: BoardSize, counting: &Counting, budget: &Budget, output: &mut Output) -> Result<(), Exit> {
    let mut table: Vec<Timing> = Vec::new();
    let mut how = How::Counted;
    for n in FIRST.min(last.get())..=last.get() {
        let engine = counting.engine_of(BoardSize::new(n).map_err(CountError::from)?);
        let engine = engine.as_ref();
        // Small boards are the CPU's. Where a device counts, the CPU does not stand in for it.
        let mut counting = *counting;
        counting.watch.require_device = counting.on_devices(engine);
        let counting = &counting;
        if table.last().is_some_and(|before| GROWTH * before.seconds > budget.left_of(1.0 / 3.0)) {
            how = how.max(How::Sampled);
        }
        // What proves to be too much for one board is so for the larger ones.
        let timing = loop {
            let timing = match how {
                How::Counted => counted(engine, counting, budget),
                How::Sampled => sampled(engine, counting, budget, last.get() - n + 1),
                How::Extrapolated => Ok(extrapolated(&table)),
            };
            match timing {
                Err(Exit::Late) if how == How::Counted => how = How::Sampled,
                Err(Exit::Late) => how = How::Extrapolated,
                timing => break timing?,
            }
        };
        write(engine, &timing, table.is_empty(), counting, output)?;
        table.push(timing);
    }
    Ok(())
}

/// Counts a board, small ones several times.
fn counted(engine: &dyn Engine, counting: &Counting, budget: &Budget) -> Result<Timing, Exit> {
    const MOST: usize = 9;
    let mut times = Vec::new();
    let enough = budget.time.as_secs_f64() / 100.0;
    let total = loop {
        let counted = counting.count(engine.size())?;
        times.push(counted.elapsed.as_secs_f64());
        if times.len() == MOST || times.iter().sum::<f64>() > enough {
            break counted.total;
        }
    };
    let seconds = median(&mut times);
    Ok(Timing { how: How::Counted, seconds, interval: None, rate: Some(total as f64 / seconds) })
}

/// Samples a board, the first of several `boards` that share the time that is left, or counts it if there is time.
fn sampled(engine: &dyn Engine, counting: &Counting, budget: &Budget, boards: u32) -> Result<Timing, Exit> {
    let size = SampleSize::Time(Duration::from_secs_f64(budget.left_of(1.0) / f64::from(boards)));
    let (under_load, threads) = (counting.on_devices(engine), counting.threads);
    let estimate = counting.watched(None, Instant::now(), |_, stop| {
        Ok(Estimator { size, seed: 1, threads, under_load, stop }.run(engine)?)
    })?;
    let [mean, margin] = [estimate.seconds.mean, estimate.seconds.margin].map(|seconds| seconds / threads as f64);
    let (how, interval) = match estimate.counted {
        Some(_) => (How::Counted, None),
        None => (How::Sampled, Some([(mean - margin).max(0.0), mean + margin])),
    };
    // Draws with many solutions take long: the quotient is known better than either.
    Ok(Timing { how, seconds: mean, interval, rate: Some(estimate.total.mean / mean) })
}

/// Continues the growth from the fourth board before to the second, because boards of one parity are alike.
fn extrapolated(table: &[Timing]) -> Timing {
    let ago = |boards: usize| Some(table[table.len().checked_sub(boards)?].seconds);
    let growth = ago(2).zip(ago(4)).map_or(GROWTH * GROWTH, |(second, fourth)| second / fourth);
    // The first lines of a table have no fourth before them.
    let seconds = ago(2).or(ago(1)).map_or(0.0, |second| second * growth);
    Timing { how: How::Extrapolated, seconds, interval: None, rate: None }
}

/// Writes a line of the table, and above the `first` one the heads.
fn write(
    engine: &dyn Engine,
    timing: &Timing,
    first: bool,
    counting: &Counting,
    output: &mut Output,
) -> Result<(), Exit> {
    let Timing { how, seconds, interval, rate } = timing;
    let (n, kernel, engine) = (engine.size(), counting.kernel(engine), engine.name());
    let threads = counting.threads;
    if output.form() == Form::Text {
        if first {
            output.text(format_args!(" N          time              solutions/s  threads: {threads}\n"))?;
        }
        let error = interval.map(|[_, high]| format!("+- {:.0} %", 100.0 * (high / seconds - 1.0))).unwrap_or_default();
        let rate = rate.map(numbers::rate).unwrap_or_default();
        let kernel = kernel.map(|kernel| format!(", {kernel}")).unwrap_or_default();
        let (time, how) = (numbers::time(*seconds), how.name());
        return output.text(format_args!("{n:2}  {time:>12}  {error:8}  {rate:>13}  {how}, {engine}{kernel}\n"));
    }
    output.fields(&[
        ("n", Value::Number(n.get().into())),
        ("seconds", Value::Real(*seconds)),
        ("seconds_low", interval.map_or(Value::Nothing, |[low, _]| Value::Real(low))),
        ("seconds_high", interval.map_or(Value::Nothing, |[_, high]| Value::Real(high))),
        ("solutions_per_second", rate.map_or(Value::Nothing, Value::Real)),
        ("how", Value::Word(how.name())),
        ("threads", Value::Number(threads as u64)),
        ("engine", Value::Word(engine)),
        ("kernel", kernel.map_or(Value::Nothing, Value::Text)),
        ("version", Value::Word(env!("CARGO_PKG_VERSION"))),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_of_few_lines_can_be_continued() {
        let mut table = Vec::new();
        for (n, seconds) in [(8, 1.0), (9, 10.0), (10, 60.0), (11, 500.0)] {
            let next = extrapolated(&table).seconds;
            assert!(next.is_finite() && next >= seconds * f64::from(n.min(9) - 8), "N = {n}: {next}");
            table.push(Timing { how: How::Counted, seconds, interval: None, rate: None });
        }
        assert_eq!(extrapolated(&table).seconds, 60.0 * 60.0);
    }
}
