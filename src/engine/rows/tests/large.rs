//! Checks that the counts of large boards, up to N = 32, do not depend on the order of the units,
//! the memory limit or the number of middle rows. (The self-test compares them with recounts.)

use std::collections::{BTreeMap, HashMap};

use super::*;
use crate::count::Counter;
use crate::engine::rows::theory::large::attack;
use crate::known::oeis_a000170;

/// Returns the number of tiles per core, which must be the same for all cores.
fn tiles(engine: &Rows) -> u64 {
    engine.units() / engine.numbering.cores()
}

fn has_cores(engine: &Rows, cores: [u64; 2]) -> bool {
    cores
        .iter()
        .all(|&core| engine.numbering.core(core).is_some())
}

/// Chooses a random core such that neither this core nor the next one is dropped. Returns its first
/// unit.
fn two_cores(engine: &Rows) -> u64 {
    let mut random = SplitMix64::new(engine.size.get().into());
    loop {
        let unit = engine.random_unit(&mut random);
        let core = engine.numbering.unit(unit).core;
        if core + 1 < engine.numbering.cores() && has_cores(engine, [core, core + 1]) {
            return core * tiles(engine);
        }
    }
}

/// Counts consecutive units with a single worker, and compares each count with the sum of the
/// unit's parts, counted by a new worker.
fn check_units(engine: &Rows, units: Range<u64>) {
    let counts: Vec<u128> = units.clone().map(|unit| engine.count_unit(unit)).collect();
    for (unit, count) in units.zip(counts) {
        engine.idle().clear();
        let sum: u128 = engine.counts(unit).iter().sum();
        assert_eq!(count, sum, "{engine:?}, unit {unit}");
    }
}

#[test]
fn tile_counts_equal_sums_of_parts_on_large_boards() {
    for n in [24, 26, 27, 28, 32] {
        let engine = default_rows(n);
        let first = two_cores(&engine);
        let tiles = tiles(&engine);
        // Check the tiles of column sets whose `a` and `d` each have at most one column, the last
        // tile of a core, tiles that are clipped in one or both directions, and whole tiles.
        let Numbering {
            half, tile_side, ..
        } = engine.numbering;
        let across = u64::from((half * (half - 1) / 2).div_ceil(tile_side));
        let clipped = [1 + across, 1 + across * across].map(|tile| first + tile);
        for unit in clipped {
            check_units(&engine, unit..unit + 1);
        }
        if n == 24 {
            check_units(&engine, first + 7..first + 9);
        }
        // These units belong to two cores. For N = 28, one of them is a whole tile.
        let next = first + tiles;
        check_units(&engine, next - 2..next + if n == 28 { 3 } else { 2 });
        let [sides, both] = clipped.map(|unit| engine.parts(unit));
        let side = u64::from(tile_side);
        assert!(
            both < sides && sides < side * side,
            "N = {n}: {sides} and {both} parts are not clipped"
        );
    }
}

#[test]
fn parts_of_tile_with_1024_sets_match_recounts() {
    let engine = Rows {
        numbering: Numbering::new(16, 2, 32),
        ..rows(16, 2)
    };
    let first = two_cores(&engine);
    let unit = (first..first + tiles(&engine))
        .max_by_key(|&unit| engine.parts(unit))
        .unwrap();
    let counts = engine.counts(unit);
    assert!(counts.len() > 512, "unit {unit}: {counts:?}");
    assert_eq!(counts, engine.recounts(unit));
    assert_eq!(engine.count_unit(unit), counts.iter().sum());
    let (lower, upper) = counts.split_at(512);
    assert_ne!(lower.iter().sum::<u128>(), upper.iter().sum());
}

type UnitPart = (u64, u64);

/// Returns one part per core, all with the same tile and column set, such that the counts of
/// consecutive cores differ.
fn part_of_each(engine: &Rows, cores: &[u64], random: &mut SplitMix64) -> Vec<UnitPart> {
    let tiles = tiles(engine);
    loop {
        // Avoid the tiles with the longest lists.
        let tile = tiles / 3 + random.below(tiles / 20);
        let part = random.below(engine.parts(cores[0] * tiles + tile));
        let parts: Vec<UnitPart> = cores
            .iter()
            .map(|core| (core * tiles + tile, part))
            .collect();
        let counts = counts_anew(engine, &parts);
        if counts.windows(2).all(|pair| pair[0] != pair[1]) {
            return parts;
        }
    }
}

fn counts_anew(engine: &Rows, parts: &[UnitPart]) -> Vec<u128> {
    parts
        .iter()
        .map(|&(unit, part)| engine.count_anew(unit, part))
        .collect()
}

