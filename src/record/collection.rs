//! The collection: entries of any number of records, before they are added up.
//!
//! They are kept as they come and sorted once, in the end. That takes a third of the memory of an ordered map.

use std::collections::HashMap;
use std::io::BufRead;
use std::path::PathBuf;
use std::sync::Arc;

use super::claim::{Claim, Origin};
use super::entry::EntryForm;
use super::{Entry, Finding, Place, Plan, Reader, RecordError, Said};

/// The entries of the records of one plan, before they are added up.
///
/// ```
/// use queencount::record::{Collection, Journal, Plan, Reader, Shard};
/// use queencount::{BoardSize, EngineChoice, FanOut};
///
/// let engine = EngineChoice::Backtrack.plan(BoardSize::new(10)?);
/// let plan = Plan::new(engine.as_ref());
/// let folder = tempfile::tempdir()?;
/// let mut collection = Collection::new(plan.clone());
/// for part in [1, 2] {
///     // Each machine counts its part, in a record of its own.
///     let record = folder.path().join(format!("{part}.jsonl"));
///     let units = Shard::new(part, 2)?.units(engine.as_ref()).into();
///     Journal::open(&record, &plan)?.count(engine.as_ref(), &units, FanOut::default())?;
///
///     let damaged = collection.read(&mut Reader::open(&record)?)?;
///     assert!(damaged.is_empty());
/// }
/// let tally = collection.tally()?;
/// assert!(tally.missing().is_empty() && tally.disputes().next().is_none());
/// assert_eq!(tally.total(), 724);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Collection {
    pub(super) form: Arc<EntryForm>,
    /// The records, each with the number of lines before its first one.
    records: Vec<(PathBuf, u64)>,
    lines: u64,
    pub(super) origins: Vec<Origin>,
    numbers: HashMap<Origin, u32>,
    pub(super) claims: Vec<Claim>,
    pub(super) findings: Vec<(Finding, Place)>,
}

impl Collection {
    /// No entry yet.
    pub fn new(plan: Plan) -> Self {
        let (form, numbers) = (Arc::new(EntryForm::new(&plan)), HashMap::new());
        let (records, origins, claims, findings) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self { form, records, lines: 0, origins, numbers, claims, findings }
    }

    /// Adds all entries and findings of a record. Returns what is wrong with its damaged lines.
    ///
    /// # Errors
    /// When the record cannot be read, is none, or is of another plan. What has been read by then has been added.
    pub fn read(&mut self, reader: &mut Reader<impl BufRead>) -> Result<Vec<RecordError>, RecordError> {
        reader.expect(&self.form, false);
        self.read_on(reader)
    }

    /// The same for a record that may have lost its first line: its checksums say whether it is of this plan.
    ///
    /// # Errors
    /// The same as for [`Collection::read`]. A file is no record if none of its lines says so.
    pub fn salvage(&mut self, reader: &mut Reader<impl BufRead>) -> Result<Vec<RecordError>, RecordError> {
        reader.expect(&self.form, true);
        self.read_on(reader)
    }

    fn read_on(&mut self, reader: &mut Reader<impl BufRead>) -> Result<Vec<RecordError>, RecordError> {
        let mut damaged = Vec::new();
        self.records.push((reader.path.clone(), self.lines));
        while let Some((line, said)) = reader.next_line()? {
            let path = || reader.path.clone();
            match said {
                Said::Entry(entry) => self.keep(entry, line, reader.program.as_deref().unwrap_or_default()),
                Said::Finding(finding) => self.findings.push((finding, Place { path: path(), line })),
                Said::Plan(_) => {}
                Said::Damaged(error) => damaged.push(RecordError::Damaged { path: path(), line, error }),
            }
        }
        Ok(damaged)
    }

    fn keep(&mut self, mut entry: Entry, line: u64, program: &str) {
        let (_, before) = self.records.last().expect("a record has begun");
        self.lines = before + line;
        let [site, host, kernel] = [&mut entry.site, &mut entry.host, &mut entry.kernel].map(Option::take);
        let origin = Origin { site, host, kernel, program: program.to_owned() };
        let next = self.origins.len() as u32;
        let origin = *self.numbers.entry(origin).or_insert_with_key(|origin| {
            self.origins.push(origin.clone());
            next
        });
        self.claims.push(Claim::new(&entry, self.lines, origin));
    }

    /// The place of the record of a claim among all.
    pub(super) fn record_of(&self, claim: &Claim) -> usize {
        self.records.partition_point(|(_, before)| *before < claim.line.into()) - 1
    }

    /// The entry of a claim, and where it stands.
    pub(super) fn entry(&self, claim: &Claim) -> (Entry, Place) {
        let Origin { site, host, kernel, .. } = self.origins[claim.origin as usize].clone();
        let (units, count, seconds, time) = (claim.units(), claim.count(), claim.seconds(), claim.time());
        let (path, before) = &self.records[self.record_of(claim)];
        let place = Place { path: path.clone(), line: u64::from(claim.line) - before };
        (Entry { units, count, seconds, kernel, time, site, host }, place)
    }
}
