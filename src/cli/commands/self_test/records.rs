//! The checks of records: what is written is read, what is damaged is noticed, what is forged is convicted.

use std::fs;
use std::path::{Path, PathBuf};

use queencount::record::{
    Audit, Collection, Entry, Extent, Journal, Plan, Reader, RecordError, Tally, UnitSet, WrongPart,
};
use queencount::{Engine, EngineChoice, Kernel};
use tempfile::TempDir;

use super::check::{Flaw, Means, Shown, expect, plan};
use super::counts::expected;

/// The board whose count is recorded.
const N: u32 = 10;

/// A board whose units have several parts, and how many of its units are recorded.
const LARGE: (u32, u64) = (18, 6);

/// The engines that count the small one.
const ENGINES: [EngineChoice; 2] = [EngineChoice::Backtrack, EngineChoice::Rows];

/// A count is resumed wherever its record has been cut, and whole in the end.
pub fn resumed(means: &Means) -> Shown {
    let mut cuts = 0;
    for engine in ENGINES {
        cuts += resumed_by(plan(engine, N, Kernel::default()).as_ref(), means)?;
    }
    Ok(format!("N = {N} by every engine, cut {cuts} times, resumed and whole each time"))
}

/// How many times the record of an engine was cut.
fn resumed_by(engine: &dyn Engine, means: &Means) -> Result<u64, Flaw> {
    let record = Recorded::new(engine, engine.units(), means)?;
    let text = record.text()?;
    let mut cuts = 0;
    for cut in (0..text.len()).step_by(text.len() / 20) {
        fs::write(&record.path, &text[..cut]).map_err(|error| record.io(error))?;
        record.count(engine, 0..engine.units(), means)?;
        let what = format_args!("{}, cut at byte {cut}", engine.name());
        expect(what, expected(N), tally(engine, &record.text()?)?.total())?;
        cuts += 1;
    }
    Ok(cuts)
}

/// Every flipped bit of a record is noticed.
pub fn damaged(means: &Means) -> Shown {
    let engine = plan(EngineChoice::Backtrack, N, Kernel::default());
    let text = Recorded::new(engine.as_ref(), engine.units(), means)?.text()?;
    // A plan and two entries: others are like them.
    let text = text.split_inclusive(|&byte| byte == b'\n').take(3).collect::<Vec<_>>().concat();
    for bit in 0..8 * text.len() {
        let mut flipped = text.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        match tally(engine.as_ref(), &flipped) {
            Err(Flaw::Wrong(_)) => {}
            Err(failed) => return Err(failed),
            Ok(_) => return Err(Flaw::Wrong(format!("bit {bit} of a record was flipped, and nobody noticed"))),
        }
    }
    Ok(format!("{} bits of a record flipped, each noticed", 8 * text.len()))
}

/// An audit of all entries convicts the one that has been forged, checksum and all, and no other.
pub fn audited(means: &Means) -> Shown {
    let mut entries = 0;
    for engine in ENGINES {
        let engine = plan(engine, N, Kernel::default());
        entries += audited_by(engine.as_ref(), engine.units(), means)?;
    }
    let (n, units) = LARGE;
    entries += audited_by(plan(EngineChoice::Rows, n, Kernel::default()).as_ref(), units, means)?;
    Ok(format!("{entries} entries recounted, the forged ones found and no other"))
}

/// How many entries of the record of an engine were recounted, with so many units.
fn audited_by(engine: &dyn Engine, units: u64, means: &Means) -> Result<u64, Flaw> {
    let text = Recorded::new(engine, units, means)?.text()?;
    let plan = Plan::new(engine);
    let mut lines: Vec<Vec<u8>> = text.split_inclusive(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
    // The first entry, behind the plan.
    let entry = Entry::from_line(lines[1].trim_ascii_end(), &plan);
    let mut forged = entry.map_err(|error| Flaw::Wrong(error.to_string()))?;
    forged.count += 2;
    lines[1] = forged.to_line(&plan).into_bytes();
    let tally = tally(engine, &lines.concat())?;
    let sample = tally.sample(usize::MAX, means.seed);
    let report = Audit::run(engine, &sample, Extent::Unit { seed: means.seed }, means.fan_out, &|_| {}, &|_| {})?;
    let convicted: Vec<String> = report.wrong.iter().map(|wrong| wrong.place.to_string()).collect();
    expect(engine.name(), "record line 2".to_owned(), convicted.join(", "))?;
    match &report.wrong_parts[..] {
        [] => Ok(report.entries),
        [WrongPart { unit, part, count, recount, .. }, ..] => {
            expect(format_args!("{}, part {part} of unit {unit}", engine.name()), recount, count)
                .map(|()| report.entries)
        }
    }
}

/// A record in a folder that vanishes with it.
struct Recorded {
    _folder: TempDir,
    path: PathBuf,
}

impl Recorded {
    /// Counts the first `units` in turns, so that the record has enough entries.
    fn new(engine: &dyn Engine, units: u64, means: &Means) -> Result<Self, Flaw> {
        const TURNS: u64 = 12;
        let folder = tempfile::tempdir();
        let folder = folder.map_err(|error| RecordError::Io { path: std::env::temp_dir(), error })?;
        let record = Self { path: folder.path().join("record"), _folder: folder };
        for turn in 0..TURNS {
            record.count(engine, units * turn / TURNS..units * (turn + 1) / TURNS, means)?;
        }
        Ok(record)
    }

    /// Counts what the record lacks of some units.
    fn count(&self, engine: &dyn Engine, units: std::ops::Range<u64>, means: &Means) -> Result<(), Flaw> {
        let mut journal = Journal::open(&self.path, &Plan::new(engine))?;
        journal.count(engine, &UnitSet::from(units), means.fan_out)?;
        Ok(())
    }

    fn text(&self) -> Result<Vec<u8>, Flaw> {
        fs::read(&self.path).map_err(|error| self.io(error))
    }

    fn io(&self, error: std::io::Error) -> Flaw {
        RecordError::Io { path: self.path.clone(), error }.into()
    }
}

/// What a record adds up to.
fn tally(engine: &dyn Engine, text: &[u8]) -> Result<Tally, Flaw> {
    let path = Path::new("record");
    let mut collection = Collection::new(Plan::new(engine));
    let damaged = collection.read(&mut Reader::new(text, path))?;
    damaged.into_iter().next().map_or(Ok(()), Err)?;
    Ok(collection.tally()?.agreed()?)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{liar, lie, wrong};
    use super::*;

    #[test]
    fn a_unit_that_is_wrong_is_found_where_records_are_checked() {
        // A count goes wrong with its record, and an audit convicts more than the forged entry.
        for engine in ENGINES {
            let found = wrong(|means| resumed_by(lie(engine, N).as_ref(), means).map(|_| String::new()));
            assert!(found.contains("expected 724, found 726"), "{found}");
            let liar = lie(engine, N);
            let found = wrong(|means| audited_by(liar.as_ref(), liar.units(), means).map(|_| String::new()));
            assert!(found.contains(", record line "), "{found}");
        }
    }

    #[test]
    fn a_part_that_is_wrong_is_found_where_records_are_checked() {
        let (n, units) = LARGE;
        let liar = liar(plan(EngineChoice::Rows, n, Kernel::default()), units - 1);
        assert!(liar.parts(units - 1) > 1);
        let found = wrong(|means| audited_by(&liar, units, means).map(|_| String::new()));
        // Of the entries line 2 has been forged, and line 7 is that of the liar's unit.
        assert!(found.contains("expected record line 2, found record line 2, record line 7"), "{found}");
    }
}
