//! Record lines: JSON with a checksum, which reveals damage.
//!
//! Each line is a JSON object whose last field is the checksum (CRC-32) of the bytes before it. The
//! checksum of an entry also covers the hash of its plan, so an entry from a record with a
//! different plan counts as damaged.

use std::fmt;

use serde::Serialize;
use serde::de::DeserializeOwned;

/// The format version that this program reads and writes.
pub(super) const VERSION: u64 = 1;

/// The maximum length of a record line in bytes, including the newline.
pub(super) const LONGEST: usize = 1 << 16;

/// The reason why a record line is damaged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct LineError(String);

impl LineError {
    pub(super) fn new(reason: impl fmt::Display) -> Self {
        Self(reason.to_string())
    }
}

/// The text between the last field and the checksum.
const BEFORE_CRC: &str = ",\"crc\":\"";
const AFTER_CRC: &str = "\"}";

/// Returns whether an unfinished line ends before its checksum is complete.
pub(super) fn lacks_checksum(piece: &[u8]) -> bool {
    let found = piece
        .windows(BEFORE_CRC.len())
        .rposition(|bytes| bytes == BEFORE_CRC.as_bytes());
    found.is_none_or(|at| piece.len() < at + BEFORE_CRC.len() + 8 + AFTER_CRC.len())
}

fn checksum(plan_hash: &str, bytes: &[u8]) -> String {
    let mut crc = crc32fast::Hasher::new();
    crc.update(plan_hash.as_bytes());
    crc.update(bytes);
    format!("{:08x}", crc.finalize())
}

/// Returns an object as JSON, with a checksum field added at the end, followed by a newline.
pub(super) fn seal(plan_hash: &str, object: &impl Serialize) -> String {
    let mut line = serde_json::to_string(object).expect("the fields are plain values");
    line.pop();
    let crc = checksum(plan_hash, line.as_bytes());
    line + BEFORE_CRC + &crc + AFTER_CRC + "\n"
}

/// Verifies the checksum of a line, and parses the object on it. A carriage return at the end is
/// accepted.
pub(super) fn check_and_parse<T: DeserializeOwned>(
    plan_hash: &str,
    line: &[u8],
) -> Result<T, LineError> {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    if line.contains(&b'\r') {
        return Err(LineError::new(
            "it contains a carriage return: a transfer changed the line endings; \
             tr -d '\\r' may repair them",
        ));
    }
    let at = line
        .len()
        .saturating_sub(BEFORE_CRC.len() + 8 + AFTER_CRC.len());
    let (members, end) = line.split_at(at);
    let crc = checksum(plan_hash, members);
    if [BEFORE_CRC, &crc, AFTER_CRC].concat().as_bytes() != end {
        return Err(LineError::new(format_args!(
            "the checksum of its contents is {crc}, which differs from the one at its end"
        )));
    }
    let object = [members, b"}"].concat();
    serde_json::from_slice(&object)
        .map_err(|error| LineError::new(format_args!("wrong fields: {error}")))
}

/// Serializes counts as decimal strings.
pub(super) mod decimal {
    use serde::de::{Deserialize, Deserializer, Error};
    use serde::ser::Serializer;

    pub(crate) fn serialize<S: Serializer>(count: &u128, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(count)
    }

    pub(crate) fn deserialize<'a, D: Deserializer<'a>>(deserializer: D) -> Result<u128, D::Error> {
        let text = <&str>::deserialize(deserializer)?;
        match text.parse() {
            Ok(count) if !text.starts_with(['0', '+']) || text == "0" => Ok(count),
            _ => Err(D::Error::custom(format_args!("{text:?} is not a count"))),
        }
    }
}
