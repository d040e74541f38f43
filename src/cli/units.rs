//! The units that an option names: in itself, in a file, or on standard input.
//!
//! The arguments of a program have room for some 100 000 bytes, and the units that a large board lacks may take more.

use std::io::{BufReader, Read};
use std::path::PathBuf;
use std::str::FromStr;

use queencount::record::{UnitSet, UnitSetError};

use super::boards::{open, unreadable};
use super::exit::Exit;

/// Where units are named.
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
