//! The status of a count: the progress, the contributors, the rate, and a forecast.
//!
//! Everything is computed from the entries of a tally. Fractions refer to the expected work,
//! because some units take longer than others.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::set::{GroupBy, PackedEntry};
use super::{Tally, UnitSet};
use crate::engine::Engine;
use crate::estimate::Interval;

/// The number of equal periods whose rates give the uncertainty of a forecast.
const PERIODS: usize = 24;
/// The clock difference that is ignored. Times further ahead are treated as unknown.
const SKEW: u64 = 300;
const LATELY: u64 = 900;
const HOUR: u64 = 3600;
const DAY: u64 = 24 * HOUR;

/// The status of a count.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct CampaignStatus {
    /// The fraction of the work that is counted, from 0 to 1.
    pub counted: f64,
    /// The fraction of the work that is counted twice: [`Tally::counted_twice`].
    pub counted_twice: f64,
    /// The thread time of all counts so far, in seconds.
    pub seconds: f64,
    /// The expected thread time of the missing units, in seconds, by the rate of the counted units:
    /// early on it may be off by a factor of two.
    pub seconds_to_come: Option<f64>,
    /// The same for the second count.
    pub seconds_to_come_twice: Option<f64>,
    /// The fraction of the work counted for the first time in the last hour.
    pub last_hour: f64,
    /// The fraction of the work counted for the first time in the last day.
    pub last_day: f64,
    /// The number of seconds until everything is counted once, at the rate of the last day; `None`
    /// if nothing was counted for the first time in it.
    pub end: Option<Interval>,
    /// The same for the second count.
    pub end_twice: Option<Interval>,
    /// The number of records with an entry from the last 15 minutes.
    pub running: usize,
    /// The times at which the first and the last entry were finished, in seconds since 1970.
    pub times: Option<(u64, u64)>,
    /// The fraction of the work counted for the first time in each of several equal periods, from
    /// the first entry to now.
    pub history: Vec<f64>,
    /// The groups of entries, sorted by name.
    pub groups: Vec<Group>,
}

/// The entries of one source, or with the same site, machine, kernel or version.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Group {
    /// Its name; empty if the entries do not give it.
    pub name: String,
    /// The fraction of the work that it counted.
    pub work: f64,
    /// The number of its entries.
    pub entries: u64,
    /// The thread time of its units, in seconds.
    pub seconds: f64,
    /// The fraction of the work that it counted in the last hour.
    pub last_hour: f64,
    /// The fraction of the work that it counted in the last day.
    pub last_day: f64,
    /// The time at which its last entry was finished, in seconds since 1970.
    pub last_time: Option<u64>,
    /// The number of its disputed entries.
    pub disputed: u64,
    /// The number of seconds by which its clock is ahead, if an entry is from the future. The count
    /// of such an entry is valid, its time is not.
    pub seconds_ahead: u64,
}

impl CampaignStatus {
    /// Returns the status of a tally, whose units `engine` defines, at this time in seconds since
    /// 1970. This takes time linear in the number of entries.
    pub fn new(tally: &Tally, engine: &dyn Engine, now: u64, by: GroupBy) -> Self {
        let times = tally
            .set
            .entries
            .iter()
            .filter_map(|entry| time_of(entry, now));
        let times = times.clone().min().zip(times.max());
        let begin = times.map_or(now, |(first, _)| first);
        let fold = Fold {
            tally,
            engine,
            now,
            by,
            work: 0.0,
            running: BTreeSet::new(),
            groups: BTreeMap::new(),
            history: Periods::new(begin..now),
            last_day: Periods::new(begin.max(now.saturating_sub(DAY))..now),
            last_day_twice: Periods::new(begin.max(now.saturating_sub(DAY))..now),
            status: Self {
                times,
                ..Self::default()
            },
        };
        tally.alike().fold(fold, Fold::add).finish()
    }
}

/// Returns the time at which an entry was finished, if it is plausible.
fn time_of(entry: &PackedEntry, now: u64) -> Option<u64> {
    let time = entry
        .time()
        .filter(|time| *time <= now.saturating_add(SKEW))?;
    Some(time.min(now))
}

/// The intermediate sums of a status.
struct Fold<'a> {
    tally: &'a Tally,
    engine: &'a dyn Engine,
    now: u64,
    by: GroupBy,
    /// The work of all counts.
    work: f64,
    running: BTreeSet<usize>,
    groups: BTreeMap<String, Group>,
    history: Periods,
    last_day: Periods,
    last_day_twice: Periods,
    status: CampaignStatus,
}

