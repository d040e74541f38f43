//! Tests that recounts are independent of the engine: a bug that makes the engine miscount must not
//! change any recount. Also tests that counts do not depend on the state of a reused worker.

use super::tests::rows;
use super::*;

#[test]
fn recounts_are_unaffected_by_engine_bugs() {
    for (n, middle_rows) in [(12, 0), (13, 1), (12, 2), (13, 3), (14, 4)] {
        let right = rows(n, middle_rows);
        let mut random = SplitMix64::new(n.into());
        let units = [(); 6].map(|()| right.random_unit(&mut random));
        let counts =
            |engine: &Rows| units.map(|unit| (engine.count_unit(unit), engine.counts(unit)));
        let recounts = |engine: &Rows| {
            units.map(|unit| {
                let recount = engine.recount(unit, &CancelToken::new());
                (recount.unwrap(), engine.recounts(unit))
            })
        };
        let expected = recounts(&right);
        assert_eq!(counts(&right), expected);
        let side = right.numbering.tile_side;
        let plan = || Numbering::new(n, middle_rows, side);
        // One of these bugs triples every count, one loses column sets, and one numbers the cores
        // in a different order.
        for (what, numbering) in [
            ("weights", plan().heavier(3)),
            ("column sets", plan().with_narrow_tiles()),
            ("cores", plan().with_leads_reversed()),
        ] {
            let wrong = Rows {
                numbering,
                ..rows(n, middle_rows)
            };
            let found = counts(&wrong);
            let same = what == "cores" && middle_rows < 2;
            assert!(same || found != expected, "{right:?}: {what} are right");
            assert_eq!(
                recounts(&wrong),
                expected,
                "{right:?}: follows wrong {what}"
            );
            // In an audit, the engine counts all parts that the proof defines, even those that its
            // own units lack.
            if what == "column sets" {
                let [found, expected] =
                    [&wrong, &right].map(|engine| units.map(|unit| engine.counts(unit)));
                assert_eq!(found, expected);
            }
        }
    }
}

#[test]
fn reused_worker_counts_match_new_worker() {
    // Test narrow words, wide words, and both in turn, each with memory for all lists, for some of
    // them, and for almost none.
    for (n, middle_rows) in [(14, 4), (19, 1), (19, 3), (21, 3)] {
        for memory in [Rows::DEFAULT_MEMORY_PER_THREAD, 1 << 20, 0] {
            let reused = Rows {
                memory,
                ..rows(n, middle_rows)
            };
            let anew = rows(n, middle_rows);
            let mut random = SplitMix64::new(n.into());
            for _ in 0..12 {
                let unit = reused.random_unit(&mut random);
                for _ in 0..4 {
                    let part = random.below(reused.parts(unit));
                    let count = reused.count_part(unit, part, &CancelToken::new());
                    assert_eq!(
                        count,
                        Ok(anew.count_anew(unit, part)),
                        "{anew:?}, {memory} bytes, unit {unit}, part {part}"
                    );
                }
            }
        }
    }
}
