//! Parses boards and units in arguments, files and stdin. Error messages quote the invalid word.

use std::fs::File;
use std::io::{self, BufRead, Read, stdin};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use crate::BoardSize;
use crate::record::UnitSet;

use super::error::{Error, Result};
use super::flags::values::Unexpected;

/// Reads an input that contains only one board, ignoring surrounding white space. `source` is the
/// name of the input in error messages.
pub(super) fn one_from(input: impl Read, source: &str) -> Result<BoardSize> {
    const LONGEST: u64 = 4096;
    let mut bytes = Vec::new();
    let read = input.take(LONGEST + 1).read_to_end(&mut bytes);
    text(read, &bytes, LONGEST, source)?
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
        let line = next_line(&mut input, 1 << 20, &format!("stdin line {number}"))?;
        if line.is_empty() {
            break;
        }
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

/// Reads the next line, which is empty only at the end of the input.
fn next_line(input: &mut impl BufRead, longest: u64, source: &str) -> Result<String> {
    let mut bytes = Vec::new();
    let read = input.take(longest + 1).read_until(b'\n', &mut bytes);
    text(read, &bytes, longest, source)
}

/// Checks the length of what was read, because an input may be endless, and removes the byte order
/// mark that some editors put at the start of a file.
fn text(read: io::Result<usize>, bytes: &[u8], longest: u64, source: &str) -> Result<String> {
    read.map_err(|error| Error::file("read", source, Path::new(source), &error, ""))?;
    if bytes.len() as u64 > longest {
        return Err(Error::Usage(format!(
            "{source}: expected at most {longest} bytes, found more"
        )));
    }
    let text = String::from_utf8_lossy(bytes);
    Ok(text.strip_prefix('\u{feff}').unwrap_or(&text).to_owned())
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
    type Err = Unexpected;

    fn from_str(text: &str) -> Result<Self, Unexpected> {
        // A word that starts with a minus sign is not a range.
        let dash = text.split_once('-').filter(|(first, _)| !first.is_empty());
        let (first, last) = text.split_once("..=").or(dash).unwrap_or((text, text));
        match (first.parse::<BoardSize>(), last.parse::<BoardSize>()) {
            (Ok(first), Ok(last)) if first <= last => Ok(Self { first, last }),
            (Ok(_), Ok(_)) => Err(Unexpected::new(
                "a range that starts with its smaller number",
                text,
            )),
            _ => Err(Unexpected::new(
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
        const LONGEST: u64 = 1 << 30;
        let (input, source) = open(path, "; choose another file with --units")?;
        let mut bytes = Vec::new();
        let read = input.take(LONGEST + 1).read_to_end(&mut bytes);
        let mut units = UnitSet::new();
        for (index, line) in text(read, &bytes, LONGEST, &source)?.lines().enumerate() {
            let words: Vec<&str> = line.split(',').map(str::trim_ascii).collect();
            let listed: UnitSet = words.join(",").parse().map_err(|error| {
                Error::Usage(format!("--units: {source} line {}: {error}", index + 1))
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
        for (text, line) in [
            ("", Some("")),
            ("abc\nrest", Some("abc\n")),
            ("abcd", Some("abcd")),
            ("abcd\n", None),
            ("abcde", None),
        ] {
            let read = next_line(&mut text.as_bytes(), 4, "stdin").ok();
            assert_eq!(read.as_deref(), line, "{text:?}");
        }
    }
}
