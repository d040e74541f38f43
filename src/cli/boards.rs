//! Which boards: sizes and ranges of sizes, as words of the arguments or of an input.
//!
//! A word is checked before anything of it is counted, and an error repeats what was found.

use std::fs::File;
use std::io::{self, BufRead, Read, stdin};
use std::path::Path;
use std::str::FromStr;

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

/// The boards that standard input asks for, line by line until `0` or the end: each line as soon as it is there.
pub fn lines_from(mut input: impl BufRead) -> impl Iterator<Item = Result<Vec<BoardSize>, Exit>> {
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
        let text = String::from_utf8_lossy(&bytes);
        for word in if line == 1 { without_mark(&text) } else { &text }.split_ascii_whitespace() {
            if word.bytes().all(|byte| byte == b'0') {
                ended = true;
                break;
            }
            match word.parse::<BoardRange>() {
                Ok(range) => boards.extend(range.boards()),
                Err(error) => {
                    ended = true;
                    let hint = "0 ends the list";
                    return Some(Err(Exit::Usage(format!("standard input, line {line}: {error}; {hint}"))));
                }
            }
        }
        Some(Ok(boards))
    })
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

impl FromStr for BoardRange {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        // A sign is no range.
        let dash = text.split_once('-').filter(|(first, _)| !first.is_empty());
        let end = |end: &str| end.parse().map_err(|error: BoardSizeError| error.to_string());
        let (first, last): (BoardSize, BoardSize) = match text.split_once("..=").or(dash) {
            Some((first, last)) => (end(first)?, end(last)?),
            None => match end(text) {
                Err(error) if text.contains("..") => {
                    return Err(format!("{error} (a range is written 8..=12 or 8-12)"));
                }
                size => (size.clone()?, size?),
            },
        };
        if first > last {
            return Err(format!("expected the smaller end of a range first, found {text:?}"));
        }
        Ok(Self { first, last })
    }
}
