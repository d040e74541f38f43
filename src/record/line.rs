//! Record lines: JSON with a checksum, and the detection of damage.
//!
//! Each line is a JSON object whose last field is the checksum (CRC-32) of the bytes before it. The
//! checksum of an entry also covers the hash of its plan, so an entry in a record of another plan
//! is detected like damage.

#![deny(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "counts are exact"
)]

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::entry::SiteNameError;

/// The format version that this program reads and writes.
pub(super) const VERSION: u64 = 1;

/// The greatest length of a record line in bytes, including the newline.
pub(super) const LONGEST: u64 = 1 << 16;

/// The reason why a record line is damaged.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LineError {
    /// The checksum of the contents, given here, differs from the checksum at the end of the line.
    #[error("the checksum of its contents is {0}, which differs from the one at its end")]
    Checksum(String),
    /// The line has this number of zero bytes, which no record has.
    #[error("{0} of its bytes are zero: data was lost on a disk or in a transfer")]
    Zeros(u64),
    /// The line has this number of bytes, more than any record line.
    #[error("it has {0} bytes, more than the limit of {LONGEST}")]
    Long(u64),
    /// The line has a carriage return, which no record has.
    #[error(
        "it contains a carriage return: a transfer changed the line endings; \
         tr -d '\\r' may repair them"
    )]
    CarriageReturn,
    /// A field is missing, unknown or has the wrong type: the message of the parser.
    #[error("wrong fields: {0}")]
    Members(String),
    /// The record is of this other version of the format.
    #[error("this program reads records of version {VERSION}, not of version {0}")]
    Version(u64),
    /// The stored hash of a plan differs from its computed hash.
    #[error("its hash differs from the hash of the plan")]
    Hash,
    /// The units of an entry do not form a task of the plan.
    #[error(
        "units {first}-{last} are not a task of the plan, which has {units} units{}",
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
    /// The count exceeds N!, the number of ways to place the queens in different columns.
    #[error("{count} solutions are more than {n}!")]
    TooMany {
        /// The count of the line.
        count: u128,
        /// The number of rows of the board.
        n: u32,
    },
    /// The count is not a multiple of the number of images for which each solution is counted.
    #[error("{count} solutions are not a multiple of {divisor}")]
    NoMultiple {
        /// The count of the line.
        count: u128,
        /// A number that divides all counts of its units.
        divisor: u64,
    },
    /// The seconds are not from 0 to 10^9.
    #[error("its time is {0} seconds, which is not between 0 and 10^9")]
    Seconds(f64),
    /// A name is too long, or contains a control character.
    #[error(transparent)]
    Name(#[from] SiteNameError),
}

/// The text between the last field and the checksum.
const BEFORE_CRC: &str = ",\"crc\":\"";
const AFTER_CRC: &str = "\"}";

/// Returns whether an unfinished line ends before the end of its checksum.
pub(super) fn lacks_checksum(piece: &[u8]) -> bool {
    let found = piece
        .windows(BEFORE_CRC.len())
        .rposition(|bytes| bytes == BEFORE_CRC.as_bytes());
    found.is_none_or(|at| piece.len() < at + BEFORE_CRC.len() + 8 + AFTER_CRC.len())
}

/// Returns the checksum of the plan hash and the bytes before the checksum.
fn checksum(plan_hash: &str, bytes: &[u8]) -> [u8; 8] {
    let mut crc = crc32fast::Hasher::new();
    crc.update(plan_hash.as_bytes());
    crc.update(bytes);
    let crc = crc.finalize();
    std::array::from_fn(|place| b"0123456789abcdef"[(crc >> (28 - 4 * place)) as usize % 16])
}

/// Returns the JSON of an object with the checksum as an additional field, and a newline.
pub(super) fn seal(plan_hash: &str, object: &impl Serialize) -> String {
    let mut line = serde_json::to_string(object).expect("the fields are plain values");
    line.pop();
    let crc = checksum(plan_hash, line.as_bytes());
    line + BEFORE_CRC + &String::from_utf8_lossy(&crc) + AFTER_CRC + "\n"
}

/// Parses the object of one line if its checksum is right. A carriage return at the end is
/// accepted.
pub(super) fn check_and_parse<T: DeserializeOwned>(
    plan_hash: &str,
    line: &[u8],
) -> Result<T, LineError> {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    if line.contains(&b'\r') {
        return Err(LineError::CarriageReturn);
    }
    let at = line
        .len()
        .saturating_sub(BEFORE_CRC.len() + 8 + AFTER_CRC.len());
    let (members, end) = line.split_at(at);
    let crc = checksum(plan_hash, members);
    if [BEFORE_CRC.as_bytes(), &crc, AFTER_CRC.as_bytes()].concat() != end {
        return Err(LineError::Checksum(
            String::from_utf8_lossy(&crc).into_owned(),
        ));
    }
    let object = [members, b"}"].concat();
    serde_json::from_slice(&object).map_err(|error| LineError::Members(error.to_string()))
}

/// Serialization of counts as decimal strings.
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
            _ => Err(D::Error::custom(format_args!("{text:?} is not a count"))),
        }
    }
}
