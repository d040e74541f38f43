//! Any bytes are read as a record or refused. The entries read are complete, and are unchanged when
//! they are written and read again.
//!
//! A fuzzer cannot guess checksums. If a line has a checksum field, it is therefore corrected here,
//! so that the text gets past the check to the parser. The first byte decides whether checksums are
//! corrected, and whether a hole longer than the fuzzer would generate is inserted into the text.

use queencount::record::{Entry, Loaded, Loader, Plan, Reader, RecordError, RecordErrorKind};

const BEFORE_CRC: &[u8] = b",\"crc\":\"";
const AFTER_CRC: &[u8] = b"\"}";

pub(super) fn holds(data: &[u8]) {
    let Some((how, text)) = data.split_first() else {
        return;
    };
    let mut text = if how & 1 == 1 {
        sealed(text)
    } else {
        text.to_vec()
    };
    if how & 2 == 2 {
        text = with_hole(text);
    }
    let Ok(record) = read(&text) else { return };
    if record.damaged {
        return;
    }
    let (_, torn) = text.split_at(record.whole_bytes as usize);
    assert!(!torn.contains(&b'\n'), "lines are cut off");
    let Some(plan) = record.plan else {
        assert!(record.entries.is_empty());
        return;
    };
    let written = record.entries.iter().map(|entry| entry.to_line(&plan));
    let written = plan.to_line() + &written.collect::<String>();
    let again = read(written.as_bytes()).expect("what is written can be read");
    assert_eq!((again.plan.as_ref(), again.damaged), (Some(&plan), false));
    assert_eq!(again.entries, record.entries);
    // This program may not support the plan.
    let reader = Reader::new(text.as_slice(), "record").expect("it was read before");
    let Ok(Loaded { tally, .. }) = Loader::new().read([reader]) else {
        return;
    };
    // Each unit counts once.
    let units = tally.entries().map(|entry| entry.last + 1 - entry.first);
    assert_eq!(units.sum::<u64>(), tally.done().len());
    let counts = tally.entries().map(|entry| entry.count);
    assert_eq!(counts.fold(0, u128::saturating_add), tally.count());
    assert_eq!(tally.entries().count() as u64, tally.tasks());
    assert!(tally.total().is_none_or(|_| tally.missing().is_empty()));
}

/// The content of a string that is read as a record.
#[derive(Default)]
struct Read {
    plan: Option<Plan>,
    entries: Vec<Entry>,
    damaged: bool,
    whole_bytes: u64,
}

fn read(text: &[u8]) -> Result<Read, RecordError> {
    let mut reader = Reader::new(text, "record")?;
    let mut read = Read {
        plan: reader.plan().cloned(),
        ..Read::default()
    };
    for entry in reader.by_ref() {
        match entry {
            Ok(entry) => read.entries.push(entry),
            Err(error) => match error.kind() {
                RecordErrorKind::Damaged(_) => read.damaged = true,
                _ => return Err(error),
            },
        }
    }
    read.whole_bytes = reader.whole_bytes();
    Ok(read)
}

/// Inserts between one byte and a mebibyte of zeros or letters into a string. Its last four bytes
/// determine the position and the number.
fn with_hole(mut text: Vec<u8>) -> Vec<u8> {
    let Some((_, &[a, b, length, fill])) = text.split_last_chunk() else {
        return text;
    };
    text.truncate(text.len() - 4);
    let at = usize::from(u16::from_le_bytes([a, b])) % (text.len() + 1);
    let hole = vec![if fill & 1 == 0 { 0 } else { b'x' }; 1 << (length % 21)];
    text.splice(at..at, hole);
    text
}

/// Returns the lines with correct checksums. The hash of the first line, the plan, is part of the
/// other checksums.
fn sealed(text: &[u8]) -> Vec<u8> {
    let mut tie = String::new();
    let mut lines = Vec::new();
    for (number, line) in text.split_inclusive(|byte| *byte == b'\n').enumerate() {
        let newline = usize::from(line.ends_with(b"\n"));
        let end = line.len() - newline;
        let Some(at) = end.checked_sub(BEFORE_CRC.len() + 8 + AFTER_CRC.len()) else {
            lines.extend_from_slice(line);
            continue;
        };
        let mut crc = crc32fast::Hasher::new();
        // A second plan line is checked like the first.
        crc.update(if line.starts_with(b"{\"format\"") {
            b""
        } else {
            tie.as_bytes()
        });
        crc.update(&line[..at]);
        let crc = format!("{:08x}", crc.finalize());
        let line = [
            &line[..at],
            BEFORE_CRC,
            crc.as_bytes(),
            AFTER_CRC,
            &line[end..],
        ]
        .concat();
        if number == 0 {
            tie = Plan::from_line(line.trim_ascii_end())
                .map_or_else(|_| String::new(), |plan| plan.hash());
        }
        lines.extend(line);
    }
    lines
}
