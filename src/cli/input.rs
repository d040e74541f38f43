//! Which boards and which units: words of the arguments, of a file or of standard input.
//!
//! A word is checked before anything of it is counted, and an error repeats what was found.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, stdin};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use queencount::record::{UnitSet, UnitSetError};
use queencount::{BoardSize, BoardSizeError};

use super::exit::Exit;

/// No input that asks for one board is longer.
const LONGEST: u64 = 4096;

/// The one board that an input asks for; spaces and line ends around it do not matter. Errors call the input `source`.
pub fn one_from(input: impl Read, source: &str) -> Result<BoardSize, Exit> {
    let mut bytes = Vec::new();
    input.take(LONGEST + 1).read_to_end(&mut bytes).map_err(|error| unreadable(source, &error))?;
    if bytes.len() as u64 > LONGEST {
        let found = format!("more than {LONGEST} bytes");
        return Err(Exit::Usage(format!("{source}: expected a board size from 1 to 32, found {found}")));
    }
    let text = String::from_utf8_lossy(&bytes);
    without_mark(&text).trim_ascii().parse().map_err(|error| Exit::Usage(format!("{source}: {error}; give one number")))
}

/// No line of boards is longer. An input without a line may have no end.
const LONGEST_LINE: u64 = 1 << 20;

/// Hands on the boards that standard input asks for, line by line until `0` or the end: each line as soon as it is there.
pub fn each_line(
    mut input: impl BufRead,
    mut take: impl FnMut(Vec<BoardSize>) -> Result<(), Exit>,
) -> Result<(), Exit> {
    let (mut line, mut ended) = (0, false);
    while !ended {
        line += 1;
        let mut bytes = Vec::new();
        let read = (&mut input).take(LONGEST_LINE + 1).read_until(b'\n', &mut bytes);
        ended = read.map_err(|error| unreadable("standard input", &error))? == 0;
        let wrong = |reason: String| Exit::Usage(format!("standard input, line {line}: {reason}; 0 ends the list"));
        if bytes.len() as u64 > LONGEST_LINE {
            return Err(wrong(format!("expected boards, found more than {LONGEST_LINE} bytes")));
        }
        let mut boards = Vec::new();
        let text = String::from_utf8_lossy(&bytes);
        for word in if line == 1 { without_mark(&text) } else { &text }.split_ascii_whitespace() {
            if word.bytes().all(|byte| byte == b'0') {
                ended = true;
                break;
            }
            boards.extend(word.parse::<BoardRange>().map_err(|error| wrong(error.to_string()))?.boards());
        }
        take(boards)?;
    }
    Ok(())
}

/// A text without the mark that some editors put before UTF-8.
fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// Opens a file, or with `-` standard input. Errors call it by the name that comes with it; `hint` says what else to do.
pub fn open(path: &Path, hint: &str) -> Result<(Box<dyn Read>, String), Exit> {
    if path == Path::new("-") {
        return Ok((Box::new(stdin().lock()), "standard input".to_owned()));
    }
    let name = path.display().to_string();
    match File::open(path) {
        Ok(file) => Ok((Box::new(file), name)),
        Err(error) => Err(Exit::System(format!("cannot read {name}: {error}{hint}"))),
    }
}

/// Why something could not be read.
pub fn unreadable(source: &str, error: &io::Error) -> Exit {
    Exit::System(format!("cannot read {source}: {error}"))
}

/// The boards of one word: `N`, or a range with both ends, `A..=B` as Rust has it or `A-B` as units have it.
#[derive(Clone, Copy, Debug)]
pub struct BoardRange {
    first: BoardSize,
    last: BoardSize,
}

impl BoardRange {
    /// The boards, from the smallest to the largest.
    pub fn boards(self) -> impl Iterator<Item = BoardSize> {
        (self.first.get()..=self.last.get()).map(|n| BoardSize::new(n).expect("there is a board between two others"))
    }
}

/// Why a word names no boards.
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
        let hint = if range.is_none() && text.contains("..") { " (a range is written 8..=12 or 8-12)" } else { "" };
        let end = |end: &str| end.parse::<BoardSize>().map_err(|error| BoardRangeError::Size(error, hint));
        let (first, last) = range.unwrap_or((text, text));
        let (first, last) = (end(first)?, end(last)?);
        if first > last {
            return Err(BoardRangeError::Order(text.to_owned()));
        }
        Ok(Self { first, last })
    }
}

/// Where units are named. The arguments of a program have room for some 100 000 bytes, and the units that a large board
/// lacks may take more.
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
    /// The units.
    pub fn read(&self) -> Result<UnitSet, Exit> {
        match self {
            Self::Here(units) => Ok(units.clone()),
            Self::File(path) => {
                let (text, source) = open(path, "")?;
                read(text, &source)
            }
        }
    }
}

/// The units that a text names, in any number of lines. Errors call it `source`. A text that names none may have no end.
fn read(text: impl Read, source: &str) -> Result<UnitSet, Exit> {
    /// More bytes than two units, and some spaces around them.
    const LONGEST: usize = 100;
    let mut units = UnitSet::new();
    let mut insert = |part: &[u8]| -> Result<(), Exit> {
        let part = String::from_utf8_lossy(part.trim_ascii());
        let named: UnitSet = part.parse().map_err(|error: UnitSetError| Exit::Usage(format!("{source}: {error}")))?;
        named.ranges().for_each(|range| units.insert(range));
        Ok(())
    };
    let (mut part, mut listed) = (Vec::new(), false);
    for byte in BufReader::new(text).bytes().chain([Ok(b'\n')]) {
        match byte.map_err(|error| unreadable(source, &error))? {
            end @ (b',' | b'\n') => {
                let comma = end == b',';
                // Lines may be empty, but nothing beside a comma.
                if (comma || listed) && part.trim_ascii().is_empty() {
                    insert(b",")?
                } else {
                    insert(&part)?
                }
                part.clear();
                listed = comma;
            }
            _ if part.len() == LONGEST => {
                let found = String::from_utf8_lossy(&part).escape_debug().take(30).collect::<String>();
                return Err(Exit::Usage(format!("{source}: expected units such as 3,17,40-44, found \"{found}...")));
            }
            byte => part.push(byte),
        }
    }
    Ok(units)
}
