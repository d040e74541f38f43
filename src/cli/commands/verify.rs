//! `queencount verify [N | A..=B]...`: compares counts with the published values of A000170.
//!
//! The exit code is 3 if a count differs.

#![deny(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "counts are exact"
)]

use crate::{BoardSize, oeis_a000170};

use crate::cli::app::{App, CountResult};
use crate::cli::error::{Error, Result};
use crate::cli::input::BoardRange;
use crate::cli::output::{Count, Format, Output};

pub(crate) fn run(app: &mut App, boards: &[BoardRange]) -> Result<()> {
    let boards: Vec<BoardSize> = boards.iter().flat_map(|range| range.boards()).collect();
    if let Some(size) = boards
        .iter()
        .find(|size| oeis_a000170(size.get()).is_none())
    {
        return Err(Error::Usage(format!(
            "expected boards up to N = 27, the last with a published value, found N = {size}; \
             count it with 'queencount count {size}'"
        )));
    }
    compare_all(app, boards, App::count)
}

/// Compares counts with their published values.
fn compare_all(
    app: &mut App,
    boards: Vec<BoardSize>,
    count: impl Fn(&App, BoardSize) -> Result<CountResult>,
) -> Result<()> {
    if app.output.format() == Format::Text {
        app.output.text(format_args!(
            "{:>2}  {:>20}  {:>20}  {:>12}\n",
            "N", "counted", "published", "seconds"
        ))?;
    }
    let mut wrong = Vec::new();
    for size in boards {
        if !compare(count(app, size)?, &mut app.output)? {
            wrong.push(size.to_string());
        }
    }
    if wrong.is_empty() {
        return Ok(());
    }
    Err(Error::Wrong(format!(
        "the counts differ from the published values of A000170 for N = {}",
        wrong.join(", ")
    )))
}

/// Writes a count next to its published value, and returns whether they agree.
fn compare(counted: CountResult, output: &mut Output) -> Result<bool> {
    let published = oeis_a000170(counted.n).expect("the board was checked");
    let Count(total) = counted.total;
    let ok = total == published;
    if output.format() == Format::Text {
        let verdict = if ok { "ok" } else { "WRONG" };
        output.text(format_args!(
            "{:>2}  {total:>20}  {published:>20}  {:>12.3}  {verdict}\n",
            counted.n,
            counted.seconds.0.as_secs_f64()
        ))?;
    } else {
        output.row(&CountResult {
            published: Some(Count(published)),
            ok: Some(ok),
            ..counted
        })?;
    }
    Ok(ok)
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Seek};
    use std::time::Instant;

    use clap::Parser;

    use super::*;
    use crate::cli::flags::Arguments;
    use crate::cli::ui::Bar;
    use crate::engine::backtrack::Backtrack;

    #[test]
    fn wrong_counts_are_reported_in_every_format() {
        for (format, verdict) in [("text", "WRONG"), ("json", "false"), ("csv", "false")] {
            let arguments = ["queencount", "verify", "6", "--format", format];
            let mut app = App::new(&Arguments::parse_from(arguments)).unwrap();
            let mut file = tempfile::tempfile().unwrap();
            let stdout = file.try_clone().unwrap();
            app.output = Output::new(stdout, app.output.format(), Bar::default());
            let boards = [6, 7, 26, 27].map(|n| BoardSize::new(n).unwrap());
            // An `f64` cannot tell these totals of N = 26 and 27 from the right ones.
            let total = |size: BoardSize| {
                let n = size.get();
                oeis_a000170(n).unwrap() + u128::from(n != 7)
            };
            let count = |_: &App, size| {
                let engine = Backtrack::with_first_rows(size, 2);
                Ok(CountResult::new(&engine, total(size), 1, Instant::now()))
            };
            let Err(Error::Wrong(error)) = compare_all(&mut app, boards.to_vec(), count) else {
                panic!("{format}: wrong counts are not an error")
            };
            assert!(error.ends_with("A000170 for N = 6, 26, 27"), "{error}");
            let mut printed = String::new();
            file.rewind().unwrap();
            file.read_to_string(&mut printed).unwrap();
            assert_eq!(printed.matches(verdict).count(), 3, "{printed}");
            let numbers: Vec<&str> = printed.split(|c: char| !c.is_ascii_digit()).collect();
            for size in boards {
                let published = oeis_a000170(size.get()).unwrap();
                for number in [published, total(size)] {
                    assert!(
                        numbers.contains(&&*number.to_string()),
                        "{number}: {printed}"
                    );
                }
            }
            compare_all(&mut app, vec![boards[1]], count).unwrap();
        }
    }
}
