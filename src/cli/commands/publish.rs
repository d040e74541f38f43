//! `queencount publish FILE...`: a finished count as one record.
//!
//! It has the plan, and a line for each task in the order of units, but nothing about who counted,
//! when or how often. So the same counts are the same bytes, and a hash of them stands for the
//! count.

use crate::cli::arguments::commands::PublishArguments;
use crate::cli::counting::Counting;
use crate::cli::exit::OrExit;
use crate::cli::from_records;
use crate::cli::output::Output;

/// The number of bytes that are written at a time, about.
const PIECE: usize = 1 << 16;

pub fn run(arguments: &PublishArguments, counting: &Counting, output: &mut Output) -> OrExit<()> {
    let exclude = arguments.exclude.exclude.as_ref();
    let loaded =
        from_records::load_checked(&arguments.records, exclude, counting, arguments.salvage)?;
    let tally = &loaded.tally;
    if tally.total().is_none() {
        return Err(from_records::incomplete(tally));
    }
    let mut plan = tally.plan().clone();
    // Several versions of the program may have counted.
    plan.program.clear();
    let mut lines = plan.to_line();
    for (entry, _) in tally.entries() {
        lines += &entry.without_provenance().to_line(&plan);
        if lines.len() >= PIECE {
            output.text(&lines)?;
            lines.clear();
        }
    }
    output.text(lines)
}
