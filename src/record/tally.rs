//! The tally adds up the entries of any number of records, and includes each task only once.
//!
//! If lines give different counts for the same units, none of these counts is used, and the units
//! are treated as missing: a missing total is better than a wrong one.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use super::plan::Rules;
use super::{
    Entry, Place, Plan, Problems, Reader, RecordError, RecordErrorKind, RecordedTask, UnitSet,
};
use crate::engine::{Engine, units_per_task};
use crate::splitmix::SplitMix64;

/// The sum of the records of one plan.
#[derive(Debug)]
pub struct Tally {
    pub(super) rules: Arc<Rules>,
    pub(super) given: Vec<PathBuf>,
    records: Vec<Record>,
    /// All entries, sorted by [`StoredEntry::order`] once they have been added up.
    entries: Vec<StoredEntry>,
    count: u128,
    done: UnitSet,
}

#[derive(Debug)]
struct Record {
    path: PathBuf,
    /// The indices of the given paths that contain the record.
    given: Vec<usize>,
}

/// What is stored of each entry. The largest counts have tens of millions of entries. The last unit
/// follows from the first, because all entries are tasks of the plan.
#[derive(Clone, Copy, Debug)]
pub(super) struct StoredEntry {
    count: u128,
    first: u64,
    microseconds: u64,
    line: u32,
    record: u32,
    /// The number of seconds since 1970, or 0 if the time is unknown.
    time: u32,
    checksum: u32,
}

const _: () = assert!(size_of::<StoredEntry>() == 48);

impl StoredEntry {
    fn order(&self) -> impl Ord + use<> {
        (self.content(), self.record, self.line)
    }

    /// Identifies the bytes of the line.
    fn content(&self) -> (u64, u128, u64, u32) {
        (self.first, self.count, self.microseconds, self.checksum)
    }

    pub(super) fn is_copy_of(&self, other: &Self) -> bool {
        self.content() == other.content()
    }

    #[expect(clippy::cast_precision_loss, reason = "a time")]
    pub(super) fn seconds(&self) -> f64 {
        self.microseconds as f64 / 1e6
    }

    pub(super) fn time(&self) -> Option<u64> {
        (self.time > 0).then_some(self.time.into())
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a time"
)]
fn microseconds(seconds: f64) -> u64 {
    (seconds * 1e6).round() as u64
}

/// Returns whether lines for the same units, sorted, have different counts.
pub(super) fn disagree(lines: &[StoredEntry]) -> bool {
    lines[0].count != lines[lines.len() - 1].count
}

impl Tally {
    /// Creates a tally for the records in the given paths.
    pub(super) fn new(rules: Arc<Rules>, given: Vec<PathBuf>) -> Self {
        Self {
            rules,
            given,
            records: Vec::new(),
            entries: Vec::new(),
            count: 0,
            done: UnitSet::new(),
        }
    }

    /// Reads a record, which belongs to the given paths with these indices. Whatever is wrong with
    /// it becomes a problem.
    pub(super) fn read(
        &mut self,
        reader: &mut Reader<'_>,
        given: Vec<usize>,
        problems: &mut Problems,
    ) {
        reader.rules = Some(Arc::clone(&self.rules));
        self.records.push(Record {
            path: reader.path.clone(),
            given,
        });
        while let Some(entry) = reader.next() {
            match entry {
                Ok(entry) => self.push(&entry, reader.line_number, reader.text()),
                Err(problem) => problems.push(problem),
            }
        }
    }

    /// Stores an entry of the last record, which is on this line.
    pub(super) fn push(&mut self, entry: &Entry, line: u64, text: &[u8]) {
        self.entries.push(StoredEntry {
            count: entry.count,
            first: entry.first,
            microseconds: microseconds(entry.seconds),
            line: line.try_into().expect("fewer than 2^32 lines"),
            record: (self.records.len() - 1)
                .try_into()
                .expect("fewer than 2^32 records"),
            time: entry.time.map_or(0, |time| time.try_into().unwrap_or(0)),
            checksum: crc32fast::hash(text.trim_ascii_end()),
        });
    }

    /// Adds up the entries, in O(n log n) time. Each task whose lines disagree becomes a problem,
    /// and so does a sum that cannot be right.
    pub(super) fn add_up(&mut self, problems: &mut Problems) {
        self.entries.sort_unstable_by_key(StoredEntry::order);
        let mut count = 0_u128;
        let mut done = UnitSet::new();
        for lines in self.lines() {
            if disagree(lines) {
                problems.push(RecordErrorKind::Disagreement(self.task(lines)).into());
            } else {
                count = count.saturating_add(lines[0].count);
                done.insert(self.units(&lines[0]));
            }
        }
        self.count = count;
        self.done = done;
        if let Some(problem) = self.wrong_sum() {
            problems.push(problem);
        }
    }

    /// Returns what is wrong with the sum, if anything.
    fn wrong_sum(&self) -> Option<RecordError> {
        if let Some(largest) = self.largest_of_excess() {
            let kind = RecordErrorKind::SumTooLarge(self.plan().n);
            Some(self.place_of(&largest[0]).error(kind))
        } else if self.missing().is_empty() {
            self.rules.check_total(self.count).err().map(Into::into)
        } else {
            None
        }
    }

    /// Returns the plan that all records share.
    pub fn plan(&self) -> &Plan {
        &self.rules.plan
    }

    /// Returns the engine of the plan.
    pub fn engine(&self) -> &Arc<dyn Engine> {
        self.rules.engine()
    }

    /// Returns the number of solutions of the counted units.
    pub fn count(&self) -> u128 {
        self.count
    }

