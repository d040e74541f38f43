//! Where a count stands: how much of its work is done, by whom, how fast it goes, and when the rest
//! will be done.
//!
//! Everything is read off the entries of a tally: an entry says which units it has, how long they
//! took, when they were finished and where. Shares are shares of the expected work, because some
//! units take longer than others.

use std::collections::BTreeSet;
use std::ops::Range;

use super::collection::{PackedEntry, SourceKind};
use super::tally::second_counts;
use super::{Tally, UnitSet};
use crate::engine::Engine;
use crate::estimate::Interval;

/// The parts of a time whose differences say how far a forecast may be off.
const BLOCKS: usize = 24;
/// Clocks that agree differ by less. What is later than that has a time that is not known.
const SKEW: u64 = 300;
const LATELY: u64 = 900;
const HOUR: u64 = 3600;
const DAY: u64 = 24 * HOUR;

/// Where a count stands.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Standing {
    /// The share of the work that is counted, from 0 to 1.
    pub counted: f64,
    /// The share of the work that two sources have counted alike: [`Tally::twice`].
    pub counted_twice: f64,
    /// The share of the work that audits have counted again, with the same result:
    /// [`Tally::audited`].
    pub audited: f64,
    /// The time that all units have kept threads so far, in seconds; what was counted twice, both
    /// times.
    pub seconds: f64,
    /// The time that the units that are missing will keep threads, if they are like those that are
    /// counted: a thousandth of a count may be off by a factor of two.
    pub to_come: Option<f64>,
    /// The same for what a second count lacks: [`Tally::twice`].
    pub to_come_twice: Option<f64>,
    /// The share of the work that was counted for the first time in the last hour.
    pub hour: f64,
    /// The same for the last day.
    pub day: f64,
    /// When all will be counted once, in seconds from now, if it goes on as in the last day; `None`
    /// if nothing was counted for the first time then.
    pub end: Option<Interval>,
    /// The same for the second count.
    pub end_twice: Option<Interval>,
    /// The number of records that have got an entry in the last quarter of an hour.
    pub running: usize,
    /// When the first and the last entry were finished, in seconds since the beginning of 1970.
    pub times: Option<(u64, u64)>,
    /// The share of the work that was counted for the first time in each of some equal spaces of
    /// time, from the first entry to now.
    pub history: Vec<f64>,
    /// Who has counted, in the order of names.
    pub sources: Vec<Source>,
}

/// What a site has counted, or a machine, a kernel, a version of the program.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Source {
    /// Its name; empty if entries do not say it.
    pub name: String,
    /// The share of the work that it has counted.
    pub work: f64,
    /// The number of its entries.
    pub entries: u64,
    /// How long its units have kept threads, in seconds.
    pub seconds: f64,
    /// The share of the work that it has counted in the last hour.
    pub hour: f64,
    /// The same for the last day.
    pub day: f64,
    /// When its last entry was finished, in seconds since the beginning of 1970.
    pub last: Option<u64>,
    /// The share of the work that it has counted and an audit has counted again, with the same
    /// result.
    pub audited: f64,
    /// The number of its entries that are in dispute.
    pub disputed: u64,
    /// How many seconds its clock goes ahead, by the latest of its entries that are from the
    /// future. They count, but their times say nothing.
    pub ahead: u64,
    /// The number of its entries that an audit has refuted. They count nowhere else.
    pub wrong: u64,
}

