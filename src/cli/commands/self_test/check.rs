//! A check: what it counts with, and what it has shown in the end.

use std::fmt::Display;
use std::sync::{Mutex, PoisonError};

use queencount::{BoardSize, CountError, Engine, EngineChoice, FanOut, Kernel, Random, Resources, Stop, Stopped};
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// What a check counts with.
pub struct Means<'a> {
    pub fan_out: FanOut<'a>,
    /// The threads that share the draws of a check.
    pub pool: &'a ThreadPool,
    pub stop: &'a Stop,
    /// What random units are drawn from.
    pub seed: u64,
    /// Hears which share of the check is done, from 0 to 1.
    pub reached: &'a (dyn Fn(f64) + Sync),
}

/// So many threads to share draws.
pub fn pool(threads: usize) -> Result<ThreadPool, CountError> {
    ThreadPoolBuilder::new().num_threads(threads).build().map_err(|error| CountError::Threads(error.into()))
}

/// What a check has shown, in words.
pub type Shown = Result<String, Flaw>;

/// Why a check has shown nothing.
#[derive(Debug)]
pub enum Flaw {
    /// What it checks is wrong.
    Wrong(String),
    /// It could not be made.
    Failed(CountError),
}

impl From<CountError> for Flaw {
    fn from(error: CountError) -> Self {
        match error {
            CountError::Overflow => Self::Wrong(error.to_string()),
            error => Self::Failed(error),
        }
    }
}

impl From<Stopped> for Flaw {
    fn from(stopped: Stopped) -> Self {
        CountError::from(stopped).into()
    }
}

/// A flaw, unless what is expected has been found.
pub fn expect<T: PartialEq + Display>(what: impl Display, expected: T, found: T) -> Result<(), Flaw> {
    if expected == found { Ok(()) } else { Err(Flaw::Wrong(format!("{what}: expected {expected}, found {found}"))) }
}

/// The plan of an engine, with a kernel if it has any.
pub fn plan(engine: EngineChoice, n: u32, kernel: Kernel) -> Box<dyn Engine> {
    let size = BoardSize::new(n).expect("the boards of the checks are boards");
    engine.engine_with(size, Resources { kernel, ..Resources::default() })
}

/// Draws so many units or parts of each board and checks them by plans of it. What is drawn and says nothing counts for
/// nothing. Returns how many have been checked. What is drawn depends on the seed alone, and on no thread.
pub fn drawn<T: Sync>(
    boards: &[(u32, u64)],
    plans: impl Fn(u32) -> T + Sync,
    means: &Means,
    says_something: impl Fn(u32, &T, &mut Random) -> Result<bool, Flaw> + Sync,
) -> Result<u64, Flaw> {
    let all = boards.iter().map(|(_, draws)| draws).sum();
    let done = Mutex::new(0);
    let check = |n: u32, plans: &T, draw: u64| -> Result<(), Flaw> {
        let mut random = Random::stream(means.seed, u64::from(n) << 32 | draw);
        while !says_something(n, plans, &mut random)? {}
        let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
        *done += 1;
        (means.reached)(*done as f64 / all as f64);
        Ok(())
    };
    means.pool.install(|| {
        boards.par_iter().try_for_each(|&(n, draws)| {
            let plans = plans(n);
            (0..draws).into_par_iter().try_for_each(|draw| check(n, &plans, draw))
        })
    })?;
    Ok(all)
}

/// The boards from the first to the last.
pub fn span(boards: &[(u32, u64)]) -> String {
    let [first, last] = [boards.first(), boards.last()].map(|board| board.map_or(0, |(n, _)| *n));
    format!("N = {first} to {last}")
}
