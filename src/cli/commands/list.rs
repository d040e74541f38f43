//! `queencount list N`: the solutions themselves, as fast as the reader takes them.
//!
//! A [`Script`] says how a solution is written. Nothing waits in a buffer while the next solution
//! is searched for.

mod script;

use std::time::Instant;

use queencount::{BoardSize, Solutions};

use crate::cli::arguments::commands::{ListArguments, ListForm};
use crate::cli::counting::Counting;
use crate::cli::exit::OrExit;
use crate::cli::output::Output;
use crate::cli::progress::Gauge;
use crate::cli::signals;

use script::Script;

/// How many bytes are written at a time, if there are as many at hand.
const BUFFER: usize = 1 << 16;

pub fn run(arguments: &ListArguments, counting: &Counting, output: &mut Output) -> OrExit<()> {
    let (size, skip) = (arguments.n, arguments.skip.unwrap_or(0));
    let script = Script::new(arguments)?;
    let queens_alone = [
        ListForm::Ruled,
        ListForm::Listing,
        ListForm::JsonColumns,
        ListForm::JsonBoards,
    ];
    if arguments.unique && queens_alone.contains(&arguments.format) {
        counting.watch.note(format_args!(
            "this form has no place for the sizes of orbits; text, json and csv have"
        ));
    }
    counting.say_search(size, skip);
    let (mut solutions, _) = solutions_from(size, skip, arguments.unique, counting)?;
    // For a signal that came as the skipping ended.
    signals::check()?;
    let mut buffer = Vec::with_capacity(2 * BUFFER);
    buffer.extend_from_slice(script.head.as_bytes());
    let (mut number, last) = (
        skip,
        skip.saturating_add(arguments.limit.unwrap_or(u128::MAX)),
    );
    while number < last {
        if buffer.len() >= BUFFER || solutions.size_hint().0 == 0 {
            output.bytes(&buffer)?;
            buffer.clear();
        }
        // Signals end the program at once here: a list has nothing to lose.
        let Some(solution) = solutions.next() else {
            break;
        };
        if number > skip {
            buffer.extend_from_slice(script.between.as_bytes());
        }
        number += 1;
        script.write(&mut buffer, number, &solution);
    }
    buffer.extend_from_slice(script.tail.as_bytes());
    output.bytes(&buffer)
}

/// The solutions from number `many` on, counted from 0, or the fundamental ones, and how many there
/// are before them: `many`, or all if there are not so many. Those before are counted, subtree by
/// subtree on all threads, or else found.
pub fn solutions_from(
    size: BoardSize,
    many: u128,
    unique: bool,
    counting: &Counting,
) -> OrExit<(Solutions, u128)> {
    let mut solutions = if unique {
        Solutions::fundamental(size)
    } else {
        Solutions::new(size)
    };
    let steps = Gauge::of_solutions(size, many);
    counting.watched(Some(&steps), Instant::now(), |_, stop| {
        let on_progress = |skipped| steps.reach(skipped as u64);
        let skipped = solutions.skip_ahead(many, counting.threads, stop, &on_progress)?;
        Ok((solutions, skipped))
    })
}