impl Standing {
    /// Where the count of a tally stands, whose units are those of `engine`, at this time in
    /// seconds since the beginning of 1970. It takes a time that is proportional to the number of
    /// entries.
    pub fn new(tally: &Tally, engine: &dyn Engine, now: u64, kind: SourceKind) -> Self {
        let work = |units: Range<u64>| engine.work(units);
        let work_of = |units: &UnitSet| units.ranges().map(work).fold(0.0, |sum, work| sum + work);
        let time = |entry: &PackedEntry| {
            entry
                .time()
                .filter(|time| *time <= now.saturating_add(SKEW))
                .map(|time| time.min(now))
        };
        let times = || tally.collection.entries.iter().filter_map(time);
        let times = times().min().zip(times().max());
        let first = times.map_or(now, |(first, _)| first);
        let spans = |start: u64| Spans {
            time: start..now,
            work: vec![0.0; BLOCKS],
        };
        let day = || spans(first.max(now.saturating_sub(DAY)));
        let (mut history, mut last_day, mut last_day_twice) = (spans(first), day(), day());
        let origins = &tally.collection.origins;
        let mut names: Vec<&str> = origins.iter().map(|origin| kind.name(origin)).collect();
        names.sort_unstable();
        names.dedup();
        let source = |name: &&str| Source {
            name: (*name).to_owned(),
            ..Source::default()
        };
        let mut sources: Vec<Source> = names.iter().map(source).collect();
        // The place of the source of each origin.
        let place = |origin| {
            names
                .binary_search(&kind.name(origin))
                .expect("each has a name")
        };
        let places: Vec<usize> = origins.iter().map(place).collect();
        let numbers = tally.collection.sources(kind);
        let (mut hour, mut running) = (0.0, BTreeSet::new());
        let (counted, audited, twice) = (
            work_of(tally.done()),
            tally.audited(),
            work_of(&tally.twice(kind)),
        );
        let (mut all_work, mut seconds) = (0.0, 0.0);
        for alike in tally.alike() {
            let units = alike[0].units();
            let (entry_work, agreed) = (work(units.clone()), tally.done().contains(units.start));
            let audited = audited.contains(units.start);
            for entry in alike {
                let source = &mut sources[places[entry.origin as usize]];
                source.add(entry, entry_work, agreed, audited);
                match time(entry) {
                    Some(time) => {
                        source.add_at(time, entry_work, now);
                        if now - time < LATELY {
                            running.insert(tally.collection.record_of(entry));
                        }
                    }
                    None => {
                        source.ahead = source
                            .ahead
                            .max(entry.time().unwrap_or(0).saturating_sub(now))
                    }
                }
                (all_work, seconds) = (all_work + entry_work, seconds + entry.seconds());
            }
            if let Some(time) = alike.iter().filter_map(time).min().filter(|_| agreed) {
                hour += if now - time < HOUR { entry_work } else { 0.0 };
                history.add(time, entry_work);
                last_day.add(time, entry_work);
            }
            if let Some(time) = second_counts(alike, &numbers)
                .filter_map(time)
                .min()
                .filter(|_| agreed)
            {
                last_day_twice.add(time, entry_work);
            }
        }
        tally
            .refuted
            .iter()
            .for_each(|(entry, _)| sources[places[entry.origin as usize]].wrong += 1);
        sources.retain(|source| source.entries + source.wrong > 0);
        let to_come = |left: f64| (all_work > 0.0).then(|| left * seconds / all_work);
        Self {
            counted,
            counted_twice: twice,
            audited: work_of(&audited),
            seconds,
            to_come: to_come(1.0 - counted),
            to_come_twice: to_come(1.0 - twice),
            hour,
            day: last_day.work.iter().sum(),
            end: last_day.end(1.0 - counted),
            end_twice: last_day_twice.end(1.0 - twice),
            running: running.len(),
            times,
            history: history.work,
            sources,
        }
    }
}

impl Source {
    /// Adds an entry of so much work, whose count is not in dispute if it is `agreed`.
    fn add(&mut self, entry: &PackedEntry, work: f64, agreed: bool, audited: bool) {
        self.entries += 1;
        self.work += work;
        self.seconds += entry.seconds();
        self.audited += if audited { work } else { 0.0 };
        self.disputed += u64::from(!agreed);
    }

    fn add_at(&mut self, time: u64, work: f64, now: u64) {
        self.last = self.last.max(Some(time));
        self.hour += if now - time < HOUR { work } else { 0.0 };
        self.day += if now - time < DAY { work } else { 0.0 };
    }
}

/// Equal spaces of time, and the work that was done in each.
struct Spans {
    time: Range<u64>,
    work: Vec<f64>,
}

impl Spans {
    fn add(&mut self, time: u64, work: f64) {
        let length = self.time.end.saturating_sub(self.time.start).max(1);
        if time >= self.time.start {
            let place = (time - self.time.start) as u128 * BLOCKS as u128 / u128::from(length);
            self.work[(place as usize).min(BLOCKS - 1)] += work;
        }
    }

    /// How many seconds so much work will take at this rate, if there was any.
    fn end(&self, left: f64) -> Option<Interval> {
        let seconds = self.time.end.saturating_sub(self.time.start).max(1) as f64 / BLOCKS as f64;
        let rate = Interval::of_mean(self.work.iter().map(|work| work / seconds));
        let mean = left / rate.mean;
        (rate.mean > 0.0).then(|| Interval {
            mean,
            margin: mean * rate.margin / rate.mean,
        })
    }
}
