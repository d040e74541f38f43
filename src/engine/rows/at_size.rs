//! Tests of the engine on units of the boards that it was made for, up to N = 32: against recounts, and against itself
//! with other kernels, other memory and another number of middle rows.

use std::collections::BTreeMap;
use std::time::Instant;

use super::*;
use crate::count::FanOut;
use crate::engine::rows::recount::units::tests::boards;

fn plan(n: u32, kernel: Kernel, memory: u64) -> Rows {
    Rows::new(BoardSize::new(n).unwrap(), kernel, memory)
}

/// A random unit of a board: more often one that takes longer.
fn heavy_unit(engine: &Rows, random: &mut Random) -> u64 {
    let work = random.unit_interval();
    let (mut from, mut to) = (0, engine.units());
    while to - from > 1 {
        let middle = from + (to - from) / 2;
        if engine.work_before(middle) <= work { from = middle } else { to = middle }
    }
    from
}

#[test]
fn parts_with_long_lists_are_recounted_with_every_kernel() {
    let long = std::env::var_os("QUEENCOUNT_LONG").is_some();
    let stop = Stop::new();
    for n in (18..=28).chain([30, 32]) {
        let engines: Vec<Rows> = Kernel::available().into_iter().map(|kernel| plan(n, kernel, Rows::MEMORY)).collect();
        let mut random = Random::new(n.into());
        for _ in 0..if long { 20 } else { 1 } {
            // The one of some parts that has most solutions.
            let mut draw = || {
                let unit = heavy_unit(&engines[0], &mut random);
                let part = random.below(engines[0].parts(unit));
                (engines[0].count_part(unit, part, &stop).unwrap(), unit, part)
            };
            // A part of N = 26, whose tiles come with two middle rows, takes ten times as long as others.
            let draws = if n == 26 && !long { 2 } else { 8 };
            let (count, unit, part) = (0..draws).map(|_| draw()).max().unwrap();
            assert_eq!(engines[0].recount_part(unit, part, &stop), Ok(count), "N = {n}, unit {unit}, part {part}");
            for engine in &engines {
                let kernel = engine.kernel;
                assert_eq!(
                    engine.count_part(unit, part, &stop),
                    Ok(count),
                    "N = {n}, unit {unit}, part {part}, {kernel:?}"
                );
            }
        }
    }
}

/// The first unit of a core of a board that has solutions, and whose next core has, too.
fn two_cores(engine: &Rows) -> u64 {
    let mut random = Random::new(engine.size.get().into());
    loop {
        let unit = heavy_unit(engine, &mut random);
        let number = engine.numbering.unit(unit).core;
        let [Some(core), Some(_)] = [number, number + 1].map(|number| engine.numbering.core(number)) else { continue };
        let tiles = engine.numbering.tiling(core.symmetry.images).tiles().len() as u64;
        let of_core = |unit: &u64| engine.numbering.unit(*unit).core == number;
        let first = (0..=unit).rev().take_while(of_core).last().unwrap();
        if first + tiles < engine.units() {
            return first;
        }
    }
}

#[test]
fn tiles_of_large_boards_count_what_their_parts_do() {
    let stop = Stop::new();
    for n in (24..=28).chain([32]) {
        let engine = plan(n, Kernel::default(), Rows::MEMORY);
        let first = two_cores(&engine);
        let tiles = engine
            .numbering
            .tiling(engine.numbering.core(engine.numbering.unit(first).core).unwrap().symmetry.images)
            .tiles()
            .len() as u64;
        // With none or one queen in a quarter; clipped in one direction; in both; whole ones; and the last.
        let Numbering { half, tile_side, .. } = engine.numbering;
        let across = u64::from((half * (half - 1) / 2).div_ceil(tile_side));
        let clipped = [1 + across, 1 + across * across];
        let whole = match n {
            ..=26 => vec![7, 8],
            28 if std::env::var_os("QUEENCOUNT_LONG").is_some() => vec![2],
            _ => vec![],
        };
        for unit in
            [0, 1, clipped[0], clipped[1], tiles - 2, tiles - 1].into_iter().chain(whole).map(|tile| first + tile)
        {
            let sum = (0..engine.parts(unit)).map(|part| engine.count_part(unit, part, &stop).unwrap()).sum();
            assert_eq!(engine.count(unit, &stop), Ok(sum), "N = {n}, unit {unit}");
        }
        let [sides, both] = clipped.map(|tile| engine.parts(first + tile));
        let side = u64::from(tile_side);
        assert!(both < sides && sides < side * side, "N = {n}: {sides} and {both} parts are not clipped");
    }
}

