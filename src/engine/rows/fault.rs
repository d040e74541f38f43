//! Faults, for tests alone: bits of half-boards and quarter-boards that flip in memory while a unit is counted. The
//! program that users have does not contain this file.
//!
//! No test of the code finds a fault of the machine; an audit of the record does, with a chance that it states. So
//! memory is made to fail here, at random, and the audit has to find it as often as it says.

use std::cell::RefCell;

use super::lists::word::Word;
use crate::random::Random;

/// Where memory fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Site {
    /// In a list of half-boards, made for one column set.
    HalfBoards,
    /// In a list of quarter-boards, kept for many of them.
    QuarterBoards,
}

struct Fault {
    site: Site,
    /// The chance that a list of them has a flipped bit.
    chance: f64,
    random: Random,
}

thread_local! {
    /// The fault in the memory of this thread: other tests run beside it.
    static FAULT: RefCell<Option<Fault>> = const { RefCell::new(None) };
}

/// Lets memory fail, perhaps, that holds words which have just been written to such a place.
pub fn fail<W: Word>(site: Site, words: &mut [W]) {
    FAULT.with_borrow_mut(|fault| {
        let Some(Fault { site: at, chance, random }) = fault else { return };
        if *at == site && !words.is_empty() && random.unit_interval() < *chance {
            let word = &mut words[random.below(words.len() as u64) as usize];
            *word = W::from_bits(word.bits() ^ 1 << random.below(W::BITS.into()));
        }
    });
}

#[cfg(all(test, feature = "records"))]
mod tests {
    use std::path::Path;
    use std::time::Duration;

    use super::*;
    use crate::BoardSize;
    use crate::count::{FanOut, Task};
    use crate::engine::Engine;
    use crate::engine::rows::Rows;
    use crate::engine::rows::kernel::Kernel;
    use crate::record::{Audit, Collection, Entry, Extent, Plan, Reader, Tally};
    use crate::stop::Stop;

    fn engine() -> Rows {
        Rows::with_middle_rows(BoardSize::new(12).unwrap(), 2, Kernel::default(), Rows::MEMORY)
    }

    /// The counts of all units, made on this thread.
    fn counts(engine: &Rows) -> Vec<u128> {
        (0..engine.units()).map(|unit| engine.count(unit, &Stop::new()).unwrap()).collect()
    }

    /// The counts of all units, made where memory fails with this chance.
    fn faulty_counts(site: Site, chance: f64) -> Vec<u128> {
        FAULT.set(Some(Fault { site, chance, random: Random::new(12) }));
        let counts = counts(&engine());
        FAULT.set(None);
        counts
    }

    /// What a record with an entry for each unit adds up to.
    fn tally(engine: &Rows, counts: &[u128]) -> Tally {
        let plan = Plan::new(engine);
        let line = |(unit, &count): (u64, &u128)| {
            let task = Task::new(engine, unit..unit + 1, count, Vec::new(), Duration::ZERO);
            Entry::new(&task).to_line(&plan)
        };
        let text = plan.to_line() + &(0..).zip(counts).map(line).collect::<String>();
        let mut collection = Collection::new(plan);
        let damaged = collection.read(&mut Reader::new(text.as_bytes(), Path::new("record"))).unwrap();
        assert!(damaged.is_empty());
        collection.tally().unwrap()
    }

    /// Audits a record over and over, and compares how often something is found with what an audit promises.
    fn check(site: Site, chance: f64) {
        const AUDITS: u64 = 300;
        let engine = engine();
        let right = counts(&engine);
        let found = faulty_counts(site, chance);
        let tally = tally(&engine, &found);
        let is_wrong = |unit: u64| found[unit as usize] != right[unit as usize];
        let wrong = (0..engine.units()).filter(|&unit| is_wrong(unit)).count();
        let share = wrong as f64 / found.len() as f64;
        assert!((0.005..0.3).contains(&share), "{site:?}: {wrong} units are wrong");
        for sample in [5, 20] {
            let (mut convicted, mut promised) = (0, 0.0);
            for seed in 0..AUDITS {
                let drawn = tally.sample(sample, seed);
                let fan_out = FanOut::default().threads(1);
                let report = Audit::run(&engine, &drawn, Extent::Whole, fan_out, &|_| {}, &|_| {}).unwrap();
                // It finds every wrong entry that it has drawn, and accuses no other.
                let expected: Vec<u64> =
                    drawn.iter().map(|(entry, _)| entry.units.start).filter(|&unit| is_wrong(unit)).collect();
                let accused: Vec<u64> = report.wrong.iter().map(|wrong| wrong.entry.units.start).collect();
                assert_eq!(accused, expected);
                for wrong in &report.wrong {
                    assert_eq!(wrong.recount, right[wrong.entry.units.start as usize]);
                }
                convicted += u64::from(!report.wrong.is_empty());
                promised = 1.0 - report.chance_to_pass(share);
            }
            // Four standard deviations. The true chance is a little above the promise, because no entry is drawn
            // twice.
            let rate = convicted as f64 / AUDITS as f64;
            let deviation = (promised * (1.0 - promised) / AUDITS as f64).sqrt();
            assert!((rate - promised).abs() < 4.0 * deviation + 0.02, "{site:?}, {sample} drawn: {rate}, {promised}");
        }
    }

    #[test]
    fn flipped_bits_in_half_boards_are_found_by_audits_as_often_as_promised() {
        check(Site::HalfBoards, 0.3);
    }

    #[test]
    fn flipped_bits_in_quarter_boards_are_found_by_audits_as_often_as_promised() {
        check(Site::QuarterBoards, 0.3);
    }

    #[test]
    fn memory_that_does_not_fail_changes_no_count() {
        assert_eq!(faulty_counts(Site::HalfBoards, 0.0), counts(&engine()));
    }
}
