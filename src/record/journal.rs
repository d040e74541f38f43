//! The journal: a record that is being written, so that nothing finished is lost.
//!
//! An entry is written the moment its task is finished, by one call, at the end of the file. When
//! that call has returned, the entry survives the death of the process; that of the machine, when
//! the disk has been made to keep it, every few seconds and at the end. A killed process loses the
//! task that each thread had in hand, and nothing else.
//!
//! One process writes at a time: the file is locked, and the system frees the lock when the process
//! dies. A file can be deleted, replaced or cut under its writer, and the system says nothing of
//! it. So it is looked at before each line, and once more in the end.

use std::cmp::Ordering;
use std::fs::{self, File, Metadata, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use super::{Collection, Entry, Finding, Place, Plan, Reader, RecordError, UnitSet};
use crate::cancel::CancelToken;
use crate::count::{Counter, Task};
use crate::engine::Engine;

/// The time that a line may be known to the system alone before the disk is made to keep it.
const SYNC_INTERVAL: Duration = Duration::from_secs(5);

/// A record that entries are appended to: what a count needs to survive its process.
///
/// ```
/// # use queencount::record::{Journal, Plan};
/// # use queencount::{BoardSize, EngineChoice, Counter};
/// # let engine = EngineChoice::Backtrack.engine(BoardSize::new(10)?);
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("record.jsonl");
/// let plan = Plan::new(engine.as_ref());
/// // Some units are counted. The record keeps them, whatever ends the process.
/// Journal::open(&path, &plan)?.count(engine.as_ref(), &"0-9".parse()?, Counter::default())?;
///
/// // Another process goes on: it counts what the record lacks.
/// let mut journal = Journal::open(&path, &plan)?;
/// let (before, missing) = (journal.total(), journal.missing());
/// let added = journal.count(engine.as_ref(), &missing, Counter::default().threads(2))?;
/// assert_eq!((before + added, journal.total()), (724, 724));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Journal {
    plan: Plan,
    /// The units that are on record.
    done: UnitSet,
    /// Their number of solutions.
    total: u128,
    site: Option<String>,
    host: Option<String>,
    writer: Writer,
}

impl Journal {
    /// Opens a record to go on with it, or begins one where there is none.
    ///
    /// An unfinished line at the end, which a killed process leaves behind, is cut off.
    ///
    /// # Errors
    /// When another process is writing the record, when the record is of another plan, damaged or
    /// contradictory, when the file is not a record, or when the system fails. The file is then
    /// left as it is.
    pub fn open(path: &Path, plan: &Plan) -> Result<Self, RecordError> {
        let io = |error| RecordError::io(path, error);
        let file = OpenOptions::new()
            .read(true)
            .append(true)
            .create(true)
            .open(path)
            .map_err(io)?;
        let locked = match file.try_lock() {
            Ok(()) => true,
            Err(TryLockError::WouldBlock) => return Err(RecordError::Locked(path.to_owned())),
            // Some cluster file systems have no locks. Two writers there would at worst count units
            // twice, or damage a line, which a merge finds.
            Err(TryLockError::Error(error)) if error.kind() == ErrorKind::Unsupported => false,
            Err(TryLockError::Error(error)) => return Err(io(error)),
        };
        let mut reader = Reader::open(path)?;
        if reader.compressed {
            let reason =
                "gzip has compressed it; a run goes on with what 'gunzip' makes of it".to_owned();
            return Err(RecordError::NotARecord(path.to_owned(), reason));
        }
        let mut collection = Collection::new(plan.clone());
        let damaged = collection.read(&mut reader)?;
        damaged.into_iter().next().map_or(Ok(()), Err)?;
        let tally = collection.tally()?.agreed()?;
        // Another version of the program goes on by saying its name.
        let ours = reader.program.as_ref() == Some(&plan.program);
        let fresh = reader.program.is_none();
        let writer = Writer::new(path.to_owned(), file, locked, reader.whole_bytes())?;
        let (done, total) = (tally.done().clone(), tally.total());
        let mut journal = Self {
            plan: plan.clone(),
            done,
            total,
            site: Some(machine()),
            host: None,
            writer,
        };
        if !ours {
            journal.writer.append(plan.to_line().as_bytes())?;
        }
        if fresh {
            journal.writer.sync()?;
            sync_folder(path);
        }
        Ok(journal)
    }