/// Counts all parts forwards, backwards and in random order with a single worker, and checks that
/// its counts agree with those of new workers that each count only one part.
fn check_one_worker(engine: &Rows, parts: &[UnitPart]) {
    let expected = counts_anew(engine, parts);
    assert_ne!(expected.iter().max(), Some(&0), "{engine:?}, {parts:?}");
    engine.idle().clear();
    let mut random = SplitMix64::new(engine.size.get().into());
    let drawn = (0..parts.len()).map(|_| random.below(parts.len() as u64) as usize);
    for at in (0..parts.len()).chain((0..parts.len()).rev()).chain(drawn) {
        let (unit, part) = parts[at];
        let count = engine.count_part(unit, part, &CancelToken::new());
        assert_eq!(count, Ok(expected[at]), "{engine:?}, {at} of {parts:?}");
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
            let parts = part_of_each(&engine, &[alike[0], alike[1], other, alike[0]], &mut random);
            check_one_worker(&engine, &parts);
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
        let pair = loop {
            // In the first cores, the queens of the middle rows are far from the centre, so the
            // part has solutions.
            let number = random.below(cores / 4);
            let pair = [number, number + apart];
            if has_cores(&engine, pair) {
                break pair;
            }
        };
        check_one_worker(&engine, &part_of_each(&engine, &pair, &mut random));
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

#[test]
fn part_counts_do_not_depend_on_memory_limit() {
    for (n, parts) in [(24, 6), (28, 2)] {
        let engine = default_rows(n);
        let first = two_cores(&engine);
        let tiles = tiles(&engine);
        // Take tiles from the middle of two neighbouring tiers, where lists are longest, then a
        // tile of a different core, and then the first tile again.
        let drawn: Vec<UnitPart> = [tiles / 2, tiles / 3, tiles + tiles / 2, tiles / 2]
            .map(|tile| first + tile)
            .into_iter()
            .flat_map(|unit| (0..parts).map(move |part| (unit, 17 * part)))
            .collect();
        let expected = counts_anew(&engine, &drawn);
        assert!(
            expected.iter().filter(|count| **count > 0).count() > parts as usize,
            "N = {n}: {expected:?}"
        );
        // First, all lists fit into memory, then only some of them, and finally not even the four
        // lists of one column set.
        for memory in [Rows::DEFAULT_MEMORY_PER_THREAD, 16 << 20, 0] {
            let engine = Rows {
                memory,
                ..default_rows(n)
            };
            for (&(unit, part), &expected) in drawn.iter().zip(&expected) {
                let count = engine.count_part(unit, part, &CancelToken::new());
                assert_eq!(count, Ok(expected), "N = {n}, {drawn:?}, {memory} bytes");
            }
        }
    }
}

#[test]
fn sums_with_large_weights_do_not_overflow() {
    // With these weights, a unit's count exceeds 2^52, and for N = 15 the total exceeds 2^64.
    const TIMES: u64 = 1 << 44;
    for (n, middle_rows) in [(15, 1), (14, 0), (14, 2), (13, 3)] {
        for kernel in Kernel::available() {
            let engine = rows(n, middle_rows);
            let unit = largest_unit(&engine);
            let count = engine.count_unit(unit) * u128::from(TIMES);
            let heavy = Rows {
                kernel,
                numbering: engine.numbering.heavier(TIMES),
                ..rows(n, middle_rows)
            };
            assert!(count > 1 << 52);
            assert_eq!(heavy.count_unit(unit), count, "{heavy:?}, unit {unit}");
            let expected = oeis_a000170(n).map(|total| total * u128::from(TIMES));
            assert!(expected > Some(1 << if n == 15 { 64 } else { 59 }));
            let total = Counter::new().threads(1).count(&heavy);
            assert_eq!(total.ok(), expected, "{heavy:?}");
        }
    }
}

type Queens = Vec<(u32, u32)>;

/// Returns all cores that extend a core by one row above and one row below.
fn extensions(n: u32, queens: &Queens) -> Vec<Queens> {
    let first = (n - queens.len() as u32) / 2 - 1;
    let mut extensions = Vec::new();
    for upper in free_in(first, n, queens) {
        let above = [&[upper], queens.as_slice()].concat();
        for lower in free_in(n - 1 - first, n, &above) {
            extensions.push([above.as_slice(), &[lower]].concat());
        }
    }
    extensions
}

/// Returns the squares of a row that no queen attacks.
fn free_in(row: u32, n: u32, queens: &[(u32, u32)]) -> Queens {
    (0..n)
        .map(|column| (row, column))
        .filter(|&square| queens.iter().all(|&queen| !attack(queen, square)))
        .collect()
}

/// Returns the units of each core, except for the cores that are counted as an image of another.
fn units_of_cores(engine: &Rows) -> impl Iterator<Item = (Queens, Range<u64>)> {
    engine
        .listing()
        .cores()
        .filter_map(|(units, queens)| Some((queens?, units)))
}

#[test]
fn core_count_equals_sum_over_extensions() {
    // Even the smaller cores include the rows that the weights depend on: two for even N, and three
    // for odd N.
    for (n, middle_rows) in boards(11, 1 << 18).filter(|(n, middle_rows)| *middle_rows > 2 + n % 2)
    {
        let [few, many] = [middle_rows - 2, middle_rows].map(|middle_rows| rows(n, middle_rows));
        let of_many: HashMap<Queens, Range<u64>> = units_of_cores(&many).collect();
        for (queens, units) in units_of_cores(&few) {
            let count: u128 = units.map(|unit| few.count_unit(unit)).sum();
            let again: u128 = extensions(n, &queens)
                .iter()
                .filter_map(|core| of_many.get(core).cloned())
                .flatten()
                .map(|unit| many.count_unit(unit))
                .sum();
            assert_eq!(count, again, "{few:?}, {queens:?}");
        }
    }
}