#[test]
fn little_memory_changes_no_part_where_tiers_and_cores_change() {
    let stop = Stop::new();
    for (n, parts) in [(24, 6), (28, 2)] {
        let engine = plan(n, Kernel::default(), Rows::MEMORY);
        let first = two_cores(&engine);
        let images = engine.numbering.core(engine.numbering.unit(first).core).unwrap().symmetry.images;
        let tiles = engine.numbering.tiling(images).tiles().len() as u64;
        // In the middle, where lists are longest, of one tier and of the next one; of another core, and back again.
        let units = [tiles / 2, tiles / 3, tiles + tiles / 2, tiles / 2].map(|tile| first + tile);
        let drawn: Vec<(u64, u64)> =
            units.into_iter().flat_map(|unit| (0..parts).map(move |part| (unit, 17 * part))).collect();
        let recounts: Vec<u128> =
            drawn.iter().map(|&(unit, part)| engine.recount_part(unit, part, &stop).unwrap()).collect();
        assert!(recounts.iter().filter(|count| **count > 0).count() > parts as usize, "N = {n}: {recounts:?}");
        // Room for all lists, for some, and for no more than the four of a column set, of which one alone is too large.
        for memory in [Rows::MEMORY, 16 << 20, 0] {
            let engine = plan(n, Kernel::default(), memory);
            let count = |&(unit, part): &(u64, u64)| engine.count_part(unit, part, &stop).unwrap();
            assert_eq!(drawn.iter().map(count).collect::<Vec<_>>(), recounts, "N = {n}, {drawn:?}, {memory} bytes");
        }
    }
}

#[test]
fn no_sum_of_a_unit_is_cut_off() {
    // Each solution counts for so many that the count of a unit passes 2^64.
    const TIMES: u64 = 1 << 44;
    for (n, middle_rows) in [(15, 1), (14, 0), (14, 2), (13, 3)] {
        for kernel in Kernel::available() {
            let rows = || Rows::with_middle_rows(BoardSize::new(n).unwrap(), middle_rows, kernel, Rows::MEMORY);
            let (engine, mut heavy) = (rows(), rows());
            heavy.numbering = heavy.numbering.heavier(TIMES);
            let stop = Stop::new();
            let unit = (0..40)
                .map(|i| engine.units() * i / 40)
                .max_by_key(|&unit| engine.count(unit, &stop).unwrap())
                .unwrap();
            let count = engine.count(unit, &stop).unwrap() * u128::from(TIMES);
            assert!(count > 1 << 52 && heavy.count(unit, &stop) == Ok(count), "N = {n}, unit {unit}");
            let mut counts = Vec::new();
            heavy.count_each(unit..unit + 1, &stop, &mut |count, _| counts.push(count)).unwrap();
            assert_eq!(counts, [count], "N = {n}, unit {unit}");
            let expected = crate::known::published(n).map(|total| total * u128::from(TIMES));
            assert!(expected > Some(1 << if n == 15 { 64 } else { 59 }));
            assert_eq!(FanOut::default().threads(1).count(&heavy).ok(), expected, "N = {n}");
        }
    }
}