    /// Says in each entry that it was counted at this site, and on which machine. Otherwise the
    /// name of the machine is the site. An empty name leaves both out.
    #[must_use]
    pub fn at_site(self, name: &str) -> Self {
        if name.is_empty() {
            return Self {
                site: None,
                host: None,
                ..self
            };
        }
        let machine = machine();
        Self {
            site: Some(name.to_owned()),
            host: (machine != name).then_some(machine),
            ..self
        }
    }

    /// The units that are on record.
    pub fn done(&self) -> &UnitSet {
        &self.done
    }

    /// The units that are not.
    pub fn missing(&self) -> UnitSet {
        UnitSet::from(0..self.plan.units).without(&self.done)
    }

    /// The number of solutions that belong to the units on record. When no unit is missing, these
    /// are all solutions of the board.
    pub fn total(&self) -> u128 {
        self.total
    }

    /// Whether other writers are kept away, which is so on all file systems that have locks.
    pub fn locked(&self) -> bool {
        self.writer.locked
    }

    /// Counts the tasks that have some of these units, and that the record lacks. Appends each task
    /// as it is finished. Returns the number of solutions that belong to the units counted.
    ///
    /// The observer of the counter sees a task when it has been written.
    ///
    /// # Errors
    /// When the engine is of another plan, the count was stopped, the system grants no threads,
    /// somebody else has changed the file, or an entry cannot be written. Such a failure requests
    /// the stop of the counter, and everything written before is in the record.
    ///
    /// # Panics
    /// When the engine has no such unit.
    pub fn count(
        &mut self,
        engine: &dyn Engine,
        units: &UnitSet,
        counter: Counter<'_>,
    ) -> Result<u128, RecordError> {
        if let Some(difference) = self.plan.difference(&Plan::new(engine)) {
            let first = Place {
                path: self.writer.path.clone(),
                line: 1,
            };
            return Err(RecordError::OtherPlan(first, difference));
        }
        let missing: Vec<_> = units
            .whole_tasks(engine)
            .without(&self.done)
            .ranges()
            .collect();
        let own_stop = CancelToken::new();
        let (on_task, stop) = (counter.on_task, counter.stop.unwrap_or(&own_stop));
        // The journal, and its first failure to write.
        let journal = Mutex::new((&mut *self, None));
        let record = |task: &Task| {
            let mut locked = journal.lock().unwrap_or_else(PoisonError::into_inner);
            if let Err(error) = locked.0.append(task) {
                locked.1.get_or_insert(error);
                return stop.cancel();
            }
            drop(locked);
            on_task(task);
        };
        let count = counter
            .on_task(&record)
            .stop(stop)
            .count_units(engine, &missing);
        let (_, failure) = journal.into_inner().unwrap_or_else(PoisonError::into_inner);
        let finished = self.writer.finish();
        // The failure to write comes before the stop that it caused.
        failure.map_or(Ok(()), Err)?;
        // Before the stop: an error here means that what was finished may not be kept.
        finished?;
        Ok(count?)
    }

    /// Appends what an audit has just found, and when and where.
    ///
    /// # Errors
    /// When somebody else has changed the file, or the line cannot be written.
    pub fn keep(&mut self, finding: &Finding) -> Result<(), RecordError> {
        let (time, site, host) = self.here_and_now();
        let finding = Finding {
            time,
            site,
            host,
            ..finding.clone()
        };
        self.writer.append(finding.to_line(&self.plan).as_bytes())
    }

    /// Makes the disk keep what has been appended.
    ///
    /// # Errors
    /// When somebody else has changed the file, or the disk fails.
    pub fn finish(&mut self) -> Result<(), RecordError> {
        self.writer.finish()
    }

    /// What lines say of when and where: the time, the site and the machine.
    fn here_and_now(&self) -> (Option<u64>, Option<String>, Option<String>) {
        let time = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .ok()
            .map(|time| time.as_secs());
        (time, self.site.clone(), self.host.clone())
    }

