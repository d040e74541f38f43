//! The journal writes a record so that no finished task is lost.
//!
//! As soon as a task is finished, its entry is appended in a single write. Writing to a deleted,
//! replaced or truncated file would succeed, so the file is checked before each write and at the
//! end.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Write};
use std::path::{self, Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use same_file::Handle;

use super::plan::Rules;
use super::reader::{Meter, Metered};
use super::{Entry, Place, Plan, Problems, Reader, RecordError, RecordErrorKind, Tally, UnitSet};
use crate::cancel::{CancelToken, NEVER};
use crate::count::{Counter, Task};
use crate::engine::Engine;

/// Entries that are not yet synced survive a crash of the process, but not a crash of the machine.
const SYNC_INTERVAL: Duration = Duration::from_secs(5);

/// A record that is open for appending.
///
/// ```
/// # use queencount::record::Loader;
/// # use queencount::{BoardSize, Counter};
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("record.jsonl");
/// let open = || Loader::new().resume(&path, BoardSize::new(10).unwrap());
/// open()?.count(&"0-9".parse()?, Counter::new())?;
///
/// // Another process can resume the count.
/// let mut journal = open()?;
/// journal.count(&journal.tally().missing(), Counter::new())?;
/// assert_eq!(journal.tally().total(), Some(724));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Journal {
    tally: Tally,
    path: PathBuf,
    /// The number of lines in the file.
    lines: u64,
    /// The open file, or `None` if it does not exist yet.
    writer: Option<Writer>,
}

impl Journal {
    /// Opens a record for counting with this engine. If the file does not exist, the first
    /// [`count`](Self::count) creates it, or [`create`](Self::create). Removes an unfinished line
    /// from the end of the record.
    ///
    /// # Errors
    /// Fails if another process is writing to the record, or if the file cannot be opened, is not a
    /// record, is damaged or contradictory, or has a different plan. In all these cases, the file
    /// is left unchanged. An empty file, zeros, and the beginning of this plan's first line count
    /// as an empty record.
    pub fn open(path: impl AsRef<Path>, engine: Arc<dyn Engine>) -> Result<Self, RecordError> {
        Self::open_with(path.as_ref(), engine, &Meter::new(&NEVER, &|_| ()))
    }

    /// Opens a record, and measures how much of it has been read.
    pub(super) fn open_with(
        path: &Path,
        engine: Arc<dyn Engine>,
        meter: &Meter<'_>,
    ) -> Result<Self, RecordError> {
        if is_named_gz(path) {
            let reason = "a run writes plain text, so the name must not end in .gz";
            return Err(RecordError::not_a_record(path, reason));
        }
        let writer = match Writer::open(path, false) {
            Ok(writer) => Some(writer),
            Err(RecordErrorKind::Io(error)) if error.kind() == ErrorKind::NotFound => None,
            Err(kind) => return Err(RecordError::new(path, kind)),
        };
        let mut reader = match &writer {
            Some(writer) => {
                meter.expect(writer.length);
                // On Windows, no other handle can read the locked file.
                let source = writer.handle.as_file();
                Reader::new(Metered { source, meter }, path)?
            }
            None => Reader::new(io::empty(), path)?,
        };
        if reader.compressed {
            let reason = "it is compressed (gunzip decompresses it)";
            return Err(RecordError::not_a_record(path, reason));
        }
        let plan = Plan::new(engine.as_ref());
        check_plan(&reader, &plan)?;
        let mut problems = Problems::default();
        let mut tally = Tally::new(Arc::new(Rules::new(plan, Some(engine))), Vec::new());
        tally.read(&mut reader, Vec::new(), &mut problems);
        tally.add_up(&mut problems);
        if let Some(problem) = problems.into_worst() {
            return Err(problem);
        }
        let length = reader.whole_bytes();
        let lacks_newline = reader.lacks_newline;
        let lines = reader.line_number;
        let program = reader.plan().map(|plan| plan.program.clone());
        drop(reader);
        let mut journal = Self {
            tally,
            path: path.to_owned(),
            lines,
            writer,
        };
        journal
            .repair(length, lacks_newline, program)
            .map_err(|kind| RecordError::new(path, kind))?;
        Ok(journal)
    }

