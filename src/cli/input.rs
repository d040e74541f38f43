//! Which boards and which units: words of the arguments, of a file or of standard input.
//!
//! A word is checked before anything of it is counted, and an error repeats what was found.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, stdin};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use queencount::record::{UnitSet, UnitSetError};
use queencount::{BoardSize, BoardSizeError};

use super::exit::{Exit, OrExit};

/// No input that asks for one board is longer.
const LONGEST: u64 = 4096;

/// The one board that an input asks for; spaces and line ends around it do not matter. Errors call
/// the input `source`.
pub fn one_from(input: impl Read, source: &str) -> OrExit<BoardSize> {
    let mut bytes = Vec::new();
    input
        .take(LONGEST + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| unreadable(source, &error))?;
    if bytes.len() as u64 > LONGEST {
        let found = format!("more than {LONGEST} bytes");
        return Err(Exit::Usage(format!(
            "{source}: expected a board size from 1 to 32, found {found}"
        )));
    }
    let text = String::from_utf8_lossy(&bytes);
    without_mark(&text)
        .trim_ascii()
        .parse()
        .map_err(|error| Exit::Usage(format!("{source}: {error}; give one number")))
}

/// Hands on the boards that standard input asks for, line by line until `0` or the end: each line
/// as soon as it is there.
pub fn each_line(
    mut input: impl BufRead,
    mut take: impl FnMut(Vec<BoardSize>) -> OrExit<()>,
) -> OrExit<()> {
    for number in 1.. {
        let Some(line) = next_line(&mut input, 1 << 20, "standard input")? else {
            break;
        };
        let mut boards = Vec::new();
        let words = if number == 1 {
            without_mark(&line)
        } else {
            &line
        }
        .split_ascii_whitespace();
        let ends = |word: &str| word.bytes().all(|byte| byte == b'0');
        for word in words.clone().take_while(|word| !ends(word)) {
            let found = word.parse::<BoardRange>();
            let wrong = |error| {
                Exit::Usage(format!(
                    "standard input, line {number}: {error}; 0 ends the list"
                ))
            };
            boards.extend(found.map_err(wrong)?.boards());
        }
        take(boards)?;
        if words.into_iter().any(ends) {
            break;
        }
    }
    Ok(())
}

/// The next line, if there is one. An input without a line may have no end, so none may be longer
/// than this many bytes.
fn next_line(input: &mut impl BufRead, longest: u64, source: &str) -> OrExit<Option<String>> {
    let mut bytes = Vec::new();
    input
        .take(longest + 1)
        .read_until(b'\n', &mut bytes)
        .map_err(|error| unreadable(source, &error))?;
    if bytes.len() as u64 > longest {
        return Err(Exit::Usage(format!(
            "{source}: expected at most {longest} bytes in a line, found more"
        )));
    }
    Ok((!bytes.is_empty()).then(|| String::from_utf8_lossy(&bytes).into_owned()))
}

/// A text without the mark that some editors put before UTF-8.
fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// Opens a file, or with `-` standard input. Errors call it by the name that comes with it; `hint`
/// says what else to do.
pub fn open(path: &Path, hint: &str) -> OrExit<(Box<dyn Read>, String)> {
    if path == Path::new("-") {
        return Ok((Box::new(stdin().lock()), "standard input".to_owned()));
    }
    let name = path.display().to_string();
    match File::open(path) {
        Ok(file) => Ok((Box::new(file), name)),
        Err(error) => Err(Exit::System(format!("cannot read {name}: {error}{hint}"))),
    }
}

pub fn unreadable(source: &str, error: &io::Error) -> Exit {
    Exit::System(format!("cannot read {source}: {error}"))
}

/// The boards of one word: `N`, or a range with both ends, `A..=B` as Rust has it or `A-B` as units
/// have it.
#[derive(Clone, Copy, Debug)]
pub struct BoardRange {
    first: BoardSize,
    last: BoardSize,
}

impl BoardRange {
    pub fn boards(self) -> impl Iterator<Item = BoardSize> {
        (self.first.get()..=self.last.get())
            .map(|n| BoardSize::new(n).expect("there is a board between two others"))
    }
}

#[derive(Clone, Debug, thiserror::Error)]
pub enum BoardRangeError {
    /// It, or an end of it, is no board; and a hint.
    #[error("{0}{1}")]
    Size(BoardSizeError, &'static str),
    /// The smaller end stands last.
    #[error("expected the smaller end of a range first, found {0:?}")]
    Order(String),
}

impl FromStr for BoardRange {
    type Err = BoardRangeError;

    fn from_str(text: &str) -> Result<Self, BoardRangeError> {
        // A sign is no range.
        let dash = text.split_once('-').filter(|(first, _)| !first.is_empty());
        let range = text.split_once("..=").or(dash);
        let hint = if range.is_none() && text.contains("..") {
            " (a range is written 8..=12 or 8-12)"
        } else {
            ""
        };
        let end = |end: &str| {
            end.parse::<BoardSize>()
                .map_err(|error| BoardRangeError::Size(error, hint))
        };
        let (first, last) = range.unwrap_or((text, text));
        let (first, last) = (end(first)?, end(last)?);
        if first > last {
            return Err(BoardRangeError::Order(text.to_owned()));
        }
        Ok(Self { first, last })
    }
}

/// Where units are named. The arguments of a program have room for some 100 000 bytes, and the
/// units that a large board lacks may take more.
#[derive(Clone, Debug)]
pub enum UnitList {
    /// In the option itself.
    Here(UnitSet),
    /// In this file; `-` is standard input.
    File(PathBuf),
}

impl FromStr for UnitList {
    type Err = UnitSetError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.strip_prefix('@').or((text == "-").then_some(text)) {
            Some(path) => Ok(Self::File(path.into())),
            None => text.parse().map(Self::Here),
        }
    }
}

impl UnitList {
    pub fn read(&self) -> OrExit<UnitSet> {
        let path = match self {
            Self::Here(units) => return Ok(units.clone()),
            Self::File(path) => path,
        };
        let (text, source) = open(path, "")?;
        let (mut units, mut text) = (UnitSet::new(), BufReader::new(text));
        while let Some(line) = next_line(&mut text, 1 << 26, &source)? {
            let named = line
                .split(',')
                .map(str::trim_ascii)
                .collect::<Vec<&str>>()
                .join(",")
                .parse::<UnitSet>();
            let named = named.map_err(|error| Exit::Usage(format!("{source}: {error}")))?;
            units.extend(named.ranges());
        }
        Ok(units)
    }
}
