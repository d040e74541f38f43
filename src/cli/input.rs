//! Parses boards and units in arguments, files and stdin. Error messages quote the invalid word.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, stdin};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use crate::BoardSize;
use crate::board::abbreviate;
use crate::record::{UnitSet, UnitSetError};

use super::error::{Error, Result};

/// Reads an input that contains only one board, ignoring surrounding white space. `source` is the
/// name of the input in error messages.
pub(super) fn one_from(input: impl Read, source: &str) -> Result<BoardSize> {
    const LONGEST: u64 = 4096;
    let mut bytes = Vec::new();
    input
        .take(LONGEST + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| unreadable(source, &error))?;
    if bytes.len() as u64 > LONGEST {
        return Err(Error::Usage(format!(
            "{source}: expected a board size from 1 to 32, found more than {LONGEST} bytes"
        )));
    }
    let text = String::from_utf8_lossy(&bytes);
    without_bom(&text)
        .trim_ascii()
        .parse()
        .map_err(|error| Error::Usage(format!("{source}: {error}; give a single number")))
}

/// Calls `take` with the boards on each line of stdin, until a `0` or the end of the input.
pub(super) fn each_line(
    mut input: impl BufRead,
    mut take: impl FnMut(Vec<BoardSize>) -> Result<()>,
) -> Result<()> {
    for number in 1.. {
        let Some(line) = next_line(&mut input, number, 1 << 20, "stdin")? else {
            break;
        };
        let mut boards = Vec::new();
        for word in line.split_ascii_whitespace() {
            if word.bytes().all(|byte| byte == b'0') {
                return take(boards);
            }
            let range: BoardRange = word
                .parse()
                .map_err(|error| Error::Usage(format!("stdin line {number}: {error}")))?;
            boards.extend(range.boards());
        }
        take(boards)?;
    }
    Ok(())
}

/// Reads the next line, if any. Its length is limited, because an input without line breaks may be
/// endless.
fn next_line(
    input: &mut impl BufRead,
    number: u64,
    longest: u64,
    source: &str,
) -> Result<Option<String>> {
    let mut bytes = Vec::new();
    input
        .take(longest + 1)
        .read_until(b'\n', &mut bytes)
        .map_err(|error| unreadable(source, &error))?;
    if bytes.len() as u64 > longest {
        return Err(Error::Usage(format!(
            "{source} line {number}: expected at most {longest} bytes, found more"
        )));
    }
    if bytes.is_empty() {
        return Ok(None);
    }
    let line = String::from_utf8_lossy(&bytes);
    let line = if number == 1 {
        without_bom(&line)
    } else {
        &line
    };
    Ok(Some(line.to_owned()))
}

/// Removes the byte order mark that some editors put at the start of a file.
fn without_bom(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// Opens a file, or stdin for `-`. Also returns its name for error messages.
pub(super) fn open(path: &Path, hint: &str) -> Result<(Box<dyn Read>, String)> {
    if path == Path::new("-") {
        return Ok((Box::new(stdin().lock()), "stdin".to_owned()));
    }
    let name = path.display().to_string();
    match File::open(path) {
        Ok(_) if path.is_dir() => Err(Error::Usage(format!(
            "{name}: expected a file, found a directory{hint}"
        ))),
        Ok(file) => Ok((Box::new(file), name)),
        Err(error) => Err(match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => {
                Error::Usage(format!("{name}: no such file{hint}"))
            }
            _ => Error::System(format!("cannot read {name}: {error}{hint}")),
        }),
    }
}

fn unreadable(source: &str, error: &io::Error) -> Error {
    match error.kind() {
        io::ErrorKind::IsADirectory => {
            Error::Usage(format!("{source}: expected a file, found a directory"))
        }
        _ => Error::System(format!("cannot read {source}: {error}")),
    }
}

/// The boards given by one word: `N`, or an inclusive range such as `A..=B` or `A-B`.
#[derive(Clone, Copy, Debug)]
pub(super) struct BoardRange {
    first: BoardSize,
    last: BoardSize,
}

