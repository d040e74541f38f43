//! `queencount draw N`: a solution as a picture, or a sheet of all that are not the same up to symmetry.
//!
//! In a terminal the picture is text; in a file it is SVG.

mod picture;
mod terminal;

use queencount::{BoardSize, Solution, Solutions};

use crate::cli::arguments::commands::DrawArguments;
use crate::cli::destination::Destination;
use crate::cli::exit::Failure;
use crate::cli::output::Output;

/// The largest N of a sheet, which then has 1787 boards.
const LARGEST_SHEET: u32 = 12;

/// Runs it.
pub fn run(arguments: &DrawArguments, output: &mut Output) -> Result<(), Failure> {
    let size = arguments.n;
    if let Some(row) = arguments.attacks.filter(|row| *row > size.get().into()) {
        return Err(Failure::Usage(format!("expected a row from 1 to {size} for '--attacks <ROW>', found {row}")));
    }
    if size.get() == 2 || size.get() == 3 {
        return Err(Failure::Usage(format!("expected a board with a solution, found N = {size}, which has none")));
    }
    if arguments.unique && size.get() > LARGEST_SHEET {
        let expected = format!("expected a board of up to {LARGEST_SHEET} rows for a sheet, found N = {size}");
        return Err(Failure::Usage(format!("{expected}; 'queencount list {size} --unique' lists them")));
    }
    let drawing = if arguments.unique {
        Drawing::Sheet(Solutions::new(size).filter(Solution::is_representative).collect())
    } else {
        Drawing::Board(one(arguments, size)?, arguments.attacks.map(|row| row as usize - 1))
    };
    match &arguments.svg {
        Some(path) => Destination::new(path, "--svg")?.write(&picture::svg(&drawing)),
        None => output.text(terminal::text(&drawing)),
    }
}

/// What is drawn.
enum Drawing {
    /// A solution, and the row of the queen whose attacks are shown.
    Board(Solution, Option<usize>),
    /// The least solution of every orbit.
    Sheet(Vec<Solution>),
}

/// The one solution that is asked for.
fn one(arguments: &DrawArguments, size: BoardSize) -> Result<Solution, Failure> {
    let Some(columns) = &arguments.columns else {
        let index = arguments.index.unwrap_or(1);
        let mut solutions = Solutions::new(size);
        let passed = solutions.skip_ahead(index - 1, 0)?;
        return solutions
            .next()
            .ok_or_else(|| Failure::Usage(format!("expected '--index <K>' from 1 to {passed}, found {index}")));
    };
    let (expected, found) = (size.get() as usize, columns.split_ascii_whitespace().count());
    if expected != found {
        return Err(Failure::Usage(format!("--columns: expected {expected} columns for N = {size}, found {found}")));
    }
    columns.parse().map_err(|error| Failure::Usage(format!("--columns: {error}")))
}

/// How a queen attacks a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Attack {
    Row,
    Column,
    Falling,
    Rising,
}

impl Attack {
    /// How the queen of the row `from` attacks a square, if it does.
    fn on(solution: &Solution, from: usize, [row, column]: [usize; 2]) -> Option<Self> {
        let queen = usize::from(solution.columns()[from]);
        let (down, right) = (row as isize - from as isize, column as isize - queen as isize);
        match () {
            () if down == 0 => Some(Self::Row),
            () if right == 0 => Some(Self::Column),
            () if down == right => Some(Self::Falling),
            () if down == -right => Some(Self::Rising),
            () => None,
        }
    }

    /// The four lines of the queen of the row `from`, each as the points (x, y) where it meets the edge of the board.
    fn lines(solution: &Solution, from: usize) -> [[[f64; 2]; 2]; 4] {
        let size = solution.columns().len() as f64;
        let [x, y] = [f64::from(solution.columns()[from]) + 0.5, from as f64 + 0.5];
        let (falling, rising) = (x.min(y), x.min(size - y));
        let (up_to_right, down_to_right) = ((size - x).min(y), (size - x).min(size - y));
        [
            [[0.0, y], [size, y]],
            [[x, 0.0], [x, size]],
            [[x - falling, y - falling], [x + down_to_right, y + down_to_right]],
            [[x - rising, y + rising], [x + up_to_right, y - up_to_right]],
        ]
    }
}
