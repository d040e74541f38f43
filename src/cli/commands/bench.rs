//! `queencount bench`: what this machine can do.
//!
//! The table begins with boards that are counted, as long as the next one fits into a third of the
//! time. Of larger boards the time is estimated from a random sample of units. Where even that
//! takes too long, the growth of the last boards is continued. Every line says which of the three
//! it is.
//!
//! Two kernels, engines, numbers of threads or devices count the same board in turn. A machine is
//! never the same twice: its clock, its caches and its other users change from second to second.
//! What both ways of a pair have in common cancels out in their ratio, and the one that begins
//! changes from pair to pair.

use std::time::{Duration, Instant};

use queencount::engine::rows::Rows;
use queencount::estimate::{Estimator, SampleSize};
use queencount::{BoardSize, CountError, Counter, Engine, EngineChoice, Feeders};

use crate::cli::arguments::commands::{AgainstArguments, BenchArguments};
use crate::cli::arguments::options::only_rows;
use crate::cli::counting::Counting;
use crate::cli::exit::{Exit, OrExit};
use crate::cli::numbers;
use crate::cli::output::{Form, Output, Value};

/// The table begins here: smaller boards take no time.
const FIRST: u32 = 8;

/// The table ends here, unless another board is asked for: the largest that has ever been counted.
const LAST: u32 = 27;

/// The fewest pairs that tell something, and the most that are worth it. A board is chosen so that
/// the fewest fit.
const PAIRS: [usize; 2] = [5, 51];

/// The least time of a board that is chosen, if that leaves time for the pairs.
const LONG_ENOUGH: Duration = Duration::from_millis(200);

/// About how many times as long as the board before a board takes at most. The average is 8 times;
/// with `rows` it was between 2 and 10 times, and some boards may do worse.
const GROWTH: f64 = 14.0;

struct Budget {
    start: Instant,
    time: Duration,
}

