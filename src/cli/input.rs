//! Parses boards and units in arguments, files and stdin. Error messages quote the invalid word.

use std::fs::File;
use std::io::{self, BufRead, Read, stdin};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use crate::record::UnitSet;
use crate::{BoardSize, ParseError};

use super::error::{Error, Result};

/// Reads an input that contains only one board, ignoring surrounding white space. `source` is the
/// name of the input in error messages.
pub(super) fn one_from(input: impl Read, source: &str) -> Result<BoardSize> {
    // An input may be endless.
    const LONGEST: u64 = 4096;
    read(input.take(LONGEST), source)?
        .trim_ascii()
        .parse()
        .map_err(|error| Error::Usage(format!("{source}: {error}; give a single number")))
}

/// Calls `take` with the boards on each line of stdin, until a `0` or the end of the input.
pub(super) fn each_line(
    input: impl BufRead,
    mut take: impl FnMut(Vec<BoardSize>) -> Result<()>,
) -> Result<()> {
    for (index, line) in input.split(b'\n').enumerate() {
        let source = format!("stdin line {}", index + 1);
        let line = text(&line.map_err(|error| unreadable(&source, &error))?);
        let mut boards = Vec::new();
        for word in line.split_ascii_whitespace() {
            if word.bytes().all(|byte| byte == b'0') {
                return take(boards);
            }
            let range: BoardRange = word
                .parse()
                .map_err(|error| Error::Usage(format!("{source}: {error}")))?;
            boards.extend(range.boards());
        }
        take(boards)?;
    }
    Ok(())
}

fn read(mut input: impl Read, source: &str) -> Result<String> {
    let mut bytes = Vec::new();
    match input.read_to_end(&mut bytes) {
        Ok(_) => Ok(text(&bytes)),
        Err(error) => Err(unreadable(source, &error)),
    }
}

/// Removes the byte order mark that some editors put at the start of a file. Bytes that are not
/// UTF-8 are not numbers either, so the parsers refuse them.
fn text(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    text.strip_prefix('\u{feff}').unwrap_or(&text).to_owned()
}

fn unreadable(source: &str, error: &io::Error) -> Error {
    Error::file("read", source, Path::new(source), error, "")
}

/// Opens a file, or stdin for `-`. Also returns its name for error messages.
pub(super) fn open(path: &Path, hint: &str) -> Result<(Box<dyn Read>, String)> {
    if path == Path::new("-") {
        return Ok((Box::new(stdin().lock()), "stdin".to_owned()));
    }
    let opened = match File::open(path) {
        Ok(_) if path.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        opened => opened,
    };
    match opened {
        Ok(file) => Ok((Box::new(file), path.display().to_string())),
        Err(error) => Err(Error::file("read", path.display(), path, &error, hint)),
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

impl FromStr for BoardRange {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        // A word that starts with a minus sign is not a range.
        let dash = text.split_once('-').filter(|(first, _)| !first.is_empty());
        let (first, last) = text.split_once("..=").or(dash).unwrap_or((text, text));
        match (first.parse::<BoardSize>(), last.parse::<BoardSize>()) {
            (Ok(first), Ok(last)) if first <= last => Ok(Self { first, last }),
            (Ok(_), Ok(_)) => Err(ParseError::new(
                "a range that starts with its smaller number",
                text,
            )),
            _ => Err(ParseError::new(
                "a board size from 1 to 32 or a range such as 8..=12",
                text,
            )),
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

impl FromStr for UnitList {
    type Err = Box<dyn std::error::Error + Send + Sync>;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.strip_prefix('@').or((text == "-").then_some(text)) {
            Some("") => Err("expected the name of a file after '@', found nothing".into()),
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
        let (input, source) = open(path, "; choose another file with --units")?;
        let mut units = UnitSet::new();
        for (index, line) in read(input, &source)?.lines().enumerate() {
            let words: Vec<&str> = line.split(',').map(str::trim_ascii).collect();
            let listed: UnitSet = words.join(",").parse().map_err(|error| {
                Error::Usage(format!("--units: {source} line {}: {error}", index + 1))
            })?;
            units.extend(listed.ranges());
        }
        Ok(units)
    }
}