    /// Removes an unfinished line after `length` bytes, or completes it, and adds a plan line if
    /// the last one is not by this version of the program.
    fn repair(
        &mut self,
        length: u64,
        lacks_newline: bool,
        program: Option<String>,
    ) -> Result<(), RecordErrorKind> {
        let Some(writer) = &mut self.writer else {
            return Ok(());
        };
        let plan = self.tally.plan();
        writer.cut(length)?;
        if lacks_newline {
            writer.append(b"\n")?;
        }
        if program.as_ref() != Some(&plan.program) {
            writer.append(plan.to_line().as_bytes())?;
            self.lines += 1;
        }
        if program.is_none() {
            writer.sync()?;
            // Not every system can sync a directory. The contents of the file are safe anyway.
            let _ = path::absolute(&self.path).and_then(|path| {
                let folder = path.parent().unwrap_or(&path);
                File::open(folder)?.sync_all()
            });
        }
        Ok(())
    }

    /// Returns the sum of the record.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// Returns the units that [`count`](Self::count) would count: those of the missing tasks that
    /// contain any of these units.
    pub fn left(&self, units: &UnitSet) -> UnitSet {
        units
            .whole_tasks(self.tally.engine())
            .difference(self.tally.done())
    }

    /// Returns whether the record is locked. Some file systems do not support locks.
    pub fn locked(&self) -> bool {
        self.writer.as_ref().is_none_or(|writer| writer.locked)
    }

    /// Creates the file if it does not exist.
    ///
    /// # Errors
    /// Fails if the file cannot be created, or if another process created it in the meantime.
    pub fn create(&mut self) -> Result<(), RecordError> {
        if self.writer.is_some() {
            return Ok(());
        }
        let created = Writer::open(&self.path, true).and_then(|writer| {
            if writer.length > 0 {
                return Err(RecordErrorKind::Changed);
            }
            self.writer = Some(writer);
            self.repair(0, false, None)
        });
        created.map_err(|kind| RecordError::new(&self.path, kind))
    }

    /// Counts the missing tasks that contain any of these units, and appends each task as it
    /// finishes. Returns the number of solutions of the counted units.
    ///
    /// The counter's callback receives each task after it is written. If the file cannot be
    /// written, the counter's token is cancelled.
    ///
    /// # Errors
    /// Fails if counting fails, if the file cannot be written or was changed by something else, or
    /// if the counts are known to be wrong. Finished tasks stay in the record.
    ///
    /// # Panics
    /// Panics if a unit is out of range.
    pub fn count(&mut self, units: &UnitSet, counter: Counter<'_>) -> Result<u128, RecordError> {
        self.create()?;
        let left = self.left(units);
        let engine = Arc::clone(self.tally.engine());
        let own_stop = CancelToken::new();
        let stop = counter.stop.unwrap_or(&own_stop);
        let journal = Mutex::new(&mut *self);
        let failure = OnceLock::new();
        let count = counter
            .on_task(&|task| {
                let mut journal = journal.lock().unwrap_or_else(PoisonError::into_inner);
                let written = journal.append(task);
                drop(journal);
                match written {
                    Ok(()) => (counter.on_task.0)(task),
                    Err(error) => {
                        let _ = failure.set(error);
                        stop.cancel();
                    }
                }
            })
            .stop(stop)
            .count_units(engine.as_ref(), &Vec::from_iter(left.ranges()));
        let finished = self.writer.as_mut().map_or(Ok(()), Writer::finish);
        let mut problems = Problems::default();
        self.tally.add_up(&mut problems);
        // Write errors are returned first: they may have caused the cancellation, and may have lost
        // tasks.
        let written = failure.into_inner().map_or(finished, Err);
        written.map_err(|kind| RecordError::new(&self.path, kind))?;
        let count = count?;
        match problems.into_worst() {
            Some(problem) => Err(problem),
            None => Ok(count),
        }
    }

    fn append(&mut self, task: &Task) -> Result<(), RecordErrorKind> {
        let entry = Entry::new(task);
        let line = entry.to_line(self.tally.plan());
        self.writer
            .as_mut()
            .expect("the file is open")
            .append(line.as_bytes())?;
        self.lines += 1;
        self.tally.push(&entry, self.lines, line.as_bytes());
        Ok(())
    }
}

/// Checks that a record has this plan. If it ends in its first line, that must be the beginning of
/// this plan's line.
fn check_plan(reader: &Reader<'_>, plan: &Plan) -> Result<(), RecordError> {
    match reader.plan().map(|found| found.difference(plan)) {
        Some(Some(difference)) => {
            let place = Place::line(&reader.path, 1);
            Err(place.error(RecordErrorKind::OtherPlan(difference)))
        }
        None if !plan.to_line().as_bytes().starts_with(reader.text()) => {
            let reason = "it is the beginning of another record";
            Err(RecordError::not_a_record(&reader.path, reason))
        }
        _ => Ok(()),
    }
}

