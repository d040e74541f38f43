//! `queencount publish FILE...`: a finished count as one record.
//!
//! It has the plan, and a line for each task in the order of units, but nothing about who counted,
//! when or how often. So the same counts are the same bytes, and a hash of them stands for the
//! count.

use crate::cli::app::App;
use crate::cli::error::Result;
use crate::cli::flags::commands::PublishArguments;
use crate::cli::records;

/// The number of bytes that are written at a time, about.
const PIECE: usize = 1 << 16;

pub fn run(app: &mut App, args: &PublishArguments) -> Result<()> {
    let exclude = args.exclude.exclude.as_ref();
    let loaded = records::load_checked(app, &args.records, exclude, args.salvage)?;
    let tally = &loaded.tally;
    if tally.total().is_none() {
        return Err(records::incomplete(tally));
    }
    let mut plan = tally.plan().clone();
    // Several versions of the program may have counted.
    plan.program.clear();
    let mut lines = plan.to_line();
    for (entry, _) in tally.entries() {
        lines += &entry.without_provenance().to_line(&plan);
        if lines.len() >= PIECE {
            app.output.text(&lines)?;
            lines.clear();
        }
    }
    app.output.text(lines)
}
