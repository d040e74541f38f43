//! `queencount publish PATH...`: prints a finished count as a single record.
//!
//! Equal counts give the same bytes, because the record does not say who counted, or when.

use crate::record::{Loaded, Purpose};

use crate::cli::app::App;
use crate::cli::error::Result;
use crate::cli::flags::commands::PublishArguments;
use crate::cli::records;

pub(crate) fn run(args: &PublishArguments) -> Result<()> {
    let app = App::reporting(args.messages.into())?;
    let Loaded { tally, .. } = &records::load(&app, &args.records, Purpose::Total)?;
    if tally.total().is_none() {
        return Err(records::incomplete(tally));
    }
    let mut plan = tally.plan().clone();
    // The records may come from several versions of the program.
    plan.program.clear();
    let mut record = plan.to_line();
    for entry in tally.entries() {
        record += &entry.to_line(&plan);
    }
    app.output.bytes(record.as_bytes())
}
