//! `queencount checker`: the [contest]'s form, from one file to another.
//!
//! The output file appears whole or not at all (see [`destination`](crate::cli::destination)).

use std::fs::File;

use crate::cli::arguments::commands::CheckerArguments;
use crate::cli::boards;
use crate::cli::counting::Counting;
use crate::cli::destination::Destination;
use crate::cli::exit::Failure;

use super::contest;

/// Runs it.
pub fn run(arguments: &CheckerArguments, counting: &Counting) -> Result<(), Failure> {
    let source = arguments.input.display().to_string();
    let input = File::open(&arguments.input).map_err(|error| match boards::unreadable(&source, &error) {
        Failure::System(line) => Failure::System(format!("{line}; name the input with --input")),
        other => other,
    })?;
    let size = boards::one_from(input, &source)?;
    // Before the count, which may take hours, so that an unwritable folder is known at once.
    let output = Destination::new(&arguments.output, "--output")?;
    let (first, counted) = contest::beside_first_three(size, counting, |_| Ok(()), |counting| counting.count(size))?;
    output.write(&format!("{}{}\n", contest::lines(&first), counted.total))
}