    fn append(&mut self, task: &Task) -> Result<(), RecordError> {
        let (time, site, host) = self.here_and_now();
        let entry = Entry {
            time,
            site,
            host,
            ..Entry::new(task)
        };
        self.writer.append(entry.to_line(&self.plan).as_bytes())?;
        self.total = self
            .total
            .checked_add(entry.count)
            .ok_or(RecordError::Overflow)?;
        self.done.insert(entry.units());
        Ok(())
    }
}

fn machine() -> String {
    gethostname::gethostname().to_string_lossy().into_owned()
}

/// Makes the disk keep the name of a new file. Not every system can do that; the contents are safe
/// in any case.
fn sync_folder(path: &Path) {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
}

/// A file that whole lines are appended to.
#[derive(Debug)]
struct Writer {
    path: PathBuf,
    file: File,
    /// Whether other writers are kept away.
    locked: bool,
    /// The length of the file up to the last whole line.
    length: u64,
    synced: Instant,
    /// A write failed. The end of the file is not known, so nothing may follow it.
    broken: bool,
}

impl Writer {
    /// A writer behind the first `length` bytes of a file; what follows them is cut off.
    fn new(path: PathBuf, file: File, locked: bool, length: u64) -> Result<Self, RecordError> {
        let writer = Self {
            path,
            file,
            locked,
            length,
            synced: Instant::now(),
            broken: false,
        };
        let found = writer
            .file
            .metadata()
            .map_err(|error| writer.io(error))?
            .len();
        if found > length {
            writer
                .file
                .set_len(length)
                .map_err(|error| writer.io(error))?;
        }
        Ok(writer)
    }

    /// Writes a line, newline included, behind the last whole one.
    fn append(&mut self, line: &[u8]) -> Result<(), RecordError> {
        if self.broken {
            return Err(self.io(io::Error::other("an earlier write failed")));
        }
        // Until the line is there.
        self.broken = true;
        self.look()?;
        if let Err(error) = self.file.write_all(line) {
            // Part of the line may be there, if the disk is full. A line behind it would make it
            // damage in the middle of the record, so it is taken away. Should that fail, too, it is
            // an unfinished line at the end.
            let _ = self.file.set_len(self.length);
            return Err(self.io(error));
        }
        self.broken = false;
        self.length += line.len() as u64;
        if self.synced.elapsed() < SYNC_INTERVAL {
            Ok(())
        } else {
            self.sync()
        }
    }

    /// Makes the disk keep what has been written, and looks whether it is still there for others to
    /// find.
    fn finish(&mut self) -> Result<(), RecordError> {
        if !self.broken {
            self.look()?;
        }
        self.sync()
    }

    fn sync(&mut self) -> Result<(), RecordError> {
        self.synced = Instant::now();
        self.file.sync_data().map_err(|error| self.io(error))
    }

    fn look(&mut self) -> Result<(), RecordError> {
        let ours = self.file.metadata().map_err(|error| self.io(error))?;
        let (file, names) = identity(&ours);
        let change = match fs::metadata(&self.path) {
            Err(error) if error.kind() == ErrorKind::NotFound && names > 0 => "somebody renamed it",
            Err(error) if error.kind() == ErrorKind::NotFound => "somebody deleted it",
            Err(error) => return Err(self.io(error)),
            Ok(named) if identity(&named).0 != file => "somebody put another file in its place",
            Ok(_) => match ours.len().cmp(&self.length) {
                Ordering::Less => "somebody cut it short",
                Ordering::Greater if self.locked => "somebody else wrote to it",
                // Without locks that may be another run, which writes whole lines as this one does.
                Ordering::Greater | Ordering::Equal => {
                    self.length = ours.len();
                    return Ok(());
                }
            },
        };
        Err(RecordError::Changed(self.path.clone(), change))
    }

    fn io(&self, error: io::Error) -> RecordError {
        RecordError::io(&self.path, error)
    }
}

/// Which file it is, and how many names it has.
#[cfg(unix)]
fn identity(file: &Metadata) -> ([u64; 2], u64) {
    use std::os::unix::fs::MetadataExt;
    ([file.dev(), file.ino()], file.nlink())
}

/// Here the system does not let an open file be deleted or replaced.
#[cfg(not(unix))]
fn identity(_file: &Metadata) -> ([u64; 2], u64) {
    ([0; 2], 0)
}
