//! `queencount publish PATH...`: prints a finished count as a single record.
//!
//! Equal counts give the same bytes, because the record does not say who counted, or when.

use super::prelude::*;

const PIECE: usize = 1 << 16;

pub(crate) fn run(app: &mut App, args: &PublishArguments) -> Result<()> {
    let Loaded { tally, .. } = &records::load_for(app, &args.records, Purpose::Total)?;
    if tally.total().is_none() {
        return Err(records::incomplete(tally));
    }
    let mut plan = tally.plan().clone();
    // The records may come from several versions of the program.
    plan.program.clear();
    let mut lines = plan.to_line();
    for entry in tally.entries() {
        lines += &entry.to_line(&plan);
        if lines.len() >= PIECE {
            app.output.text(&lines)?;
            lines.clear();
        }
    }
    app.output.text(lines)
}
