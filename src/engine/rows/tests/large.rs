//! Checks that the counts of large boards, up to N = 32, do not depend on the order of the units or
//! on the memory limit. (The self-test compares them with recounts.)

use std::collections::BTreeMap;

use super::*;

#[test]
fn parts_of_tile_with_1024_sets_match_recounts() {
    let engine = Rows {
        numbering: Numbering::new(16, 2, 32),
        ..rows(16, 2)
    };
    let unit = (engine.unit_at(0.5)..)
        .find(|&unit| engine.parts(unit) == 1024 && engine.core(unit).is_some())
        .unwrap();
    let counts = engine.counts(unit);
    assert_eq!(counts, engine.recounts(unit));
    assert_eq!(engine.count_unit(unit), counts.iter().sum());
    let (lower, upper) = counts.split_at(512);
    assert_ne!(lower.iter().sum::<u128>(), upper.iter().sum());
}

/// Counts the same part of each core with a single worker, and with new workers. Without middle
/// rows or with more than one, all cores have the same tiles.
fn check_one_worker(engine: &Rows, cores: &[u64], random: &mut SplitMix64) {
    let tiles = engine.units() / engine.numbering.cores();
    loop {
        // Avoid the tiles with the longest lists.
        let tile = tiles / 3 + random.below(tiles / 20);
        let part = random.below(engine.parts(cores[0] * tiles + tile));
        let units = cores.iter().map(|core| core * tiles + tile);
        let anew: Vec<u128> = units
            .clone()
            .map(|unit| engine.count_anew(unit, part))
            .collect();
        // If these were equal, one core could be taken for another.
        if anew.windows(2).any(|pair| pair[0] == pair[1]) {
            continue;
        }
        engine.idle().clear();
        let counts: Result<Vec<u128>, _> = units
            .map(|unit| engine.count_part(unit, part, &CancelToken::new()))
            .collect();
        assert_eq!(counts, Ok(anew), "{engine:?}, {cores:?}");
        return;
    }
}

#[test]
fn worker_distinguishes_cores_with_same_diagonals() {
    // Test narrow words, wide words, and switching between them.
    for (n, middle_rows) in [(20, 4), (25, 3)] {
        let engine = rows(n, middle_rows);
        let mut by_diagonals: BTreeMap<_, Vec<u64>> = BTreeMap::new();
        for number in 0..engine.numbering.cores().min(20_000) {
            if let Some(core) = engine.numbering.core(number) {
                by_diagonals
                    .entry(core.relevant())
                    .or_default()
                    .push(number);
            }
        }
        let wide: Vec<u64> = by_diagonals
            .iter()
            .filter(|(diagonals, _)| diagonals.count_ones() > u32::BITS)
            .map(|(_, numbers)| numbers[0])
            .collect();
        let alike = by_diagonals.values().filter(|numbers| numbers.len() > 1);
        let mut random = SplitMix64::new(n.into());
        for alike in alike.take(3) {
            let other = wide[random.below(wide.len() as u64) as usize];
            let cores = [alike[0], alike[1], other, alike[0]];
            check_one_worker(&engine, &cores, &mut random);
        }
    }
}

#[test]
fn worker_distinguishes_cores_with_close_indices() {
    let engine = default_rows(32);
    let mut random = SplitMix64::new(1);
    let cores = engine.numbering.cores();
    // The indices of the two cores differ by the number of cores per lead or by a power of two.
    let orders: u64 = (25..=30).product();
    for apart in [orders, 1, 1 << 8, 1 << 12, 1 << 16, 1 << 24, 1 << 32] {
        let [one, other] = loop {
            // In the first cores, the queens of the middle rows are far from the centre, so the
            // part has solutions.
            let number = random.below(cores / 4);
            let pair = [number, number + apart];
            if pair.map(|core| engine.numbering.core(core).is_some()) == [true; 2] {
                break pair;
            }
        };
        check_one_worker(&engine, &[one, other, one], &mut random);
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
