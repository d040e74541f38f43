//! `queencount checker`: reads N from a file, and writes its results to another file, in the
//! contest format.

use super::contest::{first_three, lines};
use super::prelude::*;

pub(crate) fn run(app: &mut App, args: &CheckerArguments) -> Result<()> {
    let (input, source) = input::open(&args.input, "; choose another file with --input")?;
    let size = input::one_from(input, &source)?;
    // Counting may take hours, so report an unwritable directory first.
    let output = Destination::new(&args.output, "--output", std::slice::from_ref(&args.input))?;
    let first = first_three(app, size)?;
    let total = app.count(size)?.total.0;
    output.write(&format!("{}{total}\n", lines(&first)))
}
