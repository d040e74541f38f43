//! `queencount verify [N | A..=B]...`: counts, and compares with the published values of A000170.
//!
//! For people it is a table that grows line by line; for programs it is exit code 3 if a count
//! differs.

use queencount::{BoardSize, oeis_a000170};

use crate::cli::counting::{Counting, Report};
use crate::cli::exit::{Exit, OrExit};
use crate::cli::input::BoardRange;
use crate::cli::output::{Form, Output, Value};

pub fn run(boards: &[BoardRange], counting: &Counting, output: &mut Output) -> OrExit<()> {
    let boards: Vec<BoardSize> = boards.iter().flat_map(|range| range.boards()).collect();
    verify(&boards, |size| counting.count(size), output)
}

fn verify(
    boards: &[BoardSize],
    count: impl Fn(BoardSize) -> OrExit<Report>,
    output: &mut Output,
) -> OrExit<()> {
    let known = |size: &BoardSize| oeis_a000170(size.get()).map(|value| (*size, value));
    let Some(boards) = boards
        .iter()
        .map(known)
        .collect::<Option<Vec<(BoardSize, u128)>>>()
    else {
        let found = boards.iter().map(|size| size.get()).max().unwrap_or(0);
        let expected = "expected boards up to N = 27, the last with a published value";
        return Err(Exit::Usage(format!(
            "{expected}, found N = {found}; count it with 'queencount count {found}'"
        )));
    };
    if output.form() == Form::Text {
        output.text(format_args!(
            "{:>2}  {:>20}  {:>20}  {:>12}\n",
            "N", "counted", "published", "seconds"
        ))?;
    }
    let mut wrong = Vec::new();
    for (size, published) in boards {
        let counted = count(size)?;
        let right = counted.total == published;
        if !right {
            wrong.push(size.to_string());
        }
        if output.form() == Form::Text {
            let verdict = if right { "ok" } else { "WRONG" };
            let seconds = counted.elapsed.as_secs_f64();
            output.text(format_args!(
                "{size:>2}  {:>20}  {published:>20}  {seconds:>12.3}  {verdict}\n",
                counted.total
            ))?;
        } else {
            let mut fields = counted.fields();
            fields.splice(
                2..2,
                [
                    ("published", Value::Count(published)),
                    ("ok", Value::Truth(right)),
                ],
            );
            output.fields(&fields)?;
        }
    }
    if wrong.is_empty() {
        return Ok(());
    }
    let wrong = wrong.join(", ");
    Err(Exit::Wrong(format!(
        "expected the published values of A000170, found others for N = {wrong}"
    )))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_wrong_count_fails_the_verification_and_does_not_end_it() {
        let boards: Vec<BoardSize> = (4..=8).map(|n| BoardSize::new(n).unwrap()).collect();
        let off_by_one_at_6 = |size: BoardSize| {
            let n = size.get();
            let total = oeis_a000170(n).unwrap() + u128::from(n == 6);
            let (engine, kernel, elapsed) = ("none", None, Duration::ZERO);
            Ok(Report {
                n,
                total,
                engine,
                kernel,
                units: 1,
                threads: 1,
                elapsed,
            })
        };
        match verify(
            &boards,
            off_by_one_at_6,
            &mut Output::new(std::io::sink(), Form::Text),
        ) {
            Err(Exit::Wrong(line)) => assert!(line.ends_with("for N = 6"), "{line}"),
            other => panic!("{other:?}"),
        }
    }
}
