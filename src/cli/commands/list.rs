//! `queencount list N`: the solutions themselves, as fast as the reader takes them.
//!
//! In every form a solution is its rows one after another, and what is written of a row depends on the column of its
//! queen alone. So the pieces of text are made once, and writing a solution is copying N of them. Nothing waits in a
//! buffer while the next solution is searched for.

use std::io::Write;

use queencount::{BoardSize, Solution, Solutions};
use unicode_width::UnicodeWidthStr;

use crate::cli::arguments::commands::ListArguments;
use crate::cli::counting::Counting;
use crate::cli::exit::Failure;
use crate::cli::form::FormatChoice;
use crate::cli::glyph::Glyph;
use crate::cli::output::Output;

/// How many bytes are written at a time, if there are as many at hand.
const BUFFER: usize = 1 << 16;

/// Runs it.
pub fn run(
    arguments: &ListArguments,
    format: FormatChoice,
    counting: &Counting,
    output: &mut Output,
) -> Result<(), Failure> {
    let size = arguments.n;
    let script = Script::new(arguments, format, size)?;
    let mut solutions = Solutions::new(size);
    let mut skip = arguments.skip;
    if !arguments.unique {
        // To pass 2^64 takes centuries: after that nobody asks for the rest.
        solutions.skip_ahead(u64::try_from(skip).unwrap_or(u64::MAX), counting.threads())?;
        skip = 0;
    }
    let mut buffer = Vec::with_capacity(2 * BUFFER);
    buffer.extend_from_slice(script.head.as_bytes());
    let (mut number, last) = (arguments.skip, arguments.skip.saturating_add(arguments.limit.unwrap_or(u128::MAX)));
    while number < last {
        if buffer.len() >= BUFFER || solutions.size_hint().0 == 0 {
            output.bytes(&buffer)?;
            buffer.clear();
        }
        let Some(solution) = solutions.next() else { break };
        let orbit = if arguments.unique {
            if u32::from(solution.columns()[0]) >= size.get().div_ceil(2) {
                // The mirror images of these have come before.
                break;
            }
            if !solution.is_representative() {
                continue;
            }
            if skip > 0 {
                skip -= 1;
                continue;
            }
            Some(solution.orbit_size())
        } else {
            None
        };
        if number > arguments.skip {
            buffer.extend_from_slice(script.between.as_bytes());
        }
        number += 1;
        script.write(&mut buffer, number, &solution, orbit);
    }
    buffer.extend_from_slice(script.tail.as_bytes());
    output.bytes(&buffer)
}

/// How a list is written.
#[derive(Default)]
struct Script {
    /// What the list begins with.
    head: String,
    /// What a solution begins with.
    before: &'static str,
    /// A row, by the column of its queen, and what separates it from the next one.
    rows: Vec<String>,
    /// The length of what separates rows.
    separator: usize,
    /// What precedes the size of the orbit in the lists that have it.
    orbit: Option<&'static str>,
    /// What a solution ends with.
    after: &'static str,
    /// What stands between two solutions.
    between: &'static str,
    /// What the list ends with.
    tail: &'static str,
    /// Whether a line with a number and the columns stands above each solution.
    numbered: bool,
}

impl Script {
    fn new(arguments: &ListArguments, format: FormatChoice, size: BoardSize) -> Result<Self, Failure> {
        if let (Some(_), _) | (_, Some(_)) = (&arguments.queen, &arguments.empty)
            && format != FormatChoice::Board
        {
            return Err(Failure::Usage(
                "expected --queen and --empty with '--format board', found another form".to_owned(),
            ));
        }
        let n = size.get() as usize;
        let orbit = |text| Some(text).filter(|_| arguments.unique);
        let column = |column: usize| (column + 1).to_string();
        Ok(match format {
            FormatChoice::Text | FormatChoice::Columns => {
                Self { orbit: orbit("\t"), after: "\n", ..Self::default() }.rows(n, " ", column)
            }
            FormatChoice::Csv => {
                let mut head: Vec<String> = (1..=n).map(|row| format!("row{row}")).collect();
                head.extend(orbit("orbit").map(str::to_owned));
                let head = head.join(",") + "\n";
                Self { head, orbit: orbit(","), after: "\n", ..Self::default() }.rows(n, ",", column)
            }
            FormatChoice::Json => {
                let (before, after) = match arguments.unique {
                    true => ("{\"columns\":[", "}\n"),
                    false => ("{\"columns\":[", "]}\n"),
                };
                Self { before, orbit: orbit("],\"orbit\":"), after, ..Self::default() }.rows(n, ",", column)
            }
            FormatChoice::JsonColumns => Self::array().rows(n, ",", column),
            FormatChoice::JsonBoards => Self::array()
                .rows(n, ",", |column| format!("\"{}Q{}\"", ".".repeat(column), ".".repeat(n - 1 - column))),
            FormatChoice::Fen => {
                let empty = |squares: usize| if squares == 0 { String::new() } else { squares.to_string() };
                let row = |column: usize| format!("{}Q{}", empty(column), empty(n - 1 - column));
                Self { orbit: orbit("\t"), after: "\n", ..Self::default() }.rows(n, "/", row)
            }
            FormatChoice::Board => {
                let [queen, empty] = [(&arguments.queen, "Q"), (&arguments.empty, ".")]
                    .map(|(glyph, default)| glyph.as_ref().map_or(default, Glyph::as_str));
                let width = queen.width().max(empty.width());
                let [queen, empty] =
                    [queen, empty].map(|glyph| format!("{glyph}{}", " ".repeat(width - glyph.width())));
                let square = |here: bool| if here { queen.as_str() } else { empty.as_str() };
                let row = |column: usize| {
                    let squares: Vec<&str> = (0..n).map(|at| square(at == column)).collect();
                    squares.join(" ").trim_end().to_owned()
                };
                Self { numbered: true, orbit: orbit(", orbit of "), after: "\n", between: "\n", ..Self::default() }
                    .rows(n, "\n", row)
            }
        })
    }

    /// One JSON array for all solutions, and in it one for each.
    fn array() -> Self {
        Self { head: "[".to_owned(), before: "[", after: "]", between: ",", tail: "]\n", ..Self::default() }
    }

    fn rows(self, n: usize, separator: &str, row: impl Fn(usize) -> String) -> Self {
        Self { rows: (0..n).map(|column| row(column) + separator).collect(), separator: separator.len(), ..self }
    }

    fn write(&self, buffer: &mut Vec<u8>, number: u128, solution: &Solution, orbit: Option<u32>) {
        let orbit = orbit.zip(self.orbit);
        if self.numbered {
            let orbit = orbit.map(|(orbit, before)| format!("{before}{orbit}")).unwrap_or_default();
            writeln!(buffer, "{number}: {solution}{orbit}").expect("a vector takes all");
        }
        buffer.extend_from_slice(self.before.as_bytes());
        for &column in solution.columns() {
            buffer.extend_from_slice(self.rows[usize::from(column)].as_bytes());
        }
        buffer.truncate(buffer.len() - self.separator);
        if let Some((orbit, before)) = orbit.filter(|_| !self.numbered) {
            write!(buffer, "{before}{orbit}").expect("a vector takes all");
        }
        buffer.extend_from_slice(self.after.as_bytes());
    }
}
