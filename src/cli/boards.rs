//! Which boards: sizes and ranges of sizes, from arguments, from standard input, from a file.
//!
//! Everything is checked before anything is counted, and an error repeats what was found.

use std::ffi::OsStr;
use std::fmt;
use std::io::{self, BufRead, Read};

use queencount::{BoardSize, BoardSizeError};

use super::exit::Failure;

/// Where the arguments are explained.
const HELP: &str = "see 'queencount --help'";

/// No input that asks for one board is longer.
const LONGEST: u64 = 4096;

/// The one board that an argument asks for.
pub fn one_argument(argument: &OsStr) -> Result<BoardSize, Failure> {
    argument
        .to_string_lossy()
        .parse()
        .map_err(|error| Failure::Usage(format!("{error}; 'queencount --help' shows the commands")))
}

/// The boards that an argument asks for: `N` or `A..=B`.
pub fn argument(argument: &OsStr) -> Result<Vec<BoardSize>, Failure> {
    range(&argument.to_string_lossy()).map_err(|error| Failure::Usage(format!("{error}; {HELP}")))
}

/// The one board that an input (`source`, for the errors) asks for, spaces and line ends around it aside.
pub fn one_from(input: impl Read, source: &str) -> Result<BoardSize, Failure> {
    let mut bytes = Vec::new();
    input.take(LONGEST + 1).read_to_end(&mut bytes).map_err(|error| unreadable(source, &error))?;
    if bytes.len() as u64 > LONGEST {
        let found = format!("more than {LONGEST} bytes");
        return Err(Failure::Usage(format!("{source}: expected a board size from 1 to 32, found {found}")));
    }
    let text = String::from_utf8_lossy(&bytes);
    text.trim_ascii().parse().map_err(|error| Failure::Usage(format!("{source}: {error}; give one number")))
}

/// The boards that standard input asks for, line by line until `0` or the end: each line as soon as it is there.
pub fn lines_from(mut input: impl BufRead) -> impl Iterator<Item = Result<Vec<BoardSize>, Failure>> {
    let mut line = 0;
    let mut ended = false;
    std::iter::from_fn(move || {
        if ended {
            return None;
        }
        line += 1;
        let mut bytes = Vec::new();
        match (&mut input).take(LONGEST).read_until(b'\n', &mut bytes) {
            Ok(0) => return None,
            Ok(_) => {}
            Err(error) => return Some(Err(unreadable("standard input", &error))),
        }
        let mut boards = Vec::new();
        for word in String::from_utf8_lossy(&bytes).split_ascii_whitespace() {
            if word.bytes().all(|byte| byte == b'0') {
                ended = true;
                break;
            }
            match range(word) {
                Ok(more) => boards.extend(more),
                Err(error) => {
                    ended = true;
                    let hint = "0 ends the list";
                    return Some(Err(Failure::Usage(format!("standard input, line {line}: {error}; {hint}"))));
                }
            }
        }
        Some(Ok(boards))
    })
}

/// Why something could not be read.
pub fn unreadable(source: &str, error: &io::Error) -> Failure {
    Failure::System(format!("cannot read {source}: {error}"))
}

/// What was given is neither the size of a board nor a range of sizes.
enum RangeError {
    Size(BoardSizeError),
    Exclusive(BoardSizeError),
    Reversed(BoardSize, BoardSize),
}

impl fmt::Display for RangeError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Size(error) => write!(formatter, "{error}"),
            Self::Exclusive(error) => write!(formatter, "{error} (a range is written 8..=12)"),
            Self::Reversed(first, last) => {
                write!(formatter, "expected the smaller end of a range first, found \"{first}..={last}\"")
            }
        }
    }
}

/// The boards of `N` or `A..=B`.
fn range(text: &str) -> Result<Vec<BoardSize>, RangeError> {
    let size = |text: &str| text.parse::<BoardSize>().map_err(RangeError::Size);
    let (first, last) = match text.split_once("..=") {
        Some((first, last)) => (size(first)?, size(last)?),
        None => match text.parse() {
            Ok(size) => (size, size),
            Err(error) if text.contains("..") => return Err(RangeError::Exclusive(error)),
            Err(error) => return Err(RangeError::Size(error)),
        },
    };
    if first > last {
        return Err(RangeError::Reversed(first, last));
    }
    (first.get()..=last.get()).map(|n| BoardSize::new(n).map_err(RangeError::Size)).collect()
}
