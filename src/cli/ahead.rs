//! The solutions from number K on, reached from the nearest place whose number is known.
//!
//! To skip a solution is to count it, which takes long for hundreds of millions of them. But the mirror image reverses
//! the order: the K-th solution from the end is the mirror image of the K-th from the start. And half of the solutions,
//! the mirror images of the others, come after the middle of the board:
//!
//! ```text
//!   first queen    left half                |                right half
//!                  |------>        <--------|-------->        <-------|
//!   number         0               T/4     T/2      3/4 T             T
//! ```
//!
//! So with the number T of all solutions known, at most a quarter of them has to be skipped, and none at either end. The
//! fast engine counts T in a fraction of the time that it takes to skip a quarter, so it is worth counting if number K
//! lies behind the first quarter. A few draws tell where that ends, to a few percent.

use std::time::Instant;

use queencount::estimate::{Estimator, SampleSize};
use queencount::{BoardSize, EngineChoice, Solutions, Symmetry};

use super::counting::Counting;
use super::exit::Exit;
use super::progress::Gauge;

/// Fewer solutions than these are skipped in the time that it takes to find out whether there is a nearer place.
const WORTH_PLANNING: u128 = 10_000_000;

/// How many draws tell the number of solutions well enough.
const DRAWS: u64 = 256;

/// The number of solutions that are skipped at a time, between two steps of the progress: less than a second's work.
const AT_A_TIME: u128 = 1 << 21;

/// The solutions from number `index` on, counted from 0, and how many there are before them: `index`, or all if there
/// are not so many.
pub fn solutions_from(size: BoardSize, index: u128, counting: &Counting) -> Result<(Solutions, u128), Exit> {
    if index < WORTH_PLANNING || index < about_a_quarter(size, counting)? {
        let mut solutions = Solutions::new(size);
        let skipped = skip(&mut solutions, size, index, counting)?;
        return Ok((solutions, skipped));
    }
    let total = counting.by(EngineChoice::Auto).count(size)?.total;
    let Some(last) = total.checked_sub(1) else { return Ok((Solutions::new(size), 0)) };
    let nearest = Landmark::nearest(index.min(last), total);
    let mut solutions = nearest.solutions(size);
    skip(&mut solutions, size, nearest.skipped, counting)?;
    let found = solutions.next().expect("its number is below that of all solutions");
    let found = if nearest.mirrored { found.image(Symmetry::Mirror) } else { found };
    let mut solutions = Solutions::starting_at(size, found.columns());
    if index > last {
        // Behind the last there is nothing.
        solutions.next();
    }
    Ok((solutions, index.min(total)))
}

/// About a quarter of the number of solutions.
fn about_a_quarter(size: BoardSize, counting: &Counting) -> Result<u128, Exit> {
    let engine = EngineChoice::Backtrack.plan(size);
    let estimate = counting.watched(None, Instant::now(), |_, stop| {
        let (size, threads) = (SampleSize::Draws(DRAWS), counting.threads);
        let estimator = Estimator { size, seed: 1, threads, under_load: false, stop };
        Ok(estimator.run(engine.as_ref())?)
    })?;
    Ok((estimate.total.mean / 4.0) as u128)
}

/// Skips solutions. Returns how many.
fn skip(solutions: &mut Solutions, size: BoardSize, many: u128, counting: &Counting) -> Result<u128, Exit> {
    let steps = Gauge::of_solutions(size, many);
    counting.watched(Some(&steps), Instant::now(), |_, stop| {
        let mut skipped = 0;
        while skipped < many {
            let asked = AT_A_TIME.min(many - skipped);
            let passed = solutions.skip_ahead(asked, counting.threads, stop)?;
            skipped += passed;
            steps.reach(skipped as u64);
            if passed < asked {
                break;
            }
        }
        Ok(skipped)
    })
}

/// A place whose number is known, and the way from there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Landmark {
    /// Whether it is the middle of the board; otherwise the start.
    middle: bool,
    /// How many solutions are skipped from there.
    skipped: u128,
    /// Whether the one that is reached is the mirror image of the one that is wanted.
    mirrored: bool,
}

impl Landmark {
    /// The place that is nearest to number `index` of `total`.
    fn nearest(index: u128, total: u128) -> Self {
        let ways = [(index, false), (total - 1 - index, true)].into_iter().flat_map(|(index, mirrored)| {
            let from_middle = index.checked_sub(total / 2).map(|skipped| Self { middle: true, skipped, mirrored });
            [Some(Self { middle: false, skipped: index, mirrored }), from_middle]
        });
        ways.flatten().min_by_key(|landmark| landmark.skipped).expect("the start is a place")
    }

    /// The solutions from there on.
    fn solutions(self, size: BoardSize) -> Solutions {
        let middle = (size.get() / 2) as u8;
        match self.middle {
            false => Solutions::new(size),
            true if size.get().is_multiple_of(2) => Solutions::starting_at(size, &[middle]),
            // Below a queen of the middle column, the one of the second row stands to the left or to the right of it.
            true => Solutions::starting_at(size, &[middle, middle]),
        }
    }
}

#[cfg(test)]
mod tests {
    use queencount::Solution;

    use super::*;

    #[test]
    fn every_solution_is_reached_from_its_nearest_place() {
        for n in 4..=9 {
            let size = BoardSize::new(n).unwrap();
            let all: Vec<Solution> = Solutions::new(size).collect();
            let total = all.len() as u128;
            for (index, solution) in all.iter().enumerate() {
                let landmark = Landmark::nearest(index as u128, total);
                assert!(landmark.skipped <= total / 4, "N = {n}, {index}: {landmark:?}");
                let found = landmark.solutions(size).nth(landmark.skipped as usize).unwrap();
                let found = if landmark.mirrored { found.image(Symmetry::Mirror) } else { found };
                assert_eq!(found, *solution, "N = {n}, {index}: {landmark:?}");
            }
            for index in [0, total - 1] {
                assert_eq!(Landmark::nearest(index, total).skipped, 0, "N = {n}");
            }
        }
    }
}
