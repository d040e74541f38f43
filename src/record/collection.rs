//! The collection: entries of any number of records, before they are added up.
//!
//! They are kept as they come and sorted once, in the end. That takes a third of the memory of an ordered map.

use std::collections::HashMap;
use std::io::BufRead;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::entry::EntryForm;
use super::kept::{Kept, Origin};
use super::{Entry, Finding, LineError, Place, Plan, Reader, Record, RecordError, Said, Tally};

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
    plan: Plan,
    form: Arc<EntryForm>,
    /// The records, each with the number of lines before its first one.
    records: Vec<(PathBuf, u64)>,
    lines: u64,
    origins: Vec<Origin>,
    numbers: HashMap<Origin, u32>,
    kept: Vec<Kept>,
    findings: Vec<(Finding, Place)>,
}

impl Collection {
    /// No entry yet.
    pub fn new(plan: Plan) -> Self {
        let (form, numbers) = (Arc::new(EntryForm::new(&plan)), HashMap::new());
        let (records, origins, kept, findings) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self { plan, form, records, lines: 0, origins, numbers, kept, findings }
    }

    /// The plan of all records.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Adds all entries and findings of a record. Returns its damaged lines, each with its number and what is wrong with it.
    ///
    /// # Errors
    /// When the record cannot be read, is none, or is of another plan. What has been read by then has been added.
    pub fn read(&mut self, reader: &mut Reader<impl BufRead>) -> Result<Vec<(u64, LineError)>, RecordError> {
        let mut damaged = Vec::new();
        self.begin(reader.path());
        reader.expect(&self.form);
        while let Some((line, said)) = reader.next_line()? {
            match said {
                Said::Entry(entry) => self.keep(entry, line, reader.program().unwrap_or_default()),
                Said::Finding(finding) => {
                    self.findings.push((finding, Place { path: reader.path().to_owned(), line }));
                }
                Said::Plan(plan) => self.same_plan(&plan, reader.path(), line)?,
                Said::Damaged(error) => damaged.push((line, error)),
            }
        }
        Ok(damaged)
    }

    /// Adds the entries of a record that has been read. Errors call it by `path`.
    ///
    /// # Errors
    /// When the record is of another plan; then nothing has been added.
    pub fn add(&mut self, record: &Record, path: &Path) -> Result<(), RecordError> {
        let Some(plan) = &record.plan else { return Ok(()) };
        self.same_plan(plan, path, 1)?;
        self.begin(path);
        for (line, entry) in &record.entries {
            self.keep(entry.clone(), *line, &plan.program);
        }
        Ok(())
    }

    fn same_plan(&self, plan: &Plan, path: &Path, line: u64) -> Result<(), RecordError> {
        match plan.difference(&self.plan) {
            None => Ok(()),
            Some(difference) => Err(RecordError::OtherPlan { path: path.to_owned(), line, difference }),
        }
    }

    /// The lines that follow are those of another record.
    fn begin(&mut self, path: &Path) {
        self.records.push((path.to_owned(), self.lines));
    }

    fn keep(&mut self, mut entry: Entry, line: u64, program: &str) {
        let (_, before) = self.records.last().expect("a record has begun");
        self.lines = before + line;
        let [site, host, kernel] = [&mut entry.site, &mut entry.host, &mut entry.kernel].map(Option::take);
        let origin = Origin { site, host, kernel, program: program.to_owned() };
        let known = self.numbers.get(&origin).copied();
        let origin = known.unwrap_or_else(|| {
            let number = self.origins.len() as u32;
            self.origins.push(origin.clone());
            self.numbers.insert(origin, number);
            number
        });
        self.kept.push(Kept::new(&entry, self.lines, origin));
    }

    /// Adds up. It takes a time that is proportional to the number of entries and its logarithm.
    ///
    /// # Errors
    /// When the sum passes 2^128.
    pub fn tally(self) -> Result<Tally, RecordError> {
        Tally::new(self.plan, self.records, self.origins, self.kept, self.findings)
    }
}

/// The sum of some records of a plan, if nothing is wrong with them.
///
/// # Errors
/// When a record cannot be read, is none, is damaged, or is of another plan; when entries contradict each other; when the
/// sum passes 2^128.
pub fn merge(plan: &Plan, records: &[impl AsRef<Path>]) -> Result<Tally, RecordError> {
    let mut collection = Collection::new(plan.clone());
    for path in records.iter().map(AsRef::as_ref) {
        if let Some((line, error)) = collection.read(&mut Reader::open(path)?)?.into_iter().next() {
            return Err(RecordError::Damaged { path: path.to_owned(), line, error });
        }
    }
    collection.tally()?.agreed()
}
