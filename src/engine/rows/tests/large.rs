//! Tests that the counts of large boards, up to N = 32, do not depend on the order of the units or
//! on the memory limit. (The self-test compares them with recounts.)

use super::*;

fn count(engine: &Rows, unit: u64, part: u64) -> u128 {
    engine.count_part(unit, part, &CancelToken::new()).unwrap()
}

/// Counts with a new worker.
fn count_anew(engine: &Rows, unit: u64, part: u64) -> u128 {
    engine.idle().clear();
    count(engine, unit, part)
}

#[test]
fn worker_distinguishes_cores_with_close_indices() {
    let engine = default_rows(32);
    let tiles = engine.units() / engine.numbering.cores();
    let mut random = SplitMix64::new(1);
    loop {
        // In the first cores, the queens of the middle rows are far from the centre, so parts have
        // solutions.
        let unit = random.below(engine.units() / 4);
        let units = [unit, unit + (tiles << 32)];
        let anew = units.map(|unit| count_anew(&engine, unit, 0));
        if !anew.contains(&0) && anew[0] != anew[1] {
            engine.idle().clear();
            assert_eq!(units.map(|unit| count(&engine, unit, 0)), anew, "{units:?}");
            return;
        }
    }
}

#[test]
fn reused_worker_counts_match_new_worker() {
    // Test narrow words, wide words, and both in turn, each with memory for all lists, for some of
    // them, and for almost none.
    for (n, middle_rows, units) in [
        (14, 4, 12),
        (19, 1, 12),
        (19, 3, 12),
        (21, 3, 12),
        (24, 2, 4),
        (28, 4, 2),
    ] {
        for memory in [Rows::DEFAULT_MEMORY_PER_THREAD, 1 << 20, 0] {
            let reused = Rows {
                memory,
                ..rows(n, middle_rows)
            };
            let anew = rows(n, middle_rows);
            let mut random = SplitMix64::new(n.into());
            for _ in 0..units {
                let unit = reused.random_unit(&mut random);
                for _ in 0..4 {
                    let part = random.below(reused.parts(unit));
                    assert_eq!(
                        count(&reused, unit, part),
                        count_anew(&anew, unit, part),
                        "{anew:?}, {memory} bytes, unit {unit}, part {part}"
                    );
                }
            }
        }
    }
}
