//! The audit: some entries of a record counted again by other means, to believe the others.
//!
//! A count is a sum of entries, most of which nobody will ever see again. An audit draws some of them at random and
//! counts their units by [`Engine::recount`], which shares no code with the engine that wrote them. If a share f of the
//! entries were wrong, K drawn ones would all look right with a chance of at most (1 - f)^K. So an audit that finds
//! nothing says how few entries can be wrong; it can convict a record, and never acquit a single entry that was not
//! drawn.

use rayon::prelude::*;

use super::{Entry, Place, RecordError, Tally};
use crate::count::{self, CountError, Observer, Task};
use crate::engine::{Engine, Stop};
use crate::random::Random;

/// An audit in preparation.
#[derive(Clone, Copy)]
pub struct Audit<'a> {
    /// The entries to recount, from [`draw`].
    pub drawn: &'a [(&'a Entry, &'a Place)],
    /// How many threads recount; 0 stands for one for each core.
    pub threads: usize,
    /// Who is shown the recounted entries.
    pub observer: &'a dyn Observer,
    /// Who may end it.
    pub stop: &'a Stop,
}

/// What an audit has found.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct AuditReport {
    /// The number of entries that were drawn and recounted.
    pub drawn: u64,
    /// The number of units that were recounted.
    pub units: u64,
    /// The entries that are wrong.
    pub wrong: Vec<Wrong>,
}

/// An entry that a recount contradicts.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Wrong {
    /// What the record says.
    pub entry: Entry,
    /// Where it says so.
    pub place: Place,
    /// How many solutions there are.
    pub recount: u128,
}

impl AuditReport {
    /// The most that the chance can be that a record of which a share of `wrong` entries is wrong passes an audit of
    /// this size. (No entry is drawn twice, which only lowers it.)
    pub fn chance_to_pass(&self, wrong: f64) -> f64 {
        (1.0 - wrong).powf(self.drawn as f64)
    }

    /// The share of wrong entries from which on a record fails an audit of this size with 95 % certainty.
    pub fn detected_share(&self) -> f64 {
        1.0 - 0.05_f64.powf(1.0 / self.drawn as f64)
    }
}

impl Audit<'_> {
    /// Recounts the entries, which have to be of units of `engine`.
    ///
    /// # Errors
    /// When the audit was stopped, or the system grants no threads.
    pub fn run(&self, engine: &dyn Engine) -> Result<AuditReport, RecordError> {
        let pool = count::pool(self.threads)?;
        self.observer.started(engine);
        let recounts = pool.install(|| {
            let recount = |(entry, _): &(&Entry, &Place)| self.recount(entry, engine);
            self.drawn.par_iter().with_max_len(1).map(recount).collect::<Result<Vec<u128>, CountError>>()
        })?;
        let units = self.drawn.iter().map(|(entry, _)| entry.units.end - entry.units.start).sum();
        let wrong = self
            .drawn
            .iter()
            .zip(recounts)
            .filter(|((entry, _), recount)| entry.count != *recount)
            .map(|(&(entry, place), recount)| Wrong { entry: entry.clone(), place: place.clone(), recount })
            .collect();
        Ok(AuditReport { drawn: self.drawn.len() as u64, units, wrong })
    }

    fn recount(&self, entry: &Entry, engine: &dyn Engine) -> Result<u128, CountError> {
        let start = std::time::Instant::now();
        let units = entry.units.clone();
        let count = units
            .clone()
            .into_par_iter()
            .map(|unit| engine.recount(unit, self.stop).map_err(CountError::from))
            .try_reduce(|| 0, |a, b| a.checked_add(b).ok_or(CountError::Overflow))?;
        self.observer.counted(&Task { units, count, elapsed: start.elapsed() });
        Ok(count)
    }
}

/// So many entries of a tally, each as likely as any other, the same for the same seed; all, if there are no more.
pub fn draw(tally: &Tally, sample: usize, seed: u64) -> Vec<(&Entry, &Place)> {
    let entries: Vec<_> = tally.entries().collect();
    numbers(entries.len(), sample, seed).into_iter().map(|number| entries[number]).collect()
}

/// So many of the numbers below `from`, each as likely as any other, in order.
fn numbers(from: usize, sample: usize, seed: u64) -> Vec<usize> {
    let mut random = Random::new(seed);
    let mut numbers: Vec<usize> = (0..from).collect();
    let sample = sample.min(from);
    for place in 0..sample {
        let other = place + random.below((from - place) as u64) as usize;
        numbers.swap(place, other);
    }
    numbers.truncate(sample);
    numbers.sort_unstable();
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_entry_is_drawn_as_often_as_any_other() {
        let mut drawn = [0; 10];
        for seed in 0..10_000 {
            let sample = numbers(10, 3, seed);
            assert!(sample.windows(2).all(|pair| pair[0] < pair[1]) && sample.len() == 3);
            sample.into_iter().for_each(|number| drawn[number] += 1);
        }
        // 3000 each, with a standard deviation of 46.
        assert!(drawn.iter().all(|times| (2800..3200).contains(times)), "{drawn:?}");
        assert_eq!(numbers(4, 9, 1), [0, 1, 2, 3]);
    }
}