/// Returns whether the name of a file, or of the target of a link, ends in `.gz`.
pub(crate) fn is_named_gz(path: &Path) -> bool {
    behind_links(path)
        .unwrap_or_else(|_| path.to_owned())
        .extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("gz"))
}

/// Follows links, even if the final target does not exist yet.
pub(crate) fn behind_links(path: &Path) -> io::Result<PathBuf> {
    match fs::canonicalize(path) {
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            match fs::read_link(path) {
                // If the target is absolute, `join` drops the directory.
                Ok(target) => behind_links(&path.parent().unwrap_or(Path::new("")).join(target)),
                Err(_) => Ok(path.to_owned()),
            }
        }
        found => found,
    }
}

#[derive(Debug)]
struct Writer {
    path: PathBuf,
    handle: Handle,
    locked: bool,
    /// The length of the file up to the end of the last whole line.
    length: u64,
    synced: Instant,
    /// Whether a write failed. If so, the file may end in the middle of a line, so nothing more is
    /// appended.
    broken: bool,
}

impl Writer {
    fn open(path: &Path, create: bool) -> Result<Self, RecordErrorKind> {
        let file = OpenOptions::new()
            .read(true)
            .append(true)
            .create(create)
            .open(path)?;
        let metadata = file.metadata()?;
        if !metadata.is_file() {
            let reason = "it is not a regular file".to_owned();
            return Err(RecordErrorKind::NotARecord(reason));
        }
        let locked = match file.try_lock() {
            Ok(()) => true,
            Err(TryLockError::WouldBlock) => return Err(RecordErrorKind::Locked),
            // Some cluster file systems do not support locks, and each has its own error for it. At
            // worst, two writers count the same units or damage a line; a merge reports such
            // damage.
            Err(TryLockError::Error(_)) => false,
        };
        Ok(Self {
            path: path.to_owned(),
            handle: Handle::from_file(file)?,
            locked,
            length: metadata.len(),
            synced: Instant::now(),
            broken: false,
        })
    }

    /// Removes everything behind the first `length` bytes.
    fn cut(&mut self, length: u64) -> io::Result<()> {
        if self.length > length {
            self.handle.as_file().set_len(length)?;
        }
        self.length = length;
        Ok(())
    }

    fn append(&mut self, line: &[u8]) -> Result<(), RecordErrorKind> {
        if self.broken {
            return Err(io::Error::other("an earlier write failed").into());
        }
        // The write counts as failed until the whole line is written.
        self.broken = true;
        self.check_unchanged()?;
        if let Err(error) = self.handle.as_file_mut().write_all(line) {
            // On a full disk, part of the line may have been written. It would count as damage if
            // another line followed it.
            let _ = self.handle.as_file().set_len(self.length);
            return Err(error.into());
        }
        self.broken = false;
        self.length += line.len() as u64;
        if self.synced.elapsed() >= SYNC_INTERVAL {
            self.sync()?;
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<(), RecordErrorKind> {
        if !self.broken {
            self.check_unchanged()?;
        }
        Ok(self.sync()?)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.synced = Instant::now();
        self.handle.as_file().sync_data()
    }

    fn check_unchanged(&mut self) -> Result<(), RecordErrorKind> {
        let length = self.handle.as_file().metadata()?.len();
        let is_same = match self.is_named() {
            Err(error) if error.kind() == ErrorKind::NotFound => false,
            is_same => is_same?,
        };
        // Without a lock, another run may also append lines.
        let is_longer = length > self.length && self.locked;
        if !is_same || length < self.length || is_longer {
            return Err(RecordErrorKind::Changed);
        }
        self.length = length;
        Ok(())
    }

    /// Returns whether the path still names the open file.
    fn is_named(&self) -> io::Result<bool> {
        // Opening a pipe would block.
        Ok(fs::metadata(&self.path)?.is_file() && Handle::from_path(&self.path)? == self.handle)
    }
}

impl Drop for Writer {
    /// Releases the lock. Closing the file is not enough: if another thread is starting a process,
    /// that process holds a duplicate of the descriptor until it executes its program.
    fn drop(&mut self) {
        let _ = self.handle.as_file().unlock();
    }
}

#[cfg(test)]
mod tests {
    use crate::BoardSize;
    use crate::record::Loader;

    #[test]
    fn dropped_journal_unlocks_despite_duplicate_handle() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("record.jsonl");
        let open = || Loader::new().resume(&path, BoardSize::new(8).unwrap());
        let mut journal = open().unwrap();
        journal.create().unwrap();
        let _duplicate = journal
            .writer
            .as_ref()
            .unwrap()
            .handle
            .as_file()
            .try_clone()
            .unwrap();
        drop(journal);
        assert!(open().is_ok());
    }
}
