//! `queencount publish FILE...`: what a finished count has found, as one record for everybody.
//!
//! The record has the plan, and a line for each task in the order of units. It says nothing of who has counted, when, how
//! often or in which pieces. So the same counts are the same bytes, whoever publishes them, and a hash of these bytes
//! stands for the count.

use crate::cli::arguments::commands::PublishArguments;
use crate::cli::counting::Counting;
use crate::cli::exit::Exit;
use crate::cli::from_records;
use crate::cli::output::Output;

pub fn run(arguments: &PublishArguments, counting: &Counting, output: &mut Output) -> Result<(), Exit> {
    /// The number of bytes that are written at a time, about.
    const PIECE: usize = 1 << 16;
    let (tally, _) = from_records::tally(&arguments.records, counting, arguments.salvage)?;
    if !tally.missing().is_empty() {
        return Err(from_records::incomplete(&tally));
    }
    let mut plan = tally.plan().clone();
    // Several versions of the program may have counted.
    plan.program.clear();
    let mut lines = plan.to_line();
    for (mut entry, _) in tally.entries() {
        (entry.seconds, entry.kernel, entry.time, entry.site, entry.host) = (0.0, None, None, None, None);
        lines += &entry.to_line(&plan);
        if lines.len() >= PIECE {
            output.text(&lines)?;
            lines.clear();
        }
    }
    output.text(lines)
}