impl BoardRange {
    pub(super) fn boards(self) -> impl Iterator<Item = BoardSize> {
        (self.first.get()..=self.last.get())
            .map(|n| BoardSize::new(n).expect("there is a board between two others"))
    }
}

#[derive(Clone, Debug, thiserror::Error)]
pub(super) enum BoardRangeError {
    #[error(
        "expected a board size from 1 to 32 or a range such as 8..=12, found {}", abbreviate(.0)
    )]
    Range(String),
    #[error("expected a range that starts with its smaller number, found {0:?}")]
    Order(String),
}

impl FromStr for BoardRange {
    type Err = BoardRangeError;

    fn from_str(text: &str) -> Result<Self, BoardRangeError> {
        // A word that starts with a minus sign is not a range.
        let dash = text.split_once('-').filter(|(first, _)| !first.is_empty());
        let Some((first, last)) = text.split_once("..=").or(dash) else {
            return match text.parse() {
                Ok(size) => Ok(Self {
                    first: size,
                    last: size,
                }),
                Err(_) => Err(BoardRangeError::Range(text.to_owned())),
            };
        };
        match (first.parse::<BoardSize>(), last.parse::<BoardSize>()) {
            (Ok(first), Ok(last)) if first <= last => Ok(Self { first, last }),
            (Ok(_), Ok(_)) => Err(BoardRangeError::Order(text.to_owned())),
            _ => Err(BoardRangeError::Range(text.to_owned())),
        }
    }
}

/// A set of units, or a file that lists them if there are too many for an argument.
#[derive(Clone, Debug)]
pub(super) enum UnitList {
    Here(UnitSet),
    /// A file, or `-` for stdin.
    File(PathBuf),
}

#[derive(Clone, Debug, thiserror::Error)]
pub(super) enum UnitListError {
    #[error(transparent)]
    Units(#[from] UnitSetError),
    #[error("expected the name of a file after '@', found nothing")]
    Name,
}

impl FromStr for UnitList {
    type Err = UnitListError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.strip_prefix('@').or((text == "-").then_some(text)) {
            Some("") => Err(UnitListError::Name),
            Some(path) => Ok(Self::File(path.into())),
            None => Ok(Self::Here(text.parse()?)),
        }
    }
}

impl UnitList {
    pub(super) fn file(&self) -> Option<&PathBuf> {
        match self {
            Self::Here(_) => None,
            Self::File(path) => Some(path),
        }
    }

    pub(super) fn read(&self) -> Result<UnitSet> {
        let path = match self {
            Self::Here(units) => return Ok(units.clone()),
            Self::File(path) => path,
        };
        let (text, source) = open(path, "; choose another file with --units")?;
        let mut text = BufReader::new(text);
        let mut units = UnitSet::new();
        for number in 1.. {
            let Some(line) = next_line(&mut text, number, 1 << 26, &source)? else {
                break;
            };
            let listed: UnitSet = line
                .split(',')
                .map(str::trim_ascii)
                .collect::<Vec<&str>>()
                .join(",")
                .parse()
                .map_err(|error| {
                    Error::Usage(format!("--units: {source} line {number}: {error}"))
                })?;
            units.extend(listed.ranges());
        }
        Ok(units)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_up_to_limit_are_read_and_longer_ones_refused() {
        for longest in 1..=4 {
            for length in 0..=6 {
                for end in ["", "\n"] {
                    let line = "x".repeat(length) + end;
                    let rest = if end.is_empty() { "" } else { "rest" };
                    let text = format!("{line}{rest}");
                    let mut input = text.as_bytes();
                    let read = next_line(&mut input, 2, longest, "stdin").ok();
                    let some = Some(line.clone()).filter(|line| !line.is_empty());
                    let fits = line.len() as u64 <= longest;
                    assert_eq!(read, fits.then_some(some), "{line:?}, at most {longest}");
                    assert!(
                        !fits || input == rest.as_bytes(),
                        "{line:?}, at most {longest}"
                    );
                }
            }
        }
    }
}
