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
    if app.output.format() == Format::Text {
        app.output.text(format_args!(
            "{:>2}  {:>20}  {:>20}  {:>12}\n",
            "N", "counted", "published", "seconds"
        ))?;
    }
    let mut wrong = Vec::new();
    for size in boards {
        if !compare(app.count(size)?, &mut app.output)? {
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
    use std::time::Instant;

    use super::*;
    use crate::cli::ui::Bar;
    use crate::engine::backtrack::Backtrack;

    #[test]
    fn a_wrong_count_differs_from_its_published_value() {
        let mut output = Output::new(std::io::sink(), Format::Text, Bar::default());
        // As `f64` values, the last two totals would be equal.
        let largest = oeis_a000170(27).unwrap();
        for (n, total, ok) in [
            (6, 4, true),
            (6, 5, false),
            (27, largest, true),
            (27, largest + 1, false),
        ] {
            let engine = Backtrack::new(BoardSize::new(n).unwrap());
            let counted = CountResult::new(&engine, total, 1, Instant::now());
            assert_eq!(compare(counted, &mut output).unwrap(), ok, "{total}");
        }
    }
}