impl Fold<'_> {
    /// Adds all entries with the same units and the same number of solutions.
    fn add(mut self, alike: &[PackedEntry]) -> Self {
        let units = alike[0].units();
        let work = self.engine.work(units.clone());
        let is_done = self.tally.done().contains(units.start);
        for same in alike.chunk_by(PackedEntry::is_same_count) {
            self.work += work;
            self.status.seconds += same[0].seconds();
        }
        for entry in alike {
            self.add_to_group(entry, work, is_done);
        }
        if !is_done {
            return self;
        }
        let mut times: Vec<u64> = alike
            .chunk_by(PackedEntry::is_same_count)
            .filter_map(|same| {
                same.iter()
                    .filter_map(|entry| time_of(entry, self.now))
                    .min()
            })
            .collect();
        times.sort_unstable();
        if let Some(&first) = times.first() {
            self.status.last_hour += if self.now - first < HOUR { work } else { 0.0 };
            self.history.add(first, work);
            self.last_day.add(first, work);
        }
        if let Some(&second) = times.get(1)
            && self.tally.is_counted_twice(alike)
        {
            self.last_day_twice.add(second, work);
        }
        self
    }

    fn add_to_group(&mut self, entry: &PackedEntry, work: f64, is_done: bool) {
        let name = self.tally.set.group_of(entry, self.by);
        if !self.groups.contains_key(&*name) {
            let group = Group {
                name: name.clone().into_owned(),
                ..Group::default()
            };
            self.groups.insert(name.clone().into_owned(), group);
        }
        let group = self.groups.get_mut(&*name).expect("it was inserted above");
        group.entries += 1;
        group.work += work;
        group.seconds += entry.seconds();
        group.disputed += u64::from(!is_done);
        let Some(time) = time_of(entry, self.now) else {
            let ahead = entry.time().unwrap_or(0).saturating_sub(self.now);
            group.seconds_ahead = group.seconds_ahead.max(ahead);
            return;
        };
        let ago = self.now - time;
        group.last_time = group.last_time.max(Some(time));
        group.last_hour += if ago < HOUR { work } else { 0.0 };
        group.last_day += if ago < DAY { work } else { 0.0 };
        if ago < LATELY {
            self.running.insert(self.tally.set.record_of(entry));
        }
    }

    fn finish(self) -> CampaignStatus {
        let counted = self.share(self.tally.done());
        let counted_twice = self.share(&self.tally.counted_twice());
        let seconds = self.status.seconds;
        let [seconds_to_come, seconds_to_come_twice] = [counted, counted_twice]
            .map(|share| (self.work > 0.0).then(|| (1.0 - share) * seconds / self.work));
        CampaignStatus {
            counted,
            counted_twice,
            seconds_to_come,
            seconds_to_come_twice,
            last_day: self.last_day.work.iter().sum(),
            end: self.last_day.end(1.0 - counted),
            end_twice: self.last_day_twice.end(1.0 - counted_twice),
            running: self.running.len(),
            history: self.history.work,
            groups: self.groups.into_values().collect(),
            ..self.status
        }
    }

    /// Returns the fraction of the work in these units.
    fn share(&self, units: &UnitSet) -> f64 {
        units
            .ranges()
            .map(|units| self.engine.work(units))
            .fold(0.0, |sum, work| sum + work)
    }
}

/// Equal periods of time, and the work done in each.
struct Periods {
    time: Range<u64>,
    work: Vec<f64>,
}

impl Periods {
    fn new(time: Range<u64>) -> Self {
        Self {
            time,
            work: vec![0.0; PERIODS],
        }
    }

    /// Returns the total length of all periods, in seconds.
    fn length(&self) -> u64 {
        self.time.end.saturating_sub(self.time.start).max(1)
    }

    fn add(&mut self, time: u64, work: f64) {
        if time >= self.time.start {
            let index =
                u128::from(time - self.time.start) * PERIODS as u128 / u128::from(self.length());
            self.work[(index as usize).min(PERIODS - 1)] += work;
        }
    }

    /// Returns the number of seconds for the work `left` at this rate; `None` at a rate of 0.
    fn end(&self, left: f64) -> Option<Interval> {
        let seconds = self.length() as f64 / PERIODS as f64;
        let rate = Interval::of_mean(self.work.iter().map(|work| work / seconds));
        let mean = left / rate.mean;
        (rate.mean > 0.0).then(|| Interval {
            mean,
            margin: mean * rate.margin / rate.mean,
        })
    }
}
