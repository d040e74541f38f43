//! The solutions from number K on. Those before it are counted, subtree by subtree on all threads, instead of found; on
//! the largest boards they are found, because there a subtree has so few that to count them takes longer.

use std::time::Instant;

use queencount::{BoardSize, CountError, Solutions, Stop};

use super::counting::Counting;
use super::exit::Exit;
use super::progress::Gauge;

/// The number of solutions that are skipped at a time, between two steps of the progress: less than a second's work.
const AT_A_TIME: u128 = 1 << 21;

/// From this board on solutions are found faster than counted: 3 million of N = 27 take 59 s of a CPU instead of 62 s, of
/// N = 28 112 s instead of 135 s, of N = 26 67 s instead of 65 s.
const LISTED: u32 = 27;

/// The solutions from number `many` on, counted from 0, and how many there are before them: `many`, or all if there are
/// not so many.
pub fn solutions_from(size: BoardSize, many: u128, counting: &Counting) -> Result<(Solutions, u128), Exit> {
    let steps = Gauge::of_solutions(size, many);
    counting.watched(Some(&steps), Instant::now(), |_, stop| {
        let (mut solutions, mut skipped) = (Solutions::new(size), 0);
        while skipped < many {
            let asked = AT_A_TIME.min(many - skipped);
            let passed = match size.get() {
                LISTED.. => listed(&mut solutions, asked, stop)?,
                _ => solutions.skip_ahead(asked, counting.threads, stop)?,
            };
            skipped += passed;
            steps.reach(skipped as u64);
            if passed < asked {
                break;
            }
        }
        Ok((solutions, skipped))
    })
}

/// Finds so many solutions, or those that there are. Returns how many.
fn listed(solutions: &mut Solutions, many: u128, stop: &Stop) -> Result<u128, CountError> {
    for found in 0..many {
        if solutions.try_next(stop)?.is_none() {
            return Ok(found);
        }
    }
    Ok(many)
}
