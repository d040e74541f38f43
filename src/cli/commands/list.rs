//! `queencount list N`: the solutions themselves, as fast as the reader takes them.
//!
//! A [`Script`] says how a solution is written. Nothing waits in a buffer while the next solution is searched for.

mod script;

use queencount::Solutions;

use crate::cli::arguments::commands::ListArguments;
use crate::cli::counting::Counting;
use crate::cli::exit::Failure;
use crate::cli::form::FormatChoice;
use crate::cli::output::Output;

use script::Script;

/// How many bytes are written at a time, if there are as many at hand.
const BUFFER: usize = 1 << 16;

/// Runs it.
pub fn run(
    arguments: &ListArguments,
    format: FormatChoice,
    counting: &Counting,
    output: &mut Output,
) -> Result<(), Failure> {
    let size = arguments.n;
    let script = Script::new(arguments, format, size)?;
    let mut solutions = Solutions::new(size);
    let mut skip = arguments.skip;
    if !arguments.unique {
        // To pass 2^64 takes centuries: after that nobody asks for the rest.
        solutions.skip_ahead(u64::try_from(skip).unwrap_or(u64::MAX), counting.threads())?;
        skip = 0;
    }
    let mut buffer = Vec::with_capacity(2 * BUFFER);
    buffer.extend_from_slice(script.head.as_bytes());
    let (mut number, last) = (arguments.skip, arguments.skip.saturating_add(arguments.limit.unwrap_or(u128::MAX)));
    while number < last {
        if buffer.len() >= BUFFER || solutions.size_hint().0 == 0 {
            output.bytes(&buffer)?;
            buffer.clear();
        }
        let Some(solution) = solutions.next() else { break };
        let orbit = if arguments.unique {
            if u32::from(solution.columns()[0]) >= size.get().div_ceil(2) {
                // The mirror images of these have come before.
                break;
            }
            if !solution.is_representative() {
                continue;
            }
            if skip > 0 {
                skip -= 1;
                continue;
            }
            Some(solution.orbit_size())
        } else {
            None
        };
        if number > arguments.skip {
            buffer.extend_from_slice(script.between.as_bytes());
        }
        number += 1;
        script.write(&mut buffer, number, &solution, orbit);
    }
    buffer.extend_from_slice(script.tail.as_bytes());
    output.bytes(&buffer)
}
