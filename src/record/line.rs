//! A line of a record: JSON with a checksum, and how damage to it is noticed.
//!
//! A line is a JSON object whose last member is the checksum (CRC-32) of the bytes before it:
//!
//! ```text
//! {"format":"queencount-record","version":1,"program":"0.1.0","n":8,...,"plan":"0123456789abcdef","crc":"89abcdef"}
//! {"first":0,"last":3,"count":"24","seconds":0.000012,"kernel":null,"time":1795348800,"site":"lyon","crc":"01234567"}
//! ```
//!
//! The checksum is compared as text, byte for byte, and it covers every byte before it. So every
//! single flipped bit of a line is noticed. The checksum of an entry begins with the hash of its
//! plan. So an entry that strays into the record of another plan is noticed as damage is.

use serde::Serialize;
use serde::de::DeserializeOwned;

/// The version of the format that is written and read here.
pub(super) const VERSION: u64 = 1;

/// The number of bytes that no line of a record exceeds, newline included.
pub(super) const LONGEST: u64 = 1 << 16;

/// What is wrong with a line of a record.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LineError {
    /// The line does not end with the checksum of what it says, which is this one.
    #[error("the checksum of what it says is {0}, which is not what it ends with")]
    Checksum(String),
    /// The line has this many zeros in the place of what was written.
    #[error(
        "{0} of its bytes are zero: a disk, or who copied the file, has lost what was there, the ends of lines, too"
    )]
    Zeros(u64),
    /// The line has this many bytes, more than any line of a record.
    #[error("it has {0} bytes, and no line of a record has more than {LONGEST}")]
    Long(u64),
    /// The line has a carriage return, which no record has.
    #[error("it has a carriage return; an editor or a transfer has changed the ends of its lines")]
    CarriageReturn,
    /// The line lacks a member, or has one of another type or name: what the parser says.
    #[error("it does not say what such a line says: {0}")]
    Members(String),
    /// The record is of this other version of the format.
    #[error("this program reads records of version {VERSION}, not of version {0}")]
    Version(u64),
    /// The hash of a plan is not what the plan hashes to.
    #[error("its hash is not the hash of the plan")]
    Hash,
    /// The units of an entry are not a task of the plan.
    #[error(
        "units {first}-{last} are no task of the plan, which has {units} units{}",
        .grain.map_or(String::new(), |grain| format!(", {grain} to a task"))
    )]
    NoTask {
        /// The first unit of the entry.
        first: u64,
        /// The last unit of the entry.
        last: u64,
        /// The number of units of the plan.
        units: u64,
        /// The number of units of a task, if this program has the engine of the plan.
        grain: Option<u64>,
    },
    /// A board has not so many solutions: the queens of all rows stand in different columns.
    #[error("it says {count} solutions, but a board of {n} rows has no more than {n}!")]
    TooMany {
        /// The count of the line.
        count: u128,
        /// The number of rows of the board.
        n: u32,
    },
    /// So many solutions cannot be: each is counted for several images.
    #[error(
        "it says {count} solutions, but the number of those in its units is a multiple of {divisor}"
    )]
    NoMultiple {
        /// The count of the line.
        count: u128,
        /// What divides all counts of its units.
        divisor: u64,
    },
    /// This is not a number of seconds that a count takes.
    #[error("{0} is not a number of seconds that a count takes")]
    Seconds(f64),
}

/// What stands between the last member of a line and its checksum, and after it.
const BEFORE_CRC: &str = ",\"crc\":\"";
const AFTER_CRC: &str = "\"}";

/// Whether a piece of a line ends before its checksum does.
pub(super) fn lacks_checksum(piece: &[u8]) -> bool {
    let found = piece
        .windows(BEFORE_CRC.len())
        .rposition(|bytes| bytes == BEFORE_CRC.as_bytes());
    found.is_none_or(|at| piece.len() < at + BEFORE_CRC.len() + 8 + AFTER_CRC.len())
}

/// The checksum of the bytes of a line before it. The tie goes before the bytes: it ties the line
/// to its plan.
fn checksum(tie: &str, bytes: &[u8]) -> [u8; 8] {
    let mut crc = crc32fast::Hasher::new();
    crc.update(tie.as_bytes());
    crc.update(bytes);
    let crc = crc.finalize();
    std::array::from_fn(|place| b"0123456789abcdef"[(crc >> (28 - 4 * place)) as usize % 16])
}

/// The line of an object: its JSON with the checksum as one more member, and a newline.
pub(super) fn seal(tie: &str, object: &impl Serialize) -> String {
    let mut line = serde_json::to_string(object).expect("the members of a line are plain values");
    line.pop();
    let crc = checksum(tie, line.as_bytes());
    line + BEFORE_CRC + &String::from_utf8_lossy(&crc) + AFTER_CRC + "\n"
}

/// The object of a line, if the line ends with its checksum.
pub(super) fn open<T: DeserializeOwned>(tie: &str, line: &[u8]) -> Result<T, LineError> {
    if line.contains(&b'\r') {
        return Err(LineError::CarriageReturn);
    }
    let at = line
        .len()
        .saturating_sub(BEFORE_CRC.len() + 8 + AFTER_CRC.len());
    let (members, end) = line.split_at(at);
    let crc = checksum(tie, members);
    if [BEFORE_CRC.as_bytes(), &crc, AFTER_CRC.as_bytes()].concat() != end {
        return Err(LineError::Checksum(
            String::from_utf8_lossy(&crc).into_owned(),
        ));
    }
    let object = [members, b"}"].concat();
    serde_json::from_slice(&object).map_err(|error| LineError::Members(error.to_string()))
}

/// Counts as the strings that lines have of them.
pub(super) mod decimal {
    use serde::de::{Deserialize, Deserializer, Error};
    use serde::ser::Serializer;

    pub fn serialize<S: Serializer>(count: &u128, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(count)
    }

    pub fn deserialize<'a, D: Deserializer<'a>>(deserializer: D) -> Result<u128, D::Error> {
        let text = <&str>::deserialize(deserializer)?;
        match text.parse() {
            Ok(count) if !text.starts_with(['0', '+']) || text == "0" => Ok(count),
            _ => Err(D::Error::custom(format_args!(
                "{text:?} is not how a count is written"
            ))),
        }
    }
}
