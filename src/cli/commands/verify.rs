//! `queencount verify [N | A..=B]...`: compares counts with the published values of A000170.

use crate::{BoardSize, oeis_a000170};

use crate::cli::app::{App, CountReport};
use crate::cli::error::{Error, Result};
use crate::cli::flags::commands::VerifyArguments;
use crate::cli::output::{Count, Format};

pub(crate) fn run(args: &VerifyArguments) -> Result<()> {
    let app = App::new(&args.options)?;
    let boards: Vec<BoardSize> = args
        .boards
        .iter()
        .flat_map(|range| range.boards())
        .collect();
    for size in &boards {
        if oeis_a000170(size.get()).is_none() {
            return Err(Error::Usage(format!(
                "expected boards up to N = 27, the last with a published value, found N = {size}"
            )));
        }
    }
    compare_all(&app, &boards, App::count)
}

fn compare_all(
    app: &App,
    boards: &[BoardSize],
    count: impl Fn(&App, BoardSize) -> Result<CountReport>,
) -> Result<()> {
    if app.output.format() == Format::Text {
        app.output.text(format_args!(
            "{:>2}  {:>20}  {:>20}  {:>12}\n",
            "N", "counted", "published", "seconds"
        ))?;
    }
    let mut wrong = Vec::new();
    for &size in boards {
        let mut report = count(app, size)?;
        let published = oeis_a000170(report.n).expect("the board was checked");
        report.published = Some(Count(published));
        let total = report.total.0;
        let verdict = match total == published {
            true => "ok",
            false => "WRONG",
        };
        let seconds = report.seconds.0.as_secs_f64();
        let line = format!("{size:>2}  {total:>20}  {published:>20}  {seconds:>12.3}  {verdict}\n");
        app.output.print(&report, line)?;
        if total != published {
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

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;
    use crate::cli::app::tests::piped;
    use crate::engine::backtrack::Backtrack;

    /// Counts one solution too many, except for N = 7. For N = 26 and 27, an `f64` cannot
    /// distinguish these totals from the published ones.
    fn miscount(_: &App, size: BoardSize) -> Result<CountReport> {
        let engine = Backtrack::with_first_rows(size, 2);
        let total = oeis_a000170(size.get()).unwrap() + u128::from(size.get() != 7);
        Ok(CountReport::new(&engine, total, 1, Instant::now()))
    }

    #[test]
    fn wrong_counts_are_reported_in_every_format() {
        for format in [Format::Text, Format::Json, Format::Csv] {
            let (app, results) = piped(format);
            let boards = [6, 7, 26, 27].map(|n| BoardSize::new(n).unwrap());
            let Err(Error::Wrong(error)) = compare_all(&app, &boards, miscount) else {
                panic!("{format:?}: wrong counts are not an error")
            };
            assert!(error.ends_with("A000170 for N = 6, 26, 27"), "{error}");
            drop(app);
            let printed = std::io::read_to_string(results).unwrap();
            assert_eq!(
                printed.contains("WRONG"),
                format == Format::Text,
                "{printed}"
            );
            for size in [boards[2], boards[3]] {
                let published = oeis_a000170(size.get()).unwrap();
                assert!(printed.contains(&published.to_string()), "{printed}");
                assert!(printed.contains(&(published + 1).to_string()), "{printed}");
            }
        }
    }
}
