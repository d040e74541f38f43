//! `queencount draw N`: draws a solution as a picture, or a sheet of all fundamental solutions.

mod picture;
mod terminal;

use terminal::Glyphs;

use crate::{BoardSize, Solution, Solutions};

use super::list::solutions_from;
use crate::cli::app::App;
use crate::cli::destination::Destination;
use crate::cli::error::{Error, Result};
use crate::cli::flags::commands::DrawArguments;
use crate::cli::flags::options::AllOptions;
use crate::cli::numbers::quantity;
use crate::cli::ui::progress::Progress;

/// The largest N for which a sheet is drawn; that sheet has 1787 boards.
const LARGEST_SHEET: u32 = 12;

pub(crate) fn run(args: &DrawArguments) -> Result<()> {
    let app = App::new(&AllOptions {
        counting: args.threads.into(),
        report: args.messages.into(),
    })?;
    let size = args.n;
    let first = usize::from(!args.drawn.zero_based);
    if size.get() == 2 || size.get() == 3 {
        return Err(Error::Usage(format!(
            "expected N = 1 or N >= 4, found {size}: boards with N = 2 and 3 have no solution"
        )));
    }
    if args.unique {
        return draw_sheet(args, first);
    }
    // Finding a solution may take minutes, so report an unwritable file first.
    let svg = match &args.svg {
        Some(path) => Some(Destination::new(path, "--svg", &[])?),
        None => None,
    };
    let solution = match &args.columns {
        Some(columns) => parse(columns, size, u32::from(!args.drawn.zero_based))?,
        None => find(&app, size, args.index.unwrap_or(1))?,
    };
    match svg {
        Some(file) => file.write(&picture::alone(&solution, first)),
        None => {
            let glyphs = Glyphs::new(&args.drawn)?;
            app.output.text(glyphs.board(&solution, first))
        }
    }
}

fn draw_sheet(args: &DrawArguments, first: usize) -> Result<()> {
    let size = args.n;
    let Some(path) = &args.svg else {
        return Err(Error::Usage(
            "--unique requires --svg FILE, which it writes the sheet to".to_owned(),
        ));
    };
    if size.get() > LARGEST_SHEET {
        return Err(Error::Usage(format!(
            "expected a board of up to {LARGEST_SHEET} rows for a sheet, found N = {size}; \
             'queencount list {size} --unique' lists its fundamental solutions"
        )));
    }
    let solutions: Vec<Solution> = Solutions::fundamental(size).collect();
    Destination::new(path, "--svg", &[])?.write(&picture::sheet(&solutions, first))
}

fn find(app: &App, size: BoardSize, index: u128) -> Result<Solution> {
    let (mut solutions, passed) = solutions_from(app, size, index - 1, false)?;
    let progress = Progress::new(format!("searching solution {index} of N = {size}"));
    app.supervise(&progress, |_, cancel| Ok(solutions.try_next(cancel)?))?
        .ok_or_else(|| {
            Error::Usage(format!(
                "--index: expected a solution from 1 to {passed}, found {index}"
            ))
        })
}

fn parse(columns: &str, size: BoardSize, first: u32) -> Result<Solution> {
    let words: Vec<&str> = columns
        .split([',', ' ', '\t', '\n'])
        .filter(|word| !word.is_empty())
        .collect();
    if words.len() != size.get() as usize {
        return Err(Error::Usage(format!(
            "--columns: expected {} separated by spaces or commas, found {} in {columns:?}",
            quantity(size.get().into(), "column"),
            words.len()
        )));
    }
    Solution::parse(words, first).map_err(|error| Error::Usage(format!("--columns: {error}")))
}
