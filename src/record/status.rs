//! The status of a count: progress, contributors, rate and forecast. All fractions are relative to
//! the expected work, because some units take longer than others.

#![allow(clippy::cast_precision_loss, reason = "approximate")]

use std::collections::BTreeMap;

use serde::Serialize;

use super::set::PackedEntry;
use super::{GroupBy, Tally, UnitSet};
use crate::engine::Engine;

/// The number of seconds by which a clock may be ahead before its times are ignored.
const SKEW: u64 = 300;
const DAY: u64 = 86_400;

/// The status of a count.
#[derive(Clone, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct CampaignStatus {
    /// The fraction of the work that is done.
    pub share_counted: f64,
    /// The fraction of the work that was done twice (see [`Tally::counted_twice`]).
    pub share_counted_twice: f64,
    /// The fraction of the work that was done for the first time within the last day.
    pub share_last_day: f64,
    /// The thread time so far, in seconds.
    pub thread_seconds: f64,
    /// The expected thread time for the missing units, in seconds, at the rate of the counted
    /// units. Early on, it may be off by a factor of two.
    pub thread_seconds_to_come: Option<f64>,
    /// The same for a second count of the units that have not yet been counted twice.
    pub thread_seconds_to_come_twice: Option<f64>,
    /// The expected number of seconds until all units are counted, at the rate of the last day;
    /// `None` if no new units were counted within that day.
    pub seconds_left: Option<f64>,
    /// The same, but until all units are counted twice.
    pub seconds_left_twice: Option<f64>,
    /// The groups of entries, sorted by name.
    pub groups: Vec<Group>,
}

/// The entries with the same value of a [`GroupBy`] field.
#[derive(Clone, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct Group {
    /// The value, or an empty string if the entries have none.
    pub name: String,
    /// The fraction of the work that the group did.
    pub share_counted: f64,
    /// The fraction of the work that the group did within the last day.
    pub share_last_day: f64,
    /// The number of entries.
    pub entries: u64,
    /// The thread time, in seconds.
    pub thread_seconds: f64,
    /// The time at which the last entry was finished, in seconds since 1970.
    pub last_time: Option<u64>,
    /// The number of disputed entries.
    pub disputed: u64,
    /// The number of seconds by which the group's clock is ahead, or 0 if all times are plausible.
    /// Implausible times are ignored.
    pub seconds_ahead: u64,
}

impl CampaignStatus {
    /// Returns the status of a tally at the time `now`, in seconds since 1970. `engine` defines the
    /// units.
    pub fn new(tally: &Tally, engine: &dyn Engine, now: u64, by: GroupBy) -> Self {
        let mut status = Self::default();
        let mut groups = BTreeMap::<_, Group>::new();
        let mut begin = now;
        let mut work_of_counts = 0.0;
        let mut twice_last_day = 0.0;
        for alike in tally.alike() {
            let units = alike[0].units();
            let work = engine.work(units.clone());
            let is_done = tally.done().contains(units.start);
            for entry in alike {
                let group = groups.entry(tally.set.group_of(entry, by)).or_default();
                group.add(entry, work, is_done, now);
                begin = begin.min(time_of(entry, now).unwrap_or(now));
            }
            let mut times = Vec::new();
            for same in alike.chunk_by(PackedEntry::is_same_count) {
                work_of_counts += work;
                status.thread_seconds += same[0].seconds();
                times.extend(same.iter().filter_map(|entry| time_of(entry, now)).min());
            }
            times.sort_unstable();
            let is_recent =
                |time: Option<&u64>| is_done && time.is_some_and(|time| now - time < DAY);
            if is_recent(times.first()) {
                status.share_last_day += work;
            }
            if is_recent(times.get(1)) && tally.is_counted_twice(alike) {
                twice_last_day += work;
            }
        }
        let share = |units: &UnitSet| {
            // An empty sum would be -0.
            0.0 + units.ranges().map(|units| engine.work(units)).sum::<f64>()
        };
        let counted = share(tally.done());
        let twice = share(&tally.counted_twice());
        let seconds = status.thread_seconds;
        let to_come =
            |share: f64| (work_of_counts > 0.0).then(|| (1.0 - share) * seconds / work_of_counts);
        let period = (now - begin).clamp(1, DAY) as f64;
        let left = |share: f64, lately: f64| {
            (lately > 0.0).then(|| (1.0 - share).max(0.0) * period / lately)
        };
        Self {
            share_counted: counted,
            share_counted_twice: twice,
            thread_seconds_to_come: to_come(counted),
            thread_seconds_to_come_twice: to_come(twice),
            seconds_left: left(counted, status.share_last_day),
            seconds_left_twice: left(twice, twice_last_day),
            groups: groups
                .into_iter()
                .map(|(name, group)| Group {
                    name: name.into_owned(),
                    ..group
                })
                .collect(),
            ..status
        }
    }
}

impl Group {
    fn add(&mut self, entry: &PackedEntry, work: f64, is_done: bool, now: u64) {
        self.entries += 1;
        self.share_counted += work;
        self.thread_seconds += entry.seconds();
        self.disputed += u64::from(!is_done);
        let Some(time) = time_of(entry, now) else {
            let ahead = entry.time().unwrap_or(0).saturating_sub(now);
            self.seconds_ahead = self.seconds_ahead.max(ahead);
            return;
        };
        self.last_time = self.last_time.max(Some(time));
        if now - time < DAY {
            self.share_last_day += work;
        }
    }
}

/// Returns the time at which an entry was finished, if that time is plausible.
fn time_of(entry: &PackedEntry, now: u64) -> Option<u64> {
    let time = entry.time()?;
    (time <= now.saturating_add(SKEW)).then_some(time.min(now))
}