impl Budget {
    /// What is left of this share of it, in seconds.
    fn left_of(&self, share: f64) -> f64 {
        (share * self.time.as_secs_f64() - self.start.elapsed().as_secs_f64()).max(0.0)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum How {
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

struct Timing {
    how: How,
    /// The time on all threads, in seconds.
    seconds: f64,
    /// The ends of its interval of 95 % confidence, where it is sampled.
    interval: Option<[f64; 2]>,
    rate: Option<f64>,
}

pub fn run(arguments: &BenchArguments, mut counting: Counting, output: &mut Output) -> OrExit<()> {
    against_rows(arguments)?;
    let budget = Budget {
        start: Instant::now(),
        time: arguments.seconds,
    };
    (counting.watch.until, counting.watch.require_device) =
        (Some(budget.start + budget.time), true);
    let against = &arguments.against;
    if *against != AgainstArguments::default() {
        if counting.engine == EngineChoice::Auto
            && (against.kernel.is_some() || against.device.is_some())
        {
            counting.engine = EngineChoice::Rows;
        }
        let other = counting.by(against.engine.unwrap_or(counting.engine));
        let mut other = match &against.device {
            Some(device) => other.on(device.resolve()?),
            None => other,
        };
        other.threads = against.threads.map_or(other.threads, |threads| {
            Counter::default().threads(threads as usize).thread_count()
        });
        if let Some(kernel) = against.kernel {
            other.resources = other.resources.kernel(kernel);
        }
        return compare(arguments.n, [&counting, &other], &budget, output);
    }
    // In a sample all threads count alike: by the CPU, or by devices.
    let counting = counting.on(counting.devices.feeders(Feeders::All));
    let last = arguments
        .n
        .map_or_else(|| BoardSize::new(LAST), Ok)
        .map_err(CountError::from)?;
    table(last, &counting, &budget, output)
}

/// Refuses to compare kernels or devices where no `rows` count.
fn against_rows(arguments: &BenchArguments) -> OrExit<()> {
    let AgainstArguments {
        engine,
        kernel,
        device,
        ..
    } = &arguments.against;
    for (option, given) in [
        ("--against-kernel", kernel.is_some()),
        ("--against-device", device.is_some()),
    ] {
        only_rows(
            option,
            given,
            engine.unwrap_or(arguments.options.how.engine),
        )?;
        if given
            && let Some(size) = arguments.n
            && !Rows::SIZES.contains(&size.get())
        {
            let expected = format!(
                "expected a board of at least {} rows with {option}",
                Rows::SIZES.start()
            );
            return Err(Exit::Usage(format!(
                "{expected}, found N = {size}, which no kernel counts"
            )));
        }
    }
    Ok(())
}

/// Makes the table, and writes each line as soon as it is known.
fn table(last: BoardSize, counting: &Counting, budget: &Budget, output: &mut Output) -> OrExit<()> {
    let mut table: Vec<Timing> = Vec::new();
    let mut how = How::Counted;
    for n in FIRST.min(last.get())..=last.get() {
        let engine = counting.engine_of(BoardSize::new(n).map_err(CountError::from)?);
        let engine = engine.as_ref();
        // Small boards are the CPU's. Where a device counts, the CPU does not stand in for it.
        let mut counting = *counting;
        counting.watch.require_device = counting.on_devices(engine);
        let counting = &counting;
        if table
            .last()
            .is_some_and(|before| GROWTH * before.seconds > budget.left_of(1.0 / 3.0))
        {
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
fn counted(engine: &dyn Engine, counting: &Counting, budget: &Budget) -> OrExit<Timing> {
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
    Ok(Timing {
        how: How::Counted,
        seconds,
        interval: None,
        rate: Some(total as f64 / seconds),
    })
}

/// Samples a board, the first of several `boards` that share the time that is left, or counts it if
/// there is time.
fn sampled(
    engine: &dyn Engine,
    counting: &Counting,
    budget: &Budget,
    boards: u32,
) -> OrExit<Timing> {
    let size = SampleSize::Time(Duration::from_secs_f64(
        budget.left_of(1.0) / f64::from(boards),
    ));
    let (under_load, threads) = (counting.on_devices(engine), counting.threads);
    let estimate = counting.watched(None, Instant::now(), |_, stop| {
        Ok(Estimator::new(size)
            .threads(threads)
            .under_load(under_load)
            .stop(stop)
            .run(engine)?)
    })?;
    let [mean, margin] =
        [estimate.seconds.mean, estimate.seconds.margin].map(|seconds| seconds / threads as f64);
    let (how, interval) = match estimate.counted {
        Some(_) => (How::Counted, None),
        None => (
            How::Sampled,
            Some([(mean - margin).max(0.0), mean + margin]),
        ),
    };
    // Draws with many solutions take long: the quotient is known better than either.
    Ok(Timing {
        how,
        seconds: mean,
        interval,
        rate: Some(estimate.total.mean / mean),
    })
}

/// Continues the growth from the fourth board before to the second, because boards of one parity
/// are alike.
fn extrapolated(table: &[Timing]) -> Timing {
    let ago = |boards: usize| Some(table[table.len().checked_sub(boards)?].seconds);
    let growth = ago(2)
        .zip(ago(4))
        .map_or(GROWTH * GROWTH, |(second, fourth)| second / fourth);
    // The first lines of a table have no fourth before them.
    let seconds = ago(2).or(ago(1)).map_or(0.0, |second| second * growth);
    Timing {
        how: How::Extrapolated,
        seconds,
        interval: None,
        rate: None,
    }
}

/// Writes a line of the table, and above the `first` one the heads.
fn write(
    engine: &dyn Engine,
    timing: &Timing,
    first: bool,
    counting: &Counting,
    output: &mut Output,
) -> OrExit<()> {
    let Timing {
        how,
        seconds,
        interval,
        rate,
    } = timing;
    let (n, kernel, engine) = (engine.size(), counting.kernel(engine), engine.name());
    let threads = counting.threads;
    if output.form() == Form::Text {
        if first {
            output.text(format_args!(
                " N          time              solutions/s  threads: {threads}\n"
            ))?;
        }
        let error = interval
            .map(|[_, high]| format!("+- {:.0} %", 100.0 * (high / seconds - 1.0)))
            .unwrap_or_default();
        let rate = rate.map(numbers::rate).unwrap_or_default();
        let kernel = kernel
            .map(|kernel| format!(", {kernel}"))
            .unwrap_or_default();
        let (time, how) = (numbers::time(*seconds), how.name());
        return output.text(format_args!(
            "{n:2}  {time:>12}  {error:8}  {rate:>13}  {how}, {engine}{kernel}\n"
        ));
    }
    output.fields(&[
        ("n", Value::Number(n.get().into())),
        ("seconds", Value::Real(*seconds)),
        (
            "seconds_low",
            interval.map_or(Value::Nothing, |[low, _]| Value::Real(low)),
        ),
        (
            "seconds_high",
            interval.map_or(Value::Nothing, |[_, high]| Value::Real(high)),
        ),
        (
            "solutions_per_second",
            rate.map_or(Value::Nothing, Value::Real),
        ),
        ("how", how.name().into()),
        ("threads", Value::Number(threads as u64)),
        ("engine", engine.into()),
        ("kernel", kernel.map_or(Value::Nothing, Value::Text)),
        ("version", env!("CARGO_PKG_VERSION").into()),
    ])
}

/// Lets two ways take turns on the board that is given, or a large one that both can count often
/// enough.
fn compare(
    size: Option<BoardSize>,
    ways: [&Counting; 2],
    budget: &Budget,
    output: &mut Output,
) -> OrExit<()> {
    let size = size.map_or_else(|| choose(ways, budget), Ok)?;
    let mut times: [Vec<f64>; 2] = Default::default();
    let mut ratios = Vec::new();
    while ratios.len() < PAIRS[1] {
        let [first, second] = match pair(size, ways, ratios.len() % 2 == 1) {
            Err(Exit::Late) if !ratios.is_empty() => break,
            times => times?,
        };
        times[0].push(first);
        times[1].push(second);
        ratios.push(second / first);
    }
    report(size, ways, times, ratios, output)
}

/// The times of both ways, of which the second begins if they are `swapped`.
fn pair(size: BoardSize, ways: [&Counting; 2], swapped: bool) -> OrExit<[f64; 2]> {
    let [here, there] = if swapped { [1, 0] } else { [0, 1] };
    let (one, other) = (ways[here].count(size)?, ways[there].count(size)?);
    if one.total != other.total {
        let found = format!("found {} and {}", one.total, other.total);
        return Err(Exit::Wrong(format!(
            "expected both to count the same for N = {size}, {found}"
        )));
    }
    let times = [one.elapsed.as_secs_f64(), other.elapsed.as_secs_f64()];
    Ok([times[here], times[there]])
}

/// The smallest board that takes long enough, or the largest that can be counted often enough.
fn choose(ways: [&Counting; 2], budget: &Budget) -> OrExit<BoardSize> {
    let mut n = 10;
    loop {
        let size = BoardSize::new(n).map_err(CountError::from)?;
        let times = pair(size, ways, false)?;
        let next = GROWTH * times.iter().sum::<f64>() * PAIRS[0] as f64;
        let long_enough = times.iter().all(|time| *time > LONG_ENOUGH.as_secs_f64());
        if long_enough || next > budget.left_of(1.0) || n == BoardSize::MAX {
            return Ok(size);
        }
        n += 1;
    }
}

fn report(
    size: BoardSize,
    ways: [&Counting; 2],
    mut times: [Vec<f64>; 2],
    mut ratios: Vec<f64>,
    output: &mut Output,
) -> OrExit<()> {
    let names = ways.map(|way| {
        let engine = way.engine_of(size);
        let kernel = way
            .kernel(engine.as_ref())
            .map(|kernel| format!(", {kernel}"))
            .unwrap_or_default();
        format!("{}{kernel}, threads {}", engine.name(), way.threads)
    });
    let pairs = ratios.len();
    median(&mut ratios);
    let [low, high] = [ratios[pairs / 4], ratios[pairs - 1 - pairs / 4]];
    let medians = times.each_mut().map(|times| median(times));
    let ratio = medians[1] / medians[0];
    if output.form() == Form::Text {
        let in_turn = numbers::quantity(pairs as u64, "pair", "pairs");
        let width = names.iter().map(String::len).max().unwrap_or(0);
        let mut text = format!(
            "N = {size}, {in_turn} in turn\n{:width$}        median     fastest     slowest\n",
            ""
        );
        for (name, times) in names.iter().zip(times) {
            let [least, middle, most] =
                [times[0], times[pairs / 2], times[pairs - 1]].map(numbers::time);
            text += &format!("{name:width$}  {middle:>12}{least:>12}{most:>12}\n");
        }
        let spread = format!("{low:.3} to {high:.3} in the middle half of the pairs");
        return output.text(format_args!(
            "{text}The second takes {ratio:.3} times as long as the first ({spread}).\n"
        ));
    }
    let [first, second] = names;
    output.fields(&[
        ("n", Value::Number(size.get().into())),
        ("pairs", Value::Number(pairs as u64)),
        ("first", Value::Text(first)),
        ("second", Value::Text(second)),
        ("first_seconds", Value::Real(medians[0])),
        ("second_seconds", Value::Real(medians[1])),
        ("ratio", Value::Real(ratio)),
        ("ratio_low", Value::Real(low)),
        ("ratio_high", Value::Real(high)),
        ("version", env!("CARGO_PKG_VERSION").into()),
    ])
}

/// The middle one, or the upper of two.
fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_of_few_lines_can_be_continued() {
        let mut table = Vec::new();
        for (n, seconds) in [(8, 1.0), (9, 10.0), (10, 60.0), (11, 500.0)] {
            let next = extrapolated(&table).seconds;
            assert!(
                next.is_finite() && next >= seconds * f64::from(n.min(9) - 8),
                "N = {n}: {next}"
            );
            table.push(Timing {
                how: How::Counted,
                seconds,
                interval: None,
                rate: None,
            });
        }
        assert_eq!(extrapolated(&table).seconds, 60.0 * 60.0);
    }
}
