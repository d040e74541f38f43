//! Two ways to count the same board, in turn.
//!
//! A machine is never the same twice: its clock, its caches and its other users change from second to second. What
//! both ways of a pair have in common cancels out in their ratio, and the one that begins changes from pair to pair.
//!
//! What the table of boards needs as well is here, too: how much time there is, and the median.

use std::time::{Duration, Instant};

use queencount::{BoardSize, CountError};

use crate::cli::counting::Counting;
use crate::cli::exit::Exit;
use crate::cli::numbers;
use crate::cli::output::{Form, Output, Value};

/// The fewest pairs that tell something, and the most that are worth it. A board is chosen so that the fewest fit.
const PAIRS: [usize; 2] = [5, 51];

/// The least time of a board that is chosen, if that leaves time for the pairs.
const LONG_ENOUGH: Duration = Duration::from_millis(200);

/// About how many times as long as the board before a board takes at most. The average is 8 times; with `rows`
/// it was between 2 and 10 times, and some boards may do worse.
pub const GROWTH: f64 = 14.0;

/// How much time there is.
pub struct Budget {
    pub start: Instant,
    pub time: Duration,
}

impl Budget {
    /// What is left of this share of it, in seconds.
    pub fn left_of(&self, share: f64) -> f64 {
        (share * self.time.as_secs_f64() - self.start.elapsed().as_secs_f64()).max(0.0)
    }
}

/// Runs it: the board that is given, or a large one that both can count often enough.
pub fn run(size: Option<BoardSize>, ways: [&Counting; 2], budget: &Budget, output: &mut Output) -> Result<(), Exit> {
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
fn pair(size: BoardSize, ways: [&Counting; 2], swapped: bool) -> Result<[f64; 2], Exit> {
    let [here, there] = if swapped { [1, 0] } else { [0, 1] };
    let (one, other) = (ways[here].count(size)?, ways[there].count(size)?);
    if one.total != other.total {
        let found = format!("found {} and {}", one.total, other.total);
        return Err(Exit::Wrong(format!("expected both to count the same for N = {size}, {found}")));
    }
    let times = [one.elapsed.as_secs_f64(), other.elapsed.as_secs_f64()];
    Ok([times[here], times[there]])
}

/// The smallest board that takes long enough, or the largest that can be counted often enough.
fn choose(ways: [&Counting; 2], budget: &Budget) -> Result<BoardSize, Exit> {
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
) -> Result<(), Exit> {
    let names = ways.map(|way| {
        let engine = way.engine_of(size);
        let kernel = way.kernel(engine.as_ref()).map(|kernel| format!(", {kernel}")).unwrap_or_default();
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
        let mut text = format!("N = {size}, {in_turn} in turn\n{:width$}        median     fastest     slowest\n", "");
        for (name, times) in names.iter().zip(times) {
            let [least, middle, most] = [times[0], times[pairs / 2], times[pairs - 1]].map(numbers::time);
            text += &format!("{name:width$}  {middle:>12}{least:>12}{most:>12}\n");
        }
        let spread = format!("{low:.3} to {high:.3} in the middle half of the pairs");
        return output.text(format_args!("{text}The second takes {ratio:.3} times as long as the first ({spread}).\n"));
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
        ("version", Value::Word(env!("CARGO_PKG_VERSION"))),
    ])
}

/// The middle one, or the upper of two.
pub fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
