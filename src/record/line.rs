//! Record lines: JSON objects whose last field is a checksum (CRC-32) of the bytes before it.
//!
//! The checksum of an entry also covers the hash of its plan, so an entry of a different plan
//! counts as damaged.

use serde::Serialize;
use serde::de::DeserializeOwned;

pub(super) const VERSION: u64 = 1;

/// The maximum length of a record line in bytes, including the newline.
pub(super) const LONGEST: usize = 1 << 16;

const BEFORE_CRC: &str = ",\"crc\":\"";
const AFTER_CRC: &str = "\"}";
/// The length of a complete checksum field, including the brace that ends the line.
const END_LENGTH: usize = BEFORE_CRC.len() + 8 + AFTER_CRC.len();

/// Returns whether a line ends before its checksum is complete.
pub(super) fn lacks_checksum(piece: &[u8]) -> bool {
    piece
        .windows(BEFORE_CRC.len())
        .rposition(|bytes| bytes == BEFORE_CRC.as_bytes())
        .is_none_or(|at| piece.len() < at + END_LENGTH)
}

fn checksum(plan_hash: &str, bytes: &[u8]) -> String {
    let mut crc = crc32fast::Hasher::new();
    crc.update(plan_hash.as_bytes());
    crc.update(bytes);
    format!("{:08x}", crc.finalize())
}

/// Returns an object as a line, with a checksum and a newline.
pub(super) fn seal(plan_hash: &str, object: &impl Serialize) -> String {
    let mut line = serde_json::to_string(object).expect("the fields are plain values");
    line.pop();
    let crc = checksum(plan_hash, line.as_bytes());
    line + BEFORE_CRC + &crc + AFTER_CRC + "\n"
}

/// Verifies the checksum of a line, and parses its object. Accepts a carriage return at the end.
/// The error is the reason why the line is damaged.
pub(super) fn check_and_parse<T: DeserializeOwned>(
    plan_hash: &str,
    line: &[u8],
) -> Result<T, String> {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    if line.contains(&b'\r') {
        return Err(
            "it contains a carriage return: a transfer changed the line endings; \
             tr -d '\\r' may repair them"
                .to_owned(),
        );
    }
    let (members, end) = line.split_at(line.len().saturating_sub(END_LENGTH));
    let crc = checksum(plan_hash, members);
    let found = end
        .strip_prefix(BEFORE_CRC.as_bytes())
        .and_then(|end| end.strip_suffix(AFTER_CRC.as_bytes()));
    if found != Some(crc.as_bytes()) {
        let found = found.map_or("none".into(), String::from_utf8_lossy);
        return Err(format!(
            "expected the checksum {crc} at the end of the line, found {found}"
        ));
    }
    let object = [members, b"}"].concat();
    serde_json::from_slice(&object).map_err(|_| {
        "expected fields and values as this version of the program writes them, found others, \
         with a correct checksum: another version or program wrote the line"
            .to_owned()
    })
}

/// Serializes counts as decimal strings.
pub(super) mod decimal {
    use serde::de::{Deserialize, Deserializer, Error};
    use serde::ser::Serializer;

    use crate::parse::parse_digits;

    pub(crate) fn serialize<S: Serializer>(count: &u128, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(count)
    }

    pub(crate) fn deserialize<'a, D: Deserializer<'a>>(deserializer: D) -> Result<u128, D::Error> {
        let text = <&str>::deserialize(deserializer)?;
        parse_digits(text)
            .filter(|_| text == "0" || !text.starts_with('0'))
            .ok_or_else(|| D::Error::custom("not a count"))
    }
}
