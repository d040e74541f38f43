//! A check: what it counts with, what it draws, and what it has shown in the end.

use std::fmt::Display;
use std::sync::{Mutex, PoisonError};

use queencount::{BoardSize, CountError, Engine, EngineChoice, FanOut, Kernel, Random, Resources, Stop};
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::cli::exit::Exit;

/// What a check counts with.
pub struct Means<'a> {
    pub fan_out: FanOut<'a>,
    /// The threads that share the draws of a check.
    pub pool: &'a ThreadPool,
    pub stop: &'a Stop,
    /// What random units are drawn from.
    pub seed: u64,
    /// Is called with the share of the check that is done, from 0 to 1.
    pub reached: &'a (dyn Fn(f64) + Sync),
}

/// So many threads to share draws.
pub fn pool(threads: usize) -> Result<ThreadPool, CountError> {
    ThreadPoolBuilder::new().num_threads(threads).build().map_err(|error| CountError::Threads(error.into()))
}

/// What a check has shown, in words. What it finds wrong is [`Exit::Wrong`].
pub type Shown = Result<String, Exit>;

/// Fails unless what is expected has been found.
pub fn expect<T: PartialEq + Display>(what: impl Display, expected: T, found: T) -> Result<(), Exit> {
    if expected == found { Ok(()) } else { Err(Exit::Wrong(format!("{what}: expected {expected}, found {found}"))) }
}

/// A board of the checks.
pub fn board(n: u32) -> BoardSize {
    BoardSize::new(n).expect("the boards of the checks are boards")
}

/// The plan of an engine, with a kernel if it has any.
pub fn plan(engine: EngineChoice, n: u32, kernel: Kernel) -> Box<dyn Engine> {
    engine.engine_with(board(n), Resources { kernel, ..Resources::default() })
}

/// Draws so many units or parts of each board and checks them by plans of it. What is drawn and says nothing counts for
/// nothing. Returns how many have been checked. What is drawn depends on the seed alone, and on no thread.
pub fn drawn<T: Sync>(
    boards: &[(u32, u64)],
    plans: impl Fn(u32) -> T + Sync,
    means: &Means,
    says_something: impl Fn(u32, &T, &mut Random) -> Result<bool, Exit> + Sync,
) -> Result<u64, Exit> {
    let all = boards.iter().map(|(_, draws)| draws).sum();
    let done = Mutex::new(0);
    let check = |n: u32, plans: &T, draw: u64| -> Result<(), Exit> {
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

/// What a check shows on one thread.
#[cfg(test)]
pub fn on_one_thread<T>(check: impl Fn(&Means) -> Result<T, Exit>) -> Result<T, Exit> {
    let (pool, stop) = (pool(1)?, Stop::new());
    let fan_out = FanOut::default().threads(1);
    check(&Means { fan_out, pool: &pool, stop: &stop, seed: 1, reached: &|_| {} })
}