    /// Returns the number of solutions of the board, or `None` if units are missing, if lines
    /// disagree, or if the sum is known to be wrong.
    pub fn total(&self) -> Option<u128> {
        (self.missing().is_empty() && self.wrong_sum().is_none()).then_some(self.count)
    }

    /// Returns the counted units, without those on which lines disagree.
    pub fn done(&self) -> &UnitSet {
        &self.done
    }

    /// Returns the missing units.
    pub fn missing(&self) -> UnitSet {
        UnitSet::from(0..self.plan().units).difference(&self.done)
    }

    /// Returns the number of finished tasks.
    pub fn tasks(&self) -> u64 {
        self.counted().count() as u64
    }

    /// Returns the number of entries, including repeated ones.
    pub fn entry_count(&self) -> u64 {
        self.entries.len() as u64
    }

    /// Returns the thread time of all entries, in seconds. An entry of which there are copies is
    /// included only once.
    pub fn seconds(&self) -> f64 {
        let counts = self.entries.chunk_by(StoredEntry::is_copy_of);
        0.0 + counts.map(|copies| copies[0].seconds()).sum::<f64>()
    }

    /// Returns an entry for each finished task, sorted by unit, in the form in which a finished
    /// count is published: without times and machines.
    pub fn entries(&self) -> impl Iterator<Item = Entry> {
        self.counted().map(|lines| Entry {
            first: lines[0].first,
            last: self.units(&lines[0]).end - 1,
            count: lines[0].count,
            seconds: 0.0,
            kernel: None,
            time: None,
            host: None,
        })
    }

    /// Returns the tasks on which lines disagree.
    pub fn disagreements(&self) -> impl Iterator<Item = RecordedTask> {
        self.lines()
            .filter(|lines| disagree(lines))
            .map(|lines| self.task(lines))
    }

    /// Returns the tasks that an audit should recount, sorted by unit: a random sample of `size`
    /// finished tasks and, in addition, of at most `size` tasks on which lines disagree. If the sum
    /// exceeds N!, the largest count belongs to the latter, too. The same seed always gives the
    /// same sample.
    pub fn sample(&self, size: u64, seed: u64) -> Vec<RecordedTask> {
        let mut random = SplitMix64::new(seed);
        let largest = self.largest_of_excess().map(|lines| lines[0].first);
        let disputed = self.lines().filter(|lines| disagree(lines)).count() as u64;
        let mut draws = [disputed, self.tasks()].map(|left| Draw {
            left,
            wanted: size.min(left),
        });
        self.lines()
            .filter(|lines| {
                draws[usize::from(!disagree(lines))].is_drawn(&mut random)
                    || largest == Some(lines[0].first)
            })
            .map(|lines| self.task(lines))
            .collect()
    }

    /// Divides the work into equal cells, and returns the fraction of each cell that is counted.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        clippy::cast_sign_loss,
        reason = "approximate"
    )]
    pub fn cells(&self, number: usize) -> Vec<f64> {
        let mut cells = vec![0.0; number];
        for units in self.done.ranges() {
            let scale = number as f64;
            let begin = scale * self.engine().cumulative_work(units.start);
            let end = scale * self.engine().cumulative_work(units.end);
            let touched = begin as usize..(end.ceil() as usize).min(number);
            for (cell, index) in cells[touched.clone()].iter_mut().zip(touched) {
                let index = index as f64;
                *cell += end.min(index + 1.0) - begin.max(index);
            }
        }
        cells
    }

    /// Returns all lines, in groups for the same task.
    pub(super) fn lines(&self) -> impl Iterator<Item = &[StoredEntry]> {
        self.entries.chunk_by(|one, other| one.first == other.first)
    }

    /// Returns the lines of the finished tasks, in one group per task.
    fn counted(&self) -> impl Iterator<Item = &[StoredEntry]> {
        self.lines().filter(|lines| !disagree(lines))
    }

    /// Returns the lines with the largest count if the sum exceeds N!. That count is wrong, because
    /// it is at least the mean, which in such a sum is far above any correct count.
    fn largest_of_excess(&self) -> Option<&[StoredEntry]> {
        if self.count <= self.rules.bound {
            return None;
        }
        self.counted().max_by_key(|lines| lines[0].count)
    }

    pub(super) fn units(&self, entry: &StoredEntry) -> Range<u64> {
        let grain = units_per_task(self.engine());
        entry.first..(entry.first + grain).min(self.plan().units)
    }

    pub(super) fn given_of(&self, entry: &StoredEntry) -> &[usize] {
        &self.records[entry.record as usize].given
    }

    fn place_of(&self, entry: &StoredEntry) -> Place {
        Place::line(&self.records[entry.record as usize].path, entry.line.into())
    }

    fn task(&self, lines: &[StoredEntry]) -> RecordedTask {
        let mut counts = BTreeMap::<u128, Vec<Place>>::new();
        for entry in lines {
            counts
                .entry(entry.count)
                .or_default()
                .push(self.place_of(entry));
        }
        counts.values_mut().for_each(|places| places.sort());
        RecordedTask {
            units: self.units(&lines[0]),
            counts,
        }
    }
}

/// Draws a number of items at random from all that are left (Knuth's algorithm S).
struct Draw {
    left: u64,
    wanted: u64,
}

impl Draw {
    fn is_drawn(&mut self, random: &mut SplitMix64) -> bool {
        let is_drawn = random.below(self.left) < self.wanted;
        self.left -= 1;
        self.wanted -= u64::from(is_drawn);
        is_drawn
    }
}
