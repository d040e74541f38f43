//! Tests that recounts are independent of the engine: a bug that makes the engine miscount must not
//! change any recount. Also tests that counts do not depend on the state of a reused worker.

use super::theory::numbering::Numbering;
use super::*;

fn rows(n: u32, middle_rows: u32, memory: u64) -> Rows {
    let size = BoardSize::new(n).unwrap();
    let options = EngineOptions::new().memory_per_thread(memory);
    Rows::with_middle_rows(size, middle_rows, options)
}

fn recounts(engine: &Rows, units: &[u64]) -> Vec<u128> {
    let stop = CancelToken::new();
    let mut found = Vec::new();
    for &unit in units {
        found.push(engine.recount(unit, &stop).unwrap());
        for part in 0..engine.parts(unit) {
            found.push(engine.recount_part(unit, part, &stop).unwrap());
        }
    }
    found
}

fn counts(engine: &Rows, units: &[u64]) -> Vec<u128> {
    let stop = CancelToken::new();
    let mut found = Vec::new();
    for &unit in units {
        found.push(engine.count(unit, &stop).unwrap());
        found.extend(parts(engine, &[unit]));
    }
    found
}

fn parts(engine: &Rows, units: &[u64]) -> Vec<u128> {
    let stop = CancelToken::new();
    let mut found = Vec::new();
    for &unit in units {
        for part in 0..engine.parts(unit) {
            found.push(engine.count_part(unit, part, &stop).unwrap());
        }
    }
    found
}

#[test]
fn a_recount_does_not_follow_a_wrong_engine() {
    let memory = Rows::DEFAULT_MEMORY_PER_THREAD;
    for (n, middle_rows) in [(12, 0), (13, 1), (12, 2), (13, 3), (14, 4)] {
        let right = rows(n, middle_rows, memory);
        let mut random = SplitMix64::new(n.into());
        let units: Vec<u64> = (0..6)
            .map(|_| right.unit_at(random.unit_interval()))
            .collect();
        let expected = recounts(&right, &units);
        assert_eq!(counts(&right, &units), expected);
        let side = right.numbering.tile_side;
        let plan = || Numbering::new(n, middle_rows, side);
        // One of these bugs triples every count, one loses column sets, and one numbers the cores
        // in a different order.
        for (what, numbering) in [
            ("weights", plan().heavier(3)),
            ("column sets", plan().with_narrow_tiles()),
            ("cores", plan().with_leads_reversed()),
        ] {
            let engine = Rows {
                numbering,
                ..rows(n, middle_rows, memory)
            };
            let same = what == "cores" && middle_rows < 2;
            assert!(
                same || counts(&engine, &units) != expected,
                "N = {n}, {middle_rows} middle rows: {what} are right"
            );
            assert_eq!(
                recounts(&engine, &units),
                expected,
                "N = {n}, {middle_rows} middle rows: the recount follows wrong {what}"
            );
            // In an audit, the engine counts all parts that the proof defines, even those that its
            // own units lack.
            if what == "column sets" {
                assert_eq!(parts(&engine, &units), parts(&right, &units), "N = {n}");
            }
        }
    }
}

#[test]
fn reused_workers_count_what_new_ones_do() {
    let stop = CancelToken::new();
    // Test narrow words, wide words, and both in turn, each with memory for all lists, for some of
    // them, and for almost none.
    for (n, middle_rows) in [(14, 4), (19, 1), (19, 3), (21, 3)] {
        for memory in [Rows::DEFAULT_MEMORY_PER_THREAD, 1 << 20, 0] {
            let reused = rows(n, middle_rows, memory);
            let mut random = SplitMix64::new(n.into());
            for _ in 0..12 {
                let unit = reused.unit_at(random.unit_interval());
                let parts = reused.parts(unit);
                let anew = rows(n, middle_rows, Rows::DEFAULT_MEMORY_PER_THREAD);
                for _ in 0..4 {
                    let part = random.below(parts);
                    anew.idle.lock().unwrap().clear();
                    assert_eq!(
                        reused.count_part(unit, part, &stop),
                        anew.count_part(unit, part, &stop),
                        "N = {n}, {middle_rows} middle rows, {memory} bytes, unit {unit}, {part}"
                    );
                }
            }
        }
    }
}
