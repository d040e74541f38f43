//! The status of a count: progress, rate and forecast, and what each path contributes. All
//! fractions are relative to the expected work, because some units take longer than others.

#![allow(clippy::cast_precision_loss, reason = "approximate")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Serialize, Serializer};

use super::Tally;
use super::tally::{StoredEntry, disagree};
use crate::estimate::Forecast;

/// The number of seconds by which a clock may be ahead before its times are ignored.
const SKEW: u64 = 300;
const DAY: u64 = 86_400;

/// The status of a count.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Status {
    /// The fraction of the work that is done.
    pub share_counted: f64,
    /// The fraction of the work that was done within the last day.
    pub share_last_day: f64,
    /// The thread time so far, in seconds.
    pub thread_seconds: f64,
    /// The expected thread time for the missing units, in seconds, from the work and the time of
    /// the counted units; `None` while too little is known (see [`Forecast`]).
    pub thread_seconds_to_come: Option<f64>,
    /// The expected number of seconds until all units are counted, at the rate of the last day;
    /// `None` if no units were counted within that day.
    pub seconds_left: Option<f64>,
    /// What each of the given paths contains, sorted by path.
    pub paths: Vec<PathStatus>,
    /// For each two of the paths, the number of lines that stand in records of both of them, byte
    /// for byte. A copy is not a second count.
    #[serde(skip)]
    pub copies: BTreeMap<[usize; 2], u64>,
}

/// What a file or directory contains.
#[derive(Clone, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct PathStatus {
    /// The path as it was given.
    #[serde(serialize_with = "lossy")]
    pub path: PathBuf,
    /// The fraction of the work that is done.
    pub share_counted: f64,
    /// The fraction of the work that was done within the last day.
    pub share_last_day: f64,
    /// The number of lines.
    #[serde(skip)]
    pub lines: u64,
    /// The number of lines that disagree with another line.
    pub disagreeing_lines: u64,
    /// The thread time, in seconds.
    pub thread_seconds: f64,
    /// The time of the last line, in seconds since 1970.
    pub last_time: Option<u64>,
    /// The fraction of the work that was done on each day; the days are counted from 1970.
    #[serde(skip)]
    pub days: BTreeMap<u64, f64>,
}

impl Status {
    /// Returns the status at the time `now`, in seconds since 1970.
    pub fn new(tally: &Tally, now: u64) -> Self {
        let mut paths: Vec<_> = tally
            .given
            .iter()
            .map(|path| PathStatus {
                path: path.clone(),
                ..PathStatus::default()
            })
            .collect();
        let mut all = PathStatus::default();
        let mut copies = BTreeMap::new();
        let mut begin = now;
        let mut forecast = Forecast::default();
        for lines in tally.lines() {
            let work = tally.engine().work(tally.units(&lines[0]));
            let is_counted = !disagree(lines);
            for (path, lines) in by_path(tally, lines) {
                paths[path].add(&lines, is_counted, work, now);
            }
            let counted_work = if is_counted { work } else { 0.0 };
            all.add(&Vec::from_iter(lines), is_counted, counted_work, now);
            for same in lines.chunk_by(StoredEntry::is_copy_of) {
                forecast.add(work, Duration::from_secs_f64(same[0].seconds()));
                for pair in pairs(tally, same) {
                    *copies.entry(pair).or_insert(0) += 1;
                }
            }
            let times = lines.iter().filter_map(|entry| time_of(entry, now));
            begin = times.fold(begin, u64::min);
        }
        let counted = tally.done().ranges();
        // An empty sum would be -0.
        let share_counted = 0.0 + counted.map(|units| tally.engine().work(units)).sum::<f64>();
        let left = (1.0 - share_counted).max(0.0);
        let period = (now - begin).clamp(1, DAY) as f64;
        Self {
            share_counted,
            share_last_day: all.share_last_day,
            thread_seconds: all.thread_seconds,
            thread_seconds_to_come: forecast.seconds(left),
            seconds_left: (all.share_last_day > 0.0).then(|| left * period / all.share_last_day),
            paths,
            copies,
        }
    }
}

/// Returns the given paths that have any of these lines, each with its lines.
fn by_path<'a>(tally: &Tally, lines: &'a [StoredEntry]) -> BTreeMap<usize, Vec<&'a StoredEntry>> {
    let mut by_path = BTreeMap::<usize, Vec<&StoredEntry>>::new();
    for entry in lines {
        for path in tally.given_of(entry) {
            by_path.entry(*path).or_default().push(entry);
        }
    }
    by_path
}

/// Returns all pairs of given paths that have different records with this line.
fn pairs(tally: &Tally, same: &[StoredEntry]) -> BTreeSet<[usize; 2]> {
    let mut pairs = BTreeSet::new();
    for (index, one) in same.iter().enumerate() {
        for other in &same[index + 1..] {
            for &first in tally.given_of(one) {
                let others = tally
                    .given_of(other)
                    .iter()
                    .filter(|&&second| second != first);
                pairs.extend(others.map(|&second| [first.min(second), first.max(second)]));
            }
        }
    }
    pairs
}

impl PathStatus {
    /// Adds the lines of a task.
    fn add(&mut self, lines: &[&StoredEntry], is_counted: bool, work: f64, now: u64) {
        self.lines += lines.len() as u64;
        self.share_counted += work;
        if !is_counted {
            self.disagreeing_lines += lines.len() as u64;
        }
        let copies = lines.chunk_by(|one, other| one.is_copy_of(other));
        self.thread_seconds += copies.map(|copies| copies[0].seconds()).sum::<f64>();
        let times: Vec<u64> = lines
            .iter()
            .filter_map(|entry| time_of(entry, now))
            .collect();
        self.last_time = self.last_time.max(times.iter().max().copied());
        if let Some(first) = times.iter().min() {
            *self.days.entry(first / DAY).or_insert(0.0) += work;
            if now - first < DAY {
                self.share_last_day += work;
            }
        }
    }
}

/// Serializes a path, which may not be UTF-8.
fn lossy<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&path.to_string_lossy())
}

/// Returns the time at which a task was finished, if that time is plausible.
fn time_of(entry: &StoredEntry, now: u64) -> Option<u64> {
    let time = entry.time()?;
    (time <= now.saturating_add(SKEW)).then_some(time.min(now))
}