/// What the cores of a board with some middle rows count, by the queens of these rows alone.
fn counts_of_cores(n: u32, middle_rows: u32, fewer: u32) -> BTreeMap<Vec<(u32, u32)>, u128> {
    let engine = Rows::with_middle_rows(BoardSize::new(n).unwrap(), middle_rows, Kernel::default(), Rows::MEMORY);
    let mut counts = BTreeMap::new();
    for unit in 0..engine.units() {
        let count = engine.count(unit, &Stop::new()).unwrap();
        if let Some(core) = engine.numbering.core(engine.numbering.unit(unit).core).filter(|_| count > 0) {
            let mut queens = core.queens;
            queens.sort_unstable();
            let outer = (middle_rows - fewer) as usize / 2;
            *counts.entry(queens[outer..queens.len() - outer].to_vec()).or_default() += count;
        }
    }
    counts
}

#[test]
fn a_core_counts_what_its_extensions_count() {
    // The rows on which weights, R and S depend are middle rows of both: two for even N, three for odd N.
    for (n, middle_rows) in boards(11, 1 << 18).filter(|(n, middle_rows)| *middle_rows > 2 + n % 2) {
        let fewer = middle_rows - 2;
        let [cores, extensions] = [fewer, middle_rows].map(|middle_rows| counts_of_cores(n, middle_rows, fewer));
        assert!(!cores.is_empty());
        assert_eq!(cores, extensions, "N = {n}, {fewer} and {middle_rows} middle rows");
    }
}

/// A core of a large board and its extensions by two rows, drawn at random. They have other half-boards, other tiles and
/// words, and other lists, and count the same. `docs/results.md` has the command.
#[test]
#[ignore = "minutes for a core, which N, MIDDLE_ROWS and SEED name"]
fn a_random_core_of_a_large_board_counts_what_its_extensions_count() {
    let set = |name: &str| std::env::var(name).unwrap().parse::<u64>().unwrap();
    let [n, middle_rows] = ["N", "MIDDLE_ROWS"].map(|name| set(name) as u32);
    let mut random = Random::new(set("SEED"));
    let engine =
        |middle_rows| Rows::with_middle_rows(BoardSize::new(n).unwrap(), middle_rows, Kernel::default(), Rows::MEMORY);
    let counted = |middle_rows: u32, cores: &[Vec<(u32, u32)>]| {
        let (start, engine) = (Instant::now(), engine(middle_rows));
        let listing = engine.listing();
        let units: Vec<Range<u64>> = cores.iter().map(|core| listing.units_of_core(core)).collect();
        let count = FanOut::default().count_units(&engine, &units).unwrap();
        (count, start.elapsed().as_secs_f64())
    };
    let few = engine(middle_rows);
    let core = loop {
        let unit = heavy_unit(&few, &mut random);
        if let Some(core) = few.numbering.core(few.numbering.unit(unit).core) {
            break core;
        }
    };
    let mut queens = core.queens.clone();
    queens.sort_unstable();
    let first = (n - middle_rows) / 2 - 1;
    let squares = |row: u32| (0..n).map(move |column| (row, column));
    let free =
        |queens: &[(u32, u32)], square: (u32, u32)| queens.iter().all(|&queen| !recount::units::attack(queen, square));
    let mut extensions = Vec::new();
    for upper in squares(first).filter(|&upper| free(&queens, upper)) {
        let above = [&[upper], queens.as_slice()].concat();
        let lower = squares(n - 1 - first).filter(|&lower| free(&above, lower));
        extensions.extend(lower.map(|lower| [above.as_slice(), &[lower]].concat()));
    }
    let ((count, seconds), (again, more_seconds)) =
        (counted(middle_rows, &[queens.clone()]), counted(middle_rows + 2, &extensions));
    let columns: Vec<u32> = queens.iter().map(|queen| queen.1).collect();
    println!(
        "| {n} | {columns:?} | {count} | {middle_rows}: {seconds:.0} s | {}: {} cores, {more_seconds:.0} s |",
        middle_rows + 2,
        extensions.len()
    );
    assert_eq!(count, again, "N = {n}, middle rows in columns {columns:?}");
}
