//! `queencount list N`: the solutions themselves, as fast as the reader takes them.
//!
//! A [`Script`] says how a solution is written. Nothing waits in a buffer while the next solution is searched for.

mod script;

use std::time::Instant;

use queencount::{BoardSize, Solution, Solutions, Stop, Stopped};

use crate::cli::ahead;
use crate::cli::arguments::commands::{ListArguments, ListForm};
use crate::cli::counting::Counting;
use crate::cli::exit::Exit;
use crate::cli::output::Output;
use crate::cli::progress::Gauge;
use crate::cli::signals;

use script::Script;

/// The forms of which a solution is nothing but its queens.
const NO_PLACE_FOR_ORBITS: [ListForm; 4] =
    [ListForm::Ruled, ListForm::Listing, ListForm::JsonColumns, ListForm::JsonBoards];

/// How many bytes are written at a time, if there are as many at hand.
const BUFFER: usize = 1 << 16;

pub fn run(arguments: &ListArguments, counting: &Counting, output: &mut Output) -> Result<(), Exit> {
    let (size, skip) = (arguments.n, arguments.skip.unwrap_or(0));
    let script = Script::new(arguments)?;
    if arguments.unique && NO_PLACE_FOR_ORBITS.contains(&arguments.format) {
        counting.watch.note(format_args!("this form has no place for the sizes of orbits; text, json and csv have"));
    }
    counting.say_search(size, skip);
    let mut solutions = match arguments.unique {
        true => fundamental_from(size, skip, counting)?,
        false => ahead::solutions_from(size, skip, counting)?.0,
    };
    // For a signal that came as the skipping ended.
    signals::check()?;
    let mut buffer = Vec::with_capacity(2 * BUFFER);
    buffer.extend_from_slice(script.head.as_bytes());
    let (mut number, last) = (skip, skip.saturating_add(arguments.limit.unwrap_or(u128::MAX)));
    while number < last {
        if buffer.len() >= BUFFER || solutions.size_hint().0 == 0 {
            output.bytes(&buffer)?;
            buffer.clear();
        }
        // Signals end the program at once here: a list has nothing to lose.
        let next = if arguments.unique { next_fundamental(&mut solutions, &Stop::new()) } else { Ok(solutions.next()) };
        let Ok(Some(solution)) = next else { break };
        if number > skip {
            buffer.extend_from_slice(script.between.as_bytes());
        }
        number += 1;
        script.write(&mut buffer, number, &solution);
    }
    buffer.extend_from_slice(script.tail.as_bytes());
    output.bytes(&buffer)
}

/// The solutions from fundamental solution number `index` on, counted from 0. Each before it has to be found.
fn fundamental_from(size: BoardSize, index: u128, counting: &Counting) -> Result<Solutions, Exit> {
    let mut solutions = Solutions::in_left_half(size);
    let steps = Gauge::of_solutions(size, index);
    counting.watched(Some(&steps), Instant::now(), |_, stop| {
        for passed in 0..index {
            steps.reach(passed as u64);
            if next_fundamental(&mut solutions, stop)?.is_none() {
                break;
            }
        }
        Ok(())
    })?;
    Ok(solutions)
}

/// The next solution that is the least of its orbit.
fn next_fundamental(solutions: &mut Solutions, stop: &Stop) -> Result<Option<Solution>, Stopped> {
    while let Some(solution) = solutions.try_next(stop)? {
        if solution.is_representative() {
            return Ok(Some(solution));
        }
    }
    Ok(None)
}
