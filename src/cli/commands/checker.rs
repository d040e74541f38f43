//! `queencount checker`: reads N from a file, and writes its results to another file, in the
//! contest format.

use super::contest::first_three;
use crate::cli::app::App;
use crate::cli::destination::Destination;
use crate::cli::error::Result;
use crate::cli::flags::commands::CheckerArguments;
use crate::cli::flags::options::AllOptions;
use crate::cli::input;

pub(crate) fn run(args: &CheckerArguments) -> Result<()> {
    let app = App::new(&AllOptions {
        counting: args.counting.clone(),
        report: args.messages.into(),
    })?;
    let (input, source) = input::open(&args.input, "; choose another file with --input")?;
    let size = input::one_from(input, &source)?;
    let (_, first) = first_three(size);
    // Counting may take hours, so report an unwritable directory first.
    let output = Destination::new(&args.output, "--output", std::slice::from_ref(&args.input))?;
    let total = app.count(size)?.total.0;
    output.write(&format!("{first}{total}\n"))
}
