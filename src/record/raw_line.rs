//! Splitting a file into lines, and handling an unfinished line at its end.
//!
//! A line is written with one call, its newline last. So a killed process leaves at most an
//! unfinished line, without a newline, at the very end, and a power failure may leave zeros there.
//! Such an end is ignored, and its units are missing. A resumed run removes it, so no other damage
//! may be mistaken for it.
//!
//! A line that is far too long is read in pieces, to save memory, and is damage.

use std::io::{self, BufRead, Read};
use std::mem;
use std::path::Path;

use super::entry::ENTRY_BEGINS;
use super::line::{LONGEST, LineError, lacks_checksum};
use super::plan::{PLAN_BEGINS, Rules};
use super::reader::{FINDING_BEGINS, Line, parse_line};
use super::{Plan, RecordError};

/// The byte order mark that some programs write before UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// A line before it is parsed.
#[derive(Default)]
pub(super) struct RawLine {
    /// Its first bytes, at most [`LONGEST`], without the newline.
    text: Vec<u8>,
    /// The number of its bytes, including the newline.
    pub bytes: u64,
    /// The number of bytes that are zero.
    zeros: u64,
    /// Whether only zeros follow the first bytes.
    zeros_behind: bool,
    /// Whether it ends with a newline, and not with the file.
    pub whole: bool,
}

impl RawLine {
    /// Reads the next line; returns `false` at the end of the file.
    pub fn read(&mut self, source: &mut impl BufRead) -> io::Result<bool> {
        let mut text = mem::take(&mut self.text);
        text.clear();
        *self = Self {
            text,
            zeros_behind: true,
            ..Self::default()
        };
        let mut more = Vec::new();
        loop {
            more.clear();
            let piece = if self.bytes == 0 {
                &mut self.text
            } else {
                &mut more
            };
            let bytes = source.by_ref().take(LONGEST).read_until(b'\n', piece)? as u64;
            self.whole = piece.pop_if(|last| *last == b'\n').is_some();
            let zeros: u64 = piece.iter().map(|byte| u64::from(*byte == 0)).sum();
            self.zeros_behind &= self.bytes == 0 || zeros == piece.len() as u64;
            self.zeros += zeros;
            self.bytes += bytes;
            if self.whole || bytes < LONGEST {
                return Ok(self.bytes > 0);
            }
        }
    }

    /// Removes a byte order mark from the first line.
    pub fn remove_mark(&mut self) {
        if self.begins(BYTE_ORDER_MARK) {
            self.text.drain(..BYTE_ORDER_MARK.len());
        }
    }

    /// Returns the plan in the first line, which every record needs.
    pub fn plan(&self, path: &Path) -> Result<Plan, RecordError> {
        if !self.is_plan() {
            return Err(RecordError::not_a_record(path, NO_PLAN));
        }
        self.check_and_parse(Plan::from_line)
            .map_err(|error| RecordError::not_a_record(path, &error.to_string()))
    }

    /// Returns whether it begins like a plan line.
    pub fn is_plan(&self) -> bool {
        self.begins(PLAN_BEGINS.as_bytes())
    }

    fn begins(&self, begin: &[u8]) -> bool {
        self.text.starts_with(begin)
    }

    /// Parses it by these rules.
    pub fn parse(&self, rules: &Rules) -> Line {
        self.check_and_parse(|text| parse_line(text, rules))
            .unwrap_or_else(Line::Damaged)
    }

    fn check_and_parse<T>(
        &self,
        parse: impl FnOnce(&[u8]) -> Result<T, LineError>,
    ) -> Result<T, LineError> {
        if self.zeros > 0 {
            Err(LineError::Zeros(self.zeros))
        } else if self.bytes > LONGEST {
            Err(LineError::Long(self.bytes))
        } else {
            parse(&self.text)
        }
    }

    /// Returns whether this is an unfinished line, as left by a killed writer: the beginning of a
    /// valid line, without a newline. With a wrong checksum it is damage.
    pub fn is_torn(&self, rules: Option<&Rules>) -> bool {
        if self.whole || !self.zeros_behind {
            return false;
        }
        // After a power failure, unwritten data may be zeros.
        let end = self
            .text
            .iter()
            .rposition(|byte| *byte != 0)
            .map_or(0, |last| last + 1);
        let piece = &self.text[..end];
        // An entry cannot come before the plan.
        let begins = if rules.is_some() {
            &[PLAN_BEGINS, ENTRY_BEGINS, FINDING_BEGINS][..]
        } else {
            &[PLAN_BEGINS]
        };
        begins.iter().any(|begin| agrees(piece, begin.as_bytes()))
            && (lacks_checksum(piece) && !piece.iter().any(u8::is_ascii_control)
                || match rules {
                    Some(rules) => parse_line(piece, rules).is_ok(),
                    None => Plan::from_line(piece).is_ok(),
                })
    }
}

/// The reason why a file is not a record.
pub(super) const NO_PLAN: &str = "its first line is not the line of a plan";

/// Returns whether a file that begins with these bytes may be a record: its first line may be a
/// plan line, or be overwritten with zeros.
pub(super) fn may_begin_record(bytes: &[u8]) -> bool {
    let text = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
    text.first() == Some(&0)
        || agrees(text, PLAN_BEGINS.as_bytes())
        || agrees(bytes, BYTE_ORDER_MARK)
}

/// Returns whether one of two texts begins with the other.
fn agrees(one: &[u8], other: &[u8]) -> bool {
    one.iter().zip(other).all(|(one, other)| one == other)
}
