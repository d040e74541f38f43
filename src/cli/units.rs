//! The units that an option names: in itself, in a file, or on standard input.
//!
//! The arguments of a program have room for some 100 000 bytes, and the units that a large board lacks may take more.

use std::fs::File;
use std::io::{Read, stdin};
use std::path::PathBuf;
use std::str::FromStr;

use queencount::record::{UnitSet, UnitSetError};

use super::boards::unreadable;
use super::exit::Failure;

/// Where units are named.
#[derive(Clone, Debug)]
pub enum UnitList {
    /// In the option itself.
    Here(UnitSet),
    /// In this file.
    File(PathBuf),
    /// On standard input.
    Stdin,
}

impl FromStr for UnitList {
    type Err = UnitSetError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match (text, text.strip_prefix('@')) {
            ("-", _) => Ok(Self::Stdin),
            (_, Some(path)) => Ok(Self::File(path.into())),
            (units, None) => units.parse().map(Self::Here),
        }
    }
}

impl UnitList {
    /// The units.
    pub fn read(&self) -> Result<UnitSet, Failure> {
        match self {
            Self::Here(units) => Ok(units.clone()),
            Self::Stdin => read(stdin().lock(), "standard input"),
            Self::File(path) => {
                let source = path.display().to_string();
                read(File::open(path).map_err(|error| unreadable(&source, &error))?, &source)
            }
        }
    }
}

/// The units that a text names, in any number of lines. Errors call it `source`.
fn read(mut text: impl Read, source: &str) -> Result<UnitSet, Failure> {
    let mut bytes = Vec::new();
    text.read_to_end(&mut bytes).map_err(|error| unreadable(source, &error))?;
    let text = String::from_utf8_lossy(&bytes);
    let lines: Vec<&str> = text.lines().map(str::trim_ascii).filter(|line| !line.is_empty()).collect();
    lines.join(",").parse().map_err(|error: UnitSetError| Failure::Usage(format!("{source}: {error}")))
}
