//! `queencount checker`: the contest's form, from one file to another.
//!
//! The output file appears whole or not at all (see [`destination`](super::destination)).

use std::fs::File;

use super::arguments::Checker;
use super::counting::Counting;
use super::destination::Destination;
use super::exit::Failure;
use super::output::Format;
use super::{boards, contest};

/// Runs it.
pub fn run(arguments: &Checker, counting: &Counting, format: Format) -> Result<(), Failure> {
    if format != Format::Text {
        let expected = "expected no --format with 'checker', whose files have the contest's form";
        return Err(Failure::Usage(format!("{expected}; 'queencount --format' gives the same as fields")));
    }
    let source = arguments.input.display().to_string();
    let input = File::open(&arguments.input).map_err(|error| match boards::unreadable(&source, &error) {
        Failure::System(line) => Failure::System(format!("{line}; name the input with --input")),
        other => other,
    })?;
    let size = boards::one_from(input, &source)?;
    let first = contest::first_three(size);
    // Before the count, which may take hours, so that an unwritable folder is known at once.
    let output = Destination::new(&arguments.output, "--output")?;
    let total = counting.count(size)?.total;
    output.write(&format!("{}{total}\n", contest::lines(&first)))
}
